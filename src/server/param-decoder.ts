import {decodeParam, type Encoding, type Endpoint, type Param} from '#wire/endpoint.ts';
import {decode, type Mismatch} from '#wire/schema.ts';
import {ApiError, badRequest, missingParam} from './errors.ts';

/**
 * Returns a function that finds each parameter in path, body or query and checks it. Built at a route's first request, run
 * by every request. `ignored` are the names of sent parameters that this endpoint does not have at this level.
 */
export function paramDecoder(endpoint: Endpoint, level: number) {
  const entries = Object.entries(endpoint.params);
  const isKnown = ([, spec]: [string, Param]) =>
    spec.since <= level && level < (spec.until ?? Number.POSITIVE_INFINITY);
  // Before its level, a parameter has only its older names, if there are any.
  const late = entries.filter((entry) => !isKnown(entry) && entry[1].aliases.length === 0);
  const inPath = entries.filter((entry) => isKnown(entry) && entry[1].encoding === 'path');
  const inForm = entries
    .filter((entry) => !late.includes(entry) && !inPath.includes(entry))
    .map(([name, spec]) => ({
      name,
      spec,
      spellings: isKnown([name, spec]) ? [name, ...spec.aliases] : spec.aliases,
    }));
  const known = new Set(inForm.flatMap(({spellings}) => spellings));
  return (path: Readonly<Record<string, string | undefined>>, body: URLSearchParams, query: URLSearchParams) => {
    // The body takes precedence over the query, and a name's last value over others.
    const sent = new Map([...query, ...body]);
    const params: Record<string, unknown> = {};
    for (const [name, spec] of late) params[name] = spec.fallback;
    for (const [name, spec] of inPath) params[name] = decodeOne(name, spec, path[name] ?? '');
    for (const {name, spec, spellings} of inForm) {
      const spelling = sentSpelling(spellings, sent);
      if (spelling !== undefined) params[name] = decodeOne(spelling, spec, sent.get(spelling) ?? '');
      else if (spec.presence === 'required') throw missingParam(spellings[0] ?? name);
      else params[name] = spec.fallback;
    }
    return {params, ignored: [...sent.keys()].filter((name) => !known.has(name))};
  };
}

function sentSpelling(spellings: readonly string[], sent: ReadonlyMap<string, string>): string | undefined {
  const [first, second] = spellings.filter((spelling) => sent.has(spelling));
  if (first !== undefined && second !== undefined) {
    const message = `Can't decide between '${first}' and '${second}' arguments`;
    throw new ApiError('REQUEST_CONFUSING_VAR', message, 400, {var_name1: first, var_name2: second});
  }
  return first;
}

function decodeOne(name: string, spec: Param, value: string): unknown {
  const decoded = decodeParam(spec, value);
  if (decoded.ok) return decoded.value;
  if (!decoded.malformed) throw badRequest(mismatchText(name, spec.encoding, decoded.mismatch));
  throw badRequest(`${jsonPart(name, spec)} is not valid JSON`);
}

/** Returns what a sentence about malformed JSON calls the parameter: some have a name for the part that is JSON. */
function jsonPart(name: string, spec: Param): string {
  const absent = decode(spec.schema, undefined);
  const text = absent.ok ? '' : mismatchText(name, spec.encoding, absent.mismatch);
  return /^\S*\["json\[\w+\]"\]/.exec(text)?.[0] ?? name;
}

/** The last words of the sentence about a value of the wrong type, by the kind of its schema. */
const wrongTypes: Readonly<Record<string, string>> = {
  boolean: 'is not a boolean',
  number: 'is not an integer',
  safe_integer: 'is not an integer',
  integer: 'is not an integer',
  string: 'is not a string',
  array: 'is not a list',
  tuple: 'is not a list',
  object: 'is not a dict',
  loose_object: 'is not a dict',
  strict_object: 'is not a dict',
  record: 'is not a dict',
  min_value: 'is too small',
  max_value: 'is too large',
  non_empty: 'cannot be blank',
};

/** Returns what is wrong with a parameter, in the words of Zulip's servers. */
function mismatchText(name: string, encoding: Encoding, {kind, path, limit, isMissing, message}: Mismatch): string {
  const at = name + path.map((part) => (typeof part === 'number' ? `[${part}]` : `["${part}"]`)).join('');
  if (isMissing) return `${at} field is missing: Field required`;
  if (message.includes('{at}')) return message.replace('{at}', at);
  if (message.includes('{name}')) return message.replace('{name}', name).replace('{path}', at.slice(name.length));
  if (kind === 'max_length') return `${at} is too long (limit: ${limit} characters)`;
  const wrong = encoding === 'loose' ? undefined : wrongTypes[kind];
  return wrong === undefined ? `Invalid ${at}` : `${at} ${wrong}`;
}

const missingField = /^(.*)\["(\w+)"\] field is missing: .*$/;

/** Returns what is wrong with a part of a dictionary that is sent as JSON text. */
export function dictMismatchText(name: string, mismatch: Mismatch): string {
  return mismatchText(name, 'json', mismatch).replace(missingField, '$2 key is missing from $1');
}

import {decodeParam, type Endpoint, type Param} from '#wire/endpoint.ts';
import {decode} from '#wire/schema.ts';
import {ApiError, badRequest, missingParam} from './errors.ts';
import {mismatchText} from './mismatch-text.ts';

interface DecodedParams {
  readonly params: Record<string, unknown>;
  /** The names of sent parameters that this endpoint does not have at this level. */
  readonly ignored: readonly string[];
}

type ParamDecoder = (
  path: Readonly<Record<string, string | undefined>>,
  body: URLSearchParams,
  query: URLSearchParams,
) => DecodedParams;

/**
 * Returns a function that finds each parameter in path, body or query and checks it. Built at a route's first request, run
 * by every request.
 */
export function paramDecoder(endpoint: Endpoint, level: number): ParamDecoder {
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
  return (path, body, query) => {
    const sent = collect(body, query);
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

/** Collects the sent parameters. The body takes precedence over the query, and a name's last value over others. */
function collect(body: URLSearchParams, query: URLSearchParams): Map<string, string> {
  const sent = new Map<string, string>();
  for (const source of [query, body]) for (const [name, value] of source) sent.set(name, value);
  return sent;
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

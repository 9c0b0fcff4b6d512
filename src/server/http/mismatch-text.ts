import type {Encoding} from '#wire/endpoint.ts';
import type {Mismatch} from '#wire/schema.ts';

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
export function mismatchText(
  name: string,
  encoding: Encoding,
  {kind, path, limit, isMissing, message}: Mismatch,
): string {
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

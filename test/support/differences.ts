import {isDeepStrictEqual} from 'node:util';
import {expect} from 'vitest';

/** Fewer than the lines of a terminal: the first ones say what is wrong. */
const maxLines = 8;
const maxTextLength = 160;

/**
 * Fails if two plain values differ, with the places that differ as the first lines and `about` after them. A comparison of
 * whole account states by `toEqual` prints hundreds of equal lines before the different one, and takes far longer.
 */
export function expectSame(actual: unknown, expected: unknown, about = ''): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const lines = differences(actual, expected);
  const rest = lines.length > maxLines ? [`… and ${lines.length - maxLines} more`] : [];
  expect.fail(['different from what is expected', ...lines.slice(0, maxLines), ...rest, about].join('\n  '));
}

/** Returns the places at which two plain values differ, each as one line: its path, what is there, and what is expected. */
export function differences(actual: unknown, expected: unknown, path = ''): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  const [here, there] = [entriesOf(actual), entriesOf(expected)];
  if (here === undefined || there === undefined)
    return [`${path || 'value'}: ${short(actual)}, expected ${short(expected)}`];
  const keys = new Set([...here.keys(), ...there.keys()]);
  const found = [...keys].flatMap((key) =>
    differences(here.get(key), there.get(key), path === '' ? key : `${path}.${key}`),
  );
  return found.length > 0
    ? found
    : [`${path || 'value'}: another order: ${[...here.keys()]}, expected ${[...there.keys()]}`];
}

/** Returns the parts of an object or list by name; undefined for other values. */
function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const names = value.map(nameOf);
  const areNames = names.every((name) => name !== undefined) && new Set(names).size === names.length;
  return new Map(value.map((item, index) => (areNames ? namedEntry(item) : [String(index), item])));
}

/** Returns what identifies an item of a list: the key of a pair, the id of an object, or a text or number itself. */
function nameOf(item: unknown): string | undefined {
  if (Array.isArray(item)) return item.length === 2 && !isObject(item[0]) ? String(item[0]) : undefined;
  if (!isObject(item)) return String(item);
  const id = item.id ?? item.key ?? item.userId ?? item.user_id ?? item.stream_id;
  return id === undefined || isObject(id) ? undefined : String(id);
}

function namedEntry(item: unknown): [string, unknown] {
  return [nameOf(item) ?? '', Array.isArray(item) ? item[1] : item];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

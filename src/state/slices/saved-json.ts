import {isRecord} from '#std/parse-json.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** Converts JSON from disk to a value of the state; undefined when it is invalid. */
export type Decoder<T> = (json: unknown) => T | undefined;

type JsonKind = 'number' | 'string' | 'boolean' | 'object' | 'array';

export type FieldCheck = JsonKind | Decoder<unknown>;

/**
 * Returns a decoder that checks the listed fields and copies the rest unchecked. That suffices because only
 * Parley writes these files, under a stamp that names their format, and the store verifies their checksums.
 */
export function objectDecoder<T extends object>(checks: {readonly [K in keyof T]?: FieldCheck}): Decoder<T> {
  const fields = Object.entries<FieldCheck | undefined>(checks);
  return (json) => {
    if (!isRecord(json)) return undefined;
    let result: Record<string, unknown> = json;
    for (const [name, check] of fields) {
      if (check === undefined) continue;
      if (typeof check === 'string') {
        if (!isKind(json[name], check)) return undefined;
        continue;
      }
      const value = check(json[name]);
      if (value === undefined) return undefined;
      if (value === json[name]) continue;
      if (result === json) result = {...json};
      result[name] = value;
    }
    return result as T; // The fields are checked above.
  };
}

export function mapDecoder<K extends number | string, V>(
  key: K extends number ? 'number' : 'string',
  value: Decoder<V>,
): Decoder<SortedMap<K, V>> {
  return (json) => {
    if (!Array.isArray(json)) return undefined;
    const entries: [K, V][] = [];
    for (const entry of json) {
      if (!Array.isArray(entry) || typeof entry[0] !== key) return undefined;
      const decoded = value(entry[1]);
      if (decoded === undefined) return undefined;
      entries.push([entry[0], decoded]);
    }
    return SortedMap.from(entries);
  };
}

export const numberSetDecoder: Decoder<SortedSet<number>> = (json) =>
  Array.isArray(json) && json.every(Number.isSafeInteger) ? SortedSet.from<number>(json) : undefined;

export function listDecoder<T>(item: Decoder<T>): Decoder<readonly T[]> {
  return (json) => {
    if (!Array.isArray(json)) return undefined;
    const items: T[] = [];
    for (const element of json) {
      const decoded = item(element);
      if (decoded === undefined) return undefined;
      items.push(decoded);
    }
    return items;
  };
}

export const numberDecoder: Decoder<number> = (json) => (typeof json === 'number' ? json : undefined);

export const stringDecoder: Decoder<string> = (json) => (typeof json === 'string' ? json : undefined);

function isKind(value: unknown, kind: JsonKind): boolean {
  if (kind === 'array') return Array.isArray(value);
  return kind === 'object' ? isRecord(value) : typeof value === kind;
}

import {isRecord, parsedJson} from '#std/parse-json.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** Converts JSON from disk to a value of the state; undefined when it is invalid. */
export type Decoder<T> = (json: unknown) => T | undefined;

type JsonKind = 'number' | 'string' | 'boolean' | 'object' | 'array';

type FieldCheck = JsonKind | Decoder<unknown>;

/**
 * Returns a decoder that checks the listed fields and copies the rest unchecked. That suffices because only
 * Parley writes these files, under a stamp that names their format, and the store verifies their checksums.
 */
function objectDecoder<T extends object>(checks: Checks<T>): Decoder<T> {
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

function mapDecoder<K extends number | string, V>(
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

/** How a slice is written to disk and read again. */
export interface SavedFormat<Value> {
  readonly toBytes: (value: Value) => Uint8Array;
  /** Returns undefined when the text is invalid. */
  readonly fromText: (text: string) => Value | undefined;
}

/** Returns the format of a slice that is saved as JSON. Sorted maps and sets convert themselves. */
export function savedJson<Value>(
  decode: Decoder<Value>,
  toJson: (value: Value) => unknown = (value) => value,
): SavedFormat<Value> {
  return {
    toBytes: (value) => Buffer.from(JSON.stringify(toJson(value))),
    fromText: (text) => decode(parsedJson(text)),
  };
}

type Checks<T> = {readonly [K in keyof T]?: FieldCheck};

/** Returns the format of a slice that is one object. */
export function savedObject<Value extends object>(checks: Checks<NoInfer<Value>> = {}): SavedFormat<Value> {
  return savedJson(objectDecoder<Value>(checks));
}

/** Returns the format of a map of objects, by the checks of its values. */
export function savedMap<K extends number | string, V extends object>(
  key: K extends number ? 'number' : 'string',
  checks: Checks<NoInfer<V>> = {},
): SavedFormat<SortedMap<K, V>> {
  return savedJson(mapDecoder(key, objectDecoder<V>(checks)));
}

/** Returns the format of a list of objects, by the checks of its items. */
export function savedList<T extends object>(checks: Checks<NoInfer<T>>): SavedFormat<readonly T[]> {
  return savedJson(listDecoder(objectDecoder<T>(checks)));
}

export const savedNumberSet: SavedFormat<SortedSet<number>> = savedJson(numberSetDecoder);

import {decode, type Schema, type s} from './schema.ts';

type Table = Readonly<Record<string, s.GenericSchema>>;
export type Patch<T extends Table> = {[K in keyof T]?: s.InferOutput<T[K]> | undefined};

/**
 * `{property, value}` of an update event → a checked patch of the object it speaks of.
 * Undefined when we do not know the property, or the value is not of its type.
 */
export function patchOf<T extends Table>(fields: T, property: string, value: unknown): Patch<T> | undefined {
  if (!Object.hasOwn(fields, property)) return undefined;
  const decoded = decode(fields[property] as Schema, value);
  return decoded.ok ? ({[property]: decoded.value} as Patch<T>) : undefined;
}

import {decode, type Schema, type s} from './schema.ts';

type FieldSchemas = Readonly<Record<string, s.GenericSchema>>;
export type FieldPatch<T extends FieldSchemas> = {[K in keyof T]?: s.InferOutput<T[K]> | undefined};

/**
 * `{property, value}` of an update event → a checked patch of the object it speaks of.
 * Undefined when we do not know the property, or the value is not of its type.
 */
export function propertyPatch<T extends FieldSchemas>(
  fields: T,
  property: string,
  value: unknown,
): FieldPatch<T> | undefined {
  if (!Object.hasOwn(fields, property)) return undefined;
  const decoded = decode(fields[property] as Schema, value);
  return decoded.ok ? ({[property]: decoded.value} as FieldPatch<T>) : undefined;
}

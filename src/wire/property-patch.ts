import {decode, type Schema, type s} from './schema.ts';

type FieldSchemas = Readonly<Record<string, s.GenericSchema>>;
export type FieldPatch<T extends FieldSchemas> = {[K in keyof T]?: s.InferOutput<T[K]> | undefined};

/**
 * Returns the `{property, value}` of an update event as a checked patch; undefined when the property is unknown or the value
 * has the wrong type.
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

/**
 * The only file that imports valibot. Other files of `wire/` use `s.object(…)`.
 *
 * All objects are loose: a newer server may add fields, and an unknown field is never an error.
 */
export * as s from 'valibot';

import * as v from 'valibot';

export type Schema<T = unknown> = v.GenericSchema<unknown, T>;
export type Infer<S extends v.GenericSchema<unknown, unknown>> = v.InferOutput<S>;

export const int = v.pipe(v.number(), v.safeInteger());
export const nat = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** A time in UNIX seconds. */
export const timestamp = int;

type SchemaEntries = Record<string, v.GenericSchema>;
type Merged<R extends SchemaEntries, O extends SchemaEntries> = {
  [K in keyof R | keyof O]: K extends keyof R ? R[K] : K extends keyof O ? v.OptionalSchema<O[K], undefined> : never;
};

export type ObjectOf<R extends SchemaEntries, O extends SchemaEntries = Record<never, never>> = v.ObjectSchema<
  Merged<R, O>,
  undefined
>;

/**
 * Returns the schema of an object with required and optional fields (absent or undefined).
 *
 * It is loose at run time but exact in types: an unknown field stays, but reading a misspelt one does not compile.
 */
export function object<R extends SchemaEntries, O extends SchemaEntries = Record<never, never>>(
  required: R,
  optional?: O,
): ObjectOf<R, O> {
  const entries: v.ObjectEntries = {};
  for (const [key, schema] of Object.entries(optional ?? {})) entries[key] = v.optional(schema);
  return v.looseObject(Object.assign(entries, required)) as unknown as ObjectOf<R, O>;
}

/** A set of strings that a newer server may extend: any string is valid, editors suggest the known ones. */
export function openEnum<const T extends readonly string[]>(..._known: T) {
  return v.string() as Schema<string> as v.GenericSchema<T[number] | (string & {})>;
}

/** A set of numeric codes that a newer server may extend. */
export function openIntEnum<const T extends readonly number[]>(..._known: T) {
  return int as Schema<number> as v.GenericSchema<T[number] | (number & {})>;
}

/** An object keyed by ids, which are strings in JSON. */
export function byId<T>(value: Schema<T>) {
  return v.record(v.string(), value);
}

/** A list whose positions have a meaning, so `decodeTolerantly` must not drop single elements. */
export function wholeArray<T>(item: Schema<T>) {
  return v.pipe(v.array(item), v.minLength(0));
}

export const ints = v.array(int);
export const strings = v.array(v.string());
export const nullableInt = v.nullable(int);
export const nullableText = v.nullable(v.string());

export type DecodeResult<T> = {ok: true; value: T} | {ok: false; reason: string};

/** Validates a value from outside; the reason for a failure is one line. */
export function decode<T>(schema: Schema<T>, input: unknown): DecodeResult<T> {
  const result = v.safeParse(schema, input, {abortEarly: true});
  if (result.success) return {ok: true, value: result.output};
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  return {ok: false, reason: path === null ? issue.message : `${path}: ${issue.message}`};
}

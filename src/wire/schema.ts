/**
 * The one importer of the validator. Schemas elsewhere in `wire/` read `s.object(…)`.
 *
 * Objects are loose everywhere: a newer server may add fields, and an unknown field is never an error.
 */
export * as s from 'valibot';

import * as v from 'valibot';

export type Schema<T = unknown> = v.GenericSchema<unknown, T>;
export type Infer<S extends v.GenericSchema<unknown, unknown>> = v.InferOutput<S>;

export const int = v.pipe(v.number(), v.safeInteger());
export const nat = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** UNIX seconds. */
export const timestamp = int;

type SchemaEntries = Record<string, v.GenericSchema>;
type Merged<R extends SchemaEntries, O extends SchemaEntries> = {
  [K in keyof R | keyof O]: K extends keyof R
    ? R[K]
    : K extends keyof O
      ? v.OptionalSchema<O[K], undefined>
      : never;
};

export type ObjectOf<
  R extends SchemaEntries,
  O extends SchemaEntries = Record<never, never>,
> = v.ObjectSchema<Merged<R, O>, undefined>;

/**
 * An object by its always-present fields and its optional ones (absent or undefined, both).
 *
 * Loose at run time, exact in types: a field we do not know is kept, but reading a misspelt one does not compile.
 */
export function object<R extends SchemaEntries, O extends SchemaEntries = Record<never, never>>(
  required: R,
  optional?: O,
): ObjectOf<R, O> {
  const entries: v.ObjectEntries = {};
  for (const [key, schema] of Object.entries(optional ?? {})) entries[key] = v.optional(schema);
  return v.looseObject(Object.assign(entries, required)) as unknown as ObjectOf<R, O>;
}

/** A known set of words that a newer server may extend: any string passes, editors offer the known ones. */
export function openEnum<const T extends readonly string[]>(..._known: T) {
  return v.string() as Schema<string> as v.GenericSchema<T[number] | (string & {})>;
}

/** A known set of numeric codes that a newer server may extend. */
export function openIntEnum<const T extends readonly number[]>(..._known: T) {
  return int as Schema<number> as v.GenericSchema<T[number] | (number & {})>;
}

/** JSON objects keyed by an id are keyed by text. */
export function byId<T>(value: Schema<T>) {
  return v.record(v.string(), value);
}

/** A list in which the place means something: it is taken as a whole or not at all, see `tolerant.ts`. */
export function wholeArray<T>(item: Schema<T>) {
  return v.pipe(v.array(item), v.minLength(0));
}

export const ints = v.array(int);
export const strings = v.array(v.string());
export const nullableInt = v.nullable(int);
export const nullableText = v.nullable(v.string());

export type DecodeResult<T> = {ok: true; value: T} | {ok: false; reason: string};

/** Checks a value that came from outside, and says in one line what is wrong with it. */
export function decode<T>(schema: Schema<T>, input: unknown): DecodeResult<T> {
  const result = v.safeParse(schema, input, {abortEarly: true});
  if (result.success) return {ok: true, value: result.output};
  const issue = result.issues[0];
  const path = v.getDotPath(issue);
  return {ok: false, reason: path === null ? issue.message : `${path}: ${issue.message}`};
}

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

type ObjectOf<R extends SchemaEntries, O extends SchemaEntries = Record<never, never>> = v.ObjectSchema<
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

/** Returns fields of one type, by the names of a table. */
export function fieldsOf<K extends string, S extends v.GenericSchema>(names: Readonly<Record<K, unknown>>, schema: S) {
  return Object.fromEntries(Object.keys(names).map((name) => [name, schema])) as Record<K, S>;
}

/** An object keyed by ids, which are strings in JSON. */
export function byId<T>(value: Schema<T>) {
  return v.record(v.string(), value);
}

/** An object that the server's sentences about a wrong value call by the name of its type. */
export function namedObject<R extends SchemaEntries, O extends SchemaEntries = Record<never, never>>(
  typeName: string,
  required: R,
  optional?: O,
): ObjectOf<R, O> {
  const schema = object(required, optional);
  const message = `Invalid {at}: Input should be a valid dictionary or instance of ${typeName}`;
  return {...schema, message} as unknown as ObjectOf<R, O>;
}

/** A text of limited length, in characters. */
export function textUpTo(limit: number) {
  const fits = (text: string) => text.length <= limit || Array.from(text).length <= limit;
  return v.pipe(v.string(), v.check(fits, `{at} is too long (limit: ${limit} characters)`));
}

/** A list whose positions have a meaning, so `decodeTolerantly` must not drop single elements. */
export function wholeArray<T>(item: Schema<T>) {
  return v.pipe(v.array(item), v.minLength(0));
}

export const ints = v.array(int);
export const strings = v.array(v.string());
export const nullableInt = v.nullable(int);
export const nullableText = v.nullable(v.string());

/** Why a value does not match its schema. */
export interface Mismatch {
  /** The kind of the schema or check that failed, as the validator calls it: `number`, `safe_integer`, `union`. */
  readonly kind: string;
  /** The names and positions from the value to the part that does not match. */
  readonly path: readonly (string | number)[];
  /** The limit of a check that has one. */
  readonly limit: unknown;
  /** The part is missing in its object. */
  readonly isMissing: boolean;
  /**
   * The validator's sentence, or that of the schema; there `{at}` stands for the part, `{name}` for the parameter and
   * `{path}` for the way from it to the part.
   */
  readonly message: string;
}

export type DecodeResult<T, F = {reason: string}> = {ok: true; value: T} | ({ok: false} & F);
export type CheckResult<T> = DecodeResult<T, {reason: string; mismatch: Mismatch}>;

/** Validates a value from outside; the reason for a failure is one line. */
export function decode<T>(schema: Schema<T>, input: unknown): CheckResult<T> {
  const result = v.safeParse(schema, input, {abortEarly: true});
  if (result.success) return {ok: true, value: result.output};
  const {type, message, requirement, path, expected, ...issue} = result.issues[0];
  const dotPath = v.getDotPath(result.issues[0]);
  const isMissing = issue.received === 'undefined' && expected?.startsWith('"') === true;
  // The validator takes a list for an object without the required fields.
  const isList = isMissing && Array.isArray(path?.at(-1)?.input);
  const mismatch: Mismatch = {
    kind: type,
    path: (isList ? (path?.slice(0, -1) ?? []) : (path ?? [])).map(({key}) =>
      typeof key === 'number' ? key : String(key),
    ),
    limit: requirement,
    isMissing: isMissing && !isList,
    message,
  };
  return {ok: false, reason: dotPath === null ? message : `${dotPath}: ${message}`, mismatch};
}

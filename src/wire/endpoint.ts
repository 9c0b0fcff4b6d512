import {parseJson} from '#std/parse-json.ts';
import {type CheckResult, decode, int, type Schema, s, textUpTo} from './schema.ts';

/**
 * The encoding of a parameter: `raw` is the text itself, `json` is JSON text, `loose` is JSON if it parses and else the text
 * itself, `quoted` is sent as JSON and read like `loose`, `path` is a segment of the URL.
 */
export type Encoding = 'raw' | 'json' | 'loose' | 'quoted' | 'path';
type ParamPresence = 'required' | 'optional' | 'default';

export interface Param<T = unknown, P extends ParamPresence = ParamPresence> {
  readonly encoding: Encoding;
  readonly schema: Schema<T>;
  readonly presence: P;
  readonly fallback?: T;
  /** The feature level that introduced the parameter; older servers ignore it. */
  readonly since: number;
  /** The feature level that removed the parameter. */
  readonly until?: number;
  /** Older names that servers still accept. */
  readonly aliases: readonly string[];
  /** Set on path parameters that are numbers: the route matches digits only. */
  readonly digits: boolean;
  /** Set on the last path parameter when it is the rest of the path, including slashes. */
  readonly rest: boolean;
}

type RequiredParam<T> = Param<T, 'required'>;

function param<T>(encoding: Encoding, schema: Schema<T>, digits = false): RequiredParam<T> {
  return {encoding, schema, presence: 'required', since: 0, aliases: [], digits, rest: false};
}

export const raw = <T>(schema: Schema<T>) => param('raw', schema);
export const json = <T>(schema: Schema<T>) => param('json', schema);
export const loose = <T>(schema: Schema<T>) => param('loose', schema);
export const quoted = <T>(schema: Schema<T>) => param('quoted', schema);
export const text = raw(s.string());
export const limitedText = (limit: number) => raw(textUpTo(limit));
export const flag = json(s.boolean());
export const number = json(int);
export const ids = json(s.array(int));
/** The route matches digits only; a number that is too large is an unknown id. */
const largeId = s.transform((digits: string) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER));
const pathId = param('path', s.pipe(s.string(), largeId, int), true);
const pathText = param('path', s.string());
export const pathRest = {...pathText, rest: true};

export function optional<T>(spec: RequiredParam<T>): Param<T, 'optional'> {
  return {...spec, presence: 'optional'};
}

export function fallback<T>(spec: RequiredParam<T>, value: NoInfer<T>): Param<T, 'default'> {
  return {...spec, presence: 'default', fallback: value};
}

export function since<P extends Param>(level: number, spec: P): P {
  return {...spec, since: level};
}

export function until<P extends Param>(level: number, spec: P): P {
  return {...spec, until: level};
}

export function alias<P extends Param>(spec: P, ...names: string[]): P {
  return {...spec, aliases: names};
}

/** Returns optional parameters of one type, with the feature level that introduced each. */
export function optionalParams<K extends string, T>(
  levelByName: Readonly<Record<K, number>>,
  schema: Schema<T>,
): Record<K, Param<T, 'optional'>> {
  const params = Object.entries<number>(levelByName).map(([name, level]) => [
    name,
    since(level, optional(json(schema))),
  ]);
  return Object.fromEntries(params) as Record<K, Param<T, 'optional'>>;
}

// biome-ignore lint/suspicious/noExplicitAny: the value types of a table's params differ; only `any` accepts them all
export type ParamTable = Readonly<Record<string, Param<any, any>>>;

type ParamValue<P> = P extends Param<infer T, infer _> ? T : never;
type KeysWith<T extends ParamTable, P extends ParamPresence> = {
  [K in keyof T]: T[K] extends Param<infer _, infer Q> ? (Q extends P ? K : never) : never;
}[keyof T];

/** The arguments that a caller passes; those with defaults are optional. */
export type ParamsIn<T extends ParamTable> = {
  [K in KeysWith<T, 'required'>]: ParamValue<T[K]>;
} & {
  [K in KeysWith<T, 'optional' | 'default'>]?: ParamValue<T[K]> | undefined;
};

/** The arguments that a server's handler receives, with defaults filled in. */
type ParamsOut<T extends ParamTable> = {
  [K in KeysWith<T, 'required' | 'default'>]: ParamValue<T[K]>;
} & {
  [K in KeysWith<T, 'optional'>]: ParamValue<T[K]> | undefined;
};

type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Endpoint<P extends ParamTable = ParamTable, R = unknown> {
  /** `noun.verb`, unique in the table. */
  readonly id: string;
  readonly method: HttpMethod;
  /** The path below `/api/v1`, with path parameters in braces. */
  readonly path: string;
  /**
   * `user`: needs credentials. `none`: public. `optional`: public, but returns more to a logged-in user. `key`: the URL has
   * the API key.
   */
  readonly auth: 'user' | 'none' | 'optional' | 'key';
  /** The feature level that introduced the endpoint; older servers return 404. */
  readonly since: number;
  /** The feature level that removed the endpoint. */
  readonly until?: number | undefined;
  readonly params: P;
  /** The fields of a successful response besides `result` and `msg`. */
  readonly result: Schema<R>;
  /** The body is multipart with one file part. */
  readonly upload: boolean;
}

type Nothing = Record<never, never>;

/** The names in braces of a path. */
type PathNames<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;
/** The parameters in the path of a route: names that end in `_id` are numbers. */
type PathParams<T extends string> = {
  readonly [Name in PathNames<T>]: RequiredParam<Name extends `${string}_id` ? number : string>;
};

/** Describes an endpoint. The parameters of its path need no description, unless one is the rest of the path. */
export function endpoint<T extends `${HttpMethod} /${string}`, P extends ParamTable = Nothing, R = Nothing>(
  id: string,
  route: T,
  spec: {
    params?: P;
    result?: Schema<R>;
    auth?: Endpoint['auth'];
    since?: number;
    until?: number;
    upload?: boolean;
  } = {},
): Endpoint<PathParams<T> & P, R> {
  const space = route.indexOf(' ');
  const path = route.slice(space + 1);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParams = Object.fromEntries(names.map((name) => [name, name.endsWith('_id') ? pathId : pathText]));
  return {
    id,
    method: route.slice(0, space) as HttpMethod,
    path,
    auth: spec.auth ?? 'user',
    since: spec.since ?? 0,
    until: spec.until,
    params: {...pathParams, ...spec.params} as PathParams<T> & P,
    result: spec.result ?? (emptyResult as unknown as Schema<R>),
    upload: spec.upload ?? false,
  };
}

/** A response without fields of its own. */
const emptyResult = s.looseObject({});

export type ParamsOf<E> = E extends Endpoint<infer P, infer _> ? ParamsOut<P> : never;
export type ArgsOf<E> = E extends Endpoint<infer P, infer _> ? ParamsIn<P> : never;
export type ResultOf<E> = E extends Endpoint<infer _, infer R> ? R : never;

/** Returns the arguments of a request that passes none of those that may be left out. */
export function defaultsOf<P extends ParamTable>(
  endpoint: Endpoint<P>,
): {[K in KeysWith<P, 'default'>]: ParamValue<P[K]>} & {[K in KeysWith<P, 'optional'>]: ParamValue<P[K]> | undefined} {
  const entries = Object.entries(endpoint.params).filter(([, {presence}]) => presence !== 'required');
  return Object.fromEntries(entries.map(([name, {fallback: value}]) => [name, value])) as never;
}

/** The start of any JSON text. Most loose texts are names, and a failed parse costs more than the rest of a request. */
const looksLikeJson = /^\s*(?:[[{"\d-]|true\s*$|false\s*$|null\s*$)/;

type ParamResult<T> = (CheckResult<T> & {malformed?: false}) | {ok: false; malformed: true};

/** Decodes the text of a form field. `malformed` distinguishes invalid JSON from a value of the wrong type. */
export function decodeParam<T>(spec: Param<T>, value: string): ParamResult<T> {
  if (spec.encoding === 'raw' || spec.encoding === 'path') return decode(spec.schema, value);
  if (spec.encoding !== 'json' && !looksLikeJson.test(value)) return decode(spec.schema, value);
  let parsed: unknown;
  try {
    parsed = parseJson(value);
  } catch {
    if (spec.encoding === 'json') return {ok: false, malformed: true};
    return decode(spec.schema, value);
  }
  // The validator takes a list for an object.
  if (Array.isArray(parsed) && /object|record/.test(spec.schema.type)) return decode(spec.schema, null);
  if (spec.encoding === 'json')
    return decode(spec.schema, typeof parsed === 'number' ? integerOf(value, parsed) : parsed);
  const decoded = decode(spec.schema, typeof parsed === 'number' ? looseNumber(value, parsed) : parsed);
  if (decoded.ok) return decoded;
  // `loose` text such as a channel named "2024" or "true" is valid JSON of the wrong type.
  const asText = decode(spec.schema, value);
  return asText.ok ? asText : decoded;
}

/** As `integerOf`, but for `loose` texts integers have a limit. */
function looseNumber(text: string, parsed: number): number {
  return Number.isSafeInteger(parsed) ? integerOf(text, parsed) : Number.NaN;
}

/** Returns the number for which Zulip's servers take a text: `1e2` and `1.0` are not integers, and integers have no limit. */
function integerOf(text: string, parsed: number): number {
  if (!/^\s*-?\d+\s*$/.test(text)) return Number.isInteger(parsed) ? Number.NaN : parsed;
  return Math.max(Math.min(parsed, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

/** Encodes a value as the text of a form field. */
export function encodeParam(spec: Param, value: unknown): string {
  if (spec.encoding === 'json' || spec.encoding === 'quoted') return JSON.stringify(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  // A `loose` text that would be decoded as something else (a channel named "2024") must be quoted.
  if (spec.encoding === 'loose') {
    const read = decodeParam(spec, value);
    if (read.ok && read.value !== value) return JSON.stringify(value);
  }
  return value;
}

import {memoByObject} from '#std/memo.ts';
import {isRecord} from '#std/parse-json.ts';
import {type DecodeResult, decode, type Schema} from './schema.ts';

/**
 * Decodes responses and events with the usual schemas, but drops only the parts that do not match.
 *
 * - An element of a list, or an entry of a table, that does not match is dropped.
 * - An optional field that does not match is dropped; null counts as absent where the schema does not allow null.
 * - A required field that does not match drops its object, up to the next list, table or optional field.
 * - Numbers and numeric strings are converted to each other; where integers are expected, fractions are cut off.
 *
 * Values that match are returned without copying, in a third of the time of strict validation.
 */
export function decodeTolerantly<T>(schema: Schema<T>, input: unknown): DecodeResult<T> & {issues: DecodeIssues} {
  const issues = new DecodeIssues();
  const value = readerOf(schema as unknown as SchemaShape)(input, issues); // Reads the schema's internals, see `SchemaShape`.
  if (value !== mismatch) return {ok: true, value: value as T, issues};
  return {ok: false, reason: issueText(issues.lastIssue), issues};
}

export function issueText({path, reason}: DecodeIssue): string {
  return path === '' ? reason : `${path}: ${reason}`;
}

/** The parts of a valibot schema's internals that the decoder reads. */
interface SchemaShape {
  readonly type: string;
  readonly pipe?: readonly {readonly type: string; readonly requirement?: unknown}[];
  readonly entries?: Readonly<Record<string, SchemaShape>>;
  readonly item?: SchemaShape;
  readonly value?: SchemaShape;
  readonly wrapped?: SchemaShape;
  readonly options?: readonly SchemaShape[];
  readonly key?: unknown;
  readonly literal?: unknown;
}

const mismatch = Symbol('mismatch');
/** Returns the value (the same one if nothing changed), or `mismatch` after setting the last issue. */
type ValueReader = (value: unknown, issues: DecodeIssues) => unknown;

/** Returns the reader of a schema, which is built once, on first use. */
const readerOf = memoByObject((shape: SchemaShape): ValueReader => {
  const {type, pipe, entries, item, value, wrapped, options} = shape;
  if (type === 'number' && pipe?.every(({type: step}) => knownSteps.has(step))) return integerReader(pipe);
  if (pipe !== undefined) return strictReader(shape);
  if (type === 'loose_object' && entries !== undefined) return objectReader(entries);
  if (type === 'array' && item !== undefined) return arrayReader(readerOf(item));
  if (type === 'record' && value !== undefined) return tableReader(readerOf(value));
  if (type === 'variant' && options !== undefined) return variantReader(String(shape.key), options);
  if (type === 'union' && options !== undefined) return unionReader(options.map(readerOf));
  if ((type === 'nullable' || type === 'optional') && wrapped !== undefined) {
    return optionalReader(type === 'nullable' ? null : undefined, readerOf(wrapped));
  }
  return plainReaders[type] ?? strictReader(shape);
});

function failed(issues: DecodeIssues, expected: string, value: unknown): typeof mismatch {
  issues.setLastIssue(`expected ${expected}, got ${kindOf(value)}`);
  return mismatch;
}

/** Returns the kind of a value. Never the value itself, which may be private. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

const plainReaders: Readonly<Record<string, ValueReader>> = {
  unknown: (value) => value,
  string: (value, issues) => {
    if (typeof value === 'string') return value;
    return Number.isSafeInteger(value) ? String(value) : failed(issues, 'a text', value);
  },
  boolean: (value, issues) => (typeof value === 'boolean' ? value : failed(issues, 'true or false', value)),
  number: (value, issues) => {
    if (typeof value === 'number') return value;
    return isDigits(value) ? Number(value) : failed(issues, 'a number', value);
  },
};

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value);
}

const knownSteps = new Set(['number', 'safe_integer', 'min_value']);

function integerReader(pipe: NonNullable<SchemaShape['pipe']>): ValueReader {
  const minimum = Number(pipe.find(({type}) => type === 'min_value')?.requirement ?? Number.NEGATIVE_INFINITY);
  return (value, issues) => {
    if (Number.isSafeInteger(value) && Number(value) >= minimum) return value;
    const whole = typeof value === 'number' || isDigits(value) ? Math.floor(Number(value)) : Number.NaN;
    return Number.isSafeInteger(whole) && whole >= minimum ? whole : failed(issues, 'a whole number', value);
  };
}

function optionalReader(nothing: null | undefined, read: ValueReader): ValueReader {
  return (value, issues) => (value === nothing ? value : read(value, issues));
}

/** Returns a reader for the few schemas that cannot match in part. */
function strictReader(shape: SchemaShape): ValueReader {
  const schema = shape as unknown as Schema; // The shape is a schema.
  return (value, issues) => {
    const decoded = decode(schema, value);
    if (decoded.ok) return decoded.value;
    issues.setLastIssue(decoded.reason);
    return mismatch;
  };
}

type Fields = Record<string, unknown>;

interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  readonly read: ValueReader;
}

function objectReader(entries: Readonly<Record<string, SchemaShape>>): ValueReader {
  const fields = Object.entries(entries).map(([name, shape]): Field => {
    const isOptional = shape.type === 'optional';
    return {name, isOptional, read: readerOf((isOptional ? shape.wrapped : undefined) ?? shape)};
  });
  return (value, issues) => {
    if (!isRecord(value)) return failed(issues, 'an object', value);
    let result = withoutPrototype(value);
    for (const {name, isOptional, read} of fields) {
      const fieldValue = value[name];
      if (fieldValue === undefined && isOptional) continue;
      const before = issues.count;
      const decoded = fieldValue === undefined ? failed(issues, 'something', fieldValue) : read(fieldValue, issues);
      if (decoded === fieldValue) continue;
      if (decoded === mismatch && !isOptional) {
        issues.prefixLastIssue(name);
        return mismatch;
      }
      if (result === value) result = {...value};
      if (decoded === mismatch && fieldValue === null) delete result[name];
      else replaceField(result, name, decoded, before, issues);
    }
    return result;
  };
}

/** Replaces a field by what was read of it, or drops it. */
function replaceField(result: Fields, name: string, decoded: unknown, before: number, issues: DecodeIssues): void {
  if (decoded === mismatch) {
    delete result[name];
    issues.recordDropped(name);
  } else {
    issues.prefixRecorded(before, name);
    result[name] = decoded;
  }
}

/** Removes a `__proto__` key, which would become the prototype of a copy of the object. */
function withoutPrototype(value: Fields): Fields {
  if (!Object.hasOwn(value, '__proto__')) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
}

function arrayReader(read: ValueReader): ValueReader {
  return (value, issues) => {
    if (!Array.isArray(value)) return failed(issues, 'a list', value);
    let result: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const before = issues.count;
      const decoded = read(value[i], issues);
      if (decoded === value[i]) {
        result?.push(decoded);
        continue;
      }
      result ??= value.slice(0, i);
      if (decoded === mismatch) issues.recordDropped(i);
      else {
        result.push(decoded);
        issues.prefixRecorded(before, i);
      }
    }
    return result ?? value;
  };
}

function tableReader(read: ValueReader): ValueReader {
  return (value, issues) => {
    if (!isRecord(value)) return failed(issues, 'an object', value);
    let result = withoutPrototype(value);
    for (const [name, fieldValue] of Object.entries(result)) {
      const before = issues.count;
      const decoded = read(fieldValue, issues);
      if (decoded === fieldValue) continue;
      if (result === value) result = {...value};
      replaceField(result, name, decoded, before, issues);
    }
    return result;
  };
}

function variantReader(key: string, options: readonly SchemaShape[]): ValueReader {
  const readerByLiteral = new Map(options.map((option) => [option.entries?.[key]?.literal, readerOf(option)]));
  return (value, issues) => {
    if (!isRecord(value)) return failed(issues, 'an object', value);
    const read = readerByLiteral.get(value[key]);
    if (read !== undefined) return read(value, issues);
    issues.setLastIssue(`expected one of ${[...readerByLiteral.keys()].join(', ')}`);
    issues.prefixLastIssue(key);
    return mismatch;
  };
}

/** Returns a reader that uses the first option that matches completely, or else the one that drops the least. */
function unionReader(options: readonly ValueReader[]): ValueReader {
  return (value, issues) => {
    let best: ValueReader | undefined;
    let minimum = Number.POSITIVE_INFINITY;
    for (const read of options) {
      const trial = new DecodeIssues();
      const decoded = read(value, trial);
      if (decoded === mismatch) continue;
      if (trial.count === 0) return decoded;
      if (trial.count < minimum) {
        best = read;
        minimum = trial.count;
      }
    }
    return best === undefined ? failed(issues, 'something else', value) : best(value, issues);
  };
}

/** A part of a value from outside that did not match its schema and was dropped. */
export interface DecodeIssue {
  /** The path of the part, such as `realm_users[17].role`. */
  readonly path: string;
  readonly reason: string;
}

/** Further issues are only counted: a server that gets a list wrong repeats the error for every element. */
const maxRecorded = 20;

/** Collects issues from the inside out: each enclosing object or list prefixes its name to the paths. */
export class DecodeIssues {
  readonly #recorded: {path: string; reason: string}[] = [];
  #count = 0;
  #lastIssue = {path: '', reason: ''};

  get count(): number {
    return this.#count;
  }

  get recorded(): readonly DecodeIssue[] {
    return this.#recorded;
  }

  /** The last mismatch, before it is recorded as a dropped part. */
  get lastIssue(): DecodeIssue {
    return this.#lastIssue;
  }

  setLastIssue(reason: string): void {
    this.#lastIssue = {path: '', reason};
  }

  /** Extends the last issue to the enclosing part with this name. */
  prefixLastIssue(name: string | number): void {
    this.#lastIssue.path = joinPath(name, this.#lastIssue.path);
  }

  /** Records that the part with this name was dropped because of the last issue. */
  recordDropped(name: string | number): void {
    this.#count += 1;
    if (this.#recorded.length >= maxRecorded) return;
    const {path, reason} = this.#lastIssue;
    this.#recorded.push({path: joinPath(name, path), reason});
  }

  /** Prefixes this name to the paths of all issues recorded since the count was `since`. */
  prefixRecorded(since: number, name: string | number): void {
    for (let i = since; i < this.#recorded.length; i++) {
      const issue = this.#recorded[i];
      if (issue !== undefined) issue.path = joinPath(name, issue.path);
    }
  }
}

function joinPath(name: string | number, rest: string): string {
  const segment = typeof name === 'number' ? `[${name}]` : name;
  return rest === '' || rest.startsWith('[') ? segment + rest : `${segment}.${rest}`;
}

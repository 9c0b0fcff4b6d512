import {type DecodeIssue, DecodeIssues} from './decode-issues.ts';
import {type DecodeResult, decode, type Schema} from './schema.ts';

/**
 * How answers and events are read: by the same schemas as everything else, but one odd record costs itself and no more.
 *
 * - An element of a list, or an entry of a table, that does not fit is left out.
 * - An optional field that does not fit is left out; null, where a schema knows no null, is the same as absent.
 * - A required field that does not fit takes the object it is in with it, up to the next list, table or optional field.
 * - Numbers and their text are taken for each other, and where whole numbers are expected fractions are cut off.
 *
 * What fits is given back as it is, not copied, for a third of what checking it the strict way costs.
 */
export function decodeTolerantly<T>(
  schema: Schema<T>,
  input: unknown,
): DecodeResult<T> & {odd: DecodeIssues} {
  const odd = new DecodeIssues();
  const value = readerOf(schema as unknown as SchemaShape)(input, odd); // The schema is looked into, see `Shape`.
  if (value !== misfit) return {ok: true, value: value as T, odd};
  return {ok: false, reason: issueText(odd.lastIssue), odd};
}

export function issueText({path, reason}: DecodeIssue): string {
  return path === '' ? reason : `${path}: ${reason}`;
}

/** What the validator's schemas are made of, as far as we look into them. */
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

const misfit = Symbol('misfit');
/** Gives the value back, the same one if nothing had to be changed, or `misfit` after saying why. */
type ValueReader = (value: unknown, odd: DecodeIssues) => unknown;

const readers = new WeakMap<SchemaShape, ValueReader>();

/** Built once per schema, when it is first needed. */
function readerOf(shape: SchemaShape): ValueReader {
  let reader = readers.get(shape);
  if (reader === undefined) {
    reader = makeReader(shape);
    readers.set(shape, reader);
  }
  return reader;
}

function makeReader(shape: SchemaShape): ValueReader {
  const {type, pipe, entries, item, value, wrapped, options} = shape;
  if (type === 'number' && pipe?.every(({type: step}) => knownSteps.has(step))) return wholeNumber(pipe);
  if (pipe !== undefined) return strictly(shape);
  if (type === 'loose_object' && entries !== undefined) return objectReader(entries);
  if (type === 'array' && item !== undefined) return arrayReader(readerOf(item));
  if (type === 'record' && value !== undefined) return tableReader(readerOf(value));
  if (type === 'variant' && options !== undefined) return variantReader(String(shape.key), options);
  if (type === 'union' && options !== undefined) return unionReader(options.map(readerOf));
  if ((type === 'nullable' || type === 'optional') && wrapped !== undefined) {
    return nothingOr(type === 'nullable' ? null : undefined, readerOf(wrapped));
  }
  return plainReaders[type] ?? strictly(shape);
}

function failed(odd: DecodeIssues, expected: string, value: unknown): typeof misfit {
  odd.setLastIssue(`expected ${expected}, got ${kindOf(value)}`);
  return misfit;
}

/** Never the value itself: it may be somebody's letter. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

const plainReaders: Readonly<Record<string, ValueReader>> = {
  unknown: (value) => value,
  string: (value, odd) => {
    if (typeof value === 'string') return value;
    return Number.isSafeInteger(value) ? String(value) : failed(odd, 'a text', value);
  },
  boolean: (value, odd) => (typeof value === 'boolean' ? value : failed(odd, 'true or false', value)),
  number: (value, odd) => {
    if (typeof value === 'number') return value;
    return isDigits(value) ? Number(value) : failed(odd, 'a number', value);
  },
};

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value);
}

const knownSteps = new Set(['number', 'safe_integer', 'min_value']);

function wholeNumber(pipe: NonNullable<SchemaShape['pipe']>): ValueReader {
  const least = Number(pipe.find(({type}) => type === 'min_value')?.requirement ?? Number.NEGATIVE_INFINITY);
  return (value, odd) => {
    if (Number.isSafeInteger(value) && Number(value) >= least) return value;
    const whole = typeof value === 'number' || isDigits(value) ? Math.floor(Number(value)) : Number.NaN;
    return Number.isSafeInteger(whole) && whole >= least ? whole : failed(odd, 'a whole number', value);
  };
}

function nothingOr(nothing: null | undefined, read: ValueReader): ValueReader {
  return (value, odd) => (value === nothing ? value : read(value, odd));
}

/** For the few shapes that are all or nothing. */
function strictly(shape: SchemaShape): ValueReader {
  const schema = shape as unknown as Schema; // It came from one.
  return (value, odd) => {
    const decoded = decode(schema, value);
    if (decoded.ok) return decoded.value;
    odd.setLastIssue(decoded.reason);
    return misfit;
  };
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
  return (value, odd) => {
    if (!isObject(value)) return failed(odd, 'an object', value);
    let result = withoutPrototype(value);
    for (const {name, isOptional, read} of fields) {
      const given = value[name];
      if (given === undefined && isOptional) continue;
      const before = odd.count;
      const taken = given === undefined ? failed(odd, 'something', given) : read(given, odd);
      if (taken === given) continue;
      if (taken === misfit && !isOptional) {
        odd.prefixLastIssue(name);
        return misfit;
      }
      if (result === value) result = {...value};
      if (taken === misfit) {
        delete result[name];
        if (given !== null) odd.recordDropped(name);
      } else {
        odd.prefixRecorded(before, name);
        result[name] = taken;
      }
    }
    return result;
  };
}

/** A key that would become the prototype of whatever the object is copied to. */
function withoutPrototype(value: Fields): Fields {
  if (!Object.hasOwn(value, '__proto__')) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== '__proto__'));
}

function arrayReader(read: ValueReader): ValueReader {
  return (value, odd) => {
    if (!Array.isArray(value)) return failed(odd, 'a list', value);
    let result: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const before = odd.count;
      const taken = read(value[i], odd);
      if (taken === value[i]) {
        result?.push(taken);
        continue;
      }
      result ??= value.slice(0, i);
      if (taken === misfit) odd.recordDropped(i);
      else result.push(taken);
      if (taken !== misfit) odd.prefixRecorded(before, i);
    }
    return result ?? value;
  };
}

function tableReader(read: ValueReader): ValueReader {
  return (value, odd) => {
    if (!isObject(value)) return failed(odd, 'an object', value);
    let result = withoutPrototype(value);
    for (const [name, given] of Object.entries(result)) {
      const before = odd.count;
      const taken = read(given, odd);
      if (taken === given) continue;
      if (result === value) result = {...value};
      if (taken === misfit) {
        delete result[name];
        odd.recordDropped(name);
      } else {
        odd.prefixRecorded(before, name);
        result[name] = taken;
      }
    }
    return result;
  };
}

function variantReader(key: string, options: readonly SchemaShape[]): ValueReader {
  const byWord = new Map(options.map((option) => [option.entries?.[key]?.literal, readerOf(option)]));
  return (value, odd) => {
    if (!isObject(value)) return failed(odd, 'an object', value);
    const read = byWord.get(value[key]);
    if (read !== undefined) return read(value, odd);
    odd.setLastIssue(`expected one of ${[...byWord.keys()].join(', ')}`);
    odd.prefixLastIssue(key);
    return misfit;
  };
}

/** The first that fits as it is, or else the one of which least has to be left out. */
function unionReader(options: readonly ValueReader[]): ValueReader {
  return (value, odd) => {
    let best: ValueReader | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const read of options) {
      const trial = new DecodeIssues();
      const taken = read(value, trial);
      if (taken === misfit) continue;
      if (trial.count === 0) return taken;
      if (trial.count < least) {
        best = read;
        least = trial.count;
      }
    }
    return best === undefined ? failed(odd, 'something else', value) : best(value, odd);
  };
}

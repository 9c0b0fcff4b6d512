import {decode, type Schema} from '#wire/schema.ts';

/** The parts of a valibot schema's internals that the check reads. */
interface SchemaShape {
  readonly type: string;
  readonly pipe?: unknown;
  readonly entries?: Readonly<Record<string, SchemaShape>>;
  readonly item?: SchemaShape;
  readonly items?: readonly SchemaShape[];
  readonly value?: SchemaShape;
  readonly wrapped?: SchemaShape;
  readonly options?: readonly SchemaShape[];
  readonly key?: unknown;
  readonly literal?: unknown;
}

/** Adds the problems of a value to a list, each with the path to it. */
type Check = (value: unknown, path: string, problems: string[]) => void;

const checks = new WeakMap<SchemaShape, Check>();

/**
 * Returns how a value deviates from a schema when no unknown key is allowed. The schemas themselves are loose, because a
 * newer server may add fields; our own server must send nothing that they do not describe.
 */
export function strictProblems(schema: Schema, value: unknown): string[] {
  const problems: string[] = [];
  checkOf(schema as unknown as SchemaShape)(value, '', problems); // Reads the schema's internals, see `SchemaShape`.
  return problems;
}

function checkOf(shape: SchemaShape): Check {
  let check = checks.get(shape);
  if (check === undefined) {
    check = makeCheck(shape);
    checks.set(shape, check);
  }
  return check;
}

function makeCheck(shape: SchemaShape): Check {
  const {type, pipe, entries, item, items, value, wrapped, options} = shape;
  if (type === 'loose_object' && entries !== undefined) return objectCheck(entries);
  if (type === 'array' && item !== undefined) return arrayCheck(() => checkOf(item));
  if (type === 'tuple' && items !== undefined && pipe === undefined)
    return arrayCheck((index) => tupleItem(items, index));
  if (pipe !== undefined) return plainCheck(shape);
  if (type === 'record' && value !== undefined) return recordCheck(checkOf(value));
  if (type === 'variant' && options !== undefined) return variantCheck(String(shape.key), options);
  if (type === 'union' && options !== undefined) return unionCheck(options.map(checkOf));
  if ((type === 'nullable' || type === 'optional') && wrapped !== undefined) {
    const check = checkOf(wrapped);
    const nothing = type === 'nullable' ? null : undefined;
    return (given, path, problems) => given === nothing || check(given, path, problems);
  }
  return plainCheck(shape);
}

/** Returns a check of schemas without parts. */
function plainCheck(shape: SchemaShape): Check {
  const schema = shape as unknown as Schema; // The shape is a schema.
  return (value, path, problems) => {
    const decoded = decode(schema, value);
    if (!decoded.ok) problems.push(`${path}: ${decoded.reason}`);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectCheck(entries: Readonly<Record<string, SchemaShape>>): Check {
  const fields = new Map(Object.entries(entries).map(([name, shape]) => [name, checkOf(shape)]));
  const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'optional');
  return (value, path, problems) => {
    if (!isObject(value)) {
      problems.push(`${path}: not an object`);
      return;
    }
    for (const name of required) if (!(name in value)) problems.push(`${path}.${name}: missing`);
    for (const [name, field] of Object.entries(value)) {
      const check = fields.get(name);
      if (check === undefined) problems.push(`${path}.${name}: unknown`);
      else check(field, `${path}.${name}`, problems);
    }
  };
}

function arrayCheck(checkAt: (index: number) => Check): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value)) problems.push(`${path}: not a list`);
    else for (const [index, item] of value.entries()) checkAt(index)(item, `${path}[]`, problems);
  };
}

function tupleItem(items: readonly SchemaShape[], index: number): Check {
  const shape = items[index];
  if (shape !== undefined) return checkOf(shape);
  return (_, path, problems) => problems.push(`${path}: more than ${items.length} items`);
}

function recordCheck(check: Check): Check {
  return (value, path, problems) => {
    if (!isObject(value)) problems.push(`${path}: not an object`);
    else for (const item of Object.values(value)) check(item, `${path}{}`, problems);
  };
}

function variantCheck(key: string, options: readonly SchemaShape[]): Check {
  const byLiteral = new Map(options.map((option) => [option.entries?.[key]?.literal, checkOf(option)]));
  return (value, path, problems) => {
    const check = isObject(value) ? byLiteral.get(value[key]) : undefined;
    if (check === undefined) problems.push(`${path}.${key}: unknown`);
    else check(value, path, problems);
  };
}

/** Returns a check that reports the problems of the option that has the fewest, if the value is of its type. */
function unionCheck(options: readonly Check[]): Check {
  return (value, path, problems) => {
    const found = options.map((check) => {
      const ofOption: string[] = [];
      check(value, path, ofOption);
      return ofOption;
    });
    const rank = (list: readonly string[]) => (list[0]?.startsWith(`${path}: `) ? Number.MAX_VALUE : list.length);
    problems.push(...(found.sort((a, b) => rank(a) - rank(b))[0] ?? []));
  };
}

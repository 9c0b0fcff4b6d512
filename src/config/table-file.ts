import {parse, TomlError, type TomlTable} from 'smol-toml';
import {once} from '#std/once.ts';
import {printableLine} from '#std/printable.ts';
import {byteOrderMark, outlineOf, type TableSpan} from './change-setting.ts';
import {isTable} from './settings.ts';

/**
 * What a key of a table may have as its value. A `texts` is one text or a list of texts; a list of words is a choice; a number is
 * whole and positive.
 */
type KeyKind = 'text' | 'texts' | 'switch' | 'number' | readonly string[];

type ValueOf<K> = K extends 'text'
  ? string
  : K extends 'texts'
    ? readonly string[]
    : K extends 'switch'
      ? boolean
      : K extends 'number'
        ? number
        : K extends readonly (infer T)[]
          ? T
          : never;

type KeyTable = Readonly<Record<string, KeyKind>>;
type TableValues<K extends KeyTable> = {readonly [N in keyof K]?: ValueOf<K[N]>};

/** A place in a file; both numbers begin with 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

export interface FileProblem extends FilePosition {
  /** A sentence. */
  readonly text: string;
}

/** A table of the file with no unknown key and no value of a wrong type. */
export interface FileTable<K extends KeyTable> {
  readonly values: TableValues<K>;
  /** Returns where the key is; for a key that it lacks, or none, where the table begins. */
  positionOf(key?: string): FilePosition;
}

interface TableFile<K extends KeyTable> {
  readonly tables: readonly FileTable<K>[];
  /** What is wrong, in the order of the file. A table with a problem is not in `tables`; the others are. */
  readonly problems: readonly FileProblem[];
}

/**
 * Reads a TOML file that consists of tables of one name, each `[[name]]`. A table that is not valid TOML, has an unknown key or
 * a value of a wrong type costs only itself.
 */
export function readTableFile<const K extends KeyTable>(text: string, name: string, keys: K): TableFile<K> {
  const whole = readPart({text, line: 1}, name, keys);
  if (!(whole instanceof TomlError)) return whole;
  const parts = partsOf(text, name).map((part): TableFile<K> => {
    const read = readPart(part, name, keys);
    if (!(read instanceof TomlError)) return read;
    return {tables: [], problems: [syntaxProblem(read, part)]};
  });
  const problems = parts.flatMap((part) => part.problems);
  // A text that is valid in parts but not as a whole: what makes it invalid is not in one table.
  const [all] = problems.length === 0 ? [syntaxProblem(whole, {line: 1})] : [];
  return {tables: parts.flatMap(({tables}) => tables), problems: all === undefined ? problems : [all]};
}

/** Returns the problem as text, with the file and the position before it. */
export function fileProblemText(file: string, {line, column, text}: FileProblem): string {
  return `${file}, line ${line}, column ${column}: ${printableLine(text)}`;
}

interface Part {
  readonly text: string;
  /** The number of its first line in the file. */
  readonly line: number;
}

/** Divides a text before each line that begins a table of the name. */
function partsOf(text: string, name: string): readonly Part[] {
  const head = new RegExp(`^[ \\t]*\\[\\[[ \\t]*${name}[ \\t]*\\]\\]`);
  const parts: {line: number; lines: string[]}[] = [{line: 1, lines: []}];
  for (const [index, line] of text.replace(byteOrderMark, '').split('\n').entries()) {
    if (head.test(line)) parts.push({line: index + 1, lines: []});
    parts.at(-1)?.lines.push(line);
  }
  return parts.map(({line, lines}) => ({line, text: lines.join('\n')}));
}

function syntaxProblem({message, line, column}: TomlError, part: Pick<Part, 'line'>): FileProblem {
  const [reason = ''] = message.replace(/^Invalid TOML document: /, '').split('\n', 1);
  return {line: part.line + line - 1, column, text: `not valid TOML: ${reason}.`};
}

function readPart<K extends KeyTable>(part: Part, name: string, keys: K): TableFile<K> | TomlError {
  let parsed: TomlTable;
  try {
    parsed = parse(part.text);
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
  const positions = positionsIn(part, name);
  const problems: FileProblem[] = [];
  for (const other of Object.keys(parsed)) {
    if (other === name && isTableList(parsed[other])) continue;
    const at = positions.ofTop(other);
    const known = other === name ? `“${name}” is not a list of tables` : `there is no “${other}”`;
    problems.push({...at, text: `${known}. The file consists of tables that begin with [[${name}]].`});
  }
  const list = parsed[name];
  const tables = (isTableList(list) ? list : []).flatMap((table, index): FileTable<K>[] => {
    const positionOf = (key?: string) => positions.ofItem(index, key);
    const wrong = Object.entries(table).flatMap(([key, value]): FileProblem[] => {
      const text = valueProblem(name, keys, key, value);
      return text === undefined ? [] : [{...positionOf(key), text}];
    });
    problems.push(...wrong);
    return wrong.length > 0 ? [] : [{values: normalized(table, keys), positionOf}];
  });
  return {tables, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column)};
}

function isTableList(value: unknown): value is TomlTable[] {
  return Array.isArray(value) && value.every(isTable);
}

function valueProblem(name: string, keys: KeyTable, key: string, value: unknown): string | undefined {
  if (!Object.hasOwn(keys, key)) return `a ${name} has no “${key}”. It may have: ${Object.keys(keys).join(', ')}.`;
  const kind = keys[key] ?? 'text';
  if (typeof kind !== 'string') {
    return kind.some((word) => word === value) ? undefined : `“${key}” must be ${kind.map(quoted).join(' or ')}.`;
  }
  if (kind === 'switch') return typeof value === 'boolean' ? undefined : `“${key}” must be true or false.`;
  if (kind === 'number') {
    return Number.isInteger(value) && Number(value) > 0 ? undefined : `“${key}” must be a whole number above 0.`;
  }
  if (kind === 'text') return isText(value) ? undefined : `“${key}” must be a text in quotes that is not empty.`;
  const isTexts = Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value);
  return isTexts ? undefined : `“${key}” must be a text in quotes or a list of such texts, none of them empty.`;
}

function quoted(word: string): string {
  return `"${word}"`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Makes each `texts` a list. The values were checked. */
function normalized<K extends KeyTable>(table: TomlTable, keys: K): TableValues<K> {
  const pairs = Object.entries(table).map(([key, value]) => [key, keys[key] === 'texts' ? [value].flat() : value]);
  return Object.fromEntries(pairs) as TableValues<K>;
}

/** Returns functions that find the lines and columns of tables and keys; the text is read only when one is first called. */
function positionsIn({text, line: firstLine}: Part, name: string) {
  const firstLetter = (start: number) => start + (/^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0);
  const read = once(() => {
    const {tables, assignments} = outlineOf(text);
    const places: Place[] = [
      ...tables.map((head) => ({path: head.path, offset: firstLetter(head.start), head})),
      ...assignments.map(({path, keyStart}) => ({path, offset: keyStart})),
    ].sort((a, b) => a.offset - b.offset);
    const items: {start: number; within: Place[]}[] = [];
    for (const place of places) {
      const {path, offset, head} = place;
      if (path[0] === name && path.length === 1 && head?.isItem === true) items.push({start: offset, within: []});
      else if (path[0] === name) items.at(-1)?.within.push(place);
    }
    const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), ({index}) => index + 1)];
    return {places, items, lineStarts};
  });
  const at = (offset: number): FilePosition => {
    const {lineStarts} = read();
    const line = lineStarts.findLastIndex((start) => start <= offset);
    return {line: firstLine + line, column: offset - (lineStarts[line] ?? 0) + 1};
  };
  const ofTop = (key: string) => at(read().places.find(({path}) => path[0] === key)?.offset ?? 0);
  return {
    ofTop,
    ofItem: (index: number, key: string | undefined) => {
      const item = read().items[index];
      // Without an item, the tables are written as one inline list.
      if (item === undefined) return ofTop(name);
      return at(item.within.find(({path}) => path[1] === key)?.offset ?? item.start);
    },
  };
}

interface Place {
  readonly path: readonly string[];
  readonly offset: number;
  readonly head?: TableSpan;
}

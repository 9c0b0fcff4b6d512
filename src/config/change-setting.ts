import {accessSync, constants, statSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parse, TomlError, type TomlTable} from 'smol-toml';
import {ConfigError, ensurePrivateDirectory, readSmallFile, writePrivateFile} from './private-files.ts';
import {type ConfigSettings, isTable, settingsFile, settingTable, tomlErrorText} from './settings.ts';

/**
 * Writes one setting into `config.toml`. Comments, order, unknown settings, symbolic links and the file mode
 * stay as they are. Throws a ConfigError and changes nothing when the file cannot be edited safely. Reads the
 * file again on each call, so that two programs that write one after the other keep each other's changes.
 */
export function changeSetting<K extends keyof ConfigSettings>(
  directory: string,
  key: K,
  value: ConfigSettings[K],
): void {
  const file = join(directory, settingsFile);
  const {name, default: defaultValue} = settingTable[key];
  const mode = modeOf(file);
  const before = mode === undefined ? '' : readSmallFile(file);
  const path = name.split('.');
  const current = valueAt(parseToml(before, file), path);
  if (current === value || (current === undefined && value === defaultValue)) return;
  const after = withTomlValue(before, path, value);
  if (!isOnlyChange(before, after, path, value)) {
    throw new ConfigError(
      `${file}: Parley cannot change “${name}” without touching other settings. Edit the file yourself.`,
    );
  }
  if (mode === undefined) ensurePrivateDirectory(directory);
  else refuseReadOnly(file);
  writePrivateFile(file, after, mode);
}

/** Returns the permission bits of the file, or undefined when it does not exist or is a dangling link. */
function modeOf(file: string): number | undefined {
  const stats = statSync(file, {throwIfNoEntry: false});
  return stats === undefined ? undefined : stats.mode & 0o777;
}

function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigError(tomlErrorText(file, error));
  }
}

function valueAt(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, name) => (isTable(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
    table,
  );
}

/** Returns whether `after` has the new value and is otherwise equal to `before`: the final check before writing. */
function isOnlyChange(
  before: string,
  after: string,
  path: readonly string[],
  value: string | number | boolean,
): boolean {
  try {
    const [expected, actual] = [parse(before), parse(after)];
    if (valueAt(actual, path) !== value) return false;
    removeValue(expected, path);
    removeValue(actual, path);
    return isDeepStrictEqual(actual, expected);
  } catch {
    return false;
  }
}

/** Deletes the value at the path, and the tables that become empty. */
function removeValue(table: TomlTable, [name = '', ...rest]: readonly string[]): void {
  const within = table[name];
  if (rest.length > 0 && isTable(within)) removeValue(within, rest);
  if (rest.length === 0 || (isTable(within) && Object.keys(within).length === 0)) delete table[name];
}

/** Throws when the file is read-only. Replacing it would not need write permission, but the user protected it. */
export function refuseReadOnly(file: string, purpose = 'to save settings'): void {
  try {
    accessSync(file, constants.W_OK);
  } catch {
    throw new ConfigError(`${file} is read-only. Make it writable ${purpose}: chmod u+w.`);
  }
}

/**
 * Returns the text with one value changed or added; comments, order, spaces and line ends stay. `text` must
 * be valid TOML. When the value is inside another value, such as an inline table, the result is wrong:
 * callers must parse it and compare.
 */
export function withTomlValue(text: string, path: readonly string[], value: string | number | boolean): string {
  const outline = outlineOf(text);
  const written = JSON.stringify(value);
  const existing = outline.assignments.find((one) => one.table?.isItem !== true && samePath(one.path, path));
  if (existing !== undefined) return text.slice(0, existing.valueStart) + written + text.slice(existing.valueEnd);
  const table = outline.tables.find((one) => !one.isItem && samePath(one.path, path.slice(0, -1)));
  const name = table === undefined ? path.join('.') : path.slice(-1).join('');
  return withLine(text, insertPositionFor(text, outline, table), `${name} = ${written}`);
}

interface InsertPosition {
  readonly at: number;
  /** Whether the text after it starts a table, so that an empty line must separate them. */
  readonly needsEmptyLine: boolean;
}

/** Returns the offset for a new assignment: after the last one of its table, or before all tables when it has none. */
function insertPositionFor(text: string, {assignments, tables}: Outline, table: TableSpan | undefined): InsertPosition {
  const last = assignments.findLast((one) => one.table === table);
  if (last !== undefined) return {at: last.end, needsEmptyLine: false};
  if (table !== undefined) return {at: table.end, needsEmptyLine: false};
  const [first] = tables;
  if (first === undefined) return {at: text.length, needsEmptyLine: false};
  return {at: withCommentsAbove(text, first.start), needsEmptyLine: true};
}

/** Returns the start of the comment lines directly above `start`, which belong to it. */
function withCommentsAbove(text: string, start: number): number {
  if (start === 0) return start;
  const before = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  return /^[ \t]*#/.test(text.slice(before, start)) ? withCommentsAbove(text, before) : start;
}

function withLine(text: string, {at, needsEmptyLine}: InsertPosition, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, at);
  const lead = before === '' || before === byteOrderMark || before.endsWith('\n') ? '' : end;
  return `${before}${lead}${line}${end}${needsEmptyLine ? end : ''}${text.slice(at)}`;
}

/** The position of one assignment in the text of a TOML file. */
interface Assignment {
  /** The full path: the names of its table, then its own. */
  readonly path: readonly string[];
  readonly table: TableSpan | undefined;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** The offset after the end of its last line. */
  readonly end: number;
}

export interface TableSpan {
  readonly path: readonly string[];
  /** Whether it is an item of an array of tables, `[[name]]`. */
  readonly isItem: boolean;
  readonly start: number;
  readonly end: number;
}

interface Outline {
  readonly assignments: readonly Assignment[];
  readonly tables: readonly TableSpan[];
}

export const byteOrderMark = '\uFEFF';

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

/** Returns where the tables and assignments of a text are. `text` must be valid TOML. */
export function outlineOf(text: string): Outline {
  const assignments: Assignment[] = [];
  const tables: TableSpan[] = [];
  let at = text.startsWith(byteOrderMark) ? 1 : 0;
  while (at < text.length) {
    const start = at;
    at = skip(text, at, blanks);
    const char = text[at];
    if (char === '[') {
      const isItem = text[at + 1] === '[';
      const {path, end} = keyAt(text, at + (isItem ? 2 : 1));
      at = lineEnd(text, end);
      tables.push({path, isItem, start, end: at});
    } else if (char !== undefined && !'#\r\n'.includes(char)) {
      const table = tables.at(-1);
      const keyStart = at;
      const {path, end} = keyAt(text, at);
      const valueStart = skip(text, end + 1, blanks);
      const valueEnd = valueEndAt(text, valueStart);
      at = lineEnd(text, valueEnd);
      assignments.push({path: [...(table?.path ?? []), ...path], table, keyStart, valueStart, valueEnd, end: at});
    } else at = lineEnd(text, at);
  }
  return {assignments, tables};
}

const blanks = /[ \t]*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const string = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const bareValue = /[^\s,#[\]{}"']+(?: [^\s,#[\]{}"']+)*/y;

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Returns the offset after the end of the line, or the length of the text. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Parses a dotted key; `end` is the offset of the character that ends it. */
function keyAt(text: string, start: number): {readonly path: readonly string[]; readonly end: number} {
  const path: string[] = [];
  for (let at = skip(text, start, blanks); ; ) {
    const quoted = text[at] === '"' || text[at] === "'";
    const end = skip(text, at, quoted ? string : bareKey);
    path.push(quoted ? text.slice(at + 1, end - 1) : text.slice(at, end));
    at = skip(text, end, blanks);
    if (text[at] !== '.') return {path, end: at};
    at = skip(text, at + 1, blanks);
  }
}

/** Returns the offset after a value. Arrays and inline tables may span lines and contain comments. */
function valueEndAt(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const char = text[at] ?? '';
    if ('[{'.includes(char)) {
      depth += 1;
      at += 1;
    } else if (']}'.includes(char)) {
      depth -= 1;
      at += 1;
    } else if (char === '#') at = lineEnd(text, at);
    else if (char === '"' || char === "'") at = Math.max(at + 1, skip(text, at, string));
    else if (/[\s,]/.test(char)) at += 1;
    else at = Math.max(at + 1, skip(text, at, bareValue));
    if (depth === 0) return at;
  }
  return at;
}

/** The position of one assignment in the text of a TOML file. */
export interface Assignment {
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

export interface Outline {
  readonly assignments: readonly Assignment[];
  readonly tables: readonly TableSpan[];
}

export const byteOrderMark = '\uFEFF';

export function samePath(a: readonly string[], b: readonly string[]): boolean {
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

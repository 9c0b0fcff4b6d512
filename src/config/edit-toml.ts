/** Where one assignment stands in the text of a TOML file. */
interface Assignment {
  /** With the names of the table around it. */
  readonly path: readonly string[];
  readonly table: TableSpan | undefined;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** After the end of its last line. */
  readonly end: number;
}

interface TableSpan {
  readonly path: readonly string[];
  /** One of several of this name. */
  readonly isItem: boolean;
  readonly start: number;
  readonly end: number;
}

interface Outline {
  readonly assignments: readonly Assignment[];
  readonly tables: readonly TableSpan[];
}

/**
 * The text with one value changed or added, and everything else as it was: comments, order, spaces, line ends. `text` must be
 * valid TOML. Where the value is part of a value, such as an inline table, the outcome is not what is wanted: compare.
 */
export function withTomlValue(
  text: string,
  path: readonly string[],
  value: string | number | boolean,
): string {
  const outline = outlineOf(text);
  const written = JSON.stringify(value);
  const found = outline.assignments.find((one) => one.table?.isItem !== true && samePath(one.path, path));
  if (found !== undefined) return text.slice(0, found.valueStart) + written + text.slice(found.valueEnd);
  const table = outline.tables.find((one) => !one.isItem && samePath(one.path, path.slice(0, -1)));
  const name = table === undefined ? path.join('.') : path.slice(-1).join('');
  return withLine(text, insertPositionFor(text, outline, table), `${name} = ${written}`);
}

interface InsertPosition {
  readonly at: number;
  /** What follows begins another part of the file. */
  readonly isApart: boolean;
}

/** After what stands in the same table; what belongs to none comes before all tables. */
function insertPositionFor(
  text: string,
  {assignments, tables}: Outline,
  table: TableSpan | undefined,
): InsertPosition {
  const last = assignments.findLast((one) => one.table === table);
  if (last !== undefined) return {at: last.end, isApart: false};
  if (table !== undefined) return {at: table.end, isApart: false};
  const [first] = tables;
  if (first === undefined) return {at: text.length, isApart: false};
  return {at: withCommentsAbove(text, first.start), isApart: true};
}

/** Comments right above a line are about it. */
function withCommentsAbove(text: string, start: number): number {
  if (start === 0) return start;
  const before = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  return /^[ \t]*#/.test(text.slice(before, start)) ? withCommentsAbove(text, before) : start;
}

function withLine(text: string, {at, isApart}: InsertPosition, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, at);
  const lead = before === '' || before === byteOrderMark || before.endsWith('\n') ? '' : end;
  return `${before}${lead}${line}${end}${isApart ? end : ''}${text.slice(at)}`;
}

const byteOrderMark = '\uFEFF';

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

function outlineOf(text: string): Outline {
  const assignments: Assignment[] = [];
  const tables: TableSpan[] = [];
  let at = text.startsWith(byteOrderMark) ? 1 : 0;
  while (at < text.length) {
    const start = at;
    at = skipped(text, at, blanks);
    const sign = text[at];
    if (sign === '[') {
      const isItem = text[at + 1] === '[';
      const {path, end} = keyAt(text, at + (isItem ? 2 : 1));
      at = lineEnd(text, end);
      tables.push({path, isItem, start, end: at});
    } else if (sign !== undefined && !'#\r\n'.includes(sign)) {
      const table = tables.at(-1);
      const {path, end} = keyAt(text, at);
      const valueStart = skipped(text, end + 1, blanks);
      const valueEnd = valueEndAt(text, valueStart);
      at = lineEnd(text, valueEnd);
      assignments.push({path: [...(table?.path ?? []), ...path], table, valueStart, valueEnd, end: at});
    } else at = lineEnd(text, at);
  }
  return {assignments, tables};
}

const blanks = /[ \t]*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const string = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const bareValue = /[^\s,#[\]{}"']+(?: [^\s,#[\]{}"']+)*/y;

function skipped(text: string, at: number, what: RegExp): number {
  what.lastIndex = at;
  return at + (what.exec(text)?.[0].length ?? 0);
}

/** After the end of the line, or of the text. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** A dotted key; `end` is at the sign that ends it. */
function keyAt(text: string, start: number): {readonly path: readonly string[]; readonly end: number} {
  const path: string[] = [];
  for (let at = skipped(text, start, blanks); ; ) {
    const quoted = text[at] === '"' || text[at] === "'";
    const end = skipped(text, at, quoted ? string : bareKey);
    path.push(quoted ? text.slice(at + 1, end - 1) : text.slice(at, end));
    at = skipped(text, end, blanks);
    if (text[at] !== '.') return {path, end: at};
    at = skipped(text, at + 1, blanks);
  }
}

/** Arrays and inline tables may go over lines, with comments in them. */
function valueEndAt(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if ('[{'.includes(sign)) {
      depth += 1;
      at += 1;
    } else if (']}'.includes(sign)) {
      depth -= 1;
      at += 1;
    } else if (sign === '#') at = lineEnd(text, at);
    else if (sign === '"' || sign === "'") at = Math.max(at + 1, skipped(text, at, string));
    else if (/[\s,]/.test(sign)) at += 1;
    else at = Math.max(at + 1, skipped(text, at, bareValue));
    if (depth === 0) return at;
  }
  return at;
}

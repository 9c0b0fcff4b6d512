import type {Alignment} from './tokens.ts';

export type ParsedTable = {align: Alignment[]; header: string[]; rows: string[][]};

const endBorder = /(?<!\\)(?:\\\\)*\|$/;

/**
 * Short rows are filled up to the width of the table. A wide table with many short rows would have quadratically many cells,
 * so a table with more filled cells than this stays text.
 */
const maxFilledCells = 5000;

/** Parses a block whose second line is a row of dashes as a table. The first line alone excludes most other blocks. */
export function parseTable(block: string): ParsedTable | 'overfull' | undefined {
  const newline = block.indexOf('\n');
  const first = newline < 0 ? '' : trimSpaces(block.slice(0, newline));
  if (!first.includes('|')) return undefined;
  const border = hasBorder(first);
  const header = splitRow(first, border);
  const secondEnd = block.indexOf('\n', newline + 1);
  const second = trimSpaces(block.slice(newline + 1, secondEnd < 0 ? block.length : secondEnd));
  const separator = splitRow(second, border);
  if (separator.length !== header.length || !/^[|:\- ]*$/.test(separator.join(''))) return undefined;
  const isBordered = (line: string): boolean => hasBorder(trimSpaces(line));
  if (header.length === 1 && !(border && everyLine(block, newline + 1, isBordered))) return undefined;
  const align = separator.map(alignment);
  const width = align.length;
  const body = secondEnd < 0 ? [] : block.slice(secondEnd + 1).split('\n');
  const rows: string[][] = [];
  let filledCount = 0;
  for (const line of body) {
    const row = splitRow(trimSpaces(line), border);
    filledCount += Math.max(0, width - row.length);
    if (filledCount > maxFilledCells) return 'overfull';
    rows.push(cells(row, width));
  }
  return {align, header: cells(header, width), rows};
}

/** Tests every line without splitting the block first, because a block that fails is tried again for each of its lines. */
function everyLine(block: string, from: number, fits: (line: string) => boolean): boolean {
  for (let start = from; start <= block.length; ) {
    const newline = block.indexOf('\n', start);
    const end = newline < 0 ? block.length : newline;
    if (!fits(block.slice(start, end))) return false;
    start = end + 1;
  }
  return true;
}

function trimSpaces(text: string): string {
  return text.replace(/^ +/, '').trimEnd();
}

function hasBorder(row: string): boolean {
  return row.startsWith('|') || endBorder.test(row);
}

function alignment(cell: string): Alignment {
  const mark = cell.trim();
  if (mark.startsWith(':')) return mark.endsWith(':') ? 'center' : 'left';
  return mark.endsWith(':') ? 'right' : undefined;
}

/** Returns exactly `width` cells without spaces at their ends; other white space stays. */
function cells(row: readonly string[], width: number): string[] {
  return Array.from({length: width}, (_, i) => withoutEndSpaces(row[i] ?? ''));
}

function withoutEndSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(start, end);
}

function splitRow(row: string, border: boolean): string[] {
  let inner = row;
  if (border) {
    if (inner.startsWith('|')) inner = inner.slice(1);
    inner = inner.replace(endBorder, '');
  }
  return splitAtPipes(inner);
}

/** Splits a row at its pipes, except those inside code spans and after a backslash. */
function splitAtPipes(row: string): string[] {
  if (!/[\\`]/.test(row)) return row.split('|');
  const ticks: {start: number; end: number; length: number}[] = [];
  const pipes: number[] = [];
  for (const match of row.matchAll(/\\\\|\\`+|`+|\\\||\|/g)) {
    const [text] = match;
    if (text === '|') pipes.push(match.index);
    else if (text.startsWith('`'))
      ticks.push({start: match.index, end: match.index + text.length, length: text.length});
  }
  const spans = codeRegions(ticks);
  const out: string[] = [];
  let from = 0;
  let span = 0;
  for (const pipe of pipes) {
    while (span < spans.length && (spans[span]?.end ?? 0) <= pipe) span++;
    if (pipe >= (spans[span]?.start ?? row.length)) continue;
    out.push(row.slice(from, pipe));
    from = pipe + 1;
  }
  out.push(row.slice(from));
  return out;
}

/** Returns the code spans: pairs of backtick runs of the same length, from left to right. */
function codeRegions(ticks: readonly {start: number; end: number; length: number}[]): {start: number; end: number}[] {
  const later = new Map<number, number[]>();
  for (let i = ticks.length - 1; i >= 0; i--) {
    const length = ticks[i]?.length ?? 0;
    const positions = later.get(length);
    if (positions === undefined) later.set(length, [i]);
    else positions.push(i);
  }
  const regions: {start: number; end: number}[] = [];
  for (let i = 0; i < ticks.length; i++) {
    const open = ticks[i];
    const positions = open === undefined ? undefined : later.get(open.length);
    while (positions !== undefined && (positions.at(-1) ?? Number.POSITIVE_INFINITY) <= i) positions.pop();
    const closeAt = positions?.at(-1);
    const close = closeAt === undefined ? undefined : ticks[closeAt];
    if (open === undefined || close === undefined || closeAt === undefined) continue;
    regions.push({start: open.start, end: close.end});
    i = closeAt;
  }
  return regions;
}

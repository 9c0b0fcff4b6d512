import type {Alignment} from './tokens.ts';

export type TableSource = {align: Alignment[]; header: string[]; rows: string[][]};

const endBorder = /(?<!\\)(?:\\\\)*\|$/;

/** A block whose second line is a row of dashes under the first, or undefined. */
export function readTable(block: string): TableSource | undefined {
  const newline = block.indexOf('\n');
  if (newline < 0 || !block.includes('|')) return undefined;
  const rows = block.split('\n').map(trimSpaces);
  const [first = '', second = ''] = rows;
  const border = first.startsWith('|') || endBorder.test(first);
  const header = splitRow(first, border);
  if (header.length === 1 && !(border && rows.slice(1).every(hasBorder))) return undefined;
  const separator = splitRow(second, border);
  if (separator.length !== header.length || !/^[|:\- ]*$/.test(separator.join(''))) return undefined;
  const align = separator.map(alignment);
  const width = align.length;
  const body = rows.slice(2).map((row) => cells(splitRow(row, border), width));
  return {align, header: cells(header, width), rows: body};
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

/** Every row gets as many cells as the separator has. */
function cells(row: readonly string[], width: number): string[] {
  return Array.from({length: width}, (_, i) => (row[i] ?? '').trim());
}

function splitRow(row: string, border: boolean): string[] {
  let inner = row;
  if (border) {
    if (inner.startsWith('|')) inner = inner.slice(1);
    inner = inner.replace(endBorder, '');
  }
  return splitAtPipes(inner);
}

/** Pipes inside code spans and after a backslash do not divide. */
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

/** Pairs of backtick runs of the same length, left to right. */
function codeRegions(
  ticks: readonly {start: number; end: number; length: number}[],
): {start: number; end: number}[] {
  const later = new Map<number, number[]>();
  for (let i = ticks.length - 1; i >= 0; i--) {
    const length = ticks[i]?.length ?? 0;
    const places = later.get(length);
    if (places === undefined) later.set(length, [i]);
    else places.push(i);
  }
  const regions: {start: number; end: number}[] = [];
  for (let i = 0; i < ticks.length; i++) {
    const open = ticks[i];
    const places = open === undefined ? undefined : later.get(open.length);
    while (places !== undefined && (places.at(-1) ?? Number.POSITIVE_INFINITY) <= i) places.pop();
    const closeAt = places?.at(-1);
    const close = closeAt === undefined ? undefined : ticks[closeAt];
    if (open === undefined || close === undefined || closeAt === undefined) continue;
    regions.push({start: open.start, end: close.end});
    i = closeAt;
  }
  return regions;
}

import {notAtLineEnd, notAtLineStart} from '#content/styled-text/line-breaks.ts';
import type {GraphemeWidths} from '#content/styled-text/text-width.ts';

/** The cells of one row, `to` exclusive. */
export interface RowCells {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

interface LineToWrap extends GraphemeWidths {
  readonly text: string;
}

/** Narrower panes cannot spare a column. */
const minSparingWidth = 8;

/** Wraps a line into rows, between words where possible; every space is preserved. */
export function wrappedRows(line: LineToWrap, width: number): RowCells[] {
  const room = width < minSparingWidth ? width : width - 1;
  const count = line.columns.length;
  const rows: RowCells[] = [];
  let from = 0;
  let used = 0;
  for (let i = 0; i < count; i++) {
    const columns = line.columns[i] ?? 0;
    const limit = isSpace(line, i) ? width : room;
    // The carried text may exceed the limit again, but only once.
    while (used + columns > limit && i > from) {
      const next = isSpace(line, i) ? i : breakBefore(line, from, i);
      const carried = columnsOf(line, next, i);
      rows.push({from, to: next, columns: used - carried});
      from = next;
      used = carried;
    }
    used += columns;
  }
  rows.push({from, to: count, columns: used});
  // A cursor behind the last column needs a row to stand on.
  if (used >= width) rows.push({from: count, to: count, columns: 0});
  return rows;
}

/** Returns where the row must end so that `i` starts the next: the last break between words, or `i`. */
function breakBefore(line: LineToWrap, from: number, i: number): number {
  for (let next = i; next > from; next--) {
    if (!mayBreakBefore(line, next)) continue;
    return isBlank(line, from, next) ? i : next;
  }
  return i;
}

function mayBreakBefore(line: LineToWrap, i: number): boolean {
  const code = line.text.charCodeAt(line.ends[i - 2] ?? 0);
  if (code === 0x20 || code === 0x09 || code === 0x3000 || code === 0x2014) return true;
  if (code === 0x2d || code === 0x2010) return word.test(character(line, i - 2)) && letter.test(character(line, i));
  const isWide = (line.columns[i - 1] ?? 0) > 1 || (line.columns[i] ?? 0) > 1;
  return isWide && !notAtLineStart.test(character(line, i)) && !notAtLineEnd.test(character(line, i - 1));
}

const word = /^[\p{L}\p{N}]/u;
const letter = /^\p{L}/u;

function isSpace(line: LineToWrap, i: number): boolean {
  const end = line.ends[i] ?? 0;
  return line.text.charCodeAt(end - 1) === 0x20 && end - (line.ends[i - 1] ?? 0) === 1;
}

/** Whether the range is blank: an indentation stays with the text that it indents. */
function isBlank(line: LineToWrap, from: number, to: number): boolean {
  return line.text.slice(line.ends[from - 1] ?? 0, line.ends[to - 1] ?? 0).trim() === '';
}

function columnsOf(line: LineToWrap, from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to; i++) total += line.columns[i] ?? 0;
  return total;
}

function character(line: LineToWrap, i: number): string {
  return line.text.slice(line.ends[i - 1] ?? 0, line.ends[i] ?? 0);
}

import {textColumns} from '#content/styled-text/text-width.ts';
import {firstFrom, lineCells} from './graphemes.ts';
import {shownCells} from './shown-cells.ts';

export interface LineWindow {
  readonly shown: string;
  /** Of the cursor in what is shown; always less than the width. */
  readonly column: number;
  /** How many characters are out of sight to the left. */
  readonly left: number;
}

/** The part of a one-line field that a row has room for: it follows the cursor and moves no further than needed. */
export function lineWindow(text: string, cursor: number, width: number, left = 0): LineWindow {
  const room = Math.max(1, width);
  const {ends} = lineCells(text);
  const shown = shownCells(text, ends, room);
  const starts = [0];
  for (const cell of shown) starts.push((starts.at(-1) ?? 0) + textColumns(cell));
  const columns = (from: number, to: number): number => (starts[to] ?? 0) - (starts[from] ?? 0);
  const at = cursor <= 0 ? 0 : Math.min(shown.length, firstFrom(ends, cursor) + 1);
  let first = Math.min(left, at);
  while (first < at && columns(first, at) >= room) first++;
  // Where the text has become shorter, no room stays empty that text could fill.
  while (first > 0 && columns(first - 1, shown.length) < room) first--;
  let last = at;
  while (last < shown.length && columns(first, last + 1) <= room) last++;
  return {shown: shown.slice(first, last).join(''), column: columns(first, at), left: first};
}

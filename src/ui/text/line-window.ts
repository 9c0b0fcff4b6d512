import {textColumns} from '#content/styled-text/text-width.ts';
import {firstFrom, lineCells} from './graphemes.ts';
import {shownCells} from './shown-cells.ts';

export interface LineWindow {
  readonly shown: string;
  /** The cursor's column in `shown`, always less than the width. */
  readonly column: number;
  /** The number of characters hidden at the left. */
  readonly left: number;
}

/** Returns the visible part of a one-line field: it follows the cursor and scrolls no further than needed. */
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
  // After the text became shorter, scroll back so that no room stays empty.
  while (first > 0 && columns(first - 1, shown.length) < room) first--;
  let last = at;
  while (last < shown.length && columns(first, last + 1) <= room) last++;
  return {shown: shown.slice(first, last).join(''), column: columns(first, at), left: first};
}

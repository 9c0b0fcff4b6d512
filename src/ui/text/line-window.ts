import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {tooWideMark} from '#content/styled-text/wrap.ts';
import {firstFrom, lineCells} from './graphemes.ts';
import {gapColumns, orderedParagraph, type TextOrder} from './visual-row.ts';

const tabColumns = 4;
/** Shown for invisible characters. */
const invisibleGlyph = '·';
/** A letter with a zero-width joiner or non-joiner, as in Persian: its effect shows on the next letter. */
const joinedLetter = /^\p{L}\p{M}*[\u200c\u200d]$/u;
/** Half a flag: two halves separated by an invisible character must not join into one flag on the screen. */
const halfFlag = /^\p{Regional_Indicator}$/u;

/**
 * Returns what is painted for each cell of a line. Each is at least one column wide, so that the cursor can stand on
 * it.
 */
export function shownCells(line: string, ends: readonly number[], width: number): string[] {
  const shownByCell = new Map<string, string>();
  return ends.map((end, i) => {
    const cell = line.slice(ends[i - 1] ?? 0, end);
    const shown = shownByCell.get(cell) ?? shownCell(cell, width);
    shownByCell.set(cell, shown);
    return shown;
  });
}

function shownCell(cell: string, width: number): string {
  const text = visible(cell, width);
  return textColumns(text) > width ? tooWideMark : text;
}

function visible(cell: string, width: number): string {
  if (cell === '\t') return ' '.repeat(Math.min(tabColumns, width));
  const code = cell.charCodeAt(0);
  if (cell.length === 1 && code < 0x20) return String.fromCharCode(0x2400 + code);
  if (cell === '\u007f') return '\u2421';
  if (cell > '\u0600' && joinedLetter.test(cell)) return cell;
  const shown = sanitizeText(cell);
  if (shown !== cell && halfFlag.test(shown)) return `${shown}\u200c`;
  return textColumns(shown) === 0 ? invisibleGlyph : shown;
}

/**
 * Returns the visible part of a one-line field: it follows the cursor and scrolls no further than needed. `column`: the
 * cursor's column in `shown`, always less than the width. `left`: the number of characters hidden at the left. `span`: `shown`
 * as it is painted.
 */
export function lineWindow(text: string, cursor: number, width: number, left = 0, order: TextOrder = 'off') {
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
  const visible = shown.slice(first, last);
  const window = {shown: visible.join(''), column: columns(first, at), left: first};
  const paragraph = orderedParagraph(window.shown, 0, order);
  if (paragraph === undefined) return {...window, span: {text: window.shown}};
  const visibleEnds: number[] = [];
  for (const cell of visible) visibleEnds.push((visibleEnds.at(-1) ?? 0) + cell.length);
  const gaps = gapColumns(paragraph, 0, visibleEnds, visible.map(textColumns));
  return {...window, column: gaps[at - first] ?? window.column, span: {text: window.shown, paragraph, at: 0}};
}

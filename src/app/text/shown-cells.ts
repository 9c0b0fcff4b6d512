import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {tooWideMark} from '#content/styled-text/wrap.ts';

const tabColumns = 4;
/** Stands for what has no look of its own. */
const unseen = '·';
/** Persian and its like write it at the end of a letter; what it does shows on the next one. */
const joinedLetter = /^\p{L}\p{M}*[\u200c\u200d]$/u;
/** Half a flag. Two that something unseen keeps apart must not meet on the screen and become one flag. */
const halfFlag = /^\p{Regional_Indicator}$/u;

/** What stands on the screen for each character of a line: each takes a column at least, so that a cursor finds it. */
export function shownCells(line: string, ends: readonly number[], width: number): string[] {
  const known = new Map<string, string>();
  return ends.map((end, i) => {
    const cell = line.slice(ends[i - 1] ?? 0, end);
    const shown = known.get(cell) ?? shownCell(cell, width);
    known.set(cell, shown);
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
  return textColumns(shown) === 0 ? unseen : shown;
}

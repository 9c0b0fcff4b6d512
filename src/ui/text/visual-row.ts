import {paragraphCells} from '#content/styled-text/bidi.ts';
import type {Paragraph} from '#content/styled-text/line.ts';
import {type Bidi, hasRightToLeft, isRightToLeft} from '#content/styled-text/right-to-left.ts';

/** Who orders right-to-left text that is edited. `inPlace`: Parley does, and text that begins at the right stays at the left. */
export type TextOrder = Bidi | 'inPlace';

/** Returns the order of text in a field that others may stand beside. */
export function fieldOrder({bidi}: {readonly bidi: Bidi}): TextOrder {
  return bidi === 'reorder' ? 'inPlace' : bidi;
}

/** Returns the paragraph of a line of edited text, if the cursor's places on it are not simply those of the text. */
export function orderedParagraph(text: string, width: number, order: TextOrder): Paragraph | undefined {
  if ((order !== 'reorder' && order !== 'inPlace') || !hasRightToLeft(text)) return undefined;
  return {text, width: order === 'inPlace' ? 0 : width};
}

/**
 * Returns the column of each place of the cursor on a row: before its first cell, and after each. The cursor is a bar at the
 * left edge of its column. It stands at the edge of the character before it, where the next one of its direction is added.
 */
export function gapColumns(
  paragraph: Paragraph,
  at: number,
  ends: readonly number[],
  columns: readonly number[],
): readonly number[] {
  const {order, levels} = paragraphCells(paragraph, at, ends);
  const used = columns.reduce((total, own) => total + own, 0);
  let next = isRightToLeft(paragraph) ? Math.max(0, paragraph.width - used) : 0;
  if (ends.length === 0) return [next];
  const starts: number[] = [];
  for (const cell of order) {
    starts[cell] = next;
    next += columns[cell] ?? 0;
  }
  const edge = (cell: number, isEnd: boolean) => {
    const isRight = ((levels[cell] ?? 0) & 1) === 1 ? !isEnd : isEnd;
    return (starts[cell] ?? 0) + (isRight ? (columns[cell] ?? 0) : 0);
  };
  return [edge(0, false), ...ends.map((_, cell) => edge(cell, true))];
}

/** Returns the place to the left or right of a place; undefined at the edge of the row. */
export function gapBeside(gaps: readonly number[], place: number, step: 1 | -1): number | undefined {
  const from = gaps[place] ?? 0;
  let best: number | undefined;
  for (const [other, column] of gaps.entries()) {
    const distance = (column - from) * step;
    if (distance <= 0) continue;
    const bestDistance = best === undefined ? Number.POSITIVE_INFINITY : ((gaps[best] ?? 0) - from) * step;
    // Of two places in one column, the one that is nearer in the text.
    const isNearer = best === undefined || Math.abs(other - place) < Math.abs(best - place);
    if (distance < bestDistance || (distance === bestDistance && isNearer)) best = other;
  }
  return best;
}

/** Returns the place nearest to a column. */
export function gapAt(gaps: readonly number[], column: number): number {
  let best = 0;
  for (const [place, own] of gaps.entries()) {
    if (Math.abs(own - column) < Math.abs((gaps[best] ?? 0) - column)) best = place;
  }
  return best;
}

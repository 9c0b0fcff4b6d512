import {graphemeWidths, textColumns} from './text-width.ts';

/** As much of a line as fits into so many columns, with an ellipsis where it is cut. */
export function truncateToColumns(text: string, columns: number, ellipsis = '…'): string {
  if (textColumns(text) <= columns) return text;
  const mark = textColumns(ellipsis) > columns ? '' : ellipsis;
  return `${text.slice(0, endOffsetWithin(text, columns - textColumns(mark))).trimEnd()}${mark}`;
}

/** Where the characters end that fit into so many columns. */
export function endOffsetWithin(text: string, columns: number): number {
  const cells = graphemeWidths(text);
  let [end, room] = [0, columns];
  for (const [index, wide] of cells.columns.entries()) {
    room -= wide;
    if (room < 0) break;
    end = cells.ends[index] ?? end;
  }
  return end;
}

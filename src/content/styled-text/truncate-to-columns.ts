import {graphemeWidths, textColumns} from './text-width.ts';

/** Returns the start of a text that fits into `columns`, with an ellipsis where it is cut. */
export function truncateToColumns(text: string, columns: number, ellipsis = '…'): string {
  if (textColumns(text) <= columns) return text;
  const mark = textColumns(ellipsis) > columns ? '' : ellipsis;
  return `${text.slice(0, endOffsetWithin(text, columns - textColumns(mark))).trimEnd()}${mark}`;
}

/** Returns the offset after the last character that fits into `columns`. */
export function endOffsetWithin(text: string, columns: number): number {
  const widths = graphemeWidths(text);
  let [end, room] = [0, columns];
  for (const [index, wide] of widths.columns.entries()) {
    room -= wide;
    if (room < 0) break;
    end = widths.ends[index] ?? end;
  }
  return end;
}

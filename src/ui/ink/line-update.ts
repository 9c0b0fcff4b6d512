import {blankCell, type Cell} from './cell-style.ts';
import {cachedRow, cellsText, firstDifference, type ScreenRow, visibleEnd} from './screen-row.ts';

const eraseToEnd = '\u001b[K';

/**
 * Returns what to write on a row that shows `previous` so that it shows `next`. It replaces Ink's function of this name and
 * paints only the runs of columns that differ; Ink paints everything from the first difference on.
 */
export function lineUpdate(previous: string, next: string, columns: number | undefined): string {
  const whole = `\r${eraseToEnd}${next}`;
  const [before, after] = [cachedRow(previous), cachedRow(next)];
  if (before === undefined || after === undefined) return whole;
  if (columns === undefined || !fits(before, columns) || !fits(after, columns)) return whole;
  const runs = paintedRuns(before.cells, after.cells);
  return runs.length <= whole.length ? runs : whole;
}

function fits({isRegular, cells}: ScreenRow, columns: number): boolean {
  return isRegular && cells.length <= columns;
}

/** Fewer unchanged cells than this between two runs are cheaper to paint than to skip. */
const minSkippedCells = 5;

function paintedRuns(before: readonly Cell[], after: readonly Cell[]): string {
  const end = visibleEnd(after);
  let painted = '';
  let at = firstDifference(before, after, 0);
  while (at !== undefined) {
    const start = characterStart(before, after, at);
    const run = runFrom(before, after, start);
    const last = Math.min(run.end, end);
    painted += start === 0 ? '\r' : `\u001b[${start + 1}G`;
    if (run.hasDoubtfulWidth) return painted + eraseToEnd + cellsText(after, start, end, true);
    if (last > start) painted += cellsText(after, start, last, true);
    if (run.end > end) return painted + eraseToEnd;
    at = run.next;
  }
  return painted;
}

/** Returns the start of the character at a column, in both rows: a run never begins in the middle of a wide character. */
function characterStart(before: readonly Cell[], after: readonly Cell[], at: number): number {
  let start = at;
  while (start > 0 && (after[start]?.value === '' || before[start]?.value === '')) start--;
  return start;
}

interface ChangedRun {
  readonly end: number;
  /** The column where the next run begins. */
  readonly next: number | undefined;
  /** The run contains or covers a character of doubtful width, so the columns of the rest of the row are uncertain. */
  readonly hasDoubtfulWidth: boolean;
}

function runFrom(before: readonly Cell[], after: readonly Cell[], at: number): ChangedRun {
  let end = at;
  let hasDoubtfulWidth = false;
  for (;;) {
    hasDoubtfulWidth ||= before[end]?.hasDoubtfulWidth === true || after[end]?.hasDoubtfulWidth === true;
    end++;
    while (after[end]?.value === '' || before[end]?.value === '') end++;
    const next = firstDifference(before, after, end);
    if (next === undefined || next - end >= minSkippedCells) return {end, next, hasDoubtfulWidth};
    for (let between = end; between < next; between++)
      hasDoubtfulWidth ||= (after[between] ?? blankCell).hasDoubtfulWidth;
    end = next;
  }
}

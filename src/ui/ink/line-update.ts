import {blankCell, type Cell} from './cell-style.ts';
import {cachedRow} from './rows.ts';
import {cellsText, firstDifference, type ScreenRow, visibleEnd} from './screen-row.ts';

const eraseToEnd = '\u001b[K';

/**
 * Takes the place of Ink's own: what to write on a row that shows `previous` so that it shows `next`. Only the columns that
 * differ are painted, in as many runs as there are; Ink paints from the first difference on.
 */
export function lineUpdate(previous: string, next: string, columns: number | undefined): string {
  const whole = `\r${eraseToEnd}${next}`;
  const [before, after] = [cachedRow(previous), cachedRow(next)];
  if (before === undefined || after === undefined) return whole;
  if (columns === undefined || !isWithin(before, columns) || !isWithin(after, columns)) return whole;
  const runs = paintedRuns(before.cells, after.cells);
  return runs.length <= whole.length ? runs : whole;
}

function isWithin({isRegular, cells}: ScreenRow, columns: number): boolean {
  return isRegular && cells.length <= columns;
}

/** Fewer equal cells than this between two runs are cheaper to paint than to jump over. */
const shortestJump = 5;

function paintedRuns(before: readonly Cell[], after: readonly Cell[]): string {
  const end = visibleEnd(after);
  let painted = '';
  let at = firstDifference(before, after, 0);
  while (at !== undefined) {
    const start = wholeStart(before, after, at);
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

/** A run never begins in the middle of a wide character. */
function wholeStart(before: readonly Cell[], after: readonly Cell[], at: number): number {
  let start = at;
  while (start > 0 && (after[start]?.value === '' || before[start]?.value === '')) start--;
  return start;
}

interface ChangedRun {
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number | undefined;
  /** It paints, or paints over, what terminals may have given another width: then the rest of the row is in doubt. */
  readonly hasDoubtfulWidth: boolean;
}

function runFrom(before: readonly Cell[], after: readonly Cell[], at: number): ChangedRun {
  let end = at;
  let isOdd = false;
  for (;;) {
    isOdd ||= before[end]?.hasDoubtfulWidth === true || after[end]?.hasDoubtfulWidth === true;
    end++;
    while (after[end]?.value === '' || before[end]?.value === '') end++;
    const next = firstDifference(before, after, end);
    if (next === undefined || next - end >= shortestJump) return {end, next, hasDoubtfulWidth: isOdd};
    for (let between = end; between < next; between++)
      isOdd ||= (after[between] ?? blankCell).hasDoubtfulWidth;
    end = next;
  }
}

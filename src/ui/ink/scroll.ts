import {updateBytes} from './row-update.ts';
import type {LineCells} from './screen-row.ts';
import {blankCells, type ScreenRow, visibleEnd} from './screen-row.ts';

/** A movement of the rows from `top` up to `bottom`: up by `lines`, or down if negative. */
export interface Scroll {
  readonly top: number;
  readonly bottom: number;
  readonly lines: number;
}

/** Fewer changed rows than this are repainted. */
const minChangedRows = 3;
/** The bytes that set the margins, move the cursor and reset the margins. */
const scrollBytes = 18;
/** The bytes of a movement that there is no source row for. */
const impossible = 1e9;

/**
 * Returns the movement of whole rows that saves most bytes. It is found in the rows themselves: lines of the last frame
 * that are in other rows now. What stands beside moved lines moves too and is painted again, if that is still cheaper.
 */
export function findScroll(before: readonly ScreenRow[], after: readonly ScreenRow[]): Scroll | undefined {
  const changed = after.flatMap((row, y) => (row === before[y] ? [] : [y]));
  if (changed.length < minChangedRows || before.length !== after.length) return undefined;
  const shifts = likelyShifts(before, after, changed);
  if (shifts.length === 0) return undefined;
  const bytes = after.map(({cells}, y) => updateBytes(before[y]?.cells ?? [], cells));
  let best: {readonly scroll: Scroll; readonly saved: number} | undefined;
  for (const lines of shifts) {
    const found = bestRegion(before, after, bytes, changed, lines);
    if (found !== undefined && found.saved > (best?.saved ?? 0)) best = found;
  }
  return best?.scroll;
}

/** Shorter lines say nothing about a movement. */
const minLineColumns = 4;
const maxShifts = 2;

/** Returns the distances that most lines have moved by. */
function likelyShifts(
  before: readonly ScreenRow[],
  after: readonly ScreenRow[],
  changed: readonly number[],
): readonly number[] {
  const oldRows = new Map<LineCells, number[]>();
  for (const y of changed) {
    for (const {line} of before[y]?.segments ?? []) {
      const rows = oldRows.get(line);
      if (rows === undefined) oldRows.set(line, [y]);
      else rows.push(y);
    }
  }
  const columnsByShift = new Map<number, number>();
  for (const y of changed) {
    for (const {line} of after[y]?.segments ?? []) {
      const rows = oldRows.get(line);
      const columns = rows === undefined ? 0 : visibleEnd(line.cells);
      if (columns < minLineColumns) continue;
      for (const oldY of rows ?? []) {
        if (oldY !== y) columnsByShift.set(oldY - y, (columnsByShift.get(oldY - y) ?? 0) + columns);
      }
    }
  }
  const most = Math.max(0, ...columnsByShift.values());
  return [...columnsByShift]
    .filter(([, columns]) => columns > most / 2)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxShifts)
    .map(([shift]) => shift);
}

/**
 * Returns the region in which moving rows by `lines` saves most of the `bytes` that each row needs without it. The first row
 * of the screen never moves: many terminals put rows that leave the screen at its top into their history.
 */
function bestRegion(
  before: readonly ScreenRow[],
  after: readonly ScreenRow[],
  bytes: readonly number[],
  changed: readonly number[],
  lines: number,
): {readonly scroll: Scroll; readonly saved: number} | undefined {
  const [first, end] = [Math.max(1, changed[0] ?? 0), (changed.at(-1) ?? 0) + 1];
  // Sums of the bytes saved in all rows above a row, if each has moved, or if each is painted on a blank row.
  const [moved, painted] = [[0], [0]];
  for (const [y, {cells, text}] of after.entries()) {
    const source = y + lines < first || y + lines >= end ? undefined : before[y + lines];
    const movedBytes = source === undefined || y < first || y >= end ? impossible : updateBytes(source.cells, cells);
    moved.push((moved[y] ?? 0) + (bytes[y] ?? 0) - movedBytes);
    painted.push((painted[y] ?? 0) + (bytes[y] ?? 0) - text.length);
  }
  const distance = Math.abs(lines);
  const [above, below] = lines > 0 ? [moved, painted] : [painted, moved];
  let saved = scrollBytes + 2 * distance;
  const cost = saved;
  let scroll: Scroll | undefined;
  for (let top = first; top < end; top++) {
    for (let bottom = top + distance + 1; bottom <= end; bottom++) {
      const edge = lines > 0 ? bottom - distance : top + distance;
      const savedAbove = (above[edge] ?? 0) - (above[top] ?? 0);
      const savedHere = savedAbove + (below[bottom] ?? 0) - (below[edge] ?? 0);
      if (savedHere <= saved) continue;
      saved = savedHere;
      scroll = {top, bottom, lines};
    }
  }
  return scroll === undefined ? undefined : {scroll, saved: saved - cost};
}

/** Returns the rows that the screen shows after a movement. */
export function scrolledCells(before: readonly ScreenRow[], {top, bottom, lines}: Scroll): ScreenRow['cells'][] {
  const blank = blankCells(before[0]?.cells.length ?? 0);
  return before.map(({cells}, y) => {
    if (y < top || y >= bottom) return cells;
    const source = y + lines;
    return source < top || source >= bottom ? blank : (before[source]?.cells ?? blank);
  });
}

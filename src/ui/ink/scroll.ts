import {blankCell} from './cell-style.ts';
import type {LineCells} from './line-cells.ts';
import {updateBytes} from './row-update.ts';
import {type ScreenRow, visibleEnd} from './screen-row.ts';

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
  let best: {readonly scroll: Scroll; readonly saved: number} | undefined;
  for (const lines of likelyShifts(before, after, changed)) {
    const found = bestRegion(before, after, lines);
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
  return [...columnsByShift]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxShifts)
    .map(([shift]) => shift);
}

/**
 * Returns the region in which moving rows by `lines` saves most. The first row of the screen never moves: many terminals
 * put rows that leave the screen at its top into their history.
 */
function bestRegion(
  before: readonly ScreenRow[],
  after: readonly ScreenRow[],
  lines: number,
): {readonly scroll: Scroll; readonly saved: number} | undefined {
  const distance = Math.abs(lines);
  // Sums of the bytes saved in all rows above a row, if each has moved, or if each is new.
  const [movedSums, newSums] = [[0], [0]];
  const blank = blankCells(after[0]?.cells.length ?? 0);
  for (const [y, {cells}] of after.entries()) {
    const plain = updateBytes(before[y]?.cells ?? blank, cells);
    const source = y === 0 || y + lines < 1 ? undefined : before[y + lines];
    const moved = source === undefined ? impossible : updateBytes(source.cells, cells);
    movedSums.push((movedSums[y] ?? 0) + plain - moved);
    newSums.push((newSums[y] ?? 0) + plain - updateBytes(blank, cells));
  }
  const between = (sums: readonly number[], from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0);
  let best: {readonly scroll: Scroll; readonly saved: number} | undefined;
  for (let top = 1; top < after.length; top++) {
    for (let bottom = top + distance + 1; bottom <= after.length; bottom++) {
      const edge = lines > 0 ? bottom - distance : top + distance;
      const rows =
        lines > 0
          ? between(movedSums, top, edge) + between(newSums, edge, bottom)
          : between(newSums, top, edge) + between(movedSums, edge, bottom);
      const saved = rows - scrollBytes - 2 * distance;
      if (saved > (best?.saved ?? 0)) best = {scroll: {top, bottom, lines}, saved};
    }
  }
  return best;
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

let blanks: ScreenRow['cells'] = [];

/** Returns the cells of an erased row. */
export function blankCells(columns: number): ScreenRow['cells'] {
  if (blanks.length !== columns) blanks = Array.from({length: columns}, () => blankCell);
  return blanks;
}

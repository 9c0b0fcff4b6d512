import {type GraphemeWidths, graphemeWidths, isLatin} from '#content/styled-text/text-width.ts';

/**
 * Where a cursor may stand. A line break is a character of its own; the others are the cells that lines are made of, so
 * that what one key moves over is what one place on the screen shows.
 */

interface CachedLineCells {
  readonly line: string;
  readonly cells: GraphemeWidths;
}

/** Text is looked at several times for each key: by the edit, by the layout, by the cursor. */
let latest: CachedLineCells = {line: '', cells: graphemeWidths('')};

/** The characters of one line. Those without a column of their own belong to the one before. */
export function lineCells(line: string): GraphemeWidths {
  if (latest.line !== line) {
    latest = {
      line,
      cells: isLatin(line) ? latinCells(line.length) : withMarksJoined(line, graphemeWidths(line)),
    };
  }
  return latest.cells;
}

function latinCells(length: number): GraphemeWidths {
  const ends = new Array<number>(length);
  for (let i = 0; i < length; i++) ends[i] = i + 1;
  return {ends, columns: new Array<number>(length).fill(1)};
}

interface LineAtOffset extends GraphemeWidths {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

let nearest: LineAtOffset = {text: '', start: 0, end: 0, ...latest.cells};

/** The line around an offset. Going through a line step by step compares no more than the identity of its text. */
function lineAround(text: string, at: number): LineAtOffset {
  if (nearest.text !== text || at < nearest.start || at > nearest.end) {
    const [start, end] = [lineStart(text, at), lineEnd(text, at)];
    nearest = {text, start, end, ...lineCells(text.slice(start, end))};
  }
  return nearest;
}

const mark = /^[\p{M}\u200c\u200d]/u;
const bearsNoMark = /^[\p{Cc}\u2028\u2029]/u;

/** A cluster that is divided for its width leaves marks behind. */
function withMarksJoined(line: string, cells: GraphemeWidths): GraphemeWidths {
  if (!cells.columns.includes(0)) return cells;
  const ends: number[] = [];
  const columns: number[] = [];
  for (let i = 0; i < cells.ends.length; i++) {
    const [start, end, wide] = [cells.ends[i - 1] ?? 0, cells.ends[i] ?? 0, cells.columns[i] ?? 0];
    const last = line.slice(ends.at(-2) ?? 0, ends.at(-1) ?? 0);
    if (wide === 0 && last !== '' && !bearsNoMark.test(last) && mark.test(line.slice(start, end))) {
      ends[ends.length - 1] = end;
    } else {
      ends.push(end);
      columns.push(wide);
    }
  }
  return {ends, columns};
}

export function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** The nearest boundary after `at`, or the end. */
export function boundaryAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (text[at] === '\n' || isLatin(text.slice(at, at + 2))) return at + 1;
  return boundaryFrom(text, at + 1);
}

/** The nearest boundary before `at`, or the start. */
export function boundaryBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  if (text[at - 1] === '\n' || isLatin(text.slice(Math.max(0, at - 2), at))) return at - 1;
  const {start, ends} = lineAround(text, at);
  return start + (ends[firstFrom(ends, at - start) - 1] ?? 0);
}

/** `at` itself where it is a boundary, else the next one. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  if (text[at - 1] === '\n' || text[at] === '\n' || isLatin(text.slice(at - 1, at + 1))) return at;
  const {start, ends} = lineAround(text, at);
  return start + (ends[firstFrom(ends, at - start)] ?? 0);
}

/** `at` itself where it is a boundary, else the one before. */
export function boundaryUntil(text: string, at: number): number {
  const from = boundaryFrom(text, at);
  return from > at ? boundaryBefore(text, at) : from;
}

/** Index of the first of these ascending numbers that is not less; their count when all are. */
export function firstFrom(ascending: readonly number[], least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

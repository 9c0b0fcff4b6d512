import {clusterWidthsVersion, type GraphemeWidths, graphemeWidths, isLatin} from '#content/styled-text/text-width.ts';
import {segmenter} from '#std/segmenter.ts';

/**
 * The cells of the last line looked at. A cursor stands between cells: a line break is a separate cell, and the others
 * are those that rows are made of, so that one key moves over one character on the screen.
 */

interface CachedLineCells {
  readonly line: string;
  readonly version: number;
  readonly cells: GraphemeWidths;
}

/** Cached, because the edit, the layout and the cursor look at the same line for each key. */
let latest: CachedLineCells = {line: '', version: 0, cells: graphemeWidths('')};

/** Returns the cells of a line. Zero-width characters belong to the cell before them. */
export function lineCells(line: string): GraphemeWidths {
  if (latest.line !== line || latest.version !== clusterWidthsVersion()) {
    latest = {
      line,
      version: clusterWidthsVersion(),
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

/** Returns the line around an offset. Moving through a line step by step only compares the identity of its text. */
function lineAround(text: string, at: number): LineAtOffset {
  if (nearest.text !== text || at < nearest.start || at > nearest.end) {
    const [start, end] = [lineStart(text, at), lineEnd(text, at)];
    nearest = {text, start, end, ...lineCells(text.slice(start, end))};
  }
  return nearest;
}

const mark = /^[\p{M}\u200c\u200d]/u;
const takesNoMark = /^[\p{Cc}\u2028\u2029]/u;

/** Joins combining marks to the cell before them, which splitting a cluster by width has separated. */
function withMarksJoined(line: string, cells: GraphemeWidths): GraphemeWidths {
  if (!cells.columns.includes(0)) return cells;
  const ends: number[] = [];
  const columns: number[] = [];
  for (let i = 0; i < cells.ends.length; i++) {
    const start = cells.ends[i - 1] ?? 0;
    const end = cells.ends[i] ?? 0;
    const columnCount = cells.columns[i] ?? 0;
    const last = line.slice(ends.at(-2) ?? 0, ends.at(-1) ?? 0);
    if (columnCount === 0 && last !== '' && !takesNoMark.test(last) && mark.test(line.slice(start, end))) {
      ends[ends.length - 1] = end;
    } else {
      ends.push(end);
      columns.push(columnCount);
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

/** Returns the nearest boundary after `at`, or the end. */
export function boundaryAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (text[at] === '\n' || isLatin(text.slice(at, at + 2))) return at + 1;
  return boundaryFrom(text, at + 1);
}

/** Returns the nearest boundary before `at`, or the start. */
export function boundaryBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  if (text[at - 1] === '\n' || isLatin(text.slice(Math.max(0, at - 2), at))) return at - 1;
  const {start, ends} = lineAround(text, at);
  return start + (ends[firstFrom(ends, at - start) - 1] ?? 0);
}

/** Returns `at` if it is a boundary, else the next one. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  if (text[at - 1] === '\n' || text[at] === '\n' || isLatin(text.slice(at - 1, at + 1))) return at;
  const {start, ends} = lineAround(text, at);
  return start + (ends[firstFrom(ends, at - start)] ?? 0);
}

/** Returns `at` if it is a boundary, else the previous one. */
export function boundaryUntil(text: string, at: number): number {
  const from = boundaryFrom(text, at);
  return from > at ? boundaryBefore(text, at) : from;
}

/** Returns the index of the first number that is at least `min`; the count when there is none. */
export function firstFrom(ascending: readonly number[], min: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Character classes that word movement distinguishes: a word is a run of letters and digits, an emoji, or a run of
 * signs.
 */

type CharacterKind = 'space' | 'word' | 'emoji' | 'sign';

const wordStart = /^[\p{L}\p{N}\p{M}_]/u;
const emojiStart = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;
/** Scripts without spaces between words: a dictionary segments them, sometimes inside a grapheme. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** The maximum number of characters passed to the dictionary, because its cost grows with the length. */
const maxSegmentLength = 48;

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the start of the word before `at`: `foo.` and `-----` are one word each, of `a/b` it is the `b`. */
export function wordLeft(text: string, at: number): number {
  let offset = at;
  while (offset > 0 && kindBefore(text, offset) === 'space') offset = boundaryBefore(text, offset);
  const afterSigns = offset;
  while (offset > 0 && kindBefore(text, offset) === 'sign') offset = boundaryBefore(text, offset);
  if (offset > 0 && kindBefore(text, offset) === 'word') return runLeft(text, offset, true);
  if (offset < afterSigns || offset === 0) return offset;
  return boundaryBefore(text, offset);
}

/** Returns the end of the word after `at`. */
export function wordRight(text: string, at: number): number {
  let offset = at;
  while (offset < text.length && kindAfter(text, offset) === 'space') offset = boundaryAfter(text, offset);
  const beforeSigns = offset;
  while (offset < text.length && kindAfter(text, offset) === 'sign') offset = boundaryAfter(text, offset);
  if (offset < text.length && kindAfter(text, offset) === 'word') return runRight(text, offset, true);
  if (offset > beforeSigns || offset === text.length) return offset;
  return boundaryAfter(text, offset);
}

/** Returns the word that `at` is in or next to. */
export function wordAround(text: string, at: number): TextRange | undefined {
  const start = runLeft(text, at, false);
  const end = runRight(text, at, false);
  if (start === end) return undefined;
  const run = text.slice(start, end);
  if (!unspaced.test(run)) return {start, end};
  const words = wordsOf(run);
  const found = words.findLast((word) => word.start < at - start) ?? words[0] ?? {start: 0, end: run.length};
  return {start: boundaryUntil(text, start + found.start), end: boundaryFrom(text, start + found.end)};
}

/** Returns the run without spaces around `at`, such as a path or a URL. */
export function nonSpaceAround(text: string, at: number): TextRange | undefined {
  let [start, end] = [at, at];
  while (start > 0 && kindBefore(text, start) !== 'space') start = boundaryBefore(text, start);
  while (end < text.length && kindAfter(text, end) !== 'space') end = boundaryAfter(text, end);
  return start === end ? undefined : {start, end};
}

function runLeft(text: string, at: number, isOneWord: boolean): number {
  let offset = at;
  let count = 0;
  while (offset > 0 && kindBefore(text, offset) === 'word') {
    const before = boundaryBefore(text, offset);
    if (unspaced.test(text.slice(before, offset)) && ++count > maxSegmentLength) break;
    offset = before;
  }
  if (!isOneWord || count === 0) return offset;
  return boundaryUntil(text, offset + (wordsOf(text.slice(offset, at)).at(-1)?.start ?? 0));
}

function runRight(text: string, at: number, isOneWord: boolean): number {
  let offset = at;
  let count = 0;
  while (offset < text.length && kindAfter(text, offset) === 'word') {
    const after = boundaryAfter(text, offset);
    if (unspaced.test(text.slice(offset, after)) && ++count > maxSegmentLength) break;
    offset = after;
  }
  if (!isOneWord || count === 0) return offset;
  return boundaryFrom(text, at + (wordsOf(text.slice(at, offset))[0]?.end ?? 0));
}

function wordsOf(run: string): TextRange[] {
  return Array.from(segmenter('word').segment(run), ({index, segment}) => ({
    start: index,
    end: index + segment.length,
  }));
}

function kindBefore(text: string, at: number): CharacterKind {
  return kindOf(text, boundaryBefore(text, at), at);
}

function kindAfter(text: string, at: number): CharacterKind {
  return kindOf(text, at, boundaryAfter(text, at));
}

function kindOf(text: string, start: number, end: number): CharacterKind {
  const character = text.slice(start, end);
  if (character.trim() === '') return 'space';
  if (wordStart.test(character)) return 'word';
  if (emojiStart.test(character)) return 'emoji';
  // An apostrophe inside a word, as in "don't", belongs to the word.
  const isApostrophe = character === "'" || character === '\u2019';
  const joins =
    isApostrophe && wordStart.test(text.slice(boundaryBefore(text, start), start)) && wordStart.test(text.slice(end));
  return joins ? 'word' : 'sign';
}

/**
 * The order of text in right-to-left scripts (Hebrew, Arabic and others) by the Unicode algorithm. Lines are made, wrapped and
 * searched in the order in which text is read; only what is painted is ordered for the eye.
 */

import makeBidi from 'bidi-js/dist/bidi.mjs';
import {hasRightToLeft, isolateEnd, isolateStart, withoutIsolates} from '#std/composed-text.ts';
import {memoByObject} from '#std/memo.ts';
import {once} from '#std/once.ts';
import type {Line, Paragraph, Span} from './line.ts';
import {firstStrong, isolatedValue, isRightToLeft} from './right-to-left.ts';
import {graphemeWidths, textColumns} from './text-width.ts';

/** Made on first use: reading its tables takes 10 ms. */
const bidi = once(makeBidi);

/** The cells of a text as they are painted. */
interface VisualCells {
  /** The end of each cell, in the order of the text. */
  readonly ends: readonly number[];
  /** The cells from left to right, as indexes into `ends`. */
  readonly order: readonly number[];
  /** The level of each cell: odd ones are read from right to left. */
  readonly levels: Uint8Array;
}

/** No message is longer. Longer texts are ordered line by line, so that a paint takes a bounded time. */
const maxParagraphLength = 10_000;

/** Orders the part of a paragraph that is on one line. `ends`: the cells of the part. */
export function paragraphCells(paragraph: Paragraph, at: number, ends: readonly number[]): VisualCells {
  const base = isRightToLeft(paragraph) ? 1 : 0;
  const length = ends.at(-1) ?? 0;
  const isLong = paragraph.text.length > maxParagraphLength;
  const text = isLong ? paragraph.text.slice(at, at + length) : paragraph.text;
  const all = isLong ? levelsOf(text, base) : paragraphLevels(paragraph, base);
  const start = isLong ? 0 : at;
  const levels = Uint8Array.from(ends, (_, cell) => all[start + (ends[cell - 1] ?? 0)] ?? base);
  // Spaces at the end of a line are at the end of the paragraph's direction.
  for (let cell = ends.length - 1; cell >= 0 && /\s/.test(text[start + (ends[cell - 1] ?? 0)] ?? ''); cell--) {
    levels[cell] = base;
  }
  return {ends, order: visualOrder(levels), levels};
}

const paragraphLevels = memoByObject(({text}: Paragraph, base: 0 | 1) => levelsOf(text, base));

/** Returns the level of each code unit. A cell has one level: that of its first character, with which the others are shown. */
function levelsOf(text: string, base: 0 | 1): Uint8Array {
  const {ends} = graphemeWidths(text);
  const first = ends.map((_, cell) => plainCharacter(text.codePointAt(ends[cell - 1] ?? 0) ?? 0)).join('');
  const {levels} = bidi().getEmbeddingLevels(first, base === 1 ? 'rtl' : 'ltr');
  const byUnit = new Uint8Array(text.length);
  for (const [cell, end] of ends.entries()) byUnit.fill(levels[cell] ?? base, ends[cell - 1] ?? 0, end);
  return byUnit;
}

/** Returns a character of the same direction in one code unit: bidi-js reads units, and takes halves of a pair for Latin. */
function plainCharacter(point: number): string {
  const character = String.fromCodePoint(point);
  if (character.length === 1) return character;
  if (hasRightToLeft(character)) return 'א';
  return firstStrong.test(character) ? 'a' : '☆';
}

/** Returns the cells from left to right: from the highest level on, all sequences of at least this level are reversed. */
function visualOrder(levels: Uint8Array): number[] {
  const order = Array.from(levels, (_, cell) => cell);
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && (levels[to] ?? 0) >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to;
    }
  }
  return order;
}

/** Between the parts of a line around messages: two spaces, or a sign with spaces. Each part has its own direction. */
const partSeparator = /\s{2,}|\s[›>·—│|]\s/g;
/** Marks before a name, such as `#`, which stay before it, and spaces after it, which fill a column. */
const partText = /^[^\p{L}\p{N}\p{M}\p{Ps}\p{Pi}"'\u2068]*(.*?)\s*$/u;

/** Returns the parts of a text around messages that have right-to-left characters. The values of a composed text are not divided. */
function fieldParts(text: string): (readonly [start: number, end: number])[] {
  const parts: [number, number][] = [];
  const whole = text.replaceAll(isolatedValue, (value) => isolateStart.padEnd(value.length, 'x'));
  let start = 0;
  const add = (end: number) => {
    const part = whole.slice(start, end);
    const core = hasRightToLeft(part) ? (partText.exec(part)?.[1] ?? '') : '';
    if (core === '') return;
    const from = start + part.lastIndexOf(core);
    parts.push([from, from + core.length]);
  };
  for (const {0: separator, index} of whole.matchAll(partSeparator)) {
    add(index);
    start = index + separator.length;
  }
  add(text.length);
  return parts;
}

/** Orders a text around messages, such as a name or the row of a list: each part on its own, in its place. */
function fieldCells(text: string, ends: readonly number[] = graphemeWidths(text).ends): VisualCells {
  const order = ends.map((_, cell) => cell);
  const levels = new Uint8Array(ends.length);
  for (const [start, end] of fieldParts(text)) {
    const from = ends.findIndex((cellEnd) => cellEnd > start);
    const to = ends.findIndex((cellEnd) => cellEnd >= end) + 1;
    const own = ends.slice(from, to).map((cellEnd) => cellEnd - start);
    const part = paragraphCells({text: text.slice(start, end), width: 0}, 0, own);
    levels.set(part.levels, from);
    order.splice(from, to - from, ...part.order.map((cell) => cell + from));
  }
  return {ends, order, levels};
}

/** Consecutive spans that are ordered together. */
interface Group<R extends string> {
  readonly spans: Span<R>[];
  readonly text: string;
  readonly paragraph: Paragraph | undefined;
}

function groupsOf<R extends string>(spans: readonly Span<R>[]): Group<R>[] {
  const groups: Span<R>[][] = [];
  for (const span of spans) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && isOfOnePart(before, span)) last.push(span);
    else groups.push([span]);
  }
  return groups.map((group) => {
    const text = group.map((span) => span.text).join('');
    const {paragraph, at = 0} = group[0] ?? {};
    // A line that was cut or changed after it was wrapped is no longer a part of its paragraph.
    return {spans: group, text, paragraph: paragraph?.text.startsWith(text, at) ? paragraph : undefined};
  });
}

/** Returns whether two neighbours are ordered together. Around messages, what a filter has found is a part of its name. */
function isOfOnePart(one: Span<string>, other: Span<string>): boolean {
  if (one.paragraph !== undefined || other.paragraph !== undefined) return one.paragraph === other.paragraph;
  const isBlank = one.text.trim() === '' || other.text.trim() === '';
  return !isBlank && (one.role === other.role || one.role === 'matched' || other.role === 'matched');
}

/** Returns the spans of a line with its groups painted, and the margin before a paragraph that begins at the right. */
function paintGroups<R extends string>(
  line: Line<R | 'text'>,
  paint: (group: Group<R | 'text'>) => readonly Span<R | 'text'>[],
): readonly Span<R | 'text'>[] {
  const groups = groupsOf(line.spans);
  const painted = (group: Group<R | 'text'>) => (group.spans.some(isOrdered) ? paint(group) : group.spans);
  const at = groups.findLastIndex(({paragraph}) => paragraph !== undefined && isRightToLeft(paragraph));
  if (at < 0) return groups.flatMap(painted);
  const [shown, gap, ...after] = groups.splice(at);
  if (shown?.paragraph === undefined) return line.spans;
  // What follows keeps its column: the space before it is on the other side of the paragraph then.
  const [blank] = gap?.spans ?? [];
  const room = gap === undefined ? shown.paragraph.width : blank?.text.trim() === '' ? blank.text.length - 1 : 0;
  const free = Math.max(0, Math.min(room, shown.paragraph.width - textColumns(shown.text)));
  // The mark of a list's item stands where its paragraph begins, too.
  const marks: Span<R | 'text'>[] = [];
  while (groups.at(-1)?.spans.every(({role}) => role === 'bullet'))
    marks.push(...(groups.pop()?.spans ?? []).toReversed());
  return [
    ...groups.flatMap(painted),
    ...(free > 0 ? [{text: ' '.repeat(free), role: 'text' as const}] : []),
    ...paint(shown),
    ...marks.map((mark) => ({...mark, text: mark.text.match(/\d+|./gu)?.reverse().map(mirrored).join('') ?? ''})),
    ...(free > 0 && blank !== undefined
      ? [{...blank, text: blank.text.slice(free)}]
      : gap === undefined
        ? []
        : painted(gap)),
    ...after.flatMap(painted),
  ];
}

/** Returns the line as it is painted in a terminal that shows characters in the order in which they are written. */
export function reorderedLine<R extends string, L extends Line<R | 'text'>>(line: L): L {
  if (!line.spans.some(isOrdered)) return line;
  const spans = paintGroups<R>(line, (group) => {
    const {ends} = graphemeWidths(group.text);
    const {paragraph} = group;
    if (paragraph === undefined) return paintedSpans(group, fieldCells(group.text, ends));
    return paintedSpans(group, paragraphCells(paragraph, group.spans[0]?.at ?? 0, ends));
  });
  return {...line, spans, width: spans.reduce((total, {text}) => total + textColumns(text), 0)};
}

const digit = /^\p{Nd}/u;

/**
 * Returns the line for a terminal that shapes each run of a font by itself, and reverses it if its letters are read from right to
 * left, as kitty 0.26 does unless `force_ltr` is set: the letters between two blanks are written in the order of reading. What touches
 * them (signs, digits, Latin letters) would be reversed with them where one font has both. It is written in italics, which are another
 * font, so it is a run of its own and stays as it is, whichever fonts there are.
 */
export function wordOrderedLine<R extends string, L extends Line<R | 'text'>>(line: L): L {
  const visual = reorderedLine<R, L>(line);
  if (visual === line) return line;
  const cells = visual.spans.flatMap((span) => {
    const {ends} = graphemeWidths(span.text);
    return ends.map((end, cell) => ({span, text: span.text.slice(ends[cell - 1] ?? 0, end)}));
  });
  const isLetter = (cell: number) => {
    const {text = ''} = cells[cell] ?? {};
    return hasRightToLeft(text) && !digit.test(text);
  };
  const isBlank = (cell: number) => (cells[cell]?.text ?? ' ') === ' ';
  const spans: Span<R | 'text'>[] = [];
  let last: Span<R | 'text'> | undefined;
  const add = (cell: number, text: string, isItalic: boolean) => {
    const {span} = cells[cell] ?? {};
    if (span === undefined) return;
    const before = spans.at(-1);
    const isSame = last === span && (before?.italic === true) === (isItalic || span.italic === true);
    if (before !== undefined && isSame) spans[spans.length - 1] = {...before, text: before.text + text};
    else spans.push({...span, text, ...(isItalic && {italic: true})});
    last = span;
  };
  for (let from = 0, to = 0; from < cells.length; from = to) {
    for (to = from + 1; to < cells.length && isBlank(to) === isBlank(from); ) to++;
    const word = Array.from({length: to - from}, (_, at) => from + at);
    const hasLetters = word.some(isLetter);
    for (let at = from; at < to; ) {
      let end = at;
      while (end < to && isLetter(end)) end++;
      // The styles stay: the terminal shows the last letter in the first cell, and with its style.
      for (let cell = at; cell < end; cell++) add(cell, cells[at + end - 1 - cell]?.text ?? '', false);
      if (end === at) add(at, cells[at]?.text ?? '', hasLetters && cells[at]?.span.image === undefined);
      at = Math.max(end, at + 1);
    }
  }
  return {...visual, spans};
}

function isOrdered({text, paragraph}: Span<string>): boolean {
  return paragraph !== undefined || hasRightToLeft(text);
}

/** Returns the spans in the order of the cells. Each character keeps the span it belongs to. */
function paintedSpans<R extends string>({spans, text}: Group<R>, {ends, order, levels}: VisualCells): Span<R>[] {
  const spanEnds: number[] = [];
  for (const span of spans) spanEnds.push((spanEnds.at(-1) ?? 0) + span.text.length);
  const painted: {span: Span<R>; text: string}[] = [];
  for (const cell of order) {
    const end = ends[cell] ?? 0;
    if (withoutIsolates(text.charAt(end - 1)) === '') continue;
    for (let from = ends[cell - 1] ?? 0; from < end; ) {
      const index = spanEnds.findIndex((spanEnd) => spanEnd > from);
      const to = Math.min(end, spanEnds[index] ?? end);
      const span = spans[index];
      if (span === undefined) break;
      const shown = ((levels[cell] ?? 0) & 1) === 1 ? mirrored(text.slice(from, to)) : text.slice(from, to);
      const last = painted.at(-1);
      if (last?.span === span) last.text += shown;
      else painted.push({span, text: shown});
      from = to;
    }
  }
  return painted.map(({span, text: shown}) => ({...span, text: shown}));
}

/** Returns a bracket or arrow that faces the other way; other characters as they are. */
function mirrored(cell: string): string {
  return (bidi().getMirroredCharacter(cell.charAt(0)) ?? cell.charAt(0)) + cell.slice(1);
}

const leftToRightIsolate = '\u2066';
const rightToLeftIsolate = '\u2067';

/** Returns the line for a terminal that orders characters itself: isolates keep its parts from changing each other's place. */
export function isolatedLine<R extends string, L extends Line<R | 'text'>>(line: L): L {
  if (!line.spans.some(isOrdered)) return line;
  const spans = paintGroups<R>(line, (group) => {
    const {paragraph, text} = group;
    if (paragraph === undefined) return isolatedSpans(group, fieldParts(text), isolateStart);
    const start = isRightToLeft(paragraph) ? rightToLeftIsolate : leftToRightIsolate;
    return isolatedSpans(group, [[0, text.length]], start);
  });
  return {...line, spans};
}

/** Returns the line for a reader of the text in its order. */
export function unorderedLine<R extends string, L extends Line<R | 'text'>>(line: L): L {
  if (!line.spans.some(isOrdered)) return line;
  return {...line, spans: line.spans.map((span) => ({...span, text: withoutIsolates(span.text)}))};
}

/** Encloses parts of the group's text in isolates. A part may begin in one span and end in another. */
function isolatedSpans<R extends string>(
  {spans}: Group<R>,
  parts: readonly (readonly [start: number, end: number])[],
  isolate: string,
): readonly Span<R>[] {
  let spanStart = 0;
  return spans.map((span) => {
    const from = spanStart;
    const to = from + span.text.length;
    spanStart = to;
    let [text, at] = ['', from];
    const add = (end: number, sign: string) => {
      text += span.text.slice(at - from, end - from) + sign;
      at = end;
    };
    for (const [start, end] of parts) {
      if (start >= from && start < to) add(start, isolate);
      if (end > from && end <= to) add(end, isolateEnd);
    }
    return {...span, text: text + span.text.slice(at - from)};
  });
}

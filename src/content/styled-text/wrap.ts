/** Wraps styled text into lines. */

import {hasRightToLeft} from '#std/composed-text.ts';
import {invariant} from '#std/invariant.ts';
import type {Line, Span, TextRole} from './line.ts';
import {eachGrapheme, isLatin, textColumns, widestCluster} from './text-width.ts';

interface WrapOptions<R extends string = TextRole> {
  readonly width: number;
  /** The prefixes of the first line and of the others; omitted when they would leave too little room for the text. */
  readonly first?: readonly Span<R>[];
  readonly rest?: readonly Span<R>[];
  /** Breaks lines anywhere and preserves every space, for code. */
  readonly verbatim?: boolean;
}

/** Prefixes always leave at least this many columns for the text. */
export const minTextColumns = 8;
/** Replaces a character that is wider than the whole line. */
export const tooWideMark = '·';

/** Wraps a paragraph without line breaks into one or more lines that are never wider than `options.width`. */
export function wrapSpans<R extends string = TextRole>(spans: readonly Span<R>[], options: WrapOptions<R>): Line<R>[] {
  const {first = [], rest = first, verbatim = false} = options;
  const firstColumns = spansColumns(first);
  const restColumns = spansColumns(rest);
  const columns = Math.max(firstColumns, restColumns);
  const width = Math.max(1, options.width);
  if (columns === 0 || width - columns < minTextColumns) return wrapBare(spans, width, verbatim);
  return wrapBare(spans, width - columns, verbatim).map((line, index) =>
    index === 0 ? prefixLine(line, first, firstColumns) : prefixLine(line, rest, restColumns),
  );
}

export function spansColumns(spans: readonly Span<string>[]): number {
  let total = 0;
  for (const {text} of spans) total += textColumns(text);
  return total;
}

/** Returns a line with a prefix. Without text after it the prefix loses its trailing spaces. */
export function prefixLine<R extends string>(
  line: Line<R>,
  prefix: readonly Span<R>[],
  columns: number = spansColumns(prefix),
): Line<R> {
  if (prefix.length === 0) return line;
  if (line.spans.length === 0) return trimmedLine(prefix, columns);
  return {spans: [...prefix, ...line.spans], width: columns + line.width};
}

/** Returns a line of these spans, `columns` wide, without spaces at its end. */
export function trimmedLine<R extends string>(
  spans: readonly Span<R>[],
  columns: number = spansColumns(spans),
): Line<R> {
  const trimmed = [...spans];
  let width = columns;
  for (let last = trimmed.pop(); last !== undefined; last = trimmed.pop()) {
    const text = last.text.trimEnd();
    const isWhole = text === last.text;
    if (!isWhole) width -= textColumns(last.text);
    if (text === '') continue;
    trimmed.push(isWhole ? last : {...last, text});
    if (!isWhole) width += textColumns(text);
    break;
  }
  return {spans: trimmed, width};
}

function wrapBare<R extends string>(bare: readonly Span<R>[], width: number, verbatim: boolean): Line<R>[] {
  const spans = withParagraph(bare, width, verbatim);
  const columns = columnsWithin(spans, width);
  if (columns > width) return new LineWrapper(spans, width, verbatim).lines();
  const hasSpace = /[ \u3000]$/.test(spans.at(-1)?.text ?? '');
  return [verbatim || !hasSpace ? {spans, width: columns} : trimmedLine(spans, columns)];
}

/** Adds the paragraph to its spans if it has right-to-left text: how a line of it is ordered depends on the others. */
function withParagraph<R extends string>(spans: readonly Span<R>[], width: number, isCode: boolean) {
  if (!spans.some(({text}) => hasRightToLeft(text))) return spans;
  const paragraph = {text: spans.map(({text}) => text).join(''), width, isCode};
  let next = 0;
  return spans.map((span): Span<R> => {
    const at = next;
    next += span.text.length;
    return {...span, paragraph, at};
  });
}

/** Returns the width of the spans, or infinity when their length already shows that they do not fit into one line. */
function columnsWithin(spans: readonly Span<string>[], width: number): number {
  let total = 0;
  for (const {text} of spans) {
    if (total > width || text.length > 2 * width + minTextColumns) return Number.POSITIVE_INFINITY;
    total += textColumns(text);
  }
  return total;
}

/**
 * Wraps a paragraph that needs several lines. It measures the text grapheme by grapheme (a cell each), finds the cells of
 * each line, and cuts the spans accordingly. Both continue where the last line ended.
 */
class LineWrapper<R extends string> {
  readonly #spans: readonly Span<R>[];
  readonly #text: string;
  readonly #width: number;
  readonly #verbatim: boolean;
  // The start offset of each cell, then the end of the text.
  readonly #starts: Int32Array;
  // The width of each cell, and a flag if no line may end before it.
  readonly #columns: Uint8Array;
  #count = 0;
  // The span where the next line starts, and the span's offset in the text.
  #span = 0;
  #spanStart = 0;

  constructor(spans: readonly Span<R>[], width: number, verbatim: boolean) {
    const isTight = width < widestCluster && spans.some(({text}) => !isLatin(text));
    this.#spans = isTight ? spans.map((span) => withoutTooWide(span, width)) : spans;
    this.#width = width;
    this.#verbatim = verbatim;
    let text = '';
    for (const span of this.#spans) text += span.text;
    this.#text = text;
    this.#starts = new Int32Array(text.length + 1);
    this.#columns = new Uint8Array(text.length);
    let start = 0;
    for (const span of this.#spans) {
      this.#add(span, start);
      start += span.text.length;
    }
  }

  #add({text, role}: Span<R>, start: number): void {
    const flag = role === 'link_number' ? noBreakBefore : 0;
    if (isLatin(text)) {
      for (let i = 1; i <= text.length; i++) {
        this.#columns[this.#count++] = 1 | flag;
        this.#starts[this.#count] = start + i;
      }
      return;
    }
    eachGrapheme(text, (end, columns) => {
      this.#columns[this.#count++] = columns | flag;
      this.#starts[this.#count] = start + end;
    });
  }

  lines(): Line<R>[] {
    const lines: Line<R>[] = [];
    const count = this.#count;
    const width = this.#width;
    const verbatim = this.#verbatim;
    let start = 0;
    let used = 0;
    let wordBreak = 0; // The last possible break on this line; `start` when there is none.
    let partBreak = 0; // The last possible break inside a long word.
    let onlySpaces = true;
    for (let i = 0; i < count; ) {
      const columns = this.#columnsOf(i);
      const isSpace = this.#isSpace(i);
      if (used > 0 && used + columns > width && (verbatim || !isSpace)) {
        const next = wordBreak > start ? wordBreak : partBreak > start ? partBreak : i;
        lines.push(this.#line(start, next));
        // The cells after the break are processed again: at most one line.
        i = start = wordBreak = partBreak = next;
        used = 0;
        continue;
      }
      used += columns;
      if (!isSpace) onlySpaces = false;
      if (!verbatim && !onlySpaces && i + 1 < count && this.#columnsOf(i + 1) > 0) {
        if (this.#mayBreakAfter(i, isSpace)) wordBreak = i + 1;
        else if (used * 2 > width && this.#isPartEnd(i)) partBreak = i + 1;
      }
      i++;
    }
    lines.push(this.#line(start, count));
    return lines;
  }

  #columnsOf(i: number): number {
    return (this.#columns[i] ?? 0) & ~noBreakBefore;
  }

  /** Returns the first code unit of a cell. */
  #code(i: number): number {
    return this.#text.charCodeAt(this.#starts[i] ?? 0);
  }

  #isOneUnit(i: number): boolean {
    return (this.#starts[i + 1] ?? 0) - (this.#starts[i] ?? 0) === 1;
  }

  #isSpace(i: number): boolean {
    const code = this.#code(i);
    // A space with a combining mark is not a space.
    return (code === 0x20 || code === 0x3000) && this.#isOneUnit(i);
  }

  #mayBreakAfter(i: number, isSpace: boolean): boolean {
    const next = this.#columns[i + 1] ?? 0;
    if (next >= noBreakBefore) return false;
    if (isSpace) return !this.#isSpace(i + 1);
    const code = this.#code(i);
    if (code === 0x2d || code === 0x2010 || code === 0x2014) {
      return code === 0x2014 || (i > 0 && isWordCharacter(this.#code(i - 1)) && isLetter(this.#code(i + 1)));
    }
    const isWide = next > 1 || this.#columnsOf(i) > 1;
    return (
      isWide &&
      (lineBreakFlags(this.#code(i + 1)) & cannotStartLine) === 0 &&
      (lineBreakFlags(code) & cannotEndLine) === 0
    );
  }

  #isPartEnd(i: number): boolean {
    return this.#endsPart(i) && !this.#endsPart(i + 1);
  }

  #endsPart(i: number): boolean {
    return (lineBreakFlags(this.#code(i)) & endsWordPart) !== 0 && this.#isOneUnit(i);
  }

  /** Returns the line of these cells. Lines must be requested in order, because earlier spans are skipped for good. */
  #line(from: number, to: number): Line<R> {
    let end = to;
    while (!this.#verbatim && end > from && this.#isSpace(end - 1)) end--;
    let width = 0;
    for (let i = from; i < end; i++) width += this.#columnsOf(i);
    const until = this.#starts[end] ?? 0;
    let at = this.#starts[from] ?? 0;
    if (at === until) return {spans: [], width};
    // Most lines have one span; an array created with it takes a tenth of the space of one that grows.
    const spans = [this.#part(at, until)];
    for (at = this.#spanEnd(); at < until; at = this.#spanEnd()) spans.push(this.#part(at, until));
    return {spans, width};
  }

  /** Returns the part of the span at `at` that is on the line. */
  #part(at: number, until: number): Span<R> {
    for (let end = this.#spanEnd(); end <= at; end = this.#spanEnd()) {
      this.#span++;
      this.#spanStart = end;
    }
    const span = this.#spans[this.#span];
    invariant(span !== undefined, 'A line ends where its spans do.');
    if (at === this.#spanStart && this.#spanEnd() <= until) return span;
    const from = at - this.#spanStart;
    const part = {...span, text: span.text.slice(from, until - this.#spanStart)};
    return span.at === undefined ? part : {...part, at: span.at + from};
  }

  #spanEnd(): number {
    return this.#spanStart + (this.#spans[this.#span]?.text.length ?? Number.POSITIVE_INFINITY);
  }
}

/** The flag of a cell that must stay on the line of the cell before it. */
const noBreakBefore = 8;

/**
 * Replaces characters that are wider than the whole line. The rest of a split cluster may form a new one, so the result is
 * checked again.
 */
function withoutTooWide<R extends string>(span: Span<R>, width: number): Span<R> {
  if (isLatin(span.text)) return span;
  let text = '';
  let start = 0;
  eachGrapheme(span.text, (end, columns) => {
    text += columns > width ? tooWideMark : span.text.slice(start, end);
    start = end;
  });
  return text === span.text ? span : withoutTooWide({...span, text}, width);
}

/** Flags of characters that decide where a line may break. */

/** Closing punctuation, small kana and spaces do not start a line; opening punctuation does not end one. */
export const notAtLineStart =
  /^[\s!),.:;?\]}%'"’”…‥、。〃々〉》」』】〕〗〙〟゛゜ゝゞーァィゥェォッャュョヮヵヶぁぃぅぇぉっゃゅょゎ・！），．：；？］｝｡｣､｠»]/u;
export const notAtLineEnd = /^[([{'"‘“〈《「『【〔〖〘〝（［｛｢｟«#@]/u;
const partEnds = /[/?&=#._\-,;:%+\\|@)]/;

// Bit flags.
const cannotStartLine = 1;
const cannotEndLine = 2;
/** The character ends a part of a long word, such as a URL. */
const endsWordPart = 4;
const isComputed = 8;
/** The flags of each code unit, 0 until computed. The patterns are too slow to test for each character. */
const flagsByUnit = new Uint8Array(0x10000);

function lineBreakFlags(unit: number): number {
  return flagsByUnit[unit] || computeLineBreakFlags(unit);
}

function computeLineBreakFlags(unit: number): number {
  const character = String.fromCharCode(unit);
  let flags = isComputed;
  if (notAtLineStart.test(character)) flags |= cannotStartLine;
  if (notAtLineEnd.test(character)) flags |= cannotEndLine;
  if (partEnds.test(character)) flags |= endsWordPart;
  flagsByUnit[unit] = flags;
  return flags;
}

function isWordCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
}

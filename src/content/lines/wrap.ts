import {cellsOf, isLatin, textColumns} from './cells.ts';
import type {Line, Role, Span} from './line.ts';

export interface WrapOptions<R extends string = Role> {
  readonly width: number;
  /** What stands before the first line and before the others. Left out where it would leave too little room. */
  readonly first?: readonly Span<R>[];
  readonly rest?: readonly Span<R>[];
  /** Breaks anywhere and keeps every space, as code wants it. */
  readonly verbatim?: boolean;
}

/** Prefixes never leave less than this for the text. */
export const leastText = 8;
/** Stands for a character that is wider than the whole line. */
export const tooWide = '·';

/** One paragraph without line breaks as lines that are never wider than asked for. Gives at least one line. */
export function wrap<R extends string = Role>(spans: readonly Span<R>[], options: WrapOptions<R>): Line<R>[] {
  const {first = [], rest = first, verbatim = false} = options;
  const columns = Math.max(spansColumns(first), spansColumns(rest));
  const width = Math.max(1, options.width);
  if (columns === 0 || width - columns < leastText) return wrapBare(spans, width, verbatim);
  return wrapBare(spans, width - columns, verbatim).map((line, index) =>
    prefixed(line, index === 0 ? first : rest),
  );
}

export function spansColumns(spans: readonly Span<string>[]): number {
  let total = 0;
  for (const {text} of spans) total += textColumns(text);
  return total;
}

/** Spaces at the end of a prefix say nothing when no text follows. */
export function prefixed<R extends string>(line: Line<R>, prefix: readonly Span<R>[]): Line<R> {
  if (prefix.length === 0) return line;
  if (line.spans.length === 0) return lineOf(prefix);
  return {spans: [...prefix, ...line.spans], width: spansColumns(prefix) + line.width};
}

/** A line of these spans, without spaces at its end. */
export function lineOf<R extends string>(spans: readonly Span<R>[]): Line<R> {
  const kept = [...spans];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const text = last.text.trimEnd();
    if (text === '') continue;
    kept.push(text === last.text ? last : {...last, text});
    break;
  }
  return {spans: kept, width: spansColumns(kept)};
}

function wrapBare<R extends string>(spans: readonly Span<R>[], width: number, verbatim: boolean): Line<R>[] {
  const columns = latinColumns(spans);
  if (columns > width) return new Wrapper(spans, width, verbatim).lines();
  return [verbatim || !spans.at(-1)?.text.endsWith(' ') ? {spans, width: columns} : lineOf(spans)];
}

/** Columns where they can be told without a closer look, else infinitely many: then the wrapper looks, once. */
function latinColumns(spans: readonly Span<string>[]): number {
  let total = 0;
  for (const {text} of spans) total += isLatin(text) ? text.length : Number.POSITIVE_INFINITY;
  return total;
}

class Wrapper<R extends string> {
  readonly #spans: Span<R>[] = [];
  readonly #width: number;
  readonly #verbatim: boolean;
  // One entry for each cell: its span, its place in the span's text, its columns.
  readonly #span: number[] = [];
  readonly #start: number[] = [];
  readonly #end: number[] = [];
  readonly #columns: number[] = [];

  constructor(spans: readonly Span<R>[], width: number, verbatim: boolean) {
    this.#width = width;
    this.#verbatim = verbatim;
    for (const span of spans) this.#add(span);
  }

  #add(span: Span<R>): void {
    let {ends, columns} = cellsOf(span.text);
    let {text} = span;
    if (columns.some((wide) => wide > this.#width)) {
      const characters = ends.map((end, i) =>
        (columns[i] ?? 0) > this.#width ? tooWide : text.slice(ends[i - 1] ?? 0, end),
      );
      text = characters.join('');
      ({ends, columns} = cellsOf(text));
    }
    const index = this.#spans.push(text === span.text ? span : {...span, text}) - 1;
    for (let i = 0; i < ends.length; i++) {
      this.#span.push(index);
      this.#start.push(ends[i - 1] ?? 0);
      this.#end.push(ends[i] ?? 0);
      this.#columns.push(columns[i] ?? 0);
    }
  }

  lines(): Line<R>[] {
    const lines: Line<R>[] = [];
    const count = this.#columns.length;
    let start = 0;
    let used = 0;
    let wordBreak = 0; // The last place on this line where a line may end; `start` when there is none.
    let partBreak = 0; // The same inside a long word.
    let onlySpaces = true;
    for (let i = 0; i < count; ) {
      const columns = this.#columns[i] ?? 0;
      const isSpace = this.#isSpace(i);
      if (used + columns > this.#width && (this.#verbatim || !isSpace)) {
        const next = wordBreak > start ? wordBreak : partBreak > start ? partBreak : i;
        lines.push(this.#line(start, next));
        // What was carried over is looked at again: at most one line.
        i = start = wordBreak = partBreak = next;
        used = 0;
        continue;
      }
      used += columns;
      if (!isSpace) onlySpaces = false;
      if (!this.#verbatim && !onlySpaces && i + 1 < count && (this.#columns[i + 1] ?? 0) > 0) {
        if (this.#mayBreakAfter(i)) wordBreak = i + 1;
        else if (used * 2 > this.#width && this.#isPartEnd(i)) partBreak = i + 1;
      }
      i++;
    }
    lines.push(this.#line(start, count));
    return lines;
  }

  #character(i: number): string {
    return this.#spans[this.#span[i] ?? 0]?.text.slice(this.#start[i], this.#end[i]) ?? '';
  }

  #code(i: number): number {
    return this.#spans[this.#span[i] ?? 0]?.text.charCodeAt(this.#start[i] ?? 0) ?? 0;
  }

  #isSpace(i: number): boolean {
    const code = this.#code(i);
    // A space with a mark on it is no space.
    return (code === 0x20 || code === 0x3000) && (this.#end[i] ?? 0) - (this.#start[i] ?? 0) === 1;
  }

  #mayBreakAfter(i: number): boolean {
    if (this.#spans[this.#span[i + 1] ?? 0]?.role === 'link_number') return false;
    if (this.#isSpace(i)) return !this.#isSpace(i + 1);
    const code = this.#code(i);
    if (code === 0x2d || code === 0x2010 || code === 0x2014) {
      return code === 0x2014 || (i > 0 && isWordCharacter(this.#code(i - 1)) && isLetter(this.#code(i + 1)));
    }
    const isWide = (this.#columns[i] ?? 0) > 1 || (this.#columns[i + 1] ?? 0) > 1;
    return isWide && !neverFirst.test(this.#character(i + 1)) && !neverLast.test(this.#character(i));
  }

  #isPartEnd(i: number): boolean {
    return partEnds.includes(this.#character(i)) && !partEnds.includes(this.#character(i + 1));
  }

  #line(from: number, to: number): Line<R> {
    const spans: Span<R>[] = [];
    let end = to;
    while (!this.#verbatim && end > from && this.#isSpace(end - 1)) end--;
    let width = 0;
    for (let i = from; i < end; ) {
      const index = this.#span[i] ?? 0;
      const span = this.#spans[index];
      const start = i;
      for (; i < end && this.#span[i] === index; i++) width += this.#columns[i] ?? 0;
      if (span === undefined) continue;
      const text = span.text.slice(this.#start[start], this.#end[i - 1]);
      spans.push(text === span.text ? span : {...span, text});
    }
    return {spans, width};
  }
}

/** Closing marks, small kana and the like do not begin a line, opening ones do not end it. Spaces belong before. */
export const neverFirst =
  /^[\s!),.:;?\]}%'"’”…‥、。〃々〉》」』】〕〗〙〟゛゜ゝゞーァィゥェォッャュョヮヵヶぁぃぅぇぉっゃゅょゎ・！），．：；？］｝｡｣､｠»]/u;
export const neverLast = /^[([{'"‘“〈《「『【〔〖〘〝（［｛｢｟«#@]/u;
const partEnds = '/?&=#._-,;:%+\\|@)';

function isWordCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
}

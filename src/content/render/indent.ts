import type {Line, Span} from '#content/styled-text/line.ts';
import {minTextColumns, prefixLine, spansColumns} from '#content/styled-text/wrap.ts';

/** The prefix of a block's lines: bars, bullets, spaces. `first` is used once, then `rest`, which is as wide. */
export class Indent {
  readonly width: number;
  readonly #rest: readonly Span[];
  readonly #columns: number;
  #first: readonly Span[] | undefined;
  #blank: Line | undefined;

  constructor(width: number, first: readonly Span[] = [], rest: readonly Span[] = []) {
    this.width = width;
    this.#first = first;
    this.#rest = rest;
    this.#columns = spansColumns(rest);
  }

  /** Returns this indent plus another, whose parts must be equally wide; undefined when too little room would be left. */
  nested(first: readonly Span[], rest: readonly Span[]): Indent | undefined {
    const width = this.width - spansColumns(rest);
    if (width < minTextColumns) return undefined;
    return new Indent(width, joined(this.#take(), first), joined(this.#rest, rest));
  }

  indentLine(line: Line): Line {
    if (this.#first === undefined && line.spans.length === 0) {
      this.#blank ??= prefixLine(line, this.#rest, this.#columns);
      return this.#blank;
    }
    return prefixLine(line, this.#take(), this.#columns);
  }

  #take(): readonly Span[] {
    const first = this.#first;
    this.#first = undefined;
    return first ?? this.#rest;
  }
}

/** Joins two prefixes. Adjacent bars become one span, so that deep quotes stay cheap. */
function joined(before: readonly Span[], after: readonly Span[]): readonly Span[] {
  const last = before.at(-1);
  const next = after[0];
  if (last === undefined || next === undefined || last.role !== next.role) return [...before, ...after];
  return [...before.slice(0, -1), {...last, text: last.text + next.text}, ...after.slice(1)];
}

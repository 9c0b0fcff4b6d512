import {printableCodeLines} from '#content/highlight/highlight-code.ts';
import {formulaLines} from '#content/math/formula-text.ts';
import {plainText} from '#content/plain-text.ts';
import type {ImageRow, ImageSource, Line, Span} from '#content/styled-text/line.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {minTextColumns, prefixLine, spansColumns, wrapSpans} from '#content/styled-text/wrap.ts';
import type {CodeBlockToken, InlineToken, ListToken, MessageToken, SpoilerToken, TableToken} from '#content/tokens.ts';
import {memoByObject} from '#std/memo.ts';
import type {Glyphs} from './glyphs.ts';
import {InlineWriter, type SpanStyle, type WriterContext} from './inline-writer.ts';
import {tableLines} from './table-lines.ts';

/** Writes block tokens as lines. */
export class BlockWriter {
  readonly lines: Line[] = [];
  readonly inline: InlineWriter;
  readonly #writerContext: WriterContext;

  constructor(writerContext: WriterContext) {
    this.#writerContext = writerContext;
    this.inline = new InlineWriter(writerContext);
  }

  writeBlocks(tokens: readonly MessageToken[], indent: Indent, style: SpanStyle, depth = 0): void {
    let previous: MessageToken | undefined;
    for (const token of tokens) {
      if (previous !== undefined && needsBlankLine(previous, token)) this.#writeWrapped([], indent);
      this.#block(token, indent, style, depth);
      previous = token;
    }
  }

  /** Adds lines one by one: a call with very many arguments overflows the stack. */
  addLines(lines: readonly Line[]): void {
    for (const line of lines) this.lines.push(line);
  }

  /** Writes a paragraph of prepared spans. A line break at its end shows nothing, as in a browser. */
  writeParagraph(lines: readonly (readonly Span[])[], indent: Indent): void {
    const endsWithBreak = lines.length > 1 && lines.at(-1)?.length === 0;
    for (const spans of endsWithBreak ? lines.slice(0, -1) : lines) {
      this.#writeWrapped(spans, indent);
      for (const {preview} of spans) if (preview !== undefined) this.#image(preview, indent);
    }
  }

  /** Reserves the rows of an image. */
  #image(source: ImageSource, indent: Indent): void {
    const box = this.#writerContext.options.imageBox?.(source, indent.width);
    if (box === undefined) return;
    const text = ' '.repeat(box.columns);
    for (let row = 0; row < box.rows; row++) {
      const image: ImageRow = {href: source.href, ...box, row, room: indent.width};
      this.lines.push(indent.indentLine({spans: [{text, role: 'text', image}], width: box.columns}));
    }
  }

  #block(token: MessageToken, indent: Indent, style: SpanStyle, depth: number): void {
    const {glyphs} = this.#writerContext;
    switch (token.type) {
      case 'paragraph':
      case 'tight_text':
        this.writeParagraph(this.inline.lineSpans(token.children, style), indent);
        break;
      case 'heading':
        this.writeParagraph(this.inline.lineSpans(token.children, {...style, role: 'heading', bold: true}), indent);
        break;
      case 'rule':
        this.lines.push(indent.indentLine(ruler(glyphs, indent.width)));
        break;
      case 'code_block':
        this.#code(token, indent);
        break;
      case 'math_block': {
        const lines = formulaLines(token.tex, glyphs.isAscii);
        this.writeParagraph(
          lines.map((line) => this.inline.text(line, {role: 'math'})),
          indent,
        );
        break;
      }
      case 'quote': {
        const bar: Span[] = [{text: `${glyphs.quoteBar} `, role: 'quote_bar'}];
        this.writeBlocks(token.children, indent.nested(bar, bar) ?? indent, {...style, role: 'quote'}, depth);
        break;
      }
      case 'spoiler':
        this.#spoiler(token, indent, style, depth);
        break;
      case 'list':
        this.#list(token, indent, style, depth);
        break;
      case 'table':
        this.#table(token, indent, style);
    }
  }

  #writeWrapped(spans: readonly Span[], indent: Indent, verbatim = false): void {
    for (const line of wrapSpans(spans, {width: indent.width, verbatim})) this.lines.push(indent.indentLine(line));
  }

  #code({language, text}: CodeBlockToken, indent: Indent): void {
    const {glyphs, options} = this.#writerContext;
    const bar: Span[] = [{text: `${glyphs.codeBar} `, role: 'quote_bar'}];
    const inner = indent.nested(bar, bar) ?? indent;
    const source = printableCodeLines(text);
    const maxLines = options.expanded === true ? undefined : options.maxCodeLines;
    const shownCount = maxLines !== undefined && source.length > maxLines ? Math.max(0, maxLines - 1) : source.length;
    const highlighted = language === undefined ? undefined : options.highlight?.(language, text);
    for (let i = 0; i < shownCount; i++) {
      const spans = highlighted?.[i] ?? [{text: source[i] ?? '', role: 'code_block' as const}];
      this.#writeWrapped(
        spans.flatMap((span) => this.inline.text(span.text, span)),
        inner,
        true,
      );
    }
    if (shownCount < source.length)
      this.#writeWrapped([note(`${glyphs.more} ${lineCountText(source.length - shownCount)}`)], inner);
  }

  #spoiler({header, children}: SpoilerToken, indent: Indent, style: SpanStyle, depth: number): void {
    const {glyphs, options} = this.#writerContext;
    const isOpen = options.expanded === true;
    const mark: Span = {text: `${isOpen ? glyphs.open : glyphs.closed} `, role: 'spoiler'};
    const bar: Span[] = [{text: '  ', role: 'spoiler'}];
    const inner = indent.nested([mark], bar) ?? indent;
    const title = this.#title(header, {...style, role: 'spoiler'});
    const titleSpans: Span[] = title.length === 0 ? [{text: 'Spoiler', role: 'spoiler'}] : title;
    if (isOpen) {
      this.#writeWrapped(titleSpans, inner);
      this.writeBlocks(children, inner, style, depth);
      return;
    }
    // The hidden content is rendered only to count its lines; its links are not numbered.
    const hidden = new BlockWriter(this.#writerContext);
    hidden.writeBlocks(children, new Indent(inner.width), style, depth);
    this.#writeWrapped([...titleSpans, note(` (spoiler, ${lineCountText(hidden.lines.length)})`)], inner);
  }

  /** Returns the header on one line, even if it has several blocks. */
  #title(header: readonly MessageToken[], style: SpanStyle): Span[] {
    return header.flatMap((token) => {
      const isText = token.type === 'paragraph' || token.type === 'heading' || token.type === 'tight_text';
      return isText ? this.inline.singleLineSpans(token.children, style) : this.inline.text(plainText([token]), style);
    });
  }

  #list({ordered, start, items}: ListToken, indent: Indent, style: SpanStyle, depth: number): void {
    const {bullets} = this.#writerContext.glyphs;
    const bullet = bullets[depth % bullets.length] ?? '*';
    const marks = items.map((_, index) => (ordered ? `${start + index}.` : bullet));
    const columns = marks.reduce((most, mark) => Math.max(most, mark.length), 0) + 1;
    const rest: Span[] = [{text: ' '.repeat(columns), role: 'bullet'}];
    items.forEach(({children}, index) => {
      const mark: Span = {text: `${marks[index] ?? bullet} `.padStart(columns), role: 'bullet'};
      const inner = indent.nested([mark], rest);
      if (inner !== undefined) {
        if (children.length === 0) this.#writeWrapped([], inner);
        this.writeBlocks(children, inner, style, depth + 1);
        return;
      }
      const [first, ...others] = children;
      const isText = first?.type === 'tight_text' || first?.type === 'paragraph';
      const [head = [], ...tail] = isText ? this.inline.lineSpans(first.children, style) : [];
      this.writeParagraph([[{...mark, text: mark.text.trimStart()}, ...head], ...tail], indent);
      this.writeBlocks(isText ? others : children, indent, style, depth + 1);
    });
  }

  #table(token: TableToken, indent: Indent, style: SpanStyle): void {
    const row = (cells: readonly (readonly InlineToken[])[], cellStyle: SpanStyle) =>
      cells.map((cell) => this.inline.singleLineSpans(cell, cellStyle));
    const table = {
      align: token.align,
      header: row(token.header, {...style, role: 'table_header', bold: true}),
      rows: token.rows.map((cells) => row(cells, style)),
    };
    for (const line of tableLines(table, indent.width, this.#writerContext.glyphs))
      this.lines.push(indent.indentLine(line));
  }
}

function note(text: string): Span {
  return {text: sanitizeText(text), role: 'note'};
}

export function lineCountText(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}

/** Kept, because a message may have thousands of rules. */
const ruler = memoByObject(
  ({rule}: Glyphs, width: number): Line => ({spans: [{text: rule.repeat(width), role: 'rule'}], width}),
);

/**
 * Returns whether a blank line separates two blocks. The parser drops the typed blank lines, and screen rows are scarce: only
 * blocks that would run together otherwise, such as two code blocks, are separated, and tables and headings.
 */
function needsBlankLine(before: MessageToken, after: MessageToken): boolean {
  if (after.type === 'heading' || after.type === 'table' || before.type === 'table') return true;
  return before.type === after.type && !needNoBlankLine.has(before.type);
}

/** Blocks that need no blank line between two of them. */
const needNoBlankLine: ReadonlySet<MessageToken['type']> = new Set(['heading', 'rule', 'spoiler', 'tight_text']);

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

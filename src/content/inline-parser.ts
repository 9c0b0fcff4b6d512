import type {MessageNames} from './message-names.ts';
import type {ParseContext} from './parse-context.ts';
import type {InlineToken} from './tokens.ts';

/** Rewrites `data` and moves the parts it recognises into the stash. `index` is the position of the pass in the order. */
export type InlinePass = (inline: InlineParser, data: string, index: number) => string;

// STX and ETX never occur in a source: normalizeWhitespace removes them.
const mark = /\u0002(\d+)\u0003/g;

/** Deeper styles stay text: later stages recurse. */
const maxDepth = 32;

/** What a mark stands for; `raw` is its source. */
type Stashed = {readonly raw: string} & (
  | {readonly kind: 'text'; readonly text: string}
  /** Tokens inside a text that do not divide it. */
  | {readonly kind: 'symbol'; readonly token: InlineToken}
  | {
      readonly kind: 'element';
      readonly data: string;
      readonly isAtomic: boolean;
      readonly wrap: Wrap;
      readonly depth: number;
    }
);

type Wrap = (children: InlineToken[]) => InlineToken;

/** Text and elements. No further pass applies to atomic text. */
type Piece = string | AtomicText | Element;
type AtomicText = {readonly atomic: string};
type Element = {readonly wrap: Wrap; pieces: Piece[]; visitCount: number};

function isElement(piece: Piece | undefined): piece is Element {
  return typeof piece === 'object' && 'wrap' in piece;
}

/**
 * Runs the inline passes over a text. A pass replaces each part it recognises by a mark that refers to its tokens.
 *
 * The server's parser then goes through the elements it found: the texts inside an element's children, and those between
 * them, pass through all rules once more. A rule that was kept from matching by what stands before (`**https://a.b**`) applies
 * then, because the text starts where the child ends: in ``**see `x` https://a.b**`` the URL is a link.
 */
export class InlineParser {
  readonly context: ParseContext;
  readonly names: MessageNames;
  readonly #stash: Stashed[] = [];
  readonly #passes: readonly InlinePass[];
  readonly #isPlain: (text: string) => boolean;

  constructor(
    passes: readonly InlinePass[],
    context: ParseContext,
    names: MessageNames,
    isPlain: (text: string) => boolean,
  ) {
    this.#passes = passes;
    this.context = context;
    this.names = names;
    this.#isPlain = isPlain;
  }

  /** Parses the text of a block. `besideBlocks`: the text and blocks are in one list item, and it is an element like others. */
  parse(text: string, besideBlocks: boolean): InlineToken[] {
    const root: Element = {wrap: () => ({type: 'line_break'}), pieces: this.#parsed(text), visitCount: 0};
    const found = root.pieces.filter(isElement);
    if (besideBlocks) this.#visit(root);
    for (const element of found) this.#visit(element);
    return this.#tokens(root.pieces);
  }

  #parsed(text: string): Piece[] {
    return this.#pieces(this.runPasses(text, 0), false);
  }

  /** Applies the passes from `from` on. */
  runPasses(text: string, from: number): string {
    let data = text;
    for (let i = from; i < this.#passes.length; i++) data = this.#passes[i]?.(this, data, i) ?? data;
    return data;
  }

  /** Stashes a token and returns the mark that replaces it. */
  stash(raw: string, token: InlineToken): string {
    return this.#put({raw, kind: 'element', data: '', isAtomic: true, wrap: () => token, depth: 0});
  }

  stashText(text: string): string {
    return this.#put({raw: text, kind: 'text', text});
  }

  /** Stashes a token that is part of the text around it, such as a character reference. */
  stashSymbol(raw: string, token: InlineToken): string {
    return this.#put({raw, kind: 'symbol', token});
  }

  /** Stashes an element with content, which may contain marks. Later passes apply to it unless `after` is `atomic`. */
  stashNested(raw: string, inner: string, after: number | 'atomic', wrap: Wrap): string {
    const isAtomic = after === 'atomic';
    const data = isAtomic ? inner : this.runPasses(inner, after + 1);
    return this.#put({raw, kind: 'element', data, isAtomic, wrap, depth: this.#depthOf(data) + 1});
  }

  /** Returns whether another element around this text would be nested too deeply. */
  isTooDeep(data: string): boolean {
    return this.#depthOf(data) >= maxDepth;
  }

  #depthOf(data: string): number {
    let depth = 0;
    for (const {stashed} of this.#marks(data)) if (stashed.kind === 'element') depth = Math.max(depth, stashed.depth);
    return depth;
  }

  #put(stashed: Stashed): string {
    return `\u0002${this.#stash.push(stashed) - 1}\u0003`;
  }

  *#marks(data: string): Generator<{start: number; end: number; stashed: Stashed}> {
    for (let start = data.indexOf('\u0002'); start >= 0; ) {
      const end = data.indexOf('\u0003', start) + 1;
      const stashed = this.#stash[Number(data.slice(start + 1, end - 1))];
      if (end === 0 || stashed === undefined) return;
      yield {start, end, stashed};
      start = data.indexOf('\u0002', end);
    }
  }

  /** Replaces marks by their source again, where tokens make no sense, such as in a URL. */
  restore(data: string): string {
    if (!data.includes('\u0002')) return data;
    return data.replace(mark, (_, id: string) => this.restore(this.#stash[Number(id)]?.raw ?? ''));
  }

  /** Restores the address or title of a link, which has the text of code without its backticks. */
  restoreAddress(data: string): string {
    return data.replace(mark, (whole, id: string) => {
      const stashed = this.#stash[Number(id)];
      const token = stashed?.kind === 'element' && stashed.isAtomic ? stashed.wrap([]) : undefined;
      return token?.type === 'code_span' ? token.text : this.restore(whole);
    });
  }

  /** Returns the parts of a text with marks. A line break in text that is not atomic is an element. */
  #pieces(data: string, isAtomic: boolean): Piece[] {
    const pieces: Piece[] = [];
    let text = '';
    const add = (part: string): void => {
      text += part;
    };
    const endText = (atomic: boolean): void => {
      if (text === '') return;
      if (atomic) pieces.push({atomic: text});
      else if (isAtomic || !text.includes('\n')) pieces.push(text);
      else
        text.split('\n').forEach((line, i) => {
          if (i > 0) pieces.push({wrap: () => ({type: 'line_break'}), pieces: [], visitCount: 0});
          if (line !== '') pieces.push(line);
        });
      text = '';
    };
    let last = 0;
    for (const {start, end, stashed} of this.#marks(data)) {
      add(data.slice(last, start));
      last = end;
      if (stashed.kind === 'text') add(stashed.text);
      else if (stashed.kind === 'symbol') add(data.slice(start, end));
      else {
        // Only the last part of an atomic text with marks stays atomic on the server.
        endText(false);
        const inner = stashed.data === '' ? [] : this.#pieces(stashed.data, stashed.isAtomic);
        pieces.push({wrap: stashed.wrap, pieces: inner, visitCount: 0});
      }
    }
    add(data.slice(last));
    endText(isAtomic);
    return pieces;
  }

  /** Applies all passes to the texts inside and after each child of an element. */
  #visit(element: Element): void {
    // A second visit may still find something, a third one does not.
    if (++element.visitCount > 2) return;
    const found: Element[] = [];
    const done: Piece[] = [];
    const pending = element.pieces.toReversed();
    for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
      done.push(piece);
      if (!isElement(piece)) continue;
      const hadChildren = piece.pieces.some(isElement);
      const [first, ...rest] = piece.pieces;
      if (typeof first === 'string' && !this.#isPlain(first)) {
        const parsed = this.#parsed(first);
        for (const each of parsed) if (isElement(each)) found.push(each);
        piece.pieces = [...parsed, ...rest];
      }
      const tail = pending.at(-1);
      if (typeof tail === 'string') {
        pending.pop();
        const parsed = this.#isPlain(tail) ? [tail] : this.#parsed(tail);
        const start = parsed[0];
        if (start !== undefined && !isElement(start)) done.push(start);
        else if (start !== undefined) parsed.unshift('');
        for (let i = parsed.length - 1; i > 0; i--) pending.push(parsed[i] ?? '');
      }
      if (hadChildren) this.#visit(piece);
    }
    element.pieces = done;
    for (const each of found) this.#visit(each);
  }

  #tokens(pieces: readonly Piece[]): InlineToken[] {
    const out: InlineToken[] = [];
    for (const piece of pieces) {
      if (isElement(piece)) out.push(piece.wrap(this.#tokens(piece.pieces)));
      else {
        const text = typeof piece === 'string' ? piece : piece.atomic;
        // White space is not shown at the start of a line that goes on with an element.
        if (out.at(-1)?.type !== 'line_break' || text.trim() !== '') this.#addText(out, text);
      }
    }
    return out;
  }

  #addText(out: InlineToken[], data: string): void {
    if (!data.includes('\u0002')) {
      addText(out, data);
      return;
    }
    let last = 0;
    for (const {start, end, stashed} of this.#marks(data)) {
      addText(out, data.slice(last, start));
      if (stashed.kind === 'symbol') out.push(stashed.token);
      last = end;
    }
    addText(out, data.slice(last));
  }
}

function addText(out: InlineToken[], text: string): void {
  if (text === '') return;
  const previous = out.at(-1);
  if (previous?.type === 'text') previous.text += text;
  else out.push({type: 'text', text});
}

/** Replaces each match of a global pattern for which `replace` returns a string. */
export function replaceMatches(
  data: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray, groups: Partial<Record<string, string>>) => string | undefined,
): string {
  const matches = data.matchAll(pattern).map((match) => {
    return {start: match.index, end: match.index + match[0].length, match};
  });
  return replaceRanges(data, matches, ({match}) => replace(match, match.groups ?? {}));
}

/** Replaces each range, in order, for which `replace` returns a string. */
export function replaceRanges<T extends {readonly start: number; readonly end: number}>(
  data: string,
  ranges: Iterable<T>,
  replace: (range: T) => string | undefined,
): string {
  let out = '';
  let last = 0;
  for (const range of ranges) {
    const replacement = replace(range);
    if (replacement === undefined) continue;
    out += data.slice(last, range.start) + replacement;
    last = range.end;
  }
  return last === 0 ? data : out + data.slice(last);
}

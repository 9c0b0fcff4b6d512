import type {ParseContext} from './parse-context.ts';
import type {InlineToken} from './tokens.ts';

/** Rewrites `data` and moves the parts it recognises into the stash. `index` is the position of the pass in the order. */
export type InlinePass = (inline: InlineParser, data: string, index: number) => string;

// STX and ETX never occur in a source: normalizeWhitespace removes them.
const mark = /\u0002(\d+)\u0003/g;

type Stashed = {raw: string; tokens: () => InlineToken[]};

/** Runs the inline passes over a text. A pass replaces each part it recognises by a mark that refers to its tokens. */
export class InlineParser {
  readonly context: ParseContext;
  /** Whether the text is inside a quote, where mentions are silent. */
  readonly quoted: boolean;
  readonly #stash: Stashed[] = [];

  readonly #passes: readonly InlinePass[];

  constructor(passes: readonly InlinePass[], context: ParseContext, quoted: boolean) {
    this.#passes = passes;
    this.context = context;
    this.quoted = quoted;
  }

  parse(text: string): InlineToken[] {
    return this.expand(this.runPasses(text, 0), true);
  }

  /** Applies the passes from `from` on. */
  runPasses(text: string, from: number): string {
    let data = text;
    for (let i = from; i < this.#passes.length; i++) data = this.#passes[i]?.(this, data, i) ?? data;
    return data;
  }

  /** Stashes tokens and returns the mark that replaces them. `raw` is their source. */
  stash(raw: string, ...tokens: InlineToken[]): string {
    return this.#put({raw, tokens: () => tokens});
  }

  /** Stashes a token with content. `inner` may contain marks; later passes apply to it unless `after` is `atomic`. */
  stashNested(
    raw: string,
    inner: string,
    after: number | 'atomic',
    wrap: (children: InlineToken[]) => InlineToken,
  ): string {
    const data = after === 'atomic' ? inner : this.runPasses(inner, after + 1);
    return this.#put({raw, tokens: () => [wrap(this.expand(data, after !== 'atomic'))]});
  }

  #put(stashed: Stashed): string {
    return `\u0002${this.#stash.push(stashed) - 1}\u0003`;
  }

  /** Replaces marks by their source again, where tokens make no sense, such as in a URL. */
  restore(data: string): string {
    if (!data.includes('\u0002')) return data;
    return data.replace(mark, (_, id: string) => this.restore(this.#stash[Number(id)]?.raw ?? ''));
  }

  /** Returns the tokens of a text, with marks replaced by their tokens. `breaks` turns newlines into line breaks. */
  expand(data: string, breaks: boolean): InlineToken[] {
    const out: InlineToken[] = [];
    let last = 0;
    for (let at = data.indexOf('\u0002'); at >= 0; at = data.indexOf('\u0002', last)) {
      const end = data.indexOf('\u0003', at);
      if (end < 0) break;
      addText(out, data.slice(last, at), breaks);
      for (const token of this.#stash[Number(data.slice(at + 1, end))]?.tokens() ?? []) {
        if (token.type === 'text') addText(out, token.text, false);
        else out.push(token);
      }
      last = end + 1;
    }
    addText(out, data.slice(last), breaks);
    return breaks ? out.filter((token, i) => !(isBlank(token) && out[i - 1]?.type === 'line_break')) : out;
  }
}

/** Returns whether a token is only white space, which is not shown at the start of a line. */
function isBlank(token: InlineToken): boolean {
  return token.type === 'text' && token.text.trim() === '';
}

function addText(out: InlineToken[], text: string, breaks: boolean): void {
  if (text === '') return;
  if (breaks && text.includes('\n')) {
    const [first = '', ...rest] = text.split('\n');
    addText(out, first, false);
    for (const line of rest) {
      out.push({type: 'line_break'});
      addText(out, line, false);
    }
    return;
  }
  const previous = out.at(-1);
  if (previous?.type === 'text') previous.text += text;
  else out.push({type: 'text', text});
}

/** Replaces each match of a global pattern for which `replace` returns a string. */
export function replaceMatches(
  data: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string | undefined,
): string {
  let out = '';
  let last = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(data); match !== null; match = pattern.exec(data)) {
    const next = pattern.lastIndex;
    const replacement = replace(match);
    if (replacement !== undefined) {
      out += data.slice(last, match.index) + replacement;
      last = match.index + match[0].length;
    }
    pattern.lastIndex = next;
  }
  return last === 0 ? data : out + data.slice(last);
}

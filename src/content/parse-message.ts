import {blockMark, extractFences, parseFenceOpener, type StashedBlock, trimNewlines} from './fence.ts';
import {MessageNames} from './message-names.ts';
import {type BlockNode, type ItemNode, parseBlocks} from './parse-blocks.ts';
import type {ParseContext} from './parse-context.ts';
import {isPlainInline, parseInline} from './parse-inline.ts';
import type {InlineToken, ListItem, MessageToken} from './tokens.ts';

/**
 * Five times the usual limit of servers. The rest of a longer text is not parsed: a message of a megabyte would stop the screen
 * for seconds, and its tokens would take a hundred times its length in memory.
 */
export const maxSourceLength = 50_000;

/**
 * Parses the Markdown of a message, at most `maxSourceLength` characters. It never throws, takes time linear in the length, and
 * depends only on its arguments.
 */
export function parseMessage(whole: string, context: ParseContext = {}): MessageToken[] {
  const source = whole.slice(0, maxSourceLength);
  const text = normalizeWhitespace(source).trimEnd();
  if (text === '') return [];
  if (!blockSyntax.test(text)) return [{type: 'paragraph', children: parseInline(text.trimStart(), context)}];
  const lines = separateHangingLists(`${text}\n\n`.split('\n'));
  const fenced = extractFences(lines, context.defaultCodeLanguage);
  return new TokenWriter(context, new MessageNames(source), fenced.stash).blocks(
    parseBlocks(`${fenced.lines.join('\n')}\n\n`),
  );
}

// A text without any of these is one paragraph: a blank line, an indent or a marker at the start of a line, a table.
const blockSyntax = /\n\s*\n|(?:^|\n)(?: {2,}| ?[>#~`*+_-]| ?\d+\.)|\||\n$/;

const blockMarkOrSpace = /^(?:[\s>+_|-]|\d+\.)|\s$/;

/** Returns whether a message is one paragraph without syntax, as most are. The server renders these without parsing. */
export function isPlainMessage(source: string, context: ParseContext = {}): boolean {
  return (
    source !== '' && !blockMarkOrSpace.test(source) && !/[\r\t\u0003]/.test(source) && isPlainInline(source, context)
  );
}

/** Only at the end of a quote a line break follows the mark of a fenced block. */
function quoteEnd(node: BlockNode): {endsQuote?: true} {
  return node.kind === 'paragraph' && node.text.endsWith('\n') ? {endsQuote: true} : {};
}

/** Turns the tree of blocks into tokens. */
class TokenWriter {
  readonly #context: ParseContext;
  readonly #names: MessageNames;
  readonly #stash: readonly StashedBlock[];

  constructor(context: ParseContext, names: MessageNames, stash: readonly StashedBlock[]) {
    this.#context = context;
    this.#names = names;
    this.#stash = stash;
  }

  blocks(nodes: readonly BlockNode[]): MessageToken[] {
    const root: MessageToken[] = [];
    // The open spoilers, innermost last. Their marks are always paired, because the fence scanner wrote them.
    const open: {header: MessageToken[]; children: MessageToken[]; inHeader: boolean}[] = [];
    const target = (): MessageToken[] => {
      const spoiler = open.at(-1);
      if (spoiler === undefined) return root;
      return spoiler.inHeader ? spoiler.header : spoiler.children;
    };
    for (const node of nodes) {
      const stashed = this.#stashedBlock(node);
      if (stashed === undefined) this.#add(target(), node);
      else if (stashed.kind === 'code')
        target().push({type: 'code_block', language: stashed.language, text: stashed.text, ...quoteEnd(node)});
      else if (stashed.kind === 'math') target().push({type: 'math_block', tex: stashed.tex, ...quoteEnd(node)});
      else if (stashed.kind === 'spoiler_open') open.push({header: [], children: [], inHeader: true});
      else if (stashed.kind === 'spoiler_header_end') {
        const spoiler = open.at(-1);
        if (spoiler !== undefined) spoiler.inHeader = false;
      } else {
        const spoiler = open.pop();
        if (spoiler !== undefined) {
          const {header, children} = spoiler;
          target().push({type: 'spoiler', header, children, ...quoteEnd(node)});
        }
      }
    }
    for (let spoiler = open.pop(); spoiler !== undefined; spoiler = open.pop()) {
      target().push({type: 'spoiler', header: spoiler.header, children: spoiler.children});
    }
    return root;
  }

  #stashedBlock(node: BlockNode): StashedBlock | undefined {
    if (node.kind !== 'paragraph' || !node.text.startsWith('\u0002b')) return undefined;
    const id = blockMark.exec(node.text.trimEnd())?.[1];
    return id === undefined ? undefined : this.#stash[Number(id)];
  }

  #add(out: MessageToken[], node: BlockNode): void {
    const token = this.#token(node);
    if (token.type !== 'quote' || token.children.length > 0) out.push(token);
    if (node.tail !== '') out.push({type: 'tight_text', children: this.#inline(node.tail, true)});
  }

  #token(node: BlockNode): MessageToken {
    switch (node.kind) {
      case 'paragraph':
        return {type: 'paragraph', children: this.#inline(node.text)};
      case 'heading':
        return {type: 'heading', level: node.level, children: this.#inline(node.text)};
      case 'rule':
        return {type: 'rule'};
      case 'code':
        return {type: 'code_block', language: undefined, text: trimNewlines(node.text), isIndented: true};
      case 'quote':
        return {type: 'quote', children: this.blocks(node.children)};
      case 'list': {
        const items = node.items.map((item) => this.#item(item));
        return {type: 'list', ordered: node.ordered, start: node.start, items};
      }
      case 'table': {
        const cells = (row: readonly string[]) => row.map((cell) => this.#inline(cell));
        return {type: 'table', align: node.align, header: cells(node.header), rows: node.rows.map(cells)};
      }
    }
  }

  #item(item: ItemNode): ListItem {
    const text: MessageToken[] =
      item.text === '' ? [] : [{type: 'tight_text', children: this.#inline(item.text, item.children.length > 0)}];
    return {children: [...text, ...this.blocks(item.children)]};
  }

  #inline(text: string, besideBlocks = false): InlineToken[] {
    return parseInline(text, this.#context, this.#names, besideBlocks);
  }
}

const listLine = /^ *([*+-]|\d\.) +/;

/** Normalizes line ends, expands tabs, and removes STX and ETX, which delimit the parser's own marks. */
function normalizeWhitespace(source: string): string {
  let text = source;
  if (/[\u0002\u0003\r]/.test(text)) text = text.replace(/[\u0002\u0003]/g, '').replace(/\r\n?/g, '\n');
  if (text.includes('\t')) text = text.split('\n').map(expandTabs).join('\n');
  return text.includes('\n ') ? text.replace(/(?<=\n) +(?=\n|$)/g, '') : text;
}

function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t');
  let expanded = first;
  let column = Array.from(first).length;
  for (const part of rest) {
    const spaces = 4 - (column % 4);
    expanded += ' '.repeat(spaces) + part;
    column += spaces + Array.from(part).length;
  }
  return expanded;
}

/** Puts a blank line before a list that directly follows a line of text or a list of the other kind. */
function separateHangingLists(lines: readonly string[]): string[] {
  const out: string[] = [];
  const open: {fence: string; isCode: boolean}[] = [];
  let openCode = 0;
  let item = listKind(lines[0] ?? '');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    out.push(line);
    const opener = parseFenceOpener(line);
    if (opener !== undefined) {
      const last = open.at(-1);
      if (opener.language === undefined && last?.fence === opener.fence) {
        open.pop();
        if (last.isCode) openCode--;
      } else {
        const isCode = !/^quoted?$/.test(opener.language ?? '');
        open.push({fence: opener.fence, isCode});
        if (isCode) openCode++;
      }
    }
    const next = listKind(lines[i + 1] ?? '');
    if (next !== undefined && next !== item && line !== '' && openCode === 0) out.push('');
    item = next;
  }
  return out;
}

function listKind(line: string): 'bullet' | 'number' | undefined {
  const marker = listLine.exec(line)?.[1];
  if (marker === undefined) return undefined;
  return marker.length === 1 ? 'bullet' : 'number';
}

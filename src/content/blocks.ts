import {Lexer, type TokenizerExtensionFunction} from 'marked';
import {addBlock, type BlockNode, lastChild, type ParentNode, type RootNode} from './block-nodes.ts';
import {listIndentRule, listRule} from './lists.ts';
import {readTable} from './table.ts';

/**
 * The block structure. marked's Lexer drives: it offers the rest of the text to each of our block extensions in order
 * of the dialect's priorities. None of marked's own block rules is ever reached, for the last extension takes anything.
 * Unlike marked's, the dialect's blocks end at a blank line, and a rule may also change the block before it (a second
 * list item after a blank line makes the whole list loose); so the rules build a tree of their own.
 */

export type Mode = 'list' | 'loose_list' | 'detabbed' | 'quote';

/** Deeper quotes and lists stay text: every level costs a pass over what is inside it. */
const maxDepth = 24;

export class BlockBuilder {
  parent: ParentNode;
  mode: Mode | undefined;
  #depth = 0;
  #afterHead: number | undefined;
  readonly #lexer: Lexer;

  constructor(root: RootNode) {
    this.parent = root;
    this.#lexer = new Lexer({
      extensions: {block: rules.map((rule) => extension(this, rule)), renderers: {}, childTokens: {}},
    });
  }

  get canNest(): boolean {
    return this.#depth < maxDepth;
  }

  /** The text up to the next blank line. Kept as what follows that line, which stays true as the rest gets shorter. */
  head(src: string): string {
    if (this.#afterHead === undefined || src.length < this.#afterHead) {
      const blank = src.indexOf('\n\n');
      this.#afterHead = blank < 0 ? 0 : src.length - blank;
    }
    return src.slice(0, src.length - this.#afterHead);
  }

  /** Parses `text` as content of `parent`; the mode says what kind of place that is. */
  parse(parent: ParentNode, text: string, mode = this.mode): void {
    const outer = {parent: this.parent, mode: this.mode, afterHead: this.#afterHead};
    this.parent = parent;
    this.mode = mode;
    this.#afterHead = undefined;
    this.#depth++;
    this.#lexer.blockTokens(text, []);
    this.#depth--;
    this.parent = outer.parent;
    this.mode = outer.mode;
    this.#afterHead = outer.afterHead;
  }
}

/** Looks at the text up to the next blank line. Gives how much of it was used, or undefined for "not mine". */
export type BlockRule = (builder: BlockBuilder, head: string) => number | undefined;

function extension(builder: BlockBuilder, rule: BlockRule): TokenizerExtensionFunction {
  return (src) => {
    const head = builder.head(src);
    const used = rule(builder, head);
    if (used === undefined) return undefined;
    return {type: 'dialect', raw: used >= head.length ? src.slice(0, head.length + 2) : src.slice(0, used)};
  };
}

function emptyRule(builder: BlockBuilder, head: string): number | undefined {
  if (head !== '' && !head.startsWith('\n')) return undefined;
  const previous = lastChild(builder.parent);
  if (previous?.kind === 'code') previous.text += head === '' ? '\n\n' : '\n';
  return 1;
}

function codeRule(builder: BlockBuilder, head: string): number | undefined {
  if (!head.startsWith('    ')) return undefined;
  const lines = head.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('    ') && line.trim() !== '');
  const taken = end < 0 ? lines : lines.slice(0, end);
  const text = taken
    .map((line) => line.slice(4))
    .join('\n')
    .trimEnd();
  const previous = lastChild(builder.parent);
  if (previous?.kind === 'code') previous.text += `\n${text}\n`;
  else addBlock(builder.parent, {kind: 'code', text: `${text}\n`, tail: ''});
  return taken.join('\n').length + 1;
}

const headingStart = /(?:^|\n)(#{1,6})[^\S\n]/g;

function headingRule(builder: BlockBuilder, head: string): number | undefined {
  if (!head.includes('#')) return undefined;
  headingStart.lastIndex = 0;
  const match = headingStart.exec(head);
  if (match === null) return undefined;
  const start = headingStart.lastIndex;
  const newline = head.indexOf('\n', start);
  const end = newline < 0 ? head.length : newline;
  if (match.index > 0) builder.parse(builder.parent, head.slice(0, match.index));
  const text = trimHashes(head.slice(start, end)).trim();
  addBlock(builder.parent, {kind: 'heading', level: match[1]?.length ?? 1, text, tail: ''});
  if (builder.mode !== 'loose_list' || end === head.length) return end + 1;
  // What follows in a loose item is indented with the item.
  builder.parse(builder.parent, head.slice(end + 1).replace(/^ {2}/gm, ''));
  return head.length;
}

function trimHashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return text.slice(0, end);
}

function tableRule(builder: BlockBuilder, head: string): number | undefined {
  const table = readTable(head);
  if (table === undefined) return undefined;
  addBlock(builder.parent, {kind: 'table', ...table, tail: ''});
  return head.length;
}

function isRuleLine(line: string): boolean {
  if (!/^ {0,3}[-_*]/.test(line)) return false;
  const text = line.trim();
  const mark = text[0] ?? '';
  if (/ {3}/.test(text)) return false;
  let count = 0;
  for (const character of text) {
    if (character === mark) count++;
    else if (character !== ' ') return false;
  }
  return count >= 3;
}

function ruleRule(builder: BlockBuilder, head: string): number | undefined {
  if (!/(?:---|___|\*\*\*|- |_ |\* )/.test(head)) return undefined;
  for (let start = 0; start < head.length; ) {
    const newline = head.indexOf('\n', start);
    const end = newline < 0 ? head.length : newline;
    if (isRuleLine(head.slice(start, end))) {
      const before = start === 0 ? '' : head.slice(0, start - 1);
      if (before !== '') builder.parse(builder.parent, before);
      addBlock(builder.parent, {kind: 'rule', tail: ''});
      return end + 1;
    }
    start = end + 1;
  }
  return undefined;
}

const emptyQuoteLine = /^ {0,3}>\s*$/;

function quoteRule(builder: BlockBuilder, head: string): number | undefined {
  if (!head.includes('>') || !builder.canNest) return undefined;
  const lines = head.split('\n');
  const first = lines.findIndex((line) => /^ {0,3}>/.test(line));
  // Quote marks with nothing after them until the block ends are text.
  if (first < 0 || lines.findLastIndex((line) => !emptyQuoteLine.test(line)) < first) return undefined;
  if (first > 0) builder.parse(builder.parent, lines.slice(0, first).join('\n'));
  const quote = addBlock(builder.parent, {kind: 'quote', children: [], tail: ''});
  const inside = lines
    .slice(first)
    .map((line) => (emptyQuoteLine.test(line) ? '' : line.replace(/^ {0,3}> ?/, '')));
  builder.parse(quote, inside.join('\n'), 'quote');
  return head.length;
}

function paragraphRule(builder: BlockBuilder, head: string): number {
  if (head.trim() === '') return head.length;
  const {parent} = builder;
  if (builder.mode !== 'list' || parent.kind !== 'item') {
    addBlock(parent, {kind: 'paragraph', text: head.trimStart(), tail: ''});
    return head.length;
  }
  const previous = parent.children.at(-1);
  if (previous !== undefined) previous.tail = `${previous.tail}\n${head}`;
  else parent.text = parent.text === '' ? head.trimStart() : `${parent.text}\n${head}`;
  return head.length;
}

const rules: readonly BlockRule[] = [
  emptyRule,
  listIndentRule,
  codeRule,
  headingRule,
  tableRule,
  ruleRule,
  (builder, head) => listRule(builder, head, true),
  (builder, head) => listRule(builder, head, false),
  quoteRule,
  paragraphRule,
];

export function parseBlocks(text: string): BlockNode[] {
  const root: RootNode = {kind: 'root', children: []};
  new BlockBuilder(root).parse(root, text, undefined);
  return root.children;
}

/**
 * Parses a text into blocks. The rest of the text is offered to each of the block rules below, in the order of the dialect's
 * priorities; the last rule accepts any text. Blocks end at a blank line, and a rule may change the block before it (a second
 * list item after a blank line makes the whole list loose).
 */

import {silencedMentions} from './message-names.ts';
import {type ParsedTable, parseTable} from './parse-table.ts';
import type {Alignment} from './tokens.ts';

type BlockMode = 'list' | 'loose_list' | 'detabbed' | 'quote';

/** Deeper quotes and lists stay text, because every level takes another pass over its content. */
const maxDepth = 24;

/**
 * Cached properties of the head, the text up to the next blank line. Rules consume the head line by line from the front, so
 * the positions are stored as distances from its end: they stay valid, and no rule scans the rest again for each line.
 */
type HeadCache = {
  /** The distance from the blank line to the end of the whole text; infinite until there is a head. */
  readonly after: number;
  /** The distance from the next heading to the end of the head; 0 when there is none. */
  heading: number | undefined;
  /** Whether the head is an overfull table; its remaining lines would be overfull too. */
  isOverfull: boolean;
};

function emptyHeadCache(): HeadCache {
  return {after: Number.POSITIVE_INFINITY, heading: undefined, isOverfull: false};
}

class BlockBuilder {
  parent: ParentNode;
  mode: BlockMode | undefined;
  #depth = 0;
  #headCache = emptyHeadCache();

  constructor(root: RootNode) {
    this.parent = root;
  }

  get canNest(): boolean {
    return this.#depth < maxDepth;
  }

  /** Returns the text up to the next blank line. */
  #head(src: string): string {
    if (src.length < this.#headCache.after) {
      const blank = src.indexOf('\n\n');
      this.#headCache = {...emptyHeadCache(), after: blank < 0 ? 0 : src.length - blank};
    }
    return src.slice(0, src.length - this.#headCache.after);
  }

  /** Returns the offset of the first heading in the head; -1 when it has none. */
  headingOffset(head: string): number {
    const cache = this.#headCache;
    if (cache.heading === undefined || cache.heading > head.length) {
      const at = firstHeading(head);
      cache.heading = at < 0 ? 0 : head.length - at;
    }
    return cache.heading === 0 ? -1 : head.length - cache.heading;
  }

  /** Returns the head as a table, if it is one. */
  tableIn(head: string): ParsedTable | undefined {
    const table = this.#headCache.isOverfull ? undefined : parseTable(head);
    if (table !== 'overfull') return table;
    this.#headCache.isOverfull = true;
    return undefined;
  }

  /** Parses `text` as content of `parent`; the mode is the kind of container. */
  parse(parent: ParentNode, text: string, mode = this.mode): void {
    const outer = {parent: this.parent, mode: this.mode, cache: this.#headCache};
    this.parent = parent;
    this.mode = mode;
    this.#headCache = emptyHeadCache();
    this.#depth++;
    let rest = text;
    while (rest !== '') {
      const head = this.#head(rest);
      const used = usedByRules(this, head);
      rest = rest.slice(used >= head.length ? head.length + 2 : used);
    }
    this.#depth--;
    this.parent = outer.parent;
    this.mode = outer.mode;
    this.#headCache = outer.cache;
  }
}

/** Parses a block at the start of the head. Returns how many characters it consumed, or undefined when it does not apply. */
type BlockRule = (builder: BlockBuilder, head: string) => number | undefined;

/** Lets the first rule that applies parse a block. Returns how many characters it consumed. */
function usedByRules(builder: BlockBuilder, head: string): number {
  for (const rule of rules) {
    const used = rule(builder, head);
    if (used !== undefined) return used;
  }
  return head.length;
}

function emptyRule(builder: BlockBuilder, head: string): number | undefined {
  if (head !== '' && !head.startsWith('\n')) return undefined;
  const previous = lastChild(builder.parent);
  if (previous?.kind === 'code') previous.text += head === '' ? '\n\n' : '\n';
  return 1;
}

function codeRule(builder: BlockBuilder, head: string): number | undefined {
  if (!head.startsWith('    ')) return undefined;
  const lines: string[] = [];
  let end = 0;
  while (end < head.length) {
    const newline = head.indexOf('\n', end);
    const line = head.slice(end, newline < 0 ? head.length : newline);
    if (!line.startsWith('    ') && line.trim() !== '') break;
    lines.push(line.slice(4));
    end += line.length + 1;
  }
  const text = lines.join('\n').trimEnd();
  const previous = lastChild(builder.parent);
  if (previous?.kind === 'code') previous.text += `\n${text}\n`;
  else addBlock(builder.parent, {kind: 'code', text: `${text}\n`, tail: ''});
  return end;
}

// A backslash belongs to the character after it, and must have one.
const headingMark = /#{1,6}\s(?:\\.|[^\\\n])*(?:\n|$)/y;

function firstHeading(text: string): number {
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    headingMark.lastIndex = at;
    if (headingMark.test(text)) return at;
  }
  return -1;
}

function headingRule(builder: BlockBuilder, head: string): number | undefined {
  const at = builder.headingOffset(head);
  if (at < 0) return undefined;
  let start = at;
  while (head[start] === '#') start++;
  const level = start - at;
  // The text may begin in the next line.
  const newline = head.indexOf('\n', start + 1);
  const end = newline < 0 ? head.length : newline;
  if (at > 0) builder.parse(builder.parent, head.slice(0, at - 1));
  const text = trimHashes(head.slice(start, end)).trim();
  addBlock(builder.parent, {kind: 'heading', level, text, tail: ''});
  if (builder.mode !== 'loose_list' || end === head.length || !builder.canNest) return end + 1;
  // The rest of a loose item is indented with the item.
  builder.parse(builder.parent, head.slice(end + 1).replace(/^ {2}/gm, ''));
  return head.length;
}

/** Removes the hashes at the end, except one after a backslash that is not itself after a backslash. */
function trimHashes(text: string): string {
  let start = text.length;
  while (start > 0 && text[start - 1] === '#') start--;
  let slashes = 0;
  while (text[start - 1 - slashes] === '\\') slashes++;
  return text.slice(0, slashes % 2 === 1 && start < text.length ? start + 1 : start);
}

function tableRule(builder: BlockBuilder, head: string): number | undefined {
  const table = builder.tableIn(head);
  if (table === undefined) return undefined;
  addBlock(builder.parent, {kind: 'table', ...table, tail: ''});
  return head.length;
}

function isRuleLine(line: string): boolean {
  const mark = line[indentOf(line)] ?? '';
  if (mark !== '-' && mark !== '_' && mark !== '*') return false;
  const text = line.trim();
  if (text.includes('   ')) return false;
  let count = 0;
  for (const character of text) {
    if (character === mark) count++;
    else if (character !== ' ') return false;
  }
  return count >= 3;
}

/** Returns the number of spaces before a marker, at most three; four would make it code. */
function indentOf(line: string): number {
  let spaces = 0;
  while (spaces < 3 && line[spaces] === ' ') spaces++;
  return spaces;
}

function horizontalRuleRule(builder: BlockBuilder, head: string): number | undefined {
  if (!/(?:---|___|\*\*\*|- |_ |\* )/.test(head)) return undefined;
  for (let start = 0; start < head.length; ) {
    const newline = head.indexOf('\n', start);
    const end = newline < 0 ? head.length : newline;
    if (isRuleLine(head.slice(start, end))) {
      builder.parse(builder.parent, head.slice(0, Math.max(0, start - 1)));
      addBlock(builder.parent, {kind: 'rule', tail: ''});
      return end + 1;
    }
    start = end + 1;
  }
  return undefined;
}

function quoteRule(builder: BlockBuilder, head: string): number | undefined {
  if (!head.includes('>') || !builder.canNest) return undefined;
  const lines = head.split('\n');
  const first = lines.findIndex((line) => line[indentOf(line)] === '>');
  if (first < 0) return undefined;
  const inside = lines.slice(first).map((line) => withoutQuoteMark(silencedMentions(line)));
  // Quote marks without any text up to the end of the block are text.
  if (inside.every((text, i) => text === '' && lines[first + i] !== '')) return undefined;
  builder.parse(builder.parent, lines.slice(0, first).join('\n'));
  const quote = addBlock(builder.parent, {kind: 'quote', children: [], tail: ''});
  builder.parse(quote, inside.join('\n'), 'quote');
  return head.length;
}

function withoutQuoteMark(line: string): string {
  const at = indentOf(line);
  if (line[at] !== '>') return line;
  const text = line.slice(line[at + 1] === ' ' ? at + 2 : at + 1);
  return text.trim() === '' ? '' : text;
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
  horizontalRuleRule,
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

/**
 * The tree of blocks, before their text is parsed for inline syntax. `tail` is the text that
 * follows a block inside a tight list item.
 */
export type BlockNode = LeafNode | QuoteNode | ListNode;

type LeafNode =
  | {kind: 'paragraph'; text: string; tail: string}
  | {kind: 'heading'; level: number; text: string; tail: string}
  | {kind: 'rule'; tail: string}
  | {kind: 'code'; text: string; tail: string}
  | {kind: 'table'; align: Alignment[]; header: string[]; rows: string[][]; tail: string};

type QuoteNode = {kind: 'quote'; children: BlockNode[]; tail: string};
type ListNode = {kind: 'list'; ordered: boolean; start: number; items: ItemNode[]; tail: string};
export type ItemNode = {kind: 'item'; text: string; children: BlockNode[]};
type RootNode = {kind: 'root'; children: BlockNode[]};
type ParentNode = RootNode | QuoteNode | ListNode | ItemNode;

function lastChild(parent: ParentNode): BlockNode | ItemNode | undefined {
  return parent.kind === 'list' ? parent.items.at(-1) : parent.children.at(-1);
}

function addItem(list: ListNode): ItemNode {
  const item: ItemNode = {kind: 'item', text: '', children: []};
  list.items.push(item);
  return item;
}

/** Adds a block to a parent. A list has only items, so a block for a list goes into its last item. */
function addBlock<Node extends BlockNode>(parent: ParentNode, node: Node): Node {
  const container = parent.kind === 'list' ? (parent.items.at(-1) ?? addItem(parent)) : parent;
  container.children.push(node);
  return node;
}

/** The block rules for lists. */

/** The indentation of one list level. */
const indent = '  ';
const itemLine = {
  ordered: /^ ?(\d+)\. +(.*)$/,
  bullet: /^ ?([*+-]) +(.*)$/,
};
/** An item of one line that starts no block, which needs no nested parse. Most items are like this. */
const plainItem = /^[^\s#>*+_|\d-][^\n]*$/;
const nestedItemLine = /^ {2,3}(?:\d+\.|[*+-]) +/;

function listRule(builder: BlockBuilder, head: string, ordered: boolean): number | undefined {
  const pattern = ordered ? itemLine.ordered : itemLine.bullet;
  if (!builder.canNest || !/^ ?[\d*+-]/.test(head)) return undefined;
  const newline = head.indexOf('\n');
  const first = pattern.exec(newline < 0 ? head : head.slice(0, newline));
  if (first === null) return undefined;
  const items = splitItems(head, pattern);
  const {parent} = builder;
  const previous = lastChild(parent);
  let list: ListNode;
  if (previous?.kind === 'list' && previous.ordered === ordered) {
    // A blank line between items makes the list loose: its items contain paragraphs.
    list = previous;
    loosenLastItem(list);
    builder.parse(addItem(list), items.shift() ?? '', 'loose_list');
  } else if (parent.kind === 'list') {
    list = parent;
  } else {
    list = addBlock(parent, {
      kind: 'list',
      ordered,
      start: ordered ? Number(first[1]) : 1,
      items: [],
      tail: '',
    });
  }
  for (const item of items) {
    if (plainItem.test(item)) {
      addItem(list).text = item;
      continue;
    }
    const nested = item.startsWith(indent) ? list.items.at(-1) : undefined;
    builder.parse(nested ?? addItem(list), item, 'list');
  }
  return head.length;
}

/** Returns each item's lines. An indented item keeps its indentation and is parsed inside the item before it. */
function splitItems(head: string, pattern: RegExp): string[] {
  const items: string[] = [];
  let current: string[] = [];
  const finish = (): void => {
    if (current.length > 0) items.push(current.join('\n'));
  };
  for (const line of head.split('\n')) {
    const content = pattern.exec(line)?.[2];
    if (content !== undefined) {
      finish();
      current = [content];
    } else if (nestedItemLine.test(line) && !(current[0] ?? '').startsWith(indent)) {
      finish();
      current = [line];
    } else {
      current.push(line);
    }
  }
  finish();
  return items;
}

function loosenLastItem(list: ListNode): void {
  const item = list.items.at(-1);
  if (item === undefined) return;
  textToParagraph(item);
  const last = item.children.at(-1);
  if (last === undefined || last.tail === '') return;
  item.children.push({kind: 'paragraph', text: last.tail.trimStart(), tail: ''});
  last.tail = '';
}

function textToParagraph(item: ItemNode): void {
  if (item.text === '') return;
  item.children.unshift({kind: 'paragraph', text: item.text, tail: ''});
  item.text = '';
}

/** Adds indented text after a list to one of the list's items, chosen by the depth of the indentation. */
function listIndentRule(builder: BlockBuilder, head: string): number | undefined {
  const {parent} = builder;
  if (!head.startsWith(indent) || builder.mode === 'detabbed' || !builder.canNest) return undefined;
  const previous = lastChild(parent);
  if (parent.kind !== 'item' && previous?.kind !== 'list') return undefined;
  const {level, target} = indentTarget(builder, head);
  const text = outdent(head, level);
  if (parent.kind === 'item') builder.parse(previous?.kind === 'list' ? previous : parent, text, 'detabbed');
  else if (target.kind === 'list') {
    const item = target.items.at(-1) ?? addItem(target);
    textToParagraph(item);
    builder.parse(item, text, 'detabbed');
  } else builder.parse(target, text, 'detabbed');
  return head.length;
}

function outdent(text: string, level: number): string {
  const prefix = indent.repeat(level);
  return text
    .split('\n')
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
    .join('\n');
}

function indentTarget(builder: BlockBuilder, head: string): {level: number; target: ParentNode} {
  const targetLevel = Math.floor((/^ */.exec(head)?.[0].length ?? 0) / indent.length);
  // In a tight list the parent already is the right item.
  let level = builder.mode === 'list' ? 1 : 0;
  let target = builder.parent;
  while (targetLevel > level) {
    const child = lastChild(target);
    if (child?.kind !== 'list' && child?.kind !== 'item') break;
    if (child.kind === 'list') level++;
    target = child;
  }
  return {level, target};
}

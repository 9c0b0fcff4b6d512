import type {Alignment} from './tokens.ts';

/** Blocks before their text is read for inline syntax. `tail` is text that follows a block inside a tight list item. */
export type BlockNode = LeafNode | QuoteNode | ListNode;

export type LeafNode =
  | {kind: 'paragraph'; text: string; tail: string}
  | {kind: 'heading'; level: number; text: string; tail: string}
  | {kind: 'rule'; tail: string}
  | {kind: 'code'; text: string; tail: string}
  | {kind: 'table'; align: Alignment[]; header: string[]; rows: string[][]; tail: string};

export type QuoteNode = {kind: 'quote'; children: BlockNode[]; tail: string};
export type ListNode = {kind: 'list'; ordered: boolean; start: number; items: ItemNode[]; tail: string};
export type ItemNode = {kind: 'item'; text: string; children: BlockNode[]};
export type RootNode = {kind: 'root'; children: BlockNode[]};
export type ParentNode = RootNode | QuoteNode | ListNode | ItemNode;

export function lastChild(parent: ParentNode): BlockNode | ItemNode | undefined {
  return parent.kind === 'list' ? parent.items.at(-1) : parent.children.at(-1);
}

export function addItem(list: ListNode): ItemNode {
  const item: ItemNode = {kind: 'item', text: '', children: []};
  list.items.push(item);
  return item;
}

/** A list only holds items, so a block added to it goes into the last one. */
export function addBlock<Node extends BlockNode>(parent: ParentNode, node: Node): Node {
  const holder = parent.kind === 'list' ? (parent.items.at(-1) ?? addItem(parent)) : parent;
  holder.children.push(node);
  return node;
}

import type {Alignment} from './tokens.ts';

/**
 * The tree of blocks that parse-blocks.ts builds, before their text is parsed for inline syntax. `tail` is the text that
 * follows a block inside a tight list item.
 */
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

/** Adds a block to a parent. A list has only items, so a block for a list goes into its last item. */
export function addBlock<Node extends BlockNode>(parent: ParentNode, node: Node): Node {
  const container = parent.kind === 'list' ? (parent.items.at(-1) ?? addItem(parent)) : parent;
  container.children.push(node);
  return node;
}

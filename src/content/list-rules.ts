/** The block rules for lists. */

import {addBlock, addItem, type ItemNode, type ListNode, lastChild, type ParentNode} from './block-nodes.ts';
import type {BlockBuilder} from './parse-blocks.ts';

/** The indentation of one list level. */
const indent = '  ';
const itemLine = {
  ordered: /^ ?(\d+)\. +(.*)$/,
  bullet: /^ ?([*+-]) +(.*)$/,
};
/** An item of one line that starts no block, which needs no nested parse. Most items are like this. */
const plainItem = /^[^\s#>*+_|\d-][^\n]*$/;
const nestedItemLine = /^ {2,3}(?:\d+\.|[*+-]) +/;

export function listRule(builder: BlockBuilder, head: string, ordered: boolean): number | undefined {
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
export function listIndentRule(builder: BlockBuilder, head: string): number | undefined {
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

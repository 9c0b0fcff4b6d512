import {addBlock, addItem, type ItemNode, type ListNode, lastChild, type ParentNode} from './block-nodes.ts';
import type {BlockBuilder} from './parse-blocks.ts';

/** Two spaces are one level of a list. */
const indent = '  ';
const itemLine = {
  ordered: /^ ?(\d+)\. +(.*)$/,
  bullet: /^ ?([*+-]) +(.*)$/,
};
/** One line that starts no block: most items, and not worth a parser each. */
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
    // A blank line between items: the list is loose, its items hold paragraphs.
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

/** Each item's lines; an indented item is kept with its indent, to be parsed inside the item before it. */
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

/** Indented text after a list belongs to an item of it: which one depends on how deep the indent is. */
export function listIndentRule(builder: BlockBuilder, head: string): number | undefined {
  const {parent} = builder;
  if (!head.startsWith(indent) || builder.mode === 'detabbed' || !builder.canNest) return undefined;
  const previous = lastChild(parent);
  if (parent.kind !== 'item' && previous?.kind !== 'list') return undefined;
  const {level, place} = placeFor(builder, head);
  const text = outdent(head, level);
  if (parent.kind === 'item') builder.parse(previous?.kind === 'list' ? previous : parent, text, 'detabbed');
  else if (place.kind === 'list') {
    const item = place.items.at(-1) ?? addItem(place);
    textToParagraph(item);
    builder.parse(item, text, 'detabbed');
  } else builder.parse(place, text, 'detabbed');
  return head.length;
}

function outdent(text: string, level: number): string {
  const prefix = indent.repeat(level);
  return text
    .split('\n')
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
    .join('\n');
}

function placeFor(builder: BlockBuilder, head: string): {level: number; place: ParentNode} {
  const wanted = Math.floor((/^ */.exec(head)?.[0].length ?? 0) / indent.length);
  // In a tight list we already are at the right item.
  let level = builder.mode === 'list' ? 1 : 0;
  let place = builder.parent;
  while (wanted > level) {
    const child = lastChild(place);
    if (child?.kind !== 'list' && child?.kind !== 'item') break;
    if (child.kind === 'list') level++;
    place = child;
  }
  return {level, place};
}

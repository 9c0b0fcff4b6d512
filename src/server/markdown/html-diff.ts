import {decodeEntities} from '#content/html-entities.ts';
import {escapeLiteral} from './escape-html.ts';

/**
 * Returns the difference between two renderings, for the edit history, as Zulip servers do: the words of both are compared,
 * and the tags go with the word beside them. Inserted words come before the deleted ones that they replace.
 */
export function htmlDiff(before: string, after: string): string {
  const [older, newer] = [wordsOf(before), wordsOf(after)];
  const threshold = Math.min(2, newer.length / 4);
  const equal = matchingBlocks(
    older.map(({text}) => text),
    newer.map(({text}) => text),
  ).filter(({size}) => size > threshold);
  const chunks: string[] = [];
  let a = 0;
  let b = 0;
  for (const block of [...equal, {a: older.length, b: newer.length, size: 0}]) {
    if (b < block.b) {
      const {starts, whole, ends} = split(newer.slice(b, block.b).flatMap(wordChunks));
      chunks.push(...starts);
      addMarked(chunks, 'ins', whole);
      chunks.push(...ends);
    }
    if (a < block.a) chunks.push(deletedStart, ...older.slice(a, block.a).flatMap(wordChunks), deletedEnd);
    a = block.a + block.size;
    b = block.b + block.size;
    for (const word of newer.slice(block.b, b)) chunks.push(...wordChunks(word.isHref ? {...word, html: ''} : word));
  }
  return `<div>${markedTree(withDeleted(chunks))}</div>`;
}

/** A word with its space, an image, or the target of a link; `text` is what is compared. */
type Word = {text: string; html: string; isHref?: true; before: string[]; after: string[]};

const emptyTags = /^<\/?(?:br|img)\b/;

function isTag(chunk: string): boolean {
  return chunk.startsWith('<');
}

function isEndTag(chunk: string): boolean {
  return chunk.startsWith('</');
}

function tagName(chunk: string): string {
  return /^<\/?([^\s/>]*)/.exec(chunk)?.[1] ?? '';
}

/** Divides HTML into words. The tags before a word belong to it, and end tags after it. */
function wordsOf(html: string): Word[] {
  const words: Word[] = [];
  let tags: string[] = [];
  const add = (text: string, shown: string): Word => {
    const word = {text, html: shown, before: tags, after: []};
    words.push(word);
    tags = [];
    return word;
  };
  for (const chunk of chunksOf(html)) {
    if (chunk.startsWith('href:')) add(chunk.slice(5), ` Link: ${escapeLiteral(chunk.slice(5))} `).isHref = true;
    else if (chunk.startsWith('<img')) add(chunk, chunk);
    else if (!isTag(chunk)) add(chunk.trimEnd(), chunk);
    else if (isEndTag(chunk) && tags.length === 0) words.at(-1)?.after.push(chunk);
    else tags.push(chunk);
  }
  if (words.length === 0) add('', '');
  words.at(-1)?.after.push(...tags);
  return words;
}

/** Yields tags, words, and `href:` with its target before the end of a link. An end tag keeps one space after it. */
function* chunksOf(html: string): Generator<string> {
  const targets: (string | undefined)[] = [];
  for (const [, tag = '', text = ''] of html.matchAll(/(<[^>]*>)?([^<]*)/g)) {
    const space = /^\s/.test(text) ? ' ' : '';
    const target = /^<a\b[^>]*? href="([^"]*)"/.exec(tag)?.[1];
    if (isEndTag(tag)) {
      const href = tag === '</a>' ? targets.pop() : undefined;
      if (href !== undefined) yield `href:${decodeEntities(href)}`;
      yield tag + space;
    } else if (tag !== '') {
      if (/^<a\b/.test(tag)) targets.push(target);
      yield tag;
      // A tag without content ends at once; the space goes with its end.
      if (/^<(?:br|hr|img)\b|\/>$/.test(tag) && text !== '') yield `</${tagName(tag)}>${space}`;
    }
    for (const [word] of text.matchAll(/\S+\s*/g)) yield escapeLiteral(decodeEntities(word));
  }
}

function wordChunks({before, html, after}: Word): string[] {
  return [...before, ...(html === '' ? [] : [html]), ...after];
}

const deletedStart = '\u0001';
const deletedEnd = '\u0002';

/** Divides chunks into start tags without an end, whole elements with words, and end tags without a start. */
function split(chunks: readonly string[]): {starts: string[]; whole: string[]; ends: string[]} {
  const starts: string[] = [];
  const ends: string[] = [];
  const whole: (string | undefined)[] = [];
  let open: {position: number; tag: string}[] = [];
  for (const chunk of chunks) {
    const last = open.at(-1);
    if (!isTag(chunk) || emptyTags.test(chunk)) whole.push(chunk);
    else if (!isEndTag(chunk)) {
      open.push({position: whole.length, tag: chunk});
      whole.push(undefined);
    } else if (last !== undefined && tagName(last.tag) === tagName(chunk)) {
      whole.push(chunk);
      whole[last.position] = last.tag;
      open.pop();
    } else {
      starts.push(...open.map(({tag}) => tag));
      open = [];
      ends.push(chunk);
    }
  }
  starts.push(...open.map(({tag}) => tag));
  return {starts, whole: whole.filter((chunk) => chunk !== undefined), ends};
}

/** Adds chunks in a mark, with a space before it and the final space after it. */
function addMarked(chunks: string[], mark: 'ins' | 'del', marked: readonly string[]): void {
  const last = chunks.at(-1);
  if (last !== undefined && !last.endsWith(' ')) chunks[chunks.length - 1] = `${last} `;
  const end = marked.at(-1)?.replace(/ $/, '');
  chunks.push(`<${mark}>`, ...marked.slice(0, -1), ...(end === undefined ? [] : [end]), `</${mark}> `);
}

/** Marks the deleted parts. Tags in them that have no counterpart are left out, so the tags stay those of the new text. */
function withDeleted(chunks: readonly string[]): string[] {
  const done: string[] = [];
  const rest = chunks.toReversed();
  for (let chunk = rest.pop(); chunk !== undefined; chunk = rest.pop()) {
    if (chunk !== deletedStart) {
      done.push(chunk);
      continue;
    }
    const deleted: string[] = [];
    for (let each = rest.pop(); each !== undefined && each !== deletedEnd; each = rest.pop()) deleted.push(each);
    const {starts, whole, ends} = split(deleted);
    // The deleted words go into an element that starts after them, or ends before them, like one of theirs.
    while (starts.length > 0 && isStartOf(rest.at(-1), starts[0])) {
      starts.shift();
      done.push(rest.pop() ?? '');
    }
    while (ends.length > 0 && isEndOf(done.at(-1), ends.at(-1))) {
      ends.pop();
      rest.push(done.pop() ?? '');
    }
    addMarked(done, 'del', whole);
  }
  return done;
}

function isStartOf(chunk = '', start = ''): boolean {
  return isTag(chunk) && !isEndTag(chunk) && tagName(chunk) !== 'ins' && tagName(chunk) === tagName(start);
}

function isEndOf(chunk = '', end = ''): boolean {
  return isEndTag(chunk) && !/^<\/(?:ins|del)/.test(chunk) && tagName(chunk) === tagName(end);
}

/** An element of a difference. `ins` and `del` are marks. */
type Element = {readonly name: string; readonly tag: string; children: Node[]};
type Node = Element | string;

const blocks = new Set(
  (
    'address article aside blockquote dir div dl fieldset form h1 h2 h3 h4 h5 h6 hr menu ol p pre table ul dd dt li ' +
    'tbody td tfoot th thead tr'
  ).split(' '),
);
const emptyElements = new Set(['br', 'hr', 'img']);

/** Returns chunks (tags and words) as HTML: marks around blocks are moved into the blocks, and are spans. */
function markedTree(chunks: readonly string[]): string {
  const root: Element = {name: '', tag: '', children: []};
  const open = [root];
  for (const chunk of chunks) {
    const name = tagName(chunk);
    const parent = open.at(-1) ?? root;
    if (!isTag(chunk)) addText(parent, chunk);
    else if (!isEndTag(chunk)) {
      const element: Element = {name, tag: chunk.trimEnd(), children: []};
      parent.children.push(element);
      if (!emptyElements.has(name) && !element.tag.endsWith('/>')) open.push(element);
    } else if (open.length > 1 && parent.name === name) open.pop();
    if (isTag(chunk) && chunk.endsWith(' ')) addText(open.at(-1) ?? root, ' ');
  }
  return root.children.map(nodeHtml).join('').trim();
}

/** Texts beside each other are one node. */
function addText(parent: Element, text: string): void {
  const last = parent.children.at(-1);
  if (typeof last === 'string') parent.children[parent.children.length - 1] = last + text;
  else parent.children.push(text);
}

function isMark({name}: Element): boolean {
  return name === 'ins' || name === 'del';
}

function nodeHtml(node: Node): string {
  if (typeof node === 'string') return node;
  if (isMark(node)) {
    if (hasBlock(node)) return markedInside(node, node.name).children.map(nodeHtml).join('');
    const change = node.name === 'ins' ? 'inserted' : 'deleted';
    return `<span class="highlight_text_${change}">${node.children.map(nodeHtml).join('')}</span>`;
  }
  if (node.name === 'p' && node.children.some(hasBlock)) return dividedParagraph(node);
  const isEmpty = emptyElements.has(node.name) || node.tag.endsWith('/>');
  return node.tag + (isEmpty ? '' : `${node.children.map(nodeHtml).join('')}</${node.name}>`);
}

/** A deleted block may be in a paragraph of the new text, which ends where the block starts, and goes on after it. */
function dividedParagraph({tag, children}: Element): string {
  const nodes = children.flatMap((child) =>
    typeof child !== 'string' && isMark(child) && hasBlock(child) ? markedInside(child, child.name).children : child,
  );
  let html = '';
  let inline = '';
  for (const node of [...nodes, undefined]) {
    if (node !== undefined && !hasBlock(node)) {
      inline += nodeHtml(node);
      continue;
    }
    html += inline.trim() === '' ? inline : `${tag}${inline}</p>`;
    inline = '';
    if (node !== undefined) html += nodeHtml(node);
  }
  return html;
}

function hasBlock(node: Node): boolean {
  return typeof node !== 'string' && (blocks.has(node.name) || node.children.some(hasBlock));
}

/** Returns the element with marks around what is no block in it. */
function markedInside(element: Element, mark: string): Element {
  const marked = (children: Node[]): Element => ({name: mark, tag: `<${mark}>`, children});
  if (emptyElements.has(element.name)) return element;
  if (!element.children.some(hasBlock)) return {...element, children: [marked(element.children)]};
  const children = element.children.map((child) =>
    typeof child !== 'string' && hasBlock(child) ? markedInside(child, mark) : marked([child]),
  );
  return {...element, children};
}

/** `size` items from `a` in the first list equal those from `b` in the second. */
type MatchingBlock = {readonly a: number; readonly b: number; readonly size: number};

/** An item of a list with at least this many is left out of the search if more than 1 % of the items equal it. */
const popularFrom = 200;

/** With more comparisons than this, the rest is taken as different: their number can grow with the square of the length. */
const maxComparisons = 500_000;

/**
 * Returns the equal parts of two lists in order, as Python's difflib finds them: the longest one, then those before and after
 * it. Zulip servers use it, and another algorithm would find other parts.
 */
function matchingBlocks(first: readonly string[], second: readonly string[]): MatchingBlock[] {
  const positions = positionsOf(second);
  let comparisons = 0;
  const longest = (aFrom: number, aTo: number, bFrom: number, bTo: number): MatchingBlock => {
    let best: MatchingBlock = {a: aFrom, b: bFrom, size: 0};
    let lengths = new Map<number, number>();
    for (let a = aFrom; a < aTo && comparisons < maxComparisons; a++) {
      const next = new Map<number, number>();
      for (const b of positions.get(first[a] ?? '') ?? []) {
        comparisons++;
        if (b < bFrom) continue;
        if (b >= bTo) break;
        const size = (lengths.get(b - 1) ?? 0) + 1;
        next.set(b, size);
        if (size > best.size) best = {a: a - size + 1, b: b - size + 1, size};
      }
      lengths = next;
    }
    let {a, b, size} = best;
    for (; a > aFrom && b > bFrom && first[a - 1] === second[b - 1]; size++) {
      a--;
      b--;
    }
    while (a + size < aTo && b + size < bTo && first[a + size] === second[b + size]) size++;
    return {a, b, size};
  };
  const blocks: MatchingBlock[] = [];
  const pending: [number, number, number, number][] = [[0, first.length, 0, second.length]];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const [aFrom, aTo, bFrom, bTo] = part;
    const block = longest(aFrom, aTo, bFrom, bTo);
    if (block.size === 0) continue;
    blocks.push(block);
    pending.push([aFrom, block.a, bFrom, block.b], [block.a + block.size, aTo, block.b + block.size, bTo]);
  }
  return joined(blocks.sort((one, other) => one.a - other.a));
}

function positionsOf(items: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = Map.groupBy(items.keys(), (index) => items[index] ?? '');
  if (items.length < popularFrom) return positions;
  const most = Math.floor(items.length / 100) + 1;
  return new Map([...positions].filter(([, indexes]) => indexes.length <= most));
}

function joined(blocks: readonly MatchingBlock[]): MatchingBlock[] {
  const out: MatchingBlock[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b)
      out[out.length - 1] = {...last, size: last.size + block.size};
    else out.push(block);
  }
  return out;
}

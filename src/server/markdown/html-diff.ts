import {decodeEntities} from '#content/html-entities.ts';
import {escapeLiteral} from './escape-html.ts';
import {markedTree} from './html-diff-marks.ts';
import {matchingBlocks} from './matching-blocks.ts';

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
    if (b < block.b) addInserted(chunks, newer.slice(b, block.b).flatMap(wordChunks));
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

function addInserted(chunks: string[], inserted: readonly string[]): void {
  const {starts, whole, ends} = split(inserted);
  chunks.push(...starts);
  addMarked(chunks, 'ins', whole);
  chunks.push(...ends);
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

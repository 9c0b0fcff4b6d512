import {openFences, unusedFence} from '#content/fence.ts';
import {lineEnd, lineStart, nonSpaceAround, type TextRange, wordAround} from './graphemes.ts';
import {replaceRange, type TextField} from './text-field.ts';

/** The markup that a key applies to the word at the cursor, or starts where there is none. */
export type MarkupKind = keyof typeof markups;

export function withMarkup(field: TextField, kind: MarkupKind): TextField {
  return markups[kind](field);
}

const markups = {
  bold: (field: TextField) => emphasized(field, '**', wordAround(field.text, field.cursor)),
  italic: (field: TextField) => emphasized(field, '*', wordAround(field.text, field.cursor)),
  code: (field: TextField) => emphasized(field, '`', codeAround(field.text, field.cursor)),
  link: (field: TextField) => linked(field),
  quote: (field: TextField) => fencedParagraph(field, 'quote'),
  fence: (field: TextField) => fencedParagraph(field, ''),
};

/** Puts the signs around the word, or removes them. */
function emphasized(field: TextField, sign: string, word: TextRange | undefined): TextField {
  const {text, cursor} = field;
  const {start, end} = word ?? {start: cursor, end: cursor};
  const inner = text.slice(start, end);
  const size = sign.length;
  if (isEmphasized(text, {start, end}, sign)) {
    return replaceRange(field, start - size, end + size, inner, cursor - start);
  }
  // After a word that was just typed, the cursor goes behind the closing sign.
  const inside = inner !== '' && cursor === end ? inner.length + size * 2 : cursor - start + size;
  return replaceRange(field, start, end, sign + inner + sign, inside);
}

/** Whether the range is emphasized: one star is italic, two are bold, three are both. */
function isEmphasized(text: string, {start, end}: TextRange, sign: string): boolean {
  const character = sign[0] ?? '';
  let signs = 0;
  while (text[start - 1 - signs] === character && text[end + signs] === character) signs++;
  return sign.length === 2 ? signs >= 2 : signs % 2 === 1;
}

/** Returns the code name at the cursor: it includes dots and slashes, but not the punctuation that ends a sentence. */
function codeAround(text: string, cursor: number): TextRange | undefined {
  const word = wordAround(text, cursor);
  if (word !== undefined && isEmphasized(text, word, '`')) return word;
  const spaced = nonSpaceAround(text, cursor);
  if (spaced === undefined) return undefined;
  const {start} = spaced;
  const end = start + text.slice(start, spaced.end).replace(/[.,;:!?]+$/, '').length;
  return end > start && cursor <= end ? {start, end} : word;
}

/** Turns a word into the text of a link, or a URL into its target; the cursor goes to the missing part. */
function linked(field: TextField): TextField {
  const {text, cursor} = field;
  const spaced = nonSpaceAround(text, cursor);
  const address = spaced === undefined ? '' : text.slice(spaced.start, spaced.end);
  if (spaced !== undefined && /^https?:\/\/\S+$/i.test(address)) {
    return replaceRange(field, spaced.start, spaced.end, `[](${address})`, 1);
  }
  const word = wordAround(text, cursor);
  if (word === undefined) return replaceRange(field, cursor, cursor, '[]()', 1);
  const inner = text.slice(word.start, word.end);
  return replaceRange(field, word.start, word.end, `[${inner}]()`, inner.length + 3);
}

/** Puts a fence around the paragraph; on an empty line, around the cursor. */
function fencedParagraph(field: TextField, info: string): TextField {
  const {start, end} = paragraphAround(field.text, field.cursor);
  const inner = field.text.slice(start, end);
  const fence = unusedFence(inner);
  const opening = `${fence}${info}\n`;
  return replaceRange(field, start, end, `${opening}${inner}\n${fence}`, opening.length + field.cursor - start);
}

function paragraphAround(text: string, at: number): TextRange {
  let [start, end] = [lineStart(text, at), lineEnd(text, at)];
  if (text.slice(start, end).trim() === '') return {start, end};
  while (start > 0) {
    const above = lineStart(text, start - 1);
    if (text.slice(above, start).trim() === '') break;
    start = above;
  }
  while (end < text.length) {
    const below = lineEnd(text, end + 1);
    if (text.slice(end, below).trim() === '') break;
    end = below;
  }
  return {start, end};
}

/** Whether a line break here stays inside an open code block, quote or spoiler. */
export function isInsideFence(text: string, cursor: number): boolean {
  const start = lineStart(text, cursor);
  const lines = start === 0 ? [] : text.slice(0, start - 1).split('\n');
  const line = text.slice(start, lineEnd(text, cursor));
  // The cursor's own line counts once the cursor is past the fence that begins it.
  const fence = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
  if (fence !== undefined && cursor - start >= fence.length) lines.push(line);
  return openFences(lines).length > 0;
}

/** Whether a backslash escapes the coming line break. Two backslashes are a literal backslash. */
export function endsWithBackslash(text: string, cursor: number): boolean {
  let count = 0;
  while (text[cursor - 1 - count] === '\\') count++;
  return count % 2 === 1;
}

import {unusedFence} from '#content/fence.ts';
import {lineEnd, lineStart} from './graphemes.ts';
import {replaceRange, type TextField} from './text-field.ts';
import {nonSpaceAround, type TextRange, wordAround} from './word-boundaries.ts';

/** What a key can make of the word at the cursor, or begin where there is none. */
export type MarkupKind = 'bold' | 'italic' | 'code' | 'link' | 'quote' | 'fence';

export function withMarkup(field: TextField, markUp: MarkupKind): TextField {
  switch (markUp) {
    case 'bold':
      return emphasized(field, '**', wordAround(field.text, field.cursor));
    case 'italic':
      return emphasized(field, '*', wordAround(field.text, field.cursor));
    case 'code':
      return emphasized(field, '`', codeAround(field.text, field.cursor));
    case 'link':
      return linked(field);
    case 'quote':
      return fencedParagraph(field, 'quote');
    case 'fence':
      return fencedParagraph(field, '');
  }
}

/** The signs on both sides of the word; away again where they are there already. */
function emphasized(field: TextField, sign: string, word: TextRange | undefined): TextField {
  const {text, cursor} = field;
  const {start, end} = word ?? {start: cursor, end: cursor};
  const inner = text.slice(start, end);
  const size = sign.length;
  if (isEmphasized(text, {start, end}, sign)) {
    return replaceRange(field, start - size, end + size, inner, cursor - start);
  }
  // Who has just written the word goes on behind it.
  const inside = inner !== '' && cursor === end ? inner.length + size * 2 : cursor - start + size;
  return replaceRange(field, start, end, sign + inner + sign, inside);
}

/** One star is italic, two are bold, three are both. */
function isEmphasized(text: string, {start, end}: TextRange, sign: string): boolean {
  const character = sign[0] ?? '';
  let signs = 0;
  while (text[start - 1 - signs] === character && text[end + signs] === character) signs++;
  return sign.length === 2 ? signs >= 2 : signs % 2 === 1;
}

/** Names in code have dots and slashes; what ends the sentence is not part of them. */
function codeAround(text: string, cursor: number): TextRange | undefined {
  const word = wordAround(text, cursor);
  if (word !== undefined && isEmphasized(text, word, '`')) return word;
  const spaced = nonSpaceAround(text, cursor);
  if (spaced === undefined) return undefined;
  const {start} = spaced;
  const end = start + text.slice(start, spaced.end).replace(/[.,;:!?]+$/, '').length;
  return end > start && cursor <= end ? {start, end} : word;
}

/** A word becomes what is read, an address becomes where it leads; the cursor is where the other part is missing. */
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

/** A fence around the lines up to the next empty ones; on an empty line, around the place where one writes. */
function fencedParagraph(field: TextField, info: string): TextField {
  const {start, end} = paragraphAround(field.text, field.cursor);
  const inner = field.text.slice(start, end);
  const fence = unusedFence(inner);
  const opening = `${fence}${info}\n`;
  return replaceRange(
    field,
    start,
    end,
    `${opening}${inner}\n${fence}`,
    opening.length + field.cursor - start,
  );
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

import {segmenter} from '#std/segmenter.ts';
import {boundaryAfter, boundaryBefore, boundaryFrom, boundaryUntil} from './graphemes.ts';

/**
 * Character classes that word movement distinguishes: a word is a run of letters and digits, an emoji, or a run of
 * signs.
 */

type CharacterKind = 'space' | 'word' | 'emoji' | 'sign';

const wordStart = /^[\p{L}\p{N}\p{M}_]/u;
const emojiStart = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;
/** Scripts without spaces between words: a dictionary segments them, sometimes inside a grapheme. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** The maximum number of characters passed to the dictionary, because its cost grows with the length. */
const maxSegmentLength = 48;

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the start of the word before `at`: `foo.` and `-----` are one word each, of `a/b` it is the `b`. */
export function wordLeft(text: string, at: number): number {
  let offset = at;
  while (offset > 0 && kindBefore(text, offset) === 'space') offset = boundaryBefore(text, offset);
  const afterSigns = offset;
  while (offset > 0 && kindBefore(text, offset) === 'sign') offset = boundaryBefore(text, offset);
  if (offset > 0 && kindBefore(text, offset) === 'word') return runLeft(text, offset, true);
  if (offset < afterSigns || offset === 0) return offset;
  return boundaryBefore(text, offset);
}

/** Returns the end of the word after `at`. */
export function wordRight(text: string, at: number): number {
  let offset = at;
  while (offset < text.length && kindAfter(text, offset) === 'space') offset = boundaryAfter(text, offset);
  const beforeSigns = offset;
  while (offset < text.length && kindAfter(text, offset) === 'sign') offset = boundaryAfter(text, offset);
  if (offset < text.length && kindAfter(text, offset) === 'word') return runRight(text, offset, true);
  if (offset > beforeSigns || offset === text.length) return offset;
  return boundaryAfter(text, offset);
}

/** Returns the word that `at` is in or next to. */
export function wordAround(text: string, at: number): TextRange | undefined {
  const [start, end] = [runLeft(text, at, false), runRight(text, at, false)];
  if (start === end) return undefined;
  const run = text.slice(start, end);
  if (!unspaced.test(run)) return {start, end};
  const words = wordsOf(run);
  const found = words.findLast((word) => word.start < at - start) ?? words[0] ?? {start: 0, end: run.length};
  return {start: boundaryUntil(text, start + found.start), end: boundaryFrom(text, start + found.end)};
}

/** Returns the run without spaces around `at`, such as a path or a URL. */
export function nonSpaceAround(text: string, at: number): TextRange | undefined {
  let [start, end] = [at, at];
  while (start > 0 && kindBefore(text, start) !== 'space') start = boundaryBefore(text, start);
  while (end < text.length && kindAfter(text, end) !== 'space') end = boundaryAfter(text, end);
  return start === end ? undefined : {start, end};
}

function runLeft(text: string, at: number, isOneWord: boolean): number {
  let offset = at;
  let count = 0;
  while (offset > 0 && kindBefore(text, offset) === 'word') {
    const before = boundaryBefore(text, offset);
    if (unspaced.test(text.slice(before, offset)) && ++count > maxSegmentLength) break;
    offset = before;
  }
  if (!isOneWord || count === 0) return offset;
  return boundaryUntil(text, offset + (wordsOf(text.slice(offset, at)).at(-1)?.start ?? 0));
}

function runRight(text: string, at: number, isOneWord: boolean): number {
  let offset = at;
  let count = 0;
  while (offset < text.length && kindAfter(text, offset) === 'word') {
    const after = boundaryAfter(text, offset);
    if (unspaced.test(text.slice(offset, after)) && ++count > maxSegmentLength) break;
    offset = after;
  }
  if (!isOneWord || count === 0) return offset;
  return boundaryFrom(text, at + (wordsOf(text.slice(at, offset))[0]?.end ?? 0));
}

function wordsOf(run: string): TextRange[] {
  return Array.from(segmenter('word').segment(run), ({index, segment}) => ({
    start: index,
    end: index + segment.length,
  }));
}

function kindBefore(text: string, at: number): CharacterKind {
  return kindOf(text, boundaryBefore(text, at), at);
}

function kindAfter(text: string, at: number): CharacterKind {
  return kindOf(text, at, boundaryAfter(text, at));
}

function kindOf(text: string, start: number, end: number): CharacterKind {
  const character = text.slice(start, end);
  if (character.trim() === '') return 'space';
  if (wordStart.test(character)) return 'word';
  if (emojiStart.test(character)) return 'emoji';
  // An apostrophe inside a word, as in "don't", belongs to the word.
  const isApostrophe = character === "'" || character === '\u2019';
  const joins =
    isApostrophe && wordStart.test(text.slice(boundaryBefore(text, start), start)) && wordStart.test(text.slice(end));
  return joins ? 'word' : 'sign';
}

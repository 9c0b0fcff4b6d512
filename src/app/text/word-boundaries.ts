import {boundaryAfter, boundaryBefore, boundaryFrom, boundaryUntil} from './graphemes.ts';

/** What a key moves over or deletes as one word: letters and digits, a picture, or signs that stand by themselves. */

type CharacterKind = 'space' | 'word' | 'picture' | 'sign';

const wordStart = /^[\p{L}\p{N}\p{M}_]/u;
const pictureStart = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;
/** Their words stand together without spaces; a dictionary tells them apart, now and then inside a character. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** The dictionary looks at no more characters than this: its cost grows with what it is given. */
const furthest = 48;

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the word before `at` starts: `foo.` and `-----` are one each, of `a/b` it is the `b`. */
export function wordLeft(text: string, at: number): number {
  let here = at;
  while (here > 0 && kindBefore(text, here) === 'space') here = boundaryBefore(text, here);
  const afterSigns = here;
  while (here > 0 && kindBefore(text, here) === 'sign') here = boundaryBefore(text, here);
  if (here > 0 && kindBefore(text, here) === 'word') return runLeft(text, here, true);
  if (here < afterSigns || here === 0) return here;
  return boundaryBefore(text, here);
}

/** Where the word after `at` ends. */
export function wordRight(text: string, at: number): number {
  let here = at;
  while (here < text.length && kindAfter(text, here) === 'space') here = boundaryAfter(text, here);
  const beforeSigns = here;
  while (here < text.length && kindAfter(text, here) === 'sign') here = boundaryAfter(text, here);
  if (here < text.length && kindAfter(text, here) === 'word') return runRight(text, here, true);
  if (here > beforeSigns || here === text.length) return here;
  return boundaryAfter(text, here);
}

/** The word that `at` is in or at the edge of. */
export function wordAround(text: string, at: number): TextRange | undefined {
  const [start, end] = [runLeft(text, at, false), runRight(text, at, false)];
  if (start === end) return undefined;
  const run = text.slice(start, end);
  if (!unspaced.test(run)) return {start, end};
  const words = wordsOf(run);
  const found = words.findLast((word) => word.start < at - start) ?? words[0] ?? {start: 0, end: run.length};
  return {start: boundaryUntil(text, start + found.start), end: boundaryFrom(text, start + found.end)};
}

/** What stands around `at` without a space in it, such as a path or an address. */
export function nonSpaceAround(text: string, at: number): TextRange | undefined {
  let [start, end] = [at, at];
  while (start > 0 && kindBefore(text, start) !== 'space') start = boundaryBefore(text, start);
  while (end < text.length && kindAfter(text, end) !== 'space') end = boundaryAfter(text, end);
  return start === end ? undefined : {start, end};
}

function runLeft(text: string, at: number, isOneWord: boolean): number {
  let here = at;
  let looked = 0;
  while (here > 0 && kindBefore(text, here) === 'word') {
    const before = boundaryBefore(text, here);
    if (unspaced.test(text.slice(before, here)) && ++looked > furthest) break;
    here = before;
  }
  if (!isOneWord || looked === 0) return here;
  return boundaryUntil(text, here + (wordsOf(text.slice(here, at)).at(-1)?.start ?? 0));
}

function runRight(text: string, at: number, isOneWord: boolean): number {
  let here = at;
  let looked = 0;
  while (here < text.length && kindAfter(text, here) === 'word') {
    const after = boundaryAfter(text, here);
    if (unspaced.test(text.slice(here, after)) && ++looked > furthest) break;
    here = after;
  }
  if (!isOneWord || looked === 0) return here;
  return boundaryFrom(text, at + (wordsOf(text.slice(at, here))[0]?.end ?? 0));
}

let segmenter: Intl.Segmenter | undefined;

function wordsOf(run: string): TextRange[] {
  segmenter ??= new Intl.Segmenter('en', {granularity: 'word'});
  return Array.from(segmenter.segment(run), ({index, segment}) => ({
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
  if (pictureStart.test(character)) return 'picture';
  // Inside a word it belongs to it: don't.
  const isApostrophe = character === "'" || character === '\u2019';
  const joins =
    isApostrophe &&
    wordStart.test(text.slice(boundaryBefore(text, start), start)) &&
    wordStart.test(text.slice(end));
  return joins ? 'word' : 'sign';
}

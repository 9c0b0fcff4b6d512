/** Finds alert words and search terms in text. */

import {entityText} from './html-entities.ts';

/** A range from `start` up to, not including, `end`, in UTF-16 units. */
export type WordRange = readonly [start: number, end: number];

export interface SearchWord {
  readonly text: string;
  /** Whether both ends of a match must be word boundaries. */
  readonly isWhole: boolean;
}

export type RangeFinder = (text: string) => readonly WordRange[];
type WordsByStart = ReadonlyMap<string, readonly SearchWord[]>;

/** Bounds the number of search words; each word of a long message could be one. */
const maxWords = 500;
const maxWordLength = 200;
const wordCharacter = /[\p{L}\p{N}_]/u;

/** Returns a function that finds alert words: whole words that are not in a URL; the ranges are sorted, without overlaps. */
export function alertWordFinder(words: readonly string[]): RangeFinder {
  const find = wordFinder(words.map((word) => ({text: word.trim(), isWhole: true})));
  return (text) => {
    const found = find(text);
    return found.length === 0 ? found : found.filter(outsideUrls(text));
  };
}

/** Returns a function that finds the words, ignoring case; the longest of several at one position. Sorted, without overlaps. */
export function wordFinder(words: readonly SearchWord[]): RangeFinder {
  const byStart = wordsByStart(words);
  // Most characters start none of the words and are skipped with one lookup.
  const firsts = new Set(Array.from(byStart.keys(), (start) => start.charCodeAt(0)));
  return (text) => (byStart.size === 0 ? [] : findRanges(text, byStart, firsts));
}

function findRanges(text: string, byStart: WordsByStart, firsts: ReadonlySet<number>): readonly WordRange[] {
  const folded = foldCase(text);
  const ranges: WordRange[] = [];
  for (let at = 0; at < folded.length; at++) {
    if (!firsts.has(folded.charCodeAt(at))) continue;
    const matches = (word: SearchWord): boolean => folded.startsWith(word.text, at) && hasEdges(folded, at, word);
    const hit = byStart.get(folded.slice(at, at + 2))?.find(matches) ?? byStart.get(folded.charAt(at))?.find(matches);
    if (hit === undefined) continue;
    ranges.push([at, at + hit.text.length]);
    at += hit.text.length - 1;
  }
  return ranges;
}

/** Groups the folded words by their first two units (or one, if that is all), longest first. */
function wordsByStart(words: readonly SearchWord[]): WordsByStart {
  const byStart = new Map<string, SearchWord[]>();
  for (const {text, isWhole} of words.slice(0, maxWords)) {
    const word = {text: foldCase(text.toWellFormed()), isWhole};
    if (word.text === '' || word.text.length > maxWordLength) continue;
    const start = word.text.slice(0, 2);
    byStart.set(start, [...(byStart.get(start) ?? []), word]);
  }
  for (const list of byStart.values()) list.sort((a, b) => b.text.length - a.text.length);
  return byStart;
}

function hasEdges(text: string, at: number, {text: word, isWhole}: SearchWord): boolean {
  if (!isWhole) return true;
  return !isWordPart(characterBefore(text, at)) && !isWordPart(text.codePointAt(at + word.length));
}

function isWordPart(code: number | undefined): boolean {
  return code !== undefined && wordCharacter.test(String.fromCodePoint(code));
}

function characterBefore(text: string, at: number): number | undefined {
  if (at === 0) return undefined;
  const unit = text.charCodeAt(at - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return isLow && at > 1 ? text.codePointAt(at - 2) : unit;
}

/** Lower-cases a text without changing its length: characters whose lower case is longer stay as they are. */
export function foldCase(text: string): string {
  const whole = text.toLowerCase();
  if (/^[\u0000-\u007f]*$/.test(text)) return whole;
  let out = '';
  for (const character of text) {
    const lower = character.toLowerCase();
    out += lower.length === character.length ? lower : character;
  }
  return out;
}

/** Returns a test whether a range is outside every URL (a run of non-space characters with `://`). Ranges must be sorted. */
function outsideUrls(text: string): (range: WordRange) => boolean {
  let [start, end, isUrl] = [0, 0, false];
  return ([at]) => {
    if (at >= end) {
      start = at;
      while (start > 0 && !isSpace(text, start - 1)) start--;
      end = at;
      while (end < text.length && !isSpace(text, end)) end++;
      isUrl = text.slice(start, end).includes('://');
    }
    return !isUrl;
  };
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? '');
}

const openingTag = '<span class="highlight">';

/** Returns the distinct words that the server marked in `match_content`. */
export function matchedWords(html: string): readonly SearchWord[] {
  const words = new Map<string, SearchWord>();
  let at = html.indexOf(openingTag);
  while (at >= 0 && words.size < maxWords) {
    const from = at + openingTag.length;
    const to = html.indexOf('</span>', from);
    if (to < 0) break;
    const text = textOf(html.slice(from, to)).trim();
    // Some servers match parts of words; then the part is highlighted wherever it occurs.
    const isPart = isWordPart(characterBefore(html, at)) || isWordPart(html.codePointAt(to + '</span>'.length));
    const known = words.get(text);
    if (text !== '' && (known === undefined || isPart)) words.set(text, {text, isWhole: !isPart});
    at = html.indexOf(openingTag, to);
  }
  return [...words.values()];
}

/** Returns the text of HTML: without tags, with character references replaced. */
function textOf(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, '').replaceAll(/&#?\w{1,32};/g, (reference) => entityText(reference));
}

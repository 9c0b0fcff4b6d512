import {entityText} from './html-entities.ts';

/** From `start` up to, not including, `end`, in UTF-16 units. */
export type WordRange = readonly [start: number, end: number];

export interface SearchWord {
  readonly text: string;
  /** Where a match must be the edge of a word: on both sides, only where it starts, or nowhere. */
  readonly edges: 'both' | 'start' | 'none';
}

export type RangeFinder = (text: string) => readonly WordRange[];
type WordsByStart = ReadonlyMap<string, readonly SearchWord[]>;

/** Enough for any search; without a bound each word of a long message could be one. */
const mostWords = 500;
const longestWord = 200;
const wordCharacter = /[\p{L}\p{N}_]/u;

/** Where alert words stand on their own: not inside a longer word, not in a URL. Sorted, none overlapping. */
export function alertWordRanges(text: string, words: readonly string[]): readonly WordRange[] {
  return alertWordFinder(words)(text);
}

/** The same for many texts: the words are prepared once. */
export function alertWordFinder(words: readonly string[]): RangeFinder {
  const find = wordFinder(words.map((word) => ({text: word.trim(), edges: 'both'})));
  return (text) => {
    const found = find(text);
    return found.length === 0 ? found : found.filter(outsideUrls(text));
  };
}

/** Where the words stand, without regard to case; of several at one place the longest. Sorted, none overlapping. */
export function wordRanges(text: string, words: readonly SearchWord[]): readonly WordRange[] {
  return wordFinder(words)(text);
}

/** The same for many texts. */
export function wordFinder(words: readonly SearchWord[]): RangeFinder {
  const byStart = sought(words);
  // Most characters begin none of the words, and are passed over without looking any further.
  const firsts = new Set(Array.from(byStart.keys(), (start) => start.charCodeAt(0)));
  return (text) => (byStart.size === 0 ? [] : foundRanges(text, byStart, firsts));
}

function foundRanges(text: string, byStart: WordsByStart, firsts: ReadonlySet<number>): readonly WordRange[] {
  const folded = foldCase(text);
  const ranges: WordRange[] = [];
  for (let at = 0; at < folded.length; at++) {
    if (!firsts.has(folded.charCodeAt(at))) continue;
    const fits = (word: SearchWord): boolean =>
      folded.startsWith(word.text, at) && hasEdges(folded, at, word);
    const hit =
      byStart.get(folded.slice(at, at + 2))?.find(fits) ?? byStart.get(folded.charAt(at))?.find(fits);
    if (hit === undefined) continue;
    ranges.push([at, at + hit.text.length]);
    at += hit.text.length - 1;
  }
  return ranges;
}

/** Folded, by their first two units, or the one they have; the longest first. */
function sought(words: readonly SearchWord[]): WordsByStart {
  const byStart = new Map<string, SearchWord[]>();
  for (const {text, edges} of words.slice(0, mostWords)) {
    const word = {text: foldCase(text.toWellFormed()), edges};
    if (word.text === '' || word.text.length > longestWord) continue;
    const start = word.text.slice(0, 2);
    const known = byStart.get(start);
    if (known === undefined) byStart.set(start, [word]);
    else known.push(word);
  }
  for (const list of byStart.values()) list.sort((a, b) => b.text.length - a.text.length);
  return byStart;
}

function hasEdges(text: string, at: number, {text: word, edges}: SearchWord): boolean {
  if (edges === 'none') return true;
  if (isWordPart(characterBefore(text, at))) return false;
  return edges === 'start' || !isWordPart(text.codePointAt(at + word.length));
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

/** Lower case, character by character, so that positions stay: some characters become two in lower case. */
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

/** Whether a range lies outside every run of non-space characters that holds `://`. Asked in order. */
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

const opening = '<span class="highlight">';

/** The words that the server marked in `match_content`, as they are spelt; each once. */
export function matchedWords(html: string): readonly SearchWord[] {
  const words = new Map<string, SearchWord>();
  let at = html.indexOf(opening);
  while (at >= 0 && words.size < mostWords) {
    const from = at + opening.length;
    const to = html.indexOf('</span>', from);
    if (to < 0) break;
    const text = textOf(html.slice(from, to)).trim();
    // Some servers find parts of words; then the part is marked wherever it stands.
    const isPart =
      isWordPart(characterBefore(html, at)) || isWordPart(html.codePointAt(to + '</span>'.length));
    const known = words.get(text);
    if (text !== '' && (known === undefined || isPart))
      words.set(text, {text, edges: isPart ? 'none' : 'both'});
    at = html.indexOf(opening, to);
  }
  return [...words.values()];
}

/** HTML without tags, with characters instead of references. */
function textOf(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, '').replaceAll(/&#?\w{1,32};/g, (reference) => entityText(reference));
}

/** The words of a search as it was typed: `deploy "code freeze"` is one word and one phrase. They may be beginnings. */
export function queryWords(query: string): readonly SearchWord[] {
  const words: SearchWord[] = [];
  for (const [index, part] of query.split('"').entries()) {
    const phrase = index % 2 === 1;
    for (const text of phrase ? [part.trim()] : part.split(/\s+/)) {
      if (text !== '') words.push({text, edges: phrase ? 'both' : 'start'});
    }
    if (words.length >= mostWords) break;
  }
  return words;
}

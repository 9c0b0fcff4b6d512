import {foldText} from './fold-text.ts';

/** From `start` up to, not including, `end`, in UTF-16 units of the text as it was given. */
export type MatchRange = readonly [start: number, end: number];

/** A text prepared once, to be asked about many times. */
export interface FuzzyCandidate {
  readonly folded: string;
  readonly offsets: readonly number[] | undefined;
  /** The letters in it, as bits: most texts are ruled out by a look at these. */
  readonly mask: number;
  /** The letters that begin a word of it, in the same way. */
  readonly initials: number;
  /** Where its main part begins: a beginning there is as good as one at the start. */
  readonly head: number;
  /** The letters at its beginning and at that of its main part. */
  readonly firsts: number;
}

export interface FuzzyQuery {
  readonly words: readonly string[];
  /** The words with single spaces between them. */
  readonly whole: string;
  readonly mask: number;
  /** Its first letter in the same way. */
  readonly first: number;
}

/**
 * What a score says: a better kind of match always has the higher one, and what is added for its place or its length never
 * reaches the next kind. Up to 100 may be added for other reasons without that changing.
 */
export const matchScores = {
  exact: 1200,
  prefix: 1000,
  word: 800,
  words: 600,
  inside: 400,
  sparse: 100,
} as const;
const finest = 60;
/** Nothing anybody looks for is longer, and costs stay bounded whatever a text is. */
const longest = 300;

/** `head`: where in `text` its main part begins. */
export function fuzzyCandidate(text: string, head = 0): FuzzyCandidate {
  const {text: whole, offsets} = foldText(text.slice(0, longest));
  const at = head === 0 ? 0 : offsets === undefined ? head : Math.max(0, offsets.indexOf(head));
  const firsts = bitOf(whole.charCodeAt(0)) | bitOf(whole.charCodeAt(at));
  return {folded: whole, offsets, ...lettersOf(whole), head: at, firsts};
}

export function fuzzyQuery(text: string): FuzzyQuery {
  const words = foldText(text.slice(0, longest))
    .text.split(/\s+/)
    .filter((word) => word !== '');
  const whole = words.join(' ');
  return {words, whole, mask: maskOf(words.join('')), first: bitOf(whole.charCodeAt(0))};
}

/** One bit for each Latin letter, one for digits, the rest share what is left. */
function bitOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 1 << (code - 0x61);
  if (code >= 0x30 && code <= 0x39) return 1 << 26;
  return code > 0x7f ? 1 << (27 + (code % 5)) : 0;
}

function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) mask |= bitOf(text.charCodeAt(at));
  return mask;
}

function lettersOf(text: string): {mask: number; initials: number} {
  let [mask, initials, isAfterWord] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const bit = bitOf(code);
    mask |= bit;
    if (!isAfterWord || isIdeograph(code)) initials |= bit;
    isAfterWord = isWordPart(code);
  }
  return {mask, initials};
}

/** More than these `fuzzyScore` cannot give: with the first letter at a beginning, at that of a word, or elsewhere. */
export function maxScores({words}: FuzzyQuery): {
  readonly begun: number;
  readonly word: number;
  readonly inside: number;
} {
  const inside = (words.length > 1 ? matchScores.words : matchScores.inside) + finest;
  return {begun: matchScores.exact, word: matchScores.word + finest, inside};
}

/** How well it fits, more is better; -1 when it does not. An empty query fits everything equally. */
export function fuzzyScore(query: FuzzyQuery, candidate: FuzzyCandidate): number {
  if ((query.mask & ~candidate.mask) !== 0) return -1;
  const first = query.words[0];
  if (first === undefined) return 0;
  if (query.words.length === 1) return wordScore(first, candidate);
  if (candidate.folded.includes(query.whole)) return wordScore(query.whole, candidate);
  let sum = 0;
  for (const word of query.words) {
    const score = wordScore(word, candidate);
    if (score < 0) return -1;
    sum += Math.min(score, matchScores.prefix);
  }
  // Words in any order: good, but never as good as the same words as they stand.
  const share = sum / (query.words.length * matchScores.prefix);
  return share >= 0.5 ? matchScores.words + share * finest : matchScores.sparse + share * finest;
}

function wordScore(word: string, {folded: text, head, initials}: FuzzyCandidate): number {
  const first = text.indexOf(word);
  if (first < 0) return sparseScore(word, text);
  const atHead = text.startsWith(word, head);
  if (atHead || first === 0) {
    const left = text.length - (atHead ? head : 0) - word.length;
    return left === 0 ? matchScores.exact : matchScores.prefix + finest - Math.min(left, finest);
  }
  const bit = bitOf(word.charCodeAt(0));
  const start = (bit & ~initials) === 0 ? wordStart(word, text, first) : -1;
  return start < 0
    ? matchScores.inside + finest - Math.min(first, finest)
    : matchScores.word + finest - Math.min(start, finest);
}

/** The first place from `from` on where the word begins a word; -1 when there is none. */
function wordStart(word: string, text: string, from: number): number {
  for (let at = from; at >= 0; at = text.indexOf(word, at + 1)) if (isBoundary(text, at)) return at;
  return -1;
}

/** Whether a word begins here. Scripts that put no spaces between words begin one anywhere. */
function isBoundary(text: string, at: number): boolean {
  return at === 0 || !isWordPart(text.charCodeAt(at - 1)) || isIdeograph(text.charCodeAt(at));
}

function isWordPart(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code >= 0xc0 && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x303f);
}

function isIdeograph(code: number): boolean {
  return code >= 0x3040 && code <= 0x9fff;
}

/** The letters in order with others between them. Looked for from the left, then drawn together from the right. */
function sparseScore(word: string, text: string): number {
  let end = -1;
  for (let at = 0; at < word.length; at += 1) {
    end = text.indexOf(word.charAt(at), end + 1);
    if (end < 0) return -1;
  }
  let score = 2 * finest;
  let next = end + 1;
  for (let at = word.length - 1; at >= 0; at -= 1) {
    const place = text.lastIndexOf(word.charAt(at), next - 1);
    if (isBoundary(text, place)) score += 25;
    else if (place + 1 === next && at < word.length - 1) score += 12;
    else score -= Math.min(12, next - place);
    next = place;
  }
  return matchScores.sparse + Math.max(0, Math.min(score, 3 * finest));
}

/** Where the query stands in the text the candidate was made from: in order, none touching; undefined without a match. */
export function matchRanges(query: FuzzyQuery, candidate: FuzzyCandidate): readonly MatchRange[] | undefined {
  if (fuzzyScore(query, candidate) < 0) return undefined;
  const isWhole = query.words.length > 1 && candidate.folded.includes(query.whole);
  const places = new Set<number>();
  for (const word of isWhole ? [query.whole] : query.words) {
    for (const place of wordPlaces(word, candidate)) places.add(place);
  }
  return sourceRanges(
    [...places].sort((a, b) => a - b),
    candidate,
  );
}

function wordPlaces(word: string, {folded: text, head}: FuzzyCandidate): readonly number[] {
  const first = text.indexOf(word);
  if (first < 0) return sparsePlaces(word, text);
  const start = text.startsWith(word, head) ? head : wordStart(word, text, first);
  const from = start < 0 ? first : start;
  return Array.from({length: word.length}, (_, at) => from + at);
}

function sparsePlaces(word: string, text: string): readonly number[] {
  let end = -1;
  for (let at = 0; at < word.length; at += 1) end = text.indexOf(word.charAt(at), end + 1);
  const places: number[] = [];
  let next = end + 1;
  for (let at = word.length - 1; at >= 0; at -= 1) {
    next = text.lastIndexOf(word.charAt(at), next - 1);
    places.push(next);
  }
  return places;
}

/** Whole characters of the source, whatever part of one was matched. */
function sourceRanges(
  places: readonly number[],
  {folded: text, offsets}: FuzzyCandidate,
): readonly MatchRange[] {
  const ranges: [number, number][] = [];
  for (const place of places) {
    const start = offsets?.[place] ?? place;
    let after = place + 1;
    while (offsets !== undefined && after < text.length && offsets[after] === start) after += 1;
    const end = offsets?.[after] ?? after;
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

export interface FuzzyMatch {
  readonly score: number;
  readonly ranges: readonly MatchRange[];
}

/** The same for one text asked once. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const [asked, candidate] = [fuzzyQuery(query), fuzzyCandidate(text)];
  const ranges = matchRanges(asked, candidate);
  return ranges === undefined ? undefined : {score: fuzzyScore(asked, candidate), ranges};
}

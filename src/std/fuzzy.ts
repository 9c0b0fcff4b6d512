/** Fuzzy search: scores how well a query matches a text, and finds the matching characters. */

import {foldText} from './fold-text.ts';

/** A range from `start` up to, not including, `end`, in UTF-16 units of the original text. */
export type MatchRange = readonly [start: number, end: number];

/** A text that was prepared for many searches. */
export interface FuzzyCandidate {
  readonly folded: string;
  readonly offsets: readonly number[] | undefined;
  /** The letters in the text, as bits; these exclude most texts. */
  readonly mask: number;
  /** The letters that begin a word, as bits. */
  readonly initials: number;
  /** The offset of the main part; a prefix there is as good as one at the start. */
  readonly head: number;
  /** The first letters of the text and of its main part, as bits. */
  readonly firsts: number;
}

export interface FuzzyQuery {
  readonly words: readonly string[];
  /** The words joined by single spaces. */
  readonly whole: string;
  readonly mask: number;
  /** The first letter, as a bit. */
  readonly first: number;
}

/**
 * The base score of each kind of match. A better kind always has the higher score: the bonus for position or length never
 * reaches the next kind, and callers may add up to 100 for other reasons.
 */
export const matchScores = {
  exact: 1200,
  prefix: 1000,
  word: 800,
  words: 600,
  inside: 400,
  sparse: 100,
} as const;
/** The largest bonus within a kind of match. */
const maxBonus = 60;
/** Only this much of a text or query is used, which bounds the time. */
const maxLength = 300;

/** Prepares a text. `head` is the offset where its main part begins. */
export function fuzzyCandidate(text: string, head = 0): FuzzyCandidate {
  const {text: whole, offsets} = foldText(text.slice(0, maxLength));
  const at = head === 0 ? 0 : offsets === undefined ? head : Math.max(0, offsets.indexOf(head));
  const firsts = bitOf(whole.charCodeAt(0)) | bitOf(whole.charCodeAt(at));
  return {folded: whole, offsets, ...lettersOf(whole), head: at, firsts};
}

export function fuzzyQuery(text: string): FuzzyQuery {
  const words = foldText(text.slice(0, maxLength))
    .text.split(/\s+/)
    .filter((word) => word !== '');
  const whole = words.join(' ');
  return {words, whole, mask: maskOf(words.join('')), first: bitOf(whole.charCodeAt(0))};
}

/** Returns the bit of a character: one for each Latin letter, one for digits, the rest share the remaining bits. */
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

/** Returns upper bounds of `fuzzyScore`, by whether the query's first letter begins the text, begins a word, or neither. */
export function maxScores({words}: FuzzyQuery): {
  readonly begun: number;
  readonly word: number;
  readonly inside: number;
} {
  const inside = (words.length > 1 ? matchScores.words : matchScores.inside) + maxBonus;
  return {begun: matchScores.exact, word: matchScores.word + maxBonus, inside};
}

/** Returns the score of a match, higher is better; -1 for no match. An empty query matches everything equally. */
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
  // Words in any order score lower than the same words in order.
  const share = sum / (query.words.length * matchScores.prefix);
  return share >= 0.5 ? matchScores.words + share * maxBonus : matchScores.sparse + share * maxBonus;
}

function wordScore(word: string, {folded: text, head, initials}: FuzzyCandidate): number {
  const first = text.indexOf(word);
  if (first < 0) return sparseScore(word, text);
  const atHead = text.startsWith(word, head);
  if (atHead || first === 0) {
    const left = text.length - (atHead ? head : 0) - word.length;
    return left === 0 ? matchScores.exact : matchScores.prefix + maxBonus - Math.min(left, maxBonus);
  }
  const bit = bitOf(word.charCodeAt(0));
  const start = (bit & ~initials) === 0 ? wordStart(word, text, first) : -1;
  return start < 0
    ? matchScores.inside + maxBonus - Math.min(first, maxBonus)
    : matchScores.word + maxBonus - Math.min(start, maxBonus);
}

/** Returns the first position from `from` on where `word` begins a word; -1 when there is none. */
function wordStart(word: string, text: string, from: number): number {
  for (let at = from; at >= 0; at = text.indexOf(word, at + 1)) if (isBoundary(text, at)) return at;
  return -1;
}

/** Returns whether a word begins here. In scripts without spaces a word may begin anywhere. */
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

/** Scores letters in order with others between them. They are found from the left, then moved together from the right. */
function sparseScore(word: string, text: string): number {
  let end = -1;
  for (let at = 0; at < word.length; at += 1) {
    end = text.indexOf(word.charAt(at), end + 1);
    if (end < 0) return -1;
  }
  let score = 2 * maxBonus;
  let next = end + 1;
  for (let at = word.length - 1; at >= 0; at -= 1) {
    const position = text.lastIndexOf(word.charAt(at), next - 1);
    if (isBoundary(text, position)) score += 25;
    else if (position + 1 === next && at < word.length - 1) score += 12;
    else score -= Math.min(12, next - position);
    next = position;
  }
  return matchScores.sparse + Math.max(0, Math.min(score, 3 * maxBonus));
}

/** Returns the matching ranges of the original text, sorted and not adjacent; undefined without a match. */
export function matchRanges(query: FuzzyQuery, candidate: FuzzyCandidate): readonly MatchRange[] | undefined {
  if (fuzzyScore(query, candidate) < 0) return undefined;
  const isWhole = query.words.length > 1 && candidate.folded.includes(query.whole);
  const positions = new Set<number>();
  for (const word of isWhole ? [query.whole] : query.words) {
    for (const position of wordPositions(word, candidate)) positions.add(position);
  }
  return sourceRanges(
    [...positions].sort((a, b) => a - b),
    candidate,
  );
}

function wordPositions(word: string, {folded: text, head}: FuzzyCandidate): readonly number[] {
  const first = text.indexOf(word);
  if (first < 0) return sparsePositions(word, text);
  const start = text.startsWith(word, head) ? head : wordStart(word, text, first);
  const from = start < 0 ? first : start;
  return Array.from({length: word.length}, (_, at) => from + at);
}

function sparsePositions(word: string, text: string): readonly number[] {
  let end = -1;
  for (let at = 0; at < word.length; at += 1) end = text.indexOf(word.charAt(at), end + 1);
  const positions: number[] = [];
  let next = end + 1;
  for (let at = word.length - 1; at >= 0; at -= 1) {
    next = text.lastIndexOf(word.charAt(at), next - 1);
    positions.push(next);
  }
  return positions;
}

/** Converts positions of the folded text to ranges of whole characters of the source. */
function sourceRanges(positions: readonly number[], {folded: text, offsets}: FuzzyCandidate): readonly MatchRange[] {
  const ranges: [number, number][] = [];
  for (const position of positions) {
    const start = offsets?.[position] ?? position;
    let after = position + 1;
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

/** Matches a query against a single text. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const prepared = fuzzyQuery(query);
  const candidate = fuzzyCandidate(text);
  const ranges = matchRanges(prepared, candidate);
  return ranges === undefined ? undefined : {score: fuzzyScore(prepared, candidate), ranges};
}

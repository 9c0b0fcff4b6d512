import {foldText} from './fold-text.ts';
import type {MatchRange} from './fuzzy.ts';
import {memoByObject} from './memo.ts';

/** An item that can be found by its title, an alias or its id. */
export interface Named {
  readonly id: string;
  readonly title: string;
  readonly aliases?: readonly string[] | undefined;
  /** Whether it was used lately. */
  readonly isRecent?: boolean | undefined;
}

interface NameMatch {
  /** One of `nameRanks`; the higher, the better. */
  readonly rank: number;
  /** The matching ranges of the title. */
  readonly ranges: readonly MatchRange[];
}

/** The kinds of matches, the best last. */
export const nameRanks = {
  inside: 1,
  word: 2,
  titleWord: 3,
  aliasPrefix: 4,
  alias: 5,
  titlePhrase: 6,
  /** The title has the query, and an alias is the query: of several such titles, this one is meant. */
  titlePhraseAndAlias: 7,
  exact: 8,
} as const;

/** A shorter word of the query matches only at the start of a word. */
const minInsideLength = 3;

/**
 * Returns how a query matches a name; undefined when it does not. Each word of the query begins a word of the title, an alias
 * or the id, or stands within one. Unlike in a fuzzy match, letters that are scattered over a title match nothing.
 */
export function matchName(query: string, item: Named): NameMatch | undefined {
  return matchPhrase(phraseOf(query), item);
}

function matchPhrase(phrase: string, item: Named): NameMatch | undefined {
  if (phrase === '') return undefined;
  const {title} = item;
  const words = phrase.split(' ');
  const {title: titlePhrase, name, id, others} = phrasesOf(item);
  if ([titlePhrase, name, id].includes(phrase)) return {rank: nameRanks.exact, ranges: rangesIn(title, words)};
  const ranks = words.map((word) => wordRank(word, titlePhrase, others));
  const byWord = ranks.includes(0) ? 0 : Math.min(...ranks);
  const byAlias = aliasRank(phrase, others);
  const byTitle = beginsWord(name, phrase) ? nameRanks.titlePhrase : 0;
  const isBoth = byTitle > 0 && byAlias === nameRanks.alias;
  const rank = isBoth ? nameRanks.titlePhraseAndAlias : Math.max(byWord, byAlias, byTitle);
  return rank === 0 ? undefined : {rank, ranges: rangesIn(title, words)};
}

/** Compares matches, the best first: by rank, then recent use, then the shorter title, which says less that was not asked for. */
export function compareMatches(a: RankedName, b: RankedName): number {
  const byUse = Number(b.item.isRecent === true) - Number(a.item.isRecent === true);
  const byLength = a.item.isRecent === true ? 0 : nameLength(a.item) - nameLength(b.item);
  return b.rank - a.rank || byUse || byLength;
}

/** Returns the length of the title up to its first `;`, `:` or `,`: explanations follow there. */
function nameLength({title}: Pick<Named, 'title'>): number {
  return title.search(/[;:,]|$/);
}

interface RankedName {
  readonly rank: number;
  readonly item: Named;
}

/** Returns the items that match, the best first; items that match equally well stay in their order. */
export function findNamed<T extends Named>(
  items: readonly T[],
  query: string,
  remap: (text: string) => string = (text) => text,
): readonly (NameMatch & {readonly item: T})[] {
  const phrase = phraseOf(query);
  const remapped = phraseOf(remap(query));
  return items
    .flatMap((item) => {
      const match = matchPhrase(phrase, item) ?? (remapped === phrase ? undefined : matchPhrase(remapped, item));
      return match === undefined ? [] : [{...match, item}];
    })
    .sort(compareMatches);
}

/** The phrases of a named item: of its title, its name (the title without explanation), its id, and of its aliases and id. */
interface NamePhrases {
  readonly title: string;
  readonly name: string;
  readonly id: string;
  readonly others: readonly string[];
}

/** A query is matched with hundreds of items at each key. */
const phrasesOf = memoByObject((item: Named): NamePhrases => {
  const id = phraseOf(item.id);
  return {
    title: phraseOf(item.title),
    name: phraseOf(item.title.slice(0, nameLength(item))),
    id,
    others: [...(item.aliases ?? []).map(phraseOf), id],
  };
});

/** Returns the words of a text in lower case with single spaces between them, without articles if there are other words. */
function phraseOf(text: string): string {
  const words = foldText(text)
    .text.split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const named = words.filter((word) => !/^(?:a|an|the)$/.test(word));
  return (named.length > 0 ? named : words).join(' ');
}

function aliasRank(phrase: string, others: readonly string[]): number {
  if (others.includes(phrase)) return nameRanks.alias;
  return others.some((other) => other.startsWith(phrase)) ? nameRanks.aliasPrefix : 0;
}

function wordRank(word: string, title: string, others: readonly string[]): number {
  if (beginsWord(title, word)) return nameRanks.titleWord;
  if (others.some((other) => beginsWord(other, word))) return nameRanks.word;
  const isInside = word.length >= minInsideLength && [title, ...others].some((text) => text.includes(word));
  return isInside ? nameRanks.inside : 0;
}

function beginsWord(phrase: string, word: string): boolean {
  return phrase.startsWith(word) || phrase.includes(` ${word}`);
}

/** Returns the ranges of the words in the title, at the start of a word if possible; sorted. */
function rangesIn(title: string, words: readonly string[]): readonly MatchRange[] {
  const {text, offsets} = foldText(title);
  if (offsets !== undefined) return [];
  return words
    .flatMap((word): MatchRange[] => {
      const begun = new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u').exec(text)?.index;
      const at = begun ?? (word.length < minInsideLength ? -1 : text.indexOf(word));
      return at < 0 ? [] : [[at, at + word.length]];
    })
    .sort(([a], [b]) => a - b);
}

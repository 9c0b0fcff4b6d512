import {stemOf} from './stem.ts';

/** Matches the words that the index's tokenizer finds, with accents that are characters of their own. */
const word = /(?:[\p{L}\p{N}\p{Co}]|[\u0300-\u036f])+/gu;
const accent = /[\u0300-\u036f]/g;

/** A word of a text, and how the search index spells it: without case, accents and inflection. */
export interface IndexedWord {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

const maxKnownKeys = 20_000;
const knownKeys = new Map<string, string>();

function keyOf(text: string): string {
  const known = knownKeys.get(text);
  if (known !== undefined) return known;
  const key = stemOf(text.toLowerCase().normalize('NFD').replaceAll(accent, '').normalize('NFC'));
  if (knownKeys.size >= maxKnownKeys) knownKeys.clear();
  knownKeys.set(text, key);
  return key;
}

export function indexedWords(text: string): IndexedWord[] {
  return Array.from(text.matchAll(word), ({0: found, index}) => ({
    key: keyOf(found),
    start: index,
    end: index + found.length,
  }));
}

/** Returns a text as the search index contains it; the SQL function `search_text`. */
export function searchText(text: string): string {
  return (text.match(word) ?? []).map(keyOf).join(' ');
}

/** Whether a text contains a phrase of any case, character by character; the SQL function `has_phrase`. */
export function hasPhrase(text: string, phrase: string): boolean {
  return text.toLowerCase().includes(phrase.toLowerCase());
}

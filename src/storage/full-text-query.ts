/**
 * Scripts without spaces between words (and Hangul, whose words carry endings). The index splits words at
 * spaces, so each of these characters is indexed as a word, and a run of them is searched as a phrase. That
 * finds any part of a run, even a single character, which a trigram index could not, at a third of its size.
 */
const unspacedScripts =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

const beyondAscii = /[^\0-\x7f]/;

/** Returns text as it is indexed and searched: full-width and half-width, composed and decomposed forms are equal. */
export function indexedText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text.normalize('NFKC').replaceAll(unspacedScripts, ' $& ');
}

/** The characters that FTS5 treats as parts of words. */
const wordCharacter = /[\p{L}\p{N}\p{Co}]/u;

const maxWords = 32;
const maxWordLength = 200;

export interface FullTextQuery {
  /** An FTS5 expression: all words, the last one as a prefix; undefined when no word can be indexed. */
  readonly expression: string | undefined;
  /** Symbols and emoji, which are not indexed: they are searched in the text itself. */
  readonly literals: readonly string[];
}

/** Builds a query. Every word is quoted, so that nothing in it is parsed as syntax. */
export function fullTextQuery(query: string): FullTextQuery {
  const words = query
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength));
  const isWord = (word: string) => wordCharacter.test(word.normalize('NFKC'));
  const phrases = words.filter(isWord).map((word) => `"${indexedText(word).replaceAll('"', ' ')}"`);
  return {
    expression: phrases.length === 0 ? undefined : `${phrases.join(' ')} *`,
    literals: words.filter((word) => !isWord(word)),
  };
}

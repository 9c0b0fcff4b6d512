/**
 * Scripts written without spaces between words (and Hangul, whose words carry their endings). The index knows words by the
 * gaps between them, so each of these characters becomes a word of its own and a run of them is looked for as a phrase:
 * any part of a run is found, a single character included, which an index of trigrams could not do, at a third of its size.
 */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;

const beyondAscii = /[^\0-\x7f]/;

/** As the index is given it, and asked for it: full-width and half-width, composed and decomposed are the same. */
export function indexedText(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text.normalize('NFKC').replaceAll(unspaced, ' $& ');
}

/** What FTS5 takes for a part of a word. */
const wordCharacter = /[\p{L}\p{N}\p{Co}]/u;

const mostWords = 32;
const longestWord = 200;

export interface FullTextQuery {
  /** An FTS5 expression: all the words, the last one as far as it is typed; undefined when no word can be indexed. */
  readonly expression: string | undefined;
  /** Signs and emoji, which the index does not know: to be looked for in the text itself. */
  readonly literals: readonly string[];
}

/** Every word goes in quotes, so nothing in it is taken for syntax. */
export function fullTextQuery(query: string): FullTextQuery {
  const words = query
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .slice(0, mostWords)
    .map((word) => word.slice(0, longestWord));
  const isWord = (word: string) => wordCharacter.test(word.normalize('NFKC'));
  const phrases = words.filter(isWord).map((word) => `"${indexedText(word).replaceAll('"', ' ')}"`);
  return {
    expression: phrases.length === 0 ? undefined : `${phrases.join(' ')} *`,
    literals: words.filter((word) => !isWord(word)),
  };
}

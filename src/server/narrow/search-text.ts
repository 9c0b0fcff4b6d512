import {badNarrow} from './errors.ts';

const longestSearch = 1000;
/** What the tokenizer of the index takes for a part of a word. */
const wordCharacter = /[\p{L}\p{N}\p{Co}]/u;

/**
 * Words, all of which must occur, and "quoted phrases" → an FTS5 expression over content and topic.
 * Every piece is quoted, so nothing a person types is ever syntax. Undefined when no piece holds a word.
 */
export function searchExpression(text: string): string | undefined {
  if (text.length > longestSearch) throw badNarrow(`a search is at most ${longestSearch} characters long`);
  const pieces = [...text.replaceAll(/\p{Cc}/gu, ' ').matchAll(/"([^"]*)"|[^\s"]+/g)]
    .map(([whole, phrase]) => phrase ?? whole)
    .filter((piece) => wordCharacter.test(piece));
  if (pieces.length === 0) return undefined;
  return `{content topic} : (${pieces.map((piece) => `"${piece}"`).join(' AND ')})`;
}

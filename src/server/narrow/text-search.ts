import {indexedWords} from '#server/db/search-text.ts';
import {badNarrow} from './operands.ts';
import {allConditions, type Sql, sql} from './sql-fragment.ts';
import {stopWords} from './stop-words.ts';

const maxSearchLength = 1000;
/** Each word costs the reading of its list of messages in the index. */
const maxSearchWords = 50;
/** Throws BAD_NARROW if the texts of a narrow's searches, which are all looked up together, are too long. */
export function checkSearchLength(texts: readonly string[]): void {
  const text = texts.join(' ');
  if (text.length > maxSearchLength) throw badNarrow(`a search is at most ${maxSearchLength} characters long`);
  if (wordsOf(text).length > maxSearchWords) throw badNarrow(`a search has at most ${maxSearchWords} words`);
}

/** A search for words, which must all occur, and for "quoted phrases". */
export interface TextSearch {
  /** An FTS5 expression over content and topic. Every piece is quoted, so nothing a user types is FTS5 syntax. */
  readonly expression: string;
  /** Texts that content or topic must contain character by character. */
  readonly phrases: readonly string[];
  /** The words to highlight, as the index spells them; several for one that is written with hyphens or the like. */
  readonly hits: readonly (readonly string[])[];
}

/**
 * Returns what a search looks for. Stop words are left out, as on Zulip's servers. Returns undefined when nothing is left:
 * no message matches.
 */
export function textSearch(text: string): TextSearch | undefined {
  const pieces = [...text.replaceAll(/\p{Cc}/gu, ' ').matchAll(/"([^"]*)"|[^\s"]+/g)];
  const phrases = pieces.flatMap(([, phrase]) => phrase || []);
  const hits = pieces.flatMap(([whole, phrase]) => {
    if (phrase !== undefined)
      return wordsOf(phrase)
        .filter((word) => !isStopWord(word))
        .map(keysOf);
    const words = wordsOf(whole);
    return words.length === 0 || (words.length === 1 && words.every(isStopWord)) ? [] : [keysOf(whole)];
  });
  if (hits.length === 0) return undefined;
  return {expression: `{content topic} : (${hits.map((keys) => `"${keys.join(' ')}"`).join(' AND ')})`, phrases, hits};
}

function wordsOf(text: string): string[] {
  return indexedWords(text).map(({start, end}) => text.slice(start, end));
}

function keysOf(text: string): string[] {
  return indexedWords(text).map(({key}) => key);
}

function isStopWord(text: string): boolean {
  return stopWords.includes(text.toLowerCase());
}

/** Returns the condition that a message contains the phrases of a search; its words are found by the index. */
export function phraseFilter(search: TextSearch | undefined): Sql {
  return allConditions(
    (search?.phrases ?? []).map((phrase) => sql`(has_phrase(m.content, ${phrase}) OR has_phrase(m.topic, ${phrase}))`),
  );
}

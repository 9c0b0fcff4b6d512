import {indexedWords} from '#server/db/search-text.ts';
import {badNarrow} from '#server/http/errors.ts';
import {allConditions, type Sql, sql} from './message-id-stream.ts';

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

const opening = '<span class="highlight">';
const closing = '</span>';

/** Highlights what was searched for in the text of rendered HTML; tags and entities stay unchanged. */
export function highlightHtml(html: string, searches: readonly Pick<TextSearch, 'hits'>[]): string {
  const hits = searches.flatMap((search) => search.hits).sort((a, b) => b.length - a.length);
  if (hits.length === 0) return html;
  return html
    .split(/(<[^>]*>|&#?\w+;)/)
    .map((piece, index) => (index % 2 === 1 ? piece : highlightText(piece, hits)))
    .join('');
}

function highlightText(text: string, hits: TextSearch['hits']): string {
  const words = indexedWords(text);
  let result = '';
  let copied = 0;
  for (const [index, {start}] of words.entries()) {
    if (start < copied) continue;
    const hit = hits.find((keys) => keys.every((key, offset) => words[index + offset]?.key === key));
    const end = hit === undefined ? undefined : words[index + hit.length - 1]?.end;
    if (end === undefined) continue;
    result += text.slice(copied, start) + opening + text.slice(start, end) + closing;
    copied = end;
  }
  return result + text.slice(copied);
}

/** The words that a search ignores, as on Zulip's servers. Clients get them to explain why a word finds nothing. */
export const stopWords: readonly string[] = (
  'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she ' +
  'her hers herself it its itself they them their theirs themselves what which who whom this that these ' +
  'those am is are was were be been being have has had having do does did doing a ' +
  'an the and but if or because as until while of at by for with about against between ' +
  'into through during before after above below to from up down in out on off over under again ' +
  'further then once here there when where why how all any both each few more most other some ' +
  'such no nor not only own same so than too very s t can will just don should ' +
  'now b c d e f g h j k l m n o p q r u ' +
  'v w x y z'
).split(' ');

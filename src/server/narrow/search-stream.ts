import type {Database} from '#server/db/database.ts';
import {indexedWords} from '#server/db/search-text.ts';
import {badNarrow} from '#server/errors.ts';
import {
  allConditions,
  approximateScopeSql,
  type Direction,
  filteredStream,
  type MessageCandidate,
  type MessageIdStream,
  orderedReader,
  type Sql,
  scopePredicate,
  sql,
} from './message-streams.ts';
import type {NarrowScope} from './narrow-scope.ts';

/** Up to this many conversations are part of the expression from the start. */
const fewConversations = 8;
const maxConversations = 1000;
/** The chunks of hits that are read before estimating whether restricting the expression is cheaper. */
const trialChunks = [50, 200, 800, 2000];
/** Opening the index list of one conversation costs about as much as reading this many hits. */
const hitsPerConversation = 250;

/** A search: an FTS5 expression, the scope it is limited to, and a condition for its other terms. */
interface SearchQuery {
  readonly db: Database;
  readonly viewerId: number;
  readonly expression: string;
  readonly scope: NarrowScope;
  readonly filter: Sql;
  /** The oldest message id that can match. */
  readonly since: number;
}

/**
 * Returns the messages of the scope that match an FTS5 expression. Hits come in the order of ids, and usually some of
 * the first are in the scope. For a word that is common only outside the scope, all its hits would be read: then the
 * conversations become part of the expression, and the index skips the other hits.
 */
export function searchStream(search: SearchQuery): MessageIdStream {
  const {expression, scope, since} = search;
  const accepts = scopePredicate(scope);
  const plain = reader(search, expression);
  const prefiltered = reader({...search, filter: sql`${search.filter} AND ${approximateScopeSql(scope)}`}, expression);
  // The index tokens of the scope's conversations (see `message_text`); one covers all of the viewer's direct ones.
  const channels = new Set(scope.channels.map(({channelId}) => `c${channelId}`));
  const isMany = scope.dmIds.length > fewConversations;
  const tokens = [...channels, ...(isMany ? [`u${search.viewerId}`] : scope.dmIds.map((id) => `d${id}`))];
  if (tokens.length > maxConversations) return streamSince(since, filteredStream(plain, accepts, prefiltered));
  const restricted = reader(search, `(${expression}) AND place : (${tokens.join(' OR ')})`);
  if (tokens.length <= fewConversations) return streamSince(since, filteredStream(restricted, accepts));
  return streamSince(since, {
    idsBeyond(bound, direction, limit) {
      const ids: number[] = [];
      let from = bound;
      let isDense = false;
      for (const size of trialChunks) {
        const chunk = Math.max(size, limit);
        const candidates = plain(from, direction, chunk);
        ids.push(...candidates.filter(accepts).map(({id}) => id));
        const last = candidates.at(-1);
        if (ids.length >= limit) return ids.slice(0, limit);
        if (last === undefined || candidates.length < chunk) return ids;
        from = last.id;
        isDense = remainingHits(search.db, candidates, direction) > tokens.length * hitsPerConversation;
      }
      const rest = filteredStream(isDense ? restricted : prefiltered, accepts);
      return [...ids, ...rest.idsBeyond(from, direction, limit - ids.length)];
    },
  });
}

/** Returns the stream without ids below `since`. */
function streamSince(since: number, stream: MessageIdStream): MessageIdStream {
  return {
    idsBeyond(bound, direction, limit) {
      if (limit === 0) return [];
      if (direction === 'newer') return stream.idsBeyond(Math.max(bound, since - 1), direction, limit);
      return bound <= since ? [] : stream.idsBeyond(bound, direction, limit);
    },
  };
}

function reader({db, filter}: SearchQuery, match: string) {
  return orderedReader(db, {
    text: `SELECT m.id, m.channel_id, m.dm_id, m.topic_key
      FROM message_fts AS hit CROSS JOIN message AS m ON m.id = hit.rowid
      WHERE message_fts MATCH ? AND in_time() AND ${filter.text}`,
    values: [match, ...filter.values],
    column: 'hit.rowid',
  });
}

/** Estimates how many hits remain, from the density of those read so far. */
function remainingHits(db: Database, hits: readonly MessageCandidate[], direction: Direction): number {
  const first = hits[0]?.id ?? 0;
  const last = hits.at(-1)?.id ?? 0;
  const density = hits.length / (Math.abs(first - last) + 1);
  const newest = db.value('SELECT MAX(id) FROM message') ?? 0;
  return density * (direction === 'older' ? last : newest - last);
}

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
    // The scheme of an address is not looked for.
    const looked = whole.replace(/^\w+:\/\//, '');
    const words = wordsOf(looked);
    return words.length === 0 || (words.length === 1 && words.every(isStopWord)) ? [] : [keysOf(looked)];
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

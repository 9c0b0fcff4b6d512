import type {Database} from '#server/db/database.ts';
import {
  type Direction,
  filteredStream,
  type MessageCandidate,
  type MessageIdStream,
  orderedReader,
  type Sql,
  sql,
} from './message-id-stream.ts';
import {approximateScopeSql, type NarrowScope, scopePredicate} from './narrow-scope.ts';

/** Up to this many conversations are part of the expression from the start. */
const fewConversations = 8;
const maxConversations = 1000;
/** The chunks of hits that are read before estimating whether restricting the expression is cheaper. */
const trialChunks = [50, 200, 800, 2000];
/** Opening the index list of one conversation costs about as much as reading this many hits. */
const hitsPerConversation = 250;

/** A search: an FTS5 expression, the scope it is limited to, and a condition for its other terms. */
export interface SearchQuery {
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
  const tokens = conversationTokens(search);
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

/**
 * Returns the index tokens of the scope's conversations (see `message_text`); one token covers all of the viewer's
 * direct ones.
 */
function conversationTokens({viewerId, scope}: SearchQuery): string[] {
  const channels = new Set(scope.channels.map(({channelId}) => `c${channelId}`));
  const direct = scope.dmIds.length > fewConversations ? [`u${viewerId}`] : scope.dmIds.map((id) => `d${id}`);
  return [...channels, ...direct];
}

/** Estimates how many hits remain, from the density of those read so far. */
function remainingHits(db: Database, hits: readonly MessageCandidate[], direction: Direction): number {
  const first = hits[0]?.id ?? 0;
  const last = hits.at(-1)?.id ?? 0;
  const density = hits.length / (Math.abs(first - last) + 1);
  const newest = db.value('SELECT MAX(id) FROM message') ?? 0;
  return density * (direction === 'older' ? last : newest - last);
}

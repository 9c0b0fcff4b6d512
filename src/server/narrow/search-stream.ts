import type {Database} from '#server/db/database.ts';
import {
  type Direction,
  filteredStream,
  type MessageCandidate,
  type MessageIdStream,
  orderedReader,
} from './message-id-stream.ts';
import {approximateScopeSql, type NarrowScope, scopePredicate} from './narrow-scope.ts';
import {type Sql, sql} from './sql-fragment.ts';

/** So few places join the expression at once. */
const fewPlaces = 8;
const mostPlaces = 1000;
/** Chunks of hits looked at before asking whether leaping from place to place would be cheaper. */
const trialChunks = [50, 200, 800, 2000];
/** Opening the list of one place costs about as much as looking at this many hits. */
const hitsPerPlace = 250;

export interface SearchQuery {
  readonly db: Database;
  readonly viewerId: number;
  readonly expression: string;
  readonly places: NarrowScope;
  readonly filter: Sql;
  /** Nothing older than this can match. */
  readonly since: number;
}

/**
 * Messages that match an FTS5 expression, in the places. Hits come in the order of ids, and usually some of the first
 * are in sight. A word that is common where the reader is not would cost all its hits: then the places join the
 * expression, and the index leaps over what is elsewhere.
 */
export function searchStream(search: SearchQuery): MessageIdStream {
  const {expression, places, since} = search;
  const accepts = scopePredicate(places);
  const plain = reader(search, expression);
  const sparse = reader(
    {...search, filter: sql`${search.filter} AND ${approximateScopeSql(places)}`},
    expression,
  );
  const tokens = placeTokens(search);
  if (tokens.length > mostPlaces) return after(since, filteredStream(plain, accepts, sparse));
  const within = reader(search, `(${expression}) AND place : (${tokens.join(' OR ')})`);
  if (tokens.length <= fewPlaces) return after(since, filteredStream(within, accepts));
  return after(since, {
    idsBeyond(bound, direction, limit) {
      const found: number[] = [];
      let from = bound;
      let isDense = false;
      for (const size of trialChunks) {
        const chunk = Math.max(size, limit);
        const candidates = plain(from, direction, chunk);
        found.push(...candidates.filter(accepts).map(({id}) => id));
        const last = candidates.at(-1);
        if (found.length >= limit) return found.slice(0, limit);
        if (last === undefined || candidates.length < chunk) return found;
        from = last.id;
        isDense = hitsAhead(search.db, candidates, direction) > tokens.length * hitsPerPlace;
      }
      const rest = filteredStream(isDense ? within : sparse, accepts);
      return [...found, ...rest.idsBeyond(from, direction, limit - found.length)];
    },
  });
}

function after(since: number, stream: MessageIdStream): MessageIdStream {
  return {
    idsBeyond(bound, direction, limit) {
      if (direction === 'newer') return stream.idsBeyond(Math.max(bound, since - 1), direction, limit);
      return bound <= since ? [] : stream.idsBeyond(bound, direction, limit);
    },
  };
}

function reader({db, filter}: SearchQuery, match: string) {
  return orderedReader(db, {
    text: `SELECT m.id, m.channel_id, m.dm_id, m.topic_key
      FROM message_fts AS hit CROSS JOIN message AS m ON m.id = hit.rowid
      WHERE message_fts MATCH ? AND ${filter.text}`,
    values: [match, ...filter.values],
    column: 'hit.rowid',
  });
}

/** See `message_text`: direct conversations are indexed under everybody in them, so one word stands for all of mine. */
function placeTokens({viewerId, places}: SearchQuery): string[] {
  const channels = new Set(places.channels.map(({channelId}) => `c${channelId}`));
  const direct = places.dmIds.length > fewPlaces ? [`u${viewerId}`] : places.dmIds.map((id) => `d${id}`);
  return [...channels, ...direct];
}

/** How many hits are still to come if they are as dense as those seen. */
function hitsAhead(db: Database, seen: readonly MessageCandidate[], direction: Direction): number {
  const first = seen[0]?.id ?? 0;
  const last = seen.at(-1)?.id ?? 0;
  const density = seen.length / (Math.abs(first - last) + 1);
  const newest = db.value('SELECT MAX(id) FROM message') ?? 0;
  return density * (direction === 'older' ? last : newest - last);
}

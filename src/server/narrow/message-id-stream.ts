import type {Database, SqlValue} from '#server/db/database.ts';
import {Heap} from '#std/heap.ts';

export type Direction = 'older' | 'newer';

/** An ordered sequence of message ids that can be read from any point in either direction. */
export interface MessageIdStream {
  /** Returns the ids beyond `bound` (exclusive), nearest first. Fewer than `limit` means that there are no more. */
  idsBeyond(bound: number, direction: Direction, limit: number): number[];
}

export const emptyStream: MessageIdStream = {idsBeyond: () => []};

/** The parts of a merged stream; no id is in two parts. */
export interface StreamParts {
  readonly count: number;
  /** Returns the first id of each part beyond `bound`, undefined where there is none, with one query for all parts. */
  firstIds(bound: number, direction: Direction): (number | undefined)[];
  readPart(part: number, bound: number, direction: Direction, limit: number): number[];
}

interface Cursor {
  readonly part: number;
  ids: number[];
  at: number;
  /** The number of ids to read next; grows with every read of the part. */
  batchSize: number;
}

const firstBatchSize = 8;
const batchGrowth = 4;

/**
 * Merges many ordered streams into one. Costs one look-up per part and about one per returned id, however the ids are
 * distributed among the parts.
 */
export function mergedStream(parts: StreamParts): MessageIdStream {
  if (parts.count === 0) return emptyStream;
  if (parts.count === 1) return {idsBeyond: (bound, direction, limit) => parts.readPart(0, bound, direction, limit)};
  return {idsBeyond: (bound, direction, limit) => mergeParts(parts, bound, direction, limit)};
}

function mergeParts(parts: StreamParts, bound: number, direction: Direction, limit: number): number[] {
  if (limit === 0) return [];
  const sign = direction === 'newer' ? 1 : -1;
  const heap = new Heap<Cursor>((a, b) => sign * (head(a) - head(b)));
  for (const [part, id] of parts.firstIds(bound, direction).entries()) {
    if (id !== undefined) heap.push({part, ids: [id], at: 0, batchSize: firstBatchSize});
  }
  const ids: number[] = [];
  while (ids.length < limit) {
    const nearest = heap.peek();
    if (nearest === undefined) break;
    const id = head(nearest);
    ids.push(id);
    nearest.at++;
    if (nearest.at === nearest.ids.length) {
      nearest.ids = parts.readPart(nearest.part, id, direction, Math.min(nearest.batchSize, limit));
      nearest.at = 0;
      nearest.batchSize *= batchGrowth;
    }
    if (nearest.ids.length === 0) heap.pop();
    else heap.updateTop();
  }
  return ids;
}

function head(cursor: Cursor): number {
  return cursor.ids[cursor.at] ?? 0;
}

/** Merges streams that have no id in common. */
export function unionStream(...streams: readonly MessageIdStream[]): MessageIdStream {
  return mergedStream({
    count: streams.length,
    firstIds: (bound, direction) => streams.map((stream) => stream.idsBeyond(bound, direction, 1)[0]),
    readPart: (part, bound, direction, limit) => streams[part]?.idsBeyond(bound, direction, limit) ?? [],
  });
}

/** The columns of a message that decide whether it is in a narrow's scope. */
export interface MessageCandidate {
  readonly id: number;
  readonly channel_id: number | null;
  readonly dm_id: number | null;
  readonly topic_key: string;
}

const minChunk = 64;
const maxChunk = 8192;

/** Reads candidates beyond a bound, nearest first. */
type CandidateReader = (bound: number, direction: Direction, limit: number) => MessageCandidate[];

/**
 * Returns a stream of the candidates that pass a test. It reads chunks that grow while few candidates pass. After the
 * first chunk it uses `readMore`, which may be slower to start but skips most candidates that would fail.
 */
export function filteredStream(
  read: CandidateReader,
  accepts: (candidate: MessageCandidate) => boolean,
  readMore: CandidateReader = read,
): MessageIdStream {
  return {
    idsBeyond(bound, direction, limit) {
      const ids: number[] = [];
      if (limit === 0) return ids;
      let from = bound;
      for (let size = minChunk; ; size = Math.min(size * 2, maxChunk)) {
        const chunk = Math.max(size, Math.min(2 * (limit - ids.length), maxChunk));
        const candidates = (size === minChunk ? read : readMore)(from, direction, chunk);
        for (const candidate of candidates) {
          if (accepts(candidate)) ids.push(candidate.id);
          if (ids.length === limit) return ids;
        }
        const last = candidates.at(-1);
        if (last === undefined || candidates.length < chunk) return ids;
        from = last.id;
      }
    },
  };
}

/** A query whose rows are read in the order of one column. */
interface OrderedQuery {
  /** The select list, FROM and WHERE, with all conditions except the range. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly column: string;
}

/**
 * Returns a reader of an ordered query. Casts the bound: FTS5 ignores one that is not an integer, and numbers are bound
 * as reals.
 */
export function orderedReader(db: Database, query: OrderedQuery): CandidateReader {
  const {text, values, column} = query;
  const older = `${text} AND ${column} < CAST(? AS INTEGER) ORDER BY ${column} DESC LIMIT ?`;
  const newer = `${text} AND ${column} > CAST(? AS INTEGER) ORDER BY ${column} LIMIT ?`;
  return (bound, direction, limit) =>
    db.all<MessageCandidate>(direction === 'older' ? older : newer, ...values, bound, limit);
}

/** A fragment of SQL and the values of its placeholders, in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * Builds a fragment: fragments are inserted, other values become placeholders, so that prepared statements are reused.
 */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | SqlValue)[]): Sql {
  let text = strings[0] ?? '';
  const values: SqlValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += strings[index + 1] ?? '';
  }
  return {text, values};
}

function isSql(part: Sql | SqlValue): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
}

/** Returns trusted text as a fragment. */
export function rawSql(text: string): Sql {
  return {text, values: []};
}

/** Returns an expression that contains a user's id, as often as it does, as a fragment. */
export function sqlForUser(expression: (user: string) => string, userId: number): Sql {
  const text = expression('?');
  return {text, values: Array.from({length: text.split('?').length - 1}, () => userId)};
}

/** Joins conditions with AND. */
export function allConditions(conditions: readonly Sql[]): Sql {
  return conditions.reduce((left, right) => sql`${left} AND ${right}`, rawSql('TRUE'));
}

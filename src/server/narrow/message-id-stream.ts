import type {Database, SqlValue} from '#server/db/database.ts';
import {Heap} from '#std/heap.ts';

export type Direction = 'older' | 'newer';

/** Message ids in order, read from any point in either direction. */
export interface MessageIdStream {
  /** Ids beyond `bound` (which is not among them), nearest first. Fewer than `limit` means that there are no more. */
  idsBeyond(bound: number, direction: Direction, limit: number): number[];
}

export const emptyStream: MessageIdStream = {idsBeyond: () => []};

/** A stream made of parts that have no id in common. */
export interface StreamParts {
  readonly count: number;
  /** The first id of each part beyond `bound`, undefined where there is none: one query for all parts. */
  firstIds(bound: number, direction: Direction): (number | undefined)[];
  readPart(part: number, bound: number, direction: Direction, limit: number): number[];
}

interface Cursor {
  readonly part: number;
  ids: number[];
  at: number;
  /** How many to pull next; grows while a part keeps winning. */
  pace: number;
}

const firstPace = 8;
const paceGrowth = 4;

/**
 * Many ordered streams as one. Costs one look-up per part and about one per id given, however the ids are spread:
 * two hundred quiet channels beside a busy one that the reader does not follow are no slower than any others.
 */
export function mergedStream(parts: StreamParts): MessageIdStream {
  if (parts.count === 0) return emptyStream;
  if (parts.count === 1)
    return {idsBeyond: (bound, direction, limit) => parts.readPart(0, bound, direction, limit)};
  return {idsBeyond: (bound, direction, limit) => mergeParts(parts, bound, direction, limit)};
}

function mergeParts(parts: StreamParts, bound: number, direction: Direction, limit: number): number[] {
  if (limit === 0) return [];
  const sign = direction === 'newer' ? 1 : -1;
  const heap = new Heap<Cursor>((a, b) => sign * (head(a) - head(b)));
  for (const [part, id] of parts.firstIds(bound, direction).entries()) {
    if (id !== undefined) heap.push({part, ids: [id], at: 0, pace: firstPace});
  }
  const found: number[] = [];
  while (found.length < limit) {
    const nearest = heap.peek();
    if (nearest === undefined) break;
    const id = head(nearest);
    found.push(id);
    nearest.at++;
    if (nearest.at === nearest.ids.length) {
      nearest.ids = parts.readPart(nearest.part, id, direction, Math.min(nearest.pace, limit));
      nearest.at = 0;
      nearest.pace *= paceGrowth;
    }
    if (nearest.ids.length === 0) heap.pop();
    else heap.updateTop();
  }
  return found;
}

function head(cursor: Cursor): number {
  return cursor.ids[cursor.at] ?? 0;
}

/** What is needed to tell whether a message is in one of a narrow's places. */
export interface MessageCandidate {
  readonly id: number;
  readonly channel_id: number | null;
  readonly dm_id: number | null;
  readonly topic_key: string;
}

const smallestChunk = 64;
const largestChunk = 8192;

export type CandidateReader = (bound: number, direction: Direction, limit: number) => MessageCandidate[];

/**
 * The candidates that pass a test, read in chunks that grow while little passes.
 * After the first chunk `readOn` takes over: slower to start, but it leaves out most of what would not pass.
 */
export function filteredStream(
  read: CandidateReader,
  accepts: (candidate: MessageCandidate) => boolean,
  readOn: CandidateReader = read,
): MessageIdStream {
  return {
    idsBeyond(bound, direction, limit) {
      const found: number[] = [];
      if (limit === 0) return found;
      let from = bound;
      for (let size = smallestChunk; ; size = Math.min(size * 2, largestChunk)) {
        const chunk = Math.max(size, Math.min(2 * (limit - found.length), largestChunk));
        const candidates = (size === smallestChunk ? read : readOn)(from, direction, chunk);
        for (const candidate of candidates) {
          if (accepts(candidate)) found.push(candidate.id);
          if (found.length === limit) return found;
        }
        const last = candidates.at(-1);
        if (last === undefined || candidates.length < chunk) return found;
        from = last.id;
      }
    },
  };
}

/** Drives through an ordered column: `ORDER BY … LIMIT` in the direction asked for. */
export interface OrderedQuery {
  /** Select list and FROM, with `WHERE` and conditions that are not about the range. */
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly column: string;
}

/** FTS5 ignores a bound that is not an integer, and numbers are bound as reals: hence the casts. */
export function orderedReader(db: Database, query: OrderedQuery): CandidateReader {
  const {text, values, column} = query;
  const older = `${text} AND ${column} < CAST(? AS INTEGER) ORDER BY ${column} DESC LIMIT ?`;
  const newer = `${text} AND ${column} > CAST(? AS INTEGER) ORDER BY ${column} LIMIT ?`;
  return (bound, direction, limit) =>
    db.all<MessageCandidate>(direction === 'older' ? older : newer, ...values, bound, limit);
}

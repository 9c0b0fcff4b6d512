import type {Database} from '#server/db/database.ts';
import type {Direction, StreamParts} from './message-id-stream.ts';
import type {ChannelSpan, NarrowScope} from './narrow-scope.ts';
import {rawSql, type Sql, sql} from './sql-fragment.ts';

/** What to follow through a place: all its messages, or those of an index that holds fewer. */
export type ScanIndex =
  | {readonly by: 'place'}
  | {readonly by: 'sender'; readonly senderId: number}
  | {readonly by: 'extras'; readonly bits: number};

/** The filter that leaves everything. */
export const matchEverything: Sql = rawSql('TRUE');
const endless = Number.MAX_SAFE_INTEGER;

type PartKind = 'channel' | 'except' | 'topic' | 'dm';

interface ScopePart {
  readonly kind: PartKind;
  /** Id of the channel or the direct conversation. */
  readonly id: number;
  /** The topic, or the JSON list of topics to leave out. */
  readonly topic: string | null;
  readonly since: number;
  readonly until: number;
}

/**
 * A condition on the message `m` that an index can follow in the order of ids.
 * The planner has no statistics to choose by, and a wrong choice costs a million rows: hence `INDEXED BY`.
 */
interface IndexPath {
  readonly index: string;
  readonly where: Sql;
}

/** The places of a narrow as ordered parts; `filter` applies to every message. */
export function scopeParts(db: Database, places: NarrowScope, track: ScanIndex, filter: Sql): StreamParts {
  const parts: ScopePart[] = [...places.channels.map(channelPart), ...places.dmIds.map(directPart)];
  return {
    count: parts.length,
    firstIds(bound, direction) {
      const heads: (number | undefined)[] = Array.from({length: parts.length});
      const isPlain = track.by === 'place' && filter.text === matchEverything.text;
      const {plain = [], others = []} = Object.groupBy(parts.keys(), (number) =>
        isPlain && isOpenEnded(parts[number], bound, direction) ? 'plain' : 'others',
      );
      plainHeads(db, parts, plain, bound, direction, heads);
      for (const [kind, numbers] of Map.groupBy(others, (number) => parts[number]?.kind)) {
        if (kind === undefined) continue;
        const rows = numbers.map((number) => [number, ...row(parts[number])]);
        for (const head of headsOf(db, kind, rows, track, filter, bound, direction)) {
          heads[head.part] = head.id ?? undefined;
        }
      }
      return heads;
    },
    readPart(number, bound, direction, limit) {
      const part = parts[number];
      return part === undefined ? [] : pull(db, part, track, filter, bound, direction, limit);
    },
  };
}

function channelPart({channelId, topicKey, except, since, until}: ChannelSpan): ScopePart {
  if (topicKey !== undefined) return {kind: 'topic', id: channelId, topic: topicKey, since, until};
  if (except === undefined) return {kind: 'channel', id: channelId, topic: null, since, until};
  return {kind: 'except', id: channelId, topic: JSON.stringify([...except]), since, until};
}

function directPart(dmId: number): ScopePart {
  return {kind: 'dm', id: dmId, topic: null, since: 0, until: endless};
}

function row(part: ScopePart | undefined): (number | string | null)[] {
  return part === undefined ? [] : [part.id, part.topic, part.since, part.until];
}

/** Whether nothing lies between `bound` and the part: it can be entered from there. */
function isOpenEnded(part: ScopePart | undefined, bound: number, direction: Direction): boolean {
  if (part === undefined || part.kind === 'topic' || part.kind === 'except') return false;
  return direction === 'older' ? part.until >= bound || part.until === endless : part.since <= bound + 1;
}

/** The common case, five times as fast: a bare list of channels or conversations, entered at the same point. */
function plainHeads(
  db: Database,
  parts: readonly ScopePart[],
  numbers: readonly number[],
  bound: number,
  direction: Direction,
  heads: (number | undefined)[],
): void {
  const [sign, order] = direction === 'older' ? ['<', 'DESC'] : ['>', 'ASC'];
  for (const kind of ['channel', 'dm']) {
    const chosen = numbers.filter((number) => parts[number]?.kind === kind);
    if (chosen.length === 0) continue;
    const list = db.value<string>(
      `SELECT json_group_array((
         SELECT m.id FROM message AS m INDEXED BY message_by_${kind}
         WHERE m.${kind}_id = p.value AND m.id ${sign} ? ORDER BY m.id ${order} LIMIT 1
       )) FROM json_each(?) AS p`,
      bound,
      JSON.stringify(chosen.map((number) => parts[number]?.id)),
    );
    const ids: (number | null)[] = JSON.parse(list ?? '[]');
    for (const [index, number] of chosen.entries()) {
      const id = ids[index] ?? undefined;
      const part = parts[number];
      if (id !== undefined && part !== undefined && id >= part.since && id < part.until) heads[number] = id;
    }
  }
}

function headsOf(
  db: Database,
  kind: PartKind,
  rows: (number | string | null)[][],
  track: ScanIndex,
  filter: Sql,
  bound: number,
  direction: Direction,
): {part: number; id: number | null}[] {
  const {index, where} = path(kind, track, rawSql('p.id'), rawSql('p.topic'));
  const older = direction === 'older';
  const range = older
    ? sql`m.id >= p.since AND m.id < min(p.until, ${bound})`
    : sql`m.id > max(p.since - 1, ${bound}) AND m.id < p.until`;
  const query = sql`
    WITH p (part, id, topic, since, until) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(${JSON.stringify(rows)})
    )
    SELECT p.part, (
      SELECT m.id FROM message AS m ${rawSql(index)} WHERE ${where} AND ${range} AND ${filter}
      ORDER BY m.id ${rawSql(older ? 'DESC' : 'ASC')} LIMIT 1
    ) AS id FROM p`;
  return db.all(query.text, ...query.values);
}

function pull(
  db: Database,
  part: ScopePart,
  track: ScanIndex,
  filter: Sql,
  bound: number,
  direction: Direction,
  limit: number,
): number[] {
  const {index, where} = path(part.kind, track, sql`${part.id}`, sql`${part.topic}`);
  const older = direction === 'older';
  const from = older ? part.since : Math.max(part.since, bound + 1);
  const to = older ? Math.min(part.until, bound) : part.until;
  const query = sql`
    SELECT m.id FROM message AS m ${rawSql(index)}
    WHERE ${where} AND m.id >= ${from} AND m.id < ${to} AND ${filter}
    ORDER BY m.id ${rawSql(older ? 'DESC' : 'ASC')} LIMIT ${limit}`;
  return db.pluck(query.text, ...query.values);
}

function path(kind: PartKind, track: ScanIndex, id: Sql, topic: Sql): IndexPath {
  if (kind === 'dm') return directPath(track, id);
  if (kind === 'topic') {
    const where = sql`m.channel_id = ${id} AND m.topic_key = ${topic} AND ${trackFilter(track)}`;
    return {index: 'INDEXED BY message_by_topic', where};
  }
  const channel = channelPath(track, id);
  if (kind === 'channel') return channel;
  const where = sql`${channel.where} AND m.topic_key NOT IN (SELECT value FROM json_each(${topic}))`;
  return {...channel, where};
}

function channelPath(track: ScanIndex, id: Sql): IndexPath {
  switch (track.by) {
    case 'place':
      return {index: 'INDEXED BY message_by_channel', where: sql`m.channel_id = ${id}`};
    case 'sender': {
      const where = sql`${trackFilter(track)} AND m.channel_id = ${id}`;
      return {index: 'INDEXED BY message_by_sender', where};
    }
    case 'extras': {
      const where = sql`m.channel_id = ${id} AND m.dm_id IS NULL AND m.traits & 7 AND ${trackFilter(track)}`;
      return {index: 'INDEXED BY message_with_extras', where};
    }
  }
}

function directPath(track: ScanIndex, id: Sql): IndexPath {
  if (track.by === 'extras') {
    const where = sql`m.channel_id IS NULL AND m.dm_id = ${id} AND m.traits & 7 AND ${trackFilter(track)}`;
    return {index: 'INDEXED BY message_with_extras', where};
  }
  return {index: 'INDEXED BY message_by_dm', where: sql`m.dm_id = ${id} AND ${trackFilter(track)}`};
}

function trackFilter(track: ScanIndex): Sql {
  switch (track.by) {
    case 'place':
      return rawSql('TRUE');
    case 'sender':
      return sql`m.sender_id = ${track.senderId}`;
    case 'extras':
      return sql`(m.traits & ${track.bits}) <> 0`;
  }
}

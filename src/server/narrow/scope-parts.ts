import type {Database} from '#server/db/database.ts';
import {type Direction, rawSql, type Sql, type StreamParts, sql} from './message-id-stream.ts';
import type {ChannelSpan, NarrowScope} from './narrow-scope.ts';

/** The index that is scanned for each part of a scope: all its messages, or an index with fewer. */
export type ScanIndex =
  | {readonly by: 'all'}
  | {readonly by: 'sender'; readonly senderId: number}
  | {readonly by: 'extras'; readonly bits: number};

/** The condition that every message meets. */
export const matchEverything: Sql = rawSql('TRUE');
const maxId = Number.MAX_SAFE_INTEGER;

type PartKind = 'channel' | 'except' | 'topic' | 'dm';

interface ScopePart {
  readonly kind: PartKind;
  /** The id of the channel or the direct conversation. */
  readonly id: number;
  /** The topic, or the JSON list of excluded topics. */
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

/** Returns the scope as ordered parts of a merged stream; `filter` applies to every message. */
export function scopeParts(db: Database, scope: NarrowScope, scanIndex: ScanIndex, filter: Sql): StreamParts {
  const parts: ScopePart[] = [...scope.channels.map(channelPart), ...scope.dmIds.map(directPart)];
  return {
    count: parts.length,
    firstIds(bound, direction) {
      const heads: (number | undefined)[] = Array.from({length: parts.length});
      const isPlain = scanIndex.by === 'all' && filter.text === matchEverything.text;
      const {plain = [], others = []} = Object.groupBy(parts.keys(), (number) =>
        isPlain && isOpenEnded(parts[number], bound, direction) ? 'plain' : 'others',
      );
      plainHeads(db, parts, plain, bound, direction, heads);
      for (const [kind, numbers] of Map.groupBy(others, (number) => parts[number]?.kind)) {
        if (kind === undefined) continue;
        const rows = numbers.map((number) => [number, ...partColumns(parts[number])]);
        for (const head of headsOf(db, kind, rows, scanIndex, filter, bound, direction)) {
          heads[head.part] = head.id ?? undefined;
        }
      }
      return heads;
    },
    readPart(number, bound, direction, limit) {
      const part = parts[number];
      return part === undefined ? [] : readIds(db, part, scanIndex, filter, bound, direction, limit);
    },
  };
}

function channelPart({channelId, topicKey, except, since, until}: ChannelSpan): ScopePart {
  if (topicKey !== undefined) return {kind: 'topic', id: channelId, topic: topicKey, since, until};
  if (except === undefined) return {kind: 'channel', id: channelId, topic: null, since, until};
  return {kind: 'except', id: channelId, topic: JSON.stringify([...except]), since, until};
}

function directPart(dmId: number): ScopePart {
  return {kind: 'dm', id: dmId, topic: null, since: 0, until: maxId};
}

function partColumns(part: ScopePart | undefined): (number | string | null)[] {
  return part === undefined ? [] : [part.id, part.topic, part.since, part.until];
}

/** Returns whether `bound` is inside or next to the part, so that one query can serve all such parts. */
function isOpenEnded(part: ScopePart | undefined, bound: number, direction: Direction): boolean {
  if (part === undefined || part.kind === 'topic' || part.kind === 'except') return false;
  return direction === 'older' ? part.until >= bound || part.until === maxId : part.since <= bound + 1;
}

/** Finds the first ids in the common case, five times as fast: whole channels or conversations and no filter. */
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
    const sql = `SELECT json_group_array((
         SELECT m.id FROM message AS m INDEXED BY message_by_${kind}
         WHERE m.${kind}_id = p.value AND m.id ${sign} ? ORDER BY m.id ${order} LIMIT 1
       )) FROM json_each(?) AS p`;
    const list = db.value<string>(sql, bound, JSON.stringify(chosen.map((number) => parts[number]?.id)));
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
  scanIndex: ScanIndex,
  filter: Sql,
  bound: number,
  direction: Direction,
): {part: number; id: number | null}[] {
  const {index, where} = indexPath(kind, scanIndex, rawSql('p.id'), rawSql('p.topic'));
  const older = direction === 'older';
  const range = older
    ? sql`m.id >= p.since AND m.id < min(p.until, ${bound})`
    : sql`m.id > max(p.since - 1, ${bound}) AND m.id < p.until`;
  const query = sql`
    WITH p (part, id, topic, since, until) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(${JSON.stringify(rows)})
    )
    SELECT p.part, (
      SELECT m.id FROM message AS m ${rawSql(index)} WHERE ${where} AND ${range} AND in_time() AND ${filter}
      ORDER BY m.id ${rawSql(older ? 'DESC' : 'ASC')} LIMIT 1
    ) AS id FROM p`;
  return db.all(query.text, ...query.values);
}

function readIds(
  db: Database,
  part: ScopePart,
  scanIndex: ScanIndex,
  filter: Sql,
  bound: number,
  direction: Direction,
  limit: number,
): number[] {
  const {index, where} = indexPath(part.kind, scanIndex, sql`${part.id}`, sql`${part.topic}`);
  const older = direction === 'older';
  const from = older ? part.since : Math.max(part.since, bound + 1);
  const to = older ? Math.min(part.until, bound) : part.until;
  const query = sql`
    SELECT m.id FROM message AS m ${rawSql(index)}
    WHERE ${where} AND m.id >= ${from} AND m.id < ${to} AND in_time() AND ${filter}
    ORDER BY m.id ${rawSql(older ? 'DESC' : 'ASC')} LIMIT ${limit}`;
  return db.pluck(query.text, ...query.values);
}

function indexPath(kind: PartKind, scanIndex: ScanIndex, id: Sql, topic: Sql): IndexPath {
  if (kind === 'dm') return directPath(scanIndex, id);
  if (kind === 'topic') {
    const where = sql`m.channel_id = ${id} AND m.topic_key = ${topic} AND ${scanFilter(scanIndex)}`;
    return {index: 'INDEXED BY message_by_topic', where};
  }
  const channel = channelPath(scanIndex, id);
  if (kind === 'channel') return channel;
  const where = sql`${channel.where} AND m.topic_key NOT IN (SELECT value FROM json_each(${topic}))`;
  return {...channel, where};
}

function channelPath(scanIndex: ScanIndex, id: Sql): IndexPath {
  switch (scanIndex.by) {
    case 'all':
      return {index: 'INDEXED BY message_by_channel', where: sql`m.channel_id = ${id}`};
    case 'sender': {
      const where = sql`${scanFilter(scanIndex)} AND m.channel_id = ${id}`;
      return {index: 'INDEXED BY message_by_sender', where};
    }
    case 'extras': {
      const where = sql`m.channel_id = ${id} AND m.dm_id IS NULL AND m.traits & 7 AND ${scanFilter(scanIndex)}`;
      return {index: 'INDEXED BY message_with_extras', where};
    }
  }
}

function directPath(scanIndex: ScanIndex, id: Sql): IndexPath {
  if (scanIndex.by === 'extras') {
    const where = sql`m.channel_id IS NULL AND m.dm_id = ${id} AND m.traits & 7 AND ${scanFilter(scanIndex)}`;
    return {index: 'INDEXED BY message_with_extras', where};
  }
  return {index: 'INDEXED BY message_by_dm', where: sql`m.dm_id = ${id} AND ${scanFilter(scanIndex)}`};
}

function scanFilter(scanIndex: ScanIndex): Sql {
  switch (scanIndex.by) {
    case 'all':
      return rawSql('TRUE');
    case 'sender':
      return sql`m.sender_id = ${scanIndex.senderId}`;
    case 'extras':
      return sql`(m.traits & ${scanIndex.bits}) <> 0`;
  }
}

const Policy = {muted: 1, unmuted: 2, followed: 3} as const;
const none: ReadonlySet<string> = new Set();

/** The channels and topics that a user muted, and the topics they unmuted or follow. */
export class TopicPolicies {
  readonly #mutedChannels: ReadonlySet<number>;
  readonly #topics = new Map<string, Set<string>>();

  constructor(db: Database, userId: number) {
    this.#mutedChannels = new Set(
      db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND is_muted = 1 AND active = 1', userId),
    );
    const sql = 'SELECT channel_id, topic_key, policy FROM user_topic WHERE user_id = ?';
    for (const row of db.all<{channel_id: number; topic_key: string; policy: number}>(sql, userId)) {
      const key = `${row.channel_id}:${row.policy}`;
      const topics = this.#topics.get(key);
      if (topics === undefined) this.#topics.set(key, new Set([row.topic_key]));
      else topics.add(row.topic_key);
    }
  }

  isMutedChannel(channelId: number): boolean {
    return this.#mutedChannels.has(channelId);
  }

  followedTopics(channelId: number): ReadonlySet<string> {
    return this.#topics.get(`${channelId}:${Policy.followed}`) ?? none;
  }

  mutedTopics(channelId: number): ReadonlySet<string> {
    return this.#topics.get(`${channelId}:${Policy.muted}`) ?? none;
  }

  /** Returns the topics that are not muted although their channel is. */
  unmutedOrFollowedTopics(channelId: number): ReadonlySet<string> {
    const unmuted = this.#topics.get(`${channelId}:${Policy.unmuted}`);
    const followed = this.followedTopics(channelId);
    return unmuted === undefined ? followed : unmuted.union(followed);
  }

  isMutedTopic(channelId: number, topicKey: string): boolean {
    if (this.#mutedChannels.has(channelId)) return !this.unmutedOrFollowedTopics(channelId).has(topicKey);
    return this.mutedTopics(channelId).has(topicKey);
  }
}

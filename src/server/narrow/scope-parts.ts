import type {Database} from '#server/db/database.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {
  allConditions,
  type Direction,
  type MessageCandidate,
  rawSql,
  type Sql,
  type StreamParts,
  sql,
} from './message-id-stream.ts';
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
        const path = indexPath(kind, scanIndex, rawSql('p.id'), rawSql('p.topic'));
        const query = headsSql(rows, bound, direction, path, filter);
        for (const head of db.all<{part: number; id: number | null}>(query.text, ...query.values)) {
          heads[head.part] = head.id ?? undefined;
        }
      }
      return heads;
    },
    readPart(number, bound, direction, limit) {
      const part = parts[number];
      if (part === undefined) return [];
      const older = direction === 'older';
      const from = older ? part.since : Math.max(part.since, bound + 1);
      const to = older ? Math.min(part.until, bound) : part.until;
      const query = sql`
        SELECT m.id FROM message AS m ${indexPath(part.kind, scanIndex, sql`${part.id}`, sql`${part.topic}`)}
        AND m.id >= ${from} AND m.id < ${to} AND in_time() AND ${filter}
        ORDER BY m.id ${rawSql(older ? 'DESC' : 'ASC')} LIMIT ${limit}`;
      return db.pluck(query.text, ...query.values);
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

/** Returns the query of the first id of each part, whose columns are `rows`. */
function headsSql(
  rows: (number | string | null)[][],
  bound: number,
  direction: Direction,
  path: Sql,
  filter: Sql,
): Sql {
  const older = direction === 'older';
  const range = older
    ? sql`m.id >= p.since AND m.id < min(p.until, ${bound})`
    : sql`m.id > max(p.since - 1, ${bound}) AND m.id < p.until`;
  return sql`
    WITH p (part, id, topic, since, until) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(${JSON.stringify(rows)})
    )
    SELECT p.part, (
      SELECT m.id FROM message AS m ${path} AND ${range} AND in_time() AND ${filter}
      ORDER BY m.id ${rawSql(older ? 'DESC' : 'ASC')} LIMIT 1
    ) AS id FROM p`;
}

/**
 * Returns the index and the condition on the message `m` that it can follow in the order of ids.
 * The planner has no statistics to choose by, and a wrong choice costs a million rows: hence `INDEXED BY`.
 */
function indexPath(kind: PartKind, scanIndex: ScanIndex, id: Sql, topic: Sql): Sql {
  const conditions = [kind === 'dm' ? sql`m.dm_id = ${id}` : sql`m.channel_id = ${id}`, scanFilter(scanIndex)];
  if (kind === 'topic') conditions.push(sql`m.topic_key = ${topic}`);
  if (kind === 'except') conditions.push(sql`m.topic_key NOT IN (SELECT value FROM json_each(${topic}))`);
  let index = kind === 'except' ? 'message_by_channel' : `message_by_${kind}`;
  if (scanIndex.by === 'sender' && (kind === 'channel' || kind === 'except')) index = 'message_by_sender';
  if (scanIndex.by === 'extras' && kind !== 'topic') {
    index = 'message_with_extras';
    conditions.push(rawSql(`${kind === 'dm' ? 'm.channel_id' : 'm.dm_id'} IS NULL AND m.traits & 7`));
  }
  return sql`INDEXED BY ${rawSql(index)} WHERE ${allConditions(conditions)}`;
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

/** The channels and topics that a user muted, and the topics they unmuted or follow. */
export class TopicPolicies {
  readonly #mutedChannels: ReadonlySet<number>;
  readonly #topics: ReadonlyMap<string, readonly {topic_key: string}[]>;

  constructor(db: Database, userId: number) {
    this.#mutedChannels = new Set(
      db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND is_muted = 1 AND active = 1', userId),
    );
    const sql = 'SELECT channel_id, topic_key, policy FROM user_topic WHERE user_id = ?';
    const rows = db.all<{channel_id: number; topic_key: string; policy: number}>(sql, userId);
    this.#topics = Map.groupBy(rows, ({channel_id, policy}) => `${channel_id}:${policy}`);
  }

  #topicsWith(channelId: number, policy: number): ReadonlySet<string> {
    return new Set(this.#topics.get(`${channelId}:${policy}`)?.map(({topic_key}) => topic_key));
  }

  isMutedChannel(channelId: number): boolean {
    return this.#mutedChannels.has(channelId);
  }

  followedTopics(channelId: number): ReadonlySet<string> {
    return this.#topicsWith(channelId, visibilityPolicies.followed);
  }

  mutedTopics(channelId: number): ReadonlySet<string> {
    return this.#topicsWith(channelId, visibilityPolicies.muted);
  }

  /** Returns the topics that are not muted although their channel is. */
  unmutedOrFollowedTopics(channelId: number): ReadonlySet<string> {
    return this.#topicsWith(channelId, visibilityPolicies.unmuted).union(this.followedTopics(channelId));
  }

  isMutedTopic(channelId: number, topicKey: string): boolean {
    if (this.#mutedChannels.has(channelId)) return !this.unmutedOrFollowedTopics(channelId).has(topicKey);
    return this.mutedTopics(channelId).has(topicKey);
  }
}

/** Returns a test whether a message is in the scope. */
export function scopePredicate(scope: NarrowScope): (candidate: MessageCandidate) => boolean {
  const byChannel = Map.groupBy(scope.channels, ({channelId}) => channelId);
  const dms = new Set(scope.dmIds);
  return ({id, channel_id, dm_id, topic_key}) => {
    if (channel_id === null) return dm_id !== null && dms.has(dm_id);
    const spans = byChannel.get(channel_id);
    return spans?.some((span) => covers(span, id, topic_key)) ?? false;
  };
}

function covers(span: ChannelSpan, id: number, topicKey: string): boolean {
  if (id < span.since || id >= span.until) return false;
  if (span.topicKey !== undefined && span.topicKey !== topicKey) return false;
  return span.except === undefined || !span.except.has(topicKey);
}

/** Returns an SQL condition on the message `m` that every message of the scope meets; some others may meet it too. */
export function approximateScopeSql(scope: NarrowScope): Sql {
  const [span, second] = scope.channels;
  if (span !== undefined && second === undefined && scope.dmIds.length === 0) {
    return span.topicKey === undefined
      ? sql`m.channel_id = ${span.channelId}`
      : sql`m.channel_id = ${span.channelId} AND m.topic_key = ${span.topicKey}`;
  }
  const channels = JSON.stringify([...new Set(scope.channels.map(({channelId}) => channelId))]);
  const dms = JSON.stringify(scope.dmIds);
  return sql`(m.channel_id IN (SELECT value FROM json_each(${channels}))
    OR m.dm_id IN (SELECT value FROM json_each(${dms})))`;
}

import type {Database, SqlValue} from '#server/db/database.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {Heap} from '#std/heap.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import type {ChannelSpan, NarrowScope} from './narrow-scope.ts';

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

/**
 * Returns a reader of a query whose rows are read in the order of one column: it has the select list, FROM and WHERE, with
 * all conditions except the range. Casts the bound: FTS5 ignores one that is not an integer, and numbers are bound as reals.
 */
export function orderedReader(db: Database, {text, values, column}: Sql & {readonly column: string}): CandidateReader {
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
  const direct = scope.dmIds.map((id): ScopePart => ({kind: 'dm', id, topic: null, since: 0, until: maxId}));
  const parts = [...scope.channels.map(channelPart), ...direct];
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
        const rows = numbers.map((number) => {
          const {id = 0, topic = null, since = 0, until = 0} = parts[number] ?? {};
          return [number, id, topic, since, until];
        });
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
  /** The topics by channel and policy. */
  readonly #topics = new Map<string, Set<string>>();

  constructor(db: Database, userId: number) {
    this.#mutedChannels = new Set(
      db.pluck('SELECT channel_id FROM subscription WHERE user_id = ? AND is_muted = 1 AND active = 1', userId),
    );
    const sql = 'SELECT channel_id, topic_key, policy FROM user_topic WHERE user_id = ?';
    const rows = db.all<{channel_id: number; topic_key: string; policy: number}>(sql, userId);
    for (const {channel_id, topic_key, policy} of rows) {
      getOrCreate(this.#topics, `${channel_id}:${policy}`, () => new Set()).add(topic_key);
    }
  }

  #topicsWith(channelId: number, policy: number): ReadonlySet<string> {
    return this.#topics.get(`${channelId}:${policy}`) ?? new Set();
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
    if (!this.#mutedChannels.has(channelId)) return this.mutedTopics(channelId).has(topicKey);
    const {unmuted, followed} = visibilityPolicies;
    return ![unmuted, followed].some((policy) => this.#topicsWith(channelId, policy).has(topicKey));
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

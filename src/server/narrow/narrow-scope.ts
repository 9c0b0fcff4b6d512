import type {ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {canReadChannel, isSubscribed} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import type {MessageCandidate} from './message-id-stream.ts';
import {type Sql, sql} from './sql-fragment.ts';
import type {ChannelClass} from './terms.ts';

/** A stretch of a channel, or of one of its topics. */
export interface ChannelSpan {
  readonly channelId: number;
  readonly topicKey?: string;
  readonly except?: ReadonlySet<string>;
  /** Ids from `since` to before `until`. */
  readonly since: number;
  readonly until: number;
}

/** Where the messages of a narrow may be, as far as its reader may read. No two places share a message. */
export interface NarrowScope {
  readonly channels: readonly ChannelSpan[];
  readonly dmIds: readonly number[];
}

const endless = Number.MAX_SAFE_INTEGER;

interface PeriodRow {
  readonly channel_id: number;
  readonly since_id: number;
  readonly until_id: number | null;
}

/** All that reached a person and that they may still read. */
export function receivedScope(act: ReadContext, viewer: UserRow): NarrowScope {
  const {db} = act.server;
  // Lists come as JSON text: two thousand subscriptions as rows would cost more than the page they are for.
  const certain = db.value<string>(
    `SELECT json_group_array(json_array(p.channel_id, p.since_id, p.until_id)) ${periodsWhere(readableAtOnce)}`,
    viewer.id,
    isGuest(viewer) ? 1 : 0,
  );
  const periods: [number, number, number | null][] = JSON.parse(certain ?? '[]');
  return {
    channels: [
      ...periods.map(([channelId, since, until]) => ({channelId, since, until: until ?? endless})),
      ...formerPlaces(act, viewer),
    ],
    dmIds: directConversationIds(db, viewer.id),
  };
}

/** `canReadMessage` as far as it does not depend on permission groups. */
const readableAtOnce = `(s.active = 1 OR (
  c.history_public_to_subscribers = 1 AND (c.is_web_public = 1 OR (c.invite_only = 0 AND NOT ?2))
))`;

function periodsWhere(condition: string): string {
  return `FROM subscription_period AS p JOIN channel AS c ON c.id = p.channel_id
    LEFT JOIN subscription AS s ON s.user_id = p.user_id AND s.channel_id = p.channel_id
    WHERE p.user_id = ?1 AND ${condition}`;
}

/** Private channels that one left and may read nevertheless, because a group one is in may. */
function formerPlaces(act: ReadContext, viewer: UserRow): ChannelSpan[] {
  if (isGuest(viewer)) return [];
  const rows = act.server.db.all<ChannelRow & PeriodRow>(
    `SELECT c.*, p.* ${periodsWhere(`c.permissions <> '{}' AND NOT ${readableAtOnce}
      AND c.history_public_to_subscribers = 1 AND s.active IS NOT TRUE`)}`,
    viewer.id,
    0,
  );
  return rows.filter((row) => canReadChannel(act, viewer, row)).map(placeOf);
}

function placeOf({channel_id, since_id, until_id}: PeriodRow): ChannelSpan {
  return {channelId: channel_id, since: since_id, until: until_id ?? endless};
}

export function directConversationIds(db: Database, userId: number): number[] {
  const list = db.value<string>('SELECT json_group_array(dm_id) FROM dm_member WHERE user_id = ?', userId);
  return JSON.parse(list ?? '[]');
}

/** The same, with the channels one is subscribed to opened as far back as they go. */
export function withSharedHistory(act: ReadContext, viewer: UserRow, places: NarrowScope): NarrowScope {
  const open = new Set(
    act.server.db.pluck(
      `SELECT s.channel_id FROM subscription AS s JOIN channel AS c ON c.id = s.channel_id
       WHERE s.user_id = ? AND s.active = 1 AND c.history_public_to_subscribers = 1`,
      viewer.id,
    ),
  );
  const others = places.channels.filter(({channelId}) => !open.has(channelId));
  return {...places, channels: [...[...open].map(wholeChannel), ...others]};
}

/** What a person may read of a channel: everything, or with protected history what reached them. */
export function channelHistory(act: ReadContext, viewer: UserRow, channel: ChannelRow): ChannelSpan[] {
  if (channel.history_public_to_subscribers === 1) {
    return canReadChannel(act, viewer, channel) ? [wholeChannel(channel.id)] : [];
  }
  if (!isSubscribed(act, viewer.id, channel.id)) return [];
  return act.server.db
    .all<PeriodRow>(
      'SELECT channel_id, since_id, until_id FROM subscription_period WHERE user_id = ? AND channel_id = ?',
      viewer.id,
      channel.id,
    )
    .map(placeOf);
}

function wholeChannel(channelId: number): ChannelSpan {
  return {channelId, since: 0, until: endless};
}

const classConditions: Record<ChannelClass, string> = {
  public: 'invite_only = 0',
  'web-public': 'is_web_public = 1',
  archived: 'is_archived = 1',
};

export function channelsOfClass(db: Database, which: ChannelClass): number[] {
  const list = db.value<string>(`SELECT json_group_array(id) FROM channel WHERE ${classConditions[which]}`);
  return JSON.parse(list ?? '[]');
}

/** The history of all channels of a class. Undefined: this person has only what reached them. */
export function channelClassHistory(
  act: ReadContext,
  viewer: UserRow,
  which: ChannelClass,
): NarrowScope | undefined {
  if (which === 'archived') {
    const channels = act.server.db.all<ChannelRow>('SELECT * FROM channel WHERE is_archived = 1');
    return {channels: channels.flatMap((channel) => channelHistory(act, viewer, channel)), dmIds: []};
  }
  if (which === 'public' && isGuest(viewer)) return undefined;
  return {channels: channelsOfClass(act.server.db, which).map(wholeChannel), dmIds: []};
}

/** Everything readable in the conversations that hold these messages, received or not. */
export function scopeAroundMessages(
  act: ReadContext,
  viewer: UserRow,
  messageIds: readonly number[],
): NarrowScope {
  const {db} = act.server;
  const ids = JSON.stringify(messageIds);
  const channels = db.all<ChannelRow>(
    `SELECT * FROM channel WHERE id IN (
       SELECT m.channel_id FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
     )`,
    ids,
  );
  const dmIds = db.pluck(
    `SELECT DISTINCT m.dm_id FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
     JOIN dm_member AS mine ON mine.dm_id = m.dm_id AND mine.user_id = ?`,
    ids,
    viewer.id,
  );
  return {channels: channels.flatMap((channel) => channelHistory(act, viewer, channel)), dmIds};
}

/** A test whether a message is in one of the places. */
export function scopePredicate(places: NarrowScope): (candidate: MessageCandidate) => boolean {
  const byChannel = new Map<number, ChannelSpan[]>();
  for (const place of places.channels) {
    const known = byChannel.get(place.channelId);
    if (known === undefined) byChannel.set(place.channelId, [place]);
    else known.push(place);
  }
  const dms = new Set(places.dmIds);
  return ({id, channel_id, dm_id, topic_key}) => {
    if (channel_id === null) return dm_id !== null && dms.has(dm_id);
    const stretches = byChannel.get(channel_id);
    return stretches?.some((place) => covers(place, id, topic_key)) ?? false;
  };
}

function covers(place: ChannelSpan, id: number, topicKey: string): boolean {
  if (id < place.since || id >= place.until) return false;
  if (place.topicKey !== undefined && place.topicKey !== topicKey) return false;
  return place.except === undefined || !place.except.has(topicKey);
}

/** `holdsIn` as a condition on the message `m`, but only roughly: topics and stretches may be missing from it. */
export function approximateScopeSql(places: NarrowScope): Sql {
  const [place, second] = places.channels;
  if (place !== undefined && second === undefined && places.dmIds.length === 0) {
    return place.topicKey === undefined
      ? sql`m.channel_id = ${place.channelId}`
      : sql`m.channel_id = ${place.channelId} AND m.topic_key = ${place.topicKey}`;
  }
  const channels = JSON.stringify([...new Set(places.channels.map(({channelId}) => channelId))]);
  const dms = JSON.stringify(places.dmIds);
  return sql`(m.channel_id IN (SELECT value FROM json_each(${channels}))
    OR m.dm_id IN (SELECT value FROM json_each(${dms})))`;
}

/** Of a place, only these topics. */
export function onlyTopics(place: ChannelSpan, topics: Iterable<string>): ChannelSpan[] {
  const {except, topicKey, ...stretch} = place;
  const wanted = [...new Set(topics)].filter((topic) => topicKey === undefined || topic === topicKey);
  return wanted
    .filter((topic) => except === undefined || !except.has(topic))
    .map((topic) => ({...stretch, topicKey: topic}));
}

/** Of a place, all but these topics. */
export function withoutTopics(place: ChannelSpan, topics: ReadonlySet<string>): ChannelSpan[] {
  if (topics.size === 0) return [place];
  if (place.topicKey !== undefined) return topics.has(place.topicKey) ? [] : [place];
  return [{...place, except: place.except === undefined ? topics : place.except.union(topics)}];
}

import type {ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {type ChannelRow, Flag, type UserRow} from '#server/db/rows.ts';
import {canReadChannel, isSubscribed} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import {isSpectator} from '#server/permissions/spectator.ts';
import {once} from '#std/once.ts';
import {scopePredicate, TopicPolicies} from './message-streams.ts';
import {type ChannelClass, matchesOnlyDirect, type ResolvedTerm} from './terms.ts';

/** A range of the messages of a channel or of one of its topics. */
export interface ChannelSpan {
  readonly channelId: number;
  readonly topicKey?: string;
  readonly except?: ReadonlySet<string>;
  /** The range of message ids: from `since` to before `until`. */
  readonly since: number;
  readonly until: number;
}

/** The conversations that can contain messages of a narrow and that the viewer may read. No message is in two spans. */
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

/** Returns the messages that a user received or acted on, and may still read. */
function receivedScope(act: ReadContext, viewer: UserRow): NarrowScope {
  const {db} = act.server;
  // As one JSON text: fetching two thousand subscriptions as rows would cost more than the page of messages.
  const json = db.value<string>(
    `SELECT json_group_array(json_array(p.channel_id, p.since_id, p.until_id)) ${periodsWhere(readableWithoutGroups)}`,
    viewer.id,
    isGuest(viewer) ? 1 : 0,
  );
  const periods: [number, number, number | null][] = JSON.parse(json ?? '[]');
  const received = [
    ...periods.map(([channelId, since, until]) => ({channelId, since, until: until ?? endless})),
    ...formerChannelSpans(act, viewer),
  ];
  return {
    channels: [...received, ...historicalSpans(act, viewer, received)],
    dmIds: directConversationIds(db, viewer.id),
  };
}

/** Returns a span for each message outside of `received` that became the user's own by a star or a reaction. */
function historicalSpans(act: ReadContext, viewer: UserRow, received: readonly ChannelSpan[]): ChannelSpan[] {
  const sql = `SELECT c.*, m.id AS message_id FROM user_message AS um INDEXED BY user_message_historical
     CROSS JOIN message AS m ON m.id = um.message_id CROSS JOIN channel AS c ON c.id = m.channel_id
     WHERE um.user_id = ? AND um.flags & ${Flag.historical} AND c.history_public_to_subscribers = 1`;
  const rows = act.server.db.all<ChannelRow & {message_id: number}>(sql, viewer.id);
  if (rows.length === 0) return [];
  const isReceived = scopePredicate({channels: received, dmIds: []});
  const readable = new Map<number, boolean>();
  return rows.flatMap((row) => {
    const {id: channelId, message_id: id} = row;
    if (isReceived({id, channel_id: channelId, dm_id: null, topic_key: ''})) return [];
    const isReadable = readable.get(channelId) ?? canReadChannel(act, viewer, row);
    readable.set(channelId, isReadable);
    return isReadable ? [{channelId, since: id, until: id + 1}] : [];
  });
}

/** The SQL condition for `canReadMessage` where it does not depend on permission groups. */
const readableWithoutGroups = `(s.active = 1 OR (
  c.history_public_to_subscribers = 1 AND (c.is_web_public = 1 OR (c.invite_only = 0 AND NOT ?2))
))`;

function periodsWhere(condition: string): string {
  return `FROM subscription_period AS p JOIN channel AS c ON c.id = p.channel_id
    LEFT JOIN subscription AS s ON s.user_id = p.user_id AND s.channel_id = p.channel_id
    WHERE p.user_id = ?1 AND ${condition}`;
}

/** Returns the spans of private channels that the user left but may still read through a permission group. */
function formerChannelSpans(act: ReadContext, viewer: UserRow): ChannelSpan[] {
  if (isGuest(viewer)) return [];
  const sql = `SELECT c.*, p.* ${periodsWhere(`c.permissions <> '{}' AND NOT ${readableWithoutGroups}
      AND c.history_public_to_subscribers = 1 AND s.active IS NOT TRUE`)}`;
  const rows = act.server.db.all<ChannelRow & PeriodRow>(sql, viewer.id, 0);
  return rows.filter((row) => canReadChannel(act, viewer, row)).map(spanOf);
}

function spanOf({channel_id, since_id, until_id}: PeriodRow): ChannelSpan {
  return {channelId: channel_id, since: since_id, until: until_id ?? endless};
}

function directConversationIds(db: Database, userId: number): number[] {
  const list = db.value<string>('SELECT json_group_array(dm_id) FROM dm_member WHERE user_id = ?', userId);
  return JSON.parse(list ?? '[]');
}

/** Returns the scope extended by the whole shared history of the channels that the viewer is subscribed to. */
function withSharedHistory(act: ReadContext, viewer: UserRow, scope: NarrowScope): NarrowScope {
  const sql = `SELECT s.channel_id FROM subscription AS s JOIN channel AS c ON c.id = s.channel_id
     WHERE s.user_id = ? AND s.active = 1 AND c.history_public_to_subscribers = 1`;
  const sharedIds = new Set(act.server.db.pluck(sql, viewer.id));
  const others = scope.channels.filter(({channelId}) => !sharedIds.has(channelId));
  return {...scope, channels: [...[...sharedIds].map(wholeChannel), ...others]};
}

/** Returns the part of a channel that a user may read: all of it or, with protected history, what they received. */
function channelHistory(act: ReadContext, viewer: UserRow, channel: ChannelRow): ChannelSpan[] {
  if (channel.history_public_to_subscribers === 1) {
    return canReadChannel(act, viewer, channel) ? [wholeChannel(channel.id)] : [];
  }
  if (!isSubscribed(act, viewer.id, channel.id)) return [];
  const sql = 'SELECT channel_id, since_id, until_id FROM subscription_period WHERE user_id = ? AND channel_id = ?';
  return act.server.db.all<PeriodRow>(sql, viewer.id, channel.id).map(spanOf);
}

function wholeChannel(channelId: number): ChannelSpan {
  return {channelId, since: 0, until: endless};
}

const classConditions: Record<ChannelClass, string> = {
  public: 'invite_only = 0',
  'web-public': 'is_web_public = 1',
  archived: 'is_archived = 1',
};

/** Returns the ids of the channels of a class, whether the viewer can read them or not. */
function channelsOfClass(db: Database, which: ChannelClass): number[] {
  const list = db.value<string>(`SELECT json_group_array(id) FROM channel WHERE ${classConditions[which]}`);
  return JSON.parse(list ?? '[]');
}

/** Returns the history of all channels of a class; undefined when the viewer may only read what they received. */
function channelClassHistory(act: ReadContext, viewer: UserRow, which: ChannelClass): NarrowScope | undefined {
  if (which === 'archived' || isSpectator(viewer)) {
    const channels = act.server.db.all<ChannelRow>(`SELECT * FROM channel WHERE ${classConditions[which]}`);
    return {channels: channels.flatMap((channel) => channelHistory(act, viewer, channel)), dmIds: []};
  }
  if (which === 'public' && isGuest(viewer)) return undefined;
  return {channels: channelsOfClass(act.server.db, which).map(wholeChannel), dmIds: []};
}

/** Returns the readable history of the conversations that contain these messages. */
function scopeAroundMessages(act: ReadContext, viewer: UserRow, messageIds: readonly number[]): NarrowScope {
  const {db} = act.server;
  const ids = JSON.stringify(messageIds);
  const sql = `SELECT * FROM channel WHERE id IN (
       SELECT m.channel_id FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
     )`;
  const channels = db.all<ChannelRow>(sql, ids);
  const select = `SELECT DISTINCT m.dm_id FROM json_each(?) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
     JOIN dm_member AS mine ON mine.dm_id = m.dm_id AND mine.user_id = ?`;
  const dmIds = db.pluck(select, ids, viewer.id);
  return {channels: channels.flatMap((channel) => channelHistory(act, viewer, channel)), dmIds};
}

/** Returns the part of a span that has one of these topics. */
function onlyTopics(span: ChannelSpan, topics: Iterable<string>): ChannelSpan[] {
  const {except, topicKey, ...range} = span;
  const keys = [...new Set(topics)].filter((topic) => topicKey === undefined || topic === topicKey);
  return keys
    .filter((topic) => except === undefined || !except.has(topic))
    .map((topic) => ({...range, topicKey: topic}));
}

/** Returns the part of a span that has none of these topics. */
function withoutTopics(span: ChannelSpan, topics: ReadonlySet<string>): ChannelSpan[] {
  if (topics.size === 0) return [span];
  if (span.topicKey !== undefined) return topics.has(span.topicKey) ? [] : [span];
  return [{...span, except: span.except === undefined ? topics : span.except.union(topics)}];
}

export interface NarrowOptions {
  /** Limits the narrow to these messages; they need not be received, only readable. */
  readonly amongIds?: readonly number[];
  /** Limits the narrow to unread messages that are not muted. */
  readonly forFirstUnread?: boolean;
}

/**
 * Returns the scope of a narrow. A term for a channel or a class of channels includes their shared history; other
 * narrows cover only what the viewer received. With `amongIds`, it is the readable history around those messages.
 */
export function scopeOfTerms(
  act: ReadContext,
  viewer: UserRow,
  terms: readonly ResolvedTerm[],
  {amongIds, forFirstUnread}: NarrowOptions,
): NarrowScope {
  const policies = once(() => new TopicPolicies(act.server.db, viewer.id));
  const scope = terms.reduce(
    (part, term) => narrowScope(act, viewer, part, term, policies),
    startScope(act, viewer, terms, amongIds),
  );
  if (forFirstUnread !== true) return scope;
  // Muting a channel does not count where the narrow is about one channel.
  return terms.some(({kind}) => kind === 'channel')
    ? mapChannels(scope, (span) => withoutTopics(span, policies().mutedTopics(span.channelId)), scope.dmIds)
    : filterByMuting(scope, policies(), false);
}

/** Returns the scope before the terms limit it. */
function startScope(
  act: ReadContext,
  viewer: UserRow,
  terms: readonly ResolvedTerm[],
  amongIds: readonly number[] | undefined,
): NarrowScope {
  if (amongIds !== undefined) return scopeAroundMessages(act, viewer, amongIds);
  const sharesHistory = !terms.some(needsOwnMessages);
  for (const term of terms) {
    if (term.negated || !sharesHistory) continue;
    if (term.kind === 'channel') return {channels: channelHistory(act, viewer, term.channel), dmIds: []};
    if (term.kind === 'channels') {
      const history = channelClassHistory(act, viewer, term.which);
      if (history !== undefined) return history;
    }
  }
  if (terms.some(matchesOnlyDirect)) return {channels: [], dmIds: directConversationIds(act.server.db, viewer.id)};
  if (terms.some((term) => term.kind === 'is' && term.what === 'starred' && !term.negated)) {
    // Messages that the viewer did not receive can be starred too.
    const sql = `SELECT message_id FROM user_message INDEXED BY user_message_starred
       WHERE user_id = ? AND flags & ${Flag.starred}`;
    return scopeAroundMessages(act, viewer, act.server.db.pluck(sql, viewer.id));
  }
  if (terms.some((term) => term.kind === 'is' && term.what === 'unread' && !term.negated)) {
    // Messages from before the viewer subscribed can be marked unread.
    return withSharedHistory(act, viewer, receivedScope(act, viewer));
  }
  return receivedScope(act, viewer);
}

/** Returns whether a term is about the viewer's own messages, although others could match it, as on Zulip's servers. */
function needsOwnMessages(term: ResolvedTerm): boolean {
  if (term.kind !== 'is') return false;
  return term.negated ? term.what !== 'resolved' : term.what === 'muted' || term.what === 'followed';
}

/** Returns the part of the scope that a term allows. Terms about single messages do not change it. */
function narrowScope(
  act: ReadContext,
  viewer: UserRow,
  scope: NarrowScope,
  term: ResolvedTerm,
  policies: () => TopicPolicies,
): NarrowScope {
  switch (term.kind) {
    case 'channel':
      return filterChannels(scope, term.negated, (id) => id === term.channel.id);
    case 'channels': {
      const ofClass = new Set(channelsOfClass(act.server.db, term.which));
      return filterChannels(scope, term.negated, (id) => ofClass.has(id));
    }
    case 'topic': {
      const topic = new Set([term.key]);
      if (term.negated) return mapChannels(scope, (span) => withoutTopics(span, topic), scope.dmIds);
      return mapChannels(scope, (span) => onlyTopics(span, topic));
    }
    case 'dm':
      return filterConversations(scope, term.negated, act.server.db.pluck('SELECT id FROM dm WHERE key = ?', term.key));
    case 'dm-including': {
      const sql = `SELECT dm.id FROM dm_member AS mine JOIN dm ON dm.id = mine.dm_id
        JOIN dm_member AS theirs ON theirs.dm_id = dm.id AND theirs.user_id = ?
        WHERE mine.user_id = ?`;
      const shared = act.server.db.pluck(sql, term.userId, viewer.id);
      return filterConversations(scope, term.negated, shared);
    }
    case 'home':
      return filterByMuting(scope, policies(), term.negated);
    case 'is':
      if (term.what === 'dm') {
        return term.negated ? {...scope, dmIds: []} : {...scope, channels: []};
      }
      if (term.what === 'muted') return filterByMuting(scope, policies(), !term.negated);
      if (term.what === 'followed') return filterByFollowing(scope, policies(), term.negated);
      return term.what === 'resolved' && !term.negated ? {...scope, dmIds: []} : scope;
    default:
      return scope;
  }
}

/** Changes the channels of a scope. Without `dmIds`, direct conversations are left out. */
function mapChannels(
  {channels}: NarrowScope,
  change: (span: ChannelSpan) => ChannelSpan[],
  dmIds: readonly number[] = [],
): NarrowScope {
  return {channels: channels.flatMap(change), dmIds};
}

function filterChannels(scope: NarrowScope, negated: boolean, matches: (channelId: number) => boolean): NarrowScope {
  const channels = scope.channels.filter(({channelId}) => matches(channelId) !== negated);
  return {channels, dmIds: negated ? scope.dmIds : []};
}

function filterConversations(scope: NarrowScope, negated: boolean, matchingIds: readonly number[]): NarrowScope {
  const matching = new Set(matchingIds);
  const dmIds = scope.dmIds.filter((id) => matching.has(id) !== negated);
  return {channels: negated ? scope.channels : [], dmIds};
}

function filterByMuting(scope: NarrowScope, policies: TopicPolicies, wantMuted: boolean): NarrowScope {
  const change = (span: ChannelSpan) => {
    const {channelId} = span;
    const channelMuted = policies.isMutedChannel(channelId);
    // The topics whose policy differs from their channel's.
    const exceptions = channelMuted ? policies.unmutedOrFollowedTopics(channelId) : policies.mutedTopics(channelId);
    return channelMuted === wantMuted ? withoutTopics(span, exceptions) : onlyTopics(span, exceptions);
  };
  return mapChannels(scope, change, wantMuted ? [] : scope.dmIds);
}

function filterByFollowing(scope: NarrowScope, policies: TopicPolicies, negated: boolean): NarrowScope {
  const followed = ({channelId}: ChannelSpan) => policies.followedTopics(channelId);
  if (negated) return mapChannels(scope, (span) => withoutTopics(span, followed(span)), scope.dmIds);
  return mapChannels(scope, (span) => onlyTopics(span, followed(span)));
}

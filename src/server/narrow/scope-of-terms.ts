import type {ReadContext} from '#server/context.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {once} from '#std/once.ts';
import {
  type ChannelSpan,
  channelClassHistory,
  channelHistory,
  channelsOfClass,
  directConversationIds,
  type NarrowScope,
  onlyTopics,
  receivedScope,
  scopeAroundMessages,
  withoutTopics,
  withSharedHistory,
} from './narrow-scope.ts';
import {TopicPolicies} from './scope-parts.ts';
import {matchesOnlyDirect, type ResolvedTerm} from './terms.ts';

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
    ? mapChannels(scope, (span) => withoutTopics(span, policies().mutedTopics(span.channelId)))
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
    return scopeAroundMessages(act, viewer, starredIds(act, viewer.id));
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
  return term.negated ? term.what !== 'resolved' && term.what !== 'followed' : term.what === 'muted';
}

function starredIds(act: ReadContext, userId: number): number[] {
  const sql = `SELECT message_id FROM user_message INDEXED BY user_message_starred
     WHERE user_id = ? AND flags & ${Flag.starred}`;
  return act.server.db.pluck(sql, userId);
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
      if (term.negated) return mapChannels(scope, (span) => withoutTopics(span, topic));
      return mapChannelsOnly(scope, (span) => onlyTopics(span, topic));
    }
    case 'dm':
      return filterConversations(scope, term.negated, conversationIds(act, term.key));
    case 'dm-including':
      return filterConversations(scope, term.negated, sharedConversationIds(act, viewer.id, term));
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

function mapChannels(scope: NarrowScope, change: (span: ChannelSpan) => ChannelSpan[]): NarrowScope {
  return {channels: scope.channels.flatMap(change), dmIds: scope.dmIds};
}

function mapChannelsOnly(scope: NarrowScope, change: (span: ChannelSpan) => ChannelSpan[]): NarrowScope {
  return {channels: scope.channels.flatMap(change), dmIds: []};
}

function filterChannels(scope: NarrowScope, negated: boolean, matches: (channelId: number) => boolean): NarrowScope {
  const channels = scope.channels.filter(({channelId}) => matches(channelId) !== negated);
  return {channels, dmIds: negated ? scope.dmIds : []};
}

function filterConversations(scope: NarrowScope, negated: boolean, matchingIds: ReadonlySet<number>): NarrowScope {
  const dmIds = scope.dmIds.filter((id) => matchingIds.has(id) !== negated);
  return {channels: negated ? scope.channels : [], dmIds};
}

function conversationIds(act: ReadContext, key: string): Set<number> {
  return new Set(act.server.db.pluck('SELECT id FROM dm WHERE key = ?', key));
}

function sharedConversationIds(
  act: ReadContext,
  viewerId: number,
  {userId, groupsOnly}: {userId: number; groupsOnly: boolean},
): Set<number> {
  return new Set(
    act.server.db.pluck(
      `SELECT dm.id FROM dm_member AS mine JOIN dm ON dm.id = mine.dm_id
       JOIN dm_member AS theirs ON theirs.dm_id = dm.id AND theirs.user_id = ?
       WHERE mine.user_id = ? AND dm.size >= ?`,
      userId,
      viewerId,
      groupsOnly ? 3 : 0,
    ),
  );
}

function filterByMuting(scope: NarrowScope, policies: TopicPolicies, wantMuted: boolean): NarrowScope {
  const change = (span: ChannelSpan) => {
    const {channelId} = span;
    const channelMuted = policies.isMutedChannel(channelId);
    // The topics whose policy differs from their channel's.
    const exceptions = channelMuted ? policies.unmutedOrFollowedTopics(channelId) : policies.mutedTopics(channelId);
    return channelMuted === wantMuted ? withoutTopics(span, exceptions) : onlyTopics(span, exceptions);
  };
  return wantMuted ? mapChannelsOnly(scope, change) : mapChannels(scope, change);
}

function filterByFollowing(scope: NarrowScope, policies: TopicPolicies, negated: boolean): NarrowScope {
  if (negated) return mapChannels(scope, (span) => withoutTopics(span, policies.followedTopics(span.channelId)));
  return mapChannelsOnly(scope, (span) => onlyTopics(span, policies.followedTopics(span.channelId)));
}

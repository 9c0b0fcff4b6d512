import type {ReadContext} from '#server/context.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
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
import {matchesOnlyDirect, type ResolvedTerm} from './terms.ts';
import {TopicPolicies} from './topic-policies.ts';

/**
 * Where a narrow looks. Naming a channel or a class of channels opens their shared history; anything else is about
 * what reached the reader. `among` asks about particular messages, which may be any that are readable.
 */
export function scopeOfTerms(
  act: ReadContext,
  viewer: UserRow,
  terms: readonly ResolvedTerm[],
  among: readonly number[] | undefined,
): NarrowScope {
  const policies = lazily(() => new TopicPolicies(act.server.db, viewer.id));
  return terms.reduce(
    (places, term) => narrowed(act, viewer, places, term, policies),
    start(act, viewer, terms, among),
  );
}

function start(
  act: ReadContext,
  viewer: UserRow,
  terms: readonly ResolvedTerm[],
  among: readonly number[] | undefined,
): NarrowScope {
  if (among !== undefined) return scopeAroundMessages(act, viewer, among);
  for (const term of terms) {
    if (term.negated) continue;
    if (term.kind === 'channel') return {channels: channelHistory(act, viewer, term.channel), dmIds: []};
    if (term.kind === 'channels') {
      const history = channelClassHistory(act, viewer, term.which);
      if (history !== undefined) return history;
    }
  }
  if (terms.some(matchesOnlyDirect))
    return {channels: [], dmIds: directConversationIds(act.server.db, viewer.id)};
  if (terms.some((term) => term.kind === 'is' && term.what === 'starred' && !term.negated)) {
    // What never reached the reader can be starred too.
    return scopeAroundMessages(act, viewer, starredIds(act, viewer.id));
  }
  if (terms.some((term) => term.kind === 'is' && term.what === 'unread' && !term.negated)) {
    // So can what was there before the reader subscribed be marked unread.
    return withSharedHistory(act, viewer, receivedScope(act, viewer));
  }
  return receivedScope(act, viewer);
}

function starredIds(act: ReadContext, userId: number): number[] {
  return act.server.db.pluck(
    `SELECT message_id FROM user_message INDEXED BY user_message_starred
     WHERE user_id = ? AND flags & ${Flag.starred}`,
    userId,
  );
}

/** Leaves the places that a term allows. Terms about single messages leave all. */
function narrowed(
  act: ReadContext,
  viewer: UserRow,
  places: NarrowScope,
  term: ResolvedTerm,
  policies: () => TopicPolicies,
): NarrowScope {
  switch (term.kind) {
    case 'channel':
      return byChannel(places, term.negated, (id) => id === term.channel.id);
    case 'channels': {
      const ofClass = new Set(channelsOfClass(act.server.db, term.which));
      return byChannel(places, term.negated, (id) => ofClass.has(id));
    }
    case 'topic': {
      const topic = new Set([term.key]);
      if (term.negated) return inChannels(places, (place) => withoutTopics(place, topic));
      return onlyChannels(places, (place) => onlyTopics(place, topic));
    }
    case 'dm':
      return byConversation(places, term.negated, conversationIds(act, term.key));
    case 'dm-including':
      return byConversation(places, term.negated, sharedIds(act, viewer.id, term));
    case 'home':
      return byMuting(places, policies(), term.negated);
    case 'is':
      if (term.what === 'dm') {
        return term.negated ? {...places, dmIds: []} : {...places, channels: []};
      }
      if (term.what === 'muted') return byMuting(places, policies(), !term.negated);
      if (term.what === 'followed') return byFollowing(places, policies(), term.negated);
      return term.what === 'resolved' && !term.negated ? {...places, dmIds: []} : places;
    default:
      return places;
  }
}

function inChannels(places: NarrowScope, change: (place: ChannelSpan) => ChannelSpan[]): NarrowScope {
  return {channels: places.channels.flatMap(change), dmIds: places.dmIds};
}

function onlyChannels(places: NarrowScope, change: (place: ChannelSpan) => ChannelSpan[]): NarrowScope {
  return {channels: places.channels.flatMap(change), dmIds: []};
}

function byChannel(
  places: NarrowScope,
  negated: boolean,
  isMeant: (channelId: number) => boolean,
): NarrowScope {
  const channels = places.channels.filter(({channelId}) => isMeant(channelId) !== negated);
  return {channels, dmIds: negated ? places.dmIds : []};
}

function byConversation(places: NarrowScope, negated: boolean, meant: ReadonlySet<number>): NarrowScope {
  const dmIds = places.dmIds.filter((id) => meant.has(id) !== negated);
  return {channels: negated ? places.channels : [], dmIds};
}

function conversationIds(act: ReadContext, key: string): Set<number> {
  return new Set(act.server.db.pluck('SELECT id FROM dm WHERE key = ?', key));
}

function sharedIds(
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

function byMuting(places: NarrowScope, policies: TopicPolicies, wantMuted: boolean): NarrowScope {
  const change = (place: ChannelSpan) => {
    const {channelId} = place;
    const channelMuted = policies.isMutedChannel(channelId);
    // Topics that go the other way than their channel.
    const exceptions = channelMuted
      ? policies.unmutedOrFollowedTopics(channelId)
      : policies.mutedTopics(channelId);
    return channelMuted === wantMuted ? withoutTopics(place, exceptions) : onlyTopics(place, exceptions);
  };
  return wantMuted ? onlyChannels(places, change) : inChannels(places, change);
}

function byFollowing(places: NarrowScope, policies: TopicPolicies, negated: boolean): NarrowScope {
  if (negated)
    return inChannels(places, (place) => withoutTopics(place, policies.followedTopics(place.channelId)));
  return onlyChannels(places, (place) => onlyTopics(place, policies.followedTopics(place.channelId)));
}

function lazily<T>(make: () => T): () => T {
  let made: {value: T} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}

import type {Act} from '#server/context.ts';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {
  type ChannelPlace,
  channelHistory,
  channelsOfClass,
  classHistory,
  directIds,
  onlyTopics,
  type Places,
  placesAround,
  receivedPlaces,
  withoutTopics,
  withSharedHistory,
} from './narrow-scope.ts';
import {isOnlyDirect, type Term} from './terms.ts';
import {TopicPolicies} from './topic-policies.ts';

type View = Pick<Act, 'world' | 'now'>;

/**
 * Where a narrow looks. Naming a channel or a class of channels opens their shared history; anything else is about
 * what reached the reader. `among` asks about particular messages, which may be any that are readable.
 */
export function placesOf(
  act: View,
  viewer: UserRow,
  terms: readonly Term[],
  among: readonly number[] | undefined,
): Places {
  const policies = lazily(() => new TopicPolicies(act.world.db, viewer.id));
  return terms.reduce(
    (places, term) => narrowed(act, viewer, places, term, policies),
    start(act, viewer, terms, among),
  );
}

function start(
  act: View,
  viewer: UserRow,
  terms: readonly Term[],
  among: readonly number[] | undefined,
): Places {
  if (among !== undefined) return placesAround(act, viewer, among);
  for (const term of terms) {
    if (term.negated) continue;
    if (term.kind === 'channel') return {channels: channelHistory(act, viewer, term.channel), dmIds: []};
    if (term.kind === 'channels') {
      const history = classHistory(act, viewer, term.which);
      if (history !== undefined) return history;
    }
  }
  if (terms.some(isOnlyDirect)) return {channels: [], dmIds: directIds(act.world.db, viewer.id)};
  if (terms.some((term) => term.kind === 'is' && term.what === 'starred' && !term.negated)) {
    // What never reached the reader can be starred too.
    return placesAround(act, viewer, starredIds(act, viewer.id));
  }
  if (terms.some((term) => term.kind === 'is' && term.what === 'unread' && !term.negated)) {
    // So can what was there before the reader subscribed be marked unread.
    return withSharedHistory(act, viewer, receivedPlaces(act, viewer));
  }
  return receivedPlaces(act, viewer);
}

function starredIds(act: View, userId: number): number[] {
  return act.world.db.pluck(
    `SELECT message_id FROM user_message INDEXED BY user_message_starred
     WHERE user_id = ? AND flags & ${Flag.starred}`,
    userId,
  );
}

/** Leaves the places that a term allows. Terms about single messages leave all. */
function narrowed(
  act: View,
  viewer: UserRow,
  places: Places,
  term: Term,
  policies: () => TopicPolicies,
): Places {
  switch (term.kind) {
    case 'channel':
      return byChannel(places, term.negated, (id) => id === term.channel.id);
    case 'channels': {
      const ofClass = new Set(channelsOfClass(act.world.db, term.which));
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

function inChannels(places: Places, change: (place: ChannelPlace) => ChannelPlace[]): Places {
  return {channels: places.channels.flatMap(change), dmIds: places.dmIds};
}

function onlyChannels(places: Places, change: (place: ChannelPlace) => ChannelPlace[]): Places {
  return {channels: places.channels.flatMap(change), dmIds: []};
}

function byChannel(places: Places, negated: boolean, isMeant: (channelId: number) => boolean): Places {
  const channels = places.channels.filter(({channelId}) => isMeant(channelId) !== negated);
  return {channels, dmIds: negated ? places.dmIds : []};
}

function byConversation(places: Places, negated: boolean, meant: ReadonlySet<number>): Places {
  const dmIds = places.dmIds.filter((id) => meant.has(id) !== negated);
  return {channels: negated ? places.channels : [], dmIds};
}

function conversationIds(act: View, key: string): Set<number> {
  return new Set(act.world.db.pluck('SELECT id FROM dm WHERE key = ?', key));
}

function sharedIds(
  act: View,
  viewerId: number,
  {userId, groupsOnly}: {userId: number; groupsOnly: boolean},
): Set<number> {
  return new Set(
    act.world.db.pluck(
      `SELECT dm.id FROM dm_member AS mine JOIN dm ON dm.id = mine.dm_id
       JOIN dm_member AS theirs ON theirs.dm_id = dm.id AND theirs.user_id = ?
       WHERE mine.user_id = ? AND dm.size >= ?`,
      userId,
      viewerId,
      groupsOnly ? 3 : 0,
    ),
  );
}

function byMuting(places: Places, policies: TopicPolicies, wantMuted: boolean): Places {
  const change = (place: ChannelPlace) => {
    const {channelId} = place;
    const channelMuted = policies.isMutedChannel(channelId);
    // Topics that go the other way than their channel.
    const exceptions = channelMuted ? policies.heard(channelId) : policies.muted(channelId);
    return channelMuted === wantMuted ? withoutTopics(place, exceptions) : onlyTopics(place, exceptions);
  };
  return wantMuted ? onlyChannels(places, change) : inChannels(places, change);
}

function byFollowing(places: Places, policies: TopicPolicies, negated: boolean): Places {
  if (negated) return inChannels(places, (place) => withoutTopics(place, policies.followed(place.channelId)));
  return onlyChannels(places, (place) => onlyTopics(place, policies.followed(place.channelId)));
}

function lazily<T>(make: () => T): () => T {
  let made: {value: T} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}

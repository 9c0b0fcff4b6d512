import type {Channel} from '#state/model/channel.ts';
import {type ConversationKey, topicConversationKey} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {channelKeys} from '#wire/events/event-schema.ts';
import {type MutedTopic, visibilityPolicies, type WireUserTopic} from '#wire/objects/channel.ts';
import {channelRecords} from './channels.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export interface UserTopic {
  readonly channelId: number;
  readonly topic: string;
  /** 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number;
  /** UNIX seconds. */
  readonly lastUpdated: number;
}

export function userTopicFromWire(wire: WireUserTopic): UserTopic {
  return {
    channelId: wire.stream_id,
    topic: wire.topic_name,
    policy: wire.visibility_policy,
    lastUpdated: wire.last_updated,
  };
}

export function userTopicMap(userTopics: Iterable<UserTopic>): SortedMap<ConversationKey, UserTopic> {
  return SortedMap.by(userTopics, ({channelId, topic}) => topicConversationKey(channelId, topic));
}

/**
 * Converts the muted topics of servers below level 134, which name channels; topics of unknown channels are dropped.
 */
export function userTopicsFromMuted(
  mutedTopics: readonly MutedTopic[],
  channels: Iterable<Pick<Channel, 'id' | 'name'>>,
): SortedMap<ConversationKey, UserTopic> {
  if (mutedTopics.length === 0) return SortedMap.empty();
  const idsByName = new Map<string, number>();
  for (const {id, name} of channels) idsByName.set(name.toLowerCase(), id);
  const userTopics = mutedTopics.flatMap(([name, topic, lastUpdated = 0]): UserTopic[] => {
    const channelId = idsByName.get(name.toLowerCase());
    if (channelId === undefined) return [];
    return [{channelId, topic, policy: visibilityPolicies.muted, lastUpdated}];
  });
  return userTopicMap(userTopics);
}

export const userTopics: Slice<SortedMap<ConversationKey, UserTopic>> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['user_topics', 'muted_topics', ...channelKeys], (snapshot) => {
    const {user_topics, muted_topics = []} = snapshot;
    if (user_topics === undefined) {
      const named = channelRecords(snapshot).map(({stream_id: id, name}) => ({id, name}));
      return userTopicsFromMuted(muted_topics, named);
    }
    // Of a channel that is archived while the registration is made, a server may still send them.
    const archived = new Set(
      channelRecords(snapshot).flatMap((one) => (one.is_archived === true ? one.stream_id : [])),
    );
    const configured = user_topics.filter(
      ({stream_id, visibility_policy}) => visibility_policy !== visibilityPolicies.none && !archived.has(stream_id),
    );
    return userTopicMap(configured.map(userTopicFromWire));
  }),
  saved: savedMap('string', {channelId: 'number', topic: 'string', policy: 'number', lastUpdated: 'number'}),
  appliers: {},
};

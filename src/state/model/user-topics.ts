import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {type MutedTopic, visibilityPolicies} from '#wire/objects/channel.ts';
import type {Channel} from './channel.ts';
import {topicConversationKey} from './conversation.ts';
import type {UserTopic} from './personal.ts';

export function userTopicMap(userTopics: Iterable<UserTopic>): AccountState['userTopics'] {
  return SortedMap.by(userTopics, ({channelId, topic}) => topicConversationKey(channelId, topic));
}

/**
 * Converts the muted topics of servers below level 134, which name channels; topics of unknown channels are dropped.
 */
export function userTopicsFromMuted(
  mutedTopics: readonly MutedTopic[],
  channels: Iterable<Channel>,
): AccountState['userTopics'] {
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

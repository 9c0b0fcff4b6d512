import {topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

type MutingState = Pick<AccountState, 'userTopics' | 'subscriptions'>;

/** Returns the topic's policy: 0 as the channel, 1 muted, 2 unmuted, 3 followed. */
export function topicPolicy(state: Pick<MutingState, 'userTopics'>, channelId: number, topic: string): number {
  return state.userTopics.get(topicConversationKey(channelId, topic))?.policy ?? visibilityPolicies.none;
}

/** Returns whether a topic is muted, by its own policy or else by its channel's. */
export function isTopicMuted(state: MutingState, channelId: number, topic: string): boolean {
  switch (topicPolicy(state, channelId, topic)) {
    case visibilityPolicies.muted:
      return true;
    case visibilityPolicies.unmuted:
    case visibilityPolicies.followed:
      return false;
    default:
      return isChannelMuted(state, channelId);
  }
}

/**
 * Returns whether a subscribed channel is muted; the setting outlives the subscription but has no effect without one.
 */
export function isChannelMuted({subscriptions}: Pick<MutingState, 'subscriptions'>, channelId: number): boolean {
  const subscription = subscriptions.get(channelId);
  return subscription?.isSubscribed === true && subscription.isMuted;
}

import {topicConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

type MutingState = Pick<AccountState, 'userTopics' | 'subscriptions'>;

/** 0 as the channel, 1 muted, 2 unmuted, 3 followed. */
export function topicPolicy(
  state: Pick<MutingState, 'userTopics'>,
  channelId: number,
  topic: string,
): number {
  return state.userTopics.get(topicConversationKey(channelId, topic))?.policy ?? visibilityPolicies.none;
}

/** A topic's own policy, or else its channel's. */
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

/** The setting outlives a subscription but means nothing without one. */
export function isChannelMuted(
  {subscriptions}: Pick<MutingState, 'subscriptions'>,
  channelId: number,
): boolean {
  const subscription = subscriptions.get(channelId);
  return subscription?.isSubscribed === true && subscription.isMuted;
}

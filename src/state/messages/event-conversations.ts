import {
  type Conversation,
  directConversation,
  type TopicConversation,
  topicConversationKey,
} from '#state/model/conversation.ts';
import type {MessageFlag} from '#state/model/message.ts';
import {channelIdOfNarrow, type Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';
import {orParts} from '#wire/narrow.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';

/** Returns the conversation that messages were moved to; undefined when the event does not say. */
export function movedTo(event: EventOf<'update_message'>): TopicConversation | undefined {
  const channelId = event.new_stream_id ?? event.stream_id;
  const topic = event.subject ?? event.orig_subject;
  return channelId === undefined || topic === undefined ? undefined : {kind: 'topic', channelId, topic};
}

/** Returns the conversation that messages were moved from; undefined when the event does not reveal it. */
export function movedFrom(event: EventOf<'update_message'>): TopicConversation | undefined {
  const {stream_id: channelId, orig_subject: topic} = event;
  return channelId === undefined || topic === undefined ? undefined : {kind: 'topic', channelId, topic};
}

export function conversationOfDetails(state: Pick<AccountState, 'self'>, details: MessageDetails): Conversation {
  return details.type === 'stream'
    ? {kind: 'topic', channelId: details.stream_id, topic: details.topic}
    : directConversation(details.user_ids, state.self.userId);
}

/** Returns whether messages there can be unread: only in direct conversations and subscribed channels. */
export function canBeUnread({subscriptions}: Pick<AccountState, 'subscriptions'>, conversation: Conversation): boolean {
  return conversation.kind === 'direct' || subscriptions.get(conversation.channelId)?.isSubscribed === true;
}

/** Returns whether events keep a view current: what happens in a channel is sent to its subscribers only. */
export function isLiveView({subscriptions}: Pick<AccountState, 'subscriptions'>, narrow: Narrow): boolean {
  return (orParts(narrow) ?? [narrow]).every((part) => {
    const channelId = channelIdOfNarrow(part);
    return channelId === undefined || subscriptions.get(channelId)?.isSubscribed === true;
  });
}

/*
 * A user's own messages are those that reached them and those that they starred or reacted to. Views that name no
 * channel list only these.
 */

/**
 * Returns whether moved messages are no longer the user's own: they leave a channel that the user is or was subscribed
 * to, for one that they are not subscribed to. The server drops the user's flags on them, stars included.
 */
export function leavesOwnMessages(
  {subscriptions}: Pick<AccountState, 'subscriptions'>,
  {stream_id: from, new_stream_id: to}: EventOf<'update_message'>,
): boolean {
  if (from === undefined || to === undefined || from === to) return false;
  return subscriptions.has(from) && subscriptions.get(to)?.isSubscribed !== true;
}

export function listsOwnMessages(narrow: Narrow): boolean {
  return (orParts(narrow) ?? [narrow]).some(
    (part) =>
      !part.some(({operator, negated}) => negated !== true && (operator === 'channel' || operator === 'channels')),
  );
}

const wildcardFlags: ReadonlySet<MessageFlag> = new Set([
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
]);

export function isMentionFlag(flag: MessageFlag): boolean {
  return flag === 'mentioned' || wildcardFlags.has(flag);
}

/**
 * Returns whether the flags mention the user. Personal mentions always count; wildcard mentions only where
 * the topic is not muted.
 */
export function mentionsUser(
  state: Pick<AccountState, 'userTopics' | 'subscriptions'>,
  flags: readonly MessageFlag[],
  conversation: Conversation,
): boolean {
  if (flags.includes('mentioned')) return true;
  if (!flags.some((flag) => wildcardFlags.has(flag))) return false;
  return conversation.kind === 'direct' || !isTopicMuted(state, conversation.channelId, conversation.topic);
}

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

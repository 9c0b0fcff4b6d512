import {type Conversation, directConversation, type TopicConversation} from '#state/model/conversation.ts';
import {channelIdOfNarrow, type Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';
import {orParts} from '#wire/narrow.ts';

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

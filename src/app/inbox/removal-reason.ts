import type {InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import type {AccountState} from '#state/state.ts';

/** Why nothing of a conversation waits any more that did a moment ago. */
export type RemovalReason = 'read' | 'moved' | 'deleted' | 'left' | 'lost';

/** `row` is the conversation as it was last. */
export function removalReasonOf(
  {unreads, messages, channels, subscriptions}: AccountState,
  {conversation, oldestUnreadId, snippet}: InboxRow,
): RemovalReason {
  if (conversation.kind === 'topic') {
    const {channelId} = conversation;
    if (!channels.has(channelId)) return 'lost';
    if (subscriptions.get(channelId)?.isSubscribed === false) return 'left';
  }
  if (unreads.byId.has(oldestUnreadId)) return 'moved';
  // What was never loaded is not missing; and after a new registration nothing is loaded for a moment.
  const wasLoaded = snippet !== undefined && messages.byId.size > 0;
  return wasLoaded && !messages.byId.has(oldestUnreadId) ? 'deleted' : 'read';
}

/** Behind the name of the conversation. */
export const removalLabels: Readonly<Record<RemovalReason, string>> = {
  read: 'read elsewhere',
  moved: 'moved',
  deleted: 'deleted',
  left: 'unsubscribed',
  lost: 'no longer yours',
};

/** What there is to say to whoever wanted to do something about it. */
export const removalSentences: Readonly<Record<RemovalReason, string>> = {
  read: 'Already read elsewhere.',
  moved: 'It was moved elsewhere.',
  deleted: 'It was deleted: nothing of it is left to read.',
  left: 'You are no longer subscribed there: nothing of it waits.',
  lost: 'This channel is not yours to read any more.',
};

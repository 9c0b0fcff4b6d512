import type {InboxRow} from '#state/selectors/inbox/inbox-index.ts';
import type {AccountState} from '#state/state.ts';

/** The reason why a conversation that was unread a moment ago no longer is. */
export type RemovalReason = 'read' | 'moved' | 'deleted' | 'left' | 'lost';

/** Returns the reason; `row` is the last version of the conversation. */
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
  // A message that was never loaded is not missing; and right after a new registration nothing is loaded.
  const wasLoaded = snippet !== undefined && messages.byId.size > 0;
  return wasLoaded && !messages.byId.has(oldestUnreadId) ? 'deleted' : 'read';
}

/** Shown behind the name of the conversation. */
export const removalLabels: Readonly<Record<RemovalReason, string>> = {
  read: 'read elsewhere',
  moved: 'moved',
  deleted: 'deleted',
  left: 'unsubscribed',
  lost: 'no access',
};

/** Shown when a key acts on such a conversation. */
export const removalSentences: Readonly<Record<RemovalReason, string>> = {
  read: 'Already read elsewhere.',
  moved: 'Moved elsewhere.',
  deleted: 'The unread messages were deleted.',
  left: 'You are no longer subscribed to this channel.',
  lost: 'You no longer have access to this channel.',
};

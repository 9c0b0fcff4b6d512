import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {type ChannelCounts, MentionTally, type UnreadCounts, UnreadTally} from './unread-tally.ts';

const mentionTally = new MentionTally();

/** Returns the number of unread mentions by conversation; conversations without any are absent. */
export const mentionCounts = memoBySlices(
  ['unreads'],
  ({unreads}: Pick<AccountState, 'unreads'>): ReadonlyMap<ConversationKey, number> => mentionTally.of(unreads),
);

const unreadTally = new UnreadTally();

export const unreadCounts = memoBySlices(
  ['unreads', 'userTopics', 'subscriptions', 'mutedUsers'],
  (state: AccountState): UnreadCounts => unreadTally.of(state, mentionCounts(state)),
);

const noCounts: ChannelCounts = {unmuted: 0, muted: 0, mentions: 0};

export function channelUnreads(state: AccountState, channelId: number): ChannelCounts {
  return unreadCounts(state).channels.get(channelId) ?? noCounts;
}

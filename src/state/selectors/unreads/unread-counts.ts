import type {ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import {countedUnreads} from './counted-unreads.ts';
import {type ChannelCounts, MentionTally, type UnreadCounts, UnreadTally} from './unread-tally.ts';

const mentionTally = new MentionTally();

/** Returns the number of unread mentions by conversation; conversations without any are absent. */
export const mentionCounts = memoBySlices(
  ['unreads', 'channels'],
  (state: Pick<AccountState, 'unreads' | 'channels'>): ReadonlyMap<ConversationKey, number> =>
    mentionTally.of(countedUnreads(state)),
);

const unreadTally = new UnreadTally();

export const unreadCounts = memoBySlices(
  ['unreads', 'channels', 'userTopics', 'subscriptions', 'mutedUsers'],
  (state: AccountState): UnreadCounts => {
    const {userTopics, subscriptions, mutedUsers} = state;
    return unreadTally.of(
      {unreads: countedUnreads(state), userTopics, subscriptions, mutedUsers},
      mentionCounts(state),
    );
  },
);

/** The counts of a channel without unread messages. */
export const noCounts: ChannelCounts = {unmuted: 0, muted: 0, mentions: 0};

export function channelUnreads(state: AccountState, channelId: number): ChannelCounts {
  return unreadCounts(state).channels.get(channelId) ?? noCounts;
}

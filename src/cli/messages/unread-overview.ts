import {inboxGroups} from '#state/selectors/inbox/inbox.ts';
import {mentionCounts, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {conversationJson} from './message-text.ts';

export type UnreadOverview = ReturnType<typeof unreadOverview>;

/** Returns what `parley unread` prints, as plain data: a running Parley sends it through its control socket. */
export function unreadOverview(state: AccountState) {
  const {total, all, directs, mentions, muted} = unreadCounts(state);
  const mentioning = mentionCounts(state);
  const rows = inboxGroups(state).flatMap((group) => group.rows);
  return {
    json: {
      total,
      all,
      directs,
      mentions,
      muted,
      isComplete: !state.unreads.oldMissing,
      conversations: rows.map((row) => ({
        conversation: conversationJson(state, row.conversation),
        count: row.count,
        mentions: mentioning.get(row.key) ?? 0,
        isMuted: row.group === 'muted',
        oldestUnreadId: row.oldestUnreadId,
        newestUnreadId: row.newestUnreadId,
      })),
    },
    rows: rows.map(({title, count, mentions: shownMentions, group}) => ({
      title,
      count,
      mentions: shownMentions,
      isMuted: group === 'muted',
    })),
  };
}

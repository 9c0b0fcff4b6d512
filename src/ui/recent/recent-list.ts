import {draftConversations} from '#state/selectors/lists/draft-conversations.ts';
import {
  type RecentFilter,
  type RecentRow,
  recentConversations,
  recentDirectConversations,
} from '#state/selectors/lists/recent-conversations.ts';
import {shownPresences} from '#ui/channel-list/direct-presence.ts';
import type {Frame} from '#ui/core/frame.ts';
import {type ListSource, memoRows, withSpaceBelow} from '#ui/lists/list-source.ts';
import type {ListState, Split} from '#ui/lists/list-state.ts';
import {splitTabs} from '#ui/lists/split-tabs.ts';
import {type ConversationRow, conversationLine, conversationRow, hasSnippets} from './conversation-row.ts';

/** Returns the inputs of the rows of recent conversations, for memoization. */
export function recentInputs(frame: Frame): readonly unknown[] {
  const {account, minute} = frame;
  return [
    account.messages,
    account.directs,
    account.topics,
    account.unreads,
    account.channels,
    account.subscriptions,
    account.userTopics,
    account.users,
    account.mutedUsers,
    account.realm,
    draftConversations(account),
    shownPresences(frame),
    minute,
    hasSnippets(frame),
  ];
}

/** The list of recent conversations, newest first. */
export const recentList: ListSource<ConversationRow> = {
  rows: memoRows(
    (frame) => [...recentInputs(frame), frame.screen.lists.recent.split, frame.screen.lists.recent.topicFilter],
    (frame) => splitRecent(frame).map((row) => conversationRow(frame, row)),
  ),
  line: conversationLine,
  headLines: (frame, columns) =>
    withSpaceBelow(frame, [
      splitTabs(frame, frame.screen.lists.recent, columns, {followedTabs: ['directs', 'followed']}),
    ]),
  emptyText: ({screen}) =>
    screen.lists.recent.split === 'all'
      ? 'No conversations yet. c starts a topic, x a direct message.'
      : 'No recent conversations here. 1 shows all.',
};

/** The list of all direct conversations, newest first. */
export const directList: ListSource<ConversationRow> = {
  rows: memoRows(recentInputs, (frame) =>
    recentDirectConversations(frame.account).map((row) => conversationRow(frame, row)),
  ),
  line: conversationLine,
  emptyText: () => 'No direct messages yet. x starts one.',
};

const filters: Readonly<Record<Split, RecentFilter>> = {
  all: {},
  mentions: {unread: true},
  directs: {kind: 'direct'},
  followed: {kind: 'topic'},
  channels: {kind: 'topic'},
  muted: {},
};

function splitRecent({account, screen}: Frame): readonly RecentRow[] {
  const list = screen.lists.recent;
  const unmuted = list.split !== 'muted' && list.topicFilter !== 'all';
  return recentConversations(account, {...filters[list.split], ...(unmuted && {unmuted})}).filter((row) =>
    isInSplit(row, list),
  );
}

/** Whether a conversation passes the tab and the topic filter of a list. */
function isInSplit(
  row: Pick<RecentRow, 'conversation' | 'mentions' | 'isMuted' | 'isFollowed'>,
  {split, topicFilter}: Pick<ListState, 'split' | 'topicFilter'>,
): boolean {
  if (topicFilter === 'followed' && row.conversation.kind === 'topic' && !row.isFollowed) return false;
  switch (split) {
    case 'all':
      return true;
    case 'mentions':
      return row.mentions > 0;
    case 'directs':
      return row.conversation.kind === 'direct';
    case 'followed':
      return row.isFollowed;
    case 'channels':
      return row.conversation.kind === 'topic';
    case 'muted':
      return row.isMuted;
  }
}

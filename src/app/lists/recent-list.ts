import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {
  type RecentFilter,
  type RecentRow,
  recentConversations,
} from '#state/selectors/lists/recent-conversations.ts';
import {type ConversationRow, conversationLine, conversationRow, hasSnippets} from './conversation-row.ts';
import {shownPresences} from './direct-presence.ts';
import {RowCache} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import type {ListState, Split} from './list-state.ts';
import {withSpaceBelow} from './spaced.ts';
import {splitTabs} from './split-tabs.ts';

/** What the rows of recent conversations are made of. */
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
    account.drafts,
    account.localDrafts,
    shownPresences(frame),
    minute,
    hasSnippets(frame),
  ];
}

const keeper = new RowCache<ConversationRow>();

/** The conversations of late, newest first. */
export const recentList: ListSource<ConversationRow> = {
  rows: memoByFrame(
    (frame) => [
      ...recentInputs(frame),
      frame.screen.lists.recent.split,
      frame.screen.lists.recent.topicFilter,
    ],
    (frame) => keeper.reuse(splitRecent(frame).map((row) => conversationRow(frame, row))),
  ),
  line: conversationLine,
  headLines: (frame, columns) =>
    withSpaceBelow(frame, [
      splitTabs(frame, frame.screen.lists.recent, columns, {close: ['directs', 'followed']}),
    ]),
  emptyText: ({screen}) =>
    screen.lists.recent.split === 'all'
      ? 'No conversations yet. c begins a topic, x writes to somebody.'
      : 'No such conversations of late. 1 shows all.',
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

/** Whether a conversation is in the split of a list and within its reach. */
export function isInSplit(
  row: Pick<RecentRow, 'conversation' | 'hasMention' | 'isMuted' | 'isFollowed'>,
  {split, topicFilter: reach}: Pick<ListState, 'split' | 'topicFilter'>,
): boolean {
  if (reach === 'followed' && row.conversation.kind === 'topic' && !row.isFollowed) return false;
  switch (split) {
    case 'all':
      return true;
    case 'mentions':
      return row.hasMention;
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

import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {
  type RecentFilter,
  type RecentRow,
  recentConversations,
} from '#state/selectors/lists/recent-conversations.ts';
import {hasSnippets, type WideRow, wideLine, wideRow} from './conversation-row.ts';
import {shownPresences} from './direct-presence.ts';
import {RowKeeper} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import type {ListState, Split} from './list-state.ts';
import {spaced} from './spaced.ts';
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

const keeper = new RowKeeper<WideRow>();

/** The conversations of late, newest first. */
export const recentList: ListSource<WideRow> = {
  rows: memoByFrame(
    (frame) => [...recentInputs(frame), frame.screen.lists.recent.split, frame.screen.lists.recent.reach],
    (frame) => keeper.kept(splitRecent(frame).map((row) => wideRow(frame, row))),
  ),
  line: wideLine,
  head: (frame, columns) =>
    spaced(frame, [splitTabs(frame, frame.screen.lists.recent, columns, {close: ['directs', 'followed']})]),
  empty: ({screen}) =>
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
  const unmuted = list.split !== 'muted' && list.reach !== 'all';
  return recentConversations(account, {...filters[list.split], ...(unmuted && {unmuted})}).filter((row) =>
    belongs(row, list),
  );
}

/** Whether a conversation is in the split of a list and within its reach. */
export function belongs(
  row: Pick<RecentRow, 'conversation' | 'hasMention' | 'isMuted' | 'isFollowed'>,
  {split, reach}: Pick<ListState, 'split' | 'reach'>,
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

import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {messagesView, shownConversation, type View, viewChannelId, viewKey} from '#app/core/view.ts';
import {inboxContents} from '#app/inbox/triage-rows.ts';

import {conversationKey} from '#state/model/conversation.ts';
import {narrowIs} from '#state/model/narrow.ts';
import {type ChannelSection, channelSections, type SidebarChannel} from '#state/selectors/lists/channel-sections.ts';
import {draftConversations, draftCount} from '#state/selectors/lists/draft-conversations.ts';
import {type RecentRow, recentConversations} from '#state/selectors/lists/recent-conversations.ts';
import {channelUnreads, unreadCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {ChannelCounts} from '#state/selectors/unreads/unread-tally.ts';
import type {AccountState} from '#state/state.ts';
import {directPresence, shownPresences} from './direct-presence.ts';
import {RowCache} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {emptyNavigationRow, type NavigationRow, navigationLine, spaceRow, titleRow} from './navigation-row.ts';

/** The sidebar: views, the latest direct conversations, and the subscribed channels. */
export const channelList: ListSource<NavigationRow> = {
  rows: memoByFrame(
    (frame) => {
      const {account, minute, screen} = frame;
      return [
        account.unreads,
        account.channels,
        account.subscriptions,
        account.folders,
        account.settings,
        account.userTopics,
        account.mutedUsers,
        account.users,
        account.messages,
        account.directs,
        account.starred,
        account.drafts,
        account.localDrafts,
        account.realm,
        shownPresences(frame),
        minute,
        inboxContents(frame).counts.all,
        screen.size.rows >= spacedFromRows,
      ];
    },
    (frame) => rowCache.reuse(channelRows(frame)),
  ),
  line: navigationLine,
  shownRowKey: ({screen}) => rowKeyOfView(screen.view),
  emptyText: () => 'No channels yet. g c browses all channels.',
};

const rowCache = new RowCache<NavigationRow>();
/** From this height on there is a blank line between groups. */
const spacedFromRows = 30;
/** Number of direct conversations that are always shown, and the limit for those with unread messages. */
const minDirects = 5;
const maxDirects = 9;

function channelRows(frame: Frame): readonly NavigationRow[] {
  const {account, screen} = frame;
  const groups = [
    viewRows(frame),
    directRows(frame),
    ...channelSections(account).map((section) => sectionRows(account, section)),
  ];
  const isSpaced = screen.size.rows >= spacedFromRows;
  return groups.flatMap((rows, at) => {
    const [first] = rows;
    return at > 0 && isSpaced && first !== undefined ? [spaceRow(first.key), ...rows] : rows;
  });
}

function viewRow(label: string, view: View, fields: Partial<NavigationRow> = {}): NavigationRow {
  return {
    ...emptyNavigationRow,
    key: `view ${viewKey(view)}`,
    label,
    target: {kind: 'view', view},
    ...fields,
  };
}

function viewRows(frame: Frame): readonly NavigationRow[] {
  const {account} = frame;
  const {mentions} = unreadCounts(account);
  return [
    viewRow('Inbox', {kind: 'inbox'}, {count: inboxContents(frame).counts.all}),
    viewRow('Recent', {kind: 'recent'}),
    viewRow('Mentions', messagesView(narrowIs('mentioned')), {count: mentions, mentions}),
    viewRow('Starred', messagesView(narrowIs('starred')), {count: account.starred.size, isQuiet: true}),
    viewRow(
      'Drafts',
      {kind: 'drafts', tab: 'drafts'},
      {
        count: draftCount(account),
        isQuiet: true,
      },
    ),
  ];
}

/** Returns the direct conversations: those with unread messages first, the others by their last message. */
function directRows(frame: Frame): readonly NavigationRow[] {
  const {account} = frame;
  const unread = recentConversations(account, {kind: 'direct', unread: true, unmuted: true}, maxDirects);
  const recent = recentConversations(account, {kind: 'direct', unmuted: true}, maxDirects + 1);
  const isUnread = new Set(unread.map(({key}) => key));
  const others = recent.filter(({key}) => !isUnread.has(key));
  const shown = [...unread, ...others.slice(0, Math.max(0, minDirects - unread.length))];
  if (shown.length === 0) return [];
  const {directs} = unreadCounts(account);
  const more = viewRow(
    'all conversations',
    {kind: 'directs'},
    {group: 'directs', isMuted: true, presence: noPresence(frame)},
  );
  return [
    titleRow('directs', 'Direct messages', directs),
    ...shown.map((row) => directRow(frame, row)),
    ...(recent.length > shown.length || unread.length === maxDirects ? [more] : []),
  ];
}

/** Returns the presence that aligns the name with those above it. */
function noPresence({account}: Frame): NavigationRow['presence'] {
  return account.realm.presenceDisabled === true ? undefined : 'unknown';
}

function directRow(frame: Frame, {key, title, conversation, unreadCount, hasMention}: RecentRow): NavigationRow {
  return {
    ...emptyNavigationRow,
    key,
    label: title,
    group: 'directs',
    target: {kind: 'conversation', conversation},
    count: unreadCount,
    mentions: hasMention ? 1 : 0,
    hasDraft: draftConversations(frame.account).has(key),
    presence: directPresence(frame, conversation),
  };
}

const cachedRows = new WeakMap<SidebarChannel, {counts: ChannelCounts; group: string; row: NavigationRow}>();

/**
 * Returns the same object while the channel and its counts are the same: there are hundreds, and one message
 * changes one.
 */
function channelRow(channel: SidebarChannel, group: string, counts: ChannelCounts): NavigationRow {
  const known = cachedRows.get(channel);
  if (known?.counts === counts && known.group === group) return known.row;
  const {channelId, name, isMuted} = channel;
  const {unmuted, muted, mentions} = counts;
  const row: NavigationRow = {
    ...emptyNavigationRow,
    key: `channel ${channelId}`,
    label: `#${name}`,
    group,
    target: {kind: 'channel', channelId},
    count: isMuted && unmuted === 0 ? muted : unmuted,
    mentions,
    isOneConversation: false,
    isMuted,
    isQuiet: unmuted === 0,
  };
  cachedRows.set(channel, {counts, group, row});
  return row;
}

function sectionRows(account: AccountState, {id, title, channels}: ChannelSection): readonly NavigationRow[] {
  const rows = channels.map((channel) => channelRow(channel, id, channelUnreads(account, channel.channelId)));
  const sum = (pick: (row: NavigationRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const unmutedCount = sum((row) => (row.isQuiet ? 0 : row.count));
  return [
    {
      ...titleRow(
        id,
        title,
        unmutedCount,
        sum((row) => row.mentions),
      ),
      isOneConversation: false,
    },
    ...rows,
  ];
}

/** Returns the key of the row of a view. */
function rowKeyOfView(view: View): string {
  const channelId = viewChannelId(view);
  if (channelId !== undefined) return `channel ${channelId}`;
  const conversation = shownConversation({view});
  if (conversation !== undefined) return conversationKey(conversation);
  return `view ${viewKey(view.kind === 'triage' ? {kind: 'inbox'} : view)}`;
}

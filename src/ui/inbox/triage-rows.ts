import {type Conversation, channelIdOf, conversationKey} from '#state/model/conversation.ts';
import {inbox} from '#state/selectors/inbox/inbox.ts';
import type {InboxSort} from '#state/selectors/inbox/inbox-groups.ts';
import {type InboxGroupId, inboxGroupIds} from '#state/selectors/inbox/inbox-index.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {IncrementalMapper, memoByObject} from '#std/memo.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {channelPart} from '#ui/format/conversation-name.ts';
import type {Split} from '#ui/lists/list-state.ts';
import type {InboxOrder} from './inbox-order.ts';
import type {ArrangedGroup, ArrangedRow} from './row-positioner.ts';
import {
  isSortedByChannel,
  type RemovalReason,
  type RowBasis,
  removalReasonOf,
  rowBasis,
  type TriageHeading,
  type TriageItem,
  type TriageRow,
  type TriageTitle,
  triageItem,
  type UnreadMessages,
} from './triage-row.ts';

const groupsOf: Readonly<Record<Split, readonly InboxGroupId[]>> = {
  all: ['mentions', 'direct', 'followed', 'pinned', 'channels', 'muted'],
  mentions: ['mentions'],
  directs: ['direct'],
  followed: ['followed'],
  channels: ['pinned', 'channels'],
  muted: ['muted'],
};

/** Returns the order with all rows of a frame. After `prepareScreen` this is the order of its screen. */
export function inboxOrder({account, screen}: Frame): InboxOrder {
  const {order, isOrderFrozen, positionedCursor} = screen.inbox;
  const {cursor} = screen.lists.inbox;
  return order.withInbox(inbox(account), isOrderFrozen, cursor, cursor === positionedCursor);
}

/** Returns the screen whose order has all rows of the frame: from then on they keep their positions. */
export function withPositionedRows(frame: Frame): ScreenState {
  const {screen} = frame;
  const {cursor} = screen.lists.inbox;
  const order = inboxOrder(frame);
  const isSame = order === screen.inbox.order && cursor === screen.inbox.positionedCursor;
  return isSame ? screen : {...screen, inbox: {...screen.inbox, order, positionedCursor: cursor}};
}

/** Returns why the row under the cursor is no longer unread. */
function removalReason(frame: Frame): RemovalReason | undefined {
  const {removedRow} = inboxOrder(frame);
  return removedRow && removalReasonOf(frame.account, removedRow.row);
}

/** A key reads three versions: the painted frame, the frame after its action, and the one after moving the cursor. */
const maxVersions = 3;

/** Returns the contents of the inbox: every group with its rows, and the counts. */
export const inboxContents = memoByFrame(
  (frame) => [inboxOrder(frame), rowBasis(frame), removalReason(frame)],
  (frame) => {
    const [order, basis, reason] = [inboxOrder(frame), rowBasis(frame), removalReason(frame)];
    const groups = new Map(order.arrangedGroups.map((group) => [group.id, itemsOf(group, basis, reason)]));
    const totalOf = (ids: readonly InboxGroupId[]) => totalCounts(ids.map((id) => countsOf(groups.get(id) ?? [])));
    return {
      groups,
      /** What is unread in each tab, without snoozed conversations. */
      totals: {
        all: totalOf(groupsOf.all.filter((id) => id !== 'muted')),
        mentions: totalOf(groupsOf.mentions),
        directs: totalOf(groupsOf.directs),
        followed: totalOf(groupsOf.followed),
        channels: totalOf(groupsOf.channels),
        muted: totalOf(groupsOf.muted),
      },
    };
  },
  maxVersions,
);

/** Of muted conversations outside their group, only the messages that mention the user are counted. */
interface GroupCounts extends UnreadMessages {
  readonly conversations: number;
}

/**
 * Counts conversations and messages, without a row that is no longer unread. An unchanged group is not counted again.
 */
const countsOf = memoByObject((items: readonly TriageItem[]): GroupCounts => {
  let [conversations, count, mentions] = [0, 0, 0];
  for (const item of items) {
    if (item.isRemoved) continue;
    conversations += 1;
    count += item.isMuted && item.inboxGroup !== 'muted' ? item.mentions : item.count;
    mentions += item.mentions;
  }
  return {conversations, count, mentions};
});

function totalCounts(all: readonly GroupCounts[]): GroupCounts {
  const sum = (pick: (one: GroupCounts) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {
    conversations: sum((one) => one.conversations),
    count: sum((one) => one.count),
    mentions: sum((one) => one.mentions),
  };
}

const itemMappers = new Map(inboxGroupIds.map((id) => [id, new IncrementalMapper<ArrangedRow, TriageItem>()]));

function itemsOf({id, rows}: ArrangedGroup, basis: RowBasis, reason: RemovalReason | undefined): readonly TriageItem[] {
  const {snoozeStates} = basis;
  const shown = snoozeStates.size === 0 ? rows : rows.filter(({row}) => snoozeStates.get(row.key) !== 'hidden');
  const items = itemMappers.get(id)?.map(shown, (row) => triageItem(row, basis), basis) ?? [];
  const removedAt = reason === undefined ? -1 : items.findIndex(({isRemoved}) => isRemoved);
  const removed = items[removedAt];
  return removed === undefined ? items : items.with(removedAt, {...removed, removalReason: reason});
}

/** The rows of the list: those of its tab and topic filter, under the titles of their groups. */
export const triageRows = memoByFrame(
  (frame) => [inboxContents(frame), frame.screen.lists.inbox.split, frame.screen.lists.inbox.topicFilter],
  (frame): readonly TriageRow[] => {
    const {split, topicFilter} = frame.screen.lists.inbox;
    const {groups} = inboxContents(frame);
    const {sort} = inboxOrder(frame);
    const itemsIn = (ids: readonly InboxGroupId[]) => {
      const all = ids.flatMap((id) => groups.get(id) ?? []);
      return topicFilter === 'followed' ? all.filter(isPersonal) : all;
    };
    const listed = sort === 'priority' ? groupsOf[split] : groupsOf[split].filter((id) => id === 'muted');
    const merged = itemsIn(groupsOf[split].filter((id) => !listed.includes(id))).sort((a, b) => a.at - b.at);
    const parts: (TriageRow | readonly TriageRow[])[] = [];
    if (merged.length > 0) {
      const title = titleOf(undefined, splitNames[split], countsOf(merged), [sortNames[sort]]);
      parts.push(title, withHeadings(merged.map(ungroupedItem)));
    }
    for (const id of listed) {
      const items = itemsIn([id]);
      if (items.length === 0) continue;
      // A group that the user asked for is not folded.
      const isOpen = id === 'muted' && (split === 'muted' || topicFilter === 'all');
      const within = isSortedByChannel(sort, id) ? sortNames.channel : sortNames[sort === 'priority' ? 'newest' : sort];
      const isNamed = parts.length === 0 && split === 'all' && sort === 'priority';
      const orders = isNamed ? [sortNames.priority, within] : [within];
      const title = titleOf(id, titles[id], countsOf(items), orders, isOpen);
      parts.push(title, withHeadings(isOpen ? items.map(openItem) : items));
    }
    // One array of the right size: every key makes a few, with thousands of rows.
    const none: TriageRow[] = [];
    return none.concat(...parts);
  },
  maxVersions,
);

/** The names of the orders in titles. */
const sortNames: Readonly<Record<InboxSort, string>> = {
  priority: 'by priority',
  newest: 'newest first',
  oldest: 'oldest first',
  channel: 'by channel',
};

/** Whether a conversation concerns the user: mentions, alert words, direct messages, followed topics. */
function isPersonal({conversation, isFollowed, mentions, hasAlertWord, isMuted}: TriageItem): boolean {
  return conversation.kind === 'direct' || isFollowed || mentions > 0 || (hasAlertWord && !isMuted);
}

const titles: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'Mentions',
  direct: 'Direct',
  followed: 'Followed',
  pinned: 'Pinned',
  channels: 'Channels',
  muted: 'Muted',
};

/** The titles of the tabs whose groups are one list. */
const splitNames: Readonly<Record<Split, string>> = {
  all: 'All',
  mentions: titles.mentions,
  directs: titles.direct,
  followed: titles.followed,
  channels: titles.channels,
  muted: titles.muted,
};

const cachedTitles = new Map<string, TriageTitle>();

/** Returns the same object for the same text. */
function titleOf(
  id: InboxGroupId | undefined,
  label: string,
  {count, mentions}: UnreadMessages,
  orders: readonly string[],
  isOpen = false,
): TriageTitle {
  const group = isOpen ? `${id} open` : id;
  const key = `title ${group ?? label}`;
  const cached = cachedTitles.get(key);
  const unreads = {count, mentions};
  if (cached !== undefined && deepEqual([cached.unreads, cached.orders], [unreads, orders])) return cached;
  const title: TriageTitle = {key, kind: 'title', label, group, inboxGroup: id, unreads, orders};
  cachedTitles.set(key, title);
  return title;
}

/** Adds a heading above each run of rows in one channel, or of direct messages. */
function withHeadings(items: readonly TriageItem[]): readonly TriageRow[] {
  if (items[0]?.isUnderHeading !== true) return items;
  const rows: TriageRow[] = [];
  for (const [at, item] of items.entries()) {
    const above = items[at - 1];
    if (above === undefined || channelIdOf(above.conversation) !== channelIdOf(item.conversation))
      rows.push(headingOf(item));
    rows.push(item);
  }
  return rows;
}

/** Returns the heading above an item; the same object while its content is the same. */
function headingOf({conversation, label, group, inboxGroup}: TriageItem): TriageHeading {
  const text = channelIdOf(conversation) === undefined ? 'Direct messages' : channelPart(label);
  return headingAbove(conversation, text, group, inboxGroup);
}

const headingAbove = memoByObject(
  (conversation: Conversation, label: string, group: string | undefined, inboxGroup: InboxGroupId): TriageHeading => {
    const channelId = channelIdOf(conversation);
    const target = channelId === undefined ? undefined : ({kind: 'channel', channelId} as const);
    return {key: `heading ${conversationKey(conversation)}`, kind: 'heading', label, group, inboxGroup, target};
  },
);

const ungroupedItem = memoByObject((item: TriageItem): TriageItem => ({...item, group: undefined}));
const openItem = memoByObject((item: TriageItem): TriageItem => ({...item, group: `${item.inboxGroup} open`}));

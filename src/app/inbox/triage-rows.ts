import type {Frame} from '#app/frame.ts';
import {memoByFrame} from '#app/frame-memo.ts';
import type {Split} from '#app/lists/list-state.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {inboxGroups, inboxRow} from '#state/selectors/inbox.ts';
import {type InboxGroupId, inboxGroupIds} from '#state/selectors/inbox-index.ts';
import {MappedList} from '#std/memo.ts';
import {isPutOff} from './later.ts';
import type {ArrangedGroup, ArrangedRow} from './order.ts';
import {type TriageItem, type TriageRow, type TriageTitle, triageItem} from './triage-row.ts';

/** All that waits, in the order that lasts, whatever part of it is shown. */
export interface Waiting {
  readonly groups: ReadonlyMap<InboxGroupId, readonly TriageItem[]>;
  /** Conversations, by the splits; without what is put off. */
  readonly counts: Readonly<Record<Split, number>>;
  /** Unread messages of all but the muted. */
  readonly messages: number;
}

const groupsOf: Readonly<Record<Split, readonly InboxGroupId[]>> = {
  all: ['mentions', 'direct', 'followed', 'pinned', 'channels', 'muted'],
  mentions: ['mentions'],
  directs: ['direct'],
  followed: ['followed'],
  channels: ['pinned', 'channels'],
  muted: ['muted'],
};

export const waiting = memoByFrame(
  ({account, screen, minute}) => [
    inboxGroups(account),
    screen.inbox.order,
    screen.inbox.laters,
    heldKey({account, screen}),
    screen.inbox.isSettled,
    account.users,
    account.mutedUsers,
    minute,
  ],
  (frame): Waiting => {
    const {account, screen} = frame;
    const {order, isSettled} = screen.inbox;
    const arranged = order.arranged(inboxGroups(account), isSettled, heldKey(frame));
    const groups = new Map(arranged.map((group) => [group.id, itemsOf(frame, group)]));
    const sizeOf = (ids: readonly InboxGroupId[]) =>
      ids.reduce((sum, id) => sum + stillUnread(groups.get(id) ?? []), 0);
    const heard = groupsOf.all.filter((id) => id !== 'muted');
    return {
      groups,
      counts: {
        all: sizeOf(heard),
        mentions: sizeOf(groupsOf.mentions),
        directs: sizeOf(groupsOf.directs),
        followed: sizeOf(groupsOf.followed),
        channels: sizeOf(groupsOf.channels),
        muted: sizeOf(groupsOf.muted),
      },
      messages: heard.reduce((sum, id) => sum + messagesIn(groups.get(id) ?? []), 0),
    };
  },
);

/** Without one that was read elsewhere and is only still in sight. */
function stillUnread(items: readonly TriageItem[]): number {
  return items.length - (items.some(({isGone}) => isGone) ? 1 : 0);
}

function messagesIn(items: readonly TriageItem[]): number {
  return items.reduce((sum, {count, isGone}) => sum + (isGone ? 0 : count), 0);
}

/** The row under the cursor stays there when it is read or muted elsewhere: what one sees is what one acts on. */
function heldKey({account, screen}: Pick<Frame, 'account' | 'screen'>): ConversationKey | undefined {
  const {cursor} = screen.lists.inbox;
  if (cursor === undefined) return undefined;
  return screen.inbox.order.isLeaving(cursor, inboxRow(account, cursor)) ? cursor : undefined;
}

const mapped = new Map(inboxGroupIds.map((id) => [id, new MappedList<ArrangedRow, TriageItem>()]));

function itemsOf(frame: Frame, {id, rows}: ArrangedGroup): readonly TriageItem[] {
  const {account, screen, minute} = frame;
  const {laters} = screen.inbox;
  const isAnyLater = laters.size > 0;
  const shown = isAnyLater ? rows.filter((row) => !isHidden(frame, row)) : rows;
  const basis = [minute, account.users, account.mutedUsers, laters, isAnyLater ? account.unreads : undefined];
  return mapped.get(id)?.of(shown, (row) => triageItem(frame, row, id), ...basis) ?? [];
}

function isHidden({account, screen, minute}: Frame, {row}: ArrangedRow): boolean {
  const later = screen.inbox.laters.get(row.key);
  return later !== undefined && isPutOff(account.unreads, later, minute);
}

/** The rows of the list: those of its split and within its reach, under the titles of their groups. */
export const triageRows = memoByFrame(
  (frame) => [waiting(frame), frame.screen.lists.inbox.split, frame.screen.lists.inbox.reach],
  (frame): readonly TriageRow[] => {
    const {split, reach} = frame.screen.lists.inbox;
    const {groups} = waiting(frame);
    return groupsOf[split].flatMap((id) => {
      const items = (groups.get(id) ?? []).filter((item) => reach !== 'followed' || isClose(item));
      // What somebody asks for is not folded away.
      const isOpen = id === 'muted' && (split === 'muted' || reach === 'all');
      return items.length === 0
        ? []
        : [titleOf(id, items.length, isOpen), ...(isOpen ? opened(items) : items)];
    });
  },
);

function isClose({conversation, isFollowed, hasMention}: TriageItem): boolean {
  return conversation.kind === 'direct' || isFollowed || hasMention;
}

const titles: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'Mentions',
  direct: 'Direct',
  followed: 'Followed',
  pinned: 'Pinned',
  channels: 'Channels',
  muted: 'Muted',
};

const knownTitles = new Map<string, TriageTitle>();

/** The same object for the same words. */
function titleOf(id: InboxGroupId, count: number, isOpen: boolean): TriageTitle {
  const group = isOpen ? `${id} open` : id;
  const known = knownTitles.get(group);
  if (known?.count === count) return known;
  const title: TriageTitle = {
    key: `title ${group}`,
    kind: 'title',
    label: titles[id],
    group,
    inGroup: id,
    count,
  };
  knownTitles.set(group, title);
  return title;
}

const openItems = new WeakMap<TriageItem, TriageItem>();

function opened(items: readonly TriageItem[]): readonly TriageItem[] {
  return items.map((item) => {
    const known = openItems.get(item) ?? {...item, group: `${item.inGroup} open`};
    openItems.set(item, known);
    return known;
  });
}

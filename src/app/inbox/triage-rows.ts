import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {isSnoozed} from '#app/inbox/snooze/snooze.ts';
import type {Split} from '#app/lists/list-state.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {inboxGroups, inboxRow} from '#state/selectors/inbox/inbox.ts';
import {type InboxGroupId, inboxGroupIds} from '#state/selectors/inbox/inbox-index.ts';
import {IncrementalMapper} from '#std/memo.ts';
import type {ArrangedGroup, ArrangedRow} from './arranged-row.ts';
import {type TriageItem, type TriageRow, type TriageTitle, triageItem} from './triage-row.ts';

/** All that waits, in the order that lasts, whatever part of it is shown. */
export interface InboxContents {
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

export const inboxContents = memoByFrame(
  ({account, screen, minute}) => [
    inboxGroups(account),
    screen.inbox.order,
    screen.inbox.snoozes,
    pinnedKey({account, screen}),
    screen.inbox.isOrderSettled,
    account.users,
    account.mutedUsers,
    minute,
  ],
  (frame): InboxContents => {
    const {account, screen} = frame;
    const {order, isOrderSettled: isSettled} = screen.inbox;
    const arranged = order.arrangedGroups(inboxGroups(account), isSettled, pinnedKey(frame));
    const groups = new Map(arranged.map((group) => [group.id, itemsOf(frame, group)]));
    const sumOf = (ids: readonly InboxGroupId[]) => summed(ids.map((id) => sumsOf(groups.get(id) ?? [])));
    const heard = sumOf(groupsOf.all.filter((id) => id !== 'muted'));
    return {
      groups,
      counts: {
        all: heard.conversations,
        mentions: sumOf(groupsOf.mentions).conversations,
        directs: sumOf(groupsOf.directs).conversations,
        followed: sumOf(groupsOf.followed).conversations,
        channels: sumOf(groupsOf.channels).conversations,
        muted: sumOf(groupsOf.muted).conversations,
      },
      messages: heard.messages,
    };
  },
);

interface GroupCounts {
  readonly conversations: number;
  readonly messages: number;
}

const knownSums = new WeakMap<readonly TriageItem[], GroupCounts>();

/** Without one that no longer waits and is only still in sight. A group that has not changed is not counted again. */
function sumsOf(items: readonly TriageItem[]): GroupCounts {
  const known = knownSums.get(items);
  if (known !== undefined) return known;
  let [conversations, messages] = [0, 0];
  for (const {isRemoved: isGone, count} of items) {
    if (isGone) continue;
    conversations += 1;
    messages += count;
  }
  knownSums.set(items, {conversations, messages});
  return {conversations, messages};
}

function summed(all: readonly GroupCounts[]): GroupCounts {
  const sum = (pick: (one: GroupCounts) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {conversations: sum((one) => one.conversations), messages: sum((one) => one.messages)};
}

/** The row under the cursor stays there when it is read or muted elsewhere: what one sees is what one acts on. */
function pinnedKey({account, screen}: Pick<Frame, 'account' | 'screen'>): ConversationKey | undefined {
  const {cursor} = screen.lists.inbox;
  if (cursor === undefined) return undefined;
  return screen.inbox.order.isLeaving(cursor, inboxRow(account, cursor)) ? cursor : undefined;
}

const mapped = new Map(inboxGroupIds.map((id) => [id, new IncrementalMapper<ArrangedRow, TriageItem>()]));

function itemsOf(frame: Frame, {id, rows}: ArrangedGroup): readonly TriageItem[] {
  const {account, screen, minute} = frame;
  const {snoozes: laters} = screen.inbox;
  const isAnyLater = laters.size > 0;
  const shown = isAnyLater ? rows.filter((row) => !isHidden(frame, row)) : rows;
  const basis = [minute, account.users, account.mutedUsers, laters, isAnyLater ? account.unreads : undefined];
  return mapped.get(id)?.map(shown, (row) => triageItem(frame, row, id), ...basis) ?? [];
}

function isHidden({account, screen, minute}: Frame, {row}: ArrangedRow): boolean {
  const later = screen.inbox.snoozes.get(row.key);
  return later !== undefined && isSnoozed(account.unreads, later, minute);
}

/** The rows of the list: those of its split and within its reach, under the titles of their groups. */
export const triageRows = memoByFrame(
  (frame) => [inboxContents(frame), frame.screen.lists.inbox.split, frame.screen.lists.inbox.topicFilter],
  (frame): readonly TriageRow[] => {
    const {split, topicFilter: reach} = frame.screen.lists.inbox;
    const {groups} = inboxContents(frame);
    return groupsOf[split].flatMap((id) => {
      const all = groups.get(id) ?? [];
      const items = reach === 'followed' ? all.filter(isClose) : all;
      // What somebody asks for is not folded away.
      const isOpen = id === 'muted' && (split === 'muted' || reach === 'all');
      return items.length === 0
        ? []
        : [titleOf(id, sumsOf(items).conversations, isOpen), ...(isOpen ? opened(items) : items)];
    });
  },
);

/** What is for one person: mentions and alert words, direct messages, followed topics. */
function isClose({conversation, isFollowed, hasMention, hasAlertWord, isMuted}: TriageItem): boolean {
  return conversation.kind === 'direct' || isFollowed || hasMention || (hasAlertWord && !isMuted);
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
    inboxGroup: id,
    count,
  };
  knownTitles.set(group, title);
  return title;
}

const openItems = new WeakMap<TriageItem, TriageItem>();

function opened(items: readonly TriageItem[]): readonly TriageItem[] {
  return items.map((item) => {
    const known = openItems.get(item) ?? {...item, group: `${item.inboxGroup} open`};
    openItems.set(item, known);
    return known;
  });
}

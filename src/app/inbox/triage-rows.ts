import type {Frame} from '#app/core/frame.ts';
import {memoByFrame} from '#app/core/memo-by-frame.ts';
import type {ScreenState} from '#app/core/screen-state.ts';
import type {Split} from '#app/lists/list-state.ts';
import {inbox} from '#state/selectors/inbox/inbox.ts';
import {type InboxGroupId, inboxGroupIds} from '#state/selectors/inbox/inbox-index.ts';
import {IncrementalMapper} from '#std/memo.ts';
import type {ArrangedGroup, ArrangedRow} from './arranged-row.ts';
import type {InboxOrder} from './inbox-order.ts';
import {type RemovalReason, removalReasonOf} from './removal-reason.ts';
import {
  type RowBasis,
  rowBasis,
  type TriageItem,
  type TriageRow,
  type TriageTitle,
  triageItem,
} from './triage-row.ts';

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

/** Returns the order with all rows of a frame in it: that of its screen, once the rows were settled before a picture. */
export function inboxOrder({account, screen}: Frame): InboxOrder {
  const {order, isOrderSettled: isSettled, settledAt} = screen.inbox;
  const {cursor} = screen.lists.inbox;
  return order.with(inbox(account), isSettled, cursor, cursor === settledAt);
}

/** Returns the screen with all rows of the frame in its order: from there on they keep their places. */
export function withPositionedRows(frame: Frame): ScreenState {
  const {screen} = frame;
  const {cursor} = screen.lists.inbox;
  const order = inboxOrder(frame);
  const isSame = order === screen.inbox.order && cursor === screen.inbox.settledAt;
  return isSame ? screen : {...screen, inbox: {...screen.inbox, order, settledAt: cursor}};
}

/** Why the row under the cursor is no longer unread. */
function goneReason(frame: Frame): RemovalReason | undefined {
  const {gone} = inboxOrder(frame);
  return gone && removalReasonOf(frame.account, gone.row);
}

/** A key asks about the last picture, about what it did, and about where the cursor goes then. */
const mostAsked = 3;

export const inboxContents = memoByFrame(
  (frame) => [inboxOrder(frame), rowBasis(frame), goneReason(frame)],
  (frame): InboxContents => {
    const [order, basis, reason] = [inboxOrder(frame), rowBasis(frame), goneReason(frame)];
    const groups = new Map(order.arrangedGroups.map((group) => [group.id, itemsOf(group, basis, reason)]));
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
  mostAsked,
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

const mapped = new Map(inboxGroupIds.map((id) => [id, new IncrementalMapper<ArrangedRow, TriageItem>()]));

function itemsOf(
  {id, rows}: ArrangedGroup,
  basis: RowBasis,
  reason: RemovalReason | undefined,
): readonly TriageItem[] {
  const {laters} = basis;
  const shown = laters.size === 0 ? rows : rows.filter(({row}) => laters.get(row.key) !== 'hidden');
  const items = mapped.get(id)?.map(shown, (row) => triageItem(row, basis), basis) ?? [];
  const goneAt = reason === undefined ? -1 : items.findIndex(({isRemoved: isGone}) => isGone);
  const gone = items[goneAt];
  return gone === undefined ? items : items.with(goneAt, {...gone, removalReason: reason});
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
  mostAsked,
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

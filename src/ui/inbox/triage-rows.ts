import {type Conversation, channelIdOf, conversationKey} from '#state/model/conversation.ts';
import {
  type InboxGroupId,
  type InboxSort,
  inbox,
  inboxGroupIds,
  isSortedByChannel,
} from '#state/selectors/inbox/inbox.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {IncrementalMapper, memoByObject} from '#std/memo.ts';
import {
  type Frame,
  frameOwner,
  keyInOrganization,
  memoByFrame,
  type Organization,
  organizationFrames,
} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {channelPart, conversationColor} from '#ui/format/conversation-name.ts';
import {mergedByTime} from '#ui/lists/list-source.ts';
import type {Split} from '#ui/lists/list-state.ts';
import type {ArrangedGroup, InboxOrder} from './inbox-order.ts';
import type {TriageLogEntry} from './inbox-state.ts';
import type {ArrangedRow} from './row-positioner.ts';
import {
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
export const inboxOrder = memoByFrame(
  ({account, screen}) => [
    screen.inbox.order,
    inbox(account),
    screen.inbox.isOrderFrozen,
    screen.lists.inbox.cursor,
    screen.lists.inbox.cursor === screen.inbox.positionedCursor,
  ],
  ({account, screen}): InboxOrder => {
    const {order, isOrderFrozen, positionedCursor} = screen.inbox;
    const {cursor} = screen.lists.inbox;
    return order.withInbox(inbox(account), isOrderFrozen, cursor, cursor === positionedCursor);
  },
);

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
  const reason = removedRow && removalReasonOf(frame.account, removedRow.row);
  // With two panes the inbox stays on the screen while a conversation is read beside it.
  return reason === 'read' && frame.screen.otherPane !== undefined ? 'readInPane' : reason;
}

/** A key reads three versions: the painted frame, the frame after its action, and the one after moving the cursor. */
const maxVersions = 3;

/** Returns the contents of the inbox: every group with its rows, and the counts. */
export const inboxContents = memoByFrame(
  (frame) => [inboxOrder(frame), rowBasis(frame), removalReason(frame)],
  (frame) => {
    const order = inboxOrder(frame);
    const basis = rowBasis(frame);
    const reason = removalReason(frame);
    const {mappers} = lastInbox(frameOwner(frame));
    const groups = new Map(order.arrangedGroups.map((group) => [group.id, itemsOf(group, basis, reason, mappers)]));
    const totalOf = (ids: readonly InboxGroupId[]) => totalCounts(ids.map((id) => countsOf(groups.get(id) ?? [])));
    return {
      groups,
      /** What is unread in each tab, without snoozed conversations. */
      totals: bySplit((split) => totalOf(groupsOf[split].filter((id) => id !== 'muted' || split === 'muted'))),
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

function bySplit<T>(makeFor: (split: Split) => T): Readonly<Record<Split, T>> {
  return {
    all: makeFor('all'),
    mentions: makeFor('mentions'),
    directs: makeFor('directs'),
    followed: makeFor('followed'),
    channels: makeFor('channels'),
    muted: makeFor('muted'),
  };
}

function totalCounts(all: readonly GroupCounts[]): GroupCounts {
  const sum = (pick: (one: GroupCounts) => number) => all.reduce((total, one) => total + pick(one), 0);
  return {
    conversations: sum((one) => one.conversations),
    count: sum((one) => one.count),
    mentions: sum((one) => one.mentions),
  };
}

type ItemMappers = ReadonlyMap<InboxGroupId, IncrementalMapper<ArrangedRow, TriageItem>>;

/** What a screen showed last in its inbox: unchanged rows and titles stay the same objects. */
const lastInbox = memoByObject((_owner: object) => ({
  mappers: new Map(inboxGroupIds.map((id) => [id, new IncrementalMapper<ArrangedRow, TriageItem>()])) as ItemMappers,
  titles: new Map<string, TriageTitle>(),
}));

function itemsOf(
  {id, rows}: ArrangedGroup,
  basis: RowBasis,
  reason: RemovalReason | undefined,
  mappers: ItemMappers,
): readonly TriageItem[] {
  const {snoozeStates} = basis;
  const shown = snoozeStates.size === 0 ? rows : rows.filter(({row}) => snoozeStates.get(row.key) !== 'hidden');
  const items = mappers.get(id)?.map(shown, (row) => triageItem(row, basis), basis) ?? [];
  const removedAt = reason === undefined ? -1 : items.findIndex(({isRemoved}) => isRemoved);
  const removed = items[removedAt];
  return removed === undefined ? items : items.with(removedAt, {...removed, removalReason: reason});
}

/** The inbox of one organization, or the only one. */
interface InboxPart {
  readonly organization?: Organization | undefined;
  readonly contents: ReturnType<typeof inboxContents>;
}

function inboxParts(frame: Frame): readonly InboxPart[] {
  return organizationFrames(frame).map(({organization, frame: its}) => ({
    organization,
    contents: inboxContents(its),
  }));
}

/** Returns what was done in the inbox of every organization that the list shows, oldest first. */
export function inboxLog(frame: Frame): readonly TriageLogEntry[] {
  if (frame.organizations === undefined) return frame.screen.inbox.log;
  const entries = organizationFrames(frame).flatMap(({organization, frame: {screen}}) =>
    screen.inbox.log.map((entry) => ({
      ...entry,
      keys: entry.keys.map((key) => keyInOrganization(organization?.name ?? '', key)),
    })),
  );
  return entries.sort((a, b) => a.at - b.at);
}

/** Returns what is unread in each organization that the list shows. */
export function organizationTotals(frame: Frame) {
  return inboxParts(frame).map(({organization, contents: {totals}}) => ({organization, totals}));
}

/** Returns what is unread in each tab, in all organizations that the list shows. */
export const inboxTotals = memoByFrame(
  (frame) => [inboxContents(frame), frame.organizations],
  (frame) => {
    const parts = inboxParts(frame);
    return bySplit((split) => totalCounts(parts.map(({contents}) => contents.totals[split])));
  },
  maxVersions,
);

/** The rows of the list: those of its tab and topic filter, under the titles of their groups. */
export const triageRows = memoByFrame(
  (frame) => [
    inboxContents(frame),
    inboxOrder(frame),
    frame.screen.lists.inbox.split,
    frame.screen.lists.inbox.topicFilter,
    frame.organizations,
  ],
  (frame): readonly TriageRow[] => {
    const parts = inboxParts(frame);
    const isGrouped = frame.organizations?.arrangement === 'grouped';
    if (!isGrouped) return rowsOfParts(frame, parts);
    const rows = parts.map((part) => {
      const own = rowsOfParts(frame, [part]);
      return own.length === 0 ? own : [organizationHeading(part), ...own];
    });
    return rows.flat();
  },
  maxVersions,
);

/** Returns the rows of these inboxes as one list. */
function rowsOfParts(frame: Frame, inboxes: readonly InboxPart[]): readonly TriageRow[] {
  const {split, topicFilter} = frame.screen.lists.inbox;
  const {sort} = inboxOrder(frame);
  const itemsOfPart = ({organization, contents}: InboxPart, ids: readonly InboxGroupId[]) => {
    const all = ids.flatMap((id) => contents.groups.get(id) ?? []);
    const shown = topicFilter === 'followed' ? all.filter(isPersonal) : all;
    return organization === undefined ? shown : itemsIn(organization, shown);
  };
  const listed = sort === 'priority' ? groupsOf[split] : groupsOf[split].filter((id) => id === 'muted');
  const others = groupsOf[split].filter((id) => !listed.includes(id));
  const merged = mergedItems(
    inboxes.map((part) => itemsOfPart(part, others).toSorted((a, b) => a.at - b.at)),
    sort,
  );
  // The titles of one other organization lead there; those of several belong to the shown one.
  const owner = inboxes.length === 1 ? inboxes[0]?.organization : undefined;
  const parts: (TriageRow | readonly TriageRow[])[] = [];
  if (merged.length > 0) {
    const title = {inboxGroup: undefined, label: splitNames[split], orders: [sortNames[sort]]};
    parts.push(
      titleOf(frame, owner, title, countsOf(merged)),
      withHeadings(merged.map((item) => regrouped(item, undefined))),
    );
  }
  for (const id of listed) {
    const within = isSortedByChannel(sort, id) ? 'channel' : sort === 'priority' ? 'newest' : sort;
    const items = mergedItems(
      inboxes.map((part) => itemsOfPart(part, [id])),
      within,
    );
    if (items.length === 0) continue;
    // A group that the user asked for is not folded.
    const isOpen = id === 'muted' && (split === 'muted' || topicFilter === 'all');
    const isNamed = parts.length === 0 && split === 'all' && sort === 'priority';
    const orders = isNamed ? [sortNames.priority, sortNames[within]] : [sortNames[within]];
    const title = {inboxGroup: id, group: isOpen ? `${id} open` : id, label: titles[id], orders};
    parts.push(
      titleOf(frame, owner, title, countsOf(items)),
      withHeadings(isOpen ? items.map((item) => regrouped(item, title.group)) : items),
    );
  }
  // One array of the right size: every key makes a few, with thousands of rows.
  const none: TriageRow[] = [];
  return none.concat(...parts);
}

/** Returns the rows of several inboxes in one order; each inbox keeps its own. */
function mergedItems(lists: readonly (readonly TriageItem[])[], sort: InboxSort): readonly TriageItem[] {
  const [first = [], ...rest] = lists.filter(({length}) => length > 0);
  if (rest.length === 0) return first;
  return sort === 'channel'
    ? [first, ...rest].flat()
    : mergedByTime([first, ...rest], positionTimeOf, sort === 'oldest');
}

function positionTimeOf({positionTime}: TriageItem): number | undefined {
  return positionTime;
}

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

/** Returns the title of a group, which leads to `owner` if that is not shown; the same object while its content is the same. */
function titleOf(
  frame: Frame,
  owner: Organization | undefined,
  title: Pick<TriageTitle, 'group' | 'inboxGroup' | 'label' | 'orders'>,
  {count, mentions}: UnreadMessages,
): TriageTitle {
  const other = owner?.isShown === false ? owner : undefined;
  const ownKey = `title ${title.group ?? title.label}`;
  const key = other === undefined ? ownKey : keyInOrganization(other.name, ownKey);
  const made: TriageTitle = {
    ...title,
    key,
    kind: 'title',
    unreads: {count, mentions},
    organization: other?.index,
    isIndented: owner !== undefined,
  };
  const {titles: last} = lastInbox(frameOwner(frame));
  const known = last.get(key);
  if (known !== undefined && deepEqual(known, made)) return known;
  last.set(key, made);
  return made;
}

/** Adds a heading above each run of rows in one channel, or of direct messages. */
function withHeadings(items: readonly TriageItem[]): readonly TriageRow[] {
  if (items[0]?.isUnderHeading !== true) return items;
  const rows: TriageRow[] = [];
  for (const [at, item] of items.entries()) {
    const above = items[at - 1];
    const isSame = above?.mark === item.mark && above?.organization === item.organization;
    if (above === undefined || !isSame || channelIdOf(above.conversation) !== channelIdOf(item.conversation))
      rows.push(headingOf(item));
    rows.push(item);
  }
  return rows;
}

/** Returns the heading above an item; the same object while its content is the same. */
function headingOf({conversation, label, group, inboxGroup, organization, mark, color}: TriageItem): TriageHeading {
  const text = channelIdOf(conversation) === undefined ? 'Direct messages' : channelPart(label);
  const heading = headingAbove(conversation, text, group, inboxGroup);
  return organization === undefined ? heading : foreignHeading(heading, organization, mark, color);
}

const foreignHeading = memoByObject(
  (
    heading: TriageHeading,
    organization: number,
    mark: string | undefined,
    color: string | undefined,
  ): TriageHeading => ({
    ...heading,
    key: keyInOrganization(mark ?? '', heading.key),
    organization,
    target: undefined,
    color,
  }),
);

const headingAbove = memoByObject(
  (conversation: Conversation, label: string, group: string | undefined, inboxGroup: InboxGroupId): TriageHeading => {
    const channelId = channelIdOf(conversation);
    const target = channelId === undefined ? undefined : ({kind: 'channel', channelId} as const);
    return {key: `heading ${conversationKey(conversation)}`, kind: 'heading', label, group, inboxGroup, target};
  },
);

/** Returns the rows with the mark of their organization. A row that is no longer unread is kept only where its cursor is. */
function itemsIn(organization: Organization, items: readonly TriageItem[]): readonly TriageItem[] {
  const {name, index, mark, frame} = organization;
  if (frame === undefined) return items.map((item) => markedItem(item, mark));
  return items
    .filter(({isRemoved}) => !isRemoved)
    .map((item) => foreignItem(item, mark, index, name, conversationColor(frame.account, item.conversation)));
}

const markedItem = memoByObject((item: TriageItem, mark: string): TriageItem => ({...item, mark}));

const foreignItem = memoByObject(
  (item: TriageItem, mark: string, organization: number, name: string, color: string | undefined): TriageItem => ({
    ...item,
    key: keyInOrganization(name, item.key),
    target: undefined,
    mark,
    organization,
    color,
  }),
);

function organizationHeading({organization, contents}: InboxPart): TriageHeading {
  const {name = '', index, isShown} = organization ?? {};
  const {count, mentions} = contents.totals.all;
  return {
    key: `organization ${name}`,
    kind: 'heading',
    label: name,
    inboxGroup: undefined,
    unreads: {count, mentions},
    ...(isShown !== true && {organization: index}),
  };
}

const regrouped = memoByObject((item: TriageItem, group: string | undefined): TriageItem => ({...item, group}));

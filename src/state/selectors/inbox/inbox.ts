import type {MessageFacts} from '#content/message-facts.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {ConversationUnreads, Unreads} from '#state/model/unread.ts';
import {channelRanks} from '#state/selectors/lists/channel-sections.ts';
import {
  conversationsWithAlertWords,
  draftConversations,
  isConversationFollowed,
  isConversationMuted,
  lastSenderIds,
} from '#state/selectors/lists/conversation-properties.ts';
import {conversationRowTitle, isResolved} from '#state/selectors/names/names.ts';
import {countedUnreads, mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {memoBySlices, reuseIfEqual} from '#std/memo.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';

/** The groups of the inbox, in order. */
export const inboxGroupIds = ['mentions', 'direct', 'followed', 'pinned', 'channels', 'muted'] as const;
export type InboxGroupId = (typeof inboxGroupIds)[number];

/** A conversation with unread messages. */
export interface InboxRow {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly group: InboxGroupId;
  readonly title: string;
  /** Number of unread messages. */
  readonly count: number;
  /** Number of unread messages that mention the user. */
  readonly mentions: number;
  readonly hasAlertWord: boolean;
  readonly isFollowed: boolean;
  /** Whether the conversation is muted; with a mention it is in the mentions group all the same. */
  readonly isMuted: boolean;
  readonly isResolved: boolean;
  readonly hasDraft: boolean;
  readonly oldestUnreadId: number;
  readonly newestUnreadId: number;
  readonly unreadIds: SortedSet<number>;
  /** UNIX seconds; undefined until that message is loaded. */
  readonly oldestUnreadAt: number | undefined;
  readonly newestUnreadAt: number | undefined;
  /** The last senders, newest first, as far as their messages are loaded. */
  readonly participants: readonly number[];
  /** The Markdown source of the first unread message's first line; undefined until it is loaded. */
  readonly snippet: string | undefined;
  readonly snippetFacts: MessageFacts | undefined;
}

/** The slices of the state that rows depend on. */
export const inboxSlices = [
  'unreads',
  'messages',
  'channels',
  'formerChannels',
  'subscriptions',
  'userTopics',
  'users',
  'mutedUsers',
  'realm',
  'drafts',
  'localDrafts',
] as const satisfies readonly SliceName[];

type InboxSlice = (typeof inboxSlices)[number];
type InboxSlices = Pick<AccountState, InboxSlice | 'self'>;

/** The conversations that have a mention, an alert word or a draft. */
interface ConversationMarks {
  readonly mentions: ReadonlyMap<ConversationKey, number>;
  readonly alerted: ReadonlySet<ConversationKey>;
  readonly drafts: ReadonlyMap<ConversationKey, Conversation>;
}

/** One row for each conversation with unread messages, by key, together with the state it was computed from. */
interface InboxIndex {
  readonly state: InboxSlices;
  readonly marks: ConversationMarks;
  readonly rows: SortedMap<ConversationKey, InboxRow>;
}

/** A row that was added, removed or changed. */
interface InboxChange {
  readonly before: InboxRow | undefined;
  readonly now: InboxRow | undefined;
}

/**
 * Returns the rows of a state, and the changes since the index `before`. The cost is proportional to the
 * conversations that changed; rows with equal content stay the same objects.
 */
function inboxIndex(
  state: InboxSlices,
  before?: InboxIndex,
): {readonly index: InboxIndex; readonly changes: readonly InboxChange[]} {
  const marks = marksOf(state);
  const counted = countedUnreads(state);
  const previousRows = before?.rows ?? SortedMap.empty<ConversationKey, InboxRow>();
  const changes: InboxChange[] = [];
  for (const key of changedKeys(before, state, marks)) {
    const previous = previousRows.get(key);
    const unread = counted.conversations.get(key);
    const now = unread && reuseIfEqual(previous, rowOf(state, unread, marks, previous));
    if (previous !== now) changes.push({before: previous, now});
  }
  return {index: {state, marks, rows: changedRows(previousRows, changes)}, changes};
}

function changedRows(rows: InboxIndex['rows'], changes: readonly InboxChange[]): InboxIndex['rows'] {
  if (rows.size === 0) return SortedMap.from(changes.flatMap(({now}) => (now ? [[now.key, now]] : [])));
  return rows.edit((draft) => {
    for (const {before, now} of changes) {
      if (now !== undefined) draft.set(now.key, now);
      else if (before !== undefined) draft.delete(before.key);
    }
  });
}

type ReportKey = (key: ConversationKey) => void;

/** Reports, for each slice, the conversations whose rows may change because the slice changed. */
const reportChangedBy: Readonly<
  Record<InboxSlice, (now: InboxSlices, before: InboxSlices, report: ReportKey) => void>
> = {
  unreads: ({unreads}, before, report) => unreads.conversations.changesSince(before.unreads.conversations, report),
  messages: ({messages, unreads}, before, report) => {
    messages.byConversation.changesSince(before.messages.byConversation, report);
    messages.byId.changesSince(before.messages.byId, (id, now) => {
      const key = unreads.byId.get(id);
      if (key !== undefined) report(key);
      if (now !== undefined) report(now.conversationKey);
    });
  },
  channels: ({channels, unreads}, before, report) =>
    channels.changesSince(before.channels, (id) => reportChannel(unreads, id, report)),
  formerChannels: ({formerChannels, unreads}, before, report) =>
    formerChannels.changesSince(before.formerChannels, (id) => reportChannel(unreads, id, report)),
  subscriptions: ({subscriptions, unreads}, before, report) =>
    subscriptions.changesSince(before.subscriptions, (id) => reportChannel(unreads, id, report)),
  userTopics: ({userTopics}, before, report) => userTopics.changesSince(before.userTopics, report),
  users: ({users, unreads}, before, report) => {
    if (users !== before.users) reportDirects(unreads, report);
  },
  mutedUsers: ({mutedUsers, unreads}, before, report) => {
    if (mutedUsers !== before.mutedUsers) reportDirects(unreads, report);
  },
  realm: ({realm, unreads}, before, report) => {
    if (realm !== before.realm) for (const key of unreads.conversations.keys()) report(key);
  },
  // Drafts only change marks, which are compared separately.
  drafts: () => {},
  localDrafts: () => {},
};

/** Returns the conversations whose rows may have changed; some of them may not be in the inbox. */
function changedKeys(
  before: InboxIndex | undefined,
  state: InboxSlices,
  marks: ConversationMarks,
): Iterable<ConversationKey> {
  if (before === undefined) return state.unreads.conversations.keys();
  const keys = new Set<ConversationKey>();
  const report = (key: ConversationKey) => void keys.add(key);
  for (const slice of inboxSlices) reportChangedBy[slice](state, before.state, report);
  for (const mark of ['mentions', 'alerted', 'drafts'] as const) {
    for (const key of differentKeys(before.marks[mark], marks[mark])) report(key);
  }
  for (const [key, count] of marks.mentions) if (before.marks.mentions.get(key) !== count) report(key);
  return keys;
}

function reportChannel({channels}: Unreads, channelId: number, report: ReportKey): void {
  for (const key of channels.get(channelId) ?? []) report(key);
}

/** Reports all direct conversations: their keys sort after those of topics. */
function reportDirects({conversations}: Unreads, report: ReportKey): void {
  for (const key of conversations.keys('d')) report(key);
}

interface KeySet {
  has(key: ConversationKey): boolean;
  keys(): Iterable<ConversationKey>;
}

function* differentKeys(before: KeySet, now: KeySet): Generator<ConversationKey> {
  if (before === now) return;
  for (const key of before.keys()) if (!now.has(key)) yield key;
  for (const key of now.keys()) if (!before.has(key)) yield key;
}

function marksOf(state: InboxSlices): ConversationMarks {
  return {
    mentions: mentionCounts(state),
    alerted: conversationsWithAlertWords(state),
    drafts: draftConversations(state),
  };
}

function rowOf(
  state: InboxSlices,
  unread: ConversationUnreads,
  marks: ConversationMarks,
  before: InboxRow | undefined,
): InboxRow {
  const {key, conversation, ids} = unread;
  const mentions = marks.mentions.get(key) ?? 0;
  const hasAlertWord = marks.alerted.has(key);
  const followed = isConversationFollowed(state, conversation, key);
  const muted = isConversationMuted(state, conversation, key);
  const oldestUnreadId = ids.first() ?? 0;
  const newestUnreadId = ids.last() ?? 0;
  const oldest = state.messages.byId.get(oldestUnreadId);
  return {
    key,
    conversation,
    group: groupIdOf(state, unread, {hasMention: mentions > 0, hasAlertWord, followed, muted}),
    title: conversationRowTitle(state, conversation),
    count: ids.size,
    mentions,
    hasAlertWord,
    isFollowed: followed,
    isMuted: muted,
    isResolved: conversation.kind === 'topic' && isResolved(conversation.topic),
    hasDraft: marks.drafts.has(key),
    oldestUnreadId,
    newestUnreadId,
    // Keeps the previous set when it has the same ids: a new registration creates all sets again.
    unreadIds: before !== undefined && deepEqual(before.unreadIds, ids) ? before.unreadIds : ids,
    oldestUnreadAt: oldest?.timestamp,
    newestUnreadAt: state.messages.byId.get(newestUnreadId)?.timestamp,
    participants: lastSenderIds(state, key),
    snippet: oldest === undefined ? undefined : firstLine(oldest.content),
    snippetFacts: oldest?.facts,
  };
}

/** Returns the group of a conversation. Muted conversations leave their group unless they mention the user. */
function groupIdOf(
  state: InboxSlices,
  {conversation}: ConversationUnreads,
  row: Readonly<Record<'hasMention' | 'hasAlertWord' | 'followed' | 'muted', boolean>>,
): InboxGroupId {
  if (row.hasMention) return 'mentions';
  if (row.muted) return 'muted';
  if (row.hasAlertWord) return 'mentions';
  if (conversation.kind === 'direct') return 'direct';
  if (row.followed) return 'followed';
  const subscription = state.subscriptions.get(conversation.channelId);
  return subscription?.isSubscribed === true && subscription.pinToTop ? 'pinned' : 'channels';
}

function firstLine(content: string): string {
  const text = content.trimStart();
  const end = text.indexOf('\n');
  return (end < 0 ? text : text.slice(0, end)).trimEnd();
}

/** A group of the inbox with its rows in order. */
export interface InboxGroup {
  readonly id: InboxGroupId;
  readonly rows: readonly InboxRow[];
  /** Number of unread messages in all rows. */
  readonly messageCount: number;
}

type Ranks = ReadonlyMap<number, number>;
type Order = (a: InboxRow, b: InboxRow) => number;

/** With more changes than this, sorting again is faster than inserting. */
const maxInsertions = 100;

/** The inbox: its rows in groups, each in order. */
export interface Inbox {
  readonly index: InboxIndex;
  readonly ranks: Ranks;
  readonly groups: readonly InboxGroup[];
}

/** Returns the inbox of a state. A change since the inbox `before` copies its group instead of sorting it. */
export function inboxOf(state: InboxIndex['state'], ranks: Ranks, before?: Inbox): Inbox {
  const {index, changes} = inboxIndex(state, before?.index);
  const needsSort = before === undefined || ranks !== before.ranks || changes.length > maxInsertions;
  if (needsSort) return {index, ranks, groups: sortedGroups(index.rows.values(), ranks)};
  const isSame = changes.length === 0;
  const groups = isSame ? before.groups : before.groups.map((one) => changedGroup(one, changes, ranks));
  return {index, ranks, groups};
}

function sortedGroups(all: Iterable<InboxRow>, ranks: Ranks): readonly InboxGroup[] {
  const groups = new Map<InboxGroupId, InboxRow[]>(inboxGroupIds.map((id) => [id, []]));
  for (const row of all) groups.get(row.group)?.push(row);
  return inboxGroupIds.map((id) => {
    const rows = groups.get(id) ?? [];
    return groupOf(id, rows.sort(orderInGroup(id, ranks)));
  });
}

function groupOf(id: InboxGroupId, rows: readonly InboxRow[]): InboxGroup {
  return {id, rows, messageCount: rows.reduce((sum, {count}) => sum + count, 0)};
}

function changedGroup(group: InboxGroup, changes: readonly InboxChange[], ranks: Ranks): InboxGroup {
  const {id} = group;
  const removed = new Set(changes.flatMap(({before}) => (before?.group === id ? [before] : [])));
  const added = changes.flatMap(({now}) => (now?.group === id ? [now] : []));
  if (removed.size === 0 && added.length === 0) return group;
  const rows = removed.size === 0 ? [...group.rows] : group.rows.filter((row) => !removed.has(row));
  const order = orderInGroup(id, ranks);
  for (const row of added) rows.splice(insertionIndex(row, rows, order), 0, row);
  return groupOf(id, rows);
}

/** Returns the index at which a row belongs, by binary search. */
function insertionIndex(row: InboxRow, rows: readonly InboxRow[], order: Order): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = rows[middle];
    if (other !== undefined && order(other, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The orders of the inbox that the user can choose. */
export type InboxSort = 'priority' | 'newest' | 'oldest' | 'channel';

/** The groups whose rows are sorted by channel. The rows of the others concern the user: the newest is first. */
export const groupsByChannel: ReadonlySet<InboxGroupId> = new Set(['pinned', 'channels', 'muted']);

/** Whether the rows of a group are sorted by channel. */
export function isSortedByChannel(sort: InboxSort, group: InboxGroupId): boolean {
  return sort === 'channel' || (sort === 'priority' && groupsByChannel.has(group));
}

/**
 * Every order compares the newest unread messages. These stay the same while a conversation is read from its start, so a row
 * that was read in part keeps its place.
 */
const newestFirst: Order = (a, b) => b.newestUnreadId - a.newestUnreadId;

function byChannel(ranks: Ranks): Order {
  return (a, b) => rankOf(a, ranks) - rankOf(b, ranks) || newestFirst(a, b);
}

function orderInGroup(id: InboxGroupId, ranks: Ranks): Order {
  return groupsByChannel.has(id) ? byChannel(ranks) : newestFirst;
}

/** Returns all rows of an inbox in an order, muted ones at the end. */
export function sortedInboxRows(
  {groups, ranks}: Pick<Inbox, 'groups' | 'ranks'>,
  sort: InboxSort,
): readonly InboxRow[] {
  const rowsOf = (isMuted: boolean) => groups.flatMap(({id, rows}) => ((id === 'muted') === isMuted ? rows : []));
  if (sort === 'priority') return [...rowsOf(false), ...rowsOf(true)];
  const byTime = sort === 'newest' ? newestFirst : (a: InboxRow, b: InboxRow) => newestFirst(b, a);
  const order = sort === 'channel' ? byChannel(ranks) : byTime;
  return [...rowsOf(false).sort(order), ...rowsOf(true).sort(order)];
}

/** Returns the sort rank: direct conversations before channels, channels that are not in the sidebar at the end. */
function rankOf({conversation}: InboxRow, ranks: Ranks): number {
  if (conversation.kind === 'direct') return -1;
  return ranks.get(conversation.channelId) ?? ranks.size + conversation.channelId;
}

/** Returns the inbox of a state, computed from the previous one and the changes since. */
export const inbox = memoBySlices(
  [...inboxSlices, ...channelRanks.slices],
  (state: AccountState, before: Inbox | undefined) => inboxOf(state, channelRanks(state), before),
);

/**
 * Returns every conversation with unread messages, each in one group: the six groups in order, some possibly empty. An
 * unchanged group is the same object.
 *
 * Mentions, direct messages and followed topics are sorted by their newest message; the others by channel in sidebar order,
 * newest topic first.
 */
export function inboxGroups(state: AccountState): readonly InboxGroup[] {
  return inbox(state).groups;
}

/** Returns the conversations that the walk through unread conversations visits: all but the muted. */
export function inboxRows(state: AccountState): readonly InboxRow[] {
  return inboxGroups(state).flatMap(({id, rows}) => (id === 'muted' ? [] : rows));
}

import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {ConversationUnreads, Unreads} from '#state/model/unread.ts';
import {
  conversationsWithAlertWords,
  isConversationFollowed,
  isConversationMuted,
  lastSenderIds,
} from '#state/selectors/lists/conversation-properties.ts';
import {draftConversations} from '#state/selectors/lists/draft-conversations.ts';
import {conversationRowTitle, isResolved} from '#state/selectors/names/names.ts';
import {mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {reuseIfEqual} from '#std/memo.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';

export const inboxGroupIds = ['mentions', 'direct', 'followed', 'pinned', 'channels', 'muted'] as const;
export type InboxGroupId = (typeof inboxGroupIds)[number];

export interface InboxRow {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly group: InboxGroupId;
  readonly title: string;
  /** Unread messages, all of them. */
  readonly count: number;
  readonly hasMention: boolean;
  readonly hasAlertWord: boolean;
  readonly isFollowed: boolean;
  /** A mention brings it up all the same. */
  readonly isMuted: boolean;
  readonly isResolved: boolean;
  readonly hasDraft: boolean;
  readonly oldestUnreadId: number;
  readonly newestUnreadId: number;
  readonly unreadIds: SortedSet<number>;
  /** UNIX seconds; undefined until that message is loaded. */
  readonly oldestUnreadAt: number | undefined;
  /** Who wrote there last, newest first; as far as is loaded. */
  readonly participants: readonly number[];
  /** The source of the first unread message's first line; undefined until it is loaded. */
  readonly snippet: string | undefined;
}

/** All that a row is made from. */
export const inboxSlices = [
  'unreads',
  'messages',
  'channels',
  'subscriptions',
  'userTopics',
  'users',
  'mutedUsers',
  'realm',
  'drafts',
  'localDrafts',
] as const satisfies readonly SliceName[];

type InboxSlice = (typeof inboxSlices)[number];
type InboxSlices = Pick<AccountState, InboxSlice>;

/** The signs of conversations, those without any absent. */
interface ConversationMarks {
  readonly mentions: ReadonlyMap<ConversationKey, number>;
  readonly alerted: ReadonlySet<ConversationKey>;
  readonly drafts: ReadonlyMap<ConversationKey, Conversation>;
}

/** One row for each conversation with unread messages, by their keys, and what the rows were made from. */
export interface InboxIndex {
  readonly state: InboxSlices;
  readonly signs: ConversationMarks;
  readonly rows: SortedMap<ConversationKey, InboxRow>;
}

/** A row that came, went or says something else. */
export interface InboxChange {
  readonly before: InboxRow | undefined;
  readonly now: InboxRow | undefined;
}

/**
 * Returns the rows of a state, and which of them are others than in the index `before`. Costs the conversations that changed
 * between the two; rows that say the same are the same objects.
 */
export function inboxIndex(
  state: InboxSlices,
  before?: InboxIndex,
): {readonly index: InboxIndex; readonly changes: readonly InboxChange[]} {
  const signs = signsOf(state);
  const known = before?.rows ?? SortedMap.empty<ConversationKey, InboxRow>();
  const changes: InboxChange[] = [];
  for (const key of touchedKeys(before, state, signs)) {
    const then = known.get(key);
    const unread = state.unreads.conversations.get(key);
    const now = unread && reuseIfEqual(then, rowOf(state, unread, signs, then));
    if (then !== now) changes.push({before: then, now});
  }
  return {index: {state, signs, rows: changedRows(known, changes)}, changes};
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

type Touch = (key: ConversationKey) => void;

/** For each slice: the conversations whose rows may say something else because this slice is another. */
const touchedBy: Readonly<Record<InboxSlice, (now: InboxSlices, before: InboxSlices, touch: Touch) => void>> =
  {
    unreads: ({unreads}, before, touch) =>
      unreads.conversations.changesSince(before.unreads.conversations, touch),
    messages: ({messages, unreads}, before, touch) => {
      messages.byConversation.changesSince(before.messages.byConversation, touch);
      messages.byId.changesSince(before.messages.byId, (id, now, then) => {
        const key = unreads.byId.get(id);
        if (key !== undefined) touch(key);
        const message = now ?? then;
        if (message !== undefined) touch(message.conversationKey);
      });
    },
    channels: ({channels, unreads}, before, touch) =>
      channels.changesSince(before.channels, (id) => touchChannel(unreads, id, touch)),
    subscriptions: ({subscriptions, unreads}, before, touch) =>
      subscriptions.changesSince(before.subscriptions, (id) => touchChannel(unreads, id, touch)),
    userTopics: ({userTopics}, before, touch) => userTopics.changesSince(before.userTopics, touch),
    users: ({users, unreads}, before, touch) => {
      if (users !== before.users) touchDirects(unreads, touch);
    },
    mutedUsers: ({mutedUsers, unreads}, before, touch) => {
      if (mutedUsers !== before.mutedUsers) touchDirects(unreads, touch);
    },
    realm: ({realm, unreads}, before, touch) => {
      if (realm !== before.realm) for (const key of unreads.conversations.keys()) touch(key);
    },
    // These only show as signs.
    drafts: () => {},
    localDrafts: () => {},
  };

/** The conversations whose row may have become another, perhaps some that are not in the inbox. */
function touchedKeys(
  before: InboxIndex | undefined,
  state: InboxSlices,
  signs: ConversationMarks,
): Iterable<ConversationKey> {
  if (before === undefined) return state.unreads.conversations.keys();
  const keys = new Set<ConversationKey>();
  const touch = (key: ConversationKey) => void keys.add(key);
  for (const slice of inboxSlices) touchedBy[slice](state, before.state, touch);
  for (const sign of ['mentions', 'alerted', 'drafts'] as const) {
    for (const key of differing(before.signs[sign], signs[sign])) touch(key);
  }
  return keys;
}

function touchChannel({channels}: Unreads, channelId: number, touch: Touch): void {
  for (const key of channels.get(channelId) ?? []) touch(key);
}

/** Their keys come after those of topics. */
function touchDirects({conversations}: Unreads, touch: Touch): void {
  for (const key of conversations.keys('d')) touch(key);
}

interface Keys {
  has(key: ConversationKey): boolean;
  keys(): Iterable<ConversationKey>;
}

function* differing(before: Keys, now: Keys): Generator<ConversationKey> {
  if (before === now) return;
  for (const key of before.keys()) if (!now.has(key)) yield key;
  for (const key of now.keys()) if (!before.has(key)) yield key;
}

function signsOf(state: InboxSlices): ConversationMarks {
  return {
    mentions: mentionCounts(state),
    alerted: conversationsWithAlertWords(state),
    drafts: draftConversations(state),
  };
}

function rowOf(
  state: InboxSlices,
  unread: ConversationUnreads,
  signs: ConversationMarks,
  before: InboxRow | undefined,
): InboxRow {
  const {key, conversation, ids} = unread;
  const hasMention = signs.mentions.has(key);
  const hasAlertWord = signs.alerted.has(key);
  const followed = isConversationFollowed(state, conversation, key);
  const muted = isConversationMuted(state, conversation, key);
  const oldestUnreadId = ids.first() ?? 0;
  const oldest = state.messages.byId.get(oldestUnreadId);
  return {
    key,
    conversation,
    group: groupOf(state, unread, {hasMention, hasAlertWord, followed, muted}),
    title: conversationRowTitle(state, conversation),
    count: ids.size,
    hasMention,
    hasAlertWord,
    isFollowed: followed,
    isMuted: muted,
    isResolved: conversation.kind === 'topic' && isResolved(conversation.topic),
    hasDraft: signs.drafts.has(key),
    oldestUnreadId,
    newestUnreadId: ids.last() ?? 0,
    // The set from before when it holds the same: a new registration brings all of them again.
    unreadIds: before !== undefined && deepEqual(before.unreadIds, ids) ? before.unreadIds : ids,
    oldestUnreadAt: oldest?.timestamp,
    participants: lastSenderIds(state, key),
    snippet: oldest === undefined ? undefined : firstLine(oldest.content),
  };
}

/** Muting hides everything but mentions. */
function groupOf(
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

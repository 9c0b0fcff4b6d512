import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads} from '#state/model/unread.ts';
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
import {reuseIfEqual} from '#std/memo.ts';

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
  /** UNIX seconds; undefined until that message is loaded. */
  readonly oldestUnreadAt: number | undefined;
  /** Who wrote there last, newest first; as far as is loaded. */
  readonly participants: readonly number[];
  /** The source of the first unread message's first line; undefined until it is loaded. */
  readonly snippet: string | undefined;
}

/** What a row is made of. */
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

type InboxSlices = Pick<AccountState, (typeof inboxSlices)[number]>;

/** The signs of conversations, those without any absent. */
interface ConversationMarks {
  readonly mentions: ReadonlyMap<ConversationKey, number>;
  readonly alerted: ReadonlySet<ConversationKey>;
  readonly drafts: ReadonlyMap<ConversationKey, Conversation>;
}

interface SeenInbox {
  readonly state: InboxSlices;
  readonly signs: ConversationMarks;
}

/** A row that came, went or says something else. */
export interface InboxChange {
  readonly before: InboxRow | undefined;
  readonly now: InboxRow | undefined;
}

/** One row for each conversation with unread messages; a change costs the conversations it is about. */
export class InboxIndex {
  #seen: SeenInbox | undefined;
  readonly #rows = new Map<ConversationKey, InboxRow>();

  /** In no particular order. */
  get rows(): Iterable<InboxRow> {
    return this.#rows.values();
  }

  row(key: ConversationKey): InboxRow | undefined {
    return this.#rows.get(key);
  }

  /** What is another than at the last call. Rows that say the same as before are the same objects. */
  changes(state: AccountState): readonly InboxChange[] {
    const now = {state, signs: signsOf(state)};
    const changes: InboxChange[] = [];
    for (const key of touchedKeys(this.#seen, now)) {
      const change = this.#renewed(state, key, now.signs);
      if (change.before !== change.now) changes.push(change);
    }
    this.#seen = now;
    return changes;
  }

  #renewed(state: AccountState, key: ConversationKey, signs: ConversationMarks): InboxChange {
    const before = this.#rows.get(key);
    const unread = state.unreads.conversations.get(key);
    if (unread === undefined) {
      this.#rows.delete(key);
      return {before, now: undefined};
    }
    const now = reuseIfEqual(before, rowOf(state, unread, signs));
    this.#rows.set(key, now);
    return {before, now};
  }
}

/** The conversations whose row may have become another, perhaps some that are not in the inbox. */
function touchedKeys(seen: SeenInbox | undefined, {state, signs}: SeenInbox): Set<ConversationKey> {
  const keys = new Set<ConversationKey>();
  const touch = (key: ConversationKey) => keys.add(key);
  const before = seen?.state;
  state.unreads.conversations.changesSince((before?.unreads ?? noUnreads).conversations, touch);
  if (seen === undefined || before === undefined) return keys;
  if (before.realm !== state.realm) {
    for (const key of state.unreads.conversations.keys()) touch(key);
    return keys;
  }
  state.messages.byConversation.changesSince(before.messages.byConversation, touch);
  state.messages.byId.changesSince(before.messages.byId, (id) => {
    const key = state.unreads.byId.get(id);
    if (key !== undefined) touch(key);
  });
  state.userTopics.changesSince(before.userTopics, touch);
  const touchChannel = (id: number) => {
    for (const key of state.unreads.channels.get(id) ?? []) touch(key);
  };
  state.channels.changesSince(before.channels, touchChannel);
  state.subscriptions.changesSince(before.subscriptions, touchChannel);
  if (before.users !== state.users || before.mutedUsers !== state.mutedUsers) {
    for (const key of directKeys(state)) touch(key);
  }
  for (const sign of ['mentions', 'alerted', 'drafts'] as const) {
    for (const key of differing(seen.signs[sign], signs[sign])) touch(key);
  }
  return keys;
}

/** Their keys come after those of topics. */
function* directKeys({unreads}: InboxSlices): Generator<ConversationKey> {
  yield* unreads.conversations.keys('d');
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

function signsOf(state: AccountState): ConversationMarks {
  return {
    mentions: mentionCounts(state),
    alerted: conversationsWithAlertWords(state),
    drafts: draftConversations(state),
  };
}

function rowOf(state: AccountState, unread: ConversationUnreads, signs: ConversationMarks): InboxRow {
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
    oldestUnreadAt: oldest?.timestamp,
    participants: lastSenderIds(state, key),
    snippet: oldest === undefined ? undefined : firstLine(oldest.content),
  };
}

/** Muting hides everything but mentions. */
function groupOf(
  state: AccountState,
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

import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  type DirectConversation,
} from '#state/model/conversation.ts';
import {conversationRowTitle, isResolved} from '#state/selectors/names/names.ts';
import {countedUnreads} from '#state/selectors/unreads/counted-unreads.ts';
import {mentionCounts} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {reuseIfEqual} from '#std/memo.ts';
import {
  hasParticipated,
  isConversationFollowed,
  isConversationMuted,
  lastSenderIds,
} from './conversation-properties.ts';
import {KnownConversations, knownConversation} from './known-conversations.ts';

export interface RecentRow {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly title: string;
  readonly lastMessageId: number;
  /** UNIX seconds; undefined until that message is loaded. */
  readonly lastAt: number | undefined;
  /** The last senders, newest first, among loaded messages. */
  readonly participants: readonly number[];
  readonly unreadCount: number;
  /** Number of unread messages that mention the user. */
  readonly mentions: number;
  readonly isMuted: boolean;
  readonly isFollowed: boolean;
  readonly isResolved: boolean;
}

export interface RecentFilter {
  readonly unread?: boolean;
  /** Only conversations where the user wrote, among loaded messages. */
  readonly participated?: boolean;
  readonly unmuted?: boolean;
  readonly kind?: Conversation['kind'];
}

const knownConversations = new KnownConversations();
const rows = new Map<ConversationKey, RecentRow>();

/**
 * Returns the newest conversations, at most `limit`. Costs O(rows returned and filtered out), never all conversations.
 */
export function recentConversations(state: AccountState, filter: RecentFilter = {}, limit = 200): readonly RecentRow[] {
  const result: RecentRow[] = [];
  const mentions = mentionCounts(state);
  const unreads = countedUnreads(state);
  for (const [key, lastId] of newestConversations(state, filter)) {
    if (result.length >= limit) break;
    if (filter.unread === true && !unreads.conversations.has(key)) continue;
    if (filter.participated === true && !hasParticipated(state, key)) continue;
    if (filter.kind === 'topic' && key.startsWith('d')) continue;
    const conversation = knownConversation(state, key);
    if (conversation === undefined) continue;
    if (filter.unmuted === true && isConversationMuted(state, conversation, key)) continue;
    result.push(rowOf(state, key, conversation, lastId, mentions.get(key) ?? 0));
  }
  return result;
}

/** Returns the row of a direct conversation, also of one without messages. */
export function directConversationRow(state: AccountState, conversation: DirectConversation): RecentRow {
  const key = conversationKey(conversation);
  const lastId = state.directs.get(key)?.maxId ?? state.messages.byConversation.get(key)?.last() ?? 0;
  return rowOf(state, key, conversation, lastId, mentionCounts(state).get(key) ?? 0);
}

function newestConversations(
  state: AccountState,
  {kind, unread}: RecentFilter,
): Iterable<[key: ConversationKey, lastId: number]> {
  if (kind !== 'direct') return knownConversations.newestFirst(state);
  const {directs} = knownConversations;
  return unread === true ? directs.newestUnread(state) : directs.newestFirst(state);
}

/** Returns the direct conversations, newest first. */
export function recentDirectConversations(state: AccountState, limit = 1000): readonly RecentRow[] {
  return recentConversations(state, {kind: 'direct'}, limit);
}

function rowOf(
  state: AccountState,
  key: ConversationKey,
  conversation: Conversation,
  lastMessageId: number,
  mentions: number,
): RecentRow {
  const before = rows.get(key);
  const row = reuseIfEqual(before, {
    key,
    conversation:
      before !== undefined && isSame(before.conversation, conversation) ? before.conversation : conversation,
    title: conversationRowTitle(state, conversation),
    lastMessageId,
    lastAt: state.messages.byId.get(lastMessageId)?.timestamp,
    participants: lastSenderIds(state, key),
    unreadCount: countedUnreads(state).conversations.get(key)?.ids.size ?? 0,
    mentions,
    isMuted: isConversationMuted(state, conversation, key),
    isFollowed: isConversationFollowed(state, conversation, key),
    isResolved: conversation.kind === 'topic' && isResolved(conversation.topic),
  });
  rows.set(key, row);
  return row;
}

/** Compares conversations with equal keys, which can differ only in the spelling of the topic. */
function isSame(a: Conversation, b: Conversation): boolean {
  return a.kind === 'direct' || b.kind === 'direct' || a.topic === b.topic;
}

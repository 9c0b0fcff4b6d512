import {isChannelMuted} from '#state/messages/event-conversations.ts';
import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import type {DraftTarget, LocalDraft} from '#state/model/draft.ts';
import type {Message} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {memoByChanges, memoBySlices} from '#std/memo.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';

/** The loaded messages that contain an alert word. */
const alertedIds = memoByChanges<AccountState['self'], number, Message, Set<number>>(
  () => ({sum: new Set(), of: SortedMap.empty()}),
  (ids, id, after, before) => {
    if (after?.flags.includes('has_alert_word')) ids.add(id);
    else if (before !== undefined) ids.delete(id);
  },
);

/** Returns the conversations with an unread message that contains an alert word, among those loaded. */
export const conversationsWithAlertWords = memoBySlices(
  ['messages', 'unreads'],
  ({self, messages, unreads}: Pick<AccountState, 'self' | 'messages' | 'unreads'>): ReadonlySet<ConversationKey> => {
    const keys = new Set<ConversationKey>();
    for (const id of alertedIds(self, messages.byId)) {
      const key = unreads.byId.get(id);
      if (key !== undefined) keys.add(key);
    }
    return keys;
  },
);

type MessageCounts = Map<ConversationKey, number>;

/** Counts the user's own loaded messages by conversation. */
const ownCounts = memoByChanges<AccountState['self'], number, Message, MessageCounts>(
  () => ({sum: new Map(), of: SortedMap.empty()}),
  (sum, _id, after, before, {userId}) => {
    const add = (message: Message | undefined, step: number) => {
      if (message?.senderId !== userId) return;
      sum.set(message.conversationKey, (sum.get(message.conversationKey) ?? 0) + step);
    };
    add(before, -1);
    add(after, 1);
  },
);

/** Returns whether the user wrote there, among loaded messages. */
export function hasParticipated({self, messages}: AccountState, key: ConversationKey): boolean {
  return (ownCounts(self, messages.byId).get(key) ?? 0) > 0;
}

/** How many messages to visit in search of three different senders. */
const maxVisited = 40;
const sendersCache = new WeakMap<SortedSet<number>, readonly number[]>();
const noSenders: readonly number[] = [];

/**
 * Returns the last senders, newest first, at most three, among loaded messages. Cached by the set of ids: a
 * message's sender never changes.
 */
export function lastSenderIds({messages}: Pick<AccountState, 'messages'>, key: ConversationKey): readonly number[] {
  const ids = messages.byConversation.get(key);
  if (ids === undefined) return noSenders;
  let senders = sendersCache.get(ids);
  if (senders === undefined) {
    senders = lastSenders(messages.byId, ids);
    sendersCache.set(ids, senders);
  }
  return senders;
}

function lastSenders(byId: SortedMap<number, Message>, ids: SortedSet<number>): readonly number[] {
  const senders: number[] = [];
  let id = ids.last();
  for (let visited = 0; id !== undefined && senders.length < 3 && visited < maxVisited; visited += 1) {
    const sender = byId.get(id)?.senderId;
    if (sender !== undefined && !senders.includes(sender)) senders.push(sender);
    id = ids.before(id);
  }
  return senders;
}

type MuteState = Pick<AccountState, 'userTopics' | 'subscriptions' | 'mutedUsers'>;

/**
 * Returns whether a conversation is muted; a direct one is when everyone else in it is. `key` is the conversation's.
 */
export function isConversationMuted(
  state: MuteState,
  conversation: Conversation,
  key: ConversationKey = conversationKey(conversation),
): boolean {
  if (conversation.kind === 'direct') {
    const {userIds} = conversation;
    return userIds.length > 0 && userIds.every((id) => state.mutedUsers.has(id));
  }
  const policy = state.userTopics.get(key)?.policy;
  // Same as `isTopicMuted`, without computing the key again.
  if (policy === undefined || policy === visibilityPolicies.none) return isChannelMuted(state, conversation.channelId);
  return policy === visibilityPolicies.muted;
}

export function isConversationFollowed(
  state: Pick<AccountState, 'userTopics'>,
  conversation: Conversation,
  key: ConversationKey = conversationKey(conversation),
): boolean {
  return conversation.kind === 'topic' && state.userTopics.get(key)?.policy === visibilityPolicies.followed;
}

type DraftConversations = ReadonlyMap<ConversationKey, Conversation>;

/**
 * Returns the conversations with drafts, most recently edited first. Returns the same map while it is equal: the text of a
 * draft changes with every few keys.
 */
export const draftConversations = memoBySlices(
  ['drafts', 'localDrafts'],
  (
    state: Pick<AccountState, 'self' | 'drafts' | 'localDrafts'>,
    before: DraftConversations | undefined,
  ): DraftConversations => {
    const drafts = state.localDrafts.filter(isVisibleDraft).map(({target, editedAt}) => ({target, at: editedAt}));
    // A draft that exists on both sides is judged by its local version, even when that is deleted.
    const localServerIds = new Set(state.localDrafts.map(({serverId}) => serverId));
    for (const {id, target, timestamp} of state.drafts.values()) {
      if (!localServerIds.has(id)) drafts.push({target, at: timestamp * 1000});
    }
    drafts.sort((a, b) => b.at - a.at);
    const conversations = new Map(drafts.flatMap(({target}) => keyedConversation(target)));
    return before !== undefined && deepEqual([...before], [...conversations]) ? before : conversations;
  },
);

/** Returns the number of drafts, local and on the server. */
export function draftCount(state: AccountState): number {
  const localServerIds = new Set(state.localDrafts.map(({serverId}) => serverId));
  const localCount = state.localDrafts.filter(isVisibleDraft).length;
  return localCount + [...state.drafts.keys()].filter((id) => !localServerIds.has(id)).length;
}

/** Returns whether a draft has text and is not deleted. */
export function isVisibleDraft({status, content}: LocalDraft): boolean {
  return status !== 'deleted' && content.trim() !== '';
}

function keyedConversation(target: DraftTarget): [ConversationKey, Conversation][] {
  return target.kind === 'none' ? [] : [[conversationKey(target), target]];
}

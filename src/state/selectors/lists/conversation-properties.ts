import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {hasFlag, type Message} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import {isChannelMuted} from '#state/unreads/muting.ts';
import {memoByChanges, memoBySlices} from '#std/memo.ts';
import {SortedMap, type SortedSet} from '#std/sorted-map.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

/** The loaded messages that hold an alert word. */
const alerted = memoByChanges<number, Message, Set<number>>(
  () => ({sum: new Set(), of: SortedMap.empty()}),
  (ids, id, now, then) => {
    if (now !== undefined && hasFlag(now, 'has_alert_word')) ids.add(id);
    else if (then !== undefined) ids.delete(id);
  },
);

/** The conversations with an unread message that holds an alert word, as far as they are loaded. */
export const conversationsWithAlertWords = memoBySlices(
  ['messages', 'unreads'],
  ({messages, unreads}: Pick<AccountState, 'messages' | 'unreads'>): ReadonlySet<ConversationKey> => {
    const keys = new Set<ConversationKey>();
    for (const id of alerted(messages.byId)) {
      const key = unreads.byId.get(id);
      if (key !== undefined) keys.add(key);
    }
    return keys;
  },
);

/** How many loaded messages of each conversation are one's own. */
const ownCounts = new WeakMap<
  AccountState['self'],
  (messages: SortedMap<number, Message>) => MessageCounts
>();
type MessageCounts = Map<ConversationKey, number>;

/** Whether one wrote there, as far as is loaded. */
export function hasParticipated({self, messages}: AccountState, key: ConversationKey): boolean {
  let counted = ownCounts.get(self);
  if (counted === undefined) {
    counted = countOf((message) => message.senderId === self.userId);
    ownCounts.set(self, counted);
  }
  return (counted(messages.byId).get(key) ?? 0) > 0;
}

function countOf(
  counts: (message: Message) => boolean,
): (messages: SortedMap<number, Message>) => MessageCounts {
  const add = (sum: MessageCounts, message: Message | undefined, step: number) => {
    if (message === undefined || !counts(message)) return;
    sum.set(message.conversationKey, (sum.get(message.conversationKey) ?? 0) + step);
  };
  return memoByChanges<number, Message, MessageCounts>(
    () => ({sum: new Map(), of: SortedMap.empty()}),
    (sum, _id, now, then) => {
      add(sum, then, -1);
      add(sum, now, 1);
    },
  );
}

/** How far back to look for three different people. */
const lookBack = 40;
const participantsOf = new WeakMap<SortedSet<number>, readonly number[]>();
const nobody: readonly number[] = [];

/** Who wrote there last, newest first, at most three; as far as is loaded. Whoever wrote a message never changes. */
export function lastSenderIds(
  {messages}: Pick<AccountState, 'messages'>,
  key: ConversationKey,
): readonly number[] {
  const ids = messages.byConversation.get(key);
  if (ids === undefined) return nobody;
  let senders = participantsOf.get(ids);
  if (senders === undefined) {
    senders = sendersAmong(messages.byId, ids);
    participantsOf.set(ids, senders);
  }
  return senders;
}

function sendersAmong(byId: SortedMap<number, Message>, ids: SortedSet<number>): readonly number[] {
  const senders: number[] = [];
  let id = ids.last();
  for (let looked = 0; id !== undefined && senders.length < 3 && looked < lookBack; looked += 1) {
    const sender = byId.get(id)?.senderId;
    if (sender !== undefined && !senders.includes(sender)) senders.push(sender);
    id = ids.before(id);
  }
  return senders;
}

type MuteState = Pick<AccountState, 'userTopics' | 'subscriptions' | 'mutedUsers'>;

/** A direct conversation counts as muted when everybody else in it is. `key` is the conversation's. */
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
  // As `isConversationMuted`, without spelling the key again.
  if (policy === undefined || policy === visibilityPolicies.none)
    return isChannelMuted(state, conversation.channelId);
  return policy === visibilityPolicies.muted;
}

export function isConversationFollowed(
  state: Pick<AccountState, 'userTopics'>,
  conversation: Conversation,
  key: ConversationKey = conversationKey(conversation),
): boolean {
  return conversation.kind === 'topic' && state.userTopics.get(key)?.policy === visibilityPolicies.followed;
}

import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import {type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import {SortedSet} from '#std/sorted-map.ts';
import type {NarrowTerm} from '#wire/narrow.ts';

export interface UnreadMessage {
  readonly id: number;
  readonly conversation: Conversation;
  readonly isMention: boolean;
}

/** Adds one message; if it is already unread, it moves to the given conversation. */
export function addUnread(unreads: Unreads, message: UnreadMessage): Unreads {
  return addUnreads(unreads, [message]);
}

/** Adds messages. Costs O(messages added), however many exist. Of a repeated id the last one counts. */
export function addUnreads(unreads: Unreads, added: readonly UnreadMessage[]): Unreads {
  const messages = added.length < 2 ? added : [...new Map(added.map((message) => [message.id, message])).values()];
  const elsewhere = messages.filter(({id, conversation}) => {
    const key = unreads.byId.get(id);
    return key !== undefined && key !== conversationKey(conversation);
  });
  const before = removeUnreads(
    unreads,
    elsewhere.map(({id}) => id),
  );
  const groups = Map.groupBy(messages, ({conversation}) => conversationKey(conversation));
  return withMentions([...groups].reduce(withIdsInConversation, before), messages);
}

/** Adds messages to a conversation, which takes the spelling of its latest message. They must not be in any other. */
function withIdsInConversation(
  unreads: Unreads,
  [key, messages]: readonly [ConversationKey, readonly UnreadMessage[]],
): Unreads {
  const [first] = messages;
  if (first === undefined) return unreads;
  const {conversation} = first;
  const ids = messages.map(({id}) => id);
  const before = unreads.conversations.get(key);
  const added = before === undefined ? ids : ids.filter((id) => !before.ids.has(id));
  const newest = ids.reduce((a, b) => Math.max(a, b), 0);
  const isLatest = newest >= (before?.ids.last() ?? 0);
  const spelled = before === undefined || isLatest ? conversation : before.conversation;
  if (added.length === 0 && (before === undefined || sameSpelling(before.conversation, spelled))) return unreads;
  const after = {
    key,
    conversation: spelled,
    ids: (before?.ids ?? SortedSet.empty<number>()).withAll(added),
  };
  return {
    ...unreads,
    byId: unreads.byId.edit((draft) => {
      for (const id of added) draft.set(id, key);
    }),
    conversations: unreads.conversations.with(key, after),
    channels: before === undefined ? withTopic(unreads.channels, conversation, key) : unreads.channels,
  };
}

function sameSpelling(a: Conversation, b: Conversation): boolean {
  return a.kind !== 'topic' || b.kind !== 'topic' || a.topic === b.topic;
}

function withTopic(
  channels: Unreads['channels'],
  conversation: Conversation,
  key: ConversationKey,
): Unreads['channels'] {
  if (conversation.kind === 'direct') return channels;
  const topics = channels.get(conversation.channelId) ?? SortedSet.empty<ConversationKey>();
  return channels.with(conversation.channelId, topics.with(key));
}

function withMentions(unreads: Unreads, messages: readonly UnreadMessage[]): Unreads {
  const idsOf = (wanted: boolean) => messages.flatMap(({id, isMention}) => (isMention === wanted ? id : []));
  const mentions = unreads.mentions.withAll(idsOf(true)).withoutAll(idsOf(false));
  return mentions === unreads.mentions ? unreads : {...unreads, mentions};
}

/** Sets whether an unread message mentions the user; ignores messages that are not unread. */
export function withMention(unreads: Unreads, id: number, isMention: boolean): Unreads {
  if (!unreads.byId.has(id) || unreads.mentions.has(id) === isMention) return unreads;
  return {...unreads, mentions: isMention ? unreads.mentions.with(id) : unreads.mentions.without(id)};
}

/** Removes messages; ids that are not unread are ignored. */
export function removeUnreads(unreads: Unreads, ids: Iterable<number>): Unreads {
  const removedIds = [...ids].filter((id) => unreads.byId.has(id));
  if (removedIds.length === 0) return unreads;
  const removed = Map.groupBy(removedIds, (id) => unreads.byId.get(id) ?? '');
  return {
    ...unreads,
    byId: unreads.byId.edit((draft) => {
      for (const id of removedIds) draft.delete(id);
    }),
    mentions: unreads.mentions.withoutAll(removedIds),
    ...[...removed].reduce(withoutIds, {conversations: unreads.conversations, channels: unreads.channels}),
  };
}

type ConversationIndexes = Pick<Unreads, 'conversations' | 'channels'>;

function withoutIds(
  indexes: ConversationIndexes,
  [key, ids]: readonly [ConversationKey, readonly number[]],
): ConversationIndexes {
  const before = indexes.conversations.get(key);
  if (before === undefined) return indexes;
  const remaining = before.ids.withoutAll(ids);
  if (remaining.size > 0) {
    return {...indexes, conversations: indexes.conversations.with(key, {...before, ids: remaining})};
  }
  return {
    conversations: indexes.conversations.without(key),
    channels: withoutTopic(indexes.channels, before.conversation, key),
  };
}

function withoutTopic(
  channels: Unreads['channels'],
  conversation: Conversation,
  key: ConversationKey,
): Unreads['channels'] {
  if (conversation.kind === 'direct') return channels;
  const remaining = channels.get(conversation.channelId)?.without(key);
  if (remaining === undefined) return channels;
  return remaining.size === 0
    ? channels.without(conversation.channelId)
    : channels.with(conversation.channelId, remaining);
}

/** Moves the unread ones among the ids to another conversation; their mentions stay. */
export function moveUnreads(unreads: Unreads, ids: Iterable<number>, conversation: Conversation): Unreads {
  const moved = [...ids].filter((id) => unreads.byId.has(id));
  if (moved.length === 0) return unreads;
  return addUnreads(
    unreads,
    moved.map((id) => ({id, conversation, isMention: unreads.mentions.has(id)})),
  );
}

/** Removes the unreads of a channel that the user no longer subscribes to. */
export function clearChannelUnreads(unreads: Unreads, channelId: number): Unreads {
  const topics = unreads.channels.get(channelId);
  if (topics === undefined) return unreads;
  return removeUnreads(
    unreads,
    [...topics].flatMap((key) => unreads.conversations.get(key)?.ids.toArray() ?? []),
  );
}

/** Removes all unreads, including those that the server left out. */
export function clearAllUnreads(unreads: Unreads): Unreads {
  return unreads.byId.size === 0 && !unreads.oldMissing ? unreads : noUnreads;
}

/**
 * Returns the unread messages that a view shows, ascending. Terms about conversations, mentions and stars are evaluated
 * for all unread messages, loaded or not; terms that only the server understands follow the open timeline. `onUnknown` is
 * called for each message of which neither says whether the view shows it.
 */
export function unreadIdsOf(state: AccountState, narrow: Narrow, onUnknown?: () => void): number[] {
  if (narrow.some((term) => isUnread(term) && term.negated === true)) return [];
  const terms = narrow.filter((term) => term.operator !== 'near' && !isUnread(term));
  if (terms.length === 0) return [...state.unreads.byId.keys()];
  const unmentioned = terms.filter((term) => !isMentioned(term));
  const timeline = state.timelines.get(narrowKey(narrow));
  const isWhole = timeline?.hasOldest === true && timeline.hasNewest && !timeline.isStale;
  const ids = conversationsIn(state, terms).flatMap(({conversation, ids}) =>
    ids.toArray().filter((id) => {
      const candidate = {id, conversation, message: state.messages.byId.get(id)};
      const verdict = matchesNarrow(state, state.unreads.mentions.has(id) ? unmentioned : terms, candidate);
      if (verdict !== undefined) return verdict;
      const isListed = timeline?.ids.has(id) === true;
      if (!isListed && !isWhole) onUnknown?.();
      return isListed;
    }),
  );
  return ids.sort((a, b) => a - b);
}

function isUnread({operator, operand}: NarrowTerm): boolean {
  return operator === 'is' && operand === 'unread';
}

function isMentioned({operator, operand, negated}: NarrowTerm): boolean {
  return operator === 'is' && operand === 'mentioned' && negated !== true;
}

const directOperators: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-pm-with']);

/** Returns the conversations that can contain matches; terms for one channel avoid visiting all others. */
function conversationsIn({unreads}: AccountState, terms: Narrow): readonly ConversationUnreads[] {
  const {conversations, channels} = unreads;
  const all = () => [...conversations.values()];
  // `with` refers to a conversation that may have moved anywhere.
  if (terms.some(({operator}) => operator === 'with')) return all();
  const positive = terms.filter(({negated}) => negated !== true);
  const channel = positive.find(({operator}) => operator === 'channel')?.operand;
  if (typeof channel === 'number') {
    return [...(channels.get(channel) ?? [])].flatMap((key) => conversations.get(key) ?? []);
  }
  const isDirect = positive.some(
    ({operator, operand}) => directOperators.has(operator) || (operator === 'is' && operand === 'dm'),
  );
  return isDirect ? all().filter(({conversation}) => conversation.kind === 'direct') : all();
}

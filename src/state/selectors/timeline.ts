import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import {countedUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';

export function timelineOf(state: Pick<AccountState, 'timelines'>, narrow: Narrow): Timeline | undefined {
  return state.timelines.get(narrowKey(narrow));
}

/** Returns the outbox entries that a view shows, in sending order, without those whose message is loaded. */
export function unsentEntriesIn(state: AccountState, narrow: Narrow): readonly OutboxEntry[] {
  return state.outbox
    .filter(({messageId}) => messageId === undefined || !state.messages.byId.has(messageId))
    .filter((entry) => messageMatchesNarrow(state, narrow, futureMessage(state, entry)) === true)
    .toSorted((a, b) => a.order - b.order);
}

/** Returns the message that an entry will become, as far as needed to match narrows. It has no id yet. */
function futureMessage({self}: AccountState, {conversation, content, createdAt}: OutboxEntry): Message {
  const common = {
    id: -1,
    conversationKey: conversationKey(conversation),
    senderId: self.userId,
    senderName: '',
    content,
    timestamp: Math.floor(createdAt / 1000),
    flags: [],
    reactions: [],
    submessages: [],
    isMe: false,
    editedAt: undefined,
    movedAt: undefined,
  };
  return conversation.kind === 'topic'
    ? {...common, ...conversation, kind: 'channel', topicLinks: []}
    : {...common, ...conversation, names: {}};
}

/** Returns the oldest unread message of a view, loaded or not where that can be known; undefined when there is none. */
export function firstUnreadId(state: AccountState, narrow: Narrow): number | undefined {
  let first: number | undefined;
  for (const ids of unreadParts(state, narrow)) {
    const id = ids.first();
    if (id !== undefined && (first === undefined || id < first)) first = id;
  }
  return first;
}

/** Returns the number of unread messages of a view, loaded or not where that can be known. */
export function unreadCountIn(state: AccountState, narrow: Narrow): number {
  let count = 0;
  for (const ids of unreadParts(state, narrow)) count += ids.size;
  return count;
}

interface Ids {
  readonly size: number;
  first(): number | undefined;
}

/** Returns the unread messages of a view in disjoint parts. */
function unreadParts(state: AccountState, narrow: Narrow): readonly Ids[] {
  const terms = narrow.filter(({operator}) => operator !== 'near' && operator !== 'with');
  const {unreads} = state;
  const conversation = conversationOfNarrow(terms);
  if (conversation !== undefined) return listOf(unreads.conversations.get(conversationKey(conversation))?.ids);
  const [term] = terms;
  if (terms.length > 1 || term?.negated === true) return loadedUnreads(state, narrow);
  if (term === undefined) return conversationParts(state, () => true);
  const {operator, operand} = term;
  if (operator === 'channel') {
    const keys = [...(unreads.channels.get(Number(operand)) ?? [])];
    return keys.flatMap((key) => listOf(unreads.conversations.get(key)?.ids));
  }
  if (operator === 'in') return operand === 'all' ? conversationParts(state, () => true) : feedParts(state);
  if (operator !== 'is') return loadedUnreads(state, narrow);
  if (operand === 'unread') return conversationParts(state, () => true);
  if (operand === 'dm') return conversationParts(state, ({kind}) => kind === 'direct');
  if (operand === 'mentioned') return [countedUnreads(state).mentions];
  return loadedUnreads(state, narrow);
}

function listOf(ids: Ids | undefined): readonly Ids[] {
  return ids === undefined ? [] : [ids];
}

function conversationParts(state: AccountState, isIncluded: (conversation: Conversation) => boolean): readonly Ids[] {
  return [...countedUnreads(state).conversations.values()]
    .filter(({conversation}) => isIncluded(conversation))
    .map(({ids}) => ids);
}

/** Returns what is not muted, and mentions everywhere. */
function feedParts(state: AccountState): readonly Ids[] {
  const unreads = countedUnreads(state);
  const isUnmuted = (conversation: Conversation) => !isConversationMuted(state, conversation);
  const mentions = [...unreads.mentions].filter((id) => {
    const unread = unreads.conversations.get(unreads.byId.get(id) ?? '');
    return unread !== undefined && !isUnmuted(unread.conversation);
  });
  return [...conversationParts(state, isUnmuted), {size: mentions.length, first: () => mentions[0]}];
}

/** Returns loaded unread messages, for a view that only the server can evaluate. */
function loadedUnreads(state: AccountState, narrow: Narrow): readonly Ids[] {
  const timeline = timelineOf(state, narrow);
  if (timeline === undefined) return [];
  const unread = [...timeline.ids].filter((id) => state.unreads.byId.has(id));
  return [{size: unread.length, first: () => unread[0]}];
}

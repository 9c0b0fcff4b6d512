import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';

export function timelineOf(state: Pick<AccountState, 'timelines'>, narrow: Narrow): Timeline | undefined {
  return state.timelines.get(narrowKey(narrow));
}

/** What one has written and not yet sent, as far as a view shows it: in the order it will be sent, without what has arrived. */
export function unsentEntriesIn(state: AccountState, narrow: Narrow): readonly OutboxEntry[] {
  return state.outbox
    .filter(({messageId}) => messageId === undefined || !state.messages.byId.has(messageId))
    .filter((entry) => messageMatchesNarrow(state, narrow, messageOf(state, entry)) === true)
    .toSorted((a, b) => a.order - b.order);
}

/** What an entry will be once it is sent, as far as it takes to tell where it belongs. It has no number yet. */
function messageOf({self}: AccountState, {conversation, content, createdAt}: OutboxEntry): Message {
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

/** The oldest unread message a view shows, loaded or not where that can be known; undefined when there is none. */
export function firstUnreadId(state: AccountState, narrow: Narrow): number | undefined {
  let first: number | undefined;
  for (const ids of unreadParts(state, narrow)) {
    const id = ids.first();
    if (id !== undefined && (first === undefined || id < first)) first = id;
  }
  return first;
}

/** How many unread messages a view shows, loaded or not where that can be known. */
export function unreadCountIn(state: AccountState, narrow: Narrow): number {
  let count = 0;
  for (const ids of unreadParts(state, narrow)) count += ids.size;
  return count;
}

interface Ids {
  readonly size: number;
  first(): number | undefined;
}

/** The unread messages of a view, in parts that do not overlap. */
function unreadParts(state: AccountState, narrow: Narrow): readonly Ids[] {
  const terms = narrow.filter(({operator}) => operator !== 'near' && operator !== 'with');
  const {unreads} = state;
  const conversation = conversationOfNarrow(terms);
  if (conversation !== undefined)
    return present(unreads.conversations.get(conversationKey(conversation))?.ids);
  const [term] = terms;
  if (terms.length > 1 || term?.negated === true) return loadedUnreads(state, narrow);
  if (term === undefined) return conversationParts(state, () => true);
  const {operator, operand} = term;
  if (operator === 'channel') {
    const keys = [...(unreads.channels.get(Number(operand)) ?? [])];
    return keys.flatMap((key) => present(unreads.conversations.get(key)?.ids));
  }
  if (operator === 'in') return operand === 'all' ? conversationParts(state, () => true) : feedParts(state);
  if (operator !== 'is') return loadedUnreads(state, narrow);
  if (operand === 'unread') return conversationParts(state, () => true);
  if (operand === 'dm') return conversationParts(state, ({kind}) => kind === 'direct');
  if (operand === 'mentioned') return [unreads.mentions];
  return loadedUnreads(state, narrow);
}

function present(ids: Ids | undefined): readonly Ids[] {
  return ids === undefined ? [] : [ids];
}

function conversationParts(
  {unreads}: AccountState,
  counts: (conversation: Conversation) => boolean,
): readonly Ids[] {
  return [...unreads.conversations.values()]
    .filter(({conversation}) => counts(conversation))
    .map(({ids}) => ids);
}

/** What is not muted, and mentions wherever they are. */
function feedParts(state: AccountState): readonly Ids[] {
  const {unreads} = state;
  const isHeard = (conversation: Conversation) => !isConversationMuted(state, conversation);
  const mentions = [...unreads.mentions].filter((id) => {
    const there = unreads.conversations.get(unreads.byId.get(id) ?? '');
    return there !== undefined && !isHeard(there.conversation);
  });
  return [...conversationParts(state, isHeard), {size: mentions.length, first: () => mentions[0]}];
}

/** For a view only the server can tell the members of: those loaded. */
function loadedUnreads(state: AccountState, narrow: Narrow): readonly Ids[] {
  const timeline = timelineOf(state, narrow);
  if (timeline === undefined) return [];
  const unread = [...timeline.ids].filter((id) => state.unreads.byId.has(id));
  return [{size: unread.length, first: () => unread[0]}];
}

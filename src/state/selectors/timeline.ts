import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {type Narrow, narrowConversation, narrowKey} from '#state/model/narrow.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {matches} from '#state/timelines/membership.ts';
import {isMuted} from './signs.ts';

export type TimelineRow =
  | {readonly kind: 'message'; readonly id: number}
  | {readonly kind: 'outbox'; readonly entry: OutboxEntry};

export interface TimelineWindow {
  /** Around this message, or where it would be; the newest without. */
  readonly anchor?: number | undefined;
  /** At most so many messages before the anchor, and from it on. */
  readonly before?: number;
  readonly after?: number;
}

export function timelineOf(state: Pick<AccountState, 'timelines'>, narrow: Narrow): Timeline | undefined {
  return state.timelines.get(narrowKey(narrow));
}

/** Costs the window and the outbox, whatever is loaded. What one has written and not yet sent stands at the end. */
export function timelineRows(
  state: AccountState,
  narrow: Narrow,
  {anchor, before = 100, after = 100}: TimelineWindow = {},
): readonly TimelineRow[] {
  const timeline = timelineOf(state, narrow);
  if (timeline === undefined) return [];
  const ids: number[] = [];
  const from = anchor ?? Number.POSITIVE_INFINITY;
  let id = timeline.ids.before(from);
  while (id !== undefined && ids.length < before) {
    ids.push(id);
    id = timeline.ids.before(id);
  }
  ids.reverse();
  let reachesEnd = true;
  let taken = 0;
  for (const later of anchor === undefined ? [] : timeline.ids.from(anchor)) {
    reachesEnd = taken < after;
    if (!reachesEnd) break;
    ids.push(later);
    taken += 1;
  }
  const rows: TimelineRow[] = ids.map((messageId) => ({kind: 'message', id: messageId}));
  if (reachesEnd && timeline.hasNewest) rows.push(...unsentRows(state, narrow));
  return rows;
}

/** In the order they will be sent, without those that have arrived. */
export function unsentRows(state: AccountState, narrow: Narrow): readonly TimelineRow[] {
  return state.outbox
    .filter(({messageId}) => messageId === undefined || !state.messages.byId.has(messageId))
    .filter((entry) => matches(state, narrow, messageOf(state, entry)) === true)
    .toSorted((a, b) => a.order - b.order)
    .map((entry) => ({kind: 'outbox', entry}));
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

export function messageAfter(state: AccountState, narrow: Narrow, id: number): number | undefined {
  return timelineOf(state, narrow)?.ids.after(id);
}

export function messageBefore(state: AccountState, narrow: Narrow, id: number): number | undefined {
  return timelineOf(state, narrow)?.ids.before(id);
}

/** The oldest unread message a view shows, loaded or not where that can be known; undefined when there is none. */
export function firstUnread(state: AccountState, narrow: Narrow): number | undefined {
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
  const conversation = narrowConversation(terms);
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
  if (operator === 'in') return conversationParts(state, (to) => operand === 'all' || !isMuted(state, to));
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

/** For a view only the server can tell the members of: those loaded. */
function loadedUnreads(state: AccountState, narrow: Narrow): readonly Ids[] {
  const timeline = timelineOf(state, narrow);
  if (timeline === undefined) return [];
  const unread = [...timeline.ids].filter((id) => state.unreads.byId.has(id));
  return [{size: unread.length, first: () => unread[0]}];
}

import {withSlices} from '#state/immutable-updates.ts';
import {
  canBeUnread,
  conversationOfDetails,
  leavesOwnMessages,
  movedFrom,
  movedTo,
} from '#state/messages/event-conversations.ts';
import {withLoggedEvent} from '#state/messages/event-log.ts';
import {
  withLatestMessages,
  withoutLatestMessages,
  withoutTopic,
  withTopicMessage,
} from '#state/messages/latest-messages.ts';
import {
  confirmedMessage,
  conversationOf,
  withMessage,
  withMessages,
  withServerConfirmed,
} from '#state/messages/loaded-messages.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {withArrivedMessage} from '#state/messages/message-arrivals.ts';
import {
  flaggedMessage,
  reactedMessage,
  updatedMessage,
  withoutReadFlag,
  withSubmessage,
} from '#state/messages/message-changes.ts';
import {withEdits, withoutTypingUser, withTypingUser} from '#state/messages/typing-users.ts';
import {sameConversation} from '#state/model/conversation.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import {timelineAfterEvent} from '#state/timelines/timeline-after-event.ts';
import {mapTimelines, withLiveMessage} from '#state/timelines/timeline-changes.ts';
import {
  addUnread,
  addUnreads,
  clearAllUnreads,
  moveUnreads,
  removeUnreads,
  type UnreadMessage,
  withMention,
} from '#state/unreads/unreads.ts';
import {isMove} from '#wire/events/messages.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {isHidden} from './channel-access.ts';
import {applyDeleteMessage} from './delete-message.ts';
import {applyTyping, applyTypingEditMessage} from './typing.ts';

function applyMessage(state: AccountState, event: EventOf<'message'>): AccountState {
  const {id} = event.message;
  const message = messageFromWire(event.message, withoutReadFlag(event.flags), state.self.userId);
  // Events may follow the one that took the channel away.
  if (message.kind === 'channel' && isHidden(state, message.channelId)) return state;
  const isUnread = !event.flags.includes('read');
  const known = confirmedMessage(state.messages, id);
  // The event is a repetition. Views opened since then may still lack the message.
  if (known !== undefined && !state.arrivals.awaited.has(id)) return withTimelinesUpdated(state, known);
  const arrived = withSlices(state, {arrivals: withArrivedMessage(state.arrivals, id)});
  // The version from a response may be newer than the event.
  return withNewMessage(withUnread(arrived, message, isUnread), known ?? message);
}

function withUnread(state: AccountState, message: Message, isUnread: boolean): AccountState {
  if (!isUnread) return state;
  const {id, flags} = message;
  const conversation = conversationOf(message);
  const isMention = mentionsUser(state, flags, conversation);
  return withSlices(state, {unreads: addUnread(state.unreads, {id, conversation, isMention})});
}

/** Adds a new message to every slice except the unreads. */
export function withNewMessage(state: AccountState, message: Message): AccountState {
  const {id, senderId, conversationKey: key} = message;
  return withTimelinesUpdated(
    withSlices(state, {
      messages: withMessage(withServerConfirmed(state.messages, [id]), message),
      starred: message.flags.includes('starred') ? state.starred.with(id) : state.starred,
      ...withLatestMessages(state, [message]),
      maxMessageId: Math.max(state.maxMessageId, id),
      typing: withoutTypingUser(state.typing, key, senderId),
    }),
    message,
  );
}

function withTimelinesUpdated(state: AccountState, message: Message): AccountState {
  return withSlices(state, {
    timelines: mapTimelines(state, (timeline) => withLiveMessage(state, timeline, message)),
  });
}

function applyUpdateMessage(state: AccountState, event: EventOf<'update_message'>): AccountState {
  const ids = new Set([event.message_id, ...event.message_ids]);
  const leavesOwn = leavesOwnMessages(state, event);
  const updated = [...ids].flatMap((id) => {
    const message = state.messages.byId.get(id);
    return message === undefined ? [] : updatedMessage(message, event, leavesOwn);
  });
  const edited = withSlices(state, {
    messages: withMessages(state.messages, updated),
    typing: withoutEditor(state, event),
    starred: leavesOwn ? withoutStars(state.starred, ids) : state.starred,
  });
  const withUnreads = withSlices(edited, {
    unreads: withMentionsUpdated(edited, event, isMove(event) ? unreadsMoved(edited, event) : edited.unreads),
  });
  const after = withSlices(withUnreads, {
    timelines: mapTimelines(withUnreads, (timeline) => timelineAfterEvent(withUnreads, timeline, event)),
  });
  return isMove(event) ? withSlices(after, {topics: topicsAfterMove(after, event)}) : after;
}

function withoutStars(starred: AccountState['starred'], ids: ReadonlySet<number>): AccountState['starred'] {
  const lost = [...ids].filter((id) => starred.has(id));
  return lost.length === 0 ? starred : starred.withoutAll(lost);
}

function withoutEditor({typing}: AccountState, event: EventOf<'update_message'>): AccountState['typing'] {
  if (event.content === undefined || event.user_id === undefined || event.user_id === null) return typing;
  return withEdits(typing, withTypingUser(typing.edits, event.message_id, event.user_id, undefined));
}

/** Moves unread messages by id, loaded or not. In a channel without subscription nothing is unread. */
function unreadsMoved(
  {unreads, subscriptions}: AccountState,
  event: EventOf<'update_message'>,
): AccountState['unreads'] {
  const conversation = movedTo(event);
  if (conversation === undefined) return unreads;
  return canBeUnread({subscriptions}, conversation)
    ? moveUnreads(unreads, event.message_ids, conversation)
    : removeUnreads(unreads, event.message_ids);
}

/**
 * Updates the mentions. The event has the flags of one message only; a move may take the others to a topic
 * where wildcard mentions count, or do not.
 */
function withMentionsUpdated(
  state: AccountState,
  event: EventOf<'update_message'>,
  unreads: AccountState['unreads'],
): AccountState['unreads'] {
  const moved = isMove(event) ? event.message_ids : [];
  return [...moved, event.message_id].reduce((index, id) => {
    const key = index.byId.get(id);
    const conversation = key === undefined ? undefined : index.conversations.get(key)?.conversation;
    const flags = id === event.message_id ? event.flags : state.messages.byId.get(id)?.flags;
    if (conversation === undefined || flags === undefined) return index;
    return withMention(index, id, mentionsUser(state, flags, conversation));
  }, unreads);
}

function topicsAfterMove(state: AccountState, event: EventOf<'update_message'>): AccountState['topics'] {
  const [from, to] = [movedFrom(event), movedTo(event)];
  const newest = event.message_ids.reduce((a, b) => Math.max(a, b), event.message_id);
  const topics = to === undefined ? state.topics : withTopicMessage(state.topics, to.channelId, to.topic, newest);
  if (from === undefined || (to !== undefined && sameConversation(from, to))) return topics;
  if (event.propagate_mode === 'change_all') return withoutTopic(topics, from.channelId, from.topic);
  return withoutLatestMessages({...state, topics}, from, new Set(event.message_ids)).topics;
}

function applyUpdateMessageFlags(state: AccountState, event: EventOf<'update_message_flags'>): AccountState {
  const flagged = event.messages.flatMap((id) => {
    const message = state.messages.byId.get(id);
    return message === undefined ? [] : flaggedMessage(message, event);
  });
  const after = withSlices(state, {
    messages: withMessages(state.messages, flagged),
    starred: event.flag === 'starred' ? starredAfter(state, event) : state.starred,
    unreads: event.flag === 'read' ? unreadsAfter(state, event) : state.unreads,
  });
  return withSlices(after, {
    timelines: mapTimelines(after, (timeline) => timelineAfterEvent(after, timeline, event)),
  });
}

function starredAfter({starred}: AccountState, event: EventOf<'update_message_flags'>): AccountState['starred'] {
  const changed = event.messages.filter((id) => starred.has(id) !== (event.op === 'add'));
  if (changed.length === 0) return starred;
  return event.op === 'add' ? starred.withAll(changed) : starred.withoutAll(changed);
}

function unreadsAfter(state: AccountState, event: EventOf<'update_message_flags'>): AccountState['unreads'] {
  if (event.op === 'remove') return addUnreads(state.unreads, markedUnread(state, event));
  return event.all === true ? clearAllUnreads(state.unreads) : removeUnreads(state.unreads, event.messages);
}

/** Returns the messages that became unread. Servers that do not name the conversations mark only loaded messages. */
function markedUnread(state: AccountState, event: EventOf<'update_message_flags', 'remove'>): UnreadMessage[] {
  return event.messages.flatMap((id): UnreadMessage[] => {
    const details = event.message_details?.[id];
    const message = state.messages.byId.get(id);
    const conversation =
      details !== undefined ? conversationOfDetails(state, details) : message && conversationOf(message);
    if (conversation === undefined || !canBeUnread(state, conversation)) return [];
    const isMention = details?.mentioned === true || mentionsUser(state, message?.flags ?? [], conversation);
    return [{id, conversation, isMention}];
  });
}

function applyReaction(state: AccountState, event: EventOf<'reaction'>): AccountState {
  const message = state.messages.byId.get(event.message_id);
  const after =
    message === undefined
      ? state
      : withSlices(state, {messages: withMessage(state.messages, reactedMessage(message, event))});
  return withSlices(after, {
    timelines: mapTimelines(after, (timeline) => timelineAfterEvent(after, timeline, event)),
  });
}

function applySubmessage(state: AccountState, event: EventOf<'submessage'>): AccountState {
  const message = state.messages.byId.get(event.message_id);
  if (message === undefined) return state;
  return withSlices(state, {messages: withMessage(state.messages, withSubmessage(message, event))});
}

/** Logs the event too: responses in flight are updated with it when they arrive. */
function withEventLogged<E extends ServerEvent>(apply: (state: AccountState, event: E) => AccountState) {
  return (state: AccountState, event: E): AccountState => {
    const after = apply(state, event);
    const log = withLoggedEvent(after, event, after === state ? state.messages.byId : undefined);
    return log === after.log ? after : {...after, log};
  };
}

/** The appliers of events about messages and typing. */
export const messageAppliers = {
  message: withEventLogged(applyMessage),
  update_message: withEventLogged(applyUpdateMessage),
  delete_message: withEventLogged(applyDeleteMessage),
  update_message_flags: withEventLogged(applyUpdateMessageFlags),
  reaction: withEventLogged(applyReaction),
  submessage: withEventLogged(applySubmessage),
  typing: applyTyping,
  typing_edit_message: applyTypingEditMessage,
} satisfies Partial<Appliers>;

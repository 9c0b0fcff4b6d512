import type {Appliers, StateEvent} from '#state/local-events.ts';
import {
  canBeUnread,
  conversationOfDetails,
  leavesOwnMessages,
  listsOwnMessages,
  mentionsUser,
  movedFrom,
  movedTo,
} from '#state/messages/event-conversations.ts';
import {
  flaggedMessage,
  reactedMessage,
  updatedMessage,
  withLoggedEvent,
  withoutReadFlag,
  withSubmessage,
} from '#state/messages/event-log.ts';
import {
  confirmedMessage,
  conversationOf,
  withArrivedMessage,
  withLatestMessages,
  withMessages,
  withoutLatestMessages,
  withoutMessages,
  withoutTopic,
  withServerConfirmed,
  withTopicMessage,
} from '#state/messages/loaded-messages.ts';
import {type Conversation, conversationKey, sameConversation, topicConversationKey} from '#state/model/conversation.ts';
import {type Message, messageFromWire} from '#state/model/message.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow} from '#state/model/narrow.ts';
import {canReadChannel, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {withEdits, withoutTypingUser, withTypingUser} from '#state/slices/typing.ts';
import type {AccountState} from '#state/state.ts';
import {
  mapTimelines,
  withLiveMessage,
  withoutMessageIds,
  withTimelinesAfter,
} from '#state/timelines/timeline-changes.ts';
import {
  addUnread,
  addUnreads,
  clearAllUnreads,
  moveUnreads,
  removeUnreads,
  type UnreadMessage,
  withMention,
} from '#state/unreads/unreads.ts';
import {withSlices} from '#state/with-slices.ts';
import {deletedChannelIds} from '#wire/events/channels.ts';
import {deletedIds, isMove} from '#wire/events/messages.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';

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
  // A bot gets messages that mention it also from channels without a subscription, where nothing counts as unread.
  const isElsewhere = conversation.kind === 'topic' && state.channels.has(conversation.channelId);
  if (isElsewhere && !canBeUnread(state, conversation)) return state;
  const isMention = mentionsUser(state, flags, conversation);
  return withSlices(state, {unreads: addUnread(state.unreads, {id, conversation, isMention})});
}

/** Adds a new message to every slice except the unreads. */
export function withNewMessage(state: AccountState, message: Message): AccountState {
  const {id, senderId, conversationKey: key} = message;
  return withTimelinesUpdated(
    withSlices(state, {
      messages: withMessages(withServerConfirmed(state.messages, [id]), [message]),
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
    starred: leavesOwn ? state.starred.withoutAll(ids) : state.starred,
  });
  const withUnreads = withSlices(edited, {
    unreads: withMentionsUpdated(edited, event, isMove(event) ? unreadsMoved(edited, event) : edited.unreads),
  });
  const after = withTimelinesAfter(withUnreads, event);
  return isMove(event) ? withSlices(after, {topics: topicsAfterMove(after, event)}) : after;
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
  return withTimelinesAfter(after, event);
}

function starredAfter({starred}: AccountState, event: EventOf<'update_message_flags'>): AccountState['starred'] {
  return event.op === 'add' ? starred.withAll(event.messages) : starred.withoutAll(event.messages);
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
      : withSlices(state, {messages: withMessages(state.messages, [reactedMessage(message, event)])});
  return withTimelinesAfter(after, event);
}

function applySubmessage(state: AccountState, event: EventOf<'submessage'>): AccountState {
  const message = state.messages.byId.get(event.message_id);
  if (message === undefined) return state;
  return withSlices(state, {messages: withMessages(state.messages, [withSubmessage(message, event)])});
}

/** Logs the event too: responses in flight are updated with it when they arrive. */
function withEventLogged<E extends ServerEvent>(apply: (state: AccountState, event: E) => AccountState) {
  return (state: AccountState, event: E): AccountState => {
    const after = apply(state, event);
    const log = withLoggedEvent(after, event, after === state ? state.messages.byId : undefined);
    return log === after.log ? after : {...after, log};
  };
}

/** The appliers of events about messages. */
export const messageAppliers = {
  message: withEventLogged(applyMessage),
  update_message: withEventLogged(applyUpdateMessage),
  delete_message: withEventLogged(applyDeleteMessage),
  update_message_flags: withEventLogged(applyUpdateMessageFlags),
  reaction: withEventLogged(applyReaction),
  submessage: withEventLogged(applySubmessage),
} satisfies Partial<Appliers>;

function applyDeleteMessage(state: AccountState, event: EventOf<'delete_message'>): AccountState {
  const ids = deletedIds(event);
  const edits = ids.reduce((remaining, id) => remaining.without(id), state.typing.edits);
  const withoutDeleted = withSlices(state, {
    messages: withoutMessages(state.messages, ids),
    unreads: removeUnreads(state.unreads, ids),
    starred: state.starred.withoutAll(ids),
    timelines: withoutIds(state, ids),
    typing: withEdits(state.typing, edits),
  });
  const deleted = new Set(ids);
  return conversationsOfDeleted(state, event, ids).reduce(
    (after, conversation) => withSlices(after, withoutLatestMessages(after, conversation, deleted)),
    withoutDeleted,
  );
}

function withoutIds(state: AccountState, ids: readonly number[]): AccountState['timelines'] {
  return mapTimelines(state, (timeline) => withoutMessageIds(timeline, ids));
}

/** Returns the conversations of deleted messages. Events about direct messages do not name the conversation. */
function conversationsOfDeleted(
  state: AccountState,
  event: EventOf<'delete_message'>,
  ids: readonly number[],
): Conversation[] {
  const conversations = new Map<string, Conversation>();
  const add = (conversation: Conversation) => conversations.set(conversationKey(conversation), conversation);
  if (event.stream_id !== undefined && event.topic !== undefined) {
    add({kind: 'topic', channelId: event.stream_id, topic: event.topic});
  }
  for (const id of ids) {
    const message = state.messages.byId.get(id);
    const key = state.unreads.byId.get(id);
    const unread = key === undefined ? undefined : state.unreads.conversations.get(key);
    const conversation = message === undefined ? unread?.conversation : conversationOf(message);
    if (conversation !== undefined) add(conversation);
  }
  if (event.message_type === 'private') {
    const deleted = new Set(ids);
    for (const {userIds, maxId} of state.directs.values()) {
      if (deleted.has(maxId)) add({kind: 'direct', userIds});
    }
  }
  return [...conversations.values()];
}

/**
 * Removes what the user may no longer read after an event, and marks views stale that lack what they may read now, or
 * what they missed without a subscription. Returns `after` when the event changes no access.
 */
export function withAccessChanges(before: AccountState, after: AccountState, event: StateEvent): AccountState {
  if (before === after) return after;
  return affectedChannelIds(before, event).reduce((state, id) => withChannelAccess(before, state, id), after);
}

function affectedChannelIds({self, channels}: AccountState, event: StateEvent): readonly number[] {
  switch (event.type) {
    case 'subscription':
      return event.op === 'add' || event.op === 'remove' ? event.subscriptions.map(({stream_id}) => stream_id) : [];
    case 'stream':
      if (event.op === 'update') return [event.stream_id];
      return event.op === 'delete' ? deletedChannelIds(event) : event.streams.map(({stream_id}) => stream_id);
    case 'update_message':
      return event.new_stream_id === undefined ? [] : [event.new_stream_id];
    case 'user_group':
      return [...channels.keys()];
    case 'realm_user':
      return event.op === 'update' && event.person.user_id === self.userId && event.person.role !== undefined
        ? [...channels.keys()]
        : [];
    default:
      return [];
  }
}

/** Returns whether the user may not be able to read some channel, or some moved message, any more after the event. */
export function mayHideChannels(event: StateEvent): boolean {
  switch (event.type) {
    case 'subscription':
      return event.op === 'remove';
    case 'stream':
      if (event.op === 'update') return event.property === 'invite_only' || event.property.startsWith('can_');
      return event.op === 'delete';
    case 'update_message':
      return event.new_stream_id !== undefined;
    case 'user_group':
      return true;
    case 'realm_user':
      return event.op === 'update' && event.person.role !== undefined;
    default:
      return false;
  }
}

function withChannelAccess(before: AccountState, after: AccountState, id: number): AccountState {
  if (isHidden(after, id)) return withoutMessagesOf(after, id);
  const channel = after.channels.get(id);
  if (channel === undefined) return after;
  if (!isReadable(before, id)) {
    // Nothing can be missing from a new channel.
    return channel.firstMessageId === null ? after : withStaleTimelines(after, (narrow) => mayShow(narrow, id));
  }
  if (isSubscribed(before, id) || !isSubscribed(after, id)) return after;
  return withStaleTimelines(after, (narrow) => channelIdOfNarrow(narrow) === id);
}

/**
 * Returns whether the user may not read the channel's messages any more. A channel that is unknown for another reason,
 * such as an event that is still to come, is not hidden.
 */
export function isHidden(state: AccountState, channelId: number): boolean {
  if (state.formerChannels.has(channelId)) return state.server.abilities.deletedChannelsAreGone;
  return state.channels.has(channelId) && !isReadable(state, channelId);
}

/** A member becomes a full member with time; events do not say so, so the time of the registration counts. */
function isReadable(state: AccountState, channelId: number): boolean {
  const channel = state.channels.get(channelId);
  const nowMs = state.presences.registeredAt ?? Number.MAX_SAFE_INTEGER;
  return channel !== undefined && canReadChannel(state, channel, nowMs);
}

/** Removes the messages and topics of a channel from every view. */
function withoutMessagesOf(state: AccountState, id: number): AccountState {
  const message_ids: number[] = [];
  const prefix = topicConversationKey(id, '');
  for (const [key, ids] of state.messages.byConversation.entries(prefix)) {
    if (!key.startsWith(prefix)) break;
    for (const messageId of ids) message_ids.push(messageId);
  }
  const after = withMessagesRemoved(state, message_ids);
  return withSlices(after, {topics: after.topics.without(id)});
}

/** Removes messages as if they were deleted, except that the server still counts them as starred. */
export function withMessagesRemoved(state: AccountState, message_ids: readonly number[]): AccountState {
  if (message_ids.length === 0) return state;
  const event: EventOf<'delete_message'> = {
    id: -1,
    type: 'delete_message',
    message_type: 'stream',
    message_ids: [...message_ids],
  };
  return withSlices(applyDeleteMessage(state, event), {starred: state.starred});
}

function withStaleTimelines(state: AccountState, isAffected: (narrow: Narrow) => boolean): AccountState {
  const timelines = mapTimelines(state, (timeline) => {
    const becameStaleWhileLoading = timeline.loading === 'first';
    if (!isAffected(timeline.narrow) || (timeline.isStale && !becameStaleWhileLoading)) return timeline;
    return {...timeline, isStale: true, becameStaleWhileLoading};
  });
  return withSlices(state, {timelines});
}

function mayShow(narrow: Narrow, channelId: number): boolean {
  if (conversationOfNarrow(narrow)?.kind === 'direct') return false;
  return listsOwnMessages(narrow) || (channelIdOfNarrow(narrow) ?? channelId) === channelId;
}

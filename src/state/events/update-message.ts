import {withSlices} from '#state/immutable-updates.ts';
import {canBeUnread, movedFrom, movedTo} from '#state/messages/event-conversations.ts';
import {withoutLatestMessages, withoutTopic, withTopicMessage} from '#state/messages/latest-messages.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {updatedMessage} from '#state/messages/message-changes.ts';
import {leavesOwnMessages} from '#state/messages/own-messages.ts';
import {withEdits, withTypingUser} from '#state/messages/typing-users.ts';
import {sameConversation} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import {timelineAfterEvent} from '#state/timelines/timeline-after-event.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import {moveUnreads, removeUnreads, withMention} from '#state/unreads/unreads.ts';
import {isMove} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';

export function applyUpdateMessage(state: AccountState, event: EventOf<'update_message'>): AccountState {
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

import {movedTo} from '#state/messages/event-conversations.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {isCombinedFeed} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {isChannelMuted, isTopicMuted} from '#state/unreads/muting.ts';
import {deletedIds} from '#wire/events/delete-message.ts';
import {isMove, type UpdateMessageEvent} from '#wire/events/update-message.ts';
import type {UpdateMessageFlagsEvent} from '#wire/events/update-message-flags.ts';
import type {ServerEvent} from '#wire/events.ts';
import {type MessageAspect, narrowDependsOnMuting} from './narrow-aspects.ts';
import {type NarrowCandidate, narrowCandidate} from './narrow-membership.ts';
import {
  recheckMembership,
  withChangedMessages,
  withLiveMessage,
  withoutMessageIds,
  withoutNonMembers,
} from './timeline-changes.ts';

/**
 * A timeline after an event about messages, or about what is muted. `state` has everything else of the event already, or even
 * of later ones: what belongs is judged by what is known now, so the events that came while a page was in the air can be told
 * again.
 */
export function timelineAfterEvent(state: AccountState, timeline: Timeline, event: ServerEvent): Timeline {
  switch (event.type) {
    case 'message': {
      const message = state.messages.byId.get(event.message.id);
      return message === undefined ? timeline : withLiveMessage(state, timeline, message);
    }
    case 'delete_message':
      return withoutMessageIds(timeline, deletedIds(event));
    case 'update_message':
      return afterUpdate(state, timeline, event);
    case 'update_message_flags':
      return withChangedMessages(state, timeline, flagAspect(event.flag), () => flagged(state, event));
    case 'reaction':
      return withChangedMessages(state, timeline, 'reactions', () => [subject(state, event.message_id)]);
    case 'user_topic':
    case 'subscription':
    case 'muted_topics':
    case 'muted_users':
      return narrowDependsOnMuting(timeline.narrow) ? afterMuting(state, timeline, event) : timeline;
    default:
      return timeline;
  }
}

type MutingEvent = Extract<
  ServerEvent,
  {type: 'user_topic' | 'subscription' | 'muted_topics' | 'muted_users'}
>;

/** What is muted just leaves the combined feed; whatever else happened, others may have to come in. */
function afterMuting(state: AccountState, timeline: Timeline, event: MutingEvent): Timeline {
  return isCombinedFeed(timeline.narrow) && onlyMutes(state, event)
    ? withoutNonMembers(state, timeline)
    : recheckMembership(state, timeline);
}

function onlyMutes(state: AccountState, event: MutingEvent): boolean {
  if (event.type === 'user_topic') return isTopicMuted(state, event.stream_id, event.topic_name);
  return event.type === 'subscription' && event.op === 'update' && isChannelMuted(state, event.stream_id);
}

function afterUpdate(state: AccountState, timeline: Timeline, event: UpdateMessageEvent): Timeline {
  const changed = () => [subject(state, event.message_id)];
  const reworded =
    event.content === undefined ? timeline : withChangedMessages(state, timeline, 'words', changed);
  const reflagged = withChangedMessages(state, reworded, 'flags', changed);
  if (!isMove(event)) return reflagged;
  // The view follows its message to wherever that went.
  if (followsOneOf(timeline, event.message_ids)) return recheckMembership(state, reflagged);
  const place = movedTo(event);
  return withChangedMessages(state, reflagged, 'place', () =>
    event.message_ids.map((id) => subject(state, id, place)),
  );
}

function followsOneOf({narrow}: Timeline, ids: readonly number[]): boolean {
  return narrow.some(({operator, operand}) => operator === 'with' && ids.includes(Number(operand)));
}

/** `place` for one that is not loaded. */
function subject({messages}: AccountState, id: number, place?: Conversation): NarrowCandidate {
  const message = messages.byId.get(id);
  return message === undefined ? {id, conversation: place, message} : narrowCandidate(message);
}

function flagAspect(flag: string): MessageAspect {
  return flag === 'starred' ? 'starred' : flag === 'read' ? 'unread' : 'flags';
}

function flagged(state: AccountState, event: UpdateMessageFlagsEvent): NarrowCandidate[] {
  return event.messages.map((id) => subject(state, id, placeOf(state, id)));
}

/** What is unread has a place even when it is not loaded. */
function placeOf({unreads}: AccountState, id: number): Conversation | undefined {
  const key = unreads.byId.get(id);
  return key === undefined ? undefined : unreads.conversations.get(key)?.conversation;
}

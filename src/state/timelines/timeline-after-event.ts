import {leavesOwnMessages, listsOwnMessages, movedTo} from '#state/messages/event-conversations.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {isCombinedFeed} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {isChannelMuted, isTopicMuted} from '#state/unreads/muting.ts';
import {deletedIds, isMove} from '#wire/events/messages.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {type MessageAspect, narrowDependsOnMuting} from './narrow-aspects.ts';
import {type NarrowCandidate, narrowCandidate, stillMatches} from './narrow-membership.ts';
import {
  coversId,
  recheckMembership,
  withChangedMessages,
  withLiveMessage,
  withoutMessageIds,
  withoutNonMembers,
} from './timeline-changes.ts';
import {coversEvicted, isEvicted} from './timeline-extent.ts';

/**
 * Returns a timeline after an event about messages or muting. `state` must include the event's other effects,
 * and may include later events: membership is evaluated against the current state, so events that arrived
 * while a page was in flight can be replayed.
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
    case 'update_message_flags': {
      const changed = () => flaggedCandidates(state, event);
      const after = withChangedMessages(state, timeline, flagAspect(event.flag), changed);
      const makesOwn = event.flag === 'read' ? event.op === 'remove' : event.op === 'add';
      return makesOwn ? withHistoricalOwn(state, after, event.messages) : after;
    }
    case 'reaction': {
      const changed = () => [candidate(state, event.message_id)];
      const after = withChangedMessages(state, timeline, 'reactions', changed);
      const isOwn = event.op === 'add' && event.user_id === state.self.userId;
      return isOwn ? withHistoricalOwn(state, after, [event.message_id]) : after;
    }
    case 'user_topic':
    case 'subscription':
    case 'muted_topics':
    case 'muted_users':
      return narrowDependsOnMuting(timeline.narrow) ? afterMuting(state, timeline, event) : timeline;
    default:
      return timeline;
  }
}

/** Marks a view of the user's own messages stale when a flag or a reaction of theirs makes a historical message one. */
function withHistoricalOwn(state: AccountState, timeline: Timeline, ids: readonly number[]): Timeline {
  if (timeline.isStale || !listsOwnMessages(timeline.narrow)) return timeline;
  const isMissing = (id: number) => {
    const known = candidate(state, id);
    if (timeline.ids.has(id) || isEvicted(timeline, id) || known.message?.flags.includes('historical') === false)
      return false;
    // One that is not loaded, though the view covers it, was not the user's own.
    if (!coversId(timeline, id) && !coversEvicted(timeline, id)) return false;
    return known.conversation === undefined || stillMatches(state, timeline.narrow, known) !== false;
  };
  return ids.some(isMissing) ? {...timeline, isStale: true} : timeline;
}

type MutingEvent = Extract<ServerEvent, {type: 'user_topic' | 'subscription' | 'muted_topics' | 'muted_users'}>;

/**
 * Removes newly muted messages from the combined feed; any other change may add messages, so the timeline is rechecked.
 */
function afterMuting(state: AccountState, timeline: Timeline, event: MutingEvent): Timeline {
  return isCombinedFeed(timeline.narrow) && onlyMutes(state, event)
    ? withoutNonMembers(state, timeline)
    : recheckMembership(state, timeline);
}

function onlyMutes(state: AccountState, event: MutingEvent): boolean {
  if (event.type === 'user_topic') return isTopicMuted(state, event.stream_id, event.topic_name);
  return event.type === 'subscription' && event.op === 'update' && isChannelMuted(state, event.stream_id);
}

function afterUpdate(state: AccountState, timeline: Timeline, event: EventOf<'update_message'>): Timeline {
  if (listsOwnMessages(timeline.narrow) && leavesOwnMessages(state, event)) {
    return withoutMessageIds(timeline, event.message_ids);
  }
  const changed = () => [candidate(state, event.message_id)];
  const afterEdit = event.content === undefined ? timeline : withChangedMessages(state, timeline, 'content', changed);
  const afterFlags = withChangedMessages(state, afterEdit, 'flags', changed);
  if (!isMove(event)) return afterFlags;
  // The view follows its message into the new conversation.
  if (followsOneOf(timeline, event.message_ids)) return recheckMembership(state, afterFlags);
  const conversation = movedTo(event);
  return withChangedMessages(state, afterFlags, 'conversation', () =>
    event.message_ids.map((id) => candidate(state, id, conversation)),
  );
}

function followsOneOf({narrow}: Timeline, ids: readonly number[]): boolean {
  return narrow.some(({operator, operand}) => operator === 'with' && ids.includes(Number(operand)));
}

/** Returns what is known of a message; `conversation` is used when it is not loaded. */
function candidate({messages}: AccountState, id: number, conversation?: Conversation): NarrowCandidate {
  const message = messages.byId.get(id);
  return message === undefined ? {id, conversation, message} : narrowCandidate(message);
}

function flagAspect(flag: string): MessageAspect {
  return flag === 'starred' ? 'starred' : flag === 'read' ? 'unread' : 'flags';
}

function flaggedCandidates(state: AccountState, event: EventOf<'update_message_flags'>): NarrowCandidate[] {
  return event.messages.map((id) => candidate(state, id, unreadConversation(state, id)));
}

/** Returns the conversation of an unread message, loaded or not. */
function unreadConversation({unreads}: AccountState, id: number): Conversation | undefined {
  const key = unreads.byId.get(id);
  return key === undefined ? undefined : unreads.conversations.get(key)?.conversation;
}

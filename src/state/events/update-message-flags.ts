import {withSlices} from '#state/immutable-updates.ts';
import {canBeUnread, conversationOfDetails} from '#state/messages/event-conversations.ts';
import {conversationOf, withMessages} from '#state/messages/loaded-messages.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {flaggedMessage} from '#state/messages/message-changes.ts';
import type {AccountState} from '#state/state.ts';
import {timelineAfterEvent} from '#state/timelines/timeline-after-event.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import {addUnreads, clearAllUnreads, removeUnreads, type UnreadMessage} from '#state/unreads/unreads.ts';
import type {EventOf} from '#wire/events.ts';

export function applyUpdateMessageFlags(state: AccountState, event: EventOf<'update_message_flags'>): AccountState {
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

import {withSlices} from '#state/immutable-updates.ts';
import {withMessage} from '#state/messages/loaded-messages.ts';
import {reactedMessage} from '#state/messages/message-changes.ts';
import type {AccountState} from '#state/state.ts';
import {timelineAfterEvent} from '#state/timelines/timeline-after-event.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import type {ReactionEvent} from '#wire/events/reaction.ts';

export function applyReaction(state: AccountState, event: ReactionEvent): AccountState {
  const message = state.messages.byId.get(event.message_id);
  const after =
    message === undefined
      ? state
      : withSlices(state, {messages: withMessage(state.messages, reactedMessage(message, event))});
  return withSlices(after, {
    timelines: mapTimelines(after, (timeline) => timelineAfterEvent(after, timeline, event)),
  });
}

import {withSlices} from '#state/change.ts';
import {reactedMessage} from '#state/messages/changes.ts';
import {withMessage} from '#state/messages/messages.ts';
import type {AccountState} from '#state/state.ts';
import {timelineAfter} from '#state/timelines/events.ts';
import {withTimelines} from '#state/timelines/timelines.ts';
import type {ReactionEvent} from '#wire/events/reaction.ts';

export function applyReaction(state: AccountState, event: ReactionEvent): AccountState {
  const message = state.messages.byId.get(event.message_id);
  const after =
    message === undefined
      ? state
      : withSlices(state, {messages: withMessage(state.messages, reactedMessage(message, event))});
  return withSlices(after, {
    timelines: withTimelines(after, (timeline) => timelineAfter(after, timeline, event)),
  });
}

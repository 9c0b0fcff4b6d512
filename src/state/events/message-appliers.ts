import {withSlices} from '#state/immutable-updates.ts';
import {withLoggedEvent} from '#state/messages/event-log.ts';
import {withMessage} from '#state/messages/loaded-messages.ts';
import {reactedMessage, withSubmessage} from '#state/messages/message-changes.ts';
import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import {timelineAfterEvent} from '#state/timelines/timeline-after-event.ts';
import {mapTimelines} from '#state/timelines/timeline-changes.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {applyDeleteMessage} from './delete-message.ts';
import {applyMessage} from './message.ts';
import {applyTyping, applyTypingEditMessage} from './typing.ts';
import {applyUpdateMessage} from './update-message.ts';
import {applyUpdateMessageFlags} from './update-message-flags.ts';

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

import {withSlices} from '#state/immutable-updates.ts';
import {withMessage} from '#state/messages/loaded-messages.ts';
import {withSubmessage} from '#state/messages/message-changes.ts';
import type {AccountState} from '#state/state.ts';
import type {SubmessageEvent} from '#wire/events/submessage.ts';

export function applySubmessage(state: AccountState, event: SubmessageEvent): AccountState {
  const message = state.messages.byId.get(event.message_id);
  if (message === undefined) return state;
  return withSlices(state, {messages: withMessage(state.messages, withSubmessage(message, event))});
}

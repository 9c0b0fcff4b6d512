import {withSlices, withValue} from '#state/immutable-updates.ts';
import {scheduledFromWire} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import type {ScheduledMessagesEvent} from '#wire/events/scheduled-messages.ts';

export function applyScheduledMessages(state: AccountState, event: ScheduledMessagesEvent): AccountState {
  let {scheduled} = state;
  if (event.op === 'remove') {
    return withSlices(state, {scheduled: scheduled.without(event.scheduled_message_id)});
  }
  for (const wire of event.op === 'add' ? event.scheduled_messages : [event.scheduled_message]) {
    scheduled = withValue(scheduled, wire.scheduled_message_id, scheduledFromWire(wire, state.self.userId));
  }
  return withSlices(state, {scheduled});
}

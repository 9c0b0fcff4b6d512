import {withSlices, withValue} from '#state/immutable-updates.ts';
import {reminderFromWire} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import type {RemindersEvent} from '#wire/events/reminders.ts';

export function applyReminders(state: AccountState, event: RemindersEvent): AccountState {
  let {reminders} = state;
  if (event.op === 'remove') return withSlices(state, {reminders: reminders.without(event.reminder_id)});
  for (const wire of event.reminders) {
    reminders = withValue(reminders, wire.reminder_id, reminderFromWire(wire));
  }
  return withSlices(state, {reminders});
}

import {mapById, withItems} from '#state/model/immutable-updates.ts';
import type {CamelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireReminder} from '#wire/objects/personal.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export interface Reminder extends Omit<CamelKeys<WireReminder>, 'reminderId' | 'type' | 'to' | 'renderedContent'> {
  readonly id: number;
}

function reminderFromWire(wire: WireReminder): Reminder {
  return {
    id: wire.reminder_id,
    content: wire.content,
    scheduledDeliveryTimestamp: wire.scheduled_delivery_timestamp,
    reminderTargetMessageId: wire.reminder_target_message_id,
    failed: wire.failed ?? false,
    note: wire.note ?? '',
  };
}

export const reminders: Slice<SortedMap<number, Reminder>, 'reminders'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['reminders'], ({reminders: all = []}) => mapById(all.map(reminderFromWire))),
  saved: savedMap('number', {id: 'number', content: 'string'}),
  appliers: {
    reminders: (before, event) =>
      event.op === 'remove'
        ? before.without(event.reminder_id)
        : withItems(before, event.reminders.map(reminderFromWire)),
  },
};

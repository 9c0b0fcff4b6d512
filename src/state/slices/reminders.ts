import type {CamelKeys} from '#std/camel.ts';
import type {WireReminder} from '#wire/objects/personal.ts';

export interface Reminder extends Omit<CamelKeys<WireReminder>, 'reminderId' | 'type' | 'to' | 'renderedContent'> {
  readonly id: number;
}

export function reminderFromWire(wire: WireReminder): Reminder {
  return {
    id: wire.reminder_id,
    content: wire.content,
    scheduledDeliveryTimestamp: wire.scheduled_delivery_timestamp,
    reminderTargetMessageId: wire.reminder_target_message_id,
    failed: wire.failed ?? false,
    note: wire.note ?? '',
  };
}

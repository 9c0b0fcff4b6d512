import type {ActionContext} from '#server/context.ts';
import type {ReminderRow, ScheduledRow} from '#server/db/scheduled-messages.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireReminder} from '#wire/objects/reminder.ts';
import type {WireScheduledMessage} from '#wire/objects/scheduled-message.ts';

/** Returns a scheduled message as the API shows it. Clients without `emptyTopicName` get the topic's display name. */
export function scheduledMessageView(
  act: Pick<ActionContext, 'server'>,
  row: ScheduledRow,
  emptyTopicName: boolean,
): WireScheduledMessage {
  const to: number[] = JSON.parse(row.recipients);
  const common = {scheduled_message_id: row.id, ...commonFields(act, row)};
  if (row.type === 'private') return {...common, type: 'private', to};
  const topic = row.topic === '' && !emptyTopicName ? organization(act).empty_topic_display_name : row.topic;
  return {...common, type: 'stream', to: to[0] ?? 0, topic};
}

export function reminderView(act: Pick<ActionContext, 'server'>, row: ReminderRow): WireReminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: JSON.parse(row.recipients),
    ...commonFields(act, row),
    reminder_target_message_id: row.target_message_id,
  };
}

function commonFields({server}: Pick<ActionContext, 'server'>, row: ScheduledRow) {
  return {
    content: row.content,
    rendered_content: server.renderer.renderUncached(row.content),
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed === 1,
  };
}

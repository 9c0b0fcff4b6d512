import type {ActionContext} from '#server/context.ts';
import type {ReminderRow, ScheduledRow} from '#server/db/scheduled-messages.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireReminder} from '#wire/objects/reminder.ts';
import type {WireScheduledMessage} from '#wire/objects/scheduled-message.ts';

/** `emptyTopicName`: the reader knows the empty topic as such; others get its display name. */
export function scheduledMessageView(
  act: Pick<ActionContext, 'world'>,
  row: ScheduledRow,
  emptyTopicName: boolean,
): WireScheduledMessage {
  const to: number[] = JSON.parse(row.recipients);
  const common = {scheduled_message_id: row.id, ...shared(act, row)};
  if (row.type === 'private') return {...common, type: 'private', to};
  const topic = row.topic === '' && !emptyTopicName ? organization(act).empty_topic_display_name : row.topic;
  return {...common, type: 'stream', to: to[0] ?? 0, topic};
}

export function reminderView(act: Pick<ActionContext, 'world'>, row: ReminderRow): WireReminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: JSON.parse(row.recipients),
    ...shared(act, row),
    reminder_target_message_id: row.target_message_id,
  };
}

function shared({world}: Pick<ActionContext, 'world'>, row: ScheduledRow) {
  return {
    content: row.content,
    rendered_content: world.renderer.renderUncached(row.content),
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed === 1,
  };
}

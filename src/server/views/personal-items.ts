import type {ActionContext} from '#server/context.ts';
import {
  isReminder,
  type ReminderRow,
  type ScheduledRow,
  type StatusRow,
  scheduledOf,
} from '#server/db/personal-items.ts';
import {organization} from '#server/permissions/has-permission.ts';
import type {WireReminder, WireScheduledMessage} from '#wire/objects/personal.ts';
import type {WireUserStatus} from '#wire/objects/user.ts';

/** Returns the parts of a status that are set; an empty object when none is. */
export function statusView(row: StatusRow): WireUserStatus {
  return {
    ...(row.status_text === '' ? {} : {status_text: row.status_text}),
    ...(row.emoji_name === ''
      ? {}
      : {emoji_name: row.emoji_name, emoji_code: row.emoji_code, reaction_type: row.reaction_type}),
    ...(row.away === 1 ? {away: true} : {}),
  };
}

/** Returns a user's scheduled messages, soonest first, including those that failed. */
export function scheduledMessageViews(
  act: Pick<ActionContext, 'server'>,
  userId: number,
  emptyTopicName: boolean,
): WireScheduledMessage[] {
  const rows = scheduledOf(act.server.db, userId).filter((row) => !isReminder(row));
  return rows.map((row) => scheduledMessageView(act, row, emptyTopicName));
}

export function reminderViews(act: Pick<ActionContext, 'server'>, userId: number): WireReminder[] {
  const rows = scheduledOf(act.server.db, userId).filter(isReminder);
  return rows.map((row) => reminderView(act, row));
}

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

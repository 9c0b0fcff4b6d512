import {type SendDestination, sendMessage, sendNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {findMessage} from '#server/db/messages.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findDue, isReminder, type ReminderRow, type ScheduledRow} from '#server/db/scheduled-messages.ts';
import {findUser} from '#server/db/users.ts';
import {requireActiveOrganization} from '#server/http/auth.ts';
import {badRequest} from '#server/http/errors.ts';
import {canReadMessage} from '#server/permissions/message.ts';
import {channelNotFoundError} from '#server/permissions/send-message.ts';
import {reminderText, reminderTextWithoutMessage} from './reminder-text.ts';
import {emitReminder, emitReminderRemoved, removeReminder} from './reminders.ts';
import {emitScheduled, removeScheduled} from './scheduled-messages.ts';

/** Sends a due scheduled message or reminder and deletes it. Throws without any change if it cannot be sent. */
export function deliverScheduled(act: ActionContext, id: number): void {
  const row = findDue(act.db, id);
  if (row === undefined) return;
  requireActiveOrganization(act.server);
  const user = findUser(act.db, row.user_id);
  if (user === undefined || user.is_active === 0) throw badRequest('Account is deactivated');
  if (isReminder(row)) remind(act, user, row);
  else send(act, user, row);
}

function send(act: ActionContext, sender: UserRow, row: ScheduledRow): void {
  sendMessage(act, sender, {
    destination: destinationOf(act, row),
    content: row.content,
    client: row.client,
    readBySender: row.read_by_sender === 1,
  });
  removeScheduled(act, row.user_id, row.id);
}

function destinationOf(act: ActionContext, row: ScheduledRow): SendDestination {
  const recipients: number[] = JSON.parse(row.recipients);
  if (row.type === 'private') return {kind: 'direct', userIds: recipients};
  const [id = 0] = recipients;
  const channel = findChannel(act.db, id);
  if (channel === undefined) throw channelNotFoundError({stream_id: id});
  return {kind: 'channel', channel, topic: row.topic};
}

/** Sends a reminder that quotes the message's current text, if the user may still read it. */
function remind(act: ActionContext, user: UserRow, row: ReminderRow): void {
  const message = findMessage(act.db, row.target_message_id);
  const text =
    message !== undefined && canReadMessage(act, user, message)
      ? reminderText(act, message, row.note)
      : reminderTextWithoutMessage(row.note);
  sendNotice(act, {kind: 'direct', userIds: [user.id]}, text);
  removeReminder(act, row.user_id, row.id);
}

/** Marks a scheduled message as failed and sends its author the reason. */
export function markDeliveryFailed(act: ActionContext, id: number, reason: string): void {
  const row = findDue(act.db, id);
  if (row === undefined) return;
  act.db.run('UPDATE scheduled_message SET failed = 1 WHERE id = ?', id);
  if (isReminder(row)) {
    // The API has no event that updates a reminder.
    emitReminderRemoved(act, row.user_id, id);
    emitReminder(act, {...row, failed: 1});
    return;
  }
  emitScheduled(act, {...row, failed: 1}, 'update');
  if (findUser(act.db, row.user_id)?.is_active !== 1) return;
  sendNotice(act, {kind: 'direct', userIds: [row.user_id]}, failureText(row, reason));
}

function failureText(row: ScheduledRow, reason: string): string {
  const when = new Date(row.deliver_at * 1000).toISOString().replace('.000', '');
  return `The message you scheduled for <time:${when}> was not sent because of the following error:

> ${reason.replaceAll('\n', '\n> ')}

[View your scheduled messages](#scheduled)`;
}

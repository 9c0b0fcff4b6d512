import type {ActionContext, RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findReminder, type ReminderRow} from '#server/db/scheduled-messages.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {requireReadableMessage} from '#server/permissions/message.ts';
import {reminderView} from '#server/views/scheduled-message.ts';
import {checkDeliveryTime} from './check-scheduled-message.ts';
import {reminderText} from './reminder-text.ts';

const maxNoteLength = 1000;

export function createReminder(
  call: RequestContext,
  input: {messageId: number; deliverAt: number; note: string | undefined},
): number {
  const {actor} = call;
  checkDeliveryTime(call, input.deliverAt);
  const note = cleanNote(input.note ?? '');
  const message = requireReadableMessage(call, actor, input.messageId);
  const id = call.db.insert(
    `INSERT INTO scheduled_message (user_id, type, recipients, content, deliver_at, client, target_message_id, note)
     VALUES (?, 'private', ?, ?, ?, ?, ?, ?)`,
    actor.id,
    JSON.stringify([actor.id]),
    reminderText(call, message, note),
    input.deliverAt,
    call.client,
    message.id,
    note,
  );
  emitReminder(call, ownReminder(call, actor, id));
  call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  return id;
}

export function deleteReminder(act: ActionContext, actor: UserRow, id: number): void {
  ownReminder(act, actor, id);
  removeReminder(act, actor.id, id);
  act.afterCommit(() => act.server.scheduledDelivery.reschedule());
}

/** Deletes a reminder that its owner removed or that was delivered. */
export function removeReminder(act: ActionContext, userId: number, id: number): void {
  act.db.run('DELETE FROM scheduled_message WHERE id = ?', id);
  emitReminderRemoved(act, userId, id);
}

export function emitReminder(act: ActionContext, row: ReminderRow): void {
  act.emit({type: 'reminders', to: [row.user_id], body: {op: 'add', reminders: [reminderView(act, row)]}});
}

export function emitReminderRemoved(act: ActionContext, userId: number, id: number): void {
  act.emit({type: 'reminders', to: [userId], body: {op: 'remove', reminder_id: id}});
}

function ownReminder(act: ActionContext, actor: UserRow, id: number): ReminderRow {
  const row = findReminder(act.db, actor.id, id);
  if (row === undefined) throw notFoundError('Reminder does not exist');
  return row;
}

function cleanNote(input: string): string {
  const note = input.trim();
  if (note.includes('\0')) throw badRequest('Note must not contain null bytes.');
  if (Array.from(note).length > maxNoteLength) {
    throw badRequest(`Maximum reminder note length: ${maxNoteLength} characters`);
  }
  return note;
}

import {narrowLink} from '#content/narrow-link.ts';
import {maxContentLength, truncateText} from '#server/actions/inputs/message-text.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import type {ReminderRow} from '#server/db/personal-items.ts';
import type {MessageRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {type Route, route} from '#server/http/route.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {requireReadableMessage} from '#server/permissions/message.ts';
import {required} from '#server/required.ts';
import {messageLinks} from '#server/views/message-details.ts';
import {reminderView, reminderViews} from '#server/views/personal-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {checkDeliveryTime} from './scheduled-messages.ts';

const maxNoteLength = 1000;

export const reminderRoutes: readonly Route[] = [
  route(endpoints.getReminders, (call) => ({reminders: reminderViews(call, call.actor.id)})),
  route(endpoints.createReminder, (call, params) => ({reminder_id: createReminder(call, params)})),
  route(endpoints.deleteReminder, (call, {reminder_id: id}) => {
    removeReminder(call, ownReminder(call, id).user_id, id);
    call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  }),
];

export function createReminder(call: RequestContext, input: ParamsOf<typeof endpoints.createReminder>): number {
  const {actor} = call;
  checkDeliveryTime(call, input.scheduled_delivery_timestamp);
  const note = cleanNote(input.note ?? '');
  const message = requireReadableMessage(call, actor, input.message_id);
  const id = call.db.insertRow('scheduled_message', {
    user_id: actor.id,
    type: 'private',
    recipients: JSON.stringify([actor.id]),
    content: reminderText(call, message, note),
    deliver_at: input.scheduled_delivery_timestamp,
    client: call.client,
    target_message_id: message.id,
    note,
  });
  emitReminder(call, ownReminder(call, id));
  call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  return id;
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

function ownReminder({db, actor}: RequestContext, id: number): ReminderRow {
  const sql = 'SELECT * FROM scheduled_message WHERE id = ? AND user_id = ? AND target_message_id IS NOT NULL';
  return required(db.get<ReminderRow>(sql, id, actor.id), () => notFoundError('Reminder does not exist'));
}

function cleanNote(input: string): string {
  const note = input.trim();
  if (note.includes('\0')) throw badRequest('Note must not contain null bytes.');
  if (Array.from(note).length > maxNoteLength) {
    throw badRequest(`Maximum reminder note length: ${maxNoteLength} characters`);
  }
  return note;
}

const ellipsis = '\n[message truncated]';

/** Returns the text of a reminder: the note, and who wrote the message where, with its text. */
export function reminderText(act: ActionContext, message: MessageRow, note: string): string {
  const sender = findUser(act.db, message.sender_id);
  const who = sender === undefined ? 'Somebody' : `@_**${sender.full_name}|${sender.id}**`;
  const fence = fenceFor(message.content);
  const said = `[said](${messageLinks(act.server, message).message_url})${placeOf(act, message)}`;
  const kind = message.channel_id === null ? 'direct message' : 'message';
  const before = `You requested a reminder for the following ${kind}.${notePart(note)}\n\n${who} ${said}:\n${fence}quote\n`;
  const after = `\n${fence}`;
  const room = maxContentLength - before.length - after.length;
  return before + truncateText(message.content, room, ellipsis) + after;
}

/** Returns the text of a reminder whose message was deleted or is no longer readable. */
export function reminderTextWithoutMessage(note: string): string {
  return `You requested a reminder for a message that is no longer available to you.${notePart(note)}`;
}

function notePart(note: string): string {
  return note === '' ? '' : ` Note:\n > ${note}`;
}

/** Returns a fence that is longer than all runs of backticks in the content, so that the quote ends where it should. */
function fenceFor(content: string): string {
  const longest = (content.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** Returns a link to the topic of a channel message. */
function placeOf(act: ActionContext, {id, channel_id, topic}: MessageRow): string {
  if (channel_id === null) return '';
  const name = findChannel(act.db, channel_id)?.name ?? '';
  const shownTopic = topic === '' ? organization(act).empty_topic_display_name : topic;
  const term = (operator: string, operand: number | string) => ({operator, operand, negated: false});
  const link = narrowLink([term('channel', channel_id), term('topic', topic), term('with', id)], () => name);
  return ` in [#${name} > ${shownTopic}](${link})`;
}

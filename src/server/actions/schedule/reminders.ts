import {narrowLink} from '#content/narrow-link.ts';
import {widgetCommand} from '#content/widgets/widget-command.ts';
import {maxContentLength, nameFor, truncateText} from '#server/actions/inputs.ts';
import type {ActionContext, ReadContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationMembers, findMessage} from '#server/db/messages.ts';
import {isReminder, type ReminderRow, scheduledOf} from '#server/db/personal-items.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {check, notFoundError, required} from '#server/errors.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
import {canReadMessage, requireReadableMessage} from '#server/permissions/read-message.ts';
import {type Route, route} from '#server/route.ts';
import {messageLinks} from '#server/views/message-details.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireReminder} from '#wire/objects/personal.ts';
import {checkDeliveryTime, commonFields} from './scheduled-messages.ts';

export const reminderRoutes: readonly Route[] = [
  route(endpoints.getReminders, 'account', (call) => ({reminders: reminderViews(call, call.actor.id)})),
  route(endpoints.createReminder, 'account', (call, params) => ({reminder_id: createReminder(call, params)})),
  route(endpoints.deleteReminder, 'account', (call, {reminder_id: id}) => {
    removeReminder(call, ownReminder(call, id).user_id, id);
    call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  }),
];

export function reminderViews(act: ReadContext, userId: number): WireReminder[] {
  const rows = scheduledOf(act.server.db, userId).filter(isReminder);
  return rows.map((row) => reminderView(act, row));
}

function reminderView(act: ReadContext, row: ReminderRow): WireReminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: JSON.parse(row.recipients),
    ...commonFields(act, row, reminderText(act, row)),
    reminder_target_message_id: row.target_message_id,
  };
}

const maxNoteLength = 1000;

export function createReminder(call: RequestContext, input: ParamsOf<typeof endpoints.createReminder>): number {
  const {actor} = call;
  checkDeliveryTime(call, input.scheduled_delivery_timestamp);
  const note = cleanNote(input.note ?? '');
  const message = requireReadableMessage(call, actor, input.message_id);
  const id = call.db.insertRow('scheduled_message', {
    user_id: actor.id,
    type: 'private',
    recipients: JSON.stringify([actor.id]),
    // Written when it is shown or delivered: the message may have changed, or be gone.
    content: '',
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
  act.db.deleteRows('scheduled_message', {id});
  emitReminderRemoved(act, userId, id);
}

export function emitReminder(act: ActionContext, row: ReminderRow): void {
  act.emit('reminders', [row.user_id], {op: 'add', reminders: [reminderView(act, row)]});
}

export function emitReminderRemoved(act: ActionContext, userId: number, id: number): void {
  act.emit('reminders', [userId], {op: 'remove', reminder_id: id});
}

function ownReminder({db, actor}: RequestContext, id: number): ReminderRow {
  const sql = 'SELECT * FROM scheduled_message WHERE id = ? AND user_id = ? AND target_message_id IS NOT NULL';
  return required(db.get<ReminderRow>(sql, id, actor.id), () => notFoundError('Reminder does not exist'));
}

function cleanNote(input: string): string {
  const note = input.trim();
  check(!note.includes('\0'), 'Note must not contain null bytes.');
  check(Array.from(note).length <= maxNoteLength, `Maximum reminder note length: ${maxNoteLength} characters`);
  return note;
}

const truncated = '\n[message truncated]';

/** Returns the text of a reminder with what its owner may read of the message now. */
export function reminderText(act: ReadContext, {user_id, target_message_id, note}: ReminderRow): string {
  const {db} = act.server;
  const owner = findUser(db, user_id);
  const message = findMessage(db, target_message_id);
  return owner !== undefined && message !== undefined && canReadMessage(act, owner, message)
    ? quotingText(act, owner, message, note)
    : `You requested a reminder for a message that is no longer available to you.${notePart(note)}`;
}

/** Returns the note, and who wrote the message where, with its text unless that is a command. */
function quotingText(act: ReadContext, owner: UserRow, message: MessageRow, note: string): string {
  const fence = fenceFor(message.content);
  const url = messageLinks(act.server, message).message_url;
  const kind = message.channel_id === null ? 'direct message' : 'message';
  const opening = `You requested a reminder for the following ${kind}.${notePart(note)}\n\n`;
  const place = placeOf(act, owner, message);
  const isNote = message.channel_id === null && place === '';
  const who = isNote ? 'You' : nameFor(act, owner, findUser(act.server.db, message.sender_id));
  const command = widgetCommand(message.content);
  if (command !== undefined) {
    const widget = command.type === 'poll' ? 'a poll' : 'a todo list';
    return `${opening}${who} [sent](${url}) ${isNote ? `yourself ${widget}` : widget + place}.`;
  }
  const said = isNote ? `[sent](${url}) a note to yourself` : `[said](${url})${place}`;
  const before = `${opening}${who} ${said}:\n${fence}quote\n`;
  const after = `\n${fence}`;
  const room = maxContentLength - before.length - after.length;
  return before + truncateText(message.content, room, truncated) + after;
}

function notePart(note: string): string {
  return note === '' ? '' : ` Note:\n > ${note}`;
}

/** Returns a fence that is longer than all runs of backticks in the content, so that the quote ends where it should. */
function fenceFor(content: string): string {
  const longest = (content.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** Returns a link to the topic of a channel message, or who got a direct one; nothing for a message to oneself. */
function placeOf(act: ReadContext, owner: UserRow, message: MessageRow): string {
  const {id, channel_id, topic} = message;
  const {db} = act.server;
  if (channel_id === null) {
    const others = directConversationMembers(db, message.dm_id ?? 0).filter((user) => user !== message.sender_id);
    const names = others.map((user) => nameFor(act, owner, findUser(db, user)));
    return names.length === 0 ? '' : ` to ${new Intl.ListFormat('en').format(names)}`;
  }
  const name = findChannel(db, channel_id)?.name ?? '';
  const shownTopic = topicDisplayName(act, topic, false);
  const term = (operator: string, operand: number | string) => ({operator, operand, negated: false});
  const link = narrowLink([term('channel', channel_id), term('topic', topic), term('with', id)], () => name);
  return ` in [#${name} > ${shownTopic}](${link})`;
}

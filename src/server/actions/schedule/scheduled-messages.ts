import {narrowLink} from '#content/narrow-link.ts';
import {widgetCommand} from '#content/widgets/widget-command.ts';
import {
  cleanContent,
  cleanTopic,
  conversationUserIds,
  maxContentLength,
  nameFor,
  otherRecipients,
  truncateText,
} from '#server/actions/inputs.ts';
import {isInteractiveClient} from '#server/actions/messages/send-message.ts';
import type {ActionContext, ReadContext, RequestContext, ServerAccess} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationKey, directConversationMembers, findMessage} from '#server/db/messages.ts';
import {isReminder, type ReminderRow, type ScheduledRow, scheduledOf} from '#server/db/personal-items.ts';
import {fold, type Ids, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {badRequest, notFoundError, required} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {canReadMessage, requireReadableMessage} from '#server/permissions/channel.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {
  channelNotFoundError,
  checkCanCreateTopic,
  checkCanPost,
  checkCanSendDirect,
  checkGroupMentions,
  checkTopicPolicy,
  checkWildcardMentions,
  topicExists,
} from '#server/permissions/send-message.ts';
import {type Route, route} from '#server/route.ts';
import {messageLinks} from '#server/views/message-details.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireReminder, WireScheduledMessage} from '#wire/objects/personal.ts';

type ScheduleInput = ParamsOf<typeof endpoints.createScheduledMessage>;

type ScheduleChanges = ParamsOf<typeof endpoints.editScheduledMessage>;

export const scheduleRoutes: readonly Route[] = [
  route(endpoints.getScheduledMessages, 'account', (call) => ({
    scheduled_messages: scheduledMessageViews(call, call.actor.id, true),
  })),
  route(endpoints.createScheduledMessage, 'account', (call, params) => ({
    scheduled_message_id: scheduleMessage(call, params),
  })),
  route(endpoints.editScheduledMessage, 'account', editScheduledMessage),
  route(endpoints.deleteScheduledMessage, 'account', (call, {scheduled_message_id: id}) => {
    removeScheduled(call, ownScheduled(call, id).user_id, id);
    call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  }),

  route(endpoints.getReminders, 'account', (call) => ({reminders: reminderViews(call, call.actor.id)})),
  route(endpoints.createReminder, 'account', (call, params) => ({reminder_id: createReminder(call, params)})),
  route(endpoints.deleteReminder, 'account', (call, {reminder_id: id}) => {
    removeReminder(call, ownReminder(call, id).user_id, id);
    call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  }),
];

export function scheduleMessage(call: RequestContext, input: ScheduleInput): number {
  const {actor} = call;
  checkDeliveryTime(call, input.scheduled_delivery_timestamp);
  const {type, recipients, topic, content} = checkScheduledMessage(call, actor, {
    type: storedType(input.type),
    to: recipientList(storedType(input.type), input.to),
    topic: input.topic,
    content: input.content,
  });
  const readBySender = input.read_by_sender ?? isInteractiveClient(call.client);
  const id = call.db.insertRow('scheduled_message', {
    user_id: actor.id,
    type,
    recipients: JSON.stringify(recipients),
    topic,
    content,
    deliver_at: input.scheduled_delivery_timestamp,
    read_by_sender: readBySender ? 1 : 0,
    client: call.client,
  });
  emitScheduled(call, ownScheduled(call, id), 'add');
  call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  return id;
}

function editScheduledMessage(act: RequestContext, changes: ScheduleChanges): void {
  const {scheduled_message_id: id} = changes;
  checkChanges(act, changes);
  const before = ownScheduled(act, id);
  // A failed message needs a new time: its old one has passed.
  const deliverAt = changes.scheduled_delivery_timestamp ?? (before.failed === 1 ? 0 : undefined);
  if (deliverAt !== undefined) checkDeliveryTime(act, deliverAt);
  const after = changedScheduledMessage(act, before, changes);
  const recipients = JSON.stringify(after.recipients);
  act.db.updateRow('scheduled_message', id, {
    ...after,
    recipients,
    deliver_at: deliverAt ?? before.deliver_at,
    failed: 0,
  });
  emitScheduled(act, ownScheduled(act, id), 'update');
  act.afterCommit(() => act.server.scheduledDelivery.reschedule());
}

/** Checks what does not depend on the message, before it is looked for. */
function checkChanges(act: ActionContext, changes: ScheduleChanges): void {
  const {scheduled_message_id: _id, ...values} = changes;
  if (Object.values(values).every((value) => value === undefined)) throw badRequest('Nothing to change');
  if (changes.type !== undefined && changes.to === undefined) {
    throw badRequest('Recipient required when updating type of scheduled message.');
  }
  if (changes.type !== undefined && storedType(changes.type) === 'stream' && changes.topic === undefined) {
    throw badRequest('Topic required when updating scheduled message type to channel.');
  }
  if (changes.scheduled_delivery_timestamp !== undefined) checkDeliveryTime(act, changes.scheduled_delivery_timestamp);
}

/** Returns the message with the changes applied. It is checked again unless only topic or time change. */
function changedScheduledMessage(
  act: RequestContext,
  before: ScheduledRow,
  changes: ScheduleChanges,
): CheckedScheduledMessage {
  const recipients: number[] = JSON.parse(before.recipients);
  const type = changes.type === undefined ? before.type : storedType(changes.type);
  if ([changes.type, changes.to, changes.content].every((change) => change === undefined)) {
    const topic = type === 'stream' && changes.topic !== undefined ? cleanTopic(act, changes.topic) : before.topic;
    return {type, recipients, topic, content: before.content};
  }
  return checkScheduledMessage(act, act.actor, {
    type,
    to: changes.to === undefined ? recipients : recipientList(type, changes.to),
    topic: changes.topic ?? before.topic,
    content: changes.content ?? before.content,
  });
}

/** Deletes a scheduled message that its author removed or that was sent. */
export function removeScheduled(act: ActionContext, userId: number, id: number): void {
  act.db.run('DELETE FROM scheduled_message WHERE id = ?', id);
  act.emit('scheduled_messages', [userId], {op: 'remove', scheduled_message_id: id});
}

export function emitScheduled(act: ActionContext, row: ScheduledRow, op: 'add' | 'update'): void {
  const body = (emptyTopicName: boolean) => {
    const view = scheduledMessageView(act, row, emptyTopicName);
    return op === 'add' ? {op, scheduled_messages: [view]} : {op, scheduled_message: view};
  };
  act.emit('scheduled_messages', [row.user_id], byCapability('empty_topic_name', body));
}

function ownScheduled({db, actor}: RequestContext, id: number): ScheduledRow {
  const sql = 'SELECT * FROM scheduled_message WHERE id = ? AND user_id = ? AND target_message_id IS NULL';
  return required(db.get<ScheduledRow>(sql, id, actor.id), () => notFoundError('Scheduled message does not exist'));
}

function storedType(type: ScheduleInput['type']): 'stream' | 'private' {
  return type === 'stream' || type === 'channel' ? 'stream' : 'private';
}

/** Returns the ids that `to` names: one channel, or a list of users. */
function recipientList(type: 'stream' | 'private', to: number | Ids): Ids {
  if (type === 'stream') {
    if (typeof to !== 'number') throw badRequest('Invalid data type for channel ID');
    return [to];
  }
  if (typeof to === 'number') throw badRequest('Invalid data type for recipients');
  return to;
}

/** The destination and text of a scheduled message, as stored. */
interface CheckedScheduledMessage {
  readonly type: 'stream' | 'private';
  readonly recipients: Ids;
  readonly topic: string;
  readonly content: string;
}

interface ScheduledMessageRequest {
  readonly type: 'stream' | 'private';
  readonly to: Ids;
  readonly topic: string | undefined;
  readonly content: string;
}

/** Checks a scheduled message as if it were sent now. Delivery checks everything again. */
function checkScheduledMessage(
  act: ActionContext,
  sender: UserRow,
  request: ScheduledMessageRequest,
): CheckedScheduledMessage {
  const content = cleanContent(request.content);
  const analysis = act.server.renderer.analyse(content);
  if (request.type === 'private') {
    const recipients = checkDirect(act, sender, request.to);
    checkGroupMentions(act, sender, analysis);
    return {type: 'private', recipients, topic: '', content};
  }
  const [id, ...more] = request.to;
  if (id === undefined || more.length > 0) throw badRequest('Expected exactly one channel');
  if (request.topic === undefined) throw badRequest('Missing topic');
  const topic = cleanTopic(act, request.topic);
  checkChannel(act, sender, id, topic);
  checkWildcardMentions(act, sender, analysis, id, fold(topic));
  checkGroupMentions(act, sender, analysis);
  return {type: 'stream', recipients: [id], topic, content};
}

function checkChannel(act: ActionContext, sender: UserRow, channelId: number, topic: string): void {
  const channel = required(findChannel(act.db, channelId), () => channelNotFoundError({stream_id: channelId}));
  checkCanPost(act, sender, channel);
  if (!topicExists(act, channelId, fold(topic))) checkCanCreateTopic(act, sender, channel);
  checkTopicPolicy(act, channel, topic);
}

function checkDirect(act: ActionContext, sender: UserRow, to: Ids): number[] {
  if (to.length === 0) throw badRequest('Message must have recipients');
  const others = otherRecipients(act, sender, to);
  const key = directConversationKey([sender.id, ...others.map((other) => other.id)]);
  const sql = 'SELECT 1 FROM dm JOIN message AS m ON m.dm_id = dm.id WHERE dm.key = ? LIMIT 1';
  checkCanSendDirect(act, sender, others, act.db.get(sql, key) === undefined);
  return conversationUserIds(sender, others);
}

/** The last second of the year 9999. */
export const maxTimestamp = 253_402_300_799;

export function checkDeliveryTime(act: ActionContext, deliverAt: number): void {
  if (deliverAt <= act.now) throw badRequest('Scheduled delivery time must be in the future.');
  if (deliverAt > maxTimestamp) throw badRequest('Scheduled delivery time is too far in the future.');
}

/** Returns a user's scheduled messages, soonest first, including those that failed. */
export function scheduledMessageViews(
  act: ServerAccess,
  userId: number,
  emptyTopicName: boolean,
): WireScheduledMessage[] {
  const rows = scheduledOf(act.server.db, userId).filter((row) => !isReminder(row));
  return rows.map((row) => scheduledMessageView(act, row, emptyTopicName));
}

export function reminderViews(act: ReadContext, userId: number): WireReminder[] {
  const rows = scheduledOf(act.server.db, userId).filter(isReminder);
  return rows.map((row) => reminderView(act, row));
}

/** Returns a scheduled message as the API shows it. Clients without `emptyTopicName` get the topic's display name. */
function scheduledMessageView(act: ServerAccess, row: ScheduledRow, emptyTopicName: boolean): WireScheduledMessage {
  const to: number[] = JSON.parse(row.recipients);
  const common = {scheduled_message_id: row.id, ...commonFields(act, row, row.content)};
  if (row.type === 'private') return {...common, type: 'private', to};
  const topic = row.topic === '' && !emptyTopicName ? organization(act).empty_topic_display_name : row.topic;
  return {...common, type: 'stream', to: to[0] ?? 0, topic};
}

export function reminderView(act: ReadContext, row: ReminderRow): WireReminder {
  return {
    reminder_id: row.id,
    type: 'private',
    to: JSON.parse(row.recipients),
    ...commonFields(act, row, reminderText(act, row)),
    reminder_target_message_id: row.target_message_id,
  };
}

function commonFields({server}: ServerAccess, row: ScheduledRow, content: string) {
  return {
    content,
    rendered_content: server.renderer.renderUncached(content),
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed === 1,
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
  act.db.run('DELETE FROM scheduled_message WHERE id = ?', id);
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
  if (note.includes('\0')) throw badRequest('Note must not contain null bytes.');
  if (Array.from(note).length > maxNoteLength) {
    throw badRequest(`Maximum reminder note length: ${maxNoteLength} characters`);
  }
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
  const shownTopic = topic === '' ? organization(act).empty_topic_display_name : topic;
  const term = (operator: string, operand: number | string) => ({operator, operand, negated: false});
  const link = narrowLink([term('channel', channel_id), term('topic', topic), term('with', id)], () => name);
  return ` in [#${name} > ${shownTopic}](${link})`;
}

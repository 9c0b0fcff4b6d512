import {cleanContent, cleanTopic, conversationUserIds, otherRecipients} from '#server/actions/inputs.ts';
import {isInteractiveClient} from '#server/actions/messages/send-message.ts';
import type {ActionContext, RequestContext, ServerAccess} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {directConversationKey} from '#server/db/messages.ts';
import {isReminder, type ScheduledRow, scheduledOf} from '#server/db/personal-items.ts';
import {fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {badRequest, check, notFoundError, required} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {topicDisplayName} from '#server/permissions/has-permission.ts';
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
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireScheduledMessage} from '#wire/objects/personal.ts';

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
  check(!Object.values(values).every((value) => value === undefined), 'Nothing to change');
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
  act.db.deleteRows('scheduled_message', {id});
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
    check(typeof to === 'number', 'Invalid data type for channel ID');
    return [to];
  }
  check(typeof to !== 'number', 'Invalid data type for recipients');
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
  check(id !== undefined && more.length <= 0, 'Expected exactly one channel');
  check(request.topic !== undefined, 'Missing topic');
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
  check(to.length !== 0, 'Message must have recipients');
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

/** Returns a scheduled message as the API shows it. Clients without `emptyTopicName` get the topic's display name. */
function scheduledMessageView(act: ServerAccess, row: ScheduledRow, emptyTopicName: boolean): WireScheduledMessage {
  const to: number[] = JSON.parse(row.recipients);
  const common = {scheduled_message_id: row.id, ...commonFields(act, row, row.content)};
  if (row.type === 'private') return {...common, type: 'private', to};
  return {...common, type: 'stream', to: to[0] ?? 0, topic: topicDisplayName(act, row.topic, emptyTopicName)};
}

export function commonFields({server}: ServerAccess, row: ScheduledRow, content: string) {
  return {
    content,
    rendered_content: server.renderer.renderUncached(content),
    scheduled_delivery_timestamp: row.deliver_at,
    failed: row.failed === 1,
  };
}

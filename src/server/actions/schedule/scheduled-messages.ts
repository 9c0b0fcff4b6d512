import {cleanTopic} from '#server/actions/inputs/message-text.ts';
import {isInteractiveClient} from '#server/actions/messages/send-message.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findScheduled, type ScheduledRow} from '#server/db/scheduled-messages.ts';
import {byCapability} from '#server/event-queues/emitted-event.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {scheduledMessageView} from '#server/views/scheduled-message.ts';
import {type CheckedScheduledMessage, checkDeliveryTime, checkScheduledMessage} from './check-scheduled-message.ts';

type ScheduledType = 'direct' | 'channel' | 'stream' | 'private';

export interface ScheduleInput {
  readonly type: ScheduledType;
  readonly to: number | readonly number[];
  readonly topic: string | undefined;
  readonly content: string;
  readonly deliverAt: number;
  readonly readBySender: boolean | undefined;
}

export function scheduleMessage(call: RequestContext, input: ScheduleInput): number {
  const {actor} = call;
  checkDeliveryTime(call, input.deliverAt);
  const {type, recipients, topic, content} = checkScheduledMessage(call, actor, {
    type: storedType(input.type),
    to: recipientList(storedType(input.type), input.to),
    topic: input.topic,
    content: input.content,
  });
  const readBySender = input.readBySender ?? isInteractiveClient(call.client);
  const id = call.db.insertRow('scheduled_message', {
    user_id: actor.id,
    type,
    recipients: JSON.stringify(recipients),
    topic,
    content,
    deliver_at: input.deliverAt,
    read_by_sender: readBySender ? 1 : 0,
    client: call.client,
  });
  emitScheduled(call, ownScheduled(call, actor, id), 'add');
  call.afterCommit(() => call.server.scheduledDelivery.reschedule());
  return id;
}

export type ScheduleChanges = {
  readonly [K in 'type' | 'to' | 'topic' | 'content' | 'deliverAt']: ScheduleInput[K] | undefined;
};

export function editScheduledMessage(act: ActionContext, actor: UserRow, id: number, changes: ScheduleChanges): void {
  checkChanges(act, changes);
  const before = ownScheduled(act, actor, id);
  // A failed message needs a new time: its old one has passed.
  const deliverAt = changes.deliverAt ?? (before.failed === 1 ? 0 : undefined);
  if (deliverAt !== undefined) checkDeliveryTime(act, deliverAt);
  const after = changedScheduledMessage(act, actor, before, changes);
  act.db.run(
    `UPDATE scheduled_message SET type = ?, recipients = ?, topic = ?, content = ?, deliver_at = ?, failed = 0
     WHERE id = ?`,
    after.type,
    JSON.stringify(after.recipients),
    after.topic,
    after.content,
    deliverAt ?? before.deliver_at,
    id,
  );
  emitScheduled(act, ownScheduled(act, actor, id), 'update');
  act.afterCommit(() => act.server.scheduledDelivery.reschedule());
}

/** Checks what does not depend on the message, before it is looked for. */
function checkChanges(act: ActionContext, changes: ScheduleChanges): void {
  if (Object.values(changes).every((value) => value === undefined)) throw badRequest('Nothing to change');
  if (changes.type !== undefined && changes.to === undefined) {
    throw badRequest('Recipient required when updating type of scheduled message.');
  }
  if (changes.type !== undefined && storedType(changes.type) === 'stream' && changes.topic === undefined) {
    throw badRequest('Topic required when updating scheduled message type to channel.');
  }
  if (changes.deliverAt !== undefined) checkDeliveryTime(act, changes.deliverAt);
}

/** Returns the message with the changes applied. It is checked again unless only topic or time change. */
function changedScheduledMessage(
  act: ActionContext,
  actor: UserRow,
  before: ScheduledRow,
  changes: ScheduleChanges,
): CheckedScheduledMessage {
  const recipients: number[] = JSON.parse(before.recipients);
  const type = changes.type === undefined ? before.type : storedType(changes.type);
  if ([changes.type, changes.to, changes.content].every((change) => change === undefined)) {
    const isRenamed = type === 'stream' && changes.topic !== undefined;
    const topic = isRenamed ? cleanTopic(act, changes.topic) : before.topic;
    return {type, recipients, topic, content: before.content};
  }
  return checkScheduledMessage(act, actor, {
    type,
    to: changes.to === undefined ? recipients : recipientList(type, changes.to),
    topic: changes.topic ?? before.topic,
    content: changes.content ?? before.content,
  });
}

export function deleteScheduledMessage(act: ActionContext, actor: UserRow, id: number): void {
  ownScheduled(act, actor, id);
  removeScheduled(act, actor.id, id);
  act.afterCommit(() => act.server.scheduledDelivery.reschedule());
}

/** Deletes a scheduled message that its author removed or that was sent. */
export function removeScheduled(act: ActionContext, userId: number, id: number): void {
  act.db.run('DELETE FROM scheduled_message WHERE id = ?', id);
  act.emit({type: 'scheduled_messages', to: [userId], body: {op: 'remove', scheduled_message_id: id}});
}

export function emitScheduled(act: ActionContext, row: ScheduledRow, op: 'add' | 'update'): void {
  const body = (emptyTopicName: boolean) => {
    const view = scheduledMessageView(act, row, emptyTopicName);
    return op === 'add' ? {op, scheduled_messages: [view]} : {op, scheduled_message: view};
  };
  act.emit({
    type: 'scheduled_messages',
    to: [row.user_id],
    body: byCapability(
      'empty_topic_name',
      () => body(true),
      () => body(false),
    ),
  });
}

function ownScheduled(act: ActionContext, actor: UserRow, id: number): ScheduledRow {
  const row = findScheduled(act.db, actor.id, id);
  if (row === undefined) throw notFoundError('Scheduled message does not exist');
  return row;
}

function storedType(type: ScheduledType): 'stream' | 'private' {
  return type === 'stream' || type === 'channel' ? 'stream' : 'private';
}

/** Returns the ids that `to` names; clients may send anything. */
function recipientList(type: 'stream' | 'private', to: unknown): readonly number[] {
  if (type === 'stream') {
    if (!Number.isInteger(to)) throw badRequest('Invalid data type for channel ID');
    return [Number(to)];
  }
  if (!Array.isArray(to)) throw badRequest('Invalid data type for recipients');
  if (!to.every(Number.isSafeInteger)) throw badRequest('Recipient list may only contain user IDs');
  return to;
}

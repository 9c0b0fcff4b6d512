import {type SendDestination, sendMessage, sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import {emitReminder, emitReminderRemoved, reminderText, removeReminder} from '#server/actions/schedule/reminders.ts';
import {emitScheduled, removeScheduled} from '#server/actions/schedule/scheduled-messages.ts';
import {findChannel} from '#server/db/channels.ts';
import {isDiskFull} from '#server/db/database.ts';
import {dueIds, findDue, isReminder, nextDueAt, type ScheduledRow} from '#server/db/personal-items.ts';
import {findUser} from '#server/db/users.ts';
import {requireActiveOrganization} from '#server/permissions/has-permission.ts';
import {channelNotFoundError} from '#server/permissions/send-message.ts';
import {BackgroundTask, type Log} from './background-task.ts';
import type {ActionContext, ScheduledDelivery, ServerContext} from './context.ts';
import {ApiError, check, required} from './errors.ts';

/** The number of messages sent in one go; requests are served between batches. */
const batchSize = 50;
/** The longest timer: after a suspend or a clock change, due messages are noticed within this time. */
const maxSleepMs = 60_000;
/** The delay before a message that could neither be sent nor marked as failed is tried again. */
const retrySeconds = 60;

/** The scheduled delivery of a server that is not listening yet. */
export const noScheduledDelivery: ScheduledDelivery = {reschedule() {}, stop() {}};

/** Sends scheduled messages and reminders when they are due. Uses one timer, set for the next due time. */
export function startScheduledDelivery(server: ServerContext, log: Log = () => {}): ScheduledDelivery {
  const {clock} = server;

  function delayUntil(seconds: number | undefined): number | undefined {
    return seconds === undefined ? undefined : Math.min(Math.max(0, seconds * 1000 - clock.now()), maxSleepMs);
  }

  const task = new BackgroundTask({clock, log, name: 'Sending scheduled messages'}, () => {
    const now = Math.floor(clock.now() / 1000);
    const results = dueIds(server.db, now, batchSize).map((id) => deliverOrFail(server, id, log));
    if (!results.includes(false)) return delayUntil(nextDueAt(server.db));
    const next = nextDueAt(server.db, now) ?? Number.POSITIVE_INFINITY;
    return delayUntil(Math.min(next, now + retrySeconds));
  });
  const reschedule = () => task.schedule(delayUntil(nextDueAt(server.db)));
  reschedule();
  return {reschedule, stop: () => task.stop()};
}

/** Sends a message or marks it as failed; returns false when neither was possible. Never throws, so others go on. */
function deliverOrFail(server: ServerContext, id: number, log: Log): boolean {
  try {
    server.runAction((act) => deliverScheduled(act, id));
    return true;
  } catch (error) {
    if (isDiskFull(error)) return false;
    if (error instanceof ApiError) return markFailed(server, id, error.message, log);
    log(`Delivering scheduled message ${id} failed`, error);
    return markFailed(server, id, 'The server could not send it.', log);
  }
}

function markFailed(server: ServerContext, id: number, reason: string, log: Log): boolean {
  try {
    server.runAction((act) => markDeliveryFailed(act, id, reason));
    return true;
  } catch (error) {
    log(`Marking scheduled message ${id} as failed failed`, error);
    return false;
  }
}

/** Sends a due scheduled message or reminder and deletes it. Throws without any change if it cannot be sent. */
function deliverScheduled(act: ActionContext, id: number): void {
  const row = findDue(act.db, id);
  if (row === undefined) return;
  requireActiveOrganization(act.server);
  const user = findUser(act.db, row.user_id);
  check(user !== undefined && user.is_active !== 0, 'Account is deactivated');
  if (isReminder(row)) {
    sendPersonalNotice(act, user.id, reminderText(act, row));
    removeReminder(act, row.user_id, row.id);
    return;
  }
  const {content, client} = row;
  sendMessage(act, user, {
    destination: destinationOf(act, row),
    content,
    client,
    readBySender: row.read_by_sender === 1,
  });
  removeScheduled(act, row.user_id, row.id);
}

function destinationOf(act: ActionContext, row: ScheduledRow): SendDestination {
  const recipients: number[] = JSON.parse(row.recipients);
  if (row.type === 'private') return {kind: 'direct', userIds: recipients};
  const [id = 0] = recipients;
  const channel = required(findChannel(act.db, id), () => channelNotFoundError({stream_id: id}));
  return {kind: 'channel', channel, topic: row.topic};
}

/** Marks a scheduled message as failed and sends its author the reason. */
function markDeliveryFailed(act: ActionContext, id: number, reason: string): void {
  const row = findDue(act.db, id);
  if (row === undefined) return;
  act.db.updateRow('scheduled_message', id, {failed: 1});
  if (isReminder(row)) {
    // The API has no event that updates a reminder.
    emitReminderRemoved(act, row.user_id, id);
    emitReminder(act, {...row, failed: 1});
    return;
  }
  emitScheduled(act, {...row, failed: 1}, 'update');
  if (findUser(act.db, row.user_id)?.is_active !== 1) return;
  sendPersonalNotice(act, row.user_id, failureText(row, reason));
}

function failureText(row: ScheduledRow, reason: string): string {
  const when = new Date(row.deliver_at * 1000).toISOString().replace('.000', '');
  return `The message you scheduled for <time:${when}> was not sent because of the following error:

> ${reason.replaceAll('\n', '\n> ')}

[View your scheduled messages](#scheduled)`;
}

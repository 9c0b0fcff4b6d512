import {deliverScheduled, markDeliveryFailed} from '#server/actions/schedule/deliver-scheduled.ts';
import {isDiskFull} from '#server/db/database.ts';
import {dueIds, nextDueAt} from '#server/db/scheduled-messages.ts';
import {ApiError} from '#server/http/errors.ts';
import type {ScheduledDelivery, ServerContext} from './context.ts';

/** The number of messages sent in one go; requests are served between batches. */
const batchSize = 50;
/** The longest timer: after a suspend or a clock change, due messages are noticed within this time. */
const maxSleepMs = 60_000;
/** The delay before a message that could neither be sent nor marked as failed is tried again. */
const retrySeconds = 60;

/** The scheduled delivery of a server that is not listening yet. */
export const noScheduledDelivery: ScheduledDelivery = {reschedule() {}, stop() {}};

type Log = (line: string, error: unknown) => void;

/** Sends scheduled messages and reminders when they are due. Uses one timer, set for the next due time. */
export function startScheduledDelivery(server: ServerContext, log: Log = () => {}): ScheduledDelivery {
  let cancel = () => {};
  let isStopped = false;

  function sleepUntil(ms: number): void {
    cancel();
    cancel = server.clock.after(Math.min(Math.max(0, ms - server.clock.now()), maxSleepMs), wake);
  }

  function reschedule(): void {
    if (isStopped) return;
    cancel();
    const dueAt = nextDueAt(server.db);
    if (dueAt !== undefined) sleepUntil(dueAt * 1000);
  }

  function wake(): void {
    if (isStopped) return;
    const now = Math.floor(server.clock.now() / 1000);
    const results = dueIds(server.db, now, batchSize).map((id) => deliverOrFail(server, id, log));
    if (!results.includes(false)) {
      reschedule();
      return;
    }
    const next = nextDueAt(server.db, now) ?? Number.POSITIVE_INFINITY;
    sleepUntil(Math.min(next, now + retrySeconds) * 1000);
  }

  function stop(): void {
    isStopped = true;
    cancel();
  }

  reschedule();
  return {reschedule, stop};
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

import {deliverScheduled, markDeliveryFailed} from '#server/actions/schedule/deliver-scheduled.ts';
import {dueIds, nextDueAt} from '#server/db/scheduled-messages.ts';
import {ApiError} from '#server/http/errors.ts';
import type {ScheduledDelivery, ServerContext} from './context.ts';

/** Requests get a turn between batches. */
const batch = 50;
/** A machine that slept, or whose clock was set, notices within this time. */
const longestSleepMs = 60_000;
/** How long to leave alone what could neither be sent nor marked as failed. */
const retrySeconds = 60;

export const noScheduledDelivery: ScheduledDelivery = {reschedule() {}, stop() {}};

type Log = (line: string, error: unknown) => void;

/** Sends scheduled messages and reminders at their time: one timer, for whatever is due next. */
export function startScheduledDelivery(world: ServerContext, log: Log = () => {}): ScheduledDelivery {
  let cancel = () => {};
  let isStopped = false;

  function sleepUntil(ms: number): void {
    cancel();
    cancel = world.clock.after(Math.min(Math.max(0, ms - world.clock.now()), longestSleepMs), wake);
  }

  function poke(): void {
    if (isStopped) return;
    cancel();
    const dueAt = nextDueAt(world.db);
    if (dueAt !== undefined) sleepUntil(dueAt * 1000);
  }

  function wake(): void {
    if (isStopped) return;
    const now = Math.floor(world.clock.now() / 1000);
    const settled = dueIds(world.db, now, batch).map((id) => settle(world, id, log));
    if (!settled.includes(false)) {
      poke();
      return;
    }
    const next = nextDueAt(world.db, now) ?? Number.POSITIVE_INFINITY;
    sleepUntil(Math.min(next, now + retrySeconds) * 1000);
  }

  function stop(): void {
    isStopped = true;
    cancel();
  }

  poke();
  return {reschedule: poke, stop};
}

/** Sent, or marked as failed; false when not even that was possible. One that fails does not hold up the others. */
function settle(world: ServerContext, id: number, log: Log): boolean {
  try {
    world.runAction((act) => deliverScheduled(act, id));
    return true;
  } catch (error) {
    if (error instanceof ApiError) return isGivenUp(world, id, error.message, log);
    log(`Delivering scheduled message ${id} failed`, error);
    return isGivenUp(world, id, 'The server could not send it.', log);
  }
}

function isGivenUp(world: ServerContext, id: number, reason: string, log: Log): boolean {
  try {
    world.runAction((act) => markDeliveryFailed(act, id, reason));
    return true;
  } catch (error) {
    log(`Marking scheduled message ${id} as failed failed`, error);
    return false;
  }
}

import type {Clock} from '#std/clock.ts';

/**
 * Runs a task when nothing was read for `ms`. After a busy moment a timer is due before input that arrived
 * long ago is read, so the task waits one more turn, in which that input may cancel it.
 */
export function afterInputIdle(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = clock.after(ms, () => {
    cancel = clock.after(0, task);
  });
  return () => cancel();
}

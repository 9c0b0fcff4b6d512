import type {Clock} from '#std/clock.ts';

/**
 * When nothing was read for so long. When the program was busy, a timer is due before bytes that have long arrived are read:
 * they come first, and may cancel it.
 */
export function afterInputIdle(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = clock.after(ms, () => {
    cancel = clock.after(0, task);
  });
  return () => cancel();
}

import type {Clock} from '#std/clock.ts';

const tickMs = 10_000;

/** More than a busy machine loses between two ticks. */
const jumpMs = 20_000;

/** Calls `onJump` when the wall clock advanced without us: the machine slept, or the process was suspended. */
export function watchClock(clock: Clock, onJump: (aheadMs: number) => void): () => void {
  let before = clock.now();
  let cancel = clock.after(tickMs, tick);
  function tick(): void {
    const now = clock.now();
    const aheadMs = now - before - tickMs;
    before = now;
    cancel = clock.after(tickMs, tick);
    if (aheadMs > jumpMs) onJump(aheadMs);
  }
  return () => cancel();
}

/** Where time comes from. Handed down from the top so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once, `ms` from now; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    // Node clamps delays above 2^31-1 ms to 1 ms; sleep in legs instead.
    const leg = Math.min(ms, 0x7fffffff);
    let cancel = () => {};
    const timer = setTimeout(() => {
      if (leg < ms) cancel = systemClock.after(ms - leg, task);
      else task();
    }, leg);
    cancel = () => clearTimeout(timer);
    return () => cancel();
  },
};

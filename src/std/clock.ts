/** The source of time, passed as a dependency so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `task` once, `ms` from now; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    // Node runs a timer above 2^31-1 ms after 1 ms, so a longer wait is split.
    const part = Math.min(ms, 0x7fffffff);
    let cancel = () => {};
    const timer = setTimeout(() => {
      if (part < ms) cancel = systemClock.after(ms - part, task);
      else task();
    }, part);
    cancel = () => clearTimeout(timer);
    return () => cancel();
  },
};

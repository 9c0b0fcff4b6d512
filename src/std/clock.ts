/** The source of time, passed as a dependency so that tests can control it. */
export interface Clock {
  /**
   * Milliseconds since the epoch: to show, to store, and to compare with times of the server or of other processes. The
   * user may set it back or ahead.
   */
  now(): number;
  /** Milliseconds since any moment. Never goes back; all durations and deadlines in this process are measured with it. */
  monotonic(): number;
  /** Runs `task` once, `ms` from now; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
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

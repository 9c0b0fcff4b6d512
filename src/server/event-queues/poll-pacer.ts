import {type EventLoopUtilization, performance} from 'node:perf_hooks';

const fastest = 50_000;
const slowest = 300;
const adjustMs = 100;
const timerMs = 4;
/** Nobody waits longer than this, however crowded it is. */
const patienceMs = 40;
/** Above `crowded` the loop has no room left for sends; below `roomy` there is some to give back. */
const crowded = 0.98;
const roomy = 0.95;

/**
 * How often waiting polls are answered. Each answer is followed by a new request, and under a flood those two cost more
 * than the messages they carry. So when the loop is nearly full, answers are spread out: every reader gets more events at
 * once, less often, and sends keep going through. With room to spare everybody is answered at once.
 */
export class PollPacer {
  #perSecond = fastest;
  #tokens = fastest / 100;
  #refilledAt = performance.now();
  #adjustedAt = performance.now();
  #loop: EventLoopUtilization = performance.eventLoopUtilization();
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Runs `task` at the end of this turn of the event loop, or as soon as its turn comes. */
  schedule(task: () => void): void {
    this.#refill();
    if (this.#waiting.length === 0 && this.#tokens >= 1) {
      this.#tokens--;
      setImmediate(task);
      return;
    }
    this.#waiting.push(task);
    this.#timer ??= setTimeout(() => this.#serve(), timerMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #serve(): void {
    this.#timer = undefined;
    this.#refill();
    const due = Math.ceil((this.#waiting.length * timerMs) / patienceMs);
    const count = Math.min(this.#waiting.length, Math.max(due, Math.floor(this.#tokens)));
    this.#tokens = Math.max(0, this.#tokens - count);
    for (const task of this.#waiting.splice(0, count)) task();
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#serve(), timerMs);
  }

  #refill(): void {
    const now = performance.now();
    if (now - this.#adjustedAt >= adjustMs) this.#adjust(now);
    const burst = Math.max(1, this.#perSecond / 50);
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) / 1000) * this.#perSecond);
    this.#refilledAt = now;
  }

  #adjust(now: number): void {
    const current = performance.eventLoopUtilization();
    const {utilization} = performance.eventLoopUtilization(current, this.#loop);
    // A long silence says nothing about how crowded it was just now.
    if (now - this.#adjustedAt > 10 * adjustMs) this.#perSecond = fastest;
    else if (utilization > crowded)
      this.#perSecond = Math.max(slowest, Math.min(this.#perSecond, 8_000) * 0.8);
    else if (utilization < roomy) this.#perSecond = Math.min(fastest, this.#perSecond * 1.25);
    this.#loop = current;
    this.#adjustedAt = now;
  }
}

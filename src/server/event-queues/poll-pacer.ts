import {type EventLoopUtilization, performance} from 'node:perf_hooks';

/** Responses per second. */
const maxRate = 50_000;
const minRate = 300;
const adjustMs = 100;
const timerMs = 4;
/** No poll waits longer than this, however busy the event loop is. */
const maxDelayMs = 40;
/** Above `busy` utilization the event loop has no time left for sends; below `idle` the rate can rise again. */
const busy = 0.98;
const idle = 0.95;

/**
 * Limits how often waiting polls are answered. Each response is followed by a new request, and under a flood those two
 * cost more than the messages they carry. When the event loop is nearly saturated, responses are spread out: every
 * client gets more events at once, less often, and sends go on. With time to spare every poll is answered at once.
 */
export class PollPacer {
  #perSecond = maxRate;
  #tokens = maxRate / 100;
  #refilledAt = performance.now();
  #adjustedAt = performance.now();
  #loop: EventLoopUtilization = performance.eventLoopUtilization();
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Runs `task` at the end of this turn of the event loop, or later when the rate is limited. */
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
    const due = Math.ceil((this.#waiting.length * timerMs) / maxDelayMs);
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
    // After a long pause the measured utilization says nothing about the present.
    if (now - this.#adjustedAt > 10 * adjustMs) this.#perSecond = maxRate;
    else if (utilization > busy) this.#perSecond = Math.max(minRate, Math.min(this.#perSecond, 8_000) * 0.8);
    else if (utilization < idle) this.#perSecond = Math.min(maxRate, this.#perSecond * 1.25);
    this.#loop = current;
    this.#adjustedAt = now;
  }
}

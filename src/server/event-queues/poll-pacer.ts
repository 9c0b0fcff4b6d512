import {type EventLoopUtilization, performance} from 'node:perf_hooks';
import {guarded, type Log} from '#server/background-task.ts';

/** The time between two answers to one queue, with time to spare and at most. */
const minSpacingMs = 4;
const maxSpacingMs = 40;
/** With more queues than this rate allows, the time between answers may be longer. */
const maxAnswersPerMs = 5;
const adjustMs = 100;
/** Above `busy` utilization the event loop has too little time left for sends; below `idle` answers can be more frequent. */
const busy = 0.85;
const idle = 0.7;

interface WaitingAnswer {
  readonly answeredAt: number;
  readonly answer: () => void;
}

/**
 * Limits how often each queue's polls are answered. Each answer is followed by a new request, and under a flood those
 * two cost more than the messages they carry. After a pause a queue is answered at once; then its next events wait until
 * some time has passed since the answer, more when the event loop is nearly saturated: every client gets more events at
 * once, less often, and sends go on.
 */
export class PollPacer {
  readonly #queueCount: () => number;
  readonly #log: Log;
  #spacingMs = minSpacingMs;
  #adjustedAt = performance.now();
  #loop: EventLoopUtilization = performance.eventLoopUtilization();
  #waiting: WaitingAnswer[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(queueCount: () => number, log: Log) {
    this.#queueCount = queueCount;
    this.#log = log;
  }

  /** Answers a queue that was last answered at a time of `performance.now()`: at the end of this turn, or later. */
  schedule(answeredAt: number, answer: () => void): void {
    const now = performance.now();
    if (now - this.#adjustedAt >= adjustMs) this.#adjust(now);
    if (answeredAt + this.#spacingMs <= now) {
      setImmediate(guarded(answer, this.#log));
      return;
    }
    this.#waiting.push({answeredAt, answer: guarded(answer, this.#log)});
    this.#timer ??= this.#startTimer();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #answerDue(): void {
    const latest = performance.now() - this.#spacingMs;
    const due = this.#waiting.filter(({answeredAt}) => answeredAt <= latest);
    this.#waiting = this.#waiting.filter(({answeredAt}) => answeredAt > latest);
    this.#timer = this.#waiting.length > 0 ? this.#startTimer() : undefined;
    for (const {answer} of due) answer();
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(
      guarded(() => this.#answerDue(), this.#log),
      minSpacingMs,
    );
  }

  #adjust(now: number): void {
    const current = performance.eventLoopUtilization();
    const {utilization} = performance.eventLoopUtilization(current, this.#loop);
    const most = Math.max(maxSpacingMs, this.#queueCount() / maxAnswersPerMs);
    // After a long pause the measured utilization says nothing about the present.
    if (now - this.#adjustedAt > 10 * adjustMs) this.#spacingMs = minSpacingMs;
    else if (utilization > busy) this.#spacingMs = Math.min(most, this.#spacingMs * 1.5);
    else if (utilization < idle) this.#spacingMs = Math.max(minSpacingMs, this.#spacingMs / 1.25);
    this.#loop = current;
    this.#adjustedAt = now;
  }
}

import {guardBackgroundTask} from '#state/guard-background-task.ts';
import type {SessionContext} from '#state/session-context.ts';

/** A task waits until no key was pressed for this long, but at most `maxDelayMs`. */
const quietMs = 1000;
const maxDelayMs = 20_000;

/** Runs a task that would delay key presses: after a delay, and not while the user is typing. */
export class QuietTimer {
  readonly #context: SessionContext;
  #activeAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  noteActivity(): void {
    this.#activeAt = this.#context.clock.monotonic();
  }

  /** Does nothing while a task is waiting. */
  start(waitMs: number, run: () => void): void {
    if (this.#cancel !== undefined) return;
    const {clock} = this.#context;
    const latest = clock.monotonic() + waitMs + maxDelayMs;
    const task = guardBackgroundTask(this.#context, () => {
      const isActive = clock.monotonic() - this.#activeAt < quietMs;
      this.#cancel = isActive && clock.monotonic() < latest ? clock.after(quietMs, task) : undefined;
      if (this.#cancel === undefined) run();
    });
    this.#cancel = clock.after(waitMs, task);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

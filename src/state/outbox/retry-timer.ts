import type {ApiFailure} from '#api/failure.ts';
import type {SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';

/** The sender's pauses, which end early when something may have changed the situation. */
export class RetryTimer {
  readonly #context: Pick<SessionContext, 'clock' | 'signal'>;
  readonly #backoff: Backoff;
  /** Receives how late a pause ended: the machine may have slept for hours. */
  readonly #onOversleep: (lateMs: number) => void;
  #wake = () => {};
  /** The server named the time to wait. */
  #isServerDelay = false;

  constructor(context: Pick<SessionContext, 'clock' | 'signal' | 'random'>, onOversleep: (lateMs: number) => void) {
    this.#context = context;
    this.#backoff = new Backoff(context.random);
    this.#onOversleep = onOversleep;
    context.signal.addEventListener('abort', () => this.#wake(), {once: true});
  }

  wait(ms: number): Promise<void> {
    const {clock, signal} = this.#context;
    if (signal.aborted) return Promise.resolve();
    // By the wall clock, because the monotonic clock stands still while the machine sleeps.
    const due = clock.now() + ms;
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#wake = () => {};
        this.#onOversleep(clock.now() - due);
        resolve();
      };
      const cancel = clock.after(ms, wake);
      this.#wake = wake;
    });
  }

  /** Waits as long as the server asked, or with growing delays. */
  async waitAfterFailure(failure: ApiFailure | undefined): Promise<void> {
    const retryAfterMs = failure?.kind === 'retry' ? failure.retryAfterMs : undefined;
    this.#isServerDelay = retryAfterMs !== undefined;
    await this.wait(retryAfterMs ?? this.#backoff.next());
    this.#isServerDelay = false;
  }

  /** Ends the pause, unless the server asked for it. */
  wake(): void {
    if (!this.#isServerDelay) this.#wake();
  }

  /** Ends any pause and resets the delays, because the server is reachable again. */
  resetAndWake(): void {
    this.#backoff.reset();
    this.#wake();
  }

  /** Resets the delays to the shortest. */
  reset(): void {
    this.#backoff.reset();
  }
}

import type {ApiFailure} from '#api/failure.ts';
import type {SessionContext} from '#state/session-context.ts';
import {Backoff} from '#std/backoff.ts';

/** The sender's pauses: they end early when something happens that may change what to do. */
export class RetryTimer {
  readonly #context: Pick<SessionContext, 'clock' | 'signal'>;
  readonly #backoff: Backoff;
  /** Told how much too late a pause ended: the machine slept through it, perhaps for hours. */
  readonly #onOversleep: (lateMs: number) => void;
  #wake = () => {};
  /** The server named the time to wait. */
  #isTold = false;

  constructor(
    context: Pick<SessionContext, 'clock' | 'signal' | 'random'>,
    onOversleep: (lateMs: number) => void,
  ) {
    this.#context = context;
    this.#backoff = new Backoff(context.random);
    this.#onOversleep = onOversleep;
    context.signal.addEventListener('abort', () => this.#wake(), {once: true});
  }

  wait(ms: number): Promise<void> {
    const {clock, signal} = this.#context;
    if (signal.aborted) return Promise.resolve();
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

  /** As long as the server asked for, or longer each time. */
  async waitAfterFailure(failure: ApiFailure | undefined): Promise<void> {
    const toldMs = failure?.kind === 'retry' ? failure.retryAfterMs : undefined;
    this.#isTold = toldMs !== undefined;
    await this.wait(toldMs ?? this.#backoff.next());
    this.#isTold = false;
  }

  /** Something happened; what the server asked for is kept to. */
  wake(): void {
    if (!this.#isTold) this.#wake();
  }

  /** All is well again. */
  resetAndWake(): void {
    this.#backoff.reset();
    this.#wake();
  }

  /** The next pause is a short one again. */
  reset(): void {
    this.#backoff.reset();
  }
}

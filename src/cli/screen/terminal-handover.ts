import type {Clock} from '#std/clock.ts';
import type {TerminalLifecycle} from '#terminal/lifecycle.ts';
import type {TerminalOutput} from '#terminal/terminal-output.ts';

/** The time to wait for the terminal to read pending output before it is handed over. */
const drainTimeoutMs = 200;

export interface TerminalHandoverParts {
  readonly lifecycle: Pick<TerminalLifecycle, 'pause' | 'resume' | 'suspend'>;
  readonly output: Pick<TerminalOutput, 'whenDrained'>;
  readonly clock: Clock;
  /** Called when the program continues after it was suspended. */
  readonly onResumed: () => void;
}

/** Hands the terminal to another program or to the shell, and takes it back. */
export class TerminalHandover {
  readonly #parts: TerminalHandoverParts;

  constructor(parts: TerminalHandoverParts) {
    this.#parts = parts;
  }

  async lend<T>(body: () => Promise<T>): Promise<T> {
    const {lifecycle} = this.#parts;
    await this.#waitForDrain();
    lifecycle.pause();
    try {
      return await body();
    } finally {
      lifecycle.resume();
    }
  }

  async suspend(): Promise<void> {
    await this.#waitForDrain();
    await this.#parts.lifecycle.suspend();
    this.#parts.onResumed();
  }

  #waitForDrain(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    const cancel = this.#parts.clock.after(drainTimeoutMs, resolve);
    this.#parts.output.whenDrained().then(() => {
      cancel();
      resolve();
    });
    return promise;
  }
}

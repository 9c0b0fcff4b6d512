import type {Clock} from '#std/clock.ts';
import type {TerminalLifecycle} from '#terminal/lifecycle.ts';
import type {TerminalOutput} from '#terminal/terminal-output.ts';

/** A terminal that does not read is not waited for longer before it is given away. */
const drainMs = 200;

export interface TerminalHandoverParts {
  readonly lifecycle: Pick<TerminalLifecycle, 'pause' | 'resume' | 'suspend'>;
  readonly output: Pick<TerminalOutput, 'whenDrained'>;
  readonly clock: Clock;
  /** It was stopped and goes on. */
  readonly onResumed: () => void;
}

/** The terminal in other hands for a while: a program of its own, or the shell. */
export class TerminalHandover {
  readonly #parts: TerminalHandoverParts;

  constructor(parts: TerminalHandoverParts) {
    this.#parts = parts;
  }

  async lend<T>(body: () => Promise<T>): Promise<T> {
    const {lifecycle} = this.#parts;
    await this.#drained();
    lifecycle.pause();
    try {
      return await body();
    } finally {
      lifecycle.resume();
    }
  }

  async suspend(): Promise<void> {
    await this.#drained();
    await this.#parts.lifecycle.suspend();
    this.#parts.onResumed();
  }

  #drained(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    const cancel = this.#parts.clock.after(drainMs, resolve);
    this.#parts.output.whenDrained().then(() => {
      cancel();
      resolve();
    });
    return promise;
  }
}

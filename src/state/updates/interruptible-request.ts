import type {Clock} from '#std/clock.ts';
import {InterruptedError, type InterruptReason} from './update-machine-ports.ts';

/** Runs one request at a time, which can be interrupted for a reason. */
export class InterruptibleRequest {
  readonly #clock: Clock;
  #controller: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isInFlight(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Rejects with `InterruptedError` when the request was interrupted or took longer than allowed, even if the
   * response arrived after all.
   */
  async run<T>(call: (signal: AbortSignal) => Promise<T>, limitMs?: number): Promise<T> {
    const controller = new AbortController();
    this.#controller = controller;
    const onTimeout = () => controller.abort(new InterruptedError('timeout'));
    const cancel = limitMs === undefined ? () => {} : this.#clock.after(limitMs, onTimeout);
    try {
      const response = await call(controller.signal);
      controller.signal.throwIfAborted();
      return response;
    } catch (error) {
      throw controller.signal.aborted ? controller.signal.reason : error;
    } finally {
      cancel();
      this.#controller = undefined;
    }
  }

  interrupt(reason: InterruptReason): void {
    this.#controller?.abort(new InterruptedError(reason));
  }
}

import type {Clock} from '#std/clock.ts';
import {InterruptedError, type InterruptReason} from './update-machine-ports.ts';

/** One request at a time, which can be called back for a reason. */
export class InterruptibleRequest {
  readonly #clock: Clock;
  #flight: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isInFlight(): boolean {
    return this.#flight !== undefined;
  }

  /** Rejects with `Interrupted` when it was called back or took longer than allowed, even if the answer came after all. */
  async run<T>(call: (signal: AbortSignal) => Promise<T>, limitMs?: number): Promise<T> {
    const flight = new AbortController();
    this.#flight = flight;
    const late = () => flight.abort(new InterruptedError('timeout'));
    const cancel = limitMs === undefined ? () => {} : this.#clock.after(limitMs, late);
    try {
      const answer = await call(flight.signal);
      flight.signal.throwIfAborted();
      return answer;
    } catch (error) {
      throw flight.signal.aborted ? flight.signal.reason : error;
    } finally {
      cancel();
      this.#flight = undefined;
    }
  }

  interrupt(reason: InterruptReason): void {
    this.#flight?.abort(new InterruptedError(reason));
  }
}

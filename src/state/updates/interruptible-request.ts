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

/**
 * The reason for waiting: `brief` may be cut short at any good moment, `required` was asked for by the server
 * or protects it, `parked` lasts until the user acts.
 */
export type PauseKind = 'brief' | 'required' | 'parked';

/** A wait that can be cut short. Only one at a time. */
export class Pause {
  readonly #clock: Clock;
  #end: (() => void) | undefined;
  #kind: PauseKind | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get kind(): PauseKind | undefined {
    return this.#kind;
  }

  /** Waits for `ms`, or until `end` when there is no time. */
  wait(kind: PauseKind, ms?: number): Promise<void> {
    this.end();
    return new Promise((resolve) => {
      const end = () => {
        this.#end = undefined;
        this.#kind = undefined;
        cancel();
        resolve();
      };
      const cancel = ms === undefined ? () => {} : this.#clock.after(ms, end);
      this.#end = end;
      this.#kind = kind;
    });
  }

  end(): void {
    this.#end?.();
  }
}

/** A promise of readiness that can be renewed after it failed. */
export class Readiness {
  #settled: 'no' | 'done' | 'failed' = 'no';
  #resolve = () => {};
  #reject: (reason: unknown) => void = () => {};
  promise = this.#fresh();

  succeed(): void {
    if (this.#settled === 'failed') this.renew();
    this.#settled = 'done';
    this.#resolve();
  }

  fail(reason: unknown): void {
    if (this.#settled !== 'no') return;
    this.#settled = 'failed';
    this.#reject(reason);
  }

  /** Starts a new promise after a failure. */
  renew(): void {
    if (this.#settled !== 'failed') return;
    this.#settled = 'no';
    this.promise = this.#fresh();
  }

  #fresh(): Promise<void> {
    const promise = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A rejection that is not awaited must not end the process.
    promise.catch(() => {});
    return promise;
  }
}

const tickMs = 10_000;
/** More than a busy machine loses between two ticks. */
const jumpMs = 20_000;

/** Calls `onJump` when the wall clock advanced without us: the machine slept, or the process was suspended. */
export function watchClock(clock: Clock, onJump: (aheadMs: number) => void): () => void {
  let before = clock.now();
  let cancel = clock.after(tickMs, tick);
  function tick(): void {
    const now = clock.now();
    const aheadMs = now - before - tickMs;
    before = now;
    cancel = clock.after(tickMs, tick);
    if (aheadMs > jumpMs) onJump(aheadMs);
  }
  return () => cancel();
}

import {type Clock, systemClock} from '#std/clock.ts';

export interface FastClockOptions {
  readonly start?: number;
  /** How many times as fast as real time. */
  readonly rate?: number;
}

/** A clock that runs several times as fast as real time, and can jump, as on a machine that slept. */
export class FastClock implements Clock {
  /** When it was right. Processes that compare times need clocks with the same start. */
  readonly start: number;
  readonly #rate: number;
  #leapt = 0;

  constructor({start = systemClock.now(), rate = 50}: FastClockOptions = {}) {
    this.start = start;
    this.#rate = rate;
  }

  now(): number {
    return this.start + (systemClock.now() - this.start) * this.#rate + this.#leapt;
  }

  monotonic(): number {
    return systemClock.monotonic() * this.#rate;
  }

  after(ms: number, task: () => void): () => void {
    return systemClock.after(ms / this.#rate, task);
  }

  jump(ms: number): void {
    this.#leapt += ms;
  }
}

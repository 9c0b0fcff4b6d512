import {type Clock, systemClock} from '#std/clock.ts';

/** A clock that runs several times as fast as real time, and can jump, as on a machine that slept. */
export class FastClock implements Clock {
  readonly #rate: number;
  readonly #start = systemClock.now();
  #leapt = 0;

  constructor(rate = 50) {
    this.#rate = rate;
  }

  now(): number {
    return this.#start + (systemClock.now() - this.#start) * this.#rate + this.#leapt;
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

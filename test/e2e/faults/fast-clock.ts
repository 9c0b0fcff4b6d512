import {type Clock, systemClock} from '#std/clock.ts';

/** Time that runs so many times as fast as on the wall, and can leap, as it does on a machine that slept. */
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

  after(ms: number, task: () => void): () => void {
    return systemClock.after(ms / this.#rate, task);
  }

  jump(ms: number): void {
    this.#leapt += ms;
  }
}

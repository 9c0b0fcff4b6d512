export interface BackoffOptions {
  readonly firstMs?: number;
  readonly capMs?: number;
  readonly factor?: number;
}

/** Exponential backoff with jitter, so that many clients do not retry at the same moment. */
export class Backoff {
  readonly #random: () => number;
  readonly #firstMs: number;
  readonly #capMs: number;
  readonly #factor: number;
  #baseMs: number;

  constructor(random: () => number, {firstMs = 500, capMs = 30_000, factor = 2}: BackoffOptions = {}) {
    this.#random = random;
    this.#firstMs = firstMs;
    this.#capMs = capMs;
    this.#factor = factor;
    this.#baseMs = firstMs;
  }

  /** Returns the next wait: between half of the current step and all of it. */
  next(): number {
    const step = Math.min(this.#baseMs, this.#capMs);
    this.#baseMs = Math.min(step * this.#factor, this.#capMs);
    return step * (0.5 + this.#random() / 2);
  }

  /** Makes the next wait short again, after a success. */
  reset(): void {
    this.#baseMs = this.#firstMs;
  }
}

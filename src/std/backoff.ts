export interface BackoffOptions {
  readonly firstMs?: number;
  readonly capMs?: number;
  readonly factor?: number;
}

/** Longer and longer waits, spread out so that many clients do not come back at the same moment. */
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

  /** How long to wait now: from half of the current step up to all of it. */
  next(): number {
    const step = Math.min(this.#baseMs, this.#capMs);
    this.#baseMs = Math.min(step * this.#factor, this.#capMs);
    return step * (0.5 + this.#random() / 2);
  }

  /** After a success the next wait is a short one again. */
  reset(): void {
    this.#baseMs = this.#firstMs;
  }
}

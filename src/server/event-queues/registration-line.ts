import {getOrCreate} from '#std/get-or-create.ts';

/**
 * Makes registrations one after the other, because after a restart everybody registers at once. The users take turns: one with
 * many clients does not delay the others.
 */
export class RegistrationLine {
  readonly #nextTurn: () => Promise<void>;
  /** By user, in the order of their turns; each of a user's registrations is a function that starts it. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #isBusy = false;

  /** Other requests are served while `nextTurn` waits. */
  constructor(nextTurn: () => Promise<void>) {
    this.#nextTurn = nextTurn;
  }

  async run<T>(userId: number, register: () => Promise<T>): Promise<T> {
    if (this.#isBusy) {
      await new Promise<void>((start) => void getOrCreate(this.#waiting, userId, () => []).push(start));
      await this.#nextTurn();
    }
    this.#isBusy = true;
    try {
      return await register();
    } finally {
      this.#startNext();
    }
  }

  /** Starts the first registration that waits; the line stays busy until then, so that none comes between. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#isBusy = false;
      return;
    }
    const [userId, [start, ...others]] = next;
    this.#waiting.delete(userId);
    if (others.length > 0) this.#waiting.set(userId, others);
    start?.();
  }
}

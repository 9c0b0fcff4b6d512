/** The time limit of a wait: far more than anything takes, even on a slow machine. */
const patienceMs = Number(process.env.PARLEY_TEST_PATIENCE_MS ?? 120_000);

export interface Moment {
  /** Whether the screen shows a complete frame. */
  readonly isShown: boolean;
  /** Whether the program has ended and all its output is on the screen. */
  readonly isOver: boolean;
}

interface Wait {
  /** Whether the condition is only checked on complete frames. */
  readonly isOfScreen: boolean;
  readonly isSo: () => boolean;
  readonly resolve: () => void;
  readonly reject: (why: string) => void;
}

/** The pending waits of a test. They are checked after new output, and fail with what they saw last. */
export class Waits {
  readonly #waits = new Set<Wait>();
  readonly #moment: () => Moment;
  readonly #printed: () => string;

  constructor(moment: () => Moment, printed: () => string) {
    this.#moment = moment;
    this.#printed = printed;
  }

  look(): void {
    for (const wait of this.#waits) this.#lookAgain(wait);
  }

  until(isSo: () => boolean, label: string, isOfScreen: boolean): Promise<void> {
    // Created here, so that the stack trace names the line of the test.
    const failure = new Error();
    const {promise, resolve, reject} = Promise.withResolvers<void>();
    const wait: Wait = {
      isOfScreen,
      isSo,
      resolve: () => {
        this.#forget(wait, limit);
        resolve();
      },
      reject: (why) => {
        this.#forget(wait, limit);
        failure.message = `${why}, and there was no ${label}.\n${this.#printed()}`;
        reject(failure);
      },
    };
    const limit = setTimeout(() => wait.reject(`${patienceMs / 1000} s have passed`), patienceMs);
    this.#waits.add(wait);
    this.#lookAgain(wait);
    return promise;
  }

  #lookAgain(wait: Wait): void {
    const {isShown, isOver} = this.#moment();
    try {
      if ((isShown || !wait.isOfScreen) && wait.isSo()) wait.resolve();
      else if (isOver) wait.reject('The program has ended');
    } catch (error) {
      wait.reject(`Looking failed (${error})`);
    }
  }

  #forget(wait: Wait, limit: NodeJS.Timeout): void {
    clearTimeout(limit);
    this.#waits.delete(wait);
  }
}

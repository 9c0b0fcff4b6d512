/** A wait is given up after this long: far more than anything takes on a machine that stalls. */
const patienceMs = Number(process.env.PARLEY_TEST_PATIENCE_MS ?? 30_000);

export interface Moment {
  /** What is on the screen is a whole frame. */
  readonly isShown: boolean;
  /** The program has ended, and all it wrote is on the screen. */
  readonly isOver: boolean;
}

interface Wait {
  /** What is on the screen does not count before its frame is complete; all else counts at once. */
  readonly isOfScreen: boolean;
  readonly isSo: () => boolean;
  readonly resolve: () => void;
  readonly reject: (why: string) => void;
}

/** Those who wait for something to be so. They look whenever there is something new, and fail with what they saw instead. */
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
    // Made here, so that the failure names the line of the test.
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

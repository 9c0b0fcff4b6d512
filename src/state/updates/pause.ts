import type {Clock} from '#std/clock.ts';

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

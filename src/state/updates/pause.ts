import type {Clock} from '#std/clock.ts';

/**
 * Why the machine waits: `brief` until whatever seems a good moment, `owed` because the server asked for it or has to be
 * spared, `parked` until somebody does something about it.
 */
export type PauseKind = 'brief' | 'owed' | 'parked';

/** A wait that can be cut short. One at a time. */
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

  /** Without a time, until `end`. */
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

import type {Clock} from '#std/clock.ts';
import type {Log} from './store-failures.ts';

/** Where an account is kept, and what opening it needs. */
export interface Place {
  readonly path: string;
  /** The migrations, in order. */
  readonly steps: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

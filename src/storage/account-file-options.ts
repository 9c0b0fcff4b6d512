import type {Clock} from '#std/clock.ts';
import type {LogFunction} from './store-failures.ts';

/** Where an account is kept, and what opening it needs. */
export interface AccountFileOptions {
  readonly path: string;
  /** The migrations, in order. */
  readonly migrationSteps: readonly string[];
  readonly clock: Clock;
  readonly log: LogFunction;
}

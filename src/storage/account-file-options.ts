import type {Clock} from '#std/clock.ts';
import type {LogFunction} from './store-failures.ts';

/** The path of an account's file, and what opening it needs. */
export interface AccountFileOptions {
  readonly path: string;
  /** The SQL of the migrations, in order. */
  readonly migrationSteps: readonly string[];
  readonly clock: Clock;
  readonly log: LogFunction;
}

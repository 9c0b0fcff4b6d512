import type {Api} from '#api/api.ts';
import type {Clock} from '#std/clock.ts';
import type {AccountStore} from './account-store.ts';
import type {Cache} from './cache.ts';

/** The services that every part of a session shares. */
export interface SessionContext {
  readonly api: Api;
  readonly cache: Cache;
  readonly store: AccountStore;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** Writes to the log file; never pass secrets. */
  readonly log: (line: string, error?: unknown) => void;
  /** The id of the event queue in use; undefined while there is none. */
  readonly queueId: () => string | undefined;
  /** Aborted when the session stops. */
  readonly signal: AbortSignal;
  /** True: nothing is marked read, and neither presence nor typing is sent. */
  readonly isExploring: boolean;
}

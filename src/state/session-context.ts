import type {Api} from '#api/api.ts';
import type {Clock} from '#std/clock.ts';
import type {AccountStore} from './account-store.ts';
import type {Cache} from './cache.ts';

/** What everything that acts for one account shares. */
export interface SessionContext {
  readonly api: Api;
  readonly cache: Cache;
  readonly store: AccountStore;
  readonly clock: Clock;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** For the log file: what happened, never a secret. */
  readonly log: (line: string, error?: unknown) => void;
  /** The event queue in use; undefined while there is none. */
  readonly queueId: () => string | undefined;
  /** Aborted when the session stops. */
  readonly signal: AbortSignal;
  /** True: nothing is marked read, no presence and no typing is sent. */
  readonly isExploring: boolean;
}

import type {Api} from '#api/api.ts';
import type {Clock} from '#std/clock.ts';
import type {AccountStore} from './account-store.ts';
import type {Cache} from './cache.ts';
import type {SliceName} from './state.ts';

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

/**
 * Wraps a task that timers or store listeners call: the task does nothing after the session has ended, and
 * its failure, such as a full disk, is logged instead of ending the process.
 */
export function guardBackgroundTask(context: Pick<SessionContext, 'signal' | 'log'>, task: () => void): () => void {
  return () => {
    if (context.signal.aborted) return;
    try {
      task();
    } catch (error) {
      context.log('A background task failed', error);
    }
  };
}

/** Calls every disposer when the signal aborts. */
export function disposeOnAbort(signal: AbortSignal, disposers: readonly (() => void)[]): void {
  const disposeAll = () => {
    for (const dispose of disposers) dispose();
  };
  signal.addEventListener('abort', disposeAll, {once: true});
}

/** Returns an id that is unique over all processes on an account: the time and 52 random bits. Ids sort by time. */
export function newId(clock: Pick<Clock, 'now'>, random: () => number): string {
  const randomBits = Math.floor(random() * 2 ** 52);
  return `${clock.now().toString(36)}-${randomBits.toString(36).padStart(11, '0')}`;
}

/** Lets pending input and network events be handled. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Calls the task after commits that changed one of these slices, until the session ends. */
export function watchSlices(context: SessionContext, slices: readonly SliceName[], task: () => void): void {
  disposeOnAbort(context.signal, [context.cache.subscribe(slices, guardBackgroundTask(context, task))]);
}

/** Calls the task when another process changed the store, until the session ends. */
export function watchOtherProcesses(context: SessionContext, task: () => void): void {
  disposeOnAbort(context.signal, [context.store.onExternalChange(guardBackgroundTask(context, task))]);
}

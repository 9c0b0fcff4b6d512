import type {SessionContext} from './session-context.ts';

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

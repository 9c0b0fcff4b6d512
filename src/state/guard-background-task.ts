import type {SessionContext} from './session-context.ts';

/**
 * For what is called from outside any call of ours (timers, listeners): nothing happens after the end of the session, and a
 * failure, such as a full disk, goes to the log instead of ending the program.
 */
export function guardBackgroundTask(
  context: Pick<SessionContext, 'signal' | 'log'>,
  task: () => void,
): () => void {
  return () => {
    if (context.signal.aborted) return;
    try {
      task();
    } catch (error) {
      context.log('Something in the background failed', error);
    }
  };
}

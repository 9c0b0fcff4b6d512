import {isDiskFull} from '#server/db/database.ts';
import type {EmittedEvent} from '#server/event-queues/emitted-event.ts';
import type {ActionContext, ServerContext} from './context.ts';

/**
 * Runs `body` in one transaction, then delivers the events it emitted, then runs its `afterCommit` tasks and the
 * action listeners.
 */
export function runAction<T>(server: ServerContext, body: (act: ActionContext) => T, isRepeated = false): T {
  const events: EmittedEvent[] = [];
  const tasks: (() => void)[] = [];
  const act: ActionContext = {
    server,
    db: server.db,
    now: Math.floor(server.clock.now() / 1000),
    emit: (event) => void events.push(event),
    afterCommit: (task) => void tasks.push(task),
  };
  let result: T;
  try {
    result = server.db.transaction(() => body(act));
  } catch (error) {
    server.derivedFacts.invalidateAll();
    server.deferredWork.reload();
    // On a full disk, requests that only read are still served: search entries, which they may write, have to wait.
    if (isDiskFull(error) && !isRepeated && server.deferredWork.isPending) {
      return server.deferredWork.paused(() => runAction(server, body, true));
    }
    throw error;
  }
  server.deferredWork.notice();
  server.queues.deliver(events);
  for (const task of tasks) task();
  return result;
}

import {isDiskFull} from '#server/db/database.ts';
import type {EmittedEvent} from '#server/event-queues/emitted-event.ts';
import type {ActionContext, ServerContext} from './context.ts';

/**
 * Runs `body` in one transaction, then delivers the events it emitted, then runs its `afterCommit` tasks and the
 * action listeners.
 *
 * Only plain sends set `defersMessageWork`: every other action first completes the deferred work of earlier messages
 * (see `deferred-message-work.ts`), because it may read rows that this work writes.
 */
export function runAction<T>(server: ServerContext, body: (act: ActionContext) => T, defersMessageWork = false): T {
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
    result = server.db.transaction(() => {
      if (!defersMessageWork) server.deferredWork.completeAll(server.db);
      return body(act);
    });
  } catch (error) {
    server.derivedFacts.invalidateAll();
    server.deferredWork.reload();
    // On a full disk, requests that only read are still served: search entries, which they wrote first, have to wait.
    if (isDiskFull(error) && !defersMessageWork && server.deferredWork.isPending) return runAction(server, body, true);
    throw error;
  }
  server.queues.deliver(events);
  for (const task of tasks) task();
  return result;
}

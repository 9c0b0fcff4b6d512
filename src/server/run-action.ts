import type {EmittedEvent} from '#server/event-queues/emitted-event.ts';
import type {ActionContext, ServerContext} from './context.ts';

/**
 * One transaction, then the events, then the afterthoughts.
 *
 * `owing` is for plain sends alone: everything else wants what new messages owe to be there (see `arrivals.ts`).
 */
export function runAction<T>(server: ServerContext, body: (act: ActionContext) => T, owing = false): T {
  const emits: EmittedEvent[] = [];
  const later: (() => void)[] = [];
  const act: ActionContext = {
    server,
    db: server.db,
    now: Math.floor(server.clock.now() / 1000),
    emit: (event) => void emits.push(event),
    afterCommit: (task) => void later.push(task),
  };
  let result: T;
  try {
    result = server.db.transaction(() => {
      if (!owing) server.deferredWork.completeAll(server.db);
      return body(act);
    });
  } catch (error) {
    server.derivedFacts.invalidateAll();
    server.deferredWork.reload();
    throw error;
  }
  server.queues.deliver(emits);
  for (const task of later) task();
  return result;
}

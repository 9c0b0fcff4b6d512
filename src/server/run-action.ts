import type {EmittedEvent} from '#server/event-queues/emitted-event.ts';
import type {ActionContext, ServerContext} from './context.ts';

/**
 * One transaction, then the events, then the afterthoughts.
 *
 * `owing` is for plain sends alone: everything else wants what new messages owe to be there (see `arrivals.ts`).
 */
export function runAction<T>(world: ServerContext, body: (act: ActionContext) => T, owing = false): T {
  const emits: EmittedEvent[] = [];
  const later: (() => void)[] = [];
  const act: ActionContext = {
    world,
    db: world.db,
    now: Math.floor(world.clock.now() / 1000),
    emit: (event) => void emits.push(event),
    afterCommit: (task) => void later.push(task),
  };
  let result: T;
  try {
    result = world.db.transaction(() => {
      if (!owing) world.deferredWork.completeAll(world.db);
      return body(act);
    });
  } catch (error) {
    world.derivedFacts.invalidateAll();
    world.deferredWork.reload();
    throw error;
  }
  world.queues.deliver(emits);
  for (const task of later) task();
  return result;
}

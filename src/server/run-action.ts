import type {Emit} from '#server/event-queues/emitted-event.ts';
import type {Act, World} from './context.ts';

/**
 * One transaction, then the events, then the afterthoughts.
 *
 * `owing` is for plain sends alone: everything else wants what new messages owe to be there (see `arrivals.ts`).
 */
export function actOn<T>(world: World, body: (act: Act) => T, owing = false): T {
  const emits: Emit[] = [];
  const later: (() => void)[] = [];
  const act: Act = {
    world,
    db: world.db,
    now: Math.floor(world.clock.now() / 1000),
    emit: (event) => void emits.push(event),
    afterwards: (task) => void later.push(task),
  };
  let result: T;
  try {
    result = world.db.transaction(() => {
      if (!owing) world.arrivals.settle(world.db);
      return body(act);
    });
  } catch (error) {
    world.memory.forgetAll();
    world.arrivals.reload();
    throw error;
  }
  world.queues.deliver(emits);
  for (const task of later) task();
  return result;
}

import {isDiskFull} from '#server/db/database.ts';
import type {EmittedEvent} from '#server/event-queues/event-queues.ts';
import type {ActionContext, ServerContext} from './context.ts';
import {serverStopping} from './errors.ts';

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
    emit: (type, to, body) => void events.push({type, to, body}),
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

/**
 * Runs long work as a sequence of actions, so that other requests are served in between. At each `yield` of `body` the
 * action may end: if it took long, it is committed, its events are delivered, the others run, and the work goes on in the
 * next one. Work that takes less is one action, as with `runAction`.
 *
 * Only what may stay undone may follow a `yield`: an error or the end of the process does not undo the actions before.
 * And others may have changed what was read before it.
 */
export function runInSlices<T>(
  server: ServerContext,
  body: (act: ActionContext) => Generator<void, T>,
): T | Promise<T> {
  let work: Generator<void, T>;
  let act: ActionContext;
  const first = runAction(server, (slice) => {
    act = slice;
    // An action may be repeated, so the work begins here.
    work = body({...slice, emit: (...event) => act.emit(...event), afterCommit: (task) => act.afterCommit(task)});
    return workOn(server, work);
  });
  const next = (slice: ActionContext) => {
    act = slice;
    return workOn(server, work);
  };
  return first.done === true ? first.value : continueInSlices(server, next);
}

/** Runs work of `runInSlices` as a part of one action. */
export function withoutPauses<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

async function continueInSlices<T>(
  server: ServerContext,
  next: (act: ActionContext) => IteratorResult<void, T>,
): Promise<T> {
  for (;;) {
    await server.nextTurn();
    if (!server.db.isOpen) throw serverStopping();
    const step = runAction(server, next, true);
    if (step.done === true) return step.value;
  }
}

/** Continues the work until it is done or has taken long. */
function workOn<T>({clock, sliceMs}: ServerContext, work: Generator<void, T>): IteratorResult<void, T> {
  const start = clock.monotonic();
  for (;;) {
    const step = work.next();
    if (step.done === true || clock.monotonic() - start >= sliceMs) return step;
  }
}

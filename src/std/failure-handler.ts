import {AsyncLocalStorage} from 'node:async_hooks';

type FailureHandler = (error: unknown) => void;

const handlers = new AsyncLocalStorage<FailureHandler>();

/** Runs a task; `fail` is for failures that nothing catches, in the task and in the callbacks and promises that it starts. */
export function withFailureHandler<T>(fail: FailureHandler, task: () => T): T {
  return handlers.run(fail, task);
}

/** Returns the handler of the task that the running code belongs to. */
export function currentFailureHandler(): FailureHandler | undefined {
  return handlers.getStore();
}

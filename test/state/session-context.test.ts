import {expect, test} from 'vitest';
import {disposeOnAbort, guardBackgroundTask} from '#state/session-context.ts';

test('background tasks: the end of the session disposes of all of them, and none runs after it', () => {
  const ending = new AbortController();
  const done: string[] = [];
  disposeOnAbort(ending.signal, [() => done.push('one'), () => done.push('two')]);
  const task = guardBackgroundTask({signal: ending.signal, log: () => {}}, () => done.push('task'));
  task();
  expect(done).toEqual(['task']);
  ending.abort();
  task();
  expect(done).toEqual(['task', 'one', 'two']);
});

test('background tasks: one that fails is logged and does no other harm', () => {
  const logged: unknown[] = [];
  const log = (line: string, error?: unknown) => void logged.push(line, error);
  const error = new Error('disk full');
  const task = guardBackgroundTask({signal: new AbortController().signal, log}, () => {
    throw error;
  });
  expect(task).not.toThrow();
  expect(logged).toEqual(['A background task failed', error]);
});

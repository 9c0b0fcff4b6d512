import {expect, test} from 'vitest';
import {type Undoable, UndoStack, type UndoStore} from '#ui/core/undo-stack.ts';

/** Returns an action whose undo fails the given number of times, then reports its label. */
function undoable(label: string, {failures = 0, isGone = false} = {}): Undoable {
  let failuresLeft = failures;
  return {
    label,
    undo: () => {
      if (failuresLeft-- > 0) throw new Error('the disk is full');
      return isGone ? undefined : `Undone: ${label}`;
    },
  };
}

function undoStackFixture(overrides: Partial<UndoStore> = {}) {
  const saved: Undoable[] = [];
  let at = 0;
  const store: UndoStore = {
    valuesToPersist: () => new Map(),
    save: (action) => void saved.push(action),
    remove: (action) => void saved.splice(saved.indexOf(action), 1),
    loadEarlier: () => [],
    newRecord: (label, problem) => ({label, at: ++at, keys: [], steps: [], problem}),
    undoableOf: (record) => ({...undoable(record.label), record}),
    undoProblem: () => undefined,
    undoQuestion: () => undefined,
    ...overrides,
  };
  const stack = new UndoStack(store);
  const undo = () => {
    const latest = stack.latest();
    return latest === undefined ? 'Nothing to undo.' : stack.undoOne(latest).resultText;
  };
  return {saved, stack, undo};
}

test('undo stack: undoes the latest action first; one with nothing left to undo says so before an older one is undone', () => {
  const {stack, saved, undo} = undoStackFixture({loadEarlier: () => [undoable('before the start')]});
  stack.push(undoable('first'));
  stack.push(undoable('gone', {isGone: true}));
  expect(undo()).toBe('Nothing is left to undo: gone');
  expect(undo()).toBe('Undone: first');
  expect(saved).toEqual([]);
  expect(undo()).toBe('Undone: before the start');
  expect(undo()).toBe('Nothing to undo.');
});

test('undo stack: what cannot be undone is never skipped, however often undo is pressed', () => {
  const {stack, undo} = undoStackFixture();
  stack.push(undoable('older'));
  stack.pushPermanent('Deleted the message', {problem: 'Deleting a message cannot be undone'});
  expect([undo(), undo()]).toEqual(Array(2).fill('Deleting a message cannot be undone'));
  const [, older] = stack.list();
  expect(older && stack.undoOne(older).resultText).toBe('Undone: older');
  expect(stack.list().map(({label}) => label)).toEqual(['Deleted the message']);
});

test('undo stack: an action that fails to undo stays the latest, on disk too, and no older one is undone instead', () => {
  const {stack, saved, undo} = undoStackFixture();
  stack.push(undoable('older'));
  stack.push(undoable('latest', {failures: 2}));
  expect([undo(), undo()]).toEqual(Array(2).fill('Could not undo: the disk is full'));
  expect(saved).toHaveLength(2);
  expect(undo()).toBe('Undone: latest');
  expect(undo()).toBe('Undone: older');
  expect(saved).toEqual([]);
});

test('undo stack: an action whose undo the server refuses returns to its place, on disk too', () => {
  const {stack, saved, undo} = undoStackFixture();
  for (const label of ['first', 'second']) stack.push(undoable(label));
  const second = stack.latest();
  undo();
  stack.push(undoable('third'));
  if (second !== undefined) stack.restore(second);
  expect(stack.list().map(({label}) => label)).toEqual(['third', 'second', 'first']);
  expect(saved).toHaveLength(3);
});

test('undo stack: an action that must not be undone here stays and the reason is shown', () => {
  const {stack, saved, undo} = undoStackFixture({
    undoProblem: () => 'This session is read-only: nothing is changed',
  });
  stack.push(undoable('older'));
  expect(undo()).toMatch(/read-only/);
  expect(saved).toHaveLength(1);
});

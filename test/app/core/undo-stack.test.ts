import {expect, test} from 'vitest';
import {type Undoable, UndoStack, type UndoStore} from '#app/core/undo-stack.ts';

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
  const store: UndoStore = {
    valuesToPersist: () => new Map(),
    save: (action) => void saved.push(action),
    remove: (action) => void saved.splice(saved.indexOf(action), 1),
    loadEarlier: () => [],
    undoProblem: () => undefined,
    ...overrides,
  };
  return {saved, stack: new UndoStack(store)};
}

test('undo stack: undoes the latest action first, and skips actions with nothing left to undo', () => {
  const {stack, saved} = undoStackFixture({loadEarlier: () => [undoable('before the start')]});
  stack.push(undoable('first'));
  stack.push(undoable('gone', {isGone: true}));
  expect(stack.undo()).toBe('Undone: first');
  expect(saved).toEqual([]);
  expect(stack.undo()).toBe('Undone: before the start');
  expect(stack.undo()).toBe('Nothing to undo.');
});

test('undo stack: an action that fails to undo stays the latest, on disk too, and no older one is undone instead', () => {
  const {stack, saved} = undoStackFixture();
  stack.push(undoable('older'));
  stack.push(undoable('latest', {failures: 2}));
  expect(stack.undoLatest()).toEqual({resultText: 'Could not undo: the disk is full', undone: undefined});
  expect(stack.undoOne(stack.list()[0] ?? undoable(''))).toBe('Could not undo: the disk is full');
  expect(saved).toHaveLength(2);
  expect(stack.undo()).toBe('Undone: latest');
  expect(stack.undo()).toBe('Undone: older');
  expect(saved).toEqual([]);
});

test('undo stack: an action that must not be undone here stays and the reason is shown', () => {
  const {stack, saved} = undoStackFixture({
    undoProblem: () => 'This session is read-only: nothing is changed',
  });
  stack.push(undoable('older'));
  expect(stack.undoLatest()).toEqual({resultText: expect.stringMatching(/read-only/), undone: undefined});
  expect(saved).toHaveLength(1);
});

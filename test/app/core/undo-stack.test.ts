import {expect, test} from 'vitest';
import {type Undoable, UndoStack, type UndoStore} from '#app/core/undo-stack.ts';

/** Says its name when it is taken back, after failing so many times. */
function deed(label: string, {failures = 0, isGone = false} = {}): Undoable {
  let left = failures;
  return {
    label,
    undo: () => {
      if (left-- > 0) throw new Error('the disk is full');
      return isGone ? undefined : `Undone: ${label}`;
    },
  };
}

function shelf(given: Partial<UndoStore> = {}) {
  const kept: Undoable[] = [];
  const self: UndoStore = {
    valuesToPersist: () => new Map(),
    save: (done) => void kept.push(done),
    remove: (done) => void kept.splice(kept.indexOf(done), 1),
    loadEarlier: () => [],
    undoProblem: () => undefined,
    ...given,
  };
  return {kept, stack: new UndoStack(self)};
}

test('the latest is taken back first, and what is gone already is passed over', () => {
  const {stack, kept} = shelf({loadEarlier: () => [deed('before the start')]});
  stack.push(deed('first'));
  stack.push(deed('gone', {isGone: true}));
  expect(stack.undo()).toBe('Undone: first');
  expect(kept).toEqual([]);
  expect(stack.undo()).toBe('Undone: before the start');
  expect(stack.undo()).toBe('Nothing to undo.');
});

test('one that fails is still the latest, on disk too: nothing older is undone in its place', () => {
  const {stack, kept} = shelf();
  stack.push(deed('older'));
  stack.push(deed('latest', {failures: 2}));
  expect(stack.undoLatest()).toEqual({said: 'Not undone: the disk is full', undone: undefined});
  expect(stack.undoOne(stack.list()[0] ?? deed(''))).toBe('Not undone: the disk is full');
  expect(kept).toHaveLength(2);
  expect(stack.undo()).toBe('Undone: latest');
  expect(stack.undo()).toBe('Undone: older');
  expect(kept).toEqual([]);
});

test('what must not be taken back from here says why and stays', () => {
  const {stack, kept} = shelf({undoProblem: () => 'This session is read-only: nothing is changed'});
  stack.push(deed('older'));
  expect(stack.undoLatest()).toEqual({said: expect.stringMatching(/read-only/), undone: undefined});
  expect(kept).toHaveLength(1);
});

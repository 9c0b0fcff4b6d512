import {expect, test} from 'vitest';
import type {Redoable, Reversal} from '#app/undo/redo-stack.ts';
import {isDoneAfter, type Undoable, UndoStack, type UndoStore} from '#app/undo/undo-stack.ts';

/** Returns an action whose undo fails the given number of times, then reports its label. */
function undoable(label: string, {failures = 0, isGone = false, redo}: Options = {}): Undoable {
  let failuresLeft = failures;
  return {
    label,
    undo: () => {
      if (failuresLeft-- > 0) throw new Error('the disk is full');
      return isGone ? undefined : `Undone: ${label}`;
    },
    redo,
  };
}

interface Options extends Pick<Undoable, 'redo'> {
  readonly failures?: number;
  readonly isGone?: boolean;
}

function undoStackFixture(overrides: Partial<UndoStore> = {}) {
  const saved: Pick<Undoable, 'record'>[] = [];
  const savedUndone: Redoable[] = [];
  let at = 0;
  const store: UndoStore = {
    valuesToPersist: () => new Map(),
    save: (action) => void saved.push(action),
    remove: (action) => {
      for (const list of [saved, savedUndone] as Pick<Undoable, 'record'>[][]) {
        const at = list.indexOf(action);
        if (at >= 0) list.splice(at, 1);
      }
    },
    loadEarlier: () => [],
    newRecord: (label, problem) => ({label, at: ++at, keys: [], steps: [], problem}),
    undoableOf: (record) => ({...undoable(record.label), record}),
    undoProblem: () => undefined,
    undoQuestion: () => undefined,
    saveUndone: (redoable) => void savedUndone.push(redoable),
    loadEarlierUndone: () => [],
    forgetEarlierUndone: () => {},
    redoableOf: (record) => ({label: record.label, record, redo: () => `Redone: ${record.label}`}),
    redoProblem: () => undefined,
    redoQuestion: () => undefined,
    ...overrides,
  };
  const stack = new UndoStack(store);
  const undo = () => {
    const latest = stack.latest();
    return latest === undefined ? 'Nothing to undo.' : stack.undoOne(latest).resultText;
  };
  const redo = () => {
    const [latest] = stack.undoneList();
    return latest === undefined ? 'Nothing to redo.' : stack.redoOne(latest).resultText;
  };
  /** Returns an action that can be redone. */
  const action = (label: string): Undoable =>
    undoable(label, {
      redo: () => {
        stack.push(action(label));
        return `Redone: ${label}`;
      },
    });
  const labels = () => [stack.list(), stack.undoneList()].map((list) => list.map(({label}) => label));
  return {saved, savedUndone, stack, undo, redo, action, labels};
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
  const {stack, saved, savedUndone, undo} = undoStackFixture();
  stack.push(undoable('first'));
  let reversal: Reversal | undefined;
  stack.push({
    label: 'second',
    undo: () => {
      reversal = stack.awaitReversal();
      return 'Undoing: second';
    },
  });
  undo();
  stack.push(undoable('third'));
  reversal?.fail();
  expect(stack.list().map(({label}) => label)).toEqual(['third', 'second', 'first']);
  expect([saved, savedUndone]).toMatchObject([{length: 3}, {length: 0}]);
});

test('undo stack: an action of the same moment whose undo the server refuses does not go below older ones', () => {
  const {stack, undo} = undoStackFixture({newRecord: (label) => ({label, at: 5, keys: [], steps: []})});
  let reversal: Reversal | undefined;
  stack.push(undoable('first'));
  stack.push({
    label: 'second',
    undo: () => {
      reversal = stack.awaitReversal();
      return 'Undoing: second';
    },
  });
  undo();
  reversal?.fail();
  expect(stack.list().map(({label}) => label)).toEqual(['second', 'first']);
});

test('undo stack: an action that failed keeps its place among those of other accounts', () => {
  const [one, other] = [undoStackFixture(), undoStackFixture()];
  const failing = undoable('failing');
  one.stack.push({...failing, record: {label: 'failing', at: 1, keys: [], steps: []}});
  const [pushed] = one.stack.list();
  other.stack.push(undoable('after it'));
  const before = undoable('before both');
  if (pushed !== undefined) one.stack.cancel(pushed, () => ({text: 'It failed'}));
  const [cancelled, later] = [one.stack.latest() ?? before, other.stack.latest() ?? before];
  expect([isDoneAfter(cancelled, before), isDoneAfter(later, cancelled)]).toEqual([true, true]);
  expect(one.undo()).toEqual({text: 'It failed'});
});

test('redo stack: redo does again what was undone, last undone first, and undo undoes it once more', () => {
  const {stack, undo, redo, action, labels} = undoStackFixture();
  for (const label of ['a', 'b', 'c']) stack.push(action(label));
  expect([undo(), undo(), redo(), redo(), redo()]).toEqual([
    'Undone: c',
    'Undone: b',
    'Redone: b',
    'Redone: c',
    'Nothing to redo.',
  ]);
  expect(undo()).toBe('Undone: c');
  expect(labels()).toEqual([['b', 'a'], ['c']]);
});

test('redo stack: a new action empties it, on disk too; a key that changed nothing does not', () => {
  let isForgotten = false;
  const {stack, undo, redo, action, labels, savedUndone} = undoStackFixture({
    forgetEarlierUndone: () => {
      isForgotten = true;
    },
  });
  stack.push(action('a'));
  undo();
  stack.pushNoOp(['b'], () => ({text: 'Nothing was changed'}));
  expect(labels()[1]).toEqual(['a']);
  stack.push(action('c'));
  expect([redo(), savedUndone.length, isForgotten]).toEqual(['Nothing to redo.', 0, true]);
});

test('redo stack: a redo that fails says so and can be tried again; nothing else is redone instead', () => {
  const {stack, undo, redo, action, labels} = undoStackFixture();
  let failures = 1;
  stack.push(action('older'));
  stack.push(
    undoable('later', {
      redo: () => {
        if (failures-- > 0) throw new Error('the draft was changed since.');
        return 'Redone: later';
      },
    }),
  );
  undo();
  expect(redo()).toBe('Not redone: the draft was changed since.');
  expect(labels()).toEqual([['older'], ['later']]);
  expect(redo()).toBe('Redone: later');
});

test('redo stack: what was redone is not redone again after a restart', () => {
  const {stack, undo, redo, action, savedUndone} = undoStackFixture();
  stack.push(action('a'));
  undo();
  expect(savedUndone).toHaveLength(1);
  redo();
  expect(savedUndone).toEqual([]);
});

test('redo stack: what is asked before a redo, only where it is possible', () => {
  const question = {title: 'Send it again?', yes: 'Send'};
  const {stack, undo, action} = undoStackFixture({redoQuestion: () => question});
  stack.push(action('sent'));
  stack.push(undoable('deleted'));
  undo();
  undo();
  const questions = stack.undoneList().map((redoable) => [redoable.label, stack.redoQuestionFor(redoable)]);
  expect(questions).toEqual([
    ['sent', question],
    ['deleted', undefined],
  ]);
});

test('redo stack: what cannot be redone is never skipped', () => {
  const {stack, undo, redo, action} = undoStackFixture();
  stack.push(undoable('older'));
  stack.push(action('later'));
  undo();
  undo();
  expect([redo(), redo()]).toEqual(Array(2).fill('Cannot be redone: older'));
});

test('redo stack: an undo that the server has not confirmed cannot be redone yet', () => {
  const {stack, undo, redo} = undoStackFixture();
  let reversal: Reversal | undefined;
  stack.push({
    label: 'renamed',
    undo: () => {
      reversal = stack.awaitReversal();
      return 'Undoing: renamed';
    },
    redo: () => 'Redone: renamed',
  });
  undo();
  expect(redo()).toBe('Still being undone: renamed');
  reversal?.confirm();
  expect(redo()).toBe('Redone: renamed');
});

test('redo stack: a redo that the server refuses goes back, and an action pushed by it leaves what else can be redone', () => {
  const {stack, undo, redo, labels, action} = undoStackFixture();
  let reversal: Reversal | undefined;
  stack.push(action('later'));
  const renamed: Undoable = {
    label: 'renamed',
    undo: () => 'Undone: renamed',
    redo: () => {
      reversal = stack.awaitReversal();
      return undefined;
    },
  };
  stack.push(renamed);
  undo();
  undo();
  redo();
  redo();
  expect(labels()).toEqual([['later'], []]);
  reversal?.fail();
  expect(labels()).toEqual([['later'], ['renamed']]);
  undo();
  redo();
  redo();
  stack.push(renamed);
  reversal?.confirm();
  expect(labels()).toEqual([['renamed', 'later'], []]);
});

test('undo stack: an action that must not be undone here stays and the reason is shown', () => {
  const {stack, saved, undo} = undoStackFixture({
    undoProblem: () => 'This session is read-only: nothing is changed',
  });
  stack.push(undoable('older'));
  expect(undo()).toMatch(/read-only/);
  expect(saved).toHaveLength(1);
});

test('undo stack: what only happened displaces nothing that the user did, and only its latest entries are kept', () => {
  const {stack} = undoStackFixture();
  for (let at = 0; at < 60; at++) stack.pushPassive({label: `happened ${at}`, at: 0, keys: [], steps: []});
  for (let at = 0; at <= 200; at++) stack.push(undoable(`did ${at}`));
  const labels = stack.list().map(({label}) => label);
  const ofKind = (kind: string) => labels.filter((label) => label.startsWith(kind));
  expect([ofKind('did').length, ofKind('did').at(-1)]).toEqual([200, 'did 1']);
  expect([ofKind('happened').length, ofKind('happened').at(-1)]).toEqual([50, 'happened 10']);
});

test('undo stack: a change that waits for the server is the latest until something later is done, in any account', () => {
  const [acme, beta] = [undoStackFixture(), undoStackFixture()].map(({stack}) => stack) as [UndoStack, UndoStack];
  const waits = () => UndoStack.isLatestUnanswered([acme, beta]);
  acme.push(undoable('older'));
  expect(waits()).toBe(false);
  const answered = acme.awaitAnswer();
  expect(waits()).toBe(true);
  beta.push(undoable('later'));
  expect(waits()).toBe(false);
  // Once the later one is undone, the waiting one is the latest again.
  const later = beta.latest();
  if (later !== undefined) beta.undoOne(later);
  expect(waits()).toBe(true);
  answered(() => acme.push(undoable('waiting')));
  expect(waits()).toBe(false);
  expect(acme.latest()?.label).toBe('waiting');
});

test('undo stack: of two changes that wait, the later one is the latest, whichever is answered first', () => {
  const {stack} = undoStackFixture();
  const waits = () => UndoStack.isLatestUnanswered([stack]);
  const [first, second] = [stack.awaitAnswer(), stack.awaitAnswer()];
  first(() => stack.push(undoable('first')));
  expect(waits()).toBe(true);
  second(() => {});
  expect(waits()).toBe(false);
  const [third, fourth] = [stack.awaitAnswer(), stack.awaitAnswer()];
  fourth(() => stack.push(undoable('fourth')));
  expect(waits()).toBe(false);
  expect(() => third(() => expect.unreachable())).toThrow();
  expect(waits()).toBe(false);
});

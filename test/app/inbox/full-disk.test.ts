import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import type {AccountStore} from '#state/account-store.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {memoryStore, noonMs, triageFixture} from './triage-fixture.ts';

/** The inbox on a disk that can be full. */
function fullStage() {
  const clock = new ManualClock(noonMs);
  const real = memoryStore(clock);
  let isFull = false;
  const checked =
    <A extends readonly unknown[], T>(write: (...given: A) => T) =>
    (...given: A): T => {
      if (isFull) throw new Error('the disk is full');
      return write(...given);
    };
  const {pendingChanges: deeds, keyValues: notes} = real;
  const store: AccountStore = {
    ...real,
    pendingChanges: {...deeds, add: checked(deeds.add), addAll: checked(deeds.addAll)},
    keyValues: {...notes, set: checked(notes.set), setAll: checked(notes.setAll)},
  };
  return {
    ...triageFixture({clock, store}),
    real,
    fill: (isNow = true) => {
      isFull = isNow;
    },
  };
}

test.each(['e', 'E', 'X', 'M'])('%s that the disk does not take says so, and does nothing', (key) => {
  const {press, toast, unread, at, fill, app} = fullStage();
  press('j', 'j');
  fill();
  press(key);
  expect(toast()).toBe('Could not save the change: the disk is full');
  expect(unread()).toHaveLength(8);
  expect(at()).toBe('#backend › logs');
  expect(app.undoStack.list()).toEqual([]);
});

test.each(['e', 'X'])('so does %s in another list', (key) => {
  const {press, toast, unread, fill, app} = fullStage();
  openView(app, {kind: 'recent'});
  app.frames.paintNow();
  fill();
  press(key);
  expect(toast()).toBe('Could not save the change: the disk is full');
  expect(unread()).toHaveLength(8);
});

test('what is put off on a full disk is so for now, and it is said; once there is room it is kept', () => {
  const {press, toast, fill, app, real, clock} = fullStage();
  const putOff = () => [...app.screen.inbox.snoozes.keys()];
  press('j', 'j');
  fill();
  press('b', 't');
  expect(toast()).toMatch(
    /^Later: #backend › logs, back .*, until the program ends: the disk did not take it/,
  );
  press('b', 't');
  expect(putOff()).toEqual(['c2:logs', 'c1:login']);
  fill(false);
  press('b', 't');
  expect(toast()).toMatch(/^Later: #web › css, back tomorrow 09:00 · z undo$/);
  app.end();
  const next = triageFixture({clock, store: real});
  expect([...next.app.screen.inbox.snoozes.keys()]).toEqual(['c2:logs', 'c1:login', 'c1:css']);
});

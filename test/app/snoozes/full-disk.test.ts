import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import type {AccountStore} from '#state/account-store.ts';
import {memoryStore, noonMs, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

/** The inbox on a disk that can be full. */
function fullDiskFixture() {
  const clock = new ManualClock(noonMs);
  const real = memoryStore(clock);
  let isFull = false;
  const checked =
    <A extends readonly unknown[], T>(write: (...args: A) => T) =>
    (...args: A): T => {
      if (isFull) throw new Error('the disk is full');
      return write(...args);
    };
  const {pendingChanges, keyValues} = real;
  const store: AccountStore = {
    ...real,
    pendingChanges: {
      ...pendingChanges,
      add: checked(pendingChanges.add),
      addAll: checked(pendingChanges.addAll),
    },
    keyValues: {...keyValues, set: checked(keyValues.set), setAll: checked(keyValues.setAll)},
  };
  return {
    ...triageFixture({clock, store}),
    real,
    fill: (isNow = true) => {
      isFull = isNow;
    },
  };
}

test.each(['e', 'X', 'M'])('full disk: %s reports the failure and changes nothing', (key) => {
  const {press, toast, unread, at, fill, app} = fullDiskFixture();
  press('j', 'j');
  fill();
  press(key);
  expect(toast()).toBe('Could not save the change: the disk is full');
  expect(unread()).toHaveLength(8);
  expect(at()).toBe('#backend › logs');
  expect(app.undoStack.list()).toEqual([]);
});

test.each(['e', 'X y'])('full disk: %s in another list reports the failure and changes nothing', (keys) => {
  const {press, toast, unread, fill, app} = fullDiskFixture();
  openView(app, {kind: 'recent'});
  app.frames.paintNow();
  fill();
  press(...keys.split(' '));
  expect(toast()).toBe('Could not save the change: the disk is full');
  expect(unread()).toHaveLength(8);
});

test('full disk: a snooze lasts until the program ends and a toast says so; it is saved once there is space', () => {
  const {press, toast, fill, app, real, clock} = fullDiskFixture();
  const snoozedKeys = () => [...app.screen.inbox.snoozes.keys()];
  press('j', 'j');
  fill();
  press('b', 'd');
  expect(toast()).toMatch(/^Snoozed #backend › logs until .* \(not saved to disk: lasts until Parley quits\)/);
  press('b', 'd');
  expect(snoozedKeys()).toEqual(['c2:logs', 'c1:login']);
  fill(false);
  press('b', 'd');
  expect(toast()).toMatch(/^Snoozed #web › css until tomorrow 09:00 · z undo$/);
  app.end();
  const next = triageFixture({clock, store: real});
  expect([...next.app.screen.inbox.snoozes.keys()]).toEqual(['c2:logs', 'c1:login', 'c1:css']);
});

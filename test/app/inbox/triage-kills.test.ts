import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {readSnoozes} from '#app/snoozes/snooze-store.ts';
import {undoLatest} from '#app/undo/undo.ts';
import {killedAtEachStep} from '#test/support/faults.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {memoryStore, noonMs, triageFixture} from './triage-fixture.ts';

/** What the keys change: unread messages, snoozed conversations and topics with a policy. */
function inboxOf(app: App) {
  return {
    unread: [...app.state.unreads.byId.keys()],
    snoozed: [...readSnoozes(app).keys()],
    policies: [...app.state.userTopics.keys()],
  };
}

/** Returns what the inbox is before the keys and after each of them. */
function walk(keys: readonly string[]) {
  const {press, app} = triageFixture();
  const states = [inboxOf(app)];
  for (const key of keys) {
    press(key);
    states.push(inboxOf(app));
  }
  app.end();
  return states;
}

test.each([
  ['marking done', ['e', 'e', 'e']],
  ['marking done and undoing', ['e', 'z', 'e', 'e', 'z']],
  ['snoozing', ['b', 'Enter', 'e', 'b', 'Enter', 'z']],
  ['muting and marking a group done', ['j', 'M', 'X', 'e']],
])(
  'triage: killed at any step of %s, the next start has each key whole or not at all, and can undo it',
  async (_what, keys) => {
    const states = walk(keys);
    const clock = new ManualClock(noonMs);
    let store = memoryStore(clock);
    const steps = await killedAtEachStep<number>(
      (killSwitch, note) => {
        store = memoryStore(clock);
        const {press} = triageFixture({clock, store: killSwitch.wrap({api: {} as never, store}).store});
        for (const [index, key] of keys.entries()) {
          press(key);
          note(index + 1);
        }
      },
      (told, step) => {
        const next = triageFixture({clock, store});
        const done = told.at(-1) ?? 0;
        // The key that was being handled may have taken effect.
        const allowed = states.slice(done, done + 2);
        expect(allowed, `step ${step}`).toContainEqual(inboxOf(next.app));
        // Everything that changed can be undone.
        for (let count = 0; count < keys.length && next.app.undoStack.latest() !== undefined; count++)
          undoLatest(next.app);
        expect(inboxOf(next.app), `step ${step}`).toEqual(states[0]);
        next.app.end();
      },
    );
    const changes = states.slice(1).filter((state, index) => JSON.stringify(state) !== JSON.stringify(states[index]));
    expect(changes.length).toBeGreaterThan(1);
    expect(steps).toBeGreaterThanOrEqual(changes.length);
  },
);

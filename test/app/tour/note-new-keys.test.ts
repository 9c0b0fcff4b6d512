import {expect, test} from 'vitest';
import {noteNewKeys} from '#app/tour/tour.ts';
import {commandTable} from '#commands/command-table.ts';
import {makeKeyGuide} from '#commands/key-guide.ts';
import {defaultKeymap, withBindings} from '#commands/keymap.ts';
import {presetBindings} from '#commands/user-keys.ts';
import {memoryStore, noonMs, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const note = 'e is done and z is undo everywhere now; E edits · old keys: preset = "zulip" in keys.toml';

/** Returns a function that starts the program on one account. */
function starts() {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  return (hasRunBefore: boolean, before?: (fixture: ReturnType<typeof triageFixture>) => void) => {
    const fixture = triageFixture({clock, store});
    before?.(fixture);
    noteNewKeys(fixture.app, hasRunBefore);
    return fixture.toast();
  };
}

test('note about new keys: a user of an earlier version sees it once', () => {
  const start = starts();
  expect([start(true), start(true)]).toEqual([note, undefined]);
});

test('note about new keys: a new user never sees it', () => {
  const start = starts();
  expect([start(false), start(true)]).toEqual([undefined, undefined]);
});

test('note about new keys: another message at the start is not replaced, and the note follows at the next start', () => {
  const start = starts();
  expect(start(true, ({app}) => app.toast('The database was repaired', 'warning'))).toBe('The database was repaired');
  expect([start(true), start(true)]).toEqual([note, undefined]);
});

test('note about new keys: with the preset of the earlier keys it is not shown', () => {
  const clock = new ManualClock(noonMs);
  const keys = makeKeyGuide(withBindings(defaultKeymap, presetBindings('zulip')), commandTable);
  const {app, toast} = triageFixture({clock, store: memoryStore(clock), info: {keys}});
  noteNewKeys(app, true);
  expect(toast()).toBeUndefined();
});

import {watch} from 'node:fs';
import {tmpdir} from 'node:os';
import {expect, onTestFinished, test, vi} from 'vitest';
import {saveStateTexts} from './save-state-texts.ts';
import {channelMessage, draft, entry, openTestStore, scratchFile} from './storage-fixture.ts';

function watched() {
  const path = scratchFile();
  const [first, other] = [openTestStore(path), openTestStore(path)];
  let calls = 0;
  let onCall = () => {};
  const stop = first.store.onExternalChange(() => {
    calls++;
    onCall();
  });
  return {
    first,
    other,
    stop,
    /** Resolves with the next report. */
    report: () =>
      new Promise<void>((resolve) => {
        onCall = resolve;
      }),
    /** Returns how often the listener was called in the next seconds. No report of the system arrives meanwhile. */
    callsWithin(seconds: number): number {
      const before = calls;
      first.clock.advance(seconds * 1000);
      return calls - before;
    },
  };
}

test.each<[string, (store: ReturnType<typeof openTestStore>['store']) => void]>([
  ['the outbox', (store) => store.outbox.add(entry('a'))],
  ['the drafts', (store) => store.drafts.put(draft('d'))],
  ['the pending changes', (store) => store.pendingChanges.add('{}', 1)],
  ['the key-values', (store) => store.keyValues.set('n', '1')],
])('external changes: a change of %s by another process is reported once', (_, change) => {
  const {first, other, callsWithin} = watched();
  expect(callsWithin(3)).toBe(0);
  change(other.store);
  expect(callsWithin(30)).toBe(1);
  expect(callsWithin(30)).toBe(0);
  change(first.store);
  expect(callsWithin(30)).toBe(0);
});

test('external changes: a change is reported at once, without a timer', async () => {
  const {first, other, report, callsWithin} = watched();
  for (const id of ['a', 'b']) {
    const reported = report();
    other.store.outbox.add(entry(id));
    await reported;
  }
  expect(first.store.outbox.all()).toHaveLength(2);
  expect(callsWithin(30)).toBe(0);
});

test('external changes: changes by both are reported, and only once', () => {
  const {first, other, callsWithin} = watched();
  first.store.outbox.add(entry('a'));
  other.store.outbox.add(entry('b'));
  first.store.outbox.add(entry('c'));
  expect(callsWithin(30)).toBe(1);
  expect(first.store.outbox.all()).toHaveLength(3);
});

test('external changes: writes without effect, and cached data, are not reported', () => {
  const {first, other, callsWithin} = watched();
  first.store.drafts.put(draft('d'));
  other.store.outbox.remove('no such entry');
  other.store.drafts.put(draft('d'));
  expect(other.store.outbox.claim('no such entry', {sentAt: 1, afterMessageId: 1})).toBeUndefined();
  other.store.outbox.adoptOrphans();
  other.store.messages.save([channelMessage(1)]);
  saveStateTexts(other.store, {a: '1'}, 1);
  expect(callsWithin(30)).toBe(0);
});

test('external changes: heartbeats are not reported', () => {
  const {first, other, callsWithin} = watched();
  other.store.outbox.add(entry('a'));
  other.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1});
  expect(callsWithin(30)).toBe(1);
  other.clock.advance(3_600_000);
  expect(callsWithin(30)).toBe(0);
  expect(first.store.outbox.adoptOrphans()).toEqual([]);
});

test('external changes: an idle process checks twice a minute, and every second while another owns an entry', () => {
  const {first, other, stop, callsWithin} = watched();
  let checks = 0;
  const {after} = first.clock;
  first.clock.after = (ms, task) => {
    checks++;
    return after.call(first.clock, ms, task);
  };
  expect(callsWithin(60)).toBe(0);
  expect(checks).toBe(2);
  other.store.outbox.add(entry('a'));
  other.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1});
  expect(callsWithin(30)).toBe(1);
  checks = 0;
  expect(callsWithin(10)).toBe(0);
  expect(checks).toBe(10);
  stop();
  other.store.outbox.add(entry('b'));
  expect(callsWithin(60)).toBe(0);
  expect(checks).toBe(10);
});

test('external changes: once a report says that another owns an entry, its death is looked for every second', async () => {
  const {first, other, report, callsWithin} = watched();
  other.store.outbox.add(entry('a'));
  const claimed = report();
  other.store.outbox.claim('a', {sentAt: 1, afterMessageId: 1});
  await claimed;
  expect(first.store.outbox.all()).toMatchObject([{status: 'sending'}]);
  expect(callsWithin(1)).toBe(0);
  let checks = 0;
  const {after} = first.clock;
  first.clock.after = (ms, task) => {
    checks++;
    return after.call(first.clock, ms, task);
  };
  expect(callsWithin(10)).toBe(0);
  expect(checks).toBe(10);
});

test('external changes: a later listener receives later changes only, and a failing one does not stop the others', () => {
  const {first, other, callsWithin} = watched();
  other.store.outbox.add(entry('a'));
  expect(callsWithin(30)).toBe(1);
  let late = 0;
  first.store.onExternalChange(() => {
    throw new Error('no');
  });
  first.store.onExternalChange(() => void late++);
  expect(callsWithin(30)).toBe(0);
  expect(late).toBe(0);
  other.store.outbox.add(entry('b'));
  expect(callsWithin(30)).toBe(1);
  expect(late).toBe(1);
});

test('external changes: after closing nothing is called and nothing fails', () => {
  const {first, other, callsWithin} = watched();
  first.store.close();
  other.store.outbox.add(entry('a'));
  expect(callsWithin(60)).toBe(0);
  expect(first.log).toEqual([]);
});

test('external changes: when the system stops reporting writes, a change is found within a second', () => {
  const anyWatcher = watch(tmpdir());
  const starts = vi.spyOn(Object.getPrototypeOf(anyWatcher), 'addListener');
  onTestFinished(() => starts.mockRestore());
  anyWatcher.close();
  const {first, other, callsWithin} = watched();
  const [watcher] = starts.mock.contexts as (typeof anyWatcher)[];
  watcher?.emit('error', new Error('too many watches'));
  expect(first.log).toEqual([expect.stringMatching(/^Watching .* failed: too many watches$/)]);
  other.store.outbox.add(entry('a'));
  expect(callsWithin(1)).toBe(1);
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {momentOf} from '#app/format/parse-moment.ts';
import {brought, isPutOff, type LaterEntry, released, type Until} from '#app/inbox/snooze/snooze.ts';
import {openView} from '#app/navigation/navigation.ts';
import type {Unreads} from '#state/model/unread.ts';
import {backend, memoryStore, noonMs, triageStage} from '#test/app/inbox/triage-fixture.ts';
import {topic, unread} from '#test/state/selectors/selector-builders.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const hour = 3_600_000;

function entry(given: Partial<LaterEntry> = {}): LaterEntry {
  return {key: 'c1:a', until: {kind: 'time', at: noonMs + hour}, newestId: 5, since: noonMs, ...given};
}

const mapOf = (...entries: readonly LaterEntry[]) => new Map(entries.map((one) => [one.key, one]));
const a = topic(1, 'a');
const b = topic(1, 'b');

test('what came after all of it had been read elsewhere is not put off', () => {
  expect(isPutOff(unread([4, a], [5, a], [9, a]), entry(), noonMs)).toBe(true);
  expect(isPutOff(unread([9, a]), entry(), noonMs)).toBe(false);
  expect(brought(mapOf(entry()), unread([9, a]), noonMs).size).toBe(0);
});

test('what is back stays back, though the clock is set back or its message is read', () => {
  const due = brought(mapOf(entry()), unread([5, a]), noonMs + hour);
  expect(due.get('c1:a')?.until).toEqual({kind: 'back'});
  expect(brought(due, unread([5, a]), noonMs - 24 * hour)).toBe(due);
  const news = brought(mapOf(entry({until: {kind: 'message'}})), unread([5, a], [6, a]), noonMs);
  expect(isPutOff(unread([5, a]), news.get('c1:a') ?? entry(), noonMs)).toBe(false);
});

test('a topic that is renamed is put off under its new name; one that lost a part of it stays put', () => {
  const laters = mapOf(entry());
  expect([...brought(laters, unread([4, b], [5, b]), noonMs).keys()]).toEqual(['c1:b']);
  expect(brought(laters, unread([4, a], [5, b]), noonMs)).toBe(laters);
  const both = mapOf(entry(), entry({key: 'c1:b', until: {kind: 'message'}}));
  expect(brought(both, unread([4, b], [5, b]), noonMs).get('c1:b')?.until).toEqual({kind: 'message'});
});

test('what waits for the end comes back with it, or in the next session', () => {
  const laters = mapOf(entry({until: {kind: 'session'}}), entry({key: 'c1:b', until: {kind: 'message'}}));
  expect(released(laters, noonMs)).toBe(laters);
  expect(released(laters, noonMs + 1).get('c1:a')?.until).toEqual({kind: 'back'});
  expect(released(laters, noonMs + 1).get('c1:b')?.until).toEqual({kind: 'message'});
});

const untils = fc.oneof(
  fc.integer({min: -3, max: 3}).map((hours): Until => ({kind: 'time', at: noonMs + hours * hour})),
  fc.constantFrom<Until>({kind: 'session'}, {kind: 'message'}, {kind: 'back'}),
);
const worlds: fc.Arbitrary<Unreads> = fc
  .uniqueArray(fc.tuple(fc.integer({min: 1, max: 9}), fc.constantFrom(a, b), fc.boolean()), {
    selector: ([id]) => id,
  })
  .map((given) => unread(...given));

test('bringing things up to date changes nothing of what is hidden now, and once is as good as twice', () => {
  fc.assert(
    fc.property(untils, worlds, fc.integer({min: 1, max: 9}), (until, unreads, newestId) => {
      const before = mapOf(entry({until, newestId}));
      const after = brought(before, unreads, noonMs);
      expect(brought(after, unreads, noonMs)).toBe(after);
      const hidden = (laters: typeof before) =>
        [...laters.values()].some((one) => one.key === 'c1:a' && isPutOff(unreads, one, noonMs));
      expect(hidden(new Map(after))).toBe(hidden(before));
      for (const one of after.values()) expect(unreads.conversations.has(one.key)).toBe(true);
    }),
  );
});

test('tomorrow is nine by the clock on the wall, over midnight and when the clocks change', () => {
  const zone = 'Europe/Berlin';
  const at = (iso: string) => Date.parse(iso);
  const tomorrow = (from: string) => new Date(momentOf('tomorrow 9:00', at(from), zone) ?? 0).toISOString();
  expect(tomorrow('2026-03-28T11:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
  expect(tomorrow('2026-10-24T10:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
  expect(tomorrow('2026-01-31T22:59:00Z')).toBe('2026-02-01T08:00:00.000Z');
  expect(tomorrow('2026-01-31T23:01:00Z')).toBe('2026-02-02T08:00:00.000Z');
});

test('an hour is an hour while the machine sleeps, over midnight and in any time zone', () => {
  const clock = new ManualClock(Date.UTC(2026, 9, 25, 0, 30));
  const {press, pane, toast, app} = triageStage({clock});
  app.setLooks({zone: 'Europe/Berlin'});
  press('b', '1');
  // The clocks go back from three to two there at one o'clock UTC.
  expect(toast()).toBe('Later: #backend › freeze, back at 02:30 · z undo');
  const shown = () => pane().some((line) => line.includes('#backend › freeze'));
  clock.advance(59 * 60_000);
  expect(shown()).toBe(false);
  clock.advance(60_000);
  expect(shown()).toBe(true);
});

test('what is said of when it comes back is a sentence', () => {
  const {press, toast} = triageStage();
  press('b', 't');
  expect(toast()).toBe('Later: #backend › freeze, back tomorrow 09:00 · z undo');
});

test('with the next message: one that came before the picture was seen to be there brings it back at once', () => {
  const {press, arrive, pane, app} = triageStage();
  arrive(101, backend, 'freeze');
  press('b', 'm');
  app.frames.now();
  expect(pane().join('\n')).toMatch(/#backend › freeze/);
});

test('until the end lasts over a restart, and comes back when the rest is read elsewhere', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageStage({clock, store});
  first.press('b', 'Enter');
  first.app.end();
  const second = triageStage({clock, store});
  const shown = () => second.pane().some((line) => line.includes('#backend › freeze'));
  expect(shown()).toBe(false);
  second.readElsewhere(3, 4, 5, 6, 7);
  second.app.frames.now();
  expect(shown()).toBe(true);
});

test('until the end does not outlast the session: whoever comes back after a while finds it', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageStage({clock, store});
  first.press('b', 'Enter');
  openView(first.app, {kind: 'recent'});
  openView(first.app, {kind: 'inbox'});
  expect(first.pane().join('\n')).not.toMatch(/#backend › freeze/);
  first.app.end();
  clock.advance(hour);
  const second = triageStage({clock, store});
  expect(second.pane().join('\n')).toMatch(/#backend › freeze/);
});

test('being done with what came back, and undoing that, leaves it marked as back', () => {
  const clock = new ManualClock(noonMs);
  const {press, app, at} = triageStage({clock});
  press('b', '1');
  clock.advance(hour);
  press('k', 'k');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(app.screen.inbox.laters.size).toBe(0);
  press('z');
  expect([...app.screen.inbox.laters.keys()]).toEqual(['c2:freeze']);
});

test('fifty and more things done are taken back after a restart, later ones among them', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageStage({clock, store});
  const before = first.unread();
  for (let round = 0; round < 30; round++) {
    first.press('+', 'S');
    clock.advance(10);
  }
  first.press('e', 'b', 't', 'M', 'e');
  first.app.end();
  const second = triageStage({clock, store});
  for (let step = 0; step < 64; step++) second.press('z');
  expect(second.toast()).toMatch(/^Undone: /);
  second.press('z');
  expect(second.toast()).toBe('Nothing to undo.');
  expect(second.unread()).toEqual(before);
  expect(second.app.screen.inbox.laters.size).toBe(0);
  expect([...second.app.state.starred]).toEqual([]);
});

test.each(['isExploring', 'isReadOnly'] as const)(
  'what is put off in a session that leaves no traces comes back with the next start (%s)',
  (fact) => {
    const clock = new ManualClock(noonMs);
    const store = memoryStore(clock);
    const first = triageStage({clock, store});
    first.press('j', 'b', 't');
    first.app.end();
    const kept = store.notes.get('later');
    const shown = ({pane}: {pane: () => readonly string[]}) => pane().join('\n');

    const stage = triageStage({clock, store, facts: {[fact]: true}});
    expect(shown(stage)).not.toMatch(/1 Carol Diaz/);
    stage.press('b', 't');
    expect(stage.toast()).toBe(
      'Later: #backend › freeze, back tomorrow 09:00, in this session only · z undo',
    );
    openView(stage.app, {kind: 'recent'});
    openView(stage.app, {kind: 'inbox'});
    expect(shown(stage)).not.toMatch(/ #backend › freeze|1 Carol Diaz/);
    expect(store.notes.get('later')).toBe(kept);
    stage.press('z');
    expect(shown(stage)).toMatch(/freeze/);
    stage.press('z');
    expect(shown(stage)).toMatch(/1 Carol Diaz/);
    stage.press('b', 't');
    stage.app.end();
    expect(store.notes.get('later')).toBe(kept);

    const next = triageStage({clock, store});
    expect(shown(next)).toMatch(/#backend › freeze/);
    expect(shown(next)).not.toMatch(/1 Carol Diaz/);
    next.press('z');
    expect(next.toast()).toBe('Undone: Later: Carol Diaz, back tomorrow 09:00');
  },
);

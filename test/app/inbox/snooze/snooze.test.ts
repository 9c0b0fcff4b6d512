import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseMoment} from '#app/format/parse-moment.ts';
import {
  isSnoozed,
  refreshSnoozes,
  type Snooze,
  type SnoozeUntil,
  wakeSessionSnoozes,
} from '#app/inbox/snooze/snooze.ts';
import {openView} from '#app/navigation/navigation.ts';
import type {Unreads} from '#state/model/unread.ts';
import {backend, memoryStore, noonMs, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {topic, unreadsOf} from '#test/state/selectors/selector-builders.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const hour = 3_600_000;

function entry(given: Partial<Snooze> = {}): Snooze {
  return {key: 'c1:a', until: {kind: 'time', at: noonMs + hour}, newestId: 5, since: noonMs, ...given};
}

const mapOf = (...entries: readonly Snooze[]) => new Map(entries.map((one) => [one.key, one]));
const a = topic(1, 'a');
const b = topic(1, 'b');

test('what came after all of it had been read elsewhere is not put off', () => {
  expect(isSnoozed(unreadsOf([4, a], [5, a], [9, a]), entry(), noonMs)).toBe(true);
  expect(isSnoozed(unreadsOf([9, a]), entry(), noonMs)).toBe(false);
  expect(refreshSnoozes(mapOf(entry()), unreadsOf([9, a]), noonMs).size).toBe(0);
});

test('what is back stays back, though the clock is set back or its message is read', () => {
  const due = refreshSnoozes(mapOf(entry()), unreadsOf([5, a]), noonMs + hour);
  expect(due.get('c1:a')?.until).toEqual({kind: 'back'});
  expect(refreshSnoozes(due, unreadsOf([5, a]), noonMs - 24 * hour)).toBe(due);
  const news = refreshSnoozes(mapOf(entry({until: {kind: 'message'}})), unreadsOf([5, a], [6, a]), noonMs);
  expect(isSnoozed(unreadsOf([5, a]), news.get('c1:a') ?? entry(), noonMs)).toBe(false);
});

test('a topic that is renamed is put off under its new name; one that lost a part of it stays put', () => {
  const laters = mapOf(entry());
  expect([...refreshSnoozes(laters, unreadsOf([4, b], [5, b]), noonMs).keys()]).toEqual(['c1:b']);
  expect(refreshSnoozes(laters, unreadsOf([4, a], [5, b]), noonMs)).toBe(laters);
  const both = mapOf(entry(), entry({key: 'c1:b', until: {kind: 'message'}}));
  expect(refreshSnoozes(both, unreadsOf([4, b], [5, b]), noonMs).get('c1:b')?.until).toEqual({
    kind: 'message',
  });
});

test('what waits for the end comes back with it, or in the next session', () => {
  const laters = mapOf(entry({until: {kind: 'session'}}), entry({key: 'c1:b', until: {kind: 'message'}}));
  expect(wakeSessionSnoozes(laters, noonMs)).toBe(laters);
  expect(wakeSessionSnoozes(laters, noonMs + 1).get('c1:a')?.until).toEqual({kind: 'back'});
  expect(wakeSessionSnoozes(laters, noonMs + 1).get('c1:b')?.until).toEqual({kind: 'message'});
});

const untils = fc.oneof(
  fc.integer({min: -3, max: 3}).map((hours): SnoozeUntil => ({kind: 'time', at: noonMs + hours * hour})),
  fc.constantFrom<SnoozeUntil>({kind: 'session'}, {kind: 'message'}, {kind: 'back'}),
);
const worlds: fc.Arbitrary<Unreads> = fc
  .uniqueArray(fc.tuple(fc.integer({min: 1, max: 9}), fc.constantFrom(a, b), fc.boolean()), {
    selector: ([id]) => id,
  })
  .map((given) => unreadsOf(...given));

test('bringing things up to date changes nothing of what is hidden now, and once is as good as twice', () => {
  fc.assert(
    fc.property(untils, worlds, fc.integer({min: 1, max: 9}), (until, unreads, newestId) => {
      const before = mapOf(entry({until, newestId}));
      const after = refreshSnoozes(before, unreads, noonMs);
      expect(refreshSnoozes(after, unreads, noonMs)).toBe(after);
      const hidden = (laters: typeof before) =>
        [...laters.values()].some((one) => one.key === 'c1:a' && isSnoozed(unreads, one, noonMs));
      expect(hidden(new Map(after))).toBe(hidden(before));
      for (const one of after.values()) expect(unreads.conversations.has(one.key)).toBe(true);
    }),
  );
});

test('tomorrow is nine by the clock on the wall, over midnight and when the clocks change', () => {
  const zone = 'Europe/Berlin';
  const at = (iso: string) => Date.parse(iso);
  const tomorrow = (from: string) =>
    new Date(parseMoment('tomorrow 9:00', at(from), zone) ?? 0).toISOString();
  expect(tomorrow('2026-03-28T11:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
  expect(tomorrow('2026-10-24T10:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
  expect(tomorrow('2026-01-31T22:59:00Z')).toBe('2026-02-01T08:00:00.000Z');
  expect(tomorrow('2026-01-31T23:01:00Z')).toBe('2026-02-02T08:00:00.000Z');
});

test('an hour is an hour while the machine sleeps, over midnight and in any time zone', () => {
  const clock = new ManualClock(Date.UTC(2026, 9, 25, 0, 30));
  const {press, pane, toast, app} = triageFixture({clock});
  app.setDisplay({zone: 'Europe/Berlin'});
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
  const {press, toast} = triageFixture();
  press('b', 't');
  expect(toast()).toBe('Later: #backend › freeze, back tomorrow 09:00 · z undo');
});

test('with the next message: one that came before the picture was seen to be there brings it back at once', () => {
  const {press, arrive, pane, app} = triageFixture();
  arrive(101, backend, 'freeze');
  press('b', 'm');
  app.frames.paintNow();
  expect(pane().join('\n')).toMatch(/#backend › freeze/);
});

test('until the end lasts over a restart, and comes back when the rest is read elsewhere', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'Enter');
  first.app.end();
  const second = triageFixture({clock, store});
  const shown = () => second.pane().some((line) => line.includes('#backend › freeze'));
  expect(shown()).toBe(false);
  second.readElsewhere(3, 4, 5, 6, 7);
  second.app.frames.paintNow();
  expect(shown()).toBe(true);
});

test('until the end does not outlast the session: whoever comes back after a while finds it', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'Enter');
  openView(first.app, {kind: 'recent'});
  openView(first.app, {kind: 'inbox'});
  expect(first.pane().join('\n')).not.toMatch(/#backend › freeze/);
  first.app.end();
  clock.advance(hour);
  const second = triageFixture({clock, store});
  expect(second.pane().join('\n')).toMatch(/#backend › freeze/);
});

test('being done with what came back, and undoing that, leaves it marked as back', () => {
  const clock = new ManualClock(noonMs);
  const {press, app, at} = triageFixture({clock});
  press('b', '1');
  clock.advance(hour);
  press('k', 'k');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(app.screen.inbox.snoozes.size).toBe(0);
  press('z');
  expect([...app.screen.inbox.snoozes.keys()]).toEqual(['c2:freeze']);
});

test('fifty and more things done are taken back after a restart, later ones among them', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  const before = first.unread();
  for (let round = 0; round < 30; round++) {
    first.press('+', 'S');
    clock.advance(10);
  }
  first.press('e', 'b', 't', 'M', 'e');
  first.app.end();
  const second = triageFixture({clock, store});
  for (let step = 0; step < 64; step++) second.press('z');
  expect(second.toast()).toMatch(/^Undone: /);
  second.press('z');
  expect(second.toast()).toBe('Nothing to undo.');
  expect(second.unread()).toEqual(before);
  expect(second.app.screen.inbox.snoozes.size).toBe(0);
  expect([...second.app.state.starred]).toEqual([]);
});

test.each(['isExploring', 'isReadOnly'] as const)(
  'what is put off in a session that leaves no traces comes back with the next start (%s)',
  (fact) => {
    const clock = new ManualClock(noonMs);
    const store = memoryStore(clock);
    const first = triageFixture({clock, store});
    first.press('j', 'b', 't');
    first.app.end();
    const kept = store.keyValues.get('later');
    const shown = ({pane}: {pane: () => readonly string[]}) => pane().join('\n');

    const stage = triageFixture({clock, store, facts: {[fact]: true}});
    expect(shown(stage)).not.toMatch(/1 Carol Diaz/);
    stage.press('b', 't');
    expect(stage.toast()).toBe(
      'Later: #backend › freeze, back tomorrow 09:00, in this session only · z undo',
    );
    openView(stage.app, {kind: 'recent'});
    openView(stage.app, {kind: 'inbox'});
    expect(shown(stage)).not.toMatch(/ #backend › freeze|1 Carol Diaz/);
    expect(store.keyValues.get('later')).toBe(kept);
    stage.press('z');
    expect(shown(stage)).toMatch(/freeze/);
    stage.press('z');
    expect(shown(stage)).toMatch(/1 Carol Diaz/);
    stage.press('b', 't');
    stage.app.end();
    expect(store.keyValues.get('later')).toBe(kept);

    const next = triageFixture({clock, store});
    expect(shown(next)).toMatch(/#backend › freeze/);
    expect(shown(next)).not.toMatch(/1 Carol Diaz/);
    next.press('z');
    expect(next.toast()).toBe('Undone: Later: Carol Diaz, back tomorrow 09:00');
  },
);

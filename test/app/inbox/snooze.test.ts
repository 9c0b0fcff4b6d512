import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {changeList} from '#app/lists/change-list.ts';
import {openView} from '#app/navigation/navigation.ts';
import {changeSnoozes, readSnoozes, restoreSnoozes, wakeSnoozedAtEnd} from '#app/snoozes/snooze-store.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {type Conversation, topicConversation} from '#state/model/conversation.ts';
import type {Unreads} from '#state/model/unread.ts';
import {parseMoment} from '#std/parse-moment.ts';
import {dm, topic, unreadsOf} from '#test/state/selectors/selector-builders.ts';
import {acrossAxes} from '#test/support/axes.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {
  isSnoozed,
  refreshSnoozes,
  type Snooze,
  type SnoozeFacts,
  type SnoozeUntil,
  wakeSessionSnoozes,
  withSnoozes,
} from '#ui/inbox/snooze/snooze.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import {backend, memoryStore, noonMs, type TriageFixture, triageFixture} from './triage-fixture.ts';

const hour = 3_600_000;

function entry(fields: Partial<Snooze> = {}): Snooze {
  return {key: 'c1:a', until: {kind: 'time', at: noonMs + hour}, newestId: 5, since: noonMs, ...fields};
}

type UnreadFields = readonly [id: number, conversation: Conversation, isMention?: boolean];

/** Returns the unread messages; `senders` has the senders of loaded messages in `c1:a`. */
const factsOf = (unreads: Unreads, ...senders: readonly (readonly [id: number, senderId: number])[]) => ({
  unreads,
  messages: withMessages(
    initialState.messages,
    senders.map(([id, senderId]) => eg.message({id, senderId, channelId: 1, topic: 'a'})),
  ),
});
const unreadFacts: (...fields: readonly UnreadFields[]) => SnoozeFacts = (...fields) => factsOf(unreadsOf(...fields));
const mapOf = (...entries: readonly Snooze[]) => new Map(entries.map((one) => [one.key, one]));
const a = topic(1, 'a');
const b = topic(1, 'b');

test('snooze: messages that arrive after all snoozed ones were read elsewhere are not hidden', () => {
  expect(isSnoozed(unreadFacts([4, a], [5, a], [9, a]), entry(), noonMs)).toBe(true);
  expect(isSnoozed(unreadFacts([9, a]), entry(), noonMs)).toBe(false);
  expect(refreshSnoozes(mapOf(entry()), unreadFacts([9, a]), noonMs).size).toBe(0);
});

test('snooze: a mention among the snoozed messages, also as the newest of them, stays hidden; a later one ends it', () => {
  expect(isSnoozed(unreadFacts([4, a], [5, a, true]), entry(), noonMs)).toBe(true);
  expect(isSnoozed(unreadFacts([5, a, true], [6, a]), entry(), noonMs)).toBe(true);
  expect(isSnoozed(unreadFacts([5, a], [6, a, true]), entry(), noonMs)).toBe(false);
  expect(isSnoozed(unreadFacts([5, a], [6, b, true]), entry(), noonMs)).toBe(true);
});

test('snooze: an ended snooze stays ended, though the clock is set back or its message is read', () => {
  const due = refreshSnoozes(mapOf(entry()), unreadFacts([5, a]), noonMs + hour);
  expect(due.get('c1:a')?.until).toEqual({kind: 'back'});
  expect(refreshSnoozes(due, unreadFacts([5, a]), noonMs - 24 * hour)).toBe(due);
  const news = refreshSnoozes(mapOf(entry({until: {kind: 'message'}})), unreadFacts([5, a], [6, a]), noonMs);
  expect(isSnoozed(unreadFacts([5, a]), news.get('c1:a') ?? entry(), noonMs)).toBe(false);
});

test('snooze: a renamed topic stays snoozed under its new name; one that lost some messages keeps its key', () => {
  const snoozes = mapOf(entry());
  expect([...refreshSnoozes(snoozes, unreadFacts([4, b], [5, b]), noonMs).keys()]).toEqual(['c1:b']);
  expect(refreshSnoozes(snoozes, unreadFacts([4, a], [5, b]), noonMs)).toBe(snoozes);
  const both = mapOf(entry(), entry({key: 'c1:b', until: {kind: 'message'}}));
  // Whichever was snoozed first, the topic that had a snooze keeps it.
  for (const order of [both, new Map([...both].toReversed())])
    expect(refreshSnoozes(order, unreadFacts([4, b], [5, b]), noonMs)).toEqual(
      mapOf(entry({key: 'c1:b', until: {kind: 'message'}})),
    );
});

test('snooze: until the end of the session ends with it, or in the next session', () => {
  const snoozes = mapOf(entry({until: {kind: 'session'}}), entry({key: 'c1:b', until: {kind: 'message'}}));
  expect(wakeSessionSnoozes(snoozes, noonMs)).toBe(snoozes);
  expect(wakeSessionSnoozes(snoozes, noonMs + 1).get('c1:a')?.until).toEqual({kind: 'back'});
  expect(wakeSessionSnoozes(snoozes, noonMs + 1).get('c1:b')?.until).toEqual({kind: 'message'});
});

test('snooze: until a person writes ends with their message here or directly, and with no message from before', () => {
  const ann = 7;
  const snooze = entry({until: {kind: 'person', userId: ann, afterId: 8}});
  const isHidden = (facts: Parameters<typeof isSnoozed>[0]) => isSnoozed(facts, snooze, noonMs);
  expect(isHidden(factsOf(unreadsOf([5, a], [7, a], [9, a]), [7, ann], [9, 12]))).toBe(true);
  expect(isHidden(factsOf(unreadsOf([5, a], [9, a]), [9, ann]))).toBe(false);
  expect(isHidden(unreadFacts([5, a], [8, dm(ann)]))).toBe(true);
  expect(isHidden(unreadFacts([5, a], [9, dm(ann)]))).toBe(false);
  expect(isHidden(unreadFacts([5, a], [9, dm(ann, 12)]))).toBe(true);
  // A message that was read at once counts, too, but not one of the user to that person.
  const read = (senderId: number) =>
    withMessages(initialState.messages, [eg.direct({id: 9, userIds: [ann], senderId})]);
  expect(isHidden({...unreadFacts([5, a]), messages: read(ann)})).toBe(false);
  expect(isHidden({...unreadFacts([5, a]), messages: read(eg.selfId)})).toBe(true);
});

const untils = fc.oneof(
  fc.integer({min: -3, max: 3}).map((hours): SnoozeUntil => ({kind: 'time', at: noonMs + hours * hour})),
  fc.constantFrom<SnoozeUntil>({kind: 'session'}, {kind: 'message'}, {kind: 'back'}),
);
const worlds: fc.Arbitrary<Unreads> = fc
  .uniqueArray(fc.tuple(fc.integer({min: 1, max: 9}), fc.constantFrom(a, b), fc.boolean()), {
    selector: ([id]) => id,
  })
  .map((fields) => unreadsOf(...fields));

test('snooze: refreshing changes nothing that is hidden now, and twice equals once', () => {
  fc.assert(
    fc.property(untils, worlds, fc.integer({min: 1, max: 9}), (until, world, newestId) => {
      const facts = factsOf(world);
      const before = mapOf(entry({until, newestId}));
      const after = refreshSnoozes(before, facts, noonMs);
      expect(refreshSnoozes(after, facts, noonMs)).toBe(after);
      const hidden = (snoozes: typeof before) =>
        [...snoozes.values()].some((one) => one.key === 'c1:a' && isSnoozed(facts, one, noonMs));
      expect(hidden(new Map(after))).toBe(hidden(before));
      for (const one of after.values()) expect(world.conversations.has(one.key)).toBe(true);
    }),
  );
});

test('snooze: tomorrow is nine by local time, over midnight and over a clock change', () => {
  const zone = 'Europe/Berlin';
  const at = (iso: string) => Date.parse(iso);
  const tomorrow = (from: string) => new Date(parseMoment('tomorrow 9:00', at(from), zone) ?? 0).toISOString();
  expect(tomorrow('2026-03-28T11:00:00Z')).toBe('2026-03-29T07:00:00.000Z');
  expect(tomorrow('2026-10-24T10:00:00Z')).toBe('2026-10-25T08:00:00.000Z');
  expect(tomorrow('2026-01-31T22:59:00Z')).toBe('2026-02-01T08:00:00.000Z');
  expect(tomorrow('2026-01-31T23:01:00Z')).toBe('2026-02-02T08:00:00.000Z');
});

test('snooze: an hour is an hour over sleep, over midnight and in any time zone', () => {
  const clock = new ManualClock(Date.UTC(2026, 9, 25, 0, 30));
  const {press, pane, toast, app} = triageFixture({clock});
  app.setDisplay({zone: 'Europe/Berlin'});
  press('b', 'h');
  // The clocks go back from three to two there at one o'clock UTC.
  expect(toast()).toBe('Snoozed #backend › freeze until 02:30 · z undo');
  const text = () => pane().some((line) => / freeze .*◷/.test(line));
  clock.advance(59 * 60_000);
  expect(text()).toBe(false);
  clock.advance(60_000);
  expect(text()).toBe(true);
});

test('snooze: the toast says when the conversation returns', () => {
  const {press, toast} = triageFixture();
  press('b', 'd');
  expect(toast()).toBe('Snoozed #backend › freeze until tomorrow 09:00 · z undo');
});

test('snooze: until the next message ends at once for a message that arrived before the menu was painted', () => {
  const {press, arrive, pane, app} = triageFixture();
  arrive(101, backend, 'freeze');
  press('b', 'n');
  app.frames.paintNow();
  expect(pane().join('\n')).toMatch(/@1 \d #backend › freeze/);
});

test('snooze: until the end lasts over a restart, and ends when the rest is read elsewhere', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'Enter');
  first.app.end();
  const second = triageFixture({clock, store});
  const text = () => second.pane().some((line) => / freeze .*◷/.test(line));
  expect(text()).toBe(false);
  second.readElsewhere(3, 4, 5, 6, 7);
  second.app.frames.paintNow();
  expect(text()).toBe(true);
});

test('snooze: until the end does not outlast the session', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'Enter');
  openView(first.app, {kind: 'recent'});
  openView(first.app, {kind: 'inbox'});
  expect(first.pane().join('\n')).not.toMatch(/@1 \d #backend › freeze/);
  first.app.end();
  clock.advance(hour);
  const second = triageFixture({clock, store});
  expect(second.pane().join('\n')).toMatch(/@1 \d #backend › freeze/);
});

test('snooze: marking a returned conversation done and undoing that leaves it marked as returned', () => {
  const clock = new ManualClock(noonMs);
  const {press, app, at} = triageFixture({clock});
  press('b', 'h');
  clock.advance(hour);
  press('k', 'k');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(app.screen.inbox.snoozes.size).toBe(0);
  press('z');
  expect([...app.screen.inbox.snoozes.keys()]).toEqual(['c2:freeze']);
});

/** Returns when each snoozed conversation returns, as it is on screen or on disk. */
const returnTimes = (app: App) => [...readSnoozes(app).values()].map(({key, until}) => ({key, until}));
const inAnHour = [{key: 'c2:freeze', until: {kind: 'time', at: noonMs + hour}}];

/** The program as it goes on or, on that axis, after a restart in another view. Actions of several runs are ordered by time. */
function next(fixture: TriageFixture, start: 'fresh' | 'restarted'): TriageFixture {
  fixture.clock.advance(1);
  return start === 'fresh' ? fixture : fixture.restart({view: {kind: 'recent'}});
}

test.each(acrossAxes('connection', 'start'))(
  'snooze: undo, redo and undo again end it, restore its time and end it ($connection, $start)',
  ({connection, start}) => {
    const first = triageFixture({connection});
    first.press('b', 'h');
    expect(returnTimes(first.app)).toEqual(inAnHour);
    const second = next(first, start);
    second.press('z');
    expect(returnTimes(second.app)).toEqual([]);
    const third = next(second, start);
    third.clock.advance(60_000);
    third.press('Z');
    expect([third.toast(), returnTimes(third.app)]).toEqual([expect.stringMatching(/^Redone: /), inAnHour]);
    const fourth = next(third, start);
    fourth.press('z');
    expect(returnTimes(fourth.app)).toEqual([]);
    openView(fourth.app, {kind: 'inbox'});
    expect(fourth.pane().join('\n')).toMatch(/@1 \d #backend › freeze/);
  },
);

test.each(acrossAxes('connection', 'start'))(
  'snooze: undo of done on a snoozed conversation restores the snooze with its time ($connection, $start)',
  ({connection, start}) => {
    const first = triageFixture({connection});
    first.press('b', 'h');
    // The cursor is in Recent, where a snoozed conversation is listed.
    const second = next(first, start);
    openView(second.app, {kind: 'recent'});
    changeList(second.app, 'recent', (list) => ({...list, cursor: 'c2:freeze'}));
    second.app.frames.paintNow();
    second.press('e');
    expect(second.toast()).toMatch(/^Marked #backend › freeze read/);
    openView(second.app, {kind: 'inbox'});
    expect(returnTimes(second.app)).toEqual([]);
    const third = next(second, start);
    third.press('z');
    expect([third.unread().length, returnTimes(third.app)]).toEqual([8, inAnHour]);
    third.press('Z');
    expect([third.unread().length, returnTimes(third.app)]).toEqual([6, []]);
    third.press('z');
    expect(returnTimes(third.app)).toEqual(inAnHour);
  },
);

test('snooze: fifty and more actions, snoozes among them, are undone after a restart', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  const before = first.unread();
  for (let round = 0; round < 30; round++) {
    first.press('+', 'S');
    clock.advance(10);
  }
  first.press('e', 'b', 'd', 'M', 'e');
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
  'snooze: in a session that leaves no traces it ends with the program (%s)',
  (mode) => {
    const clock = new ManualClock(noonMs);
    const store = memoryStore(clock);
    const first = triageFixture({clock, store});
    first.press('j', 'b', 'd');
    first.app.end();
    const saved = store.keyValues.get('later');
    const text = ({pane}: {pane: () => readonly string[]}) => pane().join('\n');

    const fixture = triageFixture({clock, store, info: {[mode]: true}});
    expect(text(fixture)).not.toMatch(/1 Carol Diaz/);
    fixture.press('b', 'd');
    expect(fixture.toast()).toBe('Snoozed #backend › freeze until tomorrow 09:00 (this session only) · z undo');
    openView(fixture.app, {kind: 'recent'});
    openView(fixture.app, {kind: 'inbox'});
    expect(text(fixture)).not.toMatch(/ #backend › freeze|1 Carol Diaz/);
    expect(store.keyValues.get('later')).toBe(saved);
    fixture.press('z');
    expect(text(fixture)).toMatch(/freeze/);
    fixture.press('z');
    expect(text(fixture)).toMatch(/1 Carol Diaz/);
    fixture.press('b', 'd');
    fixture.app.end();
    expect(store.keyValues.get('later')).toBe(saved);

    const next = triageFixture({clock, store});
    expect(text(next)).toMatch(/@1 \d #backend › freeze/);
    expect(text(next)).not.toMatch(/1 Carol Diaz/);
    next.press('z');
    expect(next.toast()).toBe('Undone: Snoozed Carol Diaz until tomorrow 09:00 · Z redo');
  },
);

test('snooze menu: Down and Enter choose the second row', () => {
  const {press, toast} = triageFixture();
  press('b', 'Down', 'Enter');
  expect(toast()).toBe('Snoozed #backend › freeze until 13:00 · z undo');
});

test.each([
  ['mon 9', 'until Mon 5 Jan 09:00'],
  ['in 20 min', 'until 12:20'],
  ['tomorrow 14:00', 'until tomorrow 14:00'],
  ['when carol writes', 'until Carol Diaz writes'],
  ['tom', 'until tomorrow 09:00'],
  ['mess', 'until the next message'],
])('snooze menu: “%s” snoozes %s', (text, expected) => {
  const {press, type, toast} = triageFixture();
  press('b');
  type(text);
  press('Enter');
  expect(toast()).toBe(`Snoozed #backend › freeze ${expected} · z undo`);
});

test.each([
  ['today 9', 'This time has passed'],
  ['soon', '“soon”: try “mon 9”, “in 20 min”, “when Ann writes”'],
  ['when nobody writes', 'No user is called “nobody”.'],
])('snooze menu: “%s” snoozes nothing and says why', (text, problem) => {
  const {press, type, toast, app} = triageFixture();
  press('b');
  type(text);
  press('Enter');
  expect(toast()).toBe(problem);
  expect(app.screen.inbox.snoozes.size).toBe(0);
});

test('snooze: until a person writes lasts over a restart and ends with their message there', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('b', 'Up', 'Enter');
  first.type('carol');
  first.press('Enter');
  expect(first.toast()).toMatch(/^Snoozed #backend › freeze until Carol Diaz writes/);
  first.app.end();
  const second = triageFixture({clock, store});
  const text = () => second.pane().some((line) => /@1 \d #backend › freeze/.test(line));
  expect(text()).toBe(false);
  second.arrive(101, backend, 'logs');
  second.app.frames.paintNow();
  expect(text()).toBe(false);
  second.arrive(102, backend, 'freeze');
  second.app.frames.paintNow();
  expect(text()).toBe(true);
});

test('snoozed list: g z lists what is snoozed by its return; it opens, changes the time, and wakes with undo', () => {
  const {press, type, app, toast} = triageFixture();
  const rows = () => {
    const open = openedPicker(app);
    return open && pickerRows(app.frame, open).map(({label, detail}) => `${label}: ${detail}`);
  };
  press('b', 'd', 'b', 'h', 'g', 'z');
  expect(openedPicker(app)?.picker.title).toBe('Snoozed conversations');
  expect(rows()).toEqual([
    'Carol Diaz: 13:00 · 1 unread message',
    '#backend › freeze: tomorrow 09:00 · 2 unread messages',
  ]);
  press('Ctrl-T');
  type('mon 9');
  press('Enter');
  expect(rows()?.[1]).toBe('Carol Diaz: Mon 5 Jan 09:00 · 1 unread message');
  press('Down', 'Delete');
  expect(toast()).toBe('Ended the snooze of Carol Diaz');
  expect(rows()).toHaveLength(1);
  press('Esc', 'z');
  expect(app.screen.inbox.snoozes.get('d11')?.until.kind).toBe('time');
  press('g', 'z', 'Enter');
  expect(app.screen.overlays).toEqual([]);
  expect(shownConversation(app.screen)).toEqual(topicConversation(backend, 'freeze'));
});

/** Inbox rows that are snoozed until they have news. */
function storedSnoozes(connection: 'online' | 'offline') {
  const fixture = triageFixture({connection});
  const {app} = fixture;
  const snooze = (key: string, newestId: number) =>
    changeSnoozes(app, (all) => withSnoozes(all, [entry({key, newestId, until: {kind: 'message'}})]));
  return {...fixture, snooze, keys: () => [...readSnoozes(app).keys()]};
}

test.each([
  ['online', ['c1:css']],
  ['offline', ['c2:logs', 'c1:css']],
] as const)('snooze: one whose messages are read is dropped only while that is known (%s)', (connection, left) => {
  const {snooze, keys, readElsewhere} = storedSnoozes(connection);
  snooze('c2:logs', 7);
  readElsewhere(7);
  snooze('c1:css', 4);
  expect(keys()).toEqual(left);
});

test('snooze: an undo also takes back the snooze of a conversation that was renamed since', () => {
  const {app, snooze, keys} = storedSnoozes('online');
  snooze('c1:css', 4);
  // It was snoozed as “logs” and is “css” now.
  restoreSnoozes(app, {keys: ['c2:logs'], before: [], since: noonMs});
  expect(keys()).toEqual([]);
  snooze('c1:css', 4);
  restoreSnoozes(app, {keys: ['c2:logs'], before: [], since: noonMs + 1});
  expect(keys()).toEqual(['c1:css']);
});

test('snooze: one until the end of the inbox stays while it is not known what is unread', () => {
  const {app, readElsewhere} = triageFixture();
  changeSnoozes(app, (all) => withSnoozes(all, [entry({key: 'c1:css', newestId: 4, until: {kind: 'session'}})]));
  const until = () => readSnoozes(app).get('c1:css')?.until.kind;
  app.session.cache.apply({type: 'connection_changed', connection: {phase: 'starting', savedAt: undefined}});
  readElsewhere(1, 2, 3, 5, 6, 7);
  wakeSnoozedAtEnd(app);
  expect(until()).toBe('session');
  app.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  wakeSnoozedAtEnd(app);
  expect(until()).not.toBe('session');
});

import {copyFileSync, existsSync} from 'node:fs';
import {expect, test} from 'vitest';
import {performAllUndoable, performUndoable} from '#app/undo/perform-undoable.ts';
import {backend, memoryStore, noonMs, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {buildUpdateMessageEvent} from '#test/state/messages/wire-events.ts';
import {openTestStore, scratchFile} from '#test/storage/storage-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';

test.each(['e', 'X', 'M', 'F', 'jvjvM', 'b\r', 'S', '+'])(
  'redo: %s, undo and redo equal the key alone, in the inbox and its counts',
  (keys) => {
    const result = ({app, unread, at}: ReturnType<typeof triageFixture>) => ({
      unread: unread(),
      at: at(),
      policies: app.state.userTopics,
      starred: [...app.state.starred],
      snoozed: [...app.screen.inbox.snoozes.keys()],
      log: app.screen.inbox.log.map(({actionKind}) => actionKind),
    });
    const press = (all: string) => {
      const fixture = triageFixture({clock: new ManualClock(noonMs)});
      for (const key of all) fixture.press(key === '\r' ? 'Enter' : key);
      return fixture;
    };
    const again = press(`${keys}zZ`);
    expect(result(again)).toEqual(result(press(keys)));
    again.press('z');
    expect(result(again)).toEqual(result(press(`${keys}z`)));
  },
);

test('redo: several steps are redone in order and are new actions, and another action ends it', () => {
  const clock = new ManualClock(noonMs);
  const {app, press, toast, unread} = triageFixture({clock});
  press('e', 'e', 'e');
  const done = unread();
  press('z', 'z', 'z');
  expect(toast()).toMatch(/ · Z redo$/);
  clock.advance(60_000);
  press('Z', 'Z', 'Z');
  expect(app.undoStack.list().map(({record}) => record?.at)).toEqual(Array(3).fill(noonMs + 60_000));
  expect(toast()).toMatch(/^Redone: Marked .* · z undo$/);
  expect(unread()).toEqual(done);
  press('Z');
  expect(toast()).toBe('Nothing to redo.');
  press('z', 'S', 'Z');
  expect(toast()).toBe('Nothing to redo.');
});

test('redo: what was undone can be redone after a restart, and undone again', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  const all = first.unread();
  first.press('e', 'M');
  const done = [first.unread(), first.app.state.userTopics];
  clock.advance(1);
  first.press('z');
  clock.advance(1);
  first.press('z');
  expect(first.unread()).toEqual(all);
  first.app.end();

  const second = triageFixture({clock, store});
  second.press('Z', 'Z');
  expect([second.unread(), second.app.state.userTopics]).toEqual(done);
  expect(second.app.undoStack.latest()?.record?.at).toBe(noonMs + 2);
  second.press('Z');
  expect(second.toast()).toBe('Nothing to redo.');
  second.app.end();

  const third = triageFixture({clock, store});
  third.press('z', 'z');
  expect(third.unread()).toEqual(all);
});

test('redo: what was undone and redone is not offered again after a restart', async () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e', 'z');
  // What was undone is written after the key.
  await Promise.resolve();
  first.press('Z');
  first.app.end();
  expect(triageFixture({clock, store}).app.undoStack.undoneList()).toEqual([]);
});

test('redo: a new action after a restart ends what an earlier run could redo', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e', 'z');
  first.app.end();
  const second = triageFixture({clock, store});
  second.press('j', 'e', 'Z');
  expect(second.toast()).toBe('Nothing to redo.');
  second.app.end();
  expect(triageFixture({clock, store}).app.undoStack.undoneList()).toEqual([]);
});

test('redo: what only the earlier run could redo is not skipped after a restart', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.app.undoStack.push({label: 'Renamed #web', undo: () => 'Undone', redo: () => 'Redone'});
  clock.advance(1);
  first.press('z');
  first.app.end();
  const second = triageFixture({clock, store});
  for (const key of ['Z', 'Z']) {
    second.press(key);
    expect(second.toast()).toBe('Cannot be redone after a restart of Parley: Renamed #web');
  }
});

test('redo: wherever the program is killed during a redo, what it did can be undone', () => {
  const path = scratchFile();
  const fixture = triageFixture({store: openTestStore(path).store});
  const all = fixture.unread();
  fixture.press('e', 'z');
  const copies: string[] = [];
  const {pendingChanges, keyValues} = fixture.store;
  const copyingDisk =
    <A extends readonly unknown[], T>(write: (...args: A) => T) =>
    (...args: A): T => {
      const result = write(...args);
      const copy = scratchFile();
      for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
      copies.push(copy);
      return result;
    };
  Object.assign(pendingChanges, {addAll: copyingDisk(pendingChanges.addAll)});
  Object.assign(keyValues, {setAll: copyingDisk(keyValues.setAll), set: copyingDisk(keyValues.set)});
  fixture.press('Z');
  expect(copies.length).toBeGreaterThan(0);
  for (const copy of copies) {
    const next = triageFixture({store: openTestStore(copy).store});
    next.press('z');
    expect(next.unread()).toEqual(all);
  }
});

test('redo: a full disk is reported, and the redo can be tried again', () => {
  const path = scratchFile();
  const {store} = openTestStore(path);
  const {press, toast, unread} = triageFixture({store});
  press('e');
  const done = unread();
  press('z');
  const {addAll} = store.pendingChanges;
  const fail = () => {
    throw new Error('the disk is full');
  };
  Object.assign(store.pendingChanges, {addAll: fail});
  press('Z');
  expect(toast()).toMatch(/^Not redone: /);
  Object.assign(store.pendingChanges, {addAll});
  press('Z');
  expect(unread()).toEqual(done);
});

test('undo history: what was undone is below the actions and can be redone there', () => {
  const {press, unread, app} = triageFixture();
  const labels = () => {
    const open = openedPicker(app);
    return open === undefined ? [] : pickerRows(app.frame, open).map(({label}) => label);
  };
  press('e', 'e', 'e');
  const done = unread();
  press('z', 'z', 'g', 'Z');
  const [first, title, ...undone] = labels();
  expect([first, title, undone.length]).toEqual(['Marked #backend › freeze read (2)', 'Undone', 2]);
  press('Down', 'Enter', 'Enter', 'Esc');
  expect(unread()).toEqual(done);
  expect(app.undoStack.undoneList()).toEqual([]);
});

test('redo: in a read-only session nothing is redone', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e', 'z');
  first.app.end();
  const second = triageFixture({clock, store, info: {isReadOnly: true}});
  const before = second.unread();
  second.press('Z');
  expect(second.toast()).toMatch(/read-only/);
  expect(second.unread()).toEqual(before);
});

test('redo: while a text is written, Ctrl-X u undoes the latest action and Ctrl-X U redoes it, and the text stays', () => {
  const {app, press, type, unread} = triageFixture();
  press('e', 'r');
  type('half a reply');
  press('Ctrl-X', 'u');
  expect([unread(), app.screen.composer.field.text]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], 'half a reply']);
  press('Ctrl-X', 'U');
  expect([unread(), app.screen.composer.field.text]).toEqual([[3, 4, 5, 6, 7, 8], 'half a reply']);
});

test.each(['fresh', 'restarted'])(
  'redo: a topic that was renamed since is muted under its new name, and undone there ($0)',
  (start) => {
    const first = triageFixture({clock: new ManualClock(noonMs)});
    const rename = ({session}: typeof first, from: string, to: string) => {
      const moved = {message_id: 7, message_ids: [7], stream_id: backend, orig_subject: from, subject: to};
      session.cache.apply(buildUpdateMessageEvent({...moved, propagate_mode: 'change_all'}));
    };
    const policies = ({app}: typeof first) =>
      [...app.state.userTopics.values()].map(({topic, policy}) => [topic, policy]);
    first.press('j', 'j', 'M');
    expect(policies(first)).toEqual([['logs', 1]]);
    first.press('z');
    rename(first, 'logs', 'errors');
    const next = start === 'fresh' ? first : first.restart();
    if (start === 'restarted') rename(next, 'logs', 'errors');
    next.press('Z');
    expect(policies(next)).toEqual([['errors', 1]]);
    rename(next, 'errors', 'failures');
    next.press('z');
    expect(policies(next).filter(([, policy]) => policy !== 0)).toEqual([]);
  },
);

test('redo: the steps of an undone action are in its own order, and their topics are still found by their messages', () => {
  const {app, press} = triageFixture();
  const mute = (topic: string) => ({kind: 'topicPolicy', channelId: backend, topic, policy: 1}) as const;
  performAllUndoable(app, [mute('freeze'), mute('logs')], 'Muted both');
  expect(app.undoStack.nearMessageIds()).toEqual([2, 7]);
  press('z');
  const [undone] = app.undoStack.undoneList();
  expect(undone?.record.steps).toMatchObject([{inverse: {topic: 'freeze'}}, {inverse: {topic: 'logs'}}]);
  expect(app.undoStack.nearMessageIds()).toEqual([2, 7]);
});

test('redo: messages that are marked unread again are in their place', () => {
  const {app, press, readElsewhere, labels, unread} = fixtureWithLabels();
  const before = labels();
  readElsewhere(7);
  press('End', 'Home');
  performUndoable(app, {kind: 'flags', op: 'remove', flag: 'read', ids: [7]}, 'Marked unread');
  press('z');
  expect(unread()).not.toContain(7);
  press('Z');
  expect(labels()).toEqual(before);
});

test('redo: a key that arrives with it knows the messages that it marks unread again', () => {
  const {press, type, readElsewhere, unread, toast} = triageFixture({view: {kind: 'recent'}});
  readElsewhere(7);
  press('U', 'z');
  expect(unread()).not.toContain(7);
  type('Ze');
  expect(unread()).not.toContain(7);
  expect(toast()).toMatch(/^Marked #backend › logs read \(1\)/);
});

function fixtureWithLabels() {
  const fixture = triageFixture();
  const labels = () => visibleRowsOf(fixture.app.frame, inboxList).rows.map(({label}) => label);
  return {...fixture, labels};
}

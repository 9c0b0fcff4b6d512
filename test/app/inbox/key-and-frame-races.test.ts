import {expect, test} from 'vitest';
import {openUndoHistory} from '#app/undo/undo.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {openedPicker, pickerRows} from '#ui/overlays/picker-rows.ts';
import {backend, memoryStore, noonMs, triageFixture, web} from './triage-fixture.ts';

type Fixture = ReturnType<typeof triageFixture>;

/** Moves messages to a topic as another client would. Painted only with the next key. */
function moveElsewhere({session}: Fixture, ids: readonly number[], from: string, to: string): void {
  session.cache.apply({
    type: 'update_message',
    id: 1,
    user_id: 11,
    message_id: ids[0] ?? 0,
    message_ids: [...ids],
    stream_id: backend,
    orig_subject: from,
    subject: to,
    propagate_mode: 'change_all',
    edit_timestamp: noonMs / 1000,
    rendering_only: false,
    flags: [],
  });
}

/** Mutes a topic as another client would. */
function muteElsewhere({session}: Fixture, topic: string): void {
  session.cache.apply({
    type: 'user_topic',
    id: 1,
    stream_id: backend,
    topic_name: topic,
    last_updated: noonMs / 1000,
    visibility_policy: 1,
  });
}

test('key races: a key acts on messages that undo restored in the same read', () => {
  const {press, type, unread, toast} = triageFixture();
  press('e');
  type('ze');
  expect(toast()).toBe('Marked #backend › freeze read (2) · z undo');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('key races: the first key acts on the painted row, although it was read elsewhere meanwhile', () => {
  const fixture = triageFixture();
  const {app, press, unread, toast} = fixture;
  app.update((screen) => ({
    ...screen,
    lists: {...screen.lists, inbox: {...screen.lists.inbox, cursor: undefined}},
  }));
  app.frames.paintNow();
  fixture.session.cache.apply({
    type: 'update_message_flags',
    id: 1,
    op: 'add',
    flag: 'read',
    messages: [1, 2],
    all: false,
  });
  press('e');
  expect(toast()).toBe('Already read elsewhere.');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('key races: a topic renamed between paint and key is marked done; one renamed before says where it is', () => {
  const fixture = triageFixture();
  moveElsewhere(fixture, [1, 2], 'freeze', 'thaw');
  fixture.press('e');
  expect(fixture.unread()).toEqual([3, 4, 5, 6, 7, 8]);
  fixture.press('z');
  expect(fixture.unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);

  const late = triageFixture();
  moveElsewhere(late, [1, 2], 'freeze', 'thaw');
  late.app.frames.paintNow();
  late.press('e');
  expect(late.toast()).toBe('Moved to #backend › thaw.');
  expect(late.unread()).toHaveLength(8);
});

test('key races: messages moved into a conversation between paint and key stay unread', () => {
  const fixture = triageFixture();
  moveElsewhere(fixture, [7], 'logs', 'freeze');
  fixture.press('e');
  expect(fixture.unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('key races: X counts and marks only painted messages', () => {
  const {press, arrive, toast, unread} = triageFixture();
  press('j', 'j', 'j');
  arrive(101, web, 'fonts');
  arrive(102, web, 'css');
  press('X', 'y');
  expect(toast()).toBe('Marked #web read (3 in 2 conversations) · z undo');
  expect(unread()).toEqual([1, 2, 3, 7, 8, 101, 102]);
});

test('key races: a key acts on the row under the cursor although it was muted elsewhere', () => {
  const fixture = triageFixture();
  const {press, at, unread, toast} = fixture;
  press('j', 'j');
  expect(at()).toBe('#backend › logs');
  muteElsewhere(fixture, 'logs');
  press('M');
  expect(toast()).toBe('Already muted elsewhere.');
  press('k', 'k');
  press('e');
  expect(unread()).not.toContain(1);
});

test('key races: a thumbs-up goes to the latest painted message', () => {
  const {press, arrive, app} = triageFixture();
  arrive(101, backend, 'freeze');
  press('+');
  expect(app.state.messages.byId.get(2)?.reactions).toMatchObject([{emojiName: '+1'}]);
  expect(app.state.messages.byId.get(101)?.reactions).toEqual([]);
});

test('key races: undo of a delayed reply cancels it and restores its unread messages in one step', () => {
  const {press, type, at, unread, toast, app, clock} = triageFixture({settings: {undoSendSeconds: 5}});
  press('r');
  type('not like this');
  press('Enter');
  expect(unread()).not.toContain(1);
  press('z');
  expect(toast()).toBe('Not sent, and unread again: #backend › freeze · the reply is a draft · Z redo');
  expect(at()).toBe('#backend › freeze');
  expect(unread()).toHaveLength(8);
  // The keys are those of the list: the next z is not typed.
  expect(app.screen.focus).toBe('main');
  clock.advance(6000);
  expect(app.state.outbox).toEqual([]);
  press('r');
  expect(app.screen.composer.field.text).toBe('not like this');
  press('Enter');
  expect(unread()).toHaveLength(6);
});

test('key races: undo after a reply was sent leaves the reply', () => {
  const {press, type, toast, app, clock} = triageFixture({settings: {undoSendSeconds: 5}});
  press('r');
  type('like this');
  press('Enter');
  clock.advance(6000);
  press('z');
  expect(toast()).toBe('Unread again: #backend › freeze (2) · the reply stays · Z redo');
  expect(app.state.outbox).toHaveLength(1);
});

test('key races: undo of a reply says that the reply stays, also after a restart', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('r');
  first.type('yes');
  first.press('Enter');
  first.app.end();
  const second = triageFixture({clock, store});
  second.press('z');
  expect(second.toast()).toBe('Unread again: #backend › freeze (2) · the reply stays · Z redo');
  expect(second.unread()).toHaveLength(8);
});

test('key races: a reply in a conversation that was read elsewhere counts as reply and marks nothing', () => {
  const {press, type, readElsewhere, toast, at, app} = triageFixture();
  press('r');
  type('yes');
  readElsewhere(1, 2);
  press('Enter');
  expect(toast()).toBe('Replied in #backend › freeze');
  expect(at()).toBe('Carol Diaz');
  expect(app.screen.inbox.log).toMatchObject([{actionKind: 'replied'}]);
});

test('key races: reactions, stars and follows are logged, listed and undone like other actions', () => {
  const {press, app, pane} = triageFixture();
  press('+', 'S', 'j', 'j', 'F');
  expect(app.screen.inbox.log.map(({actionKind}) => actionKind)).toEqual(['reacted', 'starred', 'followed']);
  openUndoHistory(app);
  const open = openedPicker(app);
  const listed = open === undefined ? [] : pickerRows(app.frame, open).map(({label}) => label);
  expect(listed).toEqual([
    'Followed #backend › logs',
    'Starred the first unread message',
    expect.stringMatching(/^Reacted with/),
  ]);
  press('Esc', 'z', 'z', 'z');
  expect(app.screen.inbox.log).toEqual([]);
  expect(app.state.messages.byId.get(2)?.reactions).toEqual([]);
  expect([...app.state.starred]).toEqual([]);
  expect(app.state.userTopics.size).toBe(0);
  expect(pane().join('\n')).not.toMatch(/◎/);
});

test('key races: a read-only session undoes nothing of earlier sessions and loses none of it', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e', 'e');
  first.app.end();
  const readOnly = triageFixture({clock, store, info: {isReadOnly: true}});
  readOnly.press('z');
  expect(readOnly.toast()).toBe('This session is read-only: nothing is changed');
  readOnly.press('z');
  expect(readOnly.unread()).toEqual([4, 5, 6, 7, 8]);
  readOnly.app.end();
  const last = triageFixture({clock, store});
  last.press('z', 'z');
  expect(last.unread()).toHaveLength(8);
});

test('key races: while exploring, no undo marks anything read', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.readElsewhere(4);
  first.app.undoStack.push({
    label: 'Marked unread from here on',
    record: {
      label: 'Marked unread from here on',
      at: noonMs,
      keys: [],
      steps: [{kind: 'change', inverse: {kind: 'flags', op: 'add', flag: 'read', ids: [5]}}],
    },
    undo: () => undefined,
  });
  first.app.end();
  const {press, toast, unread} = triageFixture({clock, store, info: {isExploring: true}});
  press('z');
  expect(toast()).toBe('Exploring: nothing is marked read');
  expect(unread()).toHaveLength(8);
});

test('key races: each key that would mark messages read says that it does not', () => {
  for (const [info, text] of [
    [{isExploring: true}, 'Exploring: nothing is marked read'],
    [{isReadOnly: true}, 'This session is read-only: nothing is marked read'],
  ] as const) {
    for (const key of ['e', 'X']) {
      const {press, toast, unread} = triageFixture({info});
      press(key);
      expect(toast()).toBe(text);
      expect(unread()).toHaveLength(8);
    }
  }
});

test('key races: a reply while exploring is sent and says that nothing is marked read', () => {
  const {press, type, toast, unread} = triageFixture({info: {isExploring: true}});
  press('r');
  type('yes');
  press('Enter');
  expect(toast()).toBe('Replied in #backend › freeze · Exploring: nothing is marked read');
  expect(unread()).toHaveLength(8);
});

test('key races: undo of a mark that was not sent leaves read what another client has read since', () => {
  const {press, readElsewhere, unread} = triageFixture();
  press('e');
  readElsewhere(1);
  press('z');
  expect(unread()).toEqual([2, 3, 4, 5, 6, 7, 8]);
});

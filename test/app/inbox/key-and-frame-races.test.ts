import {expect, test} from 'vitest';
import {openedPicker, pickerRows} from '#app/overlays/picker.ts';
import {openUndoHistory} from '#app/undo/undo-history-picker.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {backend, memoryStore, noonMs, triageFixture, web} from './triage-fixture.ts';

type Stage = ReturnType<typeof triageFixture>;

/** Another client moves messages to a topic. Painted only with the next key. */
function moveElsewhere({session}: Stage, ids: readonly number[], from: string, to: string): void {
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

/** Another client mutes a topic. */
function muteElsewhere({session}: Stage, topic: string): void {
  session.cache.apply({
    type: 'user_topic',
    id: 1,
    stream_id: backend,
    topic_name: topic,
    last_updated: noonMs / 1000,
    visibility_policy: 1,
  });
}

test('what a key brought back the next one may dismiss, though both come in one read', () => {
  const {press, type, unread, toast} = triageFixture();
  press('e');
  type('ze');
  expect(toast()).toBe('Marked #backend › freeze read (2) · z undo');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('the first key is about the row that was seen, although that was read elsewhere meanwhile', () => {
  const stage = triageFixture();
  const {app, press, unread, toast} = stage;
  app.update((screen) => ({
    ...screen,
    lists: {...screen.lists, inbox: {...screen.lists.inbox, cursor: undefined}},
  }));
  app.frames.paintNow();
  stage.session.cache.apply({
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

test('a topic that is renamed between picture and key is done with; one renamed before says where it is', () => {
  const stage = triageFixture();
  moveElsewhere(stage, [1, 2], 'freeze', 'thaw');
  stage.press('e');
  expect(stage.unread()).toEqual([3, 4, 5, 6, 7, 8]);
  stage.press('z');
  expect(stage.unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);

  const late = triageFixture();
  moveElsewhere(late, [1, 2], 'freeze', 'thaw');
  late.app.frames.paintNow();
  late.press('e');
  expect(late.toast()).toBe('It is in #backend › thaw now.');
  expect(late.unread()).toHaveLength(8);
});

test('messages that are moved into a conversation between picture and key stay unread', () => {
  const stage = triageFixture();
  moveElsewhere(stage, [7], 'logs', 'freeze');
  stage.press('e');
  expect(stage.unread()).toEqual([3, 4, 5, 6, 7, 8]);
});

test('X counts and marks only what was in the picture', () => {
  const {press, arrive, toast, unread} = triageFixture();
  press('j', 'j', 'j');
  arrive(101, web, 'fonts');
  arrive(102, web, 'css');
  press('X');
  expect(toast()).toBe('Marked #web read (3 in 2 conversations) · z undo');
  expect(unread()).toEqual([1, 2, 3, 7, 8, 101, 102]);
});

test('a row that is muted elsewhere under the cursor is the one that keys are about', () => {
  const stage = triageFixture();
  const {press, at, unread, toast} = stage;
  press('j', 'j');
  expect(at()).toBe('#backend › logs');
  muteElsewhere(stage, 'logs');
  press('M');
  expect(toast()).toBe('Already muted elsewhere.');
  press('k', 'k');
  press('e');
  expect(unread()).not.toContain(1);
});

test('a thumb and a star are for messages that were seen', () => {
  const {press, arrive, app} = triageFixture();
  arrive(101, backend, 'freeze');
  press('+');
  expect(app.state.messages.byId.get(2)?.reactions).toMatchObject([{emojiName: '+1'}]);
  expect(app.state.messages.byId.get(101)?.reactions).toEqual([]);
});

test('a reply that has not left is taken back in one step with what it marked read', () => {
  const {press, type, at, unread, toast, app, clock} = triageFixture({settings: {undoSendSeconds: 5}});
  press('r');
  type('not like this');
  press('Enter');
  expect(unread()).not.toContain(1);
  press('z');
  expect(toast()).toBe('Not sent, and unread again: #backend › freeze');
  expect(at()).toBe('#backend › freeze');
  expect(unread()).toHaveLength(8);
  expect(app.screen.focus).toBe('composer');
  expect(app.screen.composer.field.text).toBe('not like this');
  clock.advance(6000);
  expect(app.state.outbox).toEqual([]);
  press('Enter');
  expect(unread()).toHaveLength(6);
});

test('once a reply has left, taking it back leaves it where it is', () => {
  const {press, type, toast, app, clock} = triageFixture({settings: {undoSendSeconds: 5}});
  press('r');
  type('like this');
  press('Enter');
  clock.advance(6000);
  press('z');
  expect(toast()).toBe('Unread again: #backend › freeze (2) · the reply stays');
  expect(app.state.outbox).toHaveLength(1);
});

test('taking back a reply says that the reply stays, also after a restart', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('r');
  first.type('yes');
  first.press('Enter');
  first.app.end();
  const second = triageFixture({clock, store});
  second.press('z');
  expect(second.toast()).toBe('Unread again: #backend › freeze (2) · the reply stays');
  expect(second.unread()).toHaveLength(8);
});

test('a reply where all was read elsewhere counts as one, and marks nothing', () => {
  const {press, type, readElsewhere, toast, at, app} = triageFixture();
  press('r');
  type('yes');
  readElsewhere(1, 2);
  press('Enter');
  expect(toast()).toBe('Reply in #backend › freeze waits for the connection');
  expect(at()).toBe('Carol Diaz');
  expect(app.screen.inbox.log).toMatchObject([{actionKind: 'replied'}]);
});

test('thumbs, reactions, stars and follows are counted, listed and taken back like everything else', () => {
  const {press, app, pane} = triageFixture();
  press('+', 'S', 'j', 'j', 'F');
  expect(app.screen.inbox.log.map(({actionKind: verb}) => verb)).toEqual(['reacted', 'starred', 'followed']);
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
  expect(pane().join('\n')).not.toMatch(/★/);
});

test('a session that only looks takes nothing back of what was done before it, and loses none of it', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e', 'e');
  first.app.end();
  const looking = triageFixture({clock, store, info: {isReadOnly: true}});
  looking.press('z');
  expect(looking.toast()).toBe('This session is read-only: nothing is changed');
  looking.press('Z');
  expect(looking.unread()).toEqual([4, 5, 6, 7, 8]);
  looking.app.end();
  const last = triageFixture({clock, store});
  last.press('z', 'z');
  expect(last.unread()).toHaveLength(8);
});

test('exploring, no undo marks anything read', () => {
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
      steps: [{kind: 'deed', inverse: {kind: 'flags', op: 'add', flag: 'read', ids: [5]}}],
    },
    undo: () => undefined,
  });
  first.app.end();
  const {press, toast, unread} = triageFixture({clock, store, info: {isExploring: true}});
  press('z');
  expect(toast()).toBe('Exploring: nothing is marked read');
  expect(unread()).toHaveLength(8);
});

test('each key that would mark something read says that it does not', () => {
  for (const [info, said] of [
    [{isExploring: true}, 'Exploring: nothing is marked read'],
    [{isReadOnly: true}, 'This session is read-only: nothing is marked read'],
  ] as const) {
    for (const key of ['e', 'X', 'E']) {
      const {press, toast, unread} = triageFixture({info});
      press(key);
      expect(toast()).toBe(said);
      expect(unread()).toHaveLength(8);
    }
  }
});

test('a reply while exploring is sent, and says that nothing is marked read', () => {
  const {press, type, toast, unread} = triageFixture({info: {isExploring: true}});
  press('r');
  type('yes');
  press('Enter');
  expect(toast()).toMatch(/^Reply in #backend › freeze waits .* Exploring: nothing is marked read$/);
  expect(unread()).toHaveLength(8);
});

test('undo gives back all that the key marked, also what another client has read since', () => {
  const {press, readElsewhere, unread} = triageFixture();
  press('e');
  readElsewhere(1);
  press('z');
  expect(unread()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

import {expect, test} from 'vitest';
import {setListCursor} from '#app/lists/move-in-list.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import type {Reversal} from '#app/undo/redo-stack.ts';
import {undoLatest} from '#app/undo/undo.ts';
import type {UndoRecord} from '#app/undo/undo-record.ts';
import {directKey, topicConversation} from '#state/model/conversation.ts';
import {backend, memoryStore, noonMs, triageAccount, triageFixture, web} from '#test/app/inbox/triage-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {peopleList} from '#ui/people/people-list.ts';

const [freeze, css, login] = [
  topicConversation(backend, 'freeze'),
  topicConversation(web, 'css'),
  topicConversation(web, 'login'),
];

/** An action that starred a message: undoing it removes the star. */
function starred(keys: readonly string[]): UndoRecord {
  const steps = [{kind: 'change', inverse: {kind: 'flags', flag: 'starred', op: 'add', ids: [1]}}] as const;
  return {label: 'Unstarred', at: noonMs, keys, steps};
}

test.each([
  ['of one conversation, undo returns to it', [`c${backend}:freeze`], freeze],
  ['of several conversations, undo stays where the user is', [`c${backend}:freeze`, `c${web}:login`], css],
])('undo: %s', (_what, keys, shown) => {
  const {app} = triageFixture();
  for (const conversation of [login, freeze, css]) openConversation(app, conversation);
  app.undoStack.pushRecord(starred(keys));
  undoLatest(app);
  expect(app.state.starred.has(1)).toBe(true);
  expect(app.screen.view).toMatchObject({
    narrow: [{operand: shown.channelId}, {operand: shown.topic}],
  });
});

test.each([
  ['of a conversation with one person, undo in the list of people returns to them', [directKey([11])], 'person 11'],
  ['of a conversation with several people, undo leaves the list where it was', [directKey([10, 11])], 'person 12'],
])('undo: %s', (_what, keys, row) => {
  const users = [10, 11, 12].map((id) => eg.user({id, fullName: `Person ${id}`}));
  const others = [
    eg.direct({id: 30, senderId: 11, userIds: [11]}),
    eg.direct({id: 31, senderId: 11, userIds: [10, 11]}),
  ];
  const account = triageAccount(others.map((message) => [message]));
  const {app} = triageFixture({account: {...account, users: eg.users(...users)}});
  app.set({focus: 'people'});
  setListCursor(app, peopleList, 'person 12');
  app.undoStack.pushRecord(starred(keys));
  undoLatest(app);
  expect(cursorRow(app.frame, peopleList)?.key).toBe(row);
});

test('undo after a restart: an action whose undo failed is still there', async () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  const {undoStack} = first.app;
  let reversal: Reversal | undefined;
  const undo = () => {
    reversal = undoStack.awaitReversal();
    return 'Starring again…';
  };
  undoStack.push({label: 'Unstarred', record: starred([]), undo});
  undoLatest(first.app);
  // The removal is on disk before the server refuses.
  await Promise.resolve();
  expect(store.keyValues.keysWithPrefix('undo ')).toEqual([]);
  reversal?.fail();
  first.app.end();
  const second = triageFixture({clock, store});
  expect(second.app.undoStack.list().map(({label}) => label)).toEqual(['Unstarred']);
});

test('undo after a restart: the actions of programs that ran at the same time are listed by time', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const [first, second] = [triageFixture({clock, store}), triageFixture({clock, store})];
  const labels = ['one', 'two', 'three', 'four'];
  for (const [index, label] of labels.entries()) {
    clock.advance(1000);
    const {undoStack} = (index % 2 === 0 ? first : second).app;
    undoStack.pushRecord({...starred([]), label, at: clock.now()});
  }
  for (const {app} of [first, second]) app.end();
  const later = triageFixture({clock, store});
  expect(later.app.undoStack.list().map(({label}) => label)).toEqual(labels.toReversed());
});

test('undo after a restart: an action of more than a week ago is not offered', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.app.undoStack.pushRecord({...starred([]), at: clock.now()});
  first.app.end();
  const week = 7 * 24 * 3_600_000;
  clock.advance(week);
  expect(triageFixture({clock, store}).app.undoStack.list()).toHaveLength(1);
  clock.advance(1);
  expect(triageFixture({clock, store}).app.undoStack.list()).toEqual([]);
});

test('undo after a restart: the two hundred latest entries are kept', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  for (let at = 0; at < 201; at++) {
    const name = `undo 1 ${String(at).padStart(6, '0')}`;
    store.keyValues.set(name, JSON.stringify([{...starred([]), label: `Action ${at}`, at: noonMs + at}]));
  }
  const {app} = triageFixture({clock, store});
  app.undoStack.pushRecord({...starred([]), label: 'New', at: noonMs + 300});
  app.end();
  const labels = triageFixture({clock, store})
    .app.undoStack.list()
    .map(({label}) => label);
  expect([labels.length, labels[0], labels[1], labels.at(-1)]).toEqual([201, 'New', 'Action 200', 'Action 1']);
});

test('undo after a restart: a damaged record costs only itself, and a damaged name only itself', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const whole = starred([`c${backend}:freeze`]);
  const {label: _label, ...nameless} = whole;
  const {at: _at, ...timeless} = whole;
  const saved = [nameless, {...whole, label: 5}, timeless, null, 'text', {...whole, keys: [7, ...whole.keys, null]}];
  store.keyValues.set('undo 1 1', JSON.stringify(saved));
  store.keyValues.set('undo 1 2', '{"no": "list"}');
  store.keyValues.set('undo 1 3', 'no JSON');
  const actions = triageFixture({clock, store}).app.undoStack.list();
  expect(actions.map(({record}) => record)).toMatchObject([{label: whole.label, keys: whole.keys}]);
});

test('undo history: its last line offers to redo only when something was undone', () => {
  const {press, app} = triageFixture();
  const hint = () => openedPicker(app.frame)?.picker.hint;
  press('e', 'e', 'g', 'Z');
  expect(hint()).toMatchObject({Enter: 'undoes'});
  press('Esc', 'z', 'g', 'Z');
  expect(hint()).toMatchObject({Enter: 'undoes, redoes'});
});

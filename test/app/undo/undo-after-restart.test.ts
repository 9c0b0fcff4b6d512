import {expect, test} from 'vitest';
import type {UndoRecord} from '#app/undo/undo-record.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {memoryStore, noonMs, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

test('undo after a restart: what only the earlier run could undo is not skipped', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  first.press('e');
  const unread = first.unread();
  clock.advance(1000);
  first.app.undoStack.push({label: 'Renamed #web to #pages', undo: () => 'Undone'});
  first.app.end();

  const second = triageFixture({clock, store});
  for (const key of ['z', 'z']) {
    second.press(key);
    expect(second.toast()).toMatch(/^Cannot be undone after a restart of Parley: Renamed #web to #pages/);
  }
  expect(second.unread()).toEqual(unread);
});

test('undo after a restart: actions of every kind are as they were saved', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const first = triageFixture({clock, store});
  const [from, to] = [topicConversation(1, 'talk'), topicConversation(1, 'tea')];
  const steps: UndoRecord['steps'] = [
    {kind: 'move', from, to, messageId: 3, mode: 'change_one', merged: [3]},
    {kind: 'edit', messageId: 4, before: 'one', after: 'two'},
    {kind: 'sent', id: 'abc'},
    {kind: 'widget', messageId: 5, widget: 'poll', key: 'canned,0', wasOn: false},
    {kind: 'send', conversation: from, content: 'later', draftId: 'd'},
    {kind: 'change', inverse: {kind: 'topicPolicy', channelId: 1, topic: 'talk', policy: 3}, near: 7},
    {
      kind: 'snooze',
      keys: ['c1:talk'],
      before: [
        {key: 'c1:talk', until: {kind: 'time', at: noonMs}, newestId: 7, since: 5},
        {key: 'd11', until: {kind: 'person', userId: 11, afterId: 6}, newestId: 7, since: 6},
        {key: 'd12', until: {kind: 'back'}, newestId: 8, since: 7},
      ],
      since: 9,
    },
  ];
  const texts = {place: '#a › b', said: 'Undone: all of it', redoLabel: 'All of it', from: 'd12'};
  for (const step of steps) {
    clock.advance(1);
    const about = {at: clock.now(), keys: ['c1:talk', 'd12'], near: [7, 8]};
    first.app.undoStack.pushRecord({label: step.kind, ...about, ...texts, steps: [step]});
  }
  clock.advance(1);
  first.app.undoStack.pushPermanent('Deleted the message', {problem: 'Deleting a message cannot be undone'});
  const saved = first.app.undoStack.list().map(({record}) => record);
  first.app.end();
  const second = triageFixture({clock, store});
  expect(second.app.undoStack.list().map(({record}) => record)).toEqual(saved);
});

test('undo after a restart: records with the earlier names of their steps are read', () => {
  const clock = new ManualClock(noonMs);
  const store = memoryStore(clock);
  const inverse = {kind: 'flags', flag: 'starred', op: 'remove', ids: [1]};
  const steps = [
    {kind: 'deed', inverse},
    {kind: 'later', keys: ['a'], before: []},
  ];
  store.keyValues.set('undo 1 1', JSON.stringify([{label: 'Starred', at: clock.now(), keys: [], steps}]));
  const [action] = triageFixture({clock, store}).app.undoStack.list();
  expect(action?.record?.steps.map(({kind}) => kind)).toEqual(['change', 'snooze']);
});

test('undo after a restart: what only happened, such as what a rule did, is in the history, and the undo key skips it', () => {
  const first = triageFixture();
  first.press('e');
  const done = first.unread();
  const record = first.app.undoStack.latest()?.record ?? expect.unreachable();
  first.app.undoStack.pushPassive(
    {...record, label: 'Rule “it”: 1 message starred', at: record.at + 1},
    undefined,
    true,
  );
  const second = first.restart();
  expect(second.app.undoStack.list().map(({label}) => label)).toEqual(['Rule “it”: 1 message starred', record.label]);
  expect(second.app.undoStack.latest()?.label).toBe(record.label);
  second.press('z');
  expect([second.toast(), second.unread().length]).toEqual([
    expect.stringContaining('#backend › freeze'),
    done.length + 2,
  ]);
});

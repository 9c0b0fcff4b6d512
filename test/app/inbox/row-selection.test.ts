import {expect, test} from 'vitest';
import {headerLines} from '#app/chrome/header.ts';
import {statusLines} from '#app/chrome/status-line.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {backend, triageFixture} from './triage-fixture.ts';

function selectingStage(size = '120x40') {
  const stage = triageFixture({size});
  const {app} = stage;
  const rect = {x: 0, y: 0, columns: 120, rows: 1};
  return {
    ...stage,
    status: () => textOf(statusLines(app.frame, rect))[0],
    selected: () => app.screen.lists.inbox.selected,
  };
}

test('how many rows are selected is said for as long as they are, and Esc takes that back alone', () => {
  const {press, status, at, unread, selected, readElsewhere} = selectingStage();
  expect(status()).not.toContain('selected');
  press('v', 'v');
  expect(status()).toMatch(/2 selected .*Esc unselect/);
  press('j', 'j');
  expect(status()).toContain('2 selected');
  readElsewhere(3);
  expect(status()).toContain('1 selected');
  const row = at();
  press('Esc');
  expect(status()).not.toContain('selected');
  expect(selected().size).toBe(0);
  expect(at()).toBe(row);
  expect(unread()).toHaveLength(7);
});

test('what was just said leaves the number of selected rows in sight', () => {
  const {press, status} = selectingStage();
  press('v', 'F');
  press('v', 'v');
  expect(status()).toMatch(/3 selected .*Following/);
});

test('where there is no status line, the header says how many are selected', () => {
  const {press, app} = selectingStage('40x15');
  const header = () => textOf(headerLines(app.frame, {x: 0, y: 0, columns: 40, rows: 1}))[0];
  expect(header()).toMatch(/^Inbox/);
  press('v', 'v');
  app.set({toast: undefined});
  expect(header()).toMatch(/^2 selected · Inbox/);
});

test('one conversation at a time, nothing is selected', () => {
  const {press, status} = selectingStage();
  press('v', 'g', 't');
  expect(status()).not.toContain('selected');
});

test('X is about the group under the cursor; what is selected elsewhere stays so, and e is about that', () => {
  const {press, unread, at, status, selected} = selectingStage();
  press('v', 'v', 'j', 'v');
  expect([...selected()]).toEqual(['c2:freeze', 'd11', 'c1:login']);
  press('X');
  expect(unread()).toEqual([1, 2, 3, 7, 8]);
  expect([...selected()]).toEqual(['c2:freeze', 'd11']);
  expect(status()).toContain('2 selected');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(unread()).toEqual([7, 8]);
  expect(selected().size).toBe(0);
});

test('X in another list leaves what is selected there', () => {
  const {press, app, unread} = selectingStage();
  press('t', 'v', 'X');
  expect(app.screen.lists.recent.selected.size).toBe(1);
  expect(unread().length).toBeLessThan(8);
});

test('b puts off all that was selected when the menu opened, without what was read elsewhere meanwhile', () => {
  const {press, app, readElsewhere, toast, selected, unread} = selectingStage();
  press('v', 'v', 'v', 'b');
  readElsewhere(3);
  press('1');
  expect(toast()).toMatch(/^Later: 2 conversations, back at 13:00/);
  expect([...app.screen.inbox.snoozes.keys()]).toEqual(['c2:freeze', 'c2:logs']);
  expect(selected().size).toBe(0);
  expect(unread()).toHaveLength(7);
});

test('a row that is read elsewhere while its menu is open is not put off, and no other is in its place', () => {
  const {press, app, readElsewhere, toast} = selectingStage();
  press('b');
  readElsewhere(1, 2);
  press('t');
  expect(toast()).toBe('It was read elsewhere meanwhile: nothing is left to put off.');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.inbox.snoozes.size).toBe(0);
  expect(app.screen.inbox.log).toEqual([]);
});

test('a row whose topic is renamed while its menu is open is put off under its new name', () => {
  const {press, app, session, toast} = selectingStage();
  press('b');
  session.cache.apply({
    type: 'update_message',
    id: 2,
    user_id: 11,
    edit_timestamp: 0,
    message_id: 1,
    message_ids: [1, 2],
    flags: [],
    rendering_only: false,
    stream_id: backend,
    orig_subject: 'freeze',
    subject: 'thaw',
    propagate_mode: 'change_all',
  });
  app.frames.paintNow();
  press('1');
  expect(toast()).toMatch(/^Later: #backend › thaw, back at 13:00/);
  expect([...app.screen.inbox.snoozes.keys()]).toEqual(['c2:thaw']);
});

test('a reaction goes to the message that the picker was opened for, and counts for its row', () => {
  const {press, type, app, readElsewhere} = selectingStage();
  press(':');
  readElsewhere(1, 2);
  type('tada');
  press('Enter');
  expect(app.state.messages.byId.get(2)?.reactions).toMatchObject([{emojiName: 'tada'}]);
  expect(app.screen.inbox.log).toMatchObject([{actionKind: 'reacted', keys: ['c2:freeze']}]);
});

test('a reaction to a message that is deleted while one chooses is refused with a sentence', () => {
  const {press, type, app, session, toast} = selectingStage();
  press(':');
  session.cache.apply({
    type: 'delete_message',
    id: 2,
    message_ids: [1, 2],
    message_type: 'stream',
    stream_id: backend,
    topic: 'freeze',
  });
  app.frames.paintNow();
  type('tada');
  press('Enter');
  expect(toast()).toBe('This message no longer exists.');
  expect(app.screen.inbox.log).toEqual([]);
});

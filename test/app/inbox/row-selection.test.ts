import {expect, test} from 'vitest';
import {textOf} from '#test/support/frame-fixture.ts';
import {headerLines, statusLines} from '#test/support/part-lines.ts';
import {backend, triageFixture} from './triage-fixture.ts';

function selectionFixture(size = '120x40') {
  const fixture = triageFixture({size});
  const {app} = fixture;
  const rect = {x: 0, y: 0, columns: 120, rows: 1};
  return {
    ...fixture,
    status: () => textOf(statusLines(app.frame, rect))[0],
    selected: () => app.screen.lists.inbox.selected,
  };
}

test('row selection: the number of selected rows shows while there are any, and Esc only clears the selection', () => {
  const {press, status, at, unread, selected, readElsewhere} = selectionFixture();
  expect(status()).not.toContain('selected');
  press('v', 'j', 'v', 'j');
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

test('row selection: v selects and unselects the row under the cursor, which stays there', () => {
  const {press, at, selected} = selectionFixture();
  const row = at();
  press('v');
  expect([at(), selected().size]).toEqual([row, 1]);
  press('v');
  expect([at(), selected().size]).toEqual([row, 0]);
});

test('row selection: a toast leaves the number of selected rows on screen', () => {
  const {press, status} = selectionFixture();
  press('v', 'j', 'F');
  press('v', 'j', 'v', 'j');
  expect(status()).toMatch(/3 selected .*Followed/);
});

test('row selection: without a status line the header shows the number', () => {
  const {press, app} = selectionFixture('40x15');
  const header = () => textOf(headerLines(app.frame, {x: 0, y: 0, columns: 40, rows: 1}))[0];
  expect(header()).toMatch(/^Inbox/);
  press('v', 'j', 'v', 'j');
  app.set({toast: undefined});
  expect(header()).toMatch(/^2 selected · Inbox/);
});

test('row selection: triage has no selection', () => {
  const {press, status} = selectionFixture();
  press('v', 'j', 'g', 't');
  expect(status()).not.toContain('selected');
});

test('row selection: X acts on the group under the cursor and leaves the selection, on which e acts', () => {
  const {press, unread, at, status, selected} = selectionFixture();
  press('v', 'j', 'v', 'j', 'j', 'v', 'j');
  expect([...selected()]).toEqual(['c2:freeze', 'd11', 'c1:login']);
  press('X', 'y');
  expect(unread()).toEqual([1, 2, 3, 7, 8]);
  expect([...selected()]).toEqual(['c2:freeze', 'd11']);
  expect(status()).toContain('2 selected');
  expect(at()).toBe('#backend › freeze');
  press('e');
  expect(unread()).toEqual([7, 8]);
  expect(selected().size).toBe(0);
});

test('row selection: X in another list leaves its selection', () => {
  const {press, app, unread} = selectionFixture();
  press('t', 'v', 'j', 'X', 'y');
  expect(app.screen.lists.recent.selected.size).toBe(1);
  expect(unread().length).toBeLessThan(8);
});

test('row selection: b snoozes all rows selected when the menu opened, without those read elsewhere meanwhile', () => {
  const {press, app, readElsewhere, toast, selected, unread} = selectionFixture();
  press('v', 'j', 'v', 'j', 'v', 'j', 'b');
  readElsewhere(3);
  press('h');
  expect(toast()).toMatch(/^Snoozed 2 conversations until 13:00/);
  expect([...app.screen.inbox.snoozes.keys()]).toEqual(['c2:freeze', 'c2:logs']);
  expect(selected().size).toBe(0);
  expect(unread()).toHaveLength(7);
});

test('row selection: a row read elsewhere while its menu is open is not snoozed, and no other is instead', () => {
  const {press, app, readElsewhere, toast} = selectionFixture();
  press('b');
  readElsewhere(1, 2);
  press('d');
  expect(toast()).toBe('Already read elsewhere: nothing left to snooze.');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.inbox.snoozes.size).toBe(0);
  expect(app.screen.inbox.log).toEqual([]);
});

test('row selection: a row renamed while its menu is open is snoozed under its new name', () => {
  const {press, app, session, toast} = selectionFixture();
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
  press('h');
  expect(toast()).toMatch(/^Snoozed #backend › thaw until 13:00/);
  expect([...app.screen.inbox.snoozes.keys()]).toEqual(['c2:thaw']);
});

test('row selection: a reaction goes to the message for which the picker was opened, and counts for its row', () => {
  const {press, type, app, readElsewhere} = selectionFixture();
  press(':');
  readElsewhere(1, 2);
  type('tada');
  press('Enter');
  expect(app.state.messages.byId.get(2)?.reactions).toMatchObject([{emojiName: 'tada'}]);
  expect(app.screen.inbox.log).toMatchObject([{actionKind: 'reacted', keys: ['c2:freeze']}]);
});

test('row selection: a reaction to a message deleted meanwhile is refused with a toast', () => {
  const {press, type, app, session, toast} = selectionFixture();
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

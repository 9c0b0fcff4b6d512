import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {listFixture, web} from '#test/app/lists/list-fixture.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';

test('selected rows are acted on together, undone together, and unselected afterwards', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', 'v', 'v', 'v');
  expect(stage.app.screen.lists.recent.selected.size).toBe(3);
  expect(stage.rows('recent').filter((row) => row.includes('◆'))).toHaveLength(3);
  stage.press('E');
  expect(stage.toast()).toBe('Marked 3 conversations read (2) · z undo');
  expect(stage.unread()).toEqual([2, 3, 6]);
  expect(stage.app.screen.lists.recent.selected.size).toBe(0);
  stage.press('Z');
  expect(stage.unread()).toEqual([2, 3, 4, 6, 7]);
});

test('done on a row goes on to the next row', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', 'E');
  expect(stage.toast()).toBe('Marked Bo Wu read (1) · z undo');
  expect(stage.rows('recent')[4]).toMatch(/^▌ login|^▌ #web › login/);
});

test('a channel row marks and mutes the whole channel', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('Shift-Tab', 'G', 'k');
  stage.press('E');
  expect(stage.unread()).toEqual([2, 3, 6, 7]);
  expect(stage.rows('channels').find((row) => row.startsWith('▌'))).toContain('#random');
  stage.press('M');
  expect(stage.toast()).toBe('Unmuted #random · z undo');
});

test.each([
  ['1', 'all'],
  ['3', 'directs'],
  ['6', 'muted'],
] as const)('%s shows a part of the recent conversations', (key, split) => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', key);
  expect(stage.app.screen.lists.recent).toMatchObject({split, index: 0});
});

test.each([
  ['5', [7], '#backend › logs'],
  ['1', [1, 2], '#backend › freeze'],
] as const)('the row that %s begins at keeps the cursor when it is read elsewhere', (key, ids, label) => {
  const {press, at, readElsewhere, toast, unread} = triageFixture();
  press('j', key);
  expect(at()).toBe(label);
  readElsewhere(...ids);
  const before = unread();
  expect(at()).toBe(label);
  press('e');
  expect(toast()).toBe('Already read elsewhere.');
  expect(unread()).toEqual(before);
});

test('a row that a filter puts the cursor on keeps it when it is read elsewhere', () => {
  const {press, at, readElsewhere} = triageFixture();
  press('G', 'k', 'f');
  expect(at()).toBe('Carol Diaz');
  readElsewhere(3);
  expect(at()).toBe('Carol Diaz');
});

test('f goes from all but muted topics to followed ones and to all', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('f');
  expect(stage.toast()).toBe('Followed topics and direct messages');
  expect(stage.rows('recent').join()).not.toContain('#backend');
  stage.press('f');
  expect(stage.rows('recent').join()).toContain('#random');
});

test('in the inbox f says that mentions stay as well', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('f');
  expect(stage.toast()).toBe('Followed, direct and mentions only');
});

test('other lists are filtered by typing, and recent ones with a second t', () => {
  const stage = listFixture({view: {kind: 'channels'}});
  stage.press('f');
  stage.type('else');
  expect(stage.rows('browser').at(-1)).toMatch(/#elsewhere/);
  const recent = listFixture({view: {kind: 'inbox'}});
  recent.press('t', 't');
  recent.type('css');
  recent.press('Enter');
  expect(recent.app.screen.view).toMatchObject({
    kind: 'messages',
    narrow: [{operand: web}, {operand: 'css'}],
  });
});

test('splits are refused with a word where there are none', () => {
  const stage = listFixture({view: {kind: 'channels'}});
  stage.press('3');
  expect(stage.toast()).toMatch(/^Only .* have tabs$/);
});

test('a person opens the direct conversation', () => {
  const stage = listFixture({view: {kind: 'people'}});
  stage.press('j', 'Enter');
  expect(stage.app.screen.view).toMatchObject({narrow: [{operator: 'dm', operand: [11]}]});
});

test('a step to the right goes from a channel to its topics, and from there to the messages', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('Shift-Tab', 'G', 'k', 'l');
  expect(stage.app.screen.focus).toBe('topics');
  expect(stage.rows('topics')[0]).toContain('#web');
  stage.press('l');
  expect(stage.app.screen.focus).toBe('main');
  stage.press('h', 'h');
  expect(stage.app.screen.focus).toBe('channels');
});

test('in the list of all channels one joins, leaves with a way back, and creates', async () => {
  const stage = await sessionFixture();
  const other = stage.server.people.channel('harbour', [stage.otto]);
  const session = stage.session();
  session.start();
  await session.ready();
  const {app, press, type} = appFixture({session, view: {kind: 'channels'}});
  openView(app, {kind: 'channels'});
  press('G', 'S');
  await waitForState(session, (state) => isSubscribed(state, other));
  press('S');
  await waitForState(session, (state) => !isSubscribed(state, other));
  press('Z');
  await waitForState(session, (state) => isSubscribed(state, other));
  press('n');
  type('galley');
  press('Enter');
  const state = await waitForState(session, ({channels}) =>
    [...channels.values()].some(({name}) => name === 'galley'),
  );
  expect([...state.channels.values()].find(({name}) => name === 'galley')?.isPrivate).toBe(false);
});

test('leaving a private channel asks first', async () => {
  const stage = await sessionFixture();
  const id = stage.server.people.channel('quiet', [stage.meg], {invite_only: 1});
  const session = stage.session();
  session.start();
  await session.ready();
  const {app, press} = appFixture({session, view: {kind: 'channels'}});
  press('G', 'S');
  expect(app.screen.overlays).toHaveLength(1);
  press('Esc');
  expect(isSubscribed(app.state, id)).toBe(true);
});

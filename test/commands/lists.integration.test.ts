import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {initialState} from '#state/initial-state.ts';
import {channelNarrow, topicNarrow} from '#state/model/narrow.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {listFixture, web} from '#test/ui/lists/list-fixture.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {messagesView} from '#ui/core/frame.ts';
import {recentList} from '#ui/recent/recent-list.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';

test('selection: selected rows are marked read and undone together, and unselected afterwards', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'v', 'j', 'v', 'j', 'v');
  expect(fixture.app.screen.lists.recent.selected.size).toBe(3);
  expect(fixture.rows(recentList).filter((row) => row.includes('◆'))).toHaveLength(3);
  fixture.press('e');
  expect(fixture.toast()).toBe('Marked 3 conversations read (2) · z undo');
  expect(fixture.unread()).toEqual([2, 3, 6]);
  expect(fixture.app.screen.lists.recent.selected.size).toBe(0);
  fixture.press('z');
  expect(fixture.unread()).toEqual([2, 3, 4, 6, 7]);
});

test('list: e marks the row read and moves to the next row', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'e');
  expect(fixture.toast()).toBe('Marked Bo Wu read (1) · z undo');
  expect(fixture.rows(recentList)[4]).toMatch(/^▌ login|^▌ #web › login/);
});

test('channel list: e and M apply to the whole channel', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('Shift-Tab', 'G', 'k');
  fixture.press('e');
  expect(fixture.unread()).toEqual([2, 3, 6, 7]);
  expect(fixture.rows(channelList).find((row) => row.startsWith('▌'))).toContain('#random');
  fixture.press('M');
  expect(fixture.toast()).toBe('Unmuted #random · z undo');
});

test.each([
  ['1', 'all'],
  ['3', 'directs'],
  ['6', 'muted'],
] as const)('tabs: %s shows the tab “%s” of the recent conversations', (key, split) => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', key);
  expect(fixture.app.screen.lists.recent).toMatchObject({split, index: 0});
});

test.each([
  ['5', [7], '#backend › logs'],
  ['1', [1, 2], '#backend › freeze'],
] as const)('tabs: after %s the first row keeps the cursor when another client reads it', (key, ids, label) => {
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

test('topic filter: the row under the cursor keeps it when another client reads it', () => {
  const {press, at, readElsewhere} = triageFixture();
  press('G', 'k', 'f');
  expect(at()).toBe('Carol Diaz');
  readElsewhere(3);
  expect(at()).toBe('Carol Diaz');
});

test('topic filter: f switches from unmuted topics to followed ones and to all', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('f');
  expect(fixture.toast()).toBe('Followed topics and direct messages');
  expect(fixture.rows(recentList).join()).not.toContain('#backend');
  fixture.press('f');
  expect(fixture.rows(recentList).join()).toContain('#random');
});

test('topic filter: in the inbox the toast says that mentions stay', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('f');
  expect(fixture.toast()).toBe('Followed topics, direct messages and mentions');
});

test('text filter: f starts it in other lists, and a second t in the recent conversations', () => {
  const fixture = listFixture({view: {kind: 'channels'}});
  fixture.press('f');
  fixture.type('else');
  expect(fixture.rows(channelBrowser).at(-1)).toMatch(/#elsewhere/);
  const recent = listFixture({view: {kind: 'inbox'}});
  recent.press('t', 't');
  recent.type('css');
  recent.press('Enter');
  expect(recent.app.screen.view).toMatchObject({
    kind: 'messages',
    narrow: [{operand: web}, {operand: 'css'}],
  });
});

test('tabs: a list without tabs says so', () => {
  const fixture = listFixture({view: {kind: 'people'}});
  fixture.press('3');
  expect(fixture.toast()).toMatch(/^Only .* have tabs$/);
});

test('people list: Enter opens the direct conversation', () => {
  const fixture = listFixture({view: {kind: 'people'}});
  fixture.press('j', 'Enter');
  expect(fixture.app.screen.view).toMatchObject({narrow: [{operator: 'dm', operand: [11]}]});
});

test('channel list: l moves from a channel to its topics and then to the messages, h moves back', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('Shift-Tab', 'G', 'k', 'l');
  expect(fixture.app.screen.focus).toBe('topics');
  expect(fixture.rows(topicList)[0]).toContain('#web');
  fixture.press('l');
  expect(fixture.app.screen.focus).toBe('main');
  fixture.press('h', 'h');
  expect(fixture.app.screen.focus).toBe('channels');
});

test.each([
  ['without the setting, its newest topic', undefined, topicNarrow(web, '✔ login')],
  ['its newest topic', 1, topicNarrow(web, '✔ login')],
  ['the messages of all its topics', 2, channelNarrow(web)],
  ['its newest unread topic', 4, topicNarrow(web, 'css')],
])('channel list: Enter opens %s', (_what, webChannelDefaultView, narrow) => {
  const fixture = listFixture({account: {settings: {...initialState.settings, webChannelDefaultView}}});
  fixture.press('Shift-Tab', 'G', 'k', 'Enter');
  expect(fixture.app.screen.view).toEqual(messagesView(narrow));
});

test('channel browser: S subscribes and unsubscribes, z undoes, n creates a channel', async () => {
  const fixture = await sessionFixture();
  const other = fixture.server.people.channel('harbour', [fixture.otto]);
  const session = fixture.session();
  session.start();
  await session.ready();
  const {app, press, type} = appFixture({session, view: {kind: 'channels'}});
  openView(app, {kind: 'channels'});
  press('G', 'S');
  await waitForState(session, (state) => isSubscribed(state, other));
  // The event may come before the response, which makes the change undoable, and undo goes by the order of responses.
  await expect.poll(() => app.undoStack.list()).toHaveLength(1);
  press('S');
  await waitForState(session, (state) => !isSubscribed(state, other));
  await expect.poll(() => app.undoStack.list()).toHaveLength(2);
  press('z');
  await waitForState(session, (state) => isSubscribed(state, other));
  press('n');
  type('galley');
  press('Ctrl-D');
  const state = await waitForState(session, ({channels}) => [...channels.values()].some(({name}) => name === 'galley'));
  expect([...state.channels.values()].find(({name}) => name === 'galley')?.isPrivate).toBe(false);
});

test('channel browser: unsubscribing from a private channel asks first', async () => {
  const fixture = await sessionFixture();
  const id = fixture.server.people.channel('quiet', [fixture.meg], {invite_only: 1});
  const session = fixture.session();
  session.start();
  await session.ready();
  const {app, press} = appFixture({session, view: {kind: 'channels'}});
  press('G', 'S');
  expect(app.screen.overlays).toHaveLength(1);
  press('Esc');
  expect(isSubscribed(app.state, id)).toBe(true);
});

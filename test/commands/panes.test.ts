import {expect, test} from 'vitest';
import {headerLines} from '#app/chrome/header.ts';
import {messagesView} from '#app/core/view.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {initialState} from '#state/initial-state.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {backend, listFixture} from '#test/app/lists/list-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';

const deploy = messagesView(topicNarrow(backend, 'deploy'));
const focus = ({app}: ReturnType<typeof listFixture>) => app.screen.focus;

test('Tab goes through the panes that are there, and around', () => {
  const stage = listFixture({view: deploy, size: '200x50'});
  stage.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  const seen = ['Tab', 'Tab', 'Tab', 'Tab'].map((key) => {
    stage.press(key);
    return focus(stage);
  });
  expect(seen).toEqual(['people', 'channels', 'topics', 'main']);
});

test('on a small screen Tab brings the lists over the messages', () => {
  const stage = listFixture({view: deploy, size: '80x24'});
  stage.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  stage.press('Tab');
  expect(focus(stage)).toBe('channels');
  expect(stage.rows('channels')[0]).toContain('Inbox');
  stage.press('Esc');
  expect(focus(stage)).toBe('main');
  expect(stage.rows('channels')).toEqual([]);
});

test('a list that gets the keys begins at what is shown', () => {
  const stage = listFixture({view: deploy});
  stage.press('h');
  expect(stage.rows('topics').find((row) => row.startsWith('▌'))).toContain('deploy');
  stage.press('h');
  expect(stage.rows('channels').find((row) => row.startsWith('▌'))).toContain('#backend');
});

test('the list of channels is hidden and comes back for whoever goes there', () => {
  const stage = listFixture({view: deploy});
  stage.press('\\');
  expect(stage.rows('channels')).toEqual([]);
  stage.press('h');
  expect(focus(stage)).toBe('channels');
  expect(stage.rows('channels')).not.toEqual([]);
  stage.press('\\');
  expect(focus(stage)).toBe('main');
});

test('people are shown beside the messages where there is room, else in their place', () => {
  const wide = listFixture({view: deploy, size: '140x40'});
  wide.press('|');
  expect(wide.rows('people')[0]).toContain('IN THIS CONVERSATION');
  wide.press('|');
  expect(wide.rows('people')).toEqual([]);
  const small = listFixture({view: deploy, size: '80x24'});
  small.press('|');
  expect(small.app.screen.view).toEqual({kind: 'people'});
  small.press('|');
  expect(small.app.screen.view).toBe(deploy);
  small.press('w');
  expect(small.app.screen.lists.people.isFiltering).toBe(true);
});

test('Esc leads out, step by step, and ends at home', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  stage.press('t', 'v');
  openConversation(stage.app, topicConversation(backend, 'logs'));
  stage.press('h', 'Esc');
  expect(focus(stage)).toBe('main');
  stage.press('Esc');
  expect(stage.app.screen.view).toEqual({kind: 'recent'});
  stage.press('Esc');
  expect(stage.app.screen.lists.recent.selected.size).toBe(0);
  stage.press('Esc');
  expect(stage.app.screen.view).toEqual({kind: 'inbox'});
  stage.press('Esc', 'Esc');
  expect(stage.app.screen.view).toEqual({kind: 'inbox'});
  expect(stage.deviceCalls).toEqual([]);
});

test('Esc stays where it is when the account does not want to be led home', () => {
  const settings = {...initialState.settings, webEscapeNavigatesToHomeView: false};
  const stage = listFixture({view: deploy, account: {settings}});
  stage.press('Esc');
  expect(stage.app.screen.view).toBe(deploy);
});

test('Ctrl-C closes what is open, and leaves only when asked twice', () => {
  const stage = listFixture({view: deploy});
  stage.press('q', 'Ctrl-C');
  expect(stage.app.screen.lists.channels.isFiltering).toBe(false);
  stage.press('Ctrl-C');
  expect(stage.deviceCalls).toEqual([]);
  expect(stage.toast()).toContain('Ctrl-C again to quit');
  stage.clock.advance(1600);
  expect(stage.toast()).toBeUndefined();
  stage.press('Ctrl-C');
  expect(stage.deviceCalls).toEqual([]);
  stage.clock.advance(1000);
  stage.press('Ctrl-C');
  expect(stage.deviceCalls).toEqual([['quit']]);
});

test('what was said goes when one goes elsewhere, and stays while one stays', () => {
  const stage = listFixture({view: deploy});
  stage.press('F', 'k');
  expect(stage.toast()).toContain('Z undo');
  stage.press('q');
  expect(stage.toast()).toBeUndefined();
  stage.press('Esc');
  stage.app.toast('Not sent', 'error');
  stage.press('I');
  expect(stage.toast()).toBe('Not sent');
});

test('the mouse is taken and given back; a bare screen leaves it to the terminal', () => {
  const stage = listFixture({view: deploy});
  stage.press('Alt-m', 'Alt-l');
  expect(stage.app.screen.panes.isBare).toBe(true);
  stage.press('x');
  expect(stage.app.screen.panes.isBare).toBe(false);
  stage.press('Alt-m');
  expect(stage.deviceCalls).toEqual([
    ['setMouse', true],
    ['setMouse', false],
    ['setMouse', true],
    ['setMouse', false],
  ]);
});

test('the terminal is drawn anew and lent to the shell', () => {
  const stage = listFixture({view: deploy});
  stage.press('Ctrl-L', 'Ctrl-Z');
  expect(stage.deviceCalls).toEqual([['redraw'], ['suspend']]);
});

test('a lost connection says when it is tried again, then tells the time; whoever is back hears what came', async () => {
  const stage = listFixture({view: deploy});
  const {app, clock, session} = stage;
  session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  startScreenWatchers(app);
  const header = () => textOf(headerLines(app.frame, egRect('120x40')))[0] ?? '';
  const since = clock.now() - 3000;
  const problem = {retryAt: since + 6000, problem: 'No answer.', savedAt: undefined};
  session.cache.apply({type: 'connection_changed', connection: {phase: 'offline', since, ...problem}});
  await expect.poll(header).toContain('◌ reconnecting in 3 s');
  clock.advance(1000);
  expect(header()).toContain('◌ reconnecting in 2 s');
  clock.advance(10_000);
  expect(header()).toContain('offline since 11:59');
  session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  session.cache.apply({
    type: 'update_message_flags',
    id: -1,
    op: 'remove',
    flag: 'read',
    messages: [9, 10],
    all: false,
    message_details: {
      9: {type: 'stream', stream_id: backend, topic: 'logs'},
      10: {type: 'private', user_ids: [11]},
    },
  });
  const later = () => {
    clock.advance(100);
    return stage.toast();
  };
  await expect.poll(later).toBe('Back online · 2 new in 2 conversations');
});

test('the terminal’s title changes with what is shown, and only then', () => {
  const stage = listFixture({view: deploy});
  startScreenWatchers(stage.app);
  stage.press('v');
  stage.press('I');
  const titles = stage.deviceCalls.filter(([name]) => name === 'setTitle').map(([, title]) => title);
  expect(titles).toEqual(['(4) #backend › deploy — acme', '(4) Inbox — acme']);
});

import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {initialState} from '#state/initial-state.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {headerLines} from '#test/support/part-lines.ts';
import {backend, listFixture, loadedConversations} from '#test/ui/lists/list-fixture.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {messagesView} from '#ui/core/frame.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';

const deploy = messagesView(topicNarrow(backend, 'deploy'));
const focusOf = ({app}: ReturnType<typeof listFixture>) => app.screen.focus;

test('Tab: cycles through the visible panes', () => {
  const fixture = listFixture({view: deploy, size: '200x50'});
  fixture.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  const focused = ['Tab', 'Tab', 'Tab', 'Tab'].map((key) => {
    fixture.press(key);
    return focusOf(fixture);
  });
  expect(focused).toEqual(['people', 'channels', 'topics', 'main']);
});

test('Tab: on a small screen shows the channel list over the messages', () => {
  const fixture = listFixture({view: deploy, size: '80x24'});
  fixture.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  fixture.press('Tab');
  expect(focusOf(fixture)).toBe('channels');
  expect(fixture.rows(channelList)[0]).toContain('Inbox');
  fixture.press('Esc');
  expect(focusOf(fixture)).toBe('main');
  expect(fixture.rows(channelList)).toEqual([]);
});

test('focus: a list that gets the focus has its cursor on the open conversation', () => {
  const fixture = listFixture({view: deploy});
  fixture.press('h');
  expect(fixture.rows(topicList).find((row) => row.startsWith('▌'))).toContain('deploy');
  fixture.press('h');
  expect(fixture.rows(channelList).find((row) => row.startsWith('▌'))).toContain('#backend');
});

test('sidebar: \\ hides the channel list, and focusing it shows it again', () => {
  const fixture = listFixture({view: deploy});
  fixture.press('\\');
  expect(fixture.rows(channelList)).toEqual([]);
  fixture.press('h');
  expect(focusOf(fixture)).toBe('channels');
  expect(fixture.rows(channelList)).not.toEqual([]);
  fixture.press('\\');
  expect(focusOf(fixture)).toBe('main');
});

test('focus: a channel’s topics have their cursor on the open one, also when the focus comes back from elsewhere', () => {
  const fixture = listFixture({view: deploy});
  const row = () => fixture.rows(topicList).find((one) => one.startsWith('▌'));
  fixture.press('h', 'j', 'Esc', 'h');
  expect(focusOf(fixture)).toBe('topics');
  expect(row()).toContain('deploy');
});

test('focus: with one pane below the other, the key to the left goes to the lists beside both', () => {
  const fixture = listFixture({...loadedConversations(), view: deploy, size: '200x60'});
  fixture.press('Ctrl-W', 's');
  fixture.type('css');
  fixture.press('Enter');
  expect(fixture.app.screen.otherPane).toMatchObject({direction: 'below', isFirst: true});
  fixture.press('h');
  expect(focusOf(fixture)).toBe('channels');
});

test('people sidebar: hiding it moves the focus from there to the messages, and from elsewhere not', () => {
  const fixture = listFixture({view: deploy, size: '200x50'});
  const after = (...keys: readonly string[]) => {
    fixture.press(...keys);
    return [focusOf(fixture), fixture.rows(peopleList).length > 0];
  };
  expect(after('Tab')).toEqual(['people', true]);
  expect(after('|')).toEqual(['main', false]);
  expect(after('h', '|')).toEqual(['topics', true]);
  expect(after('|')).toEqual(['topics', false]);
});

test('people sidebar: | shows it beside the messages, or instead of them on a small screen', () => {
  const wide = listFixture({view: deploy, size: '140x40'});
  wide.press('|');
  expect(wide.rows(peopleList)[0]).toContain('IN THIS CONVERSATION');
  wide.press('|');
  expect(wide.rows(peopleList)).toEqual([]);
  const small = listFixture({view: deploy, size: '80x24'});
  small.press('|');
  expect(small.app.screen.view).toEqual({kind: 'people'});
  small.press('|');
  expect(small.app.screen.view).toBe(deploy);
  small.press('w');
  expect(small.app.screen.lists.people.isFiltering).toBe(true);
});

test('people sidebar: | shows it instead of the messages where a screen reader reads one pane', () => {
  const fixture = listFixture({view: deploy, size: '200x50'});
  fixture.app.setDisplay({glyphs: 'words'});
  fixture.app.frames.paintNow();
  fixture.press('|');
  expect(fixture.app.screen.view).toEqual({kind: 'people'});
});

test('Esc: steps out of pane, conversation and selection, and ends in the home view', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  fixture.press('t', 'v');
  openConversation(fixture.app, topicConversation(backend, 'logs'));
  fixture.press('h', 'Esc');
  expect(focusOf(fixture)).toBe('main');
  fixture.press('Esc');
  expect(fixture.app.screen.view).toEqual({kind: 'recent'});
  fixture.press('Esc');
  expect(fixture.app.screen.lists.recent.selected.size).toBe(0);
  fixture.press('Esc');
  expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
  fixture.press('Esc', 'Esc');
  expect(fixture.app.screen.view).toEqual({kind: 'inbox'});
  expect(fixture.deviceCalls).toEqual([]);
});

test.each(['recent', 'recent_topics'] as const)(
  'Esc: goes home to the recent conversations if the setting is %s',
  (webHomeView) => {
    const fixture = listFixture({view: {kind: 'people'}, account: {settings: {...initialState.settings, webHomeView}}});
    fixture.press('Esc');
    expect(fixture.app.screen.view).toEqual({kind: 'recent'});
  },
);

test('Esc: stays in the view when the account setting disables going to the home view', () => {
  const settings = {...initialState.settings, webEscapeNavigatesToHomeView: false};
  const fixture = listFixture({view: deploy, account: {settings}});
  fixture.press('Esc');
  expect(fixture.app.screen.view).toBe(deploy);
});

test('Ctrl-C: closes an open filter, and quits only when pressed twice in time', () => {
  const fixture = listFixture({view: deploy});
  fixture.press('q', 'Ctrl-C');
  expect(fixture.app.screen.lists.channels.isFiltering).toBe(false);
  fixture.press('Ctrl-C');
  expect(fixture.deviceCalls).toEqual([]);
  expect(fixture.toast()).toContain('Ctrl-C again to quit');
  fixture.clock.advance(1600);
  expect(fixture.toast()).toBeUndefined();
  fixture.press('Ctrl-C');
  expect(fixture.deviceCalls).toEqual([]);
  fixture.clock.advance(1000);
  fixture.press('Ctrl-C');
  expect(fixture.deviceCalls).toEqual([['quit']]);
});

test('toast: disappears when the view or mode changes, unless it is an error', () => {
  const fixture = listFixture({view: deploy});
  fixture.press('F', 'k');
  expect(fixture.toast()).toContain('z undo');
  fixture.press('q');
  expect(fixture.toast()).toBeUndefined();
  fixture.press('Esc');
  fixture.app.toast('Not sent', 'error');
  fixture.press('I');
  expect(fixture.toast()).toBe('Not sent');
});

test('mouse: Alt-m toggles it; text-only mode turns it off and restores it', () => {
  const fixture = listFixture({view: deploy});
  fixture.press('Alt-m', 'Alt-l');
  expect(fixture.app.screen.panes.isBare).toBe(true);
  fixture.press('x');
  expect(fixture.app.screen.panes.isBare).toBe(false);
  fixture.press('Alt-m');
  expect(fixture.deviceCalls).toEqual([
    ['setMouse', true],
    ['setMouse', false],
    ['setMouse', true],
    ['setMouse', false],
  ]);
});

test('Ctrl-L redraws the screen, and Ctrl-Z suspends to the shell', () => {
  const fixture = listFixture({view: deploy});
  fixture.press('Ctrl-L', 'Ctrl-Z');
  expect(fixture.deviceCalls).toEqual([['redraw'], ['suspend']]);
});

test('header: shows when a lost connection is retried, then since when it is offline; a toast counts news', async () => {
  const fixture = listFixture({view: deploy});
  const {app, clock, session} = fixture;
  session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  startScreenWatchers(app);
  const header = () => textOf(headerLines(app.frame, egRect('120x40')))[0] ?? '';
  const since = clock.now() - 3000;
  const problem = {retryAt: clock.monotonic() + 3000, problem: 'No answer.', savedAt: undefined};
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
    return fixture.toast();
  };
  await expect.poll(later).toBe('Back online · 2 new in 2 conversations');
});

test('terminal title: changes only with the view', () => {
  const fixture = listFixture({view: deploy});
  startScreenWatchers(fixture.app);
  fixture.press('v');
  fixture.press('I');
  const titles = fixture.deviceCalls.filter(([name]) => name === 'setTitle').map(([, title]) => title);
  expect(titles).toEqual(['(@1 4) #backend › deploy — acme', '(@1 4) Inbox — acme']);
});

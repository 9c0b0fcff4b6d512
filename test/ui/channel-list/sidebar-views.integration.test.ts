import {expect, test} from 'vitest';
import {commandTable} from '#commands/command-table.ts';
import {narrowIs} from '#state/model/narrow.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/ui/message-actions/message-fixture.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {openSidebarViews} from '#ui/channel-list/sidebar-view-list.ts';
import {openNarrow} from '#ui/navigation/navigation.ts';

async function sidebarFixture(options: MessageFixtureOptions = {}) {
  const parts = await messageFixture(options);
  const {app, press, type} = parts;
  return {
    ...parts,
    /** The views of the sidebar with their counts. */
    sidebar: () =>
      channelList
        .rows(app.frame)
        .filter(({key}) => key.startsWith('view '))
        .map(({label, count}) => (count === 0 ? label : `${label} ${count}`)),
    toast: () => app.screen.toast?.text,
    run: (name: string) => {
      press(';');
      type(`>${name}`);
      press('Enter');
    },
  };
}

const defaults = ['Inbox', 'Recent', 'Mentions', 'Starred', 'Drafts'];

test('sidebar views: built-in views are hidden and shown, in sync with another client', async () => {
  const {fixture, app, press, sidebar, toast, overlay, run} = await sidebarFixture();
  const {server, meg} = fixture;
  expect(sidebar()).toEqual(defaults);
  const queue = await server.as(meg).listen({event_types: ['navigation_view']});
  run('sidebar views');
  press('Down', 'Down', 'Ctrl-T');
  expect([sidebar().includes('Recent'), toast()]).toEqual([false, 'Hidden from the sidebar: Recent']);
  await queue.first(({navigation_view: view}) => view?.fragment === 'recent' && !view.is_pinned);
  await server.as(meg).post('/navigation_views', {fragment: 'reminders', is_pinned: true});
  await untilApp(app, () => sidebar().includes('Reminders'));
  expect(overlay()).toMatch(/Reminders {2}built in +shown/);
  press('Delete');
  expect(toast()).toBe('Built-in views can be hidden, but not renamed or removed');
  press('Esc', 'z');
  await queue.first(({op, fragment}) => op === 'remove' && fragment === 'recent');
  expect(sidebar()).toContain('Recent');
});

test('sidebar views: the current search is added with a proposed name, renamed, and removed with undo', async () => {
  const {fixture, app, press, type, sidebar, says, run, overlay, session} = await sidebarFixture({
    app: {settings: {markRead: 'onDone'}},
  });
  const {server, meg, channelId} = fixture;
  const queue = await server.as(meg).listen({event_types: ['navigation_view']});
  await fixture.postMessage('hello', 'tides');
  await waitForState(session, ({unreads}) => unreads.byId.size === 1);
  openNarrow(app, [...narrowIs('unread'), {operator: 'channel', operand: channelId}], {query: 'is:unread #general'});
  run('save search');
  expect(overlay()).toContain('is:unread #general');
  press('Ctrl-U');
  type('New here');
  press('Ctrl-D');
  await says('Added New here to the sidebar · z undo');
  const {navigation_view: added} = await queue.first(({op}) => op === 'add');
  expect(added).toEqual({fragment: `narrow/is/unread/channel/${channelId}-general`, is_pinned: true, name: 'New here'});
  expect(sidebar()).toEqual(['Inbox 1', ...defaults.slice(1), 'New here 1']);
  openSidebarViews(app);
  type('new here');
  press('Ctrl-E');
  type('!');
  press('Ctrl-D');
  await says('Renamed the view New here to New here!');
  await queue.first(({op, data}) => op === 'update' && data.name === 'New here!');
  press('Ctrl-U');
  type('new');
  press('Delete');
  expect(sidebar()).not.toContain('New here! 1');
  press('Esc', 'z');
  await waitForState(session, ({navigationViews}) => navigationViews.size === 1);
});

test('sidebar views: names that are taken are refused while typing, and by the server', async () => {
  const {fixture, app, press, type, overlay, run, session, says} = await sidebarFixture();
  const {server, meg} = fixture;
  await server.as(meg).post('/navigation_views', {fragment: 'narrow/is/followed', is_pinned: true, name: 'Followed'});
  await waitForState(session, ({navigationViews}) => navigationViews.size === 1);
  openNarrow(app, narrowIs('resolved'));
  run('save search');
  press('Ctrl-U');
  type('followed');
  expect(overlay()).toContain('There is already a view Followed');
  press('Ctrl-R', 'Esc');
  openNarrow(app, [{operator: 'search', operand: 'x'.repeat(1100)}]);
  run('save search');
  press('Ctrl-U');
  type('Long');
  press('Ctrl-D');
  await says('Refused by the server: Added Long to the sidebar · Fragment is too long (limit: 1000).');
  expect(session.cache.state.navigationViews.size).toBe(1);
});

test('sidebar views: moved views keep their order after a restart, and undo restores it', async () => {
  const {app, press, sidebar, session} = await sidebarFixture();
  openSidebarViews(app);
  press('Down', 'Alt-Down');
  expect(sidebar().slice(0, 2)).toEqual(['Recent', 'Inbox']);
  press('Alt-Down', 'Alt-Down');
  expect(sidebar()).toEqual(['Recent', 'Mentions', 'Inbox', 'Starred', 'Drafts']);
  expect(JSON.parse(session.context.store.keyValues.get('sidebar.order') ?? '[]').slice(0, 2)).toEqual([
    'recent',
    'feed',
  ]);
  press('Esc', 'z');
  expect(sidebar().slice(0, 2)).toEqual(['Recent', 'Inbox']);
  press('Z');
  expect(sidebar().slice(0, 3)).toEqual(['Recent', 'Mentions', 'Inbox']);
});

test('sidebar views: an older server has the built-in views, and the command says what is missing', async () => {
  const {app, sidebar} = await sidebarFixture({server: {level: 371}});
  expect(sidebar()).toEqual(defaults);
  expect(commandTable.get('sidebar.views')?.disabledReason?.(app)).toMatch(/^Needs Zulip 11/);
});

test('sidebar views: a read-only session can open views, and changes none', async () => {
  const {app, press, toast, sidebar} = await sidebarFixture({app: {info: {isReadOnly: true}}});
  openSidebarViews(app);
  press('Down', 'Ctrl-T');
  expect(toast()).toBe('This session is read-only: nothing is changed');
  press('Down', 'Enter');
  expect([app.screen.view.kind, sidebar()]).toEqual(['recent', defaults]);
});

import {expect, test} from 'vitest';
import {loadSidebarViews, openSidebarViews} from '#app/channel-list/change-views.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {runSearch} from '#app/search-view/run-search.ts';
import {type Narrow, narrowIs, topicNarrow} from '#state/model/narrow.ts';
import {timelineOf} from '#state/selectors/timeline.ts';
import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {headerLines} from '#test/support/part-lines.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {fragmentOfNarrow} from '#ui/search/sidebar-views.ts';

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

test('sidebar views: the header of a saved search shows its name, and that of a topic where messages go', async () => {
  const {fixture, app, session} = await sidebarFixture();
  const {server, meg, channelId} = fixture;
  const header = () => textOf(headerLines(app.frame, egRect('100x1'))).join('');
  const search: Narrow = [...narrowIs('unread'), {operator: 'channel', operand: channelId}];
  const topic = topicNarrow(channelId, 'tides');
  for (const [narrow, name] of [
    [search, 'Triage of general'],
    [topic, 'My tides'],
  ] as const) {
    const fragment = fragmentOfNarrow(session.cache.state, narrow);
    await server.as(meg).post('/navigation_views', {fragment, is_pinned: true, name});
  }
  await waitForState(session, ({navigationViews}) => navigationViews.size >= 2);
  openNarrow(app, search);
  expect(header()).toContain('Triage of general');
  openNarrow(app, topic);
  expect(header()).toContain('#general › tides');
  openNarrow(app, narrowIs('unread'), {query: 'is:unread'});
  expect(header()).toContain('Unread messages');
});

test('sidebar views: the current search is added with a proposed name, renamed, and removed with undo', async () => {
  const {fixture, app, press, type, sidebar, says, run, overlay, session} = await sidebarFixture({
    app: {settings: {markRead: 'on-done'}},
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
  await says('The search is too long to be a view.');
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

test('sidebar views: the search of a view is edited, with undo, and wrong searches are refused while typing', async () => {
  const {fixture, app, press, type, overlay, sidebar, says, session} = await sidebarFixture();
  const {server, meg, channelId} = fixture;
  const fragment = `narrow/channel/${channelId}-general`;
  await server.as(meg).post('/navigation_views', {fragment: 'narrow/is/followed', is_pinned: true, name: 'Mine'});
  await server.as(meg).post('/navigation_views', {fragment: 'narrow/is/resolved', is_pinned: true, name: 'Done'});
  await waitForState(session, ({navigationViews}) => navigationViews.size === 2);
  openSidebarViews(app);
  type('Mine');
  press('Ctrl-E', 'Tab', 'Ctrl-U');
  type('channel:nowhere');
  expect(overlay()).toContain('nowhere');
  press('Ctrl-U');
  type('is:resolved');
  expect(overlay()).toContain('The view Done has this search.');
  press('Ctrl-U');
  type('is:dm OR');
  expect(overlay()).toContain('“OR” needs a search on both sides.');
  press('Ctrl-U');
  type('channel:general');
  press('Ctrl-D');
  await says('Changed the view Mine');
  await waitForState(session, ({navigationViews}) => navigationViews.get(fragment)?.name === 'Mine');
  expect(sidebar()).toEqual([...defaults, 'Mine', 'Done']);
  press('Esc', 'z');
  await waitForState(session, ({navigationViews}) => navigationViews.get('narrow/is/followed')?.name === 'Mine');
  expect(sidebar()).toEqual([...defaults, 'Mine', 'Done']);
});

test('sidebar views: a view of joined searches counts, lists and receives the messages of all of them', async () => {
  const {fixture, app, press, run, sidebar, overlay, session} = await sidebarFixture();
  const {server, otto, meg, channelId} = fixture;
  const principals = JSON.stringify([meg.id, otto.id]);
  await server.as(meg).post('/users/me/subscriptions', {subscriptions: JSON.stringify([{name: 'web'}]), principals});
  const {channels} = await waitForState(session, (state) =>
    [...state.channels.values()].some(({name}) => name === 'web'),
  );
  const web = [...channels.values()].find(({name}) => name === 'web')?.id ?? 0;
  const post = async (to: number, topic: string, content: string) =>
    (await server.as(otto).post('/messages', {type: 'stream', to, topic, content})).id;
  const ids = [
    await post(channelId, 'talk', 'one'),
    await post(web, 'css', 'two'),
    await post(web, 'css', `@**${meg.fullName}** three`),
  ];
  await waitForState(session, ({unreads}) => unreads.byId.size === 3);
  expect(runSearch(app, 'channel:general OR channel:web is:mentioned')).toBe(true);
  const shown = () => (app.screen.view.kind === 'messages' ? timelineOf(app.state, app.screen.view.narrow) : undefined);
  await untilApp(app, () => shown()?.hasNewest === true);
  expect(shown()?.ids.toArray()).toEqual([ids[0], ids[2]]);
  ids.push(await post(web, 'css', 'four'), await post(channelId, 'talk', 'five'));
  await untilApp(app, () => shown()?.ids.has(ids[4] ?? 0) === true);
  expect(shown()?.ids.toArray()).toEqual([ids[0], ids[2], ids[4]]);
  run('save search');
  press('Ctrl-D');
  await waitForState(session, ({navigationViews}) => navigationViews.size === 1);
  const [view] = [...session.cache.state.navigationViews.values()];
  expect(view?.fragment).toBe(`narrow/or/channel.2F${channelId}-general/or/channel.2F${web}-web.2Fis.2Fmentioned`);
  expect(sidebar().at(-1)).toBe('channel:general OR channel:web is:mentioned 3');
  openSidebarViews(app);
  expect(overlay()).toContain('channel:general OR channel:web is:mentioned');
});

test('sidebar views: where only the server can decide, no number is shown, and the list says why', async () => {
  const {fixture, app, type, overlay, sidebar, session} = await sidebarFixture();
  const {server, meg} = fixture;
  await fixture.postMessage('hello https://example.com', 'tides');
  for (const [fragment, name] of [
    ['narrow/has/link', 'Links'],
    ['narrow/search/hello', 'Hello'],
    ['narrow/has/reaction', 'Reacted'],
  ])
    await server.as(meg).post('/navigation_views', {fragment, is_pinned: true, name});
  await waitForState(session, ({navigationViews, unreads}) => navigationViews.size === 3 && unreads.byId.size === 1);
  expect(sidebar().slice(-3)).toEqual(['Links', 'Reacted', 'Hello']);
  openSidebarViews(app);
  type('Links');
  expect(overlay()).toContain('No count: only the server can search for “has:”.');
});

test('sidebar views: a view of a channel that is gone says so, and its search can be changed', async () => {
  const {fixture, app, press, type, overlay, says, sidebar, session} = await sidebarFixture();
  const {server, meg} = fixture;
  await server.as(meg).post('/navigation_views', {fragment: 'narrow/channel/999-gone', is_pinned: true, name: 'Gone'});
  await waitForState(session, ({navigationViews}) => navigationViews.size === 1);
  openSidebarViews(app);
  type('Gone');
  expect(overlay()).toMatch(/No such channel, or you cannot see it\. Ctrl-E changes its\s+search\./);
  press('Enter');
  await says('No such channel, or you cannot see it.');
  press('Ctrl-E', 'Tab');
  expect(overlay()).toContain('channel:999');
  press('Ctrl-U');
  type('channel:general');
  press('Ctrl-D');
  await says('Changed the view Gone');
  expect(sidebar()).toContain('Gone');
});

test('sidebar views: a server without views has them on this machine, and they move to the account later', async () => {
  const old = await sidebarFixture({server: {level: 371}});
  openNarrow(old.app, narrowIs('followed'));
  old.run('save search');
  old.press('Ctrl-U');
  old.type('Mine');
  old.press('Ctrl-D');
  await old.says('Added Mine to the sidebar · z undo');
  expect(old.sidebar()).toEqual([...defaults, 'Mine']);
  openSidebarViews(old.app);
  old.type('Mine');
  expect(old.overlay()).toContain('Kept on this machine: the server stores no views.');
  old.press('Delete');
  expect(old.sidebar()).toEqual(defaults);
  old.press('Esc', 'z');
  expect(old.sidebar()).toEqual([...defaults, 'Mine']);
  const saved = old.session.context.store.keyValues.get('sidebar.views') ?? '';
  expect(JSON.parse(saved)).toEqual([{fragment: 'narrow/is/followed', isPinned: true, name: 'Mine'}]);
});

test('sidebar views: views of this machine move to an account whose server stores views', async () => {
  const {fixture, app, sidebar, session, says} = await sidebarFixture();
  const {server, meg} = fixture;
  await server.as(meg).post('/navigation_views', {fragment: 'narrow/is/dm', is_pinned: true, name: 'Mine'});
  await waitForState(session, ({navigationViews}) => navigationViews.size === 1);
  const local = [
    {fragment: 'narrow/is/followed', isPinned: true, name: 'mine'},
    {fragment: 'narrow/is/dm', isPinned: true, name: 'Direct'},
    'not a view',
  ];
  session.context.store.keyValues.set('sidebar.views', JSON.stringify(local));
  loadSidebarViews(app);
  await says('1 view of this machine moved to your account');
  const {navigation_views: views} = await expect
    .poll(async () => server.as(meg).get('/navigation_views'))
    .toSatisfy(({navigation_views}) => navigation_views.length === 2)
    .then(() => server.as(meg).get('/navigation_views'));
  expect(views.map(({name}: {name: string}) => name)).toEqual(['Mine', 'mine 2']);
  expect(sidebar()).toEqual([...defaults, 'Mine', 'mine 2']);
  expect(session.context.store.keyValues.get('sidebar.views')).toBe('[]');
});

test('sidebar views: a read-only session can open views, and changes none', async () => {
  const {app, press, toast, sidebar} = await sidebarFixture({app: {info: {isReadOnly: true}}});
  openSidebarViews(app);
  press('Down', 'Ctrl-T');
  expect(toast()).toBe('This session is read-only: nothing is changed');
  press('Down', 'Enter');
  expect([app.screen.view.kind, sidebar()]).toEqual(['recent', defaults]);
});

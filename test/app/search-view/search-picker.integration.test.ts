import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {searchHistory} from '#app/search-view/run-search.ts';
import {narrowKey} from '#state/model/narrow.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows} from '#test/support/overlay-text.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';

async function searchFixture() {
  const fixture = await sessionFixture();
  const last = await fixture.postMessage('the quick brown fox', 'animals');
  const session = fixture.session();
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(last));
  const app = appFixture({session});
  return {...app, fixture, session, last, text: () => openedPicker(app.app)?.field.text};
}

test('search: plain words are searched as typed', async () => {
  const {press, type, app} = await searchFixture();
  press('/');
  type('brown fox');
  expect(overlayRows(app)[1]).toBe('▌Search for brown fox');
  press('Enter');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.view).toMatchObject({
    kind: 'messages',
    query: 'brown fox',
    narrow: [{operator: 'search', operand: 'brown fox'}],
  });
});

test('search: without a query shows operators and recent searches', async () => {
  const {press, type, app} = await searchFixture();
  press('/');
  expect(overlayRows(app).join('\n')).toMatch(/sender: {2}messages by a person/);
  type('fox');
  press('Enter', 'I', '/');
  expect(overlayRows(app).slice(1, 4)).toEqual([' Recent searches', '▌fox', ' Search operators']);
  press('Enter');
  expect(app.screen.view).toMatchObject({query: 'fox'});
  expect(searchHistory(app)).toEqual(['fox']);
});

test('search: an unfinished term is completed, then searched', async () => {
  const {press, type, app, text, fixture} = await searchFixture();
  press('/');
  type('send');
  press('Tab');
  expect(text()).toBe('sender:');
  type('ott');
  press('Enter');
  expect(text()).toBe('sender:Otto ');
  press('Enter');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'sender', operand: fixture.otto.id}]});
});

test('search: an invalid term shows the problem, and the text stays', async () => {
  const {press, type, app, text} = await searchFixture();
  press('/');
  type('is:purple');
  press('Enter');
  expect(text()).toBe('is:purple');
  expect(overlayRows(app).join(' ')).toContain('“is:” can be');
  expect(app.screen.toast).toBeUndefined();
  expect(app.screen.view.kind).toBe('inbox');
});

test('search: a term with an unknown name stops the search until it is corrected', async () => {
  const {press, type, app, fixture} = await searchFixture();
  press('/');
  type('channel:nope fox');
  press('Enter', 'Enter');
  const problem = ' There is no channel called “nope”.';
  expect(overlayRows(app).slice(1, 3)).toEqual([problem, '▌Search for channel:nope fox']);
  expect([app.screen.view.kind, app.screen.toast, searchHistory(app)]).toEqual(['inbox', undefined, []]);
  press('Ctrl-U');
  type('channel:gen fox');
  expect(overlayRows(app).join('\n')).not.toContain('There is no channel');
  press('Enter');
  expect(app.screen.view).toMatchObject({
    query: 'channel:general fox',
    narrow: [
      {operator: 'channel', operand: fixture.channelId},
      {operator: 'search', operand: 'fox'},
    ],
  });
});

test('search: a shown search can be edited', async () => {
  const {press, type, text} = await searchFixture();
  press('/');
  type('fox');
  press('Enter', '/');
  expect(text()).toBe('fox ');
});

test('search: a found message opens in its conversation', async () => {
  const {press, type, app, last} = await searchFixture();
  press('/');
  type('brown');
  await expect.poll(() => overlayRows(app).join('\n')).toContain('Otto: the quick brown fox');
  press('Up', 'Enter');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'channel'}, {operand: 'animals'}]});
  expect(app.screen.timelines.values().toArray().at(-1)?.selected).toBe(last);
});

test('search: a refusal of the server is shown with its reason', async () => {
  const {press, type, app, fixture} = await searchFixture();
  await fixture.hook('fault', {path: '/messages', kind: 'status', status: 400, code: 'BAD_NARROW'});
  press('/');
  type('zebra');
  await expect.poll(() => overlayRows(app).join('\n')).toContain('No messages · Injected fault.');
});

test('search: saved messages are found before the server answers', async () => {
  const {press, type, app, fixture, session, last} = await searchFixture();
  const message = session.cache.state.messages.byId.get(last);
  session.context.store.messages.save(message === undefined ? [] : [message]);
  await fixture.hook('fault', {path: '/messages', method: 'GET', kind: 'drop_before', times: 100});
  press('/');
  type('brown');
  await expect.poll(() => overlayRows(app).join('\n')).toMatch(/searching…\n Otto: the quick brown fox/);
});

test('search: the second time, the former result is shown while the server is asked again', async () => {
  const {press, type, app, fixture} = await searchFixture();
  const rows = () => overlayRows(app).join('\n');
  press('/');
  type('brown');
  await expect.poll(rows).toMatch(/Messages\n Otto: the quick brown fox/);
  press('Esc');
  await fixture.hook('fault', {path: '/messages', method: 'GET', kind: 'drop_before', times: 1000});
  press('/');
  type('brown');
  await expect.poll(rows).toMatch(/Messages\n Otto: the quick brown fox/);
  expect(rows()).not.toContain('searching…');
});

test('search: after a failure, Ctrl-L asks the server again', async () => {
  const {press, type, app, fixture} = await searchFixture();
  const rows = () => overlayRows(app).join('\n');
  await fixture.hook('fault', {path: '/messages', kind: 'status', status: 400, code: 'BAD_NARROW', times: 1000});
  press('/');
  type('brown');
  // The message may have been saved by now: then it is below the reason.
  await expect.poll(rows).toContain(' · Injected fault.');
  await fixture.hook('clear-faults');
  press('Ctrl-L');
  await expect.poll(rows).toMatch(/Messages\n Otto: the quick brown fox/);
});

test('search: a search that is not read any more ends, and the next text is searched', async () => {
  const {press, type, app, fixture, session} = await searchFixture();
  const rows = () => overlayRows(app).join('\n');
  await fixture.hook('fault', {path: '/messages', method: 'GET', kind: 'delay', delay_ms: 60_000, times: 1000});
  press('/');
  type('quick');
  await expect.poll(rows).toContain('searching…');
  await fixture.hook('clear-faults');
  const [query] = session.cache.client.getQueryCache().findAll({queryKey: ['query', 'newest messages']});
  type(' brown');
  await expect.poll(rows).toMatch(/Messages\n Otto: the quick brown fox/);
  expect(query?.state.fetchStatus).toBe('idle');
  expect(query?.state.data).toBeUndefined();
});

test('search: after: and before: show the messages between, and end there', async () => {
  const {press, type, app, fixture, session, last} = await searchFixture();
  const {db} = fixture.server.context;
  const earlier = await fixture.postMessage('an earlier fox', 'animals');
  db.run('UPDATE message SET sent_at = ? WHERE id = ?', new Date(2020, 0, 5).getTime() / 1000, last);
  press('/');
  type('fox after:2020-01-05 before:2020-02-01');
  press('Enter');
  const narrow = app.screen.view.kind === 'messages' ? app.screen.view.narrow : [];
  await waitForState(session, ({timelines}) => timelines.get(narrowKey(narrow))?.hasNewest === true);
  const timeline = session.cache.state.timelines.get(narrowKey(narrow));
  expect([...(timeline?.ids ?? [])]).toEqual([last]);
  expect(timeline).toMatchObject({hasOldest: true, hasNewest: true});
  expect(earlier).toBeGreaterThan(last);
  expect(app.screen.view).toMatchObject({query: 'after:2020-01-05 before:2020-02-01 fox'});
});

test('search: an operator that does not exist is named, and its word is searched as text', async () => {
  const {press, type, app} = await searchFixture();
  press('/');
  type('author:otto fox');
  expect(overlayRows(app).slice(1, 3)).toEqual([
    ' “author:” is not an operator: searched as text.',
    '▌Search for author:otto fox',
  ]);
  press('Enter');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'search', operand: 'author:otto fox'}]});
  expect(app.screen.toast?.text).toBe('“author:” is not an operator: searched as text');
});

test('search: from a conversation, the first offer is to search in it', async () => {
  const {press, type, app, text, fixture} = await searchFixture();
  const inTopic = [
    {operator: 'channel', operand: fixture.channelId},
    {operator: 'topic', operand: 'animals'},
  ];
  openConversation(app, {kind: 'topic', channelId: fixture.channelId, topic: 'animals'});
  press('/');
  expect(overlayRows(app)[1]).toMatch(/^▌In this conversation {2}#general › animals/);
  type('fox');
  expect(overlayRows(app)[2]).toMatch(/^ Search for fox in this conversation/);
  press('Down', 'Enter');
  expect(app.screen.view).toMatchObject({narrow: [...inTopic, {operator: 'search', operand: 'fox'}]});
  openConversation(app, {kind: 'topic', channelId: fixture.channelId, topic: 'animals'});
  press('/', 'Enter');
  expect(text()).toBe('channel:general topic:animals ');
  type('fox');
  expect(overlayRows(app).join()).not.toContain('in this conversation');
  press('Enter');
  expect(app.screen.view).toMatchObject({narrow: [...inTopic, {operator: 'search', operand: 'fox'}]});
});

test('search: the shown search is selected: typing replaces it, and a cursor key keeps it', async () => {
  const {press, type, app, text} = await searchFixture();
  press('/');
  type('brown');
  press('Enter', '/');
  expect(text()).toBe('brown ');
  type('fox');
  expect(text()).toBe('fox');
  press('Esc', '/', 'Right');
  type('dog');
  expect(text()).toBe('brown dog');
  press('Esc', '/', 'Backspace');
  expect(text()).toBe('');
  expect(app.screen.view).toMatchObject({query: 'brown'});
});

test('search: near:ID opens at that message, with and without other terms', async () => {
  const {press, type, app, fixture, session} = await searchFixture();
  const first = await fixture.postMessage('the first fox', 'animals');
  for (let n = 0; n < 60; n++) await fixture.postMessage(`another fox ${n}`, 'animals');
  await waitForState(session, hasMessage(first));
  for (const terms of ['fox ', 'channel:general ', '']) {
    press('/');
    type(`${terms}near:${first}`);
    press('Enter');
    await untilApp(app, () => selectedMessage(app)?.id === first);
  }
});

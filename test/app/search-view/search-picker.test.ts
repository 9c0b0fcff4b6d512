import {expect, test} from 'vitest';
import {openedPicker} from '#app/overlays/picker.ts';
import {searchHistory} from '#app/search-view/search-history.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {overlayRows} from '#test/support/overlay-text.ts';

async function searchStage() {
  const stage = await sessionFixture();
  const last = await stage.say('the quick brown fox', 'animals');
  const session = stage.session();
  session.start();
  await session.ready();
  await waitForState(session, hasMessage(last));
  const app = appFixture({session});
  return {...app, stage, session, last, text: () => openedPicker(app.app)?.field.text};
}

test('words are searched for as they stand', async () => {
  const {press, type, app} = await searchStage();
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

test('with nothing typed it says what can be asked, and what was asked before', async () => {
  const {press, type, app} = await searchStage();
  press('/');
  expect(overlayRows(app).join('\n')).toMatch(/sender: {2}messages somebody sent/);
  type('fox');
  press('Enter', 'I', '/');
  expect(overlayRows(app).slice(1, 4)).toEqual([' Searched for lately', '▌fox', ' Search words']);
  press('Enter');
  expect(app.screen.view).toMatchObject({query: 'fox'});
  expect(searchHistory(app)).toEqual(['fox']);
});

test('what is begun is completed with Enter, then searched for', async () => {
  const {press, type, app, text, stage} = await searchStage();
  press('/');
  type('send');
  press('Tab');
  expect(text()).toBe('sender:');
  type('ott');
  press('Enter');
  expect(text()).toBe('sender:Otto ');
  press('Enter');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'sender', operand: stage.otto.id}]});
});

test('what cannot be understood is a sentence, and the text stays', async () => {
  const {press, type, app, text} = await searchStage();
  press('/');
  type('is:purple');
  expect(overlayRows(app).join(' ')).toContain('“is:” can be');
  press('Enter');
  expect(text()).toBe('is:purple');
  expect(app.screen.toast?.tone).toBe('warning');
  expect(app.screen.view.kind).toBe('inbox');
});

test('a search on screen is there to be changed', async () => {
  const {press, type, text} = await searchStage();
  press('/');
  type('fox');
  press('Enter', '/');
  expect(text()).toBe('fox ');
});

test('a message that is found opens where it was said', async () => {
  const {press, type, app, last} = await searchStage();
  press('/');
  type('brown');
  await expect.poll(() => overlayRows(app).join('\n')).toContain('Otto: the quick brown fox');
  press('Up', 'Enter');
  expect(app.screen.view).toMatchObject({narrow: [{operator: 'channel'}, {operand: 'animals'}]});
  expect(app.screen.timelines.values().toArray().at(-1)?.selected).toBe(last);
});

test('what is on this machine is found before the server answers', async () => {
  const {press, type, app, stage, session, last} = await searchStage();
  const message = session.cache.state.messages.byId.get(last);
  session.context.store.messages.save(message === undefined ? [] : [message]);
  await stage.hook('fault', {path: '/messages', method: 'GET', kind: 'drop_before', times: 100});
  press('/');
  type('brown');
  await expect
    .poll(() => overlayRows(app).join('\n'))
    .toMatch(/asking the server…\n Otto: the quick brown fox/);
});

import {expect, test} from 'vitest';
import {linksOf} from '#app/links/message-links.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {messageFixture, untilApp} from './message-fixture.ts';

const account = eg.state({
  users: eg.users(eg.user(), eg.user({id: 11, fullName: 'Bo Wu'})),
  channels: SortedMap.by([eg.channel({id: 1, name: 'ops'})], ({id}) => id),
  messages: withMessages(initialState.messages, []),
});

test('links: numbered as in the message, then the mentioned people', () => {
  const message = eg.message({
    content:
      'see [the run](https://ci.example.com/8) and #**ops>pager**, @**Bo Wu**\n[plan.pdf](/user_uploads/2/ab/plan.pdf)',
  });
  expect(linksOf(account, message, false)).toEqual([
    {number: 1, text: 'the run', target: {kind: 'web', url: 'https://ci.example.com/8'}},
    {
      number: 2,
      text: '#ops › pager',
      target: {kind: 'narrow', url: '#narrow/channel/1-ops/topic/pager'},
    },
    {
      number: 3,
      text: 'plan.pdf',
      target: {kind: 'file', url: '/user_uploads/2/ab/plan.pdf', fileKind: 'file'},
    },
    {number: 4, text: 'Bo Wu', target: {kind: 'person', userId: 11}},
  ]);
});

test('links: those in a closed spoiler are left out until it opens', () => {
  const message = eg.message({content: '```spoiler end\nhttps://example.com/end\n```'});
  expect(linksOf(account, message, false)).toEqual([]);
  expect(linksOf(account, message, true)).toHaveLength(1);
});

test('links: the topic’s links are included', () => {
  const message = eg.message({topicLinks: [{text: '#12', url: 'https://bugs.example.com/12'}]});
  expect(linksOf(account, message, false)).toMatchObject([{number: 1, text: '#12'}]);
});

test('link picker: a number opens its link at once unless another digit may follow', async () => {
  const {fixture, select, press, deviceCalls, app} = await messageFixture();
  const urls = Array.from({length: 12}, (_, at) => `https://example.com/${at + 1}`);
  await select(await fixture.postMessage(urls.join('\n')));
  press('o', '5');
  expect(deviceCalls).toEqual([['open', 'https://example.com/5']]);
  expect(app.screen.overlays).toEqual([]);
  press('o', '1');
  expect(app.screen.overlays).toHaveLength(1);
  press('2');
  expect(deviceCalls[1]).toEqual(['open', 'https://example.com/12']);
});

test('link picker: a link is found by its text or its address, and Tab copies it', async () => {
  const {fixture, select, press, type, deviceCalls, says} = await messageFixture();
  await select(await fixture.postMessage('[docs](https://example.com/docs) [blog](https://example.com/blog)'));
  press('o');
  type('blo');
  press('Tab');
  expect(deviceCalls).toEqual([['copy', 'https://example.com/blog']]);
  await says('Copied: https://example.com/blog');
  press('o');
  type('com/do');
  press('Enter');
  expect(deviceCalls.at(-1)).toEqual(['open', 'https://example.com/docs']);
});

test('link picker: a link into the organization opens in the app, at its message', async () => {
  const {fixture, select, press, app, deviceCalls} = await messageFixture();
  const target = await fixture.postMessage('over here', 'elsewhere');
  const url = `${fixture.server.url}/#narrow/channel/${fixture.channelId}-general/topic/elsewhere/near/${target}`;
  await select(await fixture.postMessage(`look: ${url}`));
  press('o', '1');
  expect(shownConversation(app.screen)).toEqual({
    kind: 'topic',
    channelId: fixture.channelId,
    topic: 'elsewhere',
  });
  expect(deviceCalls).toEqual([]);
});

test('link picker: a link with the name of the channel instead of its id opens in the app', async () => {
  const {fixture, select, press, app, deviceCalls} = await messageFixture();
  await fixture.postMessage('over here', 'elsewhere');
  await select(await fixture.postMessage('[look](#narrow/channel/general/topic/elsewhere)'));
  press('o', '1');
  expect(shownConversation(app.screen)).toEqual({kind: 'topic', channelId: fixture.channelId, topic: 'elsewhere'});
  expect(deviceCalls).toEqual([]);
});

test('link picker: a mentioned person opens a user card', async () => {
  const {fixture, select, press, overlay, app} = await messageFixture();
  await select(await fixture.postMessage('ask @**Otto**'));
  press('o', '1');
  await untilApp(app, () => overlay()?.includes('Person') === true);
  expect(overlay()).toContain('Otto');
});

test('link and file pickers: a message without any says so', async () => {
  const {fixture, select, press, app} = await messageFixture();
  await select(await fixture.postMessage('nothing here'));
  press('o');
  expect(app.screen.toast?.text).toBe('This message has no links.');
  press('v');
  expect(app.screen.toast?.text).toBe('This message has no files.');
});

test('file picker: opens a file by a temporary URL, or saves it', async () => {
  const {fixture, select, press, deviceCalls, says} = await messageFixture();
  const bytes = new TextEncoder().encode('a plan');
  const {body} = await fixture.server.as(fixture.otto).upload('/user_uploads', 'the plan.txt', bytes, 'text/plain');
  await select(await fixture.postMessage(`[the plan.txt](${Reflect.get(Object(body), 'url')})`));
  press('v');
  expect(await says('the plan.txt')).toMatch(/the plan\.txt\s+file\s+1/);
  press('Enter');
  await says('Opened http');
  const [[, url] = []] = deviceCalls;
  expect(await (await fetch(String(url))).text()).toBe('a plan');
  press('v', 'Tab');
  await says('Saved ~/Downloads/the plan.txt');
  expect(deviceCalls.at(-1)).toEqual(['saveFile', 'the plan.txt', 6]);
});

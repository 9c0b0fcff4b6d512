import {expect, test} from 'vitest';
import {shownConversation} from '#app/core/view.ts';
import {linksOf} from '#app/message-actions/message-links.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {SortedMap} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {messageFixture, untilApp} from './message-fixture.ts';

const account = eg.state({
  users: SortedMap.by([eg.user(), eg.user({id: 11, fullName: 'Bo Wu'})], ({id}) => id),
  channels: SortedMap.by([eg.channel({id: 1, name: 'ops'})], ({id}) => id),
  messages: withMessages(initialState.messages, []),
});

test('links have the numbers that they have in the message; people go on from there', () => {
  const message = eg.message({
    content:
      'see [the run](https://ci.example.com/8) and #**ops>pager**, @**Bo Wu**\n[plan.pdf](/user_uploads/2/ab/plan.pdf)',
  });
  expect(linksOf(account, message, false)).toEqual([
    {number: 1, text: 'the run', target: {kind: 'web', url: 'https://ci.example.com/8'}},
    {
      number: 2,
      text: '#ops › pager',
      target: {kind: 'place', url: '#narrow/channel/1-ops/topic/pager'},
    },
    {
      number: 3,
      text: 'plan.pdf',
      target: {kind: 'file', url: '/user_uploads/2/ab/plan.pdf', fileKind: 'file'},
    },
    {number: 4, text: 'Bo Wu', target: {kind: 'person', userId: 11}},
  ]);
});

test('what a closed spoiler hides is offered only once it is open', () => {
  const message = eg.message({content: '```spoiler end\nhttps://example.com/end\n```'});
  expect(linksOf(account, message, false)).toEqual([]);
  expect(linksOf(account, message, true)).toHaveLength(1);
});

test('the links of a topic count too', () => {
  const message = eg.message({topicLinks: [{text: '#12', url: 'https://bugs.example.com/12'}]});
  expect(linksOf(account, message, false)).toMatchObject([{number: 1, text: '#12'}]);
});

test('a number follows a link at once; one that may go on waits for the next digit', async () => {
  const {stage, select, press, deviceCalls, app} = await messageFixture();
  const urls = Array.from({length: 12}, (_, at) => `https://example.com/${at + 1}`);
  await select(await stage.say(urls.join('\n')));
  press('o', '5');
  expect(deviceCalls).toEqual([['open', 'https://example.com/5']]);
  expect(app.screen.overlays).toEqual([]);
  press('o', '1');
  expect(app.screen.overlays).toHaveLength(1);
  press('2');
  expect(deviceCalls[1]).toEqual(['open', 'https://example.com/12']);
});

test('Tab copies where a link leads', async () => {
  const {stage, select, press, type, deviceCalls, says} = await messageFixture();
  await select(await stage.say('[docs](https://example.com/docs) [blog](https://example.com/blog)'));
  press('o');
  type('blo');
  press('Tab');
  expect(deviceCalls).toEqual([['copy', 'https://example.com/blog']]);
  await says('Copied: https://example.com/blog');
});

test('a link into the organization opens here, at its message', async () => {
  const {stage, select, press, app, deviceCalls} = await messageFixture();
  const target = await stage.say('over here', 'elsewhere');
  const url = `${stage.server.url}/#narrow/channel/${stage.channelId}-general/topic/elsewhere/near/${target}`;
  await select(await stage.say(`look: ${url}`));
  press('o', '1');
  expect(shownConversation(app.screen)).toEqual({
    kind: 'topic',
    channelId: stage.channelId,
    topic: 'elsewhere',
  });
  expect(deviceCalls).toEqual([]);
});

test('somebody who is mentioned has a card', async () => {
  const {stage, select, press, overlay, app} = await messageFixture();
  await select(await stage.say('ask @**Otto**'));
  press('o', '1');
  await untilApp(app, () => overlay()?.includes('Person') === true);
  expect(overlay()).toContain('Otto');
});

test('a message without links says so', async () => {
  const {stage, select, press, app} = await messageFixture();
  await select(await stage.say('nothing here'));
  press('o');
  expect(app.screen.toast?.text).toBe('This message has no links.');
  press('v');
  expect(app.screen.toast?.text).toBe('This message has no files.');
});

test('a file is opened by an address that needs no credentials, or saved', async () => {
  const {stage, select, press, deviceCalls, says} = await messageFixture();
  const bytes = new TextEncoder().encode('a plan');
  const {body} = await stage.server
    .as(stage.otto)
    .upload('/user_uploads', 'the plan.txt', bytes, 'text/plain');
  await select(await stage.say(`[the plan.txt](${Reflect.get(Object(body), 'url')})`));
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

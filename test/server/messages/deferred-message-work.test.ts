import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

const deferredCount = ({context}: TestServer) => context.db.value('SELECT COUNT(*) FROM arrival');
const unreadRowCount = ({context}: TestServer) => context.db.value('SELECT COUNT(*) FROM user_message');

async function serverWithTwoMessages(options: {clock?: ManualClock} = {}) {
  const server = await testServer(options);
  const [meg, otto, ada] = ['Meg Member', 'Otto Other', 'Ada Third'].map((name) => server.people.member(name));
  if (meg === undefined || otto === undefined || ada === undefined) throw new Error('three people');
  server.people.channel('general', [meg, otto, ada]);
  const send = (content: string) =>
    server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'talk', content});
  await send('one');
  await send('two, @**Otto Other**');
  return {server, meg, otto, ada, send};
}

test('deferred message work: a send defers ordinary unread rows and writes only special ones', async () => {
  const {server} = await serverWithTwoMessages({clock: new ManualClock()});
  expect([deferredCount(server), unreadRowCount(server)]).toEqual([2, 1]);
});

test('deferred message work: the next action finds the deferred rows written', async () => {
  const {server, otto} = await serverWithTwoMessages({clock: new ManualClock()});
  const {unread_msgs} = await server.as(otto).post('/register');
  expect(unread_msgs).toMatchObject({count: 2, mentions: [2], streams: [{unread_message_ids: [1, 2]}]});
  expect([deferredCount(server), unreadRowCount(server)]).toEqual([0, 4]);
});

test('deferred message work: deferred rows are written in the background', async () => {
  const clock = new ManualClock();
  const {server} = await serverWithTwoMessages({clock});
  clock.advance(1000);
  expect([deferredCount(server), unreadRowCount(server)]).toEqual([0, 4]);
});

test('deferred message work: a rolled-back request undoes the deferred rows and the next one writes them again', async () => {
  const {server, otto, ada} = await serverWithTwoMessages({clock: new ManualClock()});
  await server.as(ada).refused('PATCH', '/messages/1', {content: 'not mine'}, {code: 'BAD_REQUEST'});
  expect(deferredCount(server)).toBe(2);
  expect((await server.as(otto).post('/register')).unread_msgs.count).toBe(2);
});

test('deferred message work: a user who subscribes after the send gets no unread row', async () => {
  const {server} = await serverWithTwoMessages({clock: new ManualClock()});
  const late = server.people.member('Late Comer');
  await server.as(late).post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]});
  expect((await server.as(late).post('/register')).unread_msgs.count).toBe(0);
});

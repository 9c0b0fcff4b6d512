import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('a queue that nobody polls ends after ten thousand events, and its client is told to register again', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const {queueId} = await server.as(meg).listen();
  const other = await server.as(meg).listen();
  const send = (count: number) =>
    server.world.runAction((act) => {
      for (let index = 0; index < count; index++) {
        act.emit({type: 'alert_words', to: [meg.id], body: {alert_words: []}});
      }
    });
  send(6000);
  await other.events();
  await other.events();
  send(6000);
  const poll = {queue_id: queueId, last_event_id: -1, dont_block: true};
  await server.as(meg).refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
  expect(await other.events()).toHaveLength(6000);
});

test('a client that registers in a loop loses its own stalest queues, and nobody else’s', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const first = await server.as(meg).listen();
  const others = await server.as(otto).listen();
  for (let index = 0; index < 120; index++) await server.as(meg).listen();
  expect(server.world.queues.size).toBe(101);
  const poll = {queue_id: first.queueId, last_event_id: -1, dont_block: true};
  await server.as(meg).refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
  expect(await others.events()).toEqual([]);
});

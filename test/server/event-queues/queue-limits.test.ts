import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('queue limits: a queue without polls ends after 10,000 events, and its client must register again', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const {queueId} = await server.as(meg).listen();
  const other = await server.as(meg).listen();
  const send = (count: number) =>
    server.context.runAction((act) => {
      for (let index = 0; index < count; index++) {
        act.emit('alert_words', [meg.id], {alert_words: []});
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

test('queue limits: a client that registers in a loop loses only its own oldest queues', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  const first = await server.as(meg).listen();
  const others = await server.as(otto).listen();
  // The queue of a client that waits for events is in use, however old it is.
  const used = await server.as(meg).listen();
  const waiting = used.next();
  await expect.poll(() => [...server.context.queues.all()].some(({isWaiting}) => isWaiting)).toBe(true);
  for (let index = 0; index < 120; index++) await server.as(meg).listen();
  expect(server.context.queues.size).toBe(101);
  const poll = {queue_id: first.queueId, last_event_id: -1, dont_block: true};
  await server.as(meg).refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
  expect(await others.events()).toEqual([]);
  server.context.runAction((act) => act.emit('alert_words', [meg.id], {alert_words: ['tide']}));
  expect(await waiting).toMatchObject([{alert_words: ['tide']}]);
});

import {expect, onTestFinished, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

function emitEvent(server: TestServer, zulip_version: string, to: 'everyone' | number[] = 'everyone'): void {
  server.context.runAction((act) => act.emit('restart', to, {zulip_version}));
}

test('event queue: a poll waits until an event arrives', async () => {
  const server = await testServer();
  const queue = await server.as(server.people.member()).listen();
  const waiting = queue.next();
  await expect.poll(() => [...server.context.queues.all()].some((candidate) => candidate.isWaiting)).toBe(true);
  emitEvent(server, 'hello');
  expect(await waiting).toEqual([{id: 0, type: 'restart', zulip_version: 'hello'}]);
});

test('event queue: only unacknowledged events are sent again', async () => {
  const server = await testServer();
  const client = server.as(server.people.member());
  const {queueId} = await client.listen();
  emitEvent(server, 'one');
  emitEvent(server, 'two');
  const poll = (last: number) =>
    client.get('/events', {
      queue_id: queueId,
      last_event_id: last,
      dont_block: true,
    });
  const ids = async (last: number) => (await poll(last)).events.map((event: {id: number}) => event.id);
  expect(await ids(-1)).toEqual([0, 1]);
  expect(await ids(-1)).toEqual([0, 1]);
  expect(await ids(0)).toEqual([1]);
});

test('event queue: acknowledging an older or unsent event id is refused', async () => {
  const server = await testServer();
  const client = server.as(server.people.member());
  const {queueId} = await client.listen();
  emitEvent(server, 'one');
  await client.get('/events', {
    queue_id: queueId,
    last_event_id: 0,
    dont_block: true,
  });
  const refusal = {code: 'BAD_REQUEST'};
  const pruned = await client.refused('GET', '/events', {queue_id: queueId, last_event_id: -1}, refusal);
  expect(pruned.msg).toContain('already been pruned');
  const unknown = await client.refused('GET', '/events', {queue_id: queueId, last_event_id: 7}, refusal);
  expect(unknown.msg).toContain('was not in this queue');
});

test('event queue: a client that disconnects loses no events', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const client = server.as(meg);
  const {queueId} = await client.listen();
  const abortController = new AbortController();
  const url = `${server.url}/api/v1/events?queue_id=${queueId}&last_event_id=-1`;
  const authorization = `Basic ${Buffer.from(`${meg.email}:${meg.apiKey}`).toString('base64')}`;
  const abandoned = fetch(url, {
    headers: {authorization},
    signal: abortController.signal,
  });
  const queue = () => [...server.context.queues.all()][0];
  await expect.poll(() => queue()?.isWaiting).toBe(true);
  abortController.abort();
  await expect(abandoned).rejects.toThrow();
  await expect.poll(() => queue()?.isWaiting).toBe(false);
  emitEvent(server, 'kept');
  const {events} = await client.get('/events', {
    queue_id: queueId,
    last_event_id: -1,
  });
  expect(events).toMatchObject([{zulip_version: 'kept'}]);
});

test('event queue: a second poll takes over and the first is answered at once', async () => {
  const server = await testServer();
  const client = server.as(server.people.member());
  const {queueId} = await client.listen();
  const poll = () => client.get('/events', {queue_id: queueId, last_event_id: -1});
  const first = poll();
  await expect.poll(() => [...server.context.queues.all()][0]?.isWaiting).toBe(true);
  const second = poll();
  expect((await first).events).toEqual([]);
  emitEvent(server, 'for the second');
  expect((await second).events).toHaveLength(1);
});

test('event queue: events of a rolled-back transaction are never sent', async () => {
  const server = await testServer();
  const queue = await server.as(server.people.member()).listen();
  const failing = () =>
    server.context.runAction((act) => {
      act.emit('restart', 'everyone', {zulip_version: 'never'});
      throw new Error('rolled back');
    });
  expect(failing).toThrow('rolled back');
  expect(await queue.events()).toEqual([]);
});

test('event queue: a queue gets only the requested event types', async () => {
  const server = await testServer();
  const queue = await server.as(server.people.member()).listen({event_types: ['message']});
  emitEvent(server, 'not wanted');
  expect(await queue.events()).toEqual([]);
});

test('event queue: a waiting poll gets a heartbeat, and an idle queue is collected', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const queue = await client.listen({idle_queue_timeout: 100});
  const waiting = queue.next();
  await expect.poll(() => [...server.context.queues.all()][0]?.isWaiting).toBe(true);
  clock.advance(55_001);
  expect(await waiting).toEqual([{id: 0, type: 'heartbeat'}]);
  clock.advance(99_000);
  expect(server.context.queues.size).toBe(1);
  clock.advance(61_000);
  expect(server.context.queues.size).toBe(0);
  const poll = {queue_id: queue.queueId, last_event_id: 0};
  await client.refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
});

test('event queue: a poll that an event answered leaves no heartbeat for later', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const queue = await server.as(server.people.member()).listen();
  const waiting = queue.next();
  await expect.poll(() => [...server.context.queues.all()][0]?.isWaiting).toBe(true);
  emitEvent(server, 'hello');
  expect(await waiting).toMatchObject([{type: 'restart'}]);
  clock.advance(60_000);
  expect(await queue.events()).toEqual([]);
});

test('event queue: in a flood, a poll is answered with several events at least 4 ms after the last answer', async () => {
  const server = await testServer();
  const client = server.as(server.people.member());
  const {queueId} = await client.listen();
  const started = performance.now();
  let sent = 0;
  const flood = setInterval(() => emitEvent(server, String(sent++)), 1);
  onTestFinished(() => clearInterval(flood));
  let answers = 0;
  for (let last = -1; last < 60; answers++) {
    const {events} = await client.get('/events', {queue_id: queueId, last_event_id: last});
    last = events.at(-1).id;
  }
  expect(answers).toBeLessThanOrEqual(1 + (performance.now() - started) / 4);
});

test('event queue: an unused queue is deleted after its time, one on which a poll waits is not', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const [unused, used] = [await client.listen({idle_queue_timeout: 1}), await client.listen({idle_queue_timeout: 1})];
  clock.advance(30_000);
  const waiting = used.next();
  await expect.poll(() => [...server.context.queues.all()].some(({isWaiting}) => isWaiting)).toBe(true);
  clock.advance(30_000);
  emitEvent(server, 'hello');
  expect(await waiting).toMatchObject([{type: 'restart'}]);
  await client.refused('GET', '/events', {queue_id: unused.queueId, last_event_id: -1}, {code: 'BAD_EVENT_QUEUE_ID'});
});

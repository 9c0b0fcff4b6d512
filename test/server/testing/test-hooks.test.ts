import {expect, test} from 'vitest';
import {type TestServer, testServer} from '#test/support/server.ts';

async function hook(server: TestServer, name: string, body: object = {}): Promise<unknown> {
  const response = await fetch(`${server.url}/test-hooks/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return response.json();
}

async function serverWithHooks(): Promise<TestServer> {
  return testServer({testHooks: true});
}

test('test hooks: without test hooks the routes do not exist', async () => {
  const server = await testServer();
  const response = await fetch(`${server.url}/test-hooks/fault`, {
    method: 'POST',
    body: '{}',
  });
  expect(response.status).toBe(404);
});

test('test hooks: a fault applies to the next N matching requests only', async () => {
  const server = await serverWithHooks();
  const meg = server.as(server.people.member());
  await hook(server, 'fault', {
    method: 'POST',
    path: '/register',
    kind: 'status',
    status: 503,
    times: 2,
  });
  expect((await meg.raw('POST', '/register')).status).toBe(503);
  expect((await meg.raw('POST', '/register')).status).toBe(503);
  await meg.post('/register');
});

test('test hooks: the html fault returns an HTML gateway error', async () => {
  const server = await serverWithHooks();
  await hook(server, 'fault', {path: '/register', kind: 'html'});
  const reply = await server.as(server.people.member()).raw('POST', '/register');
  expect(reply.status).toBe(502);
  expect(reply.headers.get('content-type')).toBe('text/html');
});

test('test hooks: the rate_limit fault has retry-after in header and body', async () => {
  const server = await serverWithHooks();
  await hook(server, 'fault', {
    path: '/register',
    kind: 'rate_limit',
    retry_after: 2.5,
  });
  const reply = await server.as(server.people.member()).raw('POST', '/register');
  expect(reply.status).toBe(429);
  expect(reply.headers.get('retry-after')).toBe('2.5');
  expect(reply.body).toMatchObject({
    code: 'RATE_LIMIT_HIT',
    'retry-after': 2.5,
  });
});

test('test hooks: the truncate fault ends the body in the middle', async () => {
  const server = await serverWithHooks();
  await hook(server, 'fault', {path: '/register', kind: 'truncate'});
  await expect(server.as(server.people.member()).raw('POST', '/register')).rejects.toThrow();
});

test('test hooks: drop_after closes the connection after the change is committed', async () => {
  const server = await serverWithHooks();
  const meg = server.as(server.people.member());
  await hook(server, 'fault', {path: '/register', kind: 'drop_after'});
  await expect(meg.raw('POST', '/register')).rejects.toThrow();
  expect(server.context.queues.size).toBe(1);
});

test('test hooks: drop_before closes the connection without a change', async () => {
  const server = await serverWithHooks();
  await hook(server, 'fault', {path: '/register', kind: 'drop_before'});
  await expect(server.as(server.people.member()).raw('POST', '/register')).rejects.toThrow();
  expect(server.context.queues.size).toBe(0);
});

test('test hooks: expire-queues deletes one user’s queues and keeps the others', async () => {
  const server = await serverWithHooks();
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const [expired, other] = [await server.as(meg).listen(), await server.as(otto).listen()];
  expect(await hook(server, 'expire-queues', {user_id: meg.id})).toMatchObject({expired: 1});
  const poll = {queue_id: expired.queueId, last_event_id: -1};
  await server.as(meg).refused('GET', '/events', poll, {code: 'BAD_EVENT_QUEUE_ID'});
  await other.events();
});

test('test hooks: redeliver repeats acknowledged events with the same ids in the same order', async () => {
  const server = await serverWithHooks();
  const meg = server.people.member();
  const client = server.as(meg);
  const {queueId} = await client.listen();
  await hook(server, 'heartbeat');
  await hook(server, 'restart', {feature_level: 400});
  const poll = (last: number) =>
    client.get('/events', {
      queue_id: queueId,
      last_event_id: last,
      dont_block: true,
    });
  const first = await poll(-1);
  expect(first.events.map((event: {type: string}) => event.type)).toEqual(['heartbeat', 'restart']);
  expect((await poll(1)).events).toEqual([]);
  await hook(server, 'redeliver', {count: 2});
  const again = await client.get('/events', {
    queue_id: queueId,
    last_event_id: 1,
  });
  expect(again.events).toEqual(first.events);
});

test('test hooks: a malformed hook request gets an error with the reason', async () => {
  const server = await serverWithHooks();
  expect(await hook(server, 'fault', {kind: 'gremlin'})).toMatchObject({
    result: 'error',
    code: 'BAD_REQUEST',
  });
});

import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {canMount, smallDisk} from '#test/support/small-disk.ts';
import {isSlowTier} from '#test/support/tier.ts';

test('health: 200 while the database can be written, 503 with the reason while it cannot, and 200 again', async () => {
  const clock = new ManualClock();
  const server = await testServer({database: join(scratchDirectory(), 'parley.db'), clock});
  const {db} = server.context;
  const health = async () => {
    clock.advance(10_000);
    const response = await fetch(`${server.url}/health`);
    return {status: response.status, ...JSON.parse(await response.text())};
  };
  const limitPages = (count: number) => db.exec(`PRAGMA max_page_count = ${count}`);
  limitPages(db.value('PRAGMA page_count') ?? 0);
  expect(await health()).toEqual({
    status: 'failing',
    reasons: [{code: 'database', text: 'The database cannot be written: the disk is full.'}],
  });
  limitPages(1_000_000);
  expect(await health()).toEqual({status: 'ok', reasons: []});
});

test.runIf(isSlowTier && canMount)(
  'health: little space on the disk of the data is a reason, without its path',
  async () => {
    const {path} = smallDisk();
    const server = await testServer({database: join(path, 'parley.db')});
    const response = await fetch(`${server.url}/health`);
    const text = await response.text();
    expect([response.status, text.includes(path)]).toEqual([503, false]);
    expect(JSON.parse(text).reasons).toEqual([
      {code: 'space', text: expect.stringMatching(/^The disk of the data has only \d+ MB of free space\.$/)},
    ]);
  },
);

test('health: e-mails that wait while the server is started without a mail server are a reason', async () => {
  const server = await testServer();
  const row = {kind: 'password', recipient: 'ann@example.com', about: '{}', created_at: 0, due_at: 0};
  server.context.runAction(({db}) => db.insertRow('mail_queue', row));
  const response = await fetch(`${server.url}/health`);
  expect(JSON.parse(await response.text()).reasons).toEqual([
    {code: 'mail', text: 'E-mails that wait for a start with --smtp: 1.'},
  ]);
});

test('health: the database is written at most every ten seconds, however often it is asked', async () => {
  const server = await testServer({clock: new ManualClock()});
  const changes = () => server.context.db.value('SELECT total_changes()');
  await fetch(`${server.url}/health`);
  const before = changes();
  await fetch(`${server.url}/health`);
  expect(changes()).toBe(before);
});

test('metrics: requests by route and status, durations, queues and sizes are in the format of Prometheus', async () => {
  const server = await testServer({metrics: {host: '127.0.0.1', port: 0}});
  const meg = server.people.member();
  server.people.channel('general', [meg]);
  const client = server.as(meg);
  await client.listen({event_types: ['message']});
  await (await client.listen({event_types: ['reaction']})).events();
  await client.post('/messages', {type: 'stream', to: 'general', topic: 't', content: 'the secret'});
  await client.raw('GET', `/users/${meg.id}`);
  await client.raw('GET', '/no-such-path');
  await server.anonymous().raw('GET', '/users/me');
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const lines = text.trimEnd().split('\n');
  for (const line of lines) {
    expect(line).toMatch(/^(# (HELP|TYPE) parley_\w+ .+|parley_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? ([-+.\de]+|NaN))$/);
  }
  expect(lines).toEqual(
    expect.arrayContaining([
      'parley_requests_total{method="POST",route="/api/v1/messages",status="200"} 1',
      'parley_requests_total{method="GET",route="/api/v1/users/:user_id",status="200"} 1',
      'parley_requests_total{method="GET",route="/api/v1/users/me",status="401"} 1',
      'parley_requests_total{method="",route="none",status="404"} 1',
      'parley_request_duration_seconds_count{method="POST",route="/api/v1/messages"} 1',
      'parley_people_connected 1',
      'parley_events_waiting 1',
      'parley_events_delivered_total 1',
    ]),
  );
  expect(text).not.toContain('secret');
  // Polls wait, so their durations say nothing.
  expect(text).toContain('parley_requests_total{method="GET",route="/api/v1/events",status="200"} 1');
  expect(text).not.toMatch(/duration_seconds_\w+\{method="GET",route="\/api\/v1\/events"/);
  expect((await fetch(`http://127.0.0.1:${server.metricsPort}/`)).status).toBe(404);
});

test('metrics: a server without the option serves none, and one that stops ends their listener', async () => {
  const plain = await testServer();
  expect(plain.metricsPort).toBeUndefined();
  const server = await testServer({metrics: {host: '127.0.0.1', port: 0}});
  await server.close();
  await expect(fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).rejects.toThrow();
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('HTTP: a request without credentials gets 401', async () => {
  const server = await testServer();
  const reply = await server.anonymous().raw('POST', '/register');
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({result: 'error', code: 'UNAUTHORIZED'});
  expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /);
});

test('HTTP: a wrong key and an unknown address get the same response', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const wrongKey = await server.as({...meg, apiKey: 'x'.repeat(32)}).raw('POST', '/register');
  const unknown = await server.as({...meg, email: 'nobody@example.com'}).raw('POST', '/register');
  expect(wrongKey.status).toBe(401);
  expect(unknown.body).toEqual(wrongKey.body);
});

test('HTTP: the email address is case-insensitive', async () => {
  const server = await testServer();
  const meg = server.people.member();
  await server.as({...meg, email: meg.email.toUpperCase()}).post('/register');
});

test('HTTP: a wrong method gets 405 with the allowed methods', async () => {
  const server = await testServer();
  const reply = await server.as(server.people.member()).raw('PUT', '/events');
  expect(reply.status).toBe(405);
  expect(reply.body.allowed_methods).toEqual(['DELETE', 'GET', 'HEAD']);
  expect(reply.headers.get('allow')).toBe('DELETE, GET, HEAD');
});

test('HTTP: HEAD gets the headers of GET without its body', async () => {
  const server = await testServer();
  const {email, apiKey} = server.people.member();
  const headers = {authorization: `Basic ${btoa(`${email}:${apiKey}`)}`};
  const reply = await fetch(`${server.url}/api/v1/users/me`, {method: 'HEAD', headers});
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toContain('application/json');
  expect(await reply.text()).toBe('');
});

test('HTTP: an unknown path gets 404', async () => {
  const server = await testServer();
  const reply = await server.as(server.people.member()).raw('GET', '/no/such/thing');
  expect(reply.status).toBe(404);
});

test('HTTP: unsupported parameters are listed on success', async () => {
  const server = await testServer();
  const reply = await server.as(server.people.member()).post('/register', {wibble: 1, apply_markdown: true});
  expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
});

test('HTTP: a deleted queue and another user’s queue are unknown', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const other = server.people.member('Otto Other');
  const {queueId} = await server.as(meg).listen();
  const refusal = {code: 'BAD_EVENT_QUEUE_ID'};
  const body = await server.as(other).refused('DELETE', '/events', {queue_id: queueId}, refusal);
  expect(body.queue_id).toBe(queueId);
  await server.as(meg).delete('/events', {queue_id: queueId});
  await server.as(meg).refused('DELETE', '/events', {queue_id: queueId}, refusal);
});

import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {request} from 'node:http';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {networkOfAddress} from '#server/http/request-address.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import type {Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

test('requests: a request uses the user’s current rights if these change while its body arrives', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const changes: [string, string][] = [
    ['UPDATE user SET is_active = 0 WHERE id = ?', 'HTTP/1.1 401'],
    ['UPDATE user SET key_generation = 1 WHERE id = ?', 'HTTP/1.1 401'],
    ['UPDATE user SET role = 400 WHERE id = ?', 'HTTP/1.1 400'],
  ];
  for (const [index, [change, answer]] of changes.entries()) {
    const admin = server.people.admin(`Ada ${index}`);
    const body = `full_name=Changed`;
    const head = [
      `PATCH /api/v1/users/${owner.id} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Basic ${btoa(`${admin.email}:${admin.apiKey}`)}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const done = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket.on('close', () => resolve(text));
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
    // After another complete request, the first one has been authenticated.
    await server.as(owner).get('/users/me');
    await server.as(owner).get('/users/me');
    server.context.db.run(change, admin.id);
    socket.write(body.slice(5));
    expect(await done).toContain(answer);
  }
  expect((await server.as(owner).get('/users/me')).full_name).toBe(owner.fullName);
});

test('requests: the key of a connection ends with it', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const key = 'k'.repeat(32);
  const client = server.as({...meg, apiKey: key});
  server.context.connectionKeys.set(key, meg.id);
  expect((await client.get('/users/me')).user_id).toBe(meg.id);
  server.context.connectionKeys.delete(key);
  await client.refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
});

test('requests: a form with too many parameters is refused', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const response = await fetch(`${server.url}/api/v1/users/me/status`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${meg.email}:${meg.apiKey}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: Array.from({length: 500_000}, (_, index) => index.toString(36)).join('&'),
  });
  expect(response.status).toBe(400);
});

test('requests: a refused upload leaves no file on disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-safety-'));
  onTestFinished(() => rm(directory, {recursive: true}));
  const server = await testServer({files: directoryFileStore(directory), uploadLimit: 1000});
  const [owner, guest] = [server.people.owner(), server.people.guest()];
  const bytes = Buffer.from('<script>alert(1)</script>');
  const refusals = [
    await server.as(guest).upload('/realm/emoji/party', 'party.png', bytes),
    await server.as(owner).upload('/realm/emoji/Not%20a%20name', 'party.png', bytes),
    await server.as(owner).upload('/users/me/avatar', 'me.png', bytes),
    await server.as(owner).upload('/user_uploads', 'big', Buffer.alloc(2000)),
  ];
  for (const {status} of refusals) expect(status).toBe(400);
  const left = await readdir(directory, {recursive: true, withFileTypes: true});
  expect(left.filter((entry) => entry.isFile())).toEqual([]);
});

test.each([
  ['page.html', 'text/html'],
  ['page.html', 'image/png'],
  ['drawing.svg', 'image/svg+xml'],
  ['drawing.svg', 'text/plain'],
  ['code.js', 'text/javascript'],
  ['page.xhtml', 'application/xhtml+xml'],
  ['page.png', 'text/html'],
  ['a";filename=x.html', 'text/html; charset=x'],
])('requests: an upload named %s of type %s never runs in a browser', async (name, type) => {
  const server = await testServer();
  const meg = server.people.member();
  const {body} = await server.as(meg).upload('/user_uploads', name, Buffer.from('<script/>'), type);
  const response = await server.as(meg).web(encodeURI(body.url));
  expect(response.status).toBe(200);
  const shown = response.headers.get('content-type') ?? '';
  const isInline = (response.headers.get('content-disposition') ?? '').startsWith('inline');
  expect(isInline ? shown : 'application/octet-stream').not.toMatch(/html|svg|xml|script/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
});

test('requests: a temporary link opens only its file and only for a minute', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const [one, other] = await Promise.all(
    ['one', 'other'].map((name) => server.as(meg).upload('/user_uploads', name, Buffer.from(name))),
  );
  const {url} = await server.as(meg).get(one?.body.url);
  const query = url.slice(url.indexOf('?'));
  const status = async (path: string) => (await server.anonymous().web(path)).status;
  expect(await status(url)).toBe(200);
  expect(await status(other?.body.url + query)).toBe(403);
  expect(await status(url.replace(/expires=\d+/, 'expires=99999999999'))).toBe(403);
  expect(await status(url.replace(/signature=./, 'signature=~'))).toBe(403);
  expect(await status(`${url}&signature=x`.replace(/signature=[^&]+&/, ''))).toBe(403);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::3:4', '2001:db8:0:0'],
  ['2001:db8::ffff:3:4', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('requests: the rate limit assigns %s to the network %s', (address, network) => {
  expect(networkOfAddress(address)).toBe(network);
});

function requestNamed(url: string, host: string, headers: Record<string, string> = {}) {
  return new Promise<{status: number | undefined; text: string}>((resolve, reject) => {
    const message = request(url, {headers: {host, ...headers}}, async (response) => {
      resolve({status: response.statusCode, text: Buffer.concat(await response.toArray()).toString()});
    });
    message.on('error', reject).end();
  });
}

test.each([
  ['127.0.0.1', 200],
  ['127.0.0.1:9991', 200],
  ['[::1]:9991', 200],
  ['192.0.2.1', 200],
  ['LOCALHOST:80', 200],
  ['team.localhost', 200],
  ['chat.example.com', 200],
  ['harbor', 200],
  ['evil.example.com', 421],
  ['evil.example.com:9991', 421],
  ['127.0.0.1.evil.example.com', 421],
  ['chat.example.com.evil.example.com', 421],
  ['[evil]', 421],
])('requests: a request for the host “%s” gets %i', async (host, status) => {
  const server = await testServer({publicUrl: 'https://chat.example.com/zulip', names: ['Harbor']});
  const port = server.port;
  for (const path of ['/api/v1/server_settings', '/static/images/organization-icon.svg']) {
    expect((await requestNamed(`http://127.0.0.1:${port}${path}`, host)).status).toBe(status);
  }
});

test.each([
  ['a demo on the loopback address', {demo: true}, 200],
  ['a demo on all addresses', {demo: true, host: '0.0.0.0'}, 400],
  ['a demo behind a proxy', {demo: true, publicUrl: 'https://chat.example.com'}, 400],
])('requests: keys without a password: %s answers %j with %i', async (_, options, status) => {
  const server = await testServer(options);
  const users = `http://127.0.0.1:${server.port}/api/v1/dev_list_users`;
  expect((await fetch(users)).status).toBe(status);
  expect((await fetch(users, {headers: {origin: 'https://evil.example.com'}})).status).toBe(400);
  const settings = (await (await fetch(users.replace('dev_list_users', 'server_settings'))).json()) as Reply;
  expect(settings.authentication_methods.dev).toBe(status === 200);
});

test('requests: behind a trusted proxy, the rate limit applies to the address that the proxy added', async () => {
  const statuses = async (trustsProxy: boolean) => {
    const server = await testServer({trustsProxy});
    const status = async (forwarded: string) =>
      (await fetch(`${server.url}/api/v1/server_settings`, {headers: {'x-forwarded-for': forwarded}})).status;
    for (let count = 0; count < 100; count++) await status(`192.0.2.${count}, 198.51.100.1`);
    return [await status('192.0.2.1, 198.51.100.1'), await status('198.51.100.1, 198.51.100.2'), await status('x')];
  };
  expect(await statuses(true)).toEqual([429, 200, 200]);
  expect(await statuses(false)).toEqual([429, 429, 429]);
});

test('requests: keys cannot be guessed at pictures, and these are limited too', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const status = async (key: string) =>
    (await server.anonymous().web(`/avatar/${meg.id}?email=${encodeURIComponent(meg.email)}&api_key=${key}`)).status;
  for (let count = 0; count < 100; count++) expect(await status('x'.repeat(32))).toBe(401);
  expect(await status('x'.repeat(32))).toBe(429);
  expect(await status(meg.apiKey)).toBe(302);
  clock.advance(60_000);
  for (let count = 0; count < 600; count++) await server.anonymous().web('/user_avatars/1/none.png');
  expect(await status(meg.apiKey)).toBe(429);
});

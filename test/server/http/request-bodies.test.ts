import type {ServerResponse} from 'node:http';
import {expect, test} from 'vitest';
import {memoryFileStore} from '#server/uploads/file-store.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {RawConnection, rawRequest, requestHead} from '#test/support/raw-request.ts';
import {testServer} from '#test/support/server.ts';

const multipart = 'Content-Type: multipart/form-data; boundary=XX';

function withBody(target: string, body: string, ...headers: string[]): string {
  return requestHead(target, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers]) + body;
}

test.each([
  'POST /api/v1/fetch_api_key',
  'POST /api/v1/messages',
  'GET /api/v1/server_settings',
  'POST /api/v1/external/json?api_key=x',
])('request bodies: %s with many parts and no end boundary is refused, and the server stays', async (target) => {
  const server = await testServer();
  for (const count of [1, 249, 250, 251, 252, 1000]) {
    const body = '--XX\r\n'.repeat(count) + '\r\n'.repeat(count % 2);
    expect(await rawRequest(server.port, withBody(target, body, multipart))).toMatch(/^HTTP\/1\.1 40[01] /);
    const parts = `--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`.repeat(count);
    expect(await rawRequest(server.port, withBody(target, parts, multipart))).toMatch(/^HTTP\/1\.1 40[01] /);
  }
  expect((await server.anonymous().get('/server_settings')).result).toBe('success');
});

test.each([
  ['--XX\r\n\r\n--XX--\r\n', 400],
  ['--XX--\r\n', 200],
  ['--XX--', 200],
  ['\r\n--XX--\r\nepilogue', 200],
  ['preamble\r\n--XX--', 200],
  ['--XX\r\n\r\n\r\n--XX--', 200],
  ['--XX\r\nContent-Disposition: form-data\r\n\r\n\r\n--XX--', 200],
  ['--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n--XX--', 200],
  ['--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n--XX--', 400],
  ['--XXX--', 400],
  ['--XX', 400],
  ['x', 400],
])('request bodies: multipart %j gets %i', async (body, status) => {
  const server = await testServer();
  const response = await rawRequest(server.port, withBody('GET /api/v1/server_settings', body, multipart));
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test.each([
  ['of boundaries', multipart, '\r\n--XX'.repeat(20_000), 400],
  ['of parts', multipart, '--XX\r\n\r\n\r\n'.repeat(10_000), 400],
  ['of headers', multipart, `--XX\r\n${'a: b\r\n'.repeat(20_000)}`, 400],
  ['without a boundary', multipart, 'x'.repeat(4 * 1024 * 1024 + 1), 413],
  [
    'with one long field',
    multipart,
    `--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(4 * 1024 * 1024)}`,
    413,
  ],
  ['of text', 'Content-Type: text/plain', 'x'.repeat(4 * 1024 * 1024 + 1), 413],
])('request bodies: a body %s is refused before the rest of it arrives', async (_, type, begin, status) => {
  const server = await testServer();
  const head = requestHead('GET /api/v1/server_settings', [type, `Content-Length: ${begin.length + 1_000_000}`]);
  expect(await rawRequest(server.port, head + begin)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test.each([
  ['POST /api/v1/fetch_api_key', multipart, '--XX\r\n'],
  ['POST /api/v1/fetch_api_key', 'Content-Type: application/x-www-form-urlencoded', 'a=b'],
  ['POST /join/x', 'Content-Type: application/x-www-form-urlencoded', 'a=b'],
])('request bodies: %s with a body that stops arriving gets 408', async (target, type, begin) => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const before = clock.pending;
  const connection = new RawConnection(server.port);
  connection.socket.write(requestHead(target, [type, 'Content-Length: 1000']) + begin);
  await expect.poll(() => clock.pending).toBeGreaterThan(before);
  clock.advance(60_000);
  expect(await connection.response).toMatch(/^HTTP\/1\.1 408 /);
});

test('requests: a request with two Host headers gets 400', async () => {
  const server = await testServer();
  const target = 'GET /api/v1/server_settings';
  expect(await rawRequest(server.port, requestHead(target, []))).toMatch(/^HTTP\/1\.1 200 /);
  for (const second of ['Host: 127.0.0.1', 'host: evil.example.com', 'HOST:']) {
    expect(await rawRequest(server.port, requestHead(target, [second]))).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('requests: an error outside of the route, also of the response, ends only its request', async () => {
  const logged: string[] = [];
  const errors: ((response: ServerResponse) => void)[] = [
    () => {
      throw new Error('before the route');
    },
    (response) => void response.end('x').write('y'),
    (response) => void response.writeHead(200).destroy(new Error('of the socket')),
  ];
  const server = await testServer({
    onRequest: (_method, _path, response) => errors.shift()?.(response),
    log: (line, error) => logged.push(`${line}: ${error}`),
  });
  const ask = () => rawRequest(server.port, requestHead('GET /api/v1/server_settings?api_key=x', []));
  expect(await ask()).toMatch(/^HTTP\/1\.1 500 /);
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask()).toBe('');
  expect(await ask()).toMatch(/"result":"success"/);
  expect(logged.join('\n')).toMatch(
    /^GET \/api\/v1\/server_settings failed: Error: before the route\nGET \/api\/v1\/server_settings failed: .*write after end/,
  );
});

test('requests: one that is not finished when the server stops is refused, and no failure is logged', async () => {
  const logged: string[] = [];
  let stops = false;
  const server = await testServer({
    onRequest: () => {
      if (stops) server.context.db.close();
    },
    log: (line, error) => logged.push(`${line}: ${error}`),
  });
  const member = server.as(server.people.member());
  await member.get('/messages', {anchor: 'newest', num_before: 1, num_after: 0});
  stops = true;
  const stopping = {status: 503, code: 'SERVER_STOPPING'};
  await member.refused('GET', '/messages', {anchor: 'newest', num_before: 1, num_after: 0}, stopping);
  await member.refused('GET', '/users/me', {}, stopping);
  expect(logged).toEqual([]);
});

const form = 'Content-Type: application/x-www-form-urlencoded';
const filePart = '--XX\r\nContent-Disposition: form-data; name="file"; filename="tide.txt"\r\n\r\n';

/** Returns the text as chunks of `size` characters, without the chunk that ends the body. */
function inChunks(text: string, size: number): string {
  const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
}

/** Returns the head of a request with a body in chunks, on a connection that stays open if the server lets it. */
function chunkedHead(target: string, ...headers: string[]): string {
  return requestHead(target, ['Transfer-Encoding: chunked', ...headers]).replace('Connection: close\r\n', '');
}

test.each([
  ['a form', 'POST /api/v1/fetch_api_key', form, 'a'.repeat(20_000)],
  ['the begin of a multipart body', 'POST /api/v1/fetch_api_key', multipart, 'a'.repeat(20_000)],
  [
    'a field',
    'POST /api/v1/fetch_api_key',
    multipart,
    `${filePart.replace('; filename="tide.txt"', '')}${'a'.repeat(20_000)}`,
  ],
  ['a form of the web', 'POST /join/x', form, 'a'.repeat(20_000)],
  ['the body of a GET', 'GET /api/v1/server_settings', form, 'a'.repeat(20_000)],
])(
  'request bodies: %s in chunks of one byte is refused before the rest of it arrives',
  async (_, target, type, body) => {
    const server = await testServer();
    const response = await rawRequest(server.port, chunkedHead(target, type) + inChunks(body, 1));
    expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*The request arrives in too many small pieces\./);
    expect((await server.anonymous().get('/server_settings')).result).toBe('success');
  },
);

test.each([
  ['a path that does not exist', 'POST /api/v1/nothing', 404],
  ['a method that does not exist', 'DELETE /api/v1/register', 405],
  ['a page', 'GET /', 200],
])('request bodies: chunks of one byte to %s end the connection', async (_, target, status) => {
  const server = await testServer();
  const response = await rawRequest(server.port, chunkedHead(target, form) + inChunks('a'.repeat(20_000), 1));
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('request bodies: an upload in chunks of one byte is refused, and nothing of it stays', async () => {
  const files = memoryFileStore();
  const server = await testServer({files});
  const {email, apiKey} = server.people.member();
  const authorization = `Authorization: Basic ${btoa(`${email}:${apiKey}`)}`;
  const head = chunkedHead('POST /api/v1/user_uploads', authorization, multipart);
  const response = await rawRequest(server.port, head + inChunks(filePart + 'a'.repeat(20_000), 1));
  expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*too many small pieces/);
  expect(server.context.db.value('SELECT COUNT(*) FROM attachment')).toBe(0);
});

test('request bodies: what slow clients send byte by byte, and files in chunks of 32 bytes, arrive whole', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const authorization = `Authorization: Basic ${btoa(`${meg.email}:${meg.apiKey}`)}`;
  const content = 'x'.repeat(2000);
  const fields = new URLSearchParams({type: 'direct', to: `[${meg.id}]`, content}).toString();
  const send = chunkedHead('POST /api/v1/messages', 'Connection: close', authorization, form);
  expect(await rawRequest(server.port, `${send}${inChunks(fields, 1)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.context.db.value('SELECT content FROM message')).toBe(content);
  const text = 'high tide, low tide\n'.repeat(20_000);
  const upload = chunkedHead('POST /api/v1/user_uploads', 'Connection: close', authorization, multipart);
  const body = inChunks(`${filePart}${text}\r\n--XX--\r\n`, 32);
  expect(await rawRequest(server.port, `${upload}${body}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.context.db.value('SELECT size FROM attachment')).toBe(text.length);
});

test('request bodies: without credentials at most 64 KiB are read, with them 4 MiB', async () => {
  const server = await testServer();
  const {email, apiKey} = server.people.member();
  const text = `a=${'x'.repeat(64 * 1024)}`;
  expect(await rawRequest(server.port, withBody('POST /api/v1/fetch_api_key', text, form))).toMatch(/^HTTP\/1\.1 413 /);
  const allowed = withBody('POST /api/v1/fetch_api_key', text.slice(0, 64 * 1024), form);
  expect(await rawRequest(server.port, allowed)).toMatch(/^HTTP\/1\.1 400 [\s\S]*Missing 'username'/);
  const authorization = `Authorization: Basic ${btoa(`${email}:${apiKey}`)}`;
  const long = withBody('POST /api/v1/messages/render', `content=${'x'.repeat(4_000_000)}`, authorization, form);
  expect(await rawRequest(server.port, long)).not.toMatch(/^HTTP\/1\.1 413 /);
});

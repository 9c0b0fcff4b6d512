import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {sendMessage} from '#server/actions/messages/send-message.ts';
import {findChannel} from '#server/db/channels.ts';
import {findUser} from '#server/db/users.ts';
import type {ServerOptions} from '#server/server.ts';
import {directoryFileStore} from '#server/uploads/file-store.ts';
import {pngFile} from '#test/support/images/image-files.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

async function setup(options: ServerOptions = {}) {
  const clock = new ManualClock();
  const server = await testServer({clock, ...options});
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const client = server.as(meg);
  const upload = async (name: string, text: string, type?: string) => {
    const reply = await client.upload('/user_uploads', name, bytes(text), type);
    expect(reply.status).toBe(200);
    return reply.body;
  };
  return {clock, server, meg, otto, client, other: server.as(otto), upload};
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

function sendToChannel(server: TestServer, sender: Person, channelId: number, content: string): number {
  return server.context.runAction((act) => {
    const user = findUser(act.db, sender.id);
    const channel = findChannel(act.db, channelId);
    if (user === undefined || channel === undefined) throw new Error('no such person or channel');
    const destination = {kind: 'channel', channel, topic: 'files'} as const;
    return sendMessage(act, user, {destination, content, client: 'test'}).row.id;
  });
}

const bad = {code: 'BAD_REQUEST'};

test('uploads: an uploaded file can be fetched at its unguessable path', async () => {
  const {client, upload} = await setup();
  const reply = await upload('notes.txt', 'remember the milk', 'text/plain');
  expect(reply).toEqual({
    result: 'success',
    msg: '',
    url: expect.stringMatching(/^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/notes\.txt$/),
    uri: reply.url,
    filename: 'notes.txt',
  });
  const file = await client.web(reply.url);
  expect(file.status).toBe(200);
  expect(await file.text()).toBe('remember the milk');
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '17',
    'content-disposition': `inline; filename="notes.txt"; filename*=UTF-8''notes.txt`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  });
});

test('uploads: a name keeps letters of all scripts and loses characters that are unsafe in paths and links', async () => {
  const {client, upload} = await setup();
  const reply = await upload('Ünïted [drafts] (2).txt', 'x');
  expect(reply.filename).toBe('Ünïted [drafts] (2).txt');
  expect(decodeURIComponent(reply.url.split('/').at(-1))).toBe('Ünïted-drafts-2.txt');
  expect((await client.web(encodeURI(reply.url))).status).toBe(200);
});

test('uploads: an empty file can be uploaded', async () => {
  const {client, upload} = await setup();
  const {url} = await upload('nothing.bin', '');
  const file = await client.web(url);
  expect([file.status, await file.text()]).toEqual([200, '']);
});

test.each([
  ['picture.svg', 'image/svg+xml'],
  ['page.html', 'text/html'],
  ['page.txt', 'text/html'],
  ['script.js', 'text/javascript'],
  ['archive.zip', 'application/zip'],
])('uploads: %s as %s is only ever downloaded', async (name, type) => {
  const {client, upload} = await setup();
  const {url} = await upload(name, 'x', type);
  const {headers} = await client.web(url);
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toMatch(/^attachment; /);
});

test('uploads: an upload without a file, or with two, is refused', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(directory, {recursive: true}));
  const {client, server, meg} = await setup({files: directoryFileStore(directory)});
  const none = await client.refused('POST', '/user_uploads', {}, bad);
  expect(none.msg).toContain('must specify a file');
  const form = new FormData();
  form.append('a', new Blob(['1']), 'a.txt');
  form.append('b', new Blob(['2']), 'b.txt');
  const authorization = `Basic ${Buffer.from(`${meg.email}:${meg.apiKey}`).toString('base64')}`;
  const two = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: {authorization},
    body: form,
  });
  expect(two.status).toBe(400);
  expect(await readdir(directory)).toEqual([]);
  expect((await client.get('/attachments')).attachments).toEqual([]);
});

test('uploads: a file that is too large is refused and not stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(directory, {recursive: true}));
  const {client} = await setup({uploadLimit: 1000, files: directoryFileStore(directory)});
  const reply = await client.upload('/user_uploads', 'big.bin', bytes('x'.repeat(1001)));
  expect(reply).toMatchObject({status: 400, body: {result: 'error', code: 'BAD_REQUEST'}});
  expect(await readdir(directory)).toEqual([]);
});

test('uploads: an upload beyond the organization’s quota is refused', async () => {
  const {client, server, upload} = await setup();
  server.people.setting('upload_quota_mib', 1);
  await upload('a.bin', 'x'.repeat(1024 * 1024));
  const reply = await client.upload('/user_uploads', 'b.bin', bytes('x'));
  expect(reply).toMatchObject({status: 400, body: {code: 'REALM_UPLOAD_QUOTA'}});
  expect((await client.get('/attachments')).attachments).toHaveLength(1);
});

test('uploads: only the owner can fetch a file until a message shares it', async () => {
  const {client, server, meg, otto, other, upload} = await setup();
  const channel = server.people.channel('team', [meg, otto], {invite_only: 1});
  const stranger = server.as(server.people.admin());
  const {url} = await upload('plan.txt', 'secret', 'text/plain');
  const status = async (viewer: typeof client) => (await viewer.web(url)).status;
  expect([await status(client), await status(other), await status(stranger)]).toEqual([200, 403, 403]);
  sendToChannel(server, meg, channel, `see [plan.txt](${url})`);
  expect([await status(client), await status(other), await status(stranger)]).toEqual([200, 200, 403]);
  await stranger.refused('GET', url, {}, {...bad, status: 403});
});

test('uploads: without credentials an existing and a missing file get the same response', async () => {
  const {server, upload} = await setup();
  const {url} = await upload('plan.txt', 'secret');
  const anonymous = server.anonymous();
  const [there, nowhere] = [await anonymous.web(url), await anonymous.web(`${url}x`)];
  expect([there.status, nowhere.status]).toEqual([403, 403]);
  expect(await there.text()).toBe(await nowhere.text());
});

test('uploads: an unknown path is not found', async () => {
  const {client, upload} = await setup();
  const {url} = await upload('plan.txt', 'secret');
  for (const path of [`${url}x`, url.replace('/1/', '/2/'), '/user_uploads/1/..%2f..%2fetc%2fpasswd']) {
    expect((await client.web(path)).status).toBe(404);
    await client.refused('GET', path, {}, {...bad, status: 404});
  }
});

test('uploads: a temporary URL works for a minute without credentials, for one file', async () => {
  const {clock, client, server, upload} = await setup();
  const {url: path} = await upload('plän.txt', 'secret');
  const {url: elsewhere} = await upload('other.txt', 'other');
  const {url} = await client.get(encodeURI(path));
  const anonymous = server.anonymous();
  clock.advance(59_000);
  expect(await (await anonymous.web(url)).text()).toBe('secret');
  const query = url.slice(url.indexOf('?'));
  expect((await anonymous.web(elsewhere + query)).status).toBe(403);
  expect((await anonymous.web(url.replace('expires=1', 'expires=2'))).status).toBe(403);
  expect((await anonymous.web(`${url}x`)).status).toBe(403);
  clock.advance(2000);
  expect((await anonymous.web(url)).status).toBe(403);
});

test('uploads: the legacy api_key in the URL is accepted', async () => {
  const {server, meg, upload} = await setup();
  const {url} = await upload('plan.txt', 'secret');
  const query = new URLSearchParams({email: meg.email, api_key: meg.apiKey});
  expect((await server.anonymous().web(`${url}?${query}`)).status).toBe(200);
});

test('uploads: a part of a file can be fetched', async () => {
  const {client, upload} = await setup();
  const {url} = await upload('digits.txt', '0123456789', 'text/plain');
  const part = async (range: string) => {
    const reply = await client.web(url, {range});
    return [reply.status, reply.headers.get('content-range'), await reply.text()];
  };
  expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await part('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await part('bytes=-99')).toEqual([206, 'bytes 0-9/10', '0123456789']);
  expect(await part('bytes=5-99')).toEqual([206, 'bytes 5-9/10', '56789']);
  expect(await part('bytes=10-')).toEqual([416, 'bytes */10', '']);
  expect(await part('bytes=0-1,3-4')).toEqual([200, null, '0123456789']);
});

test('uploads: a part of a file on disk can be fetched', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(directory, {recursive: true}));
  const {client, upload} = await setup({files: directoryFileStore(directory)});
  const {url} = await upload('digits.txt', '0123456789', 'text/plain');
  const reply = await client.web(url, {range: 'bytes=2-4'});
  expect([reply.status, await reply.text()]).toEqual([206, '234']);
});

const dotPng = () => new Uint8Array(pngFile({width: 1, height: 1, rgba: new Uint8Array([1, 2, 3, 255])}));

test('uploads: the thumbnail of an image is always ready, for those who may read it; other files have none', async () => {
  const {client, server, upload} = await setup();
  const {body} = await client.upload('/user_uploads', 'dot.png', dotPng(), 'image/png');
  const statusOf = (url: string) => url.replace('user_uploads', 'thumbnail/status');
  const status = statusOf(body.url);
  expect(await client.get(status)).toEqual({result: 'success', msg: '', has_thumbnail: true});
  const stranger = server.as(server.people.member('Sam'));
  const refusal = {...bad, status: 400};
  const {url} = await upload('plan.txt', 'no image', 'text/plain');
  for (const reply of [
    await stranger.refused('GET', status, {}, refusal),
    await client.refused('GET', status.replace('dot', 'no'), {}, refusal),
    await client.refused('GET', statusOf(url), {}, refusal),
  ]) {
    expect(reply.msg).toBe('Invalid attachment');
  }
});

test('uploads: the path to download a file makes browsers save it', async () => {
  const {client, server} = await setup();
  const {body} = await client.upload('/user_uploads', 'dot.png', dotPng(), 'image/png');
  const path = body.url.replace('/user_uploads/', '/user_uploads/download/');
  const reply = await client.web(path);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-disposition')).toContain('attachment; filename="dot.png"');
  expect((await client.web(body.url)).headers.get('content-disposition')).toContain('inline');
  expect((await server.as(server.people.member('Sam')).web(path)).status).toBe(403);
});

test('uploads: an aborted upload is not stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(directory, {recursive: true}));
  const {server, meg} = await setup({files: directoryFileStore(directory)});
  const credentials = Buffer.from(`${meg.email}:${meg.apiKey}`).toString('base64');
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST /api/v1/user_uploads HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Basic ${credentials}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000\r\n\r\n' +
      '--b\r\ncontent-disposition: form-data; name="f"; filename="a.bin"\r\n\r\nhalf of it',
  );
  await expect.poll(() => readdir(directory)).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => readdir(directory)).toEqual([]);
});

test('uploads: a file in several messages can be fetched by the readers of any of them', async () => {
  const {server, meg, otto, other, upload} = await setup();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const open = server.people.channel('open', [meg, otto]);
  const {url} = await upload('notes.txt', 'remember the milk');
  sendToChannel(server, meg, secret, `[notes](${url})`);
  expect((await other.web(url)).status).toBe(403);
  sendToChannel(server, meg, open, `[notes](${url})`);
  sendToChannel(server, meg, secret, `[notes](${url})`);
  expect((await other.web(url)).status).toBe(200);
});

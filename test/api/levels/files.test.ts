import {once} from 'node:events';
import {expect, test} from 'vitest';
import {makeApi} from '#api/api.ts';
import {FileChangedError} from '#api/multipart.ts';
import {clientOf, connectTo, failureOf, httpServer} from '#test/api/client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';
import {slowTest} from '#test/support/tier.ts';
import {uploadIcon} from '#wire/endpoints/organization.ts';

async function setup(options: {uploadLimit?: number; level?: number} = {}) {
  const server = await testServer(options);
  const meg = server.people.member();
  return {server, api: clientOf(server, meg)};
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString();
}

/** A stream of bytes that counts how much has been read. */
function bytes(size: number, chunk = 64 * 1024) {
  const state = {read: 0, returned: false};
  async function* data(): AsyncGenerator<Uint8Array, void> {
    try {
      while (state.read < size) {
        const length = Math.min(chunk, size - state.read);
        state.read += length;
        yield Buffer.alloc(length, 'x');
      }
    } finally {
      state.returned = true;
    }
  }
  return {state, file: {name: 'big.bin', size, data: data()}};
}

test('files: an uploaded file can be downloaded unchanged', async () => {
  const {api} = await setup();
  const text = 'Grüße\r\n--parley\r\n';
  const file = {
    name: 'a "b" ü.txt',
    size: Buffer.byteLength(text),
    data: new Blob([text]),
  };
  const progress: number[] = [];
  const sent = await api.uploadFile({file}, {onProgress: (at) => progress.push(at)});
  expect(sent.url).toMatch(/^\/user_uploads\//);
  expect(sent.filename).toMatch(/ü\.txt$/);
  expect(progress.at(-1)).toBe(file.size);
  const download = await api.connection.download(sent.url);
  expect(download).toMatchObject({contentType: expect.stringMatching(/^text\/plain/), size: file.size});
  expect(await read(download.body)).toBe(text);
});

test.each([122, 271, 509])('files: at level %i an upload returns URL and name', async (level) => {
  const {api} = await setup({level});
  const sent = await api.uploadFile({file: {name: 'x.txt', size: 1, data: new Blob(['x'])}});
  expect(sent).toEqual({url: expect.stringMatching(/^\/user_uploads\/.*x\.txt$/), filename: 'x.txt'});
});

slowTest('files: a large file arrives complete', async () => {
  const {api} = await setup();
  const {file} = bytes(24 * 1024 * 1024);
  const {url} = await api.uploadFile({file});
  const {size, body} = await api.connection.download(url);
  expect(size).toBe(file.size);
  let received = 0;
  for await (const chunk of body) received += chunk.length;
  expect(received).toBe(file.size);
});

test('files: an upload reads the file no faster than the server accepts it', async () => {
  const site = await httpServer((request, response) => {
    // The server does not read the upload.
    if (request.method === 'GET') response.end(JSON.stringify({result: 'success', msg: ''}));
  });
  const connection = connectTo({site});
  const {file, state} = bytes(1024 * 1024 * 1024);
  const abort = new AbortController();
  const upload = makeApi(connection).uploadFile({file}, {signal: abort.signal});
  for (let round = 0; round < 50; round++) await connection.callRaw('GET', '/x', {});
  expect(state.read).toBeGreaterThan(0);
  expect(state.read).toBeLessThan(32 * 1024 * 1024);
  abort.abort(new Error('enough'));
  await expect(upload).rejects.toThrow('enough');
});

test('files: an upload waits for a slow file, but not for a server that does not answer', async () => {
  const clock = new ManualClock();
  const {promise: arrived, resolve: noteArrival} = Promise.withResolvers<void>();
  const {promise: isComplete, resolve: noteEnd} = Promise.withResolvers<void>();
  const site = await httpServer((request, response) => {
    if (request.method === 'GET') response.end(JSON.stringify({result: 'success', msg: ''}));
    else request.on('data', () => noteArrival()).on('end', () => noteEnd());
  });
  const {promise: isRead, resolve: finishReading} = Promise.withResolvers<void>();
  async function* data(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from('a');
    await isRead;
    yield Buffer.from('b');
  }
  const connection = connectTo({site, clock});
  const file = {name: 'slow.txt', size: 2, data: data()};
  const upload = failureOf(makeApi(connection).uploadFile({file}, {timeoutMs: 1000}));
  await arrived;
  clock.advance(10_000);
  finishReading();
  await isComplete;
  // The client has noticed the end of the file when another request is answered.
  await connection.callRaw('GET', '/x', {});
  clock.advance(1000);
  expect(await upload).toMatchObject({kind: 'retry', reason: 'timeout', carriedOut: 'maybe'});
});

test('files: cancelling an upload closes its source', async () => {
  let arrived = 0;
  let closed: Promise<unknown> | undefined;
  const site = await httpServer((request) => {
    closed = once(request, 'close');
    request.on('data', (data: Buffer) => {
      arrived += data.length;
    });
    request.on('error', () => {});
  });
  const connection = connectTo({site});
  const {file, state} = bytes(1024 * 1024 * 1024);
  const abort = new AbortController();
  const reason = new Error('not this one');
  const upload = makeApi(connection).uploadFile(
    {file},
    {signal: abort.signal, onProgress: (sent) => sent > 1_000_000 && abort.abort(reason)},
  );
  await expect(upload).rejects.toBe(reason);
  await closed;
  expect(state.returned).toBe(true);
  expect(arrived).toBeLessThan(file.size);
});

test('files: an upload fails if the file shrinks or grows, and nothing is stored', async () => {
  const {api} = await setup();
  for (const size of [10, 1000]) {
    const {file} = bytes(100);
    await expect(api.uploadFile({file: {...file, size}})).rejects.toBeInstanceOf(FileChangedError);
  }
  expect((await api.getAttachments()).attachments).toEqual([]);
});

test('files: an error of reading the file is thrown unchanged', async () => {
  const {api} = await setup();
  const reason = new Error('the disk is gone');
  // biome-ignore lint/correctness/useYield: it fails before the first byte
  async function* data(): AsyncGenerator<Uint8Array, void> {
    throw reason;
  }
  await expect(api.uploadFile({file: {name: 'x', size: 5, data: data()}})).rejects.toBe(reason);
});

test('files: a file that is too large fails permanently', async () => {
  const {api} = await setup({uploadLimit: 1024 * 1024});
  const failure = await failureOf(api.uploadFile({file: bytes(8 * 1024 * 1024).file}));
  expect(failure).toMatchObject({kind: 'permanent', status: 400, carriedOut: 'no'});
});

test('files: downloads of missing and forbidden files fail with 404 and 403', async () => {
  const {server, api} = await setup();
  expect(await failureOf(api.connection.download('/user_uploads/1/aa/nothing.txt'))).toMatchObject({
    kind: 'permanent',
    status: 404,
    message: expect.stringContaining('does not have this file'),
  });
  const {url} = await api.uploadFile({file: {name: 'x', size: 1, data: new Blob(['x'])}});
  const stranger = clientOf(server, server.people.member('Otto'));
  expect(await failureOf(stranger.connection.download(url))).toMatchObject({kind: 'permanent', status: 403});
});

test('files: a download has a size limit and can be cancelled', async () => {
  const {api} = await setup();
  const {url} = await api.uploadFile({file: bytes(300_000).file});
  const bounded = await api.connection.download(url, {maxBytes: 1000});
  expect(await failureOf(read(bounded.body))).toMatchObject({kind: 'malformed', endpoint: 'file.download'});
  const left = await api.connection.download(url);
  for await (const chunk of left.body) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  (await api.connection.download(url)).cancel();
  expect(await api.getOwnUser()).toMatchObject({email: 'meg.member@example.com'});
});

test('files: an interrupted download fails and can be retried', async () => {
  const site = await httpServer((_request, response) => {
    response.writeHead(200, {'content-length': '1000'});
    response.write('half', () => response.destroy());
  });
  const {body} = await connectTo({site}).download('/x');
  expect(await failureOf(read(body))).toMatchObject({kind: 'retry', reason: 'network'});
});

/** A PNG of 3 by 2 pixels, as far as its header says. */
const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex');
const picture = (name: string) => ({name, size: png.length, data: new Blob([png])});

test.each(['chart.png', 'chart', 'chart.txt'])(
  'files: an image named %s gets a preview and is found by has:image',
  async (name) => {
    const {api} = await setup();
    const {url} = await api.uploadFile({file: picture(name)});
    const sent = await api.sendMessage({
      type: 'direct',
      to: [(await api.getOwnUser({})).user_id],
      content: `[c](${url})`,
    });
    const page = await api.getMessages({
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{operator: 'has', operand: 'image'}],
      apply_markdown: true,
    });
    expect(page.messages).toMatchObject([
      {id: sent.id, content: expect.stringContaining('data-original-dimensions="3x2"')},
    ]);
  },
);

test('files: custom emoji, avatars and the icon of the organization are accepted by their type', async () => {
  const {server} = await setup();
  const api = clientOf(server, server.people.owner());
  await api.addEmoji({emoji_name: 'chart', file: picture('chart.png')});
  expect(Object.values((await api.getEmoji()).emoji)).toMatchObject([{name: 'chart'}]);
  const {avatar_url} = await api.uploadAvatar({file: picture('me.png')});
  const {icon_url} = await api.connection.upload(uploadIcon, {}, picture('icon.png'));
  for (const url of [avatar_url ?? '', icon_url]) {
    const {body, contentType} = await api.connection.download(url);
    expect([contentType, Buffer.concat(await Array.fromAsync(body))]).toEqual(['image/png', png]);
  }
});

test('files: the server decides by the given type: an image sent as application/octet-stream is none', async () => {
  const {server} = await setup();
  const owner = server.as(server.people.owner());
  const type = 'application/octet-stream';
  for (const path of ['/realm/emoji/chart', '/users/me/avatar', '/realm/icon']) {
    expect((await owner.upload(path, 'chart.png', new Uint8Array(png), type)).body).toMatchObject({
      msg: 'Invalid image format',
    });
  }
  const {url} = (await owner.upload('/user_uploads', 'chart.png', new Uint8Array(png), type)).body;
  const {id} = await owner.post('/messages', {
    type: 'direct',
    to: [server.people.member('Otto').id],
    content: `[c](${url})`,
  });
  expect((await owner.get(`/messages/${id}`, {apply_markdown: true})).message.content).not.toContain('<img');
});

test.each([
  ['notes.txt', 'text/plain; charset=utf-8'],
  ['core.unknown', 'application/octet-stream'],
])('files: the type of %s, which the client gives or the server guesses, is %s', async (name, type) => {
  const {api} = await setup();
  const {url} = await api.uploadFile({file: {name, size: 1, data: new Blob(['x'])}});
  expect((await api.connection.download(url)).contentType).toBe(type);
});

import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {slowTest} from '#test/support/tier.ts';
import {endpoints} from '#wire/endpoints.ts';
import {failureMessage} from '#wire/failure.ts';
import {connectTo, failureOf, httpServer, tcpServer} from './client.ts';

const credentials = {email: 'meg@example.com', apiKey: 'k'.repeat(32)};
const ok = (fields: object = {}) => JSON.stringify({result: 'success', msg: '', ...fields});
const settings = ok({zulip_feature_level: 509, realm_name: 'Ünïcode'});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
] as const)('transport: a body compressed with %s is decoded', async (encoding, compress) => {
  let acceptEncoding: string | undefined;
  const site = await httpServer((request, response) => {
    acceptEncoding = request.headers['accept-encoding'];
    response.writeHead(200, {'content-encoding': encoding}).end(compress(Buffer.from(settings)));
  });
  const settingsResult = await connectTo({site}).call(endpoints.getServerSettings, {});
  expect(settingsResult.realm_name).toBe('Ünïcode');
  expect(acceptEncoding).toBe('gzip, br, deflate');
});

test.each([
  ['gzip', gzipSync],
  ['br', (bytes: Buffer) => brotliCompressSync(bytes, {params: {[constants.BROTLI_PARAM_QUALITY]: 1}})],
  ['deflate', deflateSync],
] as const)('transport: a %s bomb is stopped at the limit', async (encoding, compress) => {
  const bomb = compress(Buffer.alloc(32 * 1024 * 1024, 'a'));
  const site = await httpServer((_request, response) => {
    response.writeHead(200, {'content-encoding': encoding}).end(bomb);
  });
  const connection = connectTo({site, maxBodyBytes: 1024 * 1024});
  const before = process.memoryUsage().arrayBuffers;
  const failure = await failureOf(connection.call(endpoints.getServerSettings, {}));
  expect(failure).toMatchObject({kind: 'malformed'});
  expect(failureMessage(failure)).toContain('larger than 1 MiB');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
});

slowTest(
  'transport: the snapshot may have 64 MiB, a list of topics 16 MiB, small responses 4 MiB, compressed and decompressed',
  async () => {
    const mib = 1024 * 1024;
    let size = 0;
    let encoding = 'gzip';
    const site = await httpServer((_request, response) => {
      response.writeHead(200, {'content-encoding': encoding, 'content-type': 'application/json'});
      const body = Buffer.concat([Buffer.from(settings), Buffer.alloc(size - Buffer.byteLength(settings), ' ')]);
      response.end(encoding === 'gzip' ? gzipSync(body, {level: 1}) : body);
    });
    const connection = connectTo({site, credentials});
    connection.level = 509;
    for (encoding of ['gzip', 'identity']) {
      size = 4 * mib;
      expect(await connection.call(endpoints.getServerSettings, {})).toMatchObject({realm_name: 'Ünïcode'});
      size += 1;
      const failure = await failureOf(connection.call(endpoints.getServerSettings, {}));
      expect(failure).toMatchObject({kind: 'malformed', isTooLarge: true});
      expect(failureMessage(failure)).toMatch(/^Invalid response from [^ ]+: it is larger than 4 MiB\.$/);
      const topics = () => failureOf(connection.call(endpoints.getTopics, {stream_id: 1}));
      expect(await topics()).toMatchObject({isTooLarge: false});
      size = 16 * mib + 1;
      expect(await topics()).toMatchObject({isTooLarge: true});
      // The body is read to its end and has no queue id.
      expect(await failureOf(connection.call(endpoints.register, {}))).toMatchObject({isTooLarge: false});
      size = 64 * mib + 1;
      expect(await failureOf(connection.call(endpoints.register, {}))).toMatchObject({isTooLarge: true});
    }
  },
);

test('connection: a request without a response for 8 seconds is reported, and so is the next response', async () => {
  const clock = new ManualClock();
  const waiting: (() => void)[] = [];
  let arrived = () => {};
  const site = await httpServer((_request, response) => {
    waiting.push(() => response.end(settings));
    arrived();
  });
  const connection = connectTo({site, credentials, clock});
  const silences: (number | undefined)[] = [];
  connection.onSilence = (since) => silences.push(since);
  const nextArrival = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  const since = clock.monotonic();
  let arrival = nextArrival();
  const slow = connection.callRaw('GET', '/events', {}, {isSlow: true});
  await arrival;
  arrival = nextArrival();
  const silent = connection.call(endpoints.getServerSettings, {});
  await arrival;
  clock.advance(7999);
  expect(silences).toEqual([]);
  clock.advance(1);
  expect(silences).toEqual([since]);
  for (const respond of waiting) respond();
  await Promise.all([slow, silent]);
  expect(silences).toEqual([since, undefined]);
  clock.advance(60_000);
  expect(silences).toEqual([since, undefined]);
});

test('transport: an endless body is stopped at the limit', async () => {
  const site = await httpServer((_request, response) => {
    const pour = () => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
  });
  const connection = connectTo({site, maxBodyBytes: 1_000_000});
  expect(await failureOf(connection.call(endpoints.getServerSettings, {}))).toMatchObject({
    kind: 'malformed',
  });
});

test('transport: a body with an announced size above the limit is not read', async () => {
  const site = await httpServer((_request, response) => {
    response.writeHead(200, {'content-length': String(10 ** 12)}).write('x');
  });
  expect(await failureOf(connectTo({site}).call(endpoints.getServerSettings, {}))).toMatchObject({
    kind: 'malformed',
  });
});

test.each([
  ['gzip', Buffer.from('this is not gzip')],
  ['gzip', gzipSync(Buffer.from(settings)).subarray(0, 30)],
  ['br', Buffer.from('this is not brotli')],
  ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3])],
  ['snappy', Buffer.from('x')],
])('transport: a body that is not valid %s is malformed', async (encoding, body) => {
  const site = await httpServer((_request, response) => {
    response.writeHead(200, {'content-encoding': encoding}).end(body);
  });
  expect(await failureOf(connectTo({site}).call(endpoints.getServerSettings, {}))).toMatchObject({
    kind: 'malformed',
  });
});

test('transport: a rejection with a broken body is still a rejection', async () => {
  const site = await httpServer((_request, response) => {
    response.writeHead(403, {'content-encoding': 'gzip'}).end('garbage');
  });
  expect(await failureOf(connectTo({site}).callRaw('GET', '/x', {}))).toMatchObject({
    kind: 'permanent',
    status: 403,
  });
});

test.each([
  ['identity', 0],
  ['identity', 4096],
  ['gzip', 0],
])('transport: a %s body that arrives too slowly after %i bytes times out', async (encoding, quickBytes) => {
  const bytes = encoding === 'gzip' ? gzipSync(Buffer.from(settings)) : Buffer.from(settings);
  const site = await httpServer((_request, response) => {
    response.writeHead(200, encoding === 'gzip' ? {'content-encoding': 'gzip'} : {});
    if (quickBytes > 0) response.write(' '.repeat(quickBytes));
    let at = 0;
    const drip = setInterval(() => {
      response.write(bytes.subarray(at, at + 1));
      at = Math.min(at + 1, 20);
    }, 10);
    response.on('close', () => clearInterval(drip));
  });
  const connection = connectTo({site, timeouts: {body: 120}});
  expect(await failureOf(connection.call(endpoints.getServerSettings, {}))).toMatchObject({
    kind: 'retry',
    reason: 'timeout',
    carriedOut: 'maybe',
  });
});

test('transport: a body that stops times out', async () => {
  const site = await httpServer((_request, response) => {
    response.writeHead(200, {'content-length': '1000'}).write('{"result"');
  });
  const connection = connectTo({site, timeouts: {body: 100}});
  expect(await failureOf(connection.call(endpoints.getServerSettings, {}))).toMatchObject({
    kind: 'retry',
    reason: 'timeout',
  });
});

test('transport: a server that does not respond times out', async () => {
  const port = await tcpServer(() => {});
  const connection = connectTo({site: `http://127.0.0.1:${port}`, timeouts: {headers: 100}});
  const failure = await failureOf(connection.callRaw('POST', '/messages', {content: 'x'}));
  expect(failure).toMatchObject({kind: 'retry', reason: 'timeout', carriedOut: 'maybe'});
});

test.each([
  'SSH-2.0-OpenSSH_9.6\r\n',
  'HTTP/1.1 banana\r\n\r\n',
  '\0\0\0\0',
  `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`,
])('transport: a response that is not HTTP is malformed: %#', async (garbage) => {
  const port = await tcpServer((socket) => socket.once('data', () => socket.end(garbage)));
  const connection = connectTo({site: `http://127.0.0.1:${port}`});
  expect(await failureOf(connection.callRaw('GET', '/users/me', {}))).toMatchObject({kind: 'malformed'});
});

test('transport: a refused connection or unknown host means that nothing was carried out', async () => {
  const refused = connectTo({site: 'http://127.0.0.1:1'});
  const failure = await failureOf(refused.callRaw('POST', '/messages', {}));
  expect(failure).toMatchObject({kind: 'retry', reason: 'network', carriedOut: 'no'});
  expect(failureMessage(failure)).toBe('Cannot reach 127.0.0.1:1: connection refused.');
  const nowhere = connectTo({site: 'http://no-such-host.invalid'});
  expect(await failureOf(nowhere.callRaw('POST', '/messages', {}))).toMatchObject({
    kind: 'retry',
    reason: 'network',
    carriedOut: 'no',
  });
});

test('transport: a request that follows a response at once uses its connection', async () => {
  const ports = new Set<number | undefined>();
  const site = await httpServer((request, response) => {
    ports.add(request.socket.remotePort);
    response.end(settings);
  });
  const connection = connectTo({site});
  for (let round = 0; round < 5; round++) await connection.call(endpoints.getServerSettings, {});
  expect(ports.size).toBe(1);
});

test('transport: an abort ends a call while it connects', async () => {
  // An address of the documentation range, which never responds.
  const connection = connectTo({site: 'http://192.0.2.1'});
  const abort = new AbortController();
  const call = connection.callRaw('GET', '/users/me', {}, {signal: abort.signal});
  abort.abort(new Error('changed my mind'));
  await expect(call).rejects.toThrow('changed my mind');
});

test('transport: an abort in the middle of a body closes the connection', async () => {
  let closed: Promise<unknown> | undefined;
  const site = await httpServer((_request, response) => {
    closed = once(response, 'close');
    response.writeHead(200, {'content-length': '1000'}).write('{"result"');
  });
  const abort = new AbortController();
  const connection = connectTo({site});
  const download = await connection.download('/file', {signal: abort.signal});
  const reading = Array.fromAsync(download.body);
  abort.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
  await closed;
});

test('transport: a path in the server address is preserved', async () => {
  const paths: (string | undefined)[] = [];
  const site = await httpServer((request, response) => {
    paths.push(request.url);
    response.end(settings);
  });
  const connection = connectTo({site: `${site}/chat/`});
  expect(connection.site).toBe(`${site}/chat`);
  await connection.call(endpoints.getServerSettings, {});
  for (const path of ['/user_uploads/1/x', '/chat/user_uploads/1/x']) {
    (await connection.download(path)).cancel();
  }
  expect(paths).toEqual(['/chat/api/v1/server_settings', '/chat/user_uploads/1/x', '/chat/user_uploads/1/x']);
});

interface SeenRequest {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
}

const seenRequest = ({url, headers}: IncomingMessage): SeenRequest => ({
  url,
  authorization: headers.authorization,
});

test('transport: a GET follows redirects on the same origin with credentials', async () => {
  const requests: SeenRequest[] = [];
  const site = await httpServer((request, response) => {
    requests.push(seenRequest(request));
    if (request.url?.startsWith('/api/v1/users/me')) {
      response.writeHead(302, {location: '/elsewhere?a=1'}).end();
    } else response.end(ok({moved: true}));
  });
  const connection = connectTo({site, credentials});
  expect(await connection.callRaw('GET', '/users/me', {x: '1'})).toMatchObject({moved: true});
  expect(requests.map(({url}) => url)).toEqual(['/api/v1/users/me?x=1', '/elsewhere?a=1']);
  expect(new Set(requests.map(({authorization}) => authorization)).size).toBe(1);
  expect(requests[0]?.authorization).toMatch(/^Basic /);
});

test('transport: a call does not follow redirects to another host; the message has the right address', async () => {
  const requests: SeenRequest[] = [];
  const other = await httpServer((request, response) => {
    requests.push(seenRequest(request));
    response.end(ok());
  });
  const site = await httpServer((_request, response) => {
    response.writeHead(301, {location: `${other}/team/api/v1/users/me`}).end();
  });
  const connection = connectTo({site, credentials});
  for (const method of ['GET', 'POST']) {
    const failure = await failureOf(connection.callRaw(method, '/users/me', {}));
    expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no', code: 'CANNOT_CONNECT'});
    expect(failureMessage(failure)).toContain(`redirects to ${other}/team: use this`);
  }
  expect(requests).toEqual([]);
});

test('transport: a redirect to a page of another host is not called the address of the server', async () => {
  const site = await httpServer((_request, response) => {
    response.writeHead(302, {location: 'http://portal.example/login'}).end();
  });
  const failure = await failureOf(connectTo({site, credentials}).callRaw('GET', '/users/me', {}));
  expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no', code: 'CANNOT_CONNECT'});
  expect(failureMessage(failure)).toContain(
    'redirects to a page of http://portal.example: check the address, and for a proxy or a network login page.',
  );
});

test('transport: a POST does not follow redirects, even on the same origin', async () => {
  let requests = 0;
  const site = await httpServer((_request, response) => {
    requests++;
    response.writeHead(307, {location: '/login/'}).end();
  });
  const failure = await failureOf(connectTo({site, credentials}).callRaw('POST', '/messages', {content: 'x'}));
  expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no'});
  expect(requests).toBe(1);
});

test('transport: five redirects are followed; more are a loop, which fails', async () => {
  let redirects = 5;
  const site = await httpServer((request, response) => {
    if (redirects-- > 0) response.writeHead(302, {location: request.url}).end();
    else response.end('{"result":"success","msg":""}');
  });
  const connection = connectTo({site});
  expect(await connection.callRaw('GET', '/users/me', {})).toMatchObject({result: 'success'});
  redirects = 6;
  expect(failureMessage(await failureOf(connection.callRaw('GET', '/users/me', {})))).toMatch(/in a loop/);
});

test.each([['javascript:alert(1)'], ['http://['], ['file:///etc/passwd'], [undefined]])(
  'transport: a redirect to %j is malformed',
  async (location) => {
    const site = await httpServer((_request, response) => {
      response.writeHead(302, location === undefined ? {} : {location}).end();
    });
    expect(await failureOf(connectTo({site}).callRaw('GET', '/x', {}))).toMatchObject({kind: 'malformed'});
  },
);

test('transport: a download is not redirected to another origin, and the sentence names it', async () => {
  const seen: string[] = [];
  const other = await httpServer((request, response) => {
    seen.push(String(request.url));
    response.end('bytes');
  });
  const home: string = await httpServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, {location: '/file'}).end();
    else if (request.url === '/file') response.end('bytes');
    else response.writeHead(302, {location: `${other}/bucket`}).end();
  });
  const connection = connectTo({site: home, credentials});
  const own = await connection.download('/moved');
  expect(Buffer.concat(await Array.fromAsync(own.body)).toString()).toBe('bytes');
  for (const address of ['/user_uploads/1/x', `${other}/emoji.json`]) {
    const failure = await failureOf(connection.download(address));
    expect(failure).toMatchObject({kind: 'permanent', code: 'OTHER_HOST', carriedOut: 'no'});
    expect(failureMessage(failure)).toContain(
      `at ${other}, and Parley connects to your server only. Open it in the browser`,
    );
  }
  expect(seen).toEqual([]);
});

test('transport: where other hosts are allowed, a download follows redirects to one and back, without credentials', async () => {
  const requests: Record<string, SeenRequest[]> = {home: [], other: []};
  const home = await httpServer((request, response) => {
    requests.home?.push(seenRequest(request));
    if (request.url === '/back') response.end('bytes');
    else response.writeHead(302, {location: `${other}/bucket`}).end();
  });
  const other: string = await httpServer((request, response) => {
    requests.other?.push(seenRequest(request));
    response.writeHead(302, {location: `${home}/back`}).end();
  });
  const connection = connectTo({site: home, credentials, mayUseOtherHosts: () => true});
  const download = await connection.download('/user_uploads/1/x');
  expect(Buffer.concat(await Array.fromAsync(download.body)).toString()).toBe('bytes');
  expect(download.url).toBe(`${home}/back`);
  expect(requests.home?.map(({authorization}) => authorization !== undefined)).toEqual([true, false]);
  expect(requests.other).toEqual([{url: '/bucket', authorization: undefined}]);
});

test.each([['//evil.example/x'], ['https://evil.example/x']])(
  'transport: %j is fetched without credentials',
  async (address) => {
    const requests: SeenRequest[] = [];
    const proxy = await httpServer((request, response) => {
      requests.push(seenRequest(request));
      response.end('bytes');
    });
    const connection = connectTo({
      site: 'http://home.example',
      credentials,
      proxies: {http: proxy, https: proxy},
      timeouts: {connect: 500},
      mayUseOtherHosts: () => true,
    });
    await connection.download(address).then(
      (download) => download.cancel(),
      () => {},
    );
    expect(requests.every(({authorization}) => authorization === undefined)).toBe(true);
  },
);

test.each(['javascript:1', 'data:text/plain,x', 'file:///etc/passwd', 'http://['])(
  'transport: %j is not the URL of a file',
  async (address) => {
    const connection = connectTo({site: 'http://127.0.0.1:1'});
    expect(await failureOf(connection.download(address))).toMatchObject({
      kind: 'permanent',
      carriedOut: 'no',
    });
  },
);

import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import {connectTo, httpServer, tcpServer} from './client.ts';

const apiKey = 'ThisIsTheSecretKeyOfSomebody1234';
const email = 'meg@example.com';
const password = 'proxy-password';
const token = Buffer.from(`${email}:${apiKey}`).toString('base64');
const secrets = [apiKey, token, password, btoa(`user:${password}`), 'PRIVATE KEY'];

/** Prints an object in every way. */
function printed(value: unknown): string {
  const deep = {depth: 20, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null};
  const error = value instanceof Error ? `${value.stack} ${value.message} ${inspect(value.cause, deep)}` : '';
  const own =
    typeof value === 'object' && value !== null
      ? Reflect.ownKeys(value).map((key) => inspect(Reflect.get(value, key), {depth: 20}))
      : [];
  return [inspect(value, deep), JSON.stringify(value), String(value), error, ...own].join('\n');
}

function expectNoSecrets(value: unknown): void {
  const text = printed(value);
  expect(text.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(text).not.toContain(secret);
}

const credentials = {email, apiKey};
const proxy = `http://user:${password}@127.0.0.1:1`;

test('secrets: printing a connection shows none', () => {
  const connection = new Connection({
    site: 'https://chat.example.com',
    userAgent: 'x',
    credentials,
    proxies: {http: proxy, https: proxy},
  });
  expectNoSecrets(connection);
  expectNoSecrets(makeApi(connection));
});

/** Every way a call can fail, each with a server that tries to leak the request. */
const failingSetups: Record<string, () => Promise<{site: string; options?: object}>> = {
  'connection refused': async () => ({site: 'http://127.0.0.1:1'}),
  'no such host': async () => ({site: 'http://no-such-host.invalid'}),
  'proxy not there': async () => ({site: 'http://chat.example.com', options: {proxies: {http: proxy}}}),
  'tunnel not there': async () => ({site: 'https://chat.example.com', options: {proxies: {https: proxy}}}),
  'connection dropped': async () => ({
    site: `http://127.0.0.1:${await tcpServer((socket) => socket.once('data', () => socket.destroy()))}`,
  }),
  'request echoed as garbage': async () => ({
    site: `http://127.0.0.1:${await tcpServer((socket) => socket.once('data', (data) => socket.end(data)))}`,
  }),
  silence: async () => ({
    site: `http://127.0.0.1:${await tcpServer(() => {})}`,
    options: {timeouts: {headers: 50}},
  }),
  'refusal that echoes everything': async () => ({
    site: await httpServer((request, response) => {
      const msg = `${request.headers.authorization} ${apiKey}`;
      response.writeHead(400).end(JSON.stringify({result: 'error', msg, code: 'BAD_REQUEST', headers: msg}));
    }),
  }),
  'login refused with an echo': async () => ({
    site: await httpServer((request, response) => {
      const msg = `Bad ${request.headers.authorization} ${apiKey}`;
      response.writeHead(401).end(JSON.stringify({result: 'error', msg}));
    }),
  }),
  'server error with an echo': async () => ({
    site: await httpServer((request, response) => {
      const msg = `Bad ${request.headers.authorization} ${apiKey}`;
      response.writeHead(500).end(JSON.stringify({result: 'error', msg, code: 'INTERNAL_SERVER_ERROR'}));
    }),
  }),
  'truncated response': async () => ({
    site: await httpServer((request, response) => {
      response.end(`{"result":"success","echo":"${request.headers.authorization}`);
    }),
  }),
  redirect: async () => ({
    site: await httpServer((_request, response) => {
      response.writeHead(302, {location: 'https://user:secret@other.example/api/v1/x'}).end();
    }),
  }),
  'bad TLS': async () => {
    const site = await httpServer((_request, response) => response.end());
    return {site: site.replace('http:', 'https:')};
  },
};

test.each(Object.keys(failingSetups))('secrets: a failure shows none: %s', async (name) => {
  const setup = await failingSetups[name]?.();
  const connection = connectTo({site: '', credentials, ...setup, ...setup?.options});
  const failures = await Promise.allSettled([
    connection.callRaw('GET', '/users/me', {}),
    connection.callRaw('POST', '/messages', {content: 'x'}),
    connection.download('/user_uploads/1/x').then((file) => Array.fromAsync(file.body)),
  ]);
  for (const failure of failures) {
    if (failure.status === 'rejected') expectNoSecrets(failure.reason);
  }
  expect(failures[1]?.status).toBe('rejected');
  expectNoSecrets(connection);
});

test.each([
  ['a wrong address', {site: `https://user:${password}@chat.example.com`}],
  ['no address', {site: `user:${password}@chat`}],
  ['a wrong proxy', {site: 'https://chat.example.com', proxies: {https: `::${password}::`}}],
  [
    'a wrong key file',
    {
      site: 'https://chat.example.com',
      tls: {clientCert: '-----BEGIN PRIVATE KEY-----\nxx\n', clientKey: '-----BEGIN PRIVATE KEY-----\nx\n'},
    },
  ],
])('secrets: an error about the options shows none: %s', (_name, options) => {
  let error: unknown;
  try {
    new Connection({userAgent: 'x', ...options});
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({kind: 'permanent', code: 'CANNOT_CONNECT', carriedOut: 'no'});
  expectNoSecrets(error);
});

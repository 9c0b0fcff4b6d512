import {createRequire} from 'node:module';
import {type Socket, connect as tcpConnect} from 'node:net';
import {resolve} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {Connection} from '#api/connection.ts';
import type {ConnectionOptions} from '#api/connection-options.ts';
import {bundle} from '#build/bundle.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {endpoints} from '#wire/endpoints.ts';
import {failureMessage} from '#wire/failure.ts';
import {pem, secureServer, withCertificates} from './certificates.ts';
import {connectTo, failureOf, httpServer, tcpServer} from './client.ts';

withCertificates();

/** Replaces the address of this machine by a name that only the proxies of these tests resolve. */
const withHostName = (url: string) => url.replace('127.0.0.1', 'chat.example');

interface Proxy {
  readonly url: string;
  readonly lines: string[];
  readonly authorization: (string | undefined)[];
}

/** Starts a proxy that tunnels and forwards. It resolves every host name to this machine. */
async function proxyServer(respond?: (socket: Socket) => void): Promise<Proxy> {
  const lines: string[] = [];
  const authorization: (string | undefined)[] = [];
  const port = await tcpServer((socket) => {
    socket.once('data', (data) => {
      const [head = ''] = data.toString('latin1').split('\r\n\r\n');
      lines.push(head.split('\r\n')[0] ?? '');
      authorization.push(/^proxy-authorization: (.*)$/im.exec(head)?.[1]);
      if (respond !== undefined) {
        respond(socket);
        return;
      }
      const [, method, target] = /^(\w+) (\S+)/.exec(head) ?? [];
      const to = method === 'CONNECT' ? `http://${target}` : (target ?? '');
      const upstream = tcpConnect(Number(new URL(to).port), '127.0.0.1', () => {
        if (method === 'CONNECT') socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        else upstream.write(data.toString('latin1').replace(target ?? '', new URL(to).pathname), 'latin1');
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
  });
  return {url: `http://127.0.0.1:${port}`, lines, authorization};
}

/** Returns the class of the bundle, which has only some parts of undici. */
async function bundledConnection(): Promise<typeof Connection> {
  const entries = {connection: 'src/api/connection.ts'};
  const {files} = await bundle({root: resolve('.'), entries, outdir: scratchDirectory()});
  return createRequire(import.meta.url)(files.connection ?? '').Connection;
}

test.each([
  ['sources', async () => Connection],
  ['bundle', bundledConnection],
])('proxy: HTTP is forwarded, HTTPS is tunnelled with the account TLS settings (%s)', async (_name, load) => {
  const Loaded = await load();
  const proxy = await proxyServer();
  const proxies = {http: proxy.url, https: proxy.url};
  const open = (options: Pick<ConnectionOptions, 'site' | 'tls'>) => {
    const connection = new Loaded({userAgent: 'ParleyTest/1.0', proxies, ...options});
    onTestFinished(() => connection.close());
    return connection;
  };
  const site = withHostName((await secureServer('here')).site);
  const secure = open({site, tls: {ca: pem('authority.pem')}});
  expect(await secure.callRaw('GET', '/x', {})).toMatchObject({who: 'secure'});
  const file = {name: 'x.txt', size: 1, data: new Blob(['x'])};
  expect(await secure.upload(endpoints.uploadFile, {}, file)).toMatchObject({who: 'secure'});
  const plain = withHostName(await echoServer());
  expect(await open({site: plain}).callRaw('GET', '/x', {})).toMatchObject({url: '/api/v1/x'});
  expect(proxy.lines).toEqual([
    `CONNECT chat.example:${new URL(site).port} HTTP/1.1`,
    `GET ${plain}/api/v1/x HTTP/1.1`,
  ]);
});

function echoServer(): Promise<string> {
  return httpServer((request, response) => {
    response.end(JSON.stringify({result: 'success', msg: '', url: request.url}));
  });
}

test('proxy: certificates are checked behind a proxy too', async () => {
  const proxy = await proxyServer();
  const {site, requests} = await secureServer('here');
  const connection = connectTo({site: withHostName(site), proxies: {https: proxy.url}});
  expect(failureMessage(await failureOf(connection.callRaw('GET', '/x', {})))).toContain('cert_bundle');
  expect(proxy.lines.length).toBe(1);
  expect(requests).toEqual([]);
});

test('proxy: the proxy of one scheme is not used for the other', async () => {
  const proxy = await proxyServer();
  const connection = connectTo({site: 'https://chat.invalid', proxies: {http: proxy.url}});
  expect(await failureOf(connection.callRaw('GET', '/x', {}))).toMatchObject({
    kind: 'retry',
    carriedOut: 'no',
  });
  expect(proxy.lines).toEqual([]);
});

test('proxy: this machine is never reached through a proxy', async () => {
  const proxy = await proxyServer();
  const site = await echoServer();
  for (const address of [site, site.replace('127.0.0.1', 'localhost')]) {
    const connection = connectTo({site: address, proxies: {http: proxy.url, https: proxy.url}});
    expect(await connection.callRaw('GET', '/x', {})).toMatchObject({url: '/api/v1/x'});
  }
  expect(proxy.lines).toEqual([]);
});

test.each([
  ['chat.invalid', false],
  ['example.com, chat.invalid', false],
  ['.invalid', false],
  ['*', false],
  ['example.com', true],
  ['chat.invalid:1', true],
  ['', true],
])('proxy: NO_PROXY=%s decides whether the proxy is used', async (no, isProxied) => {
  const proxy = await proxyServer((socket) => socket.end('HTTP/1.1 502 No\r\ncontent-length: 0\r\n\r\n'));
  const connection = connectTo({site: 'http://chat.invalid', proxies: {http: proxy.url, no}});
  const failure = await failureOf(connection.callRaw('GET', '/x', {}));
  expect(failure).toMatchObject({kind: 'retry', reason: isProxied ? 'gateway' : 'network'});
  expect(proxy.lines.length).toBe(isProxied ? 1 : 0);
});

test('proxy: a URL of another kind of proxy fails with an example', () => {
  const make = () => connectTo({site: 'https://chat.example', proxies: {https: 'socks5://127.0.0.1:1080'}});
  expect(make).toThrow('must look like http://proxy.example.com:3128');
  connectTo({site: 'https://chat.example', proxies: {http: 'socks5://127.0.0.1:1080'}});
});

test('proxy: a password in its URL is sent to the proxy', async () => {
  const proxy = await proxyServer();
  const site = withHostName((await secureServer('here')).site);
  const https = proxy.url.replace('//', '//user:pa%40ss@');
  const connection = connectTo({site, proxies: {https}, tls: {ca: pem('authority.pem')}});
  await connection.callRaw('GET', '/x', {});
  expect(proxy.authorization).toEqual([`Basic ${btoa('user:pa@ss')}`]);
});

test.each([
  [407, 'permanent', /user name and password/],
  [403, 'permanent', /cannot connect.*403/],
  [502, 'retry', /cannot connect.*502/],
])('proxy: status %i fails with a message', async (status, kind, expectedMessage) => {
  const proxy = await proxyServer((socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`));
  const connection = connectTo({site: 'https://chat.example.com', proxies: {https: proxy.url}});
  const failure = await failureOf(connection.callRaw('POST', '/messages', {}));
  expect(failure).toMatchObject({kind, carriedOut: 'no'});
  expect(failureMessage(failure)).toMatch(expectedMessage);
});

test('proxy: an HTTP proxy that requires a password fails with a message', async () => {
  const proxy = await proxyServer((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'));
  const connection = connectTo({site: 'http://chat.example.com', proxies: {http: proxy.url}});
  expect(failureMessage(await failureOf(connection.callRaw('GET', '/x', {})))).toMatch(/user name and password/);
});

test.each(['silent', 'closing'])('proxy: a %s proxy is a temporary failure', async (kind) => {
  const proxy = await proxyServer((socket) => void (kind === 'closing' && socket.destroy()));
  const connection = connectTo({
    site: 'https://chat.example.com',
    proxies: {https: proxy.url},
    timeouts: {connect: 200},
  });
  const failure = await failureOf(connection.callRaw('POST', '/messages', {}));
  expect(failure).toMatchObject({kind: 'retry', carriedOut: 'no'});
  expect(failureMessage(failure)).toMatch(/^The proxy 127\.0\.0\.1:\d+ (?:does not respond|cannot connect)/);
});

test.each(['https', 'http'])('proxy: an unreachable proxy is named, not the %s server', async (scheme) => {
  const proxy = 'http://user:secret@127.0.0.1:1';
  const connection = connectTo({site: `${scheme}://chat.example.com`, proxies: {[scheme]: proxy}});
  const failure = await failureOf(connection.callRaw('POST', '/x', {}));
  expect(failure).toMatchObject({kind: 'retry', reason: 'network', carriedOut: 'no'});
  expect(failureMessage(failure)).toBe(
    'Cannot reach the proxy 127.0.0.1:1, which is set for chat.example.com: connection refused.',
  );
});

test('proxy: a server that no_proxy excepts is blamed itself', async () => {
  const proxies = {http: 'http://127.0.0.1:1', no: 'chat.invalid'};
  const connection = connectTo({site: 'http://chat.invalid', proxies});
  expect(failureMessage(await failureOf(connection.callRaw('GET', '/x', {})))).toMatch(/^Cannot reach chat\.invalid: /);
});

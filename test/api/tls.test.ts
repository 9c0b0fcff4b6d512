import {expect, test} from 'vitest';
import {Connection} from '#api/connection.ts';
import {failureMessage, isApiFailure} from '#wire/failure.ts';
import {pem, secureServer, withCertificates} from './certificates.ts';
import {connectTo, failureOf, httpServer, tcpServer} from './client.ts';

withCertificates();

test('TLS: a custom authority can be set', async () => {
  const {site} = await secureServer('here');
  const connection = connectTo({site, tls: {ca: pem('authority.pem')}});
  expect(await connection.callRaw('GET', '/x', {})).toMatchObject({who: 'secure'});
});

test.each([
  ['an unknown authority', 'here', {}, /not trusted here.*cert_bundle.*insecure/],
  ['another host', 'other', {ca: 'authority.pem'}, /is for another host: check the address; otherwise the admin/],
  ['the past', 'expired', {ca: 'authority.pem'}, /has expired: check the clock of this computer; otherwise the admin/],
  ['a wrong authority', 'here', {ca: 'stranger.pem'}, /not trusted here/],
])(
  'TLS: a certificate of %s fails permanently, with a solution in the message',
  async (_name, server, tls, expectedMessage) => {
    const {site, requests} = await secureServer(server);
    const ca = 'ca' in tls && tls.ca !== undefined ? {ca: pem(tls.ca)} : {};
    const failure = await failureOf(connectTo({site, tls: ca}).callRaw('POST', '/messages', {content: 'x'}));
    expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no', code: 'CANNOT_CONNECT'});
    expect(failureMessage(failure)).toMatch(expectedMessage);
    if (server !== 'here') expect(failureMessage(failure)).not.toMatch(/cert_bundle|insecure/);
    expect(requests).toEqual([]);
  },
);

test('TLS: the authorities of the machine are used for every host, and those of the account win', async () => {
  const [own, other] = [await secureServer('here'), await secureServer('here')];
  const systemCa = pem('authority.pem');
  const connection = connectTo({site: own.site, tls: {systemCa}, mayUseOtherHosts: () => true});
  expect(await connection.callRaw('GET', '/x', {})).toMatchObject({who: 'secure'});
  await (await connection.download(`${other.site}/x`)).cancel();
  expect(other.requests).toEqual(['GET /x -']);
  const strict = connectTo({site: own.site, tls: {systemCa, ca: pem('stranger.pem')}});
  expect(failureMessage(await failureOf(strict.callRaw('GET', '/x', {})))).toContain('not trusted here');
});

test('TLS: insecure trusts any certificate', async () => {
  const {site} = await secureServer('other');
  expect(await connectTo({site, tls: {insecure: true}}).callRaw('GET', '/x', {})).toMatchObject({
    who: 'secure',
  });
});

test('TLS: a client certificate is sent to a server that requires one', async () => {
  const {site} = await secureServer('here', {
    requestCert: true,
    rejectUnauthorized: true,
    // Later versions reject the client only after its first request, with a closed connection or a page.
    maxVersion: 'TLSv1.2',
    ca: pem('authority.pem'),
  });
  const trust = {ca: pem('authority.pem')};
  const signed = connectTo({
    site,
    tls: {...trust, clientCert: pem('client.pem'), clientKey: pem('client.key')},
  });
  expect(await signed.callRaw('GET', '/x', {})).toMatchObject({who: 'secure'});
  const both = connectTo({site, tls: {...trust, clientCert: pem('client.pem') + pem('client.key')}});
  expect(await both.callRaw('GET', '/x', {})).toMatchObject({who: 'secure'});
  const failure = await failureOf(connectTo({site, tls: trust}).callRaw('POST', '/messages', {}));
  expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no'});
  expect(failureMessage(failure)).toContain('client_cert');
});

test('TLS: a server without TLS fails with a hint at http://', async () => {
  const site = await httpServer((_request, response) => response.end());
  const failure = await failureOf(connectTo({site: site.replace('http:', 'https:')}).callRaw('GET', '/x', {}));
  expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no'});
  expect(failureMessage(failure)).toContain('http://');
});

test('TLS: a handshake that does not finish times out', async () => {
  const port = await tcpServer(() => {});
  const connection = connectTo({site: `https://127.0.0.1:${port}`, timeouts: {connect: 200}});
  const failure = await failureOf(connection.callRaw('POST', '/messages', {}));
  expect(failure).toMatchObject({kind: 'retry', reason: 'timeout', carriedOut: 'no'});
});

test('TLS: files without certificates are reported at once, without their contents', () => {
  const site = 'https://chat.example.com';
  const make = (tls: object) => {
    try {
      new Connection({site, userAgent: 'x', tls});
    } catch (error) {
      if (isApiFailure(error)) return failureMessage(error);
    }
    throw new Error('It worked');
  };
  expect(make({ca: 'secret words'})).toMatch(/^The file named by cert_bundle cannot be used: /);
  expect(make({ca: 'secret words'})).not.toContain('secret');
  expect(make({clientCert: 'secret words'})).toMatch(/^The file named by client_cert/);
  expect(make({clientCert: pem('client.pem'), clientKey: pem('other.key')})).toMatch(/^The file named by client_cert/);
  expect(make({clientKey: pem('client.key')})).toMatch(/client_cert is not/);
});

test('TLS: a redirect to TLS on the same host keeps credentials for a GET', async () => {
  const {site: secure, requests} = await secureServer('here');
  const site = await httpServer((request, response) => {
    response.writeHead(308, {location: secure + request.url}).end();
  });
  const connection = connectTo({
    site,
    credentials: {email: 'meg@example.com', apiKey: 'key'},
    tls: {ca: pem('authority.pem')},
  });
  expect(await connection.callRaw('GET', '/users/me', {})).toMatchObject({who: 'secure'});
  expect(requests).toEqual([expect.stringMatching(/^GET \/api\/v1\/users\/me Basic /)]);
  const failure = await failureOf(connection.callRaw('POST', '/messages', {}));
  expect(failureMessage(failure)).toContain(`redirects to ${secure}: use this`);
});

test('TLS: a redirect to an unencrypted address is refused, and the message does not advise to use it', async () => {
  const {site} = await secureServer('here', {}, 'http://127.0.0.1:1/api/v1/users/me');
  const connection = connectTo({
    site,
    credentials: {email: 'meg@example.com', apiKey: 'key'},
    tls: {ca: pem('authority.pem')},
  });
  for (const method of ['GET', 'POST'] as const) {
    const message = failureMessage(await failureOf(connection.callRaw(method, '/users/me', {})));
    expect(message).toContain('redirects to http://127.0.0.1:1. This is refused, because passwords and API keys');
    expect(message).not.toContain('use this');
  }
});

test('TLS: the account settings apply only to its own server', async () => {
  const otherServer = await secureServer('here');
  const other = otherServer.site.replace('127.0.0.1', 'localhost');
  const site = await httpServer((_request, response) => {
    response.writeHead(302, {location: `${other}/bucket`}).end();
  });
  for (const tls of [{insecure: true}, {ca: pem('authority.pem')}]) {
    const connection = connectTo({site, tls, mayUseOtherHosts: () => true});
    const failure = await failureOf(connection.download('/user_uploads/1/x'));
    expect(failureMessage(failure)).toMatch(/^The certificate of localhost:\d+ comes from an authority/);
  }
  expect(otherServer.requests).toEqual([]);
});

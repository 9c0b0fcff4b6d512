import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {get} from 'node:https';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {writeAccounts} from '#cli/serve/data-directory.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {hasOpenssl, makeCertificate, servedName} from '#test/support/certificates.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

test.skipIf(!hasOpenssl)(
  'TLS: the server speaks HTTPS with the certificate, and uses a new one when the files change',
  async () => {
    const folder = scratchDirectory();
    const certificate = makeCertificate(folder, 'first');
    const clock = new ManualClock();
    const lines: string[] = [];
    const server = await testServer({clock, certificate, log: (line) => lines.push(line)});
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const request = get(`${server.url}/api/v1/server_settings`, {ca: readFileSync(certificate.cert)});
    const [response] = await once(request, 'response');
    expect(JSON.parse(await text(response)).realm_url).toBe(server.url);
    makeCertificate(folder, 'second');
    clock.advance(10_000);
    expect(await servedName(server.port)).toBe('CN=second');
    rmSync(certificate.key);
    clock.advance(10_000);
    execFileSync('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', certificate.key]);
    clock.advance(10_000);
    expect(await servedName(server.port)).toBe('CN=second');
    expect(lines).toEqual(['The new certificate is used.', 'The new certificate cannot be used; the old one stays']);
  },
);

test.skipIf(!hasOpenssl)('TLS: reloading reads the files at once, and bad ones leave the old certificate', async () => {
  const folder = scratchDirectory();
  const certificate = makeCertificate(folder, 'first');
  const lines: string[] = [];
  const server = await testServer({certificate, clock: new ManualClock(), log: (line) => lines.push(line)});
  makeCertificate(folder, 'second');
  server.reloadCertificate();
  expect(await servedName(server.port)).toBe('CN=second');
  writeFileSync(certificate.cert, 'not a certificate');
  server.reloadCertificate();
  rmSync(certificate.cert);
  server.reloadCertificate();
  expect(await servedName(server.port)).toBe('CN=second');
  const refusal = 'The new certificate cannot be used; the old one stays';
  expect(lines).toEqual(['The certificate was read again.', refusal, refusal]);
});

test.skipIf(!hasOpenssl)('TLS: files that cannot be looked at are logged, and used when they can be', async () => {
  const folder = scratchDirectory();
  const certificate = makeCertificate(folder, 'first');
  const clock = new ManualClock();
  const lines: string[] = [];
  const server = await testServer({certificate, clock, log: (line) => lines.push(line)});
  rmSync(certificate.cert);
  symlinkSync(certificate.cert, certificate.cert);
  clock.advance(10_000);
  expect(lines).toEqual(['Looking for a new certificate failed']);
  rmSync(certificate.cert);
  makeCertificate(folder, 'second');
  clock.advance(60_000);
  expect(await servedName(server.port)).toBe('CN=second');
});

test('--url: credentials and links name the address that users open, whatever the server listens on', async () => {
  const publicUrl = 'https://chat.example.com';
  const prepare: NonNullable<Parameters<typeof testServer>[0]>['prepare'] = (world) =>
    seedWorld(world, {world: 'empty', size: 'small'}, () => {});
  const server = await testServer({host: '0.0.0.0', publicUrl, prepare});
  const [account] = writeAccounts(server.context, scratchDirectory());
  expect(readFileSync(account?.zuliprc ?? '', 'utf8')).toContain(`site=${publicUrl}\n`);
  const call = (path: string, body: Record<string, string>) =>
    fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
      method: 'POST',
      headers: {authorization: `Basic ${btoa(`${account?.email}:${account?.api_key}`)}`},
      body: new URLSearchParams(body),
    }).then((response) => response.json());
  const made = await call('/invites/multiuse', {stream_ids: '[]', invite_expires_in_minutes: '9'});
  expect(made).toMatchObject({invite_link: expect.stringMatching(/^https:\/\/chat\.example\.com\/join\//)});
});

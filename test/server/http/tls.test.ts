import {execFileSync, spawnSync} from 'node:child_process';
import {X509Certificate} from 'node:crypto';
import {once} from 'node:events';
import {readFileSync, rmSync} from 'node:fs';
import {get} from 'node:https';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {connect} from 'node:tls';
import {expect, test} from 'vitest';
import {writeAccounts} from '#cli/serve/data-directory.ts';
import {seedWorld} from '#server/seed/seed-world.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Makes a certificate for this machine and its key, in place of those that are there. */
function makeCertificate(folder: string, name: string) {
  const files = {cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem')};
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', files.key];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...newKey, ...subject, '-days', '2', '-out', files.cert], {stdio: 'pipe'});
  return files;
}

/** Returns the name in the certificate that a new connection gets. */
async function servedName(port: number): Promise<string> {
  const socket = connect({port, host: '127.0.0.1', rejectUnauthorized: false});
  await once(socket, 'secureConnect');
  const {raw} = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).subject;
}

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

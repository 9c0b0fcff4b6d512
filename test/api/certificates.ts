import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type ServerOptions} from 'node:https';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createServer as createTlsServer} from 'node:tls';
import {afterAll, beforeAll, beforeEach} from 'vitest';
import {listenOnFreePort} from './client.ts';

let folder = '';
export const pem = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Runs openssl in a temporary folder; the keys are used only in this run. */
function openssl(...args: string[]): void {
  execFileSync('openssl', args, {cwd: folder, stdio: 'pipe'});
}

function certificate(name: string, issuer: string, extension: string, days = 2): void {
  openssl(
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  );
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    `${issuer}.pem`,
    '-CAkey',
    `${issuer}.key`,
    '-days',
    String(days),
    '-out',
    `${name}.pem`,
    '-extfile',
    extension,
  );
}

/** Creates the certificates before the tests of a file. */
export function withCertificates(): void {
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  beforeEach((context) => {
    if (!hasOpenssl) context.skip('openssl is not installed');
  });
  beforeAll(() => {
    if (!hasOpenssl) return;
    folder = mkdtempSync(join(tmpdir(), 'parley-tls-'));
    const ca = (name: string) =>
      openssl(
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
      );
    ca('authority');
    ca('stranger');
    const here = 'subjectAltName=DNS:localhost,DNS:chat.example,IP:127.0.0.1';
    writeFileSync(join(folder, 'here.ext'), here);
    writeFileSync(join(folder, 'other.ext'), 'subjectAltName=DNS:other.example');
    certificate('here', 'authority', 'here.ext');
    certificate('other', 'authority', 'other.ext');
    certificate('expired', 'authority', 'here.ext', -1);
    certificate('client', 'authority', 'here.ext');
  });
  afterAll(() => rmSync(folder, {recursive: true, force: true}));
}

/** Starts a server with this certificate and records its requests. */
export async function secureServer(name: string, options: ServerOptions = {}, redirectsTo?: string) {
  const requests: string[] = [];
  const server = createServer({key: pem(`${name}.key`), cert: pem(`${name}.pem`), ...options}, (request, response) => {
    request.resume();
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    if (redirectsTo !== undefined) response.writeHead(308, {location: redirectsTo});
    response.end(JSON.stringify({result: 'success', msg: '', who: 'secure'}));
  });
  return {site: `https://127.0.0.1:${await listenOnFreePort(server)}`, requests};
}

/** Starts a TLS server that forwards each connection to a server on this machine, and counts them. */
export async function secureRelay(url: string) {
  const relay = {site: '', connections: 0};
  const server = createTlsServer({key: pem('here.key'), cert: pem('here.pem')}, (socket) => {
    relay.connections++;
    const target = connect(Number(new URL(url).port), '127.0.0.1');
    target.on('error', () => socket.destroy());
    socket.pipe(target).pipe(socket);
    socket.once('close', () => target.destroy());
  });
  relay.site = `https://127.0.0.1:${await listenOnFreePort(server)}`;
  return relay;
}

import {type ChildProcess, execFileSync, type StdioOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {hasOpenssl, makeCertificate, servedName} from '#test/support/certificates.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce, namedOrganization} from '#test/support/serve-process.ts';
import {canMount, smallDisk} from '#test/support/small-disk.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {isSlowTier, slowTest} from '#test/support/tier.ts';

const emptyWorld = ['--world', 'empty', '--bots', 'off', '--port', '0'];

/** Starts `parley serve`; `stderr` is where its standard error goes. */
async function startServe(flags: readonly string[], stderr: number | 'pipe' = 'pipe') {
  const readyFile = join(scratchDirectory(), 'ready.json');
  const child = spawn(
    process.execPath,
    ['src/parley.js', 'serve', ...emptyWorld, '--ready-file', readyFile, ...flags],
    {stdio: ['ignore', 'pipe', stderr] satisfies StdioOptions, env: {...process.env, ...compiledOnce}},
  );
  onTestFinished(() => killProcess(child));
  const lines: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  const {url}: {url: string} = JSON.parse(readFileSync(readyFile, 'utf8'));
  return {child, url, log: () => lines.join('')};
}

/** Sends a request that the server refuses and logs. Returns its status. */
/** Sends a request without credentials. Equal refusals are one line of the log, so paths may differ. */
async function refused(url: string, path = 'users/me'): Promise<number> {
  return (await fetch(`${url}/api/v1/${path}`)).status;
}

/** Resolves when the server has handled a signal that was sent before: signals are handled in the order of their numbers. */
async function stillServes({child, url}: {child: ChildProcess; url: string}): Promise<void> {
  for (let turn = 0; turn < 3; turn++) expect(await refused(url)).toBe(401);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
}

slowTest('operator socket: clients that end without reading the answer do not end the server', async () => {
  const directory = join(scratchDirectory(), 'data');
  const server = await startServe([...namedOrganization, '--data', directory]);
  for (let turn = 0; turn < 20; turn++) {
    const socket = connect(join(directory, 'clients.sock'));
    await once(socket, 'connect');
    // The system resets a connection that is closed while it has bytes to read, as when the client is killed.
    if (turn % 2 === 1) socket.write(`${JSON.stringify({command: 'copyDatabase', params: {}})}\n`);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()).destroy());
  }
  await stillServes(server);
  expect(server.log()).not.toMatch(/ error /);
});

/** Opens a pipe that has no space left and that nobody reads. */
function fullPipe(): number {
  const path = join(scratchDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const filler = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(filler));
  for (const size of [4096, 1]) expect(() => writeForever(filler, Buffer.alloc(size))).toThrow('EAGAIN');
  return openSync(path, constants.O_RDWR);
}

function writeForever(descriptor: number, bytes: Buffer): never {
  for (;;) writeSync(descriptor, bytes);
}

test.each([
  ['on a full disk', () => openSync('/dev/full', 'w')],
  ['a closed pipe', () => undefined],
  ['a full pipe that nobody reads', fullPipe],
])('standard error: the server goes on while it is %s', async (_, open) => {
  const descriptor = open();
  const server = await startServe(['--memory'], descriptor ?? 'pipe');
  if (descriptor !== undefined) closeSync(descriptor);
  server.child.stderr?.destroy();
  await stillServes(server);
  server.child.kill('SIGHUP');
  await stillServes(server);
});

test.runIf(isSlowTier && canMount)(
  'standard error: lines that a full disk loses are counted, and the count is logged when there is space again',
  async () => {
    const {path, fill} = smallDisk();
    const file = join(path, 'log');
    const descriptor = openSync(file, 'a');
    const server = await startServe(['--memory'], descriptor);
    closeSync(descriptor);
    fill();
    // The page of the file that has the start of the server takes some lines more.
    for (let turn = 0; turn < 60; turn++) await refused(server.url, `users/${turn}`);
    rmSync(join(path, 'filler'));
    await refused(server.url);
    await expect
      .poll(() => readFileSync(file, 'utf8'))
      .toMatch(/ notice \d+ lines of the log could not be written\.\n/);
    const lost = Number(/ (\d+) lines of/.exec(readFileSync(file, 'utf8'))?.[1]);
    const written = readFileSync(file, 'utf8').match(/ refusal /g)?.length ?? 0;
    expect(lost + written).toBe(61);
  },
);

slowTest('signals: SIGHUP and SIGUSR2 do not end the server, and the log goes on in a new file', async () => {
  const file = join(scratchDirectory(), 'parley.log');
  const server = await startServe(['--memory', '--log-file', file]);
  await refused(server.url);
  renameSync(file, `${file}.1`);
  server.child.kill('SIGUSR2');
  server.child.kill('SIGHUP');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('SIGHUP');
  await stillServes(server);
  expect(readFileSync(`${file}.1`, 'utf8')).toMatch(/ refusal /);
  const ended = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test.skipIf(!hasOpenssl)('signals: SIGHUP replaces the certificate, unless the new one cannot be used', async () => {
  const folder = scratchDirectory();
  const {cert, key} = makeCertificate(folder, 'first');
  const {child, url, log} = await startServe(['--memory', '--tls-cert', cert, '--tls-key', key]);
  const port = Number(new URL(url).port);
  expect(await servedName(port)).toBe('CN=first');
  makeCertificate(folder, 'second');
  child.kill('SIGHUP');
  await expect.poll(log).toContain('The certificate was read again.');
  writeFileSync(cert, 'not a certificate');
  child.kill('SIGHUP');
  await expect.poll(log).toContain('The new certificate cannot be used; the old one stays');
  expect(await servedName(port)).toBe('CN=second');
});

slowTest('signals: a server whose terminal was closed stops', async () => {
  const terminal = openTerminal(process.execPath, ['src/parley.js', 'serve', ...emptyWorld, '--memory']);
  await terminal.waitFor('Stop it with Ctrl-C');
  terminal.kill('SIGHUP');
  await terminal.waitFor('SIGHUP');
  terminal.hangUp();
  expect(await terminal.waitForExit()).toMatchObject({code: 0});
});

test('unexpected failure: only the request that caused it fails, and the log says why', async () => {
  const server = await startServe(['--memory', '--test-hooks']);
  const fault = {kind: 'uncaught', path: '/server_settings'};
  await fetch(`${server.url}/test-hooks/fault`, {method: 'POST', body: JSON.stringify({...fault, times: 3})});
  for (let turn = 0; turn < 3; turn++) {
    const [failed, other] = await Promise.all([fetch(`${server.url}/api/v1/server_settings`), refused(server.url)]);
    expect([failed.status, other]).toEqual([500, 401]);
  }
  expect((await fetch(`${server.url}/api/v1/server_settings`)).status).toBe(200);
  await stillServes(server);
  expect(
    server.log().match(/ error GET \/api\/v1\/server_settings failed error=\w*Error: Injected fault/g),
  ).toHaveLength(3);
});

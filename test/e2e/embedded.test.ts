import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {connect, createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, onTestFinished, test} from 'vitest';
import {connect as connectAs} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/lazy-account.ts';
import {acquireServerLease} from '#cli/embedded/client-socket.ts';
import {type EmbeddedOptions, openEmbeddedServer} from '#cli/embedded/embedded-server.ts';
import type {Account} from '#config/load-account.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {testIo} from '#test/support/cli-io.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {compiledOnce} from '#test/support/serve-process.ts';
import {slowTest} from '#test/support/tier.ts';
import {endpoints} from '#wire/endpoints.ts';

interface Shown {
  readonly id: string;
  readonly site: string;
  readonly email: string;
  readonly key: string;
}

/** A user without an account: a home, client processes, and the server that they share. */
function machine() {
  const home = scratchDirectory();
  const directory = join(pathsOf({}, home).data, 'demo-small');
  onTestFinished(async () => void (await endServer(directory)));
  return {
    directory,
    client: () => startClient(home),
    here: (options: Partial<EmbeddedOptions> = {}) =>
      openEmbeddedServer({
        paths: pathsOf({}, home),
        env: process.env,
        clock: systemClock,
        graceSeconds: 0,
        ...options,
      }),
  };
}

async function startClient(home: string): Promise<{process: ChildProcess; shown: Shown}> {
  const child = spawn(process.execPath, ['test/e2e/embedded-client.ts', home], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {...process.env, ...compiledOnce},
  });
  onTestFinished(() => killProcess(child));
  const [line] = await once(createInterface(child.stdout), 'line');
  return {process: child, shown: JSON.parse(String(line))};
}

async function pidOf(directory: string): Promise<number | undefined> {
  const found = await acquireServerLease(directory, systemClock);
  found?.release();
  return found === undefined ? undefined : Number(JSON.parse(found.greeting).pid);
}

/** Returns the server's process id. A lease keeps the server running meanwhile, so that the id is still its own. */
async function endServer(directory: string): Promise<number | undefined> {
  const found = await acquireServerLease(directory, systemClock);
  if (found === undefined) return undefined;
  const pid = Number(JSON.parse(found.greeting).pid);
  process.kill(pid, 'SIGKILL');
  await found.ended;
  return pid;
}

/** Resolves when the server at this address ends: its connections are closed, however it ends. */
async function end(site: string): Promise<() => Promise<unknown>> {
  const socket = connect(Number(new URL(site).port), '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  // Not `once`, which fails with the error of a connection that is reset.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return () => closed;
}

/** Returns whether the server could take the port. */
async function listens(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  }
}

function whoAmI({site, email, key}: Shown) {
  return new ApiClient(site, {id: 0, email, fullName: '', apiKey: key}).get('/users/me');
}

async function shown(account: Account): Promise<Shown> {
  const {id, site, email, key} = account;
  return {id, site, email, key: await key()};
}

slowTest('demo server: clients that start at once share one server, which stops after the last of them', async () => {
  const {directory, client} = machine();
  const [first, second, third] = await Promise.all([client(), client(), client()]);
  expect(second.shown).toEqual(first.shown);
  expect(third.shown).toEqual(first.shown);
  const server = await pidOf(directory);
  const ended = await end(first.shown.site);

  await killProcess(first.process);
  expect(await whoAmI(second.shown)).toMatchObject({email: second.shown.email});
  third.process.stdin?.end();
  await once(third.process, 'exit');
  expect(await whoAmI(second.shown)).toMatchObject({email: second.shown.email});
  expect(await pidOf(directory)).toBe(server);

  await killProcess(second.process);
  await ended();
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

slowTest('demo server: a server that dies is restarted at the same address for its clients', async () => {
  const {directory, here} = machine();
  const {promise: restarted, resolve} = Promise.withResolvers<Account>();
  const server = await here({onRestart: resolve});
  onTestFinished(() => server.release());
  const before = await shown(server.account);
  const pid = await endServer(directory);
  expect(pid).toBeDefined();
  expect(await shown(await restarted)).toEqual(before);
  expect(await whoAmI(before)).toMatchObject({email: before.email});
  expect(await pidOf(directory)).not.toBe(pid);
});

slowTest(
  'demo server: files left by a crash do no harm, and the account stays the same even on another port',
  async () => {
    const {directory, here} = machine();
    // Long enough that the server does not stop by itself after its last client.
    const first = await here({graceSeconds: 600});
    const before = await shown(first.account);
    const ended = await end(before.site);
    await first.release();
    expect(await endServer(directory)).toBeDefined();
    await ended();
    const squatter = createServer();
    onTestFinished(() => void squatter.close());
    // A killed process closes its files one after the other, so the port may be taken a little longer than the connection.
    await expect.poll(() => listens(squatter, Number(new URL(before.site).port))).toBe(true);

    const second = await here();
    const after = await shown(second.account);
    expect(after).toEqual({...before, site: after.site});
    expect(after.site).not.toBe(before.site);
    expect(await whoAmI(after)).toMatchObject({email: before.email});
    const over = await end(after.site);
    await second.release();
    await over();
    expect(existsSync(join(directory, 'clients.sock'))).toBe(false);
  },
);

slowTest('demo server: a server started by hand is used and left running', async () => {
  const {directory, here} = machine();
  const byHand = spawn(process.execPath, ['src/parley.js', 'serve', '--world', 'demo', '--data', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => killProcess(byHand));
  await once(byHand.stdout, 'data');
  const server = await here();
  expect(await pidOf(directory)).toBe(byHand.pid);
  const account = await shown(server.account);
  await server.release();
  expect(await whoAmI(account)).toMatchObject({email: account.email});
  expect(byHand.exitCode).toBeNull();
});

test('demo server: a verb uses it only when it is named', async () => {
  const io = testIo({env: {PATH: process.env.PATH}});
  onTestFinished(async () => void (await endServer(join(pathsOf({}, io.home).data, 'demo-small'))));
  await expect(openAccount({}, io)).rejects.toThrow(/^No account is set up\. .*“--account demo”/);
  const {account, release} = await openAccount({account: 'demo'}, io);
  onTestFinished(release);
  expect(io.err()).toBe('');
  const connection = await connectAs(account, io);
  expect(await connection.call(endpoints.getOwnUser, {})).toMatchObject({full_name: 'Robin Ashby'});
  await connection.close();
});

slowTest('demo server: data that cannot be served is one sentence', async () => {
  const {directory, here} = machine();
  mkdirSync(directory, {recursive: true});
  writeFileSync(join(directory, 'secret'), 'a'.repeat(64));
  writeFileSync(join(directory, 'parley.db'), 'this is not a database, however long one looks at it\n'.repeat(100));
  await expect(here()).rejects.toThrow(/^The demo organization could not be started: .*not a database/);
});

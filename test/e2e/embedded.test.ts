import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {connect, createServer} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, onTestFinished, test} from 'vitest';
import {connect as connectAs} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {acquireServerLease} from '#cli/embedded/client-socket.ts';
import {type EmbeddedOptions, openEmbeddedServer} from '#cli/embedded/embedded-server.ts';
import type {Account} from '#config/load-account.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {testIo} from '#test/support/cli-io.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {endpoints} from '#wire/endpoints.ts';

interface Shown {
  readonly id: string;
  readonly site: string;
  readonly email: string;
  readonly key: string;
}

/** A machine's user without an account: a home, clients in processes of their own, and the server they share. */
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

/** While it is visited it does not end by itself, so that the number is still its own. */
async function endServer(directory: string): Promise<number | undefined> {
  const found = await acquireServerLease(directory, systemClock);
  if (found === undefined) return undefined;
  const pid = Number(JSON.parse(found.greeting).pid);
  process.kill(pid, 'SIGKILL');
  await found.ended;
  return pid;
}

/** Resolves when the server at this address ends: it closes what is connected to it, however it ends. */
async function end(site: string): Promise<() => Promise<unknown>> {
  const socket = connect(Number(new URL(site).port), '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  return () => closed;
}

function whoAmI({site, email, key}: Shown) {
  return new ApiClient(site, {id: 0, email, fullName: '', apiKey: key}).get('/users/me');
}

async function shown(account: Account): Promise<Shown> {
  const {id, site, email, key} = account;
  return {id, site, email, key: await key()};
}

test('clients that start at the same instant share one server, which outlives any of them and not the last', async () => {
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

test('a server that dies is started again at the same address for those who use it', async () => {
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

test('what a crash left behind is no obstacle, and the account stays the same even when its port is taken', async () => {
  const {directory, here} = machine();
  // Long enough to be there after its last user, so that it does not end by itself.
  const first = await here({graceSeconds: 600});
  const before = await shown(first.account);
  const ended = await end(before.site);
  await first.release();
  expect(await endServer(directory)).toBeDefined();
  await ended();
  const squatter = createServer().listen(Number(new URL(before.site).port), '127.0.0.1');
  onTestFinished(() => void squatter.close());
  // Somebody else may have been quicker, which is as good.
  await once(squatter, 'listening').catch((error) => expect(error.code).toBe('EADDRINUSE'));

  const second = await here();
  const after = await shown(second.account);
  expect(after).toEqual({...before, site: after.site});
  expect(after.site).not.toBe(before.site);
  expect(await whoAmI(after)).toMatchObject({email: before.email});
  const over = await end(after.site);
  await second.release();
  await over();
  expect(existsSync(join(directory, 'clients.sock'))).toBe(false);
});

test('a server that somebody started by hand is used, and left running', async () => {
  const {directory, here} = machine();
  const byHand = spawn(process.execPath, ['src/parley.js', 'serve', '--data', directory], {
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

test('without any account a verb works on the demo, and says so', async () => {
  const io = testIo({env: {PATH: process.env.PATH}});
  onTestFinished(async () => void (await endServer(join(pathsOf({}, io.home).data, 'demo-small'))));
  const {account, release} = await openAccount({}, io);
  onTestFinished(release);
  expect(io.err()).toBe(
    'No account is set up, so this is the demo organization. “parley login” adds yours.\n',
  );
  const connection = await connectAs(account, io);
  expect(await connection.call(endpoints.getOwnUser, {})).toMatchObject({full_name: 'Robin Ashby'});
  await connection.close();
});

test('a world that cannot be served is a sentence', async () => {
  const {directory, here} = machine();
  mkdirSync(directory, {recursive: true});
  writeFileSync(
    join(directory, 'parley.db'),
    'this is not a database, however long one looks at it\n'.repeat(100),
  );
  await expect(here()).rejects.toThrow(/^The demo organization could not be started: .*not a database/);
});

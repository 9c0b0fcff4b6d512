import {chmodSync, existsSync, mkdirSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {acquireServerLease, openClientSocket} from '#cli/embedded/client-socket.ts';
import {systemClock} from '#std/clock.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

async function attendance(directory = scratchDirectory(), graceMs = 5_000) {
  const clock = new ManualClock();
  const {promise: deserted, resolve} = Promise.withResolvers<void>();
  let isDeserted = false;
  const opened = await openClientSocket({
    directory,
    greeting: 'hello',
    clock,
    graceMs,
    onUnused: () => {
      isDeserted = true;
      resolve();
    },
  });
  onTestFinished(() => opened.close());
  return {
    ...opened,
    directory,
    clock,
    deserted,
    isDeserted: () => isDeserted,
    visit: () => visited(directory),
  };
}

async function visited(directory: string) {
  const found = await acquireServerLease(directory, systemClock);
  expect(found).toBeDefined();
  onTestFinished(() => found?.release());
  return {
    greeting: found?.greeting,
    async leave() {
      found?.release();
      await found?.ended;
    },
    ended: found?.ended,
  };
}

/** Waits one turn: the server notices a disconnection in a later turn of the event loop. */
async function settled(directory: string) {
  const last = await visited(directory);
  await last.leave();
}

test('client socket: a client gets the greeting, and the socket is private', async () => {
  const {directory, visit} = await attendance();
  expect((await visit()).greeting).toBe('hello');
  expect(statSync(join(directory, 'clients.sock')).mode & 0o777).toBe(0o600);
});

test('client socket: without any client onUnused is called after a while, not at once', async () => {
  const {clock, isDeserted} = await attendance(undefined, 0);
  clock.advance(14_999);
  expect(isDeserted()).toBe(false);
  clock.advance(1);
  expect(isDeserted()).toBe(true);
});

test('client socket: onUnused is called when the last client has been gone for the grace period; a new client stops the timer', async () => {
  const {visit, clock, isDeserted, directory} = await attendance();
  const [first, second] = [await visit(), await visit()];
  await first.leave();
  clock.advance(60_000);
  expect(isDeserted()).toBe(false);
  await second.leave();
  await settled(directory);
  clock.advance(4_000);
  const third = await visit();
  clock.advance(60_000);
  expect(isDeserted()).toBe(false);
  await third.leave();
  await settled(directory);
  clock.advance(4_999);
  expect(isDeserted()).toBe(false);
});

test('client socket: closing ends all leases, and no client finds it afterwards', async () => {
  const {visit: come, directory, close} = await attendance();
  const guest = await come();
  close();
  await guest.ended;
  expect(existsSync(join(directory, 'clients.sock'))).toBe(false);
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

test.each(['file', 'nothing'])(
  'client socket: with only %s in its place no server is found, and a server can open',
  async (what) => {
    const directory = scratchDirectory();
    if (what === 'file') writeFileSync(join(directory, 'clients.sock'), '');
    expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
    expect((await (await attendance(directory)).visit()).greeting).toBe('hello');
  },
);

test('client socket: a directory whose path is too long for a socket works', async () => {
  const directory = join(scratchDirectory(), 'deep'.repeat(20), 'deeper'.repeat(20));
  mkdirSync(directory, {recursive: true});
  const {visit: come, close} = await attendance(directory);
  expect((await come()).greeting).toBe('hello');
  close();
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

test('client socket: a server that accepts but sends nothing times out', async () => {
  const directory = scratchDirectory();
  const mute = createServer().listen(join(directory, 'clients.sock'));
  onTestFinished(() => void mute.close());
  const clock = new ManualClock();
  mute.on('connection', (socket) => {
    onTestFinished(() => void socket.destroy());
    clock.advance(20_000);
  });
  await expect(acquireServerLease(directory, clock)).rejects.toThrow('does not respond');
});

test('client socket: a server that closes without a greeting counts as stopped', async () => {
  const directory = scratchDirectory();
  const rude = createServer((socket) => socket.end('hel')).listen(join(directory, 'clients.sock'));
  onTestFinished(() => void rude.close());
  chmodSync(directory, 0o700);
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

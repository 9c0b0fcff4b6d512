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

/** The other end hears of a departure in a later turn of the loop; whoever comes after it is heard after it. */
async function settled(directory: string) {
  const last = await visited(directory);
  await last.leave();
}

test('who comes is greeted, and the socket is for its owner alone', async () => {
  const {directory, visit} = await attendance();
  expect((await visit()).greeting).toBe('hello');
  expect(statSync(join(directory, 'clients.sock')).mode & 0o777).toBe(0o600);
});

test('a server that nobody ever comes to is deserted after a while, not at once', async () => {
  const {clock, isDeserted} = await attendance(undefined, 0);
  clock.advance(14_999);
  expect(isDeserted()).toBe(false);
  clock.advance(1);
  expect(isDeserted()).toBe(true);
});

test('it is deserted only when the last one has been gone for the grace, and whoever comes stops the waiting', async () => {
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

test('when it closes, everybody hears of it, and nobody finds it any more', async () => {
  const {visit: come, directory, close} = await attendance();
  const guest = await come();
  close();
  await guest.ended;
  expect(existsSync(join(directory, 'clients.sock'))).toBe(false);
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

test.each(['file', 'nothing'])(
  'where there is only %s nobody is found, and a server can open',
  async (what) => {
    const directory = scratchDirectory();
    if (what === 'file') writeFileSync(join(directory, 'clients.sock'), '');
    expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
    expect((await (await attendance(directory)).visit()).greeting).toBe('hello');
  },
);

test('a directory with a path too long for a socket works as well', async () => {
  const directory = join(scratchDirectory(), 'deep'.repeat(20), 'deeper'.repeat(20));
  mkdirSync(directory, {recursive: true});
  const {visit: come, close} = await attendance(directory);
  expect((await come()).greeting).toBe('hello');
  close();
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

test('a server that takes the call and says nothing is given up', async () => {
  const directory = scratchDirectory();
  const mute = createServer().listen(join(directory, 'clients.sock'));
  onTestFinished(() => void mute.close());
  const clock = new ManualClock();
  mute.on('connection', (socket) => {
    onTestFinished(() => void socket.destroy());
    clock.advance(20_000);
  });
  await expect(acquireServerLease(directory, clock)).rejects.toThrow('does not answer');
});

test('one that hangs up without a word is as good as gone', async () => {
  const directory = scratchDirectory();
  const rude = createServer((socket) => socket.end('hel')).listen(join(directory, 'clients.sock'));
  onTestFinished(() => void rude.close());
  chmodSync(directory, 0o700);
  expect(await acquireServerLease(directory, systemClock)).toBeUndefined();
});

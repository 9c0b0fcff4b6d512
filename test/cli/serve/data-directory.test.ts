import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

function spawnServer(...args: string[]) {
  const child = spawn(process.execPath, ['src/parley.js', 'serve', '--bots', 'off', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => killProcess(child));
  return child;
}

/** Runs a start that must fail, and returns what it printed. */
async function refused(...args: string[]): Promise<string> {
  const child = spawnServer(...args);
  const printed = text(child.stderr);
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  return printed;
}

/** Starts a server, stops it again, and returns its address. */
async function servedOnce(...args: string[]): Promise<string> {
  const readyFile = join(scratchDirectory(), 'ready.json');
  const child = spawnServer('--ready-file', readyFile, ...args);
  await once(child.stdout, 'data');
  const {url} = JSON.parse(readFileSync(readyFile, 'utf8'));
  child.kill();
  await once(child, 'close');
  return url;
}

test('serve: a directory with other files is refused and left as it is', async () => {
  const directory = scratchDirectory();
  writeFileSync(join(directory, 'notes.txt'), 'mine');
  chmodSync(directory, 0o755);
  expect(await refused('--create', '--data', directory)).toBe(
    `${directory} is not empty and holds no organization. Choose an empty or a new directory with --data.\n`,
  );
  expect(statSync(directory).mode & 0o777).toBe(0o755);
  expect(readdirSync(directory)).toEqual(['notes.txt']);
});

test('serve: a file in place of the data directory is one sentence', async () => {
  const file = join(scratchDirectory(), 'file');
  writeFileSync(file, 'mine');
  expect(await refused('--create', '--data', file)).toBe(`${file} is not a directory. --data names a directory.\n`);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('serve: without --create or --world a script creates no organization', async () => {
  const directory = join(scratchDirectory(), 'mistyped');
  expect(await refused('--data', directory)).toBe(
    `There is no organization in ${directory}. Add --create to create one.\n`,
  );
  expect(existsSync(directory)).toBe(false);
});

test('serve: a start that fails leaves nothing behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? `${address?.port}` : '';
  const [made, empty] = [join(scratchDirectory(), 'new'), join(scratchDirectory(), 'empty')];
  mkdirSync(empty);
  for (const directory of [made, empty]) {
    const flags = ['--create', '--world', 'empty', '--port', port, '--data', directory];
    expect(await refused(...flags)).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
  }
  expect(existsSync(made)).toBe(false);
  expect(readdirSync(empty)).toEqual([]);
});

test('serve: the next start has the same address, and says so when it is taken', async () => {
  const data = ['--data', join(scratchDirectory(), 'data')];
  const url = await servedOnce('--create', '--world', 'empty', ...data);
  expect(await servedOnce(...data)).toBe(url);
  const port = Number(new URL(url).port);
  const taken = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  expect(await refused(...data)).toBe(
    `Port ${port} on 127.0.0.1 is already in use. This organization was reached there before, and logins name it. Choose another with --port, or 0 for a free one.\n`,
  );
  expect(await servedOnce('--port', '0', ...data)).not.toBe(url);
});

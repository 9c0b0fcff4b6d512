import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {openDataDirectory, reusablePort, savedPort} from '#cli/serve/data-directory.ts';
import {Database} from '#server/db/database.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {namedOrganization} from '#test/support/serve-process.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {demoDirectory, operate} from './operator-fixture.ts';

function spawnServer(...args: string[]) {
  const child = spawn(process.execPath, ['src/parley.js', 'serve', '--bots', 'off', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {...process.env, XDG_DATA_HOME: scratchDirectory()},
  });
  onTestFinished(() => killProcess(child));
  return child;
}

/** Runs a start that must fail, and returns what it printed. */
async function refused(...args: string[]): Promise<string> {
  return (await ended(...args)).err;
}

async function ended(...args: string[]): Promise<{code: number; err: string}> {
  const child = spawnServer(...args);
  const printed = text(child.stderr);
  const [code] = await once(child, 'close');
  expect(code).toBeGreaterThan(0);
  return {code, err: await printed};
}

/** Returns what a server prints when it has started. */
async function firstLines(child: ReturnType<typeof spawnServer>): Promise<string> {
  const ended = once(child, 'close').then(([code]) => Promise.reject(new Error(`The server ended with ${code}`)));
  ended.catch(() => {});
  const [printed] = await Promise.race([once(child.stdout, 'data'), ended]);
  return String(printed);
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

test('serve: the port of the last start is used again unless it is taken or is none', async () => {
  const directory = scratchDirectory();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const {port} = other.address() as AddressInfo;
  const saved = (text: string) => {
    writeFileSync(join(directory, 'port'), text);
    return savedPort(directory);
  };
  expect([savedPort(directory), saved('x'), saved('65536'), saved('-1'), saved(`${port}\n`)]).toEqual([
    0,
    0,
    0,
    0,
    port,
  ]);
  expect(await reusablePort(directory, '127.0.0.1')).toBe(0);
  other.close();
  await once(other, 'close');
  expect(await reusablePort(directory, '127.0.0.1')).toBe(port);
});

test('serve: --new-secret keeps a secret that is there', async () => {
  const directory = await demoDirectory();
  const secret = () => readFileSync(join(directory, 'secret'), 'hex');
  const before = secret();
  openDataDirectory(directory, {newSecret: true}).dispose();
  expect(secret()).toBe(before);
  rmSync(join(directory, 'secret'));
  openDataDirectory(directory, {newSecret: true}).dispose();
  expect(secret()).not.toBe(before);
});

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

slowTest('serve: a file in place of the data directory is one sentence', async () => {
  const file = join(scratchDirectory(), 'file');
  writeFileSync(file, 'mine');
  expect(await refused('--create', '--data', file)).toBe(`${file} is not a directory. --data names a directory.\n`);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('serve: without --create or --world a script creates no organization', async () => {
  const directory = join(scratchDirectory(), 'mistyped');
  expect(await refused('--data', directory)).toBe(
    `There is no organization in ${directory}. To create one, add --create, --org-name NAME, --owner-name NAME and --owner-email EMAIL.\n`,
  );
  expect(existsSync(directory)).toBe(false);
});

test('serve: a script names its organization, or asks for the demo; otherwise nothing is created', async () => {
  const directory = join(scratchDirectory(), 'data');
  const unnamed = [['--create'], ['--create', '--url', 'https://chat.example.com'], ['--create', '--world', 'empty']];
  for (const flags of unnamed) {
    expect(await ended('--data', directory, ...flags)).toEqual({
      code: 2,
      err: `There is no organization in ${directory}. Name the new one and its owner: add --org-name NAME, --owner-name NAME and --owner-email EMAIL. --world demo makes the demo.\n`,
    });
  }
  for (const flags of [['--memory'], ['--create']]) {
    const {code, err} = await ended(...flags);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^Say which organization to serve: --data DIR, --world demo/),
    ]);
  }
  expect(existsSync(directory)).toBe(false);
});

slowTest('serve: a start that fails leaves nothing behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? `${address?.port}` : '';
  const [made, empty] = [join(scratchDirectory(), 'new'), join(scratchDirectory(), 'empty')];
  mkdirSync(empty);
  for (const directory of fewOf([made, empty])) {
    const flags = ['--create', ...namedOrganization, '--data', directory];
    expect(await refused(...flags, '--port', port)).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
    const missing = join(scratchDirectory(), 'missing.pem');
    expect(await refused(...flags, '--tls-cert', missing, '--tls-key', missing)).toBe(`There is no ${missing}.\n`);
    writeFileSync(missing, 'not a certificate');
    expect(await refused(...flags, '--tls-cert', missing, '--tls-key', missing)).toMatch(
      /^The certificate and its key cannot be used: /,
    );
    expect(await refused(...flags, '--ready-file', join(missing, 'ready.json'))).toMatch(
      /ready\.json cannot be written/,
    );
    expect(await refused(...flags, '--host', 'nowhere.invalid', '--insecure')).toMatch(/^There is no address for /);
  }
  expect(existsSync(made)).toBe(false);
  expect(readdirSync(empty)).toEqual([]);
});

slowTest('serve: the next start has the same address, and says so when it is taken', async () => {
  const data = ['--data', join(scratchDirectory(), 'data')];
  const url = await servedOnce('--create', ...namedOrganization, ...data);
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

slowTest(
  'serve: a first start that was killed before the organization was made is repeated with the flags',
  async () => {
    const directory = join(scratchDirectory(), 'data');
    new Database(openDataDirectory(directory).database).close();
    const child = spawnServer('--create', ...namedOrganization, '--data', directory);
    const printed = await firstLines(child);
    expect(printed).toContain('Parley is serving Harbor at');
  },
);

slowTest('serve: a lost secret is not replaced unless --new-secret is given, which says what it ends', async () => {
  const data = await demoDirectory();
  const before = await servedOnce('--data', data).then(() =>
    readFileSync(join(data, 'zuliprc', 'robin.zuliprc'), 'utf8'),
  );
  for (const lose of [() => rmSync(join(data, 'secret')), () => writeFileSync(join(data, 'secret'), 'short')]) {
    lose();
    const sentence = /^The secret of the organization is (missing|damaged): .* start the server once with --new-secret/;
    expect(await refused('--data', data)).toMatch(sentence);
    expect(await operate('serve user', ['list', '--data', data])).toMatchObject({
      code: 1,
      err: expect.stringMatching(sentence),
    });
  }
  const child = spawnServer('--data', data, '--new-secret');
  const printed = text(child.stderr);
  await firstLines(child);
  child.kill();
  expect(await printed).toMatch(
    /^A new secret is made: every API key, the address of every webhook, and links for setting/,
  );
  expect(statSync(join(data, 'secret'))).toMatchObject({size: 32});
  expect(readFileSync(join(data, 'zuliprc', 'robin.zuliprc'), 'utf8')).not.toBe(before);
  await once(child, 'close');
  const again = spawnServer('--data', data, '--new-secret');
  const notice = text(again.stderr);
  await firstLines(again);
  again.kill();
  expect(await notice).toMatch(/^The secret of the organization is there\. Ignored: --new-secret\.\n/);
});

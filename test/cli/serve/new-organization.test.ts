import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, onTestFinished, test} from 'vitest';
import {ApiClient} from '#test/support/api-client.ts';
import {killProcess} from '#test/support/kill-process.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {slowTest} from '#test/support/tier.ts';

const named = ['--org-name', 'Harbor', '--owner-name', 'Ann Archer', '--owner-email', 'ann@example.com'];

function spawnServer(args: readonly string[], input = '') {
  const child = spawn(process.execPath, ['src/parley.js', 'serve', ...args], {stdio: ['pipe', 'pipe', 'pipe']});
  onTestFinished(() => killProcess(child));
  child.stdin.end(input);
  return child;
}

/** Starts a server and returns its address and what it printed. */
async function served(args: readonly string[], input?: string) {
  const readyFile = join(scratchDirectory(), 'ready.json');
  const child = spawnServer([...args, '--ready-file', readyFile], input);
  const [printed] = await once(child.stdout, 'data');
  const {url, accounts} = JSON.parse(readFileSync(readyFile, 'utf8'));
  return {url, accounts, printed: String(printed), child};
}

/** Runs a start that must fail, and returns what it printed. */
async function refused(args: readonly string[], input?: string): Promise<string> {
  const child = spawnServer(args, input);
  const printed = text(child.stderr);
  await once(child, 'close');
  return printed;
}

const keyFor = (url: string, password: string) =>
  new ApiClient(url, undefined).raw('POST', '/fetch_api_key', {username: 'ann@example.com', password});

slowTest(
  'serve: flags name a new organization and its owner, and the next start says that it ignores them',
  async () => {
    const data = ['--data', join(scratchDirectory(), 'data'), '--create', ...named];
    const {url, accounts, printed, child} = await served([...data, '--owner-password-file', '-'], 'correct horse\n');
    expect(accounts).toMatchObject([{email: 'ann@example.com', full_name: 'Ann Archer', role: 100}]);
    expect(printed).toContain('Parley is serving Harbor at');
    expect(printed).not.toContain('/set-password/');
    expect((await keyFor(url, 'correct horse')).body).toMatchObject({email: 'ann@example.com'});
    child.kill();
    await once(child, 'close');
    const again = await served([
      ...data.map((word) => word.replace('Harbor', 'Other')),
      '--owner-password-file',
      'gone',
    ]);
    expect(again.printed).toContain('Parley is serving Harbor at');
    expect(again.child.stderr.read()?.toString()).toMatch(
      /^There is an organization in .* already\. Ignored: --org-name, --owner-name, --owner-email, --owner-password-file\.\n/,
    );
  },
);

test('serve: without a password the first start prints a link by which the owner sets one', async () => {
  const {url, printed} = await served(['--memory', ...named]);
  const [link = ''] = /http\S+\/set-password\/\S+/.exec(printed) ?? [];
  const send = (password: string) => fetch(link, {method: 'POST', body: new URLSearchParams({password})});
  expect((await send('password')).status).toBe(400);
  expect((await send('correct horse')).status).toBe(200);
  expect((await keyFor(url, 'correct horse')).body).toMatchObject({email: 'ann@example.com'});
});

slowTest('serve: a bad name, address or password of the owner creates nothing, and one sentence says why', async () => {
  const directory = join(scratchDirectory(), 'data');
  const data = ['--data', directory, '--create'];
  const file = join(scratchDirectory(), 'password');
  writeFileSync(file, 'password1\n');
  expect(await refused([...data, ...named, '--owner-password-file', file])).toBe(
    'The password is too common: others guess it first. Choose another.\n',
  );
  expect(await refused([...data, ...named, '--owner-password-file', `${file}x`])).toMatch(
    /^The password cannot be read: /,
  );
  expect(await refused([...data, ...named.slice(0, 4)])).toBe('A new organization also needs --owner-email.\n');
  expect(await refused([...data, ...named.slice(0, 4), '--owner-email', 'ann'])).toBe(
    '--owner-email: Enter an address such as ann@example.com.\n',
  );
  expect(existsSync(directory)).toBe(false);
});

test('serve: at a terminal a new organization asks for its name, its owner and a password, which is not shown', async () => {
  const directory = join(scratchDirectory(), 'data');
  const terminal = openTerminal(process.execPath, ['src/parley.js', 'serve', '--data', directory], {
    env: {PATH: process.env.PATH, HOME: scratchDirectory()},
  });
  const reply = async (question: string, answer: string) => {
    await terminal.waitFor(question);
    terminal.write(`${answer}\r`);
  };
  await reply('Create one there? [y/N]', 'y');
  await reply('Name of the organization:', 'Harbor');
  await reply('Your name, as its owner:', 'Ann Archer');
  await reply('Your e-mail address:', 'ann');
  await terminal.waitFor('Enter an address such as ann@example.com.');
  await reply('Your e-mail address:', 'ann@example.com');
  await reply('Your password (empty', 'password');
  await terminal.waitFor('The password is too common');
  await reply('Your password (empty', 'correct horse');
  await reply('Again:', 'correct horse');
  await terminal.waitFor('Parley is serving Harbor at');
  expect(terminal.screen().printed()).not.toContain('correct horse');
  const url = readFileSync(join(directory, 'url'), 'utf8').trim();
  expect((await keyFor(url, 'correct horse')).body).toMatchObject({email: 'ann@example.com'});
});

test('serve: Ctrl-C at a question of a new organization creates nothing', async () => {
  const directory = join(scratchDirectory(), 'data');
  const args = ['src/parley.js', 'serve', '--create', '--data', directory];
  const terminal = openTerminal(process.execPath, args, {env: {PATH: process.env.PATH, HOME: scratchDirectory()}});
  await terminal.waitFor('Name of the organization:');
  terminal.write('\x03');
  await terminal.waitFor('Cancelled. Nothing was changed.');
  expect(existsSync(directory)).toBe(false);
});

slowTest(
  'serve --reactivate: an organization that its owner deactivated is usable again, with its accounts, and only then',
  async () => {
    const data = ['--data', join(scratchDirectory(), 'data'), '--create', ...named];
    const stop = async ({child}: Awaited<ReturnType<typeof served>>) => {
      child.kill();
      await once(child, 'close');
    };
    const first = await served([...data, '--owner-password-file', '-'], 'correct horse\n');
    const [{email, api_key: apiKey}] = first.accounts;
    const client = (url: string) => new ApiClient(url, {id: 0, fullName: '', email, apiKey});
    await client(first.url).post('/realm/deactivate', {});
    await stop(first);
    const second = await served(data);
    expect((await keyFor(second.url, 'correct horse')).status).toBeGreaterThanOrEqual(400);
    await stop(second);
    const third = await served([...data, '--reactivate']);
    expect(await client(third.url).get('/users/me')).toMatchObject({email: expect.any(String), is_owner: true});
    await stop(third);
    const fourth = await served(data);
    expect((await keyFor(fourth.url, 'correct horse')).body).toMatchObject({email: 'ann@example.com'});
  },
);

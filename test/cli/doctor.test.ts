import {chmodSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {doctor} from '#cli/doctor/doctor.ts';
import {machineChecks} from '#cli/doctor/machine-checks.ts';
import {accountDatabase, accountId} from '#config/account-id.ts';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import {testIo} from '#test/support/cli-io.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

interface Line {
  readonly status: string;
  readonly what: string;
  readonly detail: string;
  readonly lines?: string[];
}

const good = {TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'en_GB.UTF-8', PATH: process.env.PATH};

/** A home with an account on this server, and the doctor in it. */
function patient(
  server: TestServer | {url: string},
  person = {email: 'm@example.com', apiKey: 'x'.repeat(32)},
) {
  const home = scratchDirectory();
  const file = join(home, 'zuliprc');
  writeFileSync(file, `[api]\nemail=${person.email}\nkey=${person.apiKey}\nsite=${server.url}\n`, {
    mode: 0o600,
  });
  const store = accountDatabase(pathsOf({}, home), accountId(server.url, person.email));
  return {
    home,
    file,
    store,
    async examine(options: Parameters<typeof testIo>[0] = {}) {
      const io = testIo({home, env: good, ...options});
      const code = await doctor(['--json'], io);
      const {ok, checks}: {ok: boolean; checks: Line[]} = JSON.parse(io.out());
      expect(ok).toBe(code === 0);
      const of = (what: string) => checks.find((check) => check.what === what);
      return {code, checks, of, text: io.out() + io.err()};
    },
  };
}

test('when all is well every line says so, and the key is in none', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const {examine, home} = patient(server, meg);
  const {code, checks, of, text} = await examine();
  expect(checks.filter(({status}) => status !== 'ok')).toEqual([]);
  expect(code).toBe(0);
  expect(of('account')?.detail).toBe(`${meg.email} at ${server.url}, from ~/zuliprc (found ~/zuliprc)`);
  expect(of('server')?.detail).toMatch(/feature level 509, \d+ ms$/);
  expect(of('key')?.detail).toBe('accepted for Meg Member');
  expect(of('events')?.detail).toMatch(/^a queue was made and deleted/);
  expect(of('clock')?.detail).toBe('agrees with the server within 1 s');
  expect(of('terminal')?.detail).toBe('TERM=xterm-256color, true colour');
  expect(text).not.toContain(meg.apiKey);
  expect(server.context.queues.size).toBe(0);

  const io = testIo({home, env: good});
  expect(await doctor([], io)).toBe(0);
  expect(io.out()).toContain('\nok    key        accepted for Meg Member\n');
});

test('at the oldest level that is spoken it works as well', async () => {
  const server = await testServer({level: 122});
  const {code, of} = await patient(server, server.people.member()).examine();
  expect([code, of('clock')?.status]).toEqual([0, 'ok']);
});

test('a key that is not accepted, and a server that is not there, fail', async () => {
  const server = await testServer();
  const wrong = await patient(server).examine();
  expect([wrong.code, wrong.of('key')?.status, wrong.of('events')]).toEqual([1, 'FAIL', undefined]);
  const gone = await patient({url: 'http://127.0.0.1:1'}).examine();
  expect([gone.code, gone.of('server'), gone.of('key')]).toEqual([
    1,
    {status: 'FAIL', what: 'server', detail: 'Cannot reach 127.0.0.1:1: connection refused.'},
    undefined,
  ]);
  expect(gone.of('kept')?.status).toBe('ok');
});

test('an account that cannot be read fails, with the reason', async () => {
  const {file, examine} = patient({url: 'http://127.0.0.1:1'});
  writeFileSync(file, '[api]\nkey=x\n');
  const {code, of} = await examine();
  expect([code, of('account')?.status, of('account')?.detail]).toEqual([
    1,
    'FAIL',
    `${file} has no “site” in its [api] section.`,
  ]);
});

test('what others can read is warned of, and a secret is closed', async () => {
  const server = await testServer();
  const {home, file, examine} = patient(server, server.people.member());
  chmodSync(file, 0o644);
  mkdirSync(join(home, '.config/parley'), {recursive: true});
  chmodSync(join(home, '.config/parley'), 0o755);
  writeFileSync(join(home, '.config/parley/config.toml'), 'wibble = 1\n');
  const {code, of} = await examine();
  expect([code, of('secrets')?.status, of('config')?.status, of('settings')?.status]).toEqual([
    0,
    'warn',
    'warn',
    'warn',
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a place that is no directory fails', async () => {
  const {home, examine} = patient({url: 'http://127.0.0.1:1'});
  mkdirSync(join(home, '.cache'));
  writeFileSync(join(home, '.cache/parley'), '');
  expect((await examine()).of('cache')).toEqual({
    status: 'FAIL',
    what: 'cache',
    detail: '~/.cache/parley is not a directory.',
  });
});

test.each([
  [-100_000, "This computer's clock is 100 s behind the server's: set one of them right."],
  [3_600_000, "This computer's clock is 3600 s ahead of the server's: set one of them right."],
])('a clock that is off by %i ms is noticed', async (offset, sentence) => {
  const theirs = new ManualClock();
  const server = await testServer({clock: theirs});
  const clock = {...systemClock, now: () => theirs.now() + offset};
  const {of} = await patient(server, server.people.member()).examine({clock});
  expect(of('clock')).toEqual({status: 'warn', what: 'clock', detail: sentence});
});

test('a damaged file of the account is a warning, since it will be set aside', async () => {
  const server = await testServer();
  const {store, examine} = patient(server, server.people.member());
  mkdirSync(dirname(store), {recursive: true});
  writeFileSync(store, 'this is not a database, however long one looks at it\n'.repeat(100));
  const {code, of} = await examine();
  expect([code, of('kept')?.status, of('kept')?.detail]).toEqual([
    0,
    'warn',
    expect.stringMatching(/^corrupt: /),
  ]);
});

test('the terminal is judged by what it says about itself', async () => {
  const {examine} = patient({url: 'http://127.0.0.1:1'});
  const {of} = await examine({env: {TERM: 'dumb', LANG: 'C', SSH_CONNECTION: 'x', STY: 'x'}});
  expect(['terminal', 'locale', 'ssh', 'screen'].map((what) => of(what)?.status)).toEqual([
    'warn',
    'warn',
    'ok',
    'warn',
  ]);
});

test('inside tmux the lines that are missing from its configuration are proposed', async () => {
  const {home, examine} = patient({url: 'http://127.0.0.1:1'});
  const fake = (answers: string) => {
    writeFileSync(join(home, 'tmux'), `#!/bin/sh\ncase "$3" in\n${answers}\n*) exit 1;;\nesac\n`);
    chmodSync(join(home, 'tmux'), 0o755);
    return {env: {...good, TMUX: '/tmp/x,1,0', PATH: `${home}:${process.env.PATH}`}};
  };
  const some = await examine(
    fake('focus-events) echo on;;\nescape-time) echo 500;;\nset-clipboard) echo external;;'),
  );
  expect(some.of('tmux')?.lines).toEqual([
    'set -s set-clipboard on',
    'set -g allow-passthrough on',
    'set -s extended-keys on',
    "set -as terminal-features ',xterm*:extkeys:hyperlinks'",
    'set -s escape-time 10',
  ]);
  const all = await examine(
    fake('escape-time) echo 10;;\nterminal-features) echo xterm:extkeys:hyperlinks;;\n*) echo on;;'),
  );
  expect(all.of('tmux')?.status).toBe('ok');
});

test('usage errors are usage errors', async () => {
  expect(await doctor(['--wibble'], testIo())).toBe(2);
});

test('a disk on which nothing can be written is noticed before something is lost', () => {
  const io = testIo({env: good});
  const {data} = pathsOf(good, io.home);
  mkdirSync(data, {recursive: true, mode: 0o700});
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC'});
  };
  expect([...machineChecks(io, full)].find(({what}) => what === 'data')).toEqual({
    status: 'FAIL',
    what: 'data',
    detail: 'Nothing can be written to ~/.local/share/parley: the disk is full.',
  });
  expect([...machineChecks(io)].find(({what}) => what === 'data')?.status).toBe('ok');
  expect(readdirSync(data)).toEqual([]);
});

test('the proxy that stands in between is named, without its password', async () => {
  const {examine} = patient({url: 'http://chat.example.invalid'});
  const {of, text} = await examine({env: {...good, HTTP_PROXY: 'http://meg:hush-hush@127.0.0.1:1'}});
  expect(of('proxy')?.detail).toBe('the server is reached through 127.0.0.1:1 ($HTTP_PROXY)');
  expect(text).not.toContain('hush');
  const local = await patient({url: 'http://127.0.0.1:1'}).examine({
    env: {...good, http_proxy: 'http://x:1'},
  });
  expect(local.of('proxy')).toBeUndefined();
});

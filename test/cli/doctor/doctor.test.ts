import {chmodSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {doctor, machineChecks} from '#cli/doctor/doctor.ts';
import {accountDatabase, accountId, pathsOf} from '#config/paths.ts';
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

/** Creates a home with an account on this server, and a function that runs the doctor in it. */
function patient(server: TestServer | {url: string}, person = {email: 'm@example.com', apiKey: 'x'.repeat(32)}) {
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

test('doctor: a healthy setup has only ok lines, none with the key', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const {examine, home} = patient(server, meg);
  const {code, checks, of, text} = await examine();
  expect(checks.filter(({status}) => status !== 'ok')).toEqual([]);
  expect(code).toBe(0);
  expect(of('account')?.detail).toBe(`${meg.email} at ${server.url}, from ~/zuliprc (found ~/zuliprc)`);
  expect(of('server')?.detail).toMatch(/feature level 509, \d+ ms$/);
  expect(of('key')?.detail).toBe('accepted for Meg Member');
  expect(of('events')?.detail).toMatch(/^created and deleted a queue/);
  expect(of('clock')?.detail).toBe('agrees with the server within 1 s');
  expect(of('terminal')?.detail).toBe('TERM=xterm-256color, true colour');
  expect(text).not.toContain(meg.apiKey);
  expect(server.context.queues.size).toBe(0);

  const io = testIo({home, env: good});
  expect(await doctor([], io)).toBe(0);
  expect(io.out()).toContain('\nok    key        accepted for Meg Member\n');
});

test('doctor: a server of the oldest supported level passes', async () => {
  const server = await testServer({level: 122});
  const {code, of} = await patient(server, server.people.member()).examine();
  expect([code, of('clock')?.status]).toEqual([0, 'ok']);
});

test('doctor: a rejected key and an unreachable server fail', async () => {
  const server = await testServer();
  const wrong = await patient(server).examine();
  expect([wrong.code, wrong.of('key')?.status, wrong.of('events')]).toEqual([1, 'FAIL', undefined]);
  const gone = await patient({url: 'http://127.0.0.1:1'}).examine();
  expect([gone.code, gone.of('server'), gone.of('key')]).toEqual([
    1,
    {status: 'FAIL', what: 'server', detail: 'Cannot reach 127.0.0.1:1: connection refused.'},
    undefined,
  ]);
  expect(gone.of('database')?.status).toBe('ok');
});

test('doctor: an unreadable account fails with the reason', async () => {
  const {file, examine} = patient({url: 'http://127.0.0.1:1'});
  writeFileSync(file, '[api]\nkey=x\n');
  const {code, of} = await examine();
  expect([code, of('account')?.status, of('account')?.detail]).toEqual([
    1,
    'FAIL',
    `${file} has no “site” in its [api] section.`,
  ]);
});

test('doctor: directories open to others are a warning, and a readable secret is made private', async () => {
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

test('doctor: a file in place of a directory fails', async () => {
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
  [-100_000, "This computer's clock is 100 s behind the server's: correct the one that is wrong."],
  [3_600_000, "This computer's clock is 3600 s ahead of the server's: correct the one that is wrong."],
])('doctor: a clock difference of %i ms', async (offset, sentence) => {
  const theirs = new ManualClock();
  const server = await testServer({clock: theirs});
  const clock = {...systemClock, now: () => theirs.now() + offset};
  const {of} = await patient(server, server.people.member()).examine({clock});
  expect(of('clock')).toEqual({status: 'warn', what: 'clock', detail: sentence});
});

test('doctor: a damaged database is a warning, because the next start replaces it', async () => {
  const server = await testServer();
  const {store, examine} = patient(server, server.people.member());
  mkdirSync(dirname(store), {recursive: true});
  writeFileSync(store, 'this is not a database, however long one looks at it\n'.repeat(100));
  const {code, of} = await examine();
  expect([code, of('database')?.status, of('database')?.detail]).toEqual([
    0,
    'warn',
    expect.stringMatching(/^corrupt: /),
  ]);
});

test('doctor: the terminal check uses the environment', async () => {
  const {examine} = patient({url: 'http://127.0.0.1:1'});
  const {of} = await examine({env: {TERM: 'dumb', LANG: 'C', SSH_CONNECTION: 'x', STY: 'x'}});
  expect(['terminal', 'locale', 'ssh', 'screen'].map((what) => of(what)?.status)).toEqual([
    'warn',
    'warn',
    'ok',
    'warn',
  ]);
});

test('doctor: inside tmux the missing configuration lines are proposed', async () => {
  const {home, examine} = patient({url: 'http://127.0.0.1:1'});
  const fake = (answers: string) => {
    writeFileSync(join(home, 'tmux'), `#!/bin/sh\ncase "$3" in\n${answers}\n*) exit 1;;\nesac\n`);
    chmodSync(join(home, 'tmux'), 0o755);
    return {env: {...good, TMUX: '/tmp/x,1,0', PATH: `${home}:${process.env.PATH}`}};
  };
  const some = await examine(fake('focus-events) echo on;;\nescape-time) echo 500;;\nset-clipboard) echo external;;'));
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

test('doctor: an unknown option is a usage error', async () => {
  expect(await doctor(['--wibble'], testIo())).toBe(2);
});

test('doctor: an unwritable disk fails before data is lost', () => {
  const io = testIo({env: good});
  const {data} = pathsOf(good, io.home);
  mkdirSync(data, {recursive: true, mode: 0o700});
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC'});
  };
  expect([...machineChecks(io, full)].find(({what}) => what === 'data')).toEqual({
    status: 'FAIL',
    what: 'data',
    detail: 'Writing to ~/.local/share/parley failed: the disk is full.',
  });
  expect([...machineChecks(io)].find(({what}) => what === 'data')?.status).toBe('ok');
  expect(readdirSync(data)).toEqual([]);
});

test('doctor: a proxy is named without its password', async () => {
  const {examine} = patient({url: 'http://chat.example.invalid'});
  const {of, text} = await examine({env: {...good, HTTP_PROXY: 'http://meg:hush-hush@127.0.0.1:1'}});
  expect(of('proxy')?.detail).toBe('the server is reached through 127.0.0.1:1 ($HTTP_PROXY)');
  expect(text).not.toContain('hush');
  const local = await patient({url: 'http://127.0.0.1:1'}).examine({
    env: {...good, http_proxy: 'http://x:1'},
  });
  expect(local.of('proxy')).toBeUndefined();
});

test('doctor: problems in keys.toml are reported', async () => {
  const {home, examine} = patient({url: 'http://127.0.0.1:9'});
  const {config} = pathsOf({}, home);
  expect((await examine()).of('keys')).toMatchObject({status: 'ok'});
  mkdirSync(config, {recursive: true, mode: 0o700});
  writeFileSync(join(config, 'keys.toml'), '[inbox]\n"e" = "no.such.command"\n', {mode: 0o600});
  expect((await examine()).of('keys')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('no.such.command'),
  });
});

test('doctor: problems in the file of the chosen theme are reported with their line', async () => {
  const {home, examine} = patient({url: 'http://127.0.0.1:9'});
  const {config} = pathsOf({}, home);
  expect((await examine()).of('theme')).toBeUndefined();
  mkdirSync(join(config, 'themes'), {recursive: true, mode: 0o700});
  writeFileSync(join(config, 'config.toml'), 'theme = "sea"\n', {mode: 0o600});
  writeFileSync(join(config, 'themes', 'sea.toml'), '[roles]\nlink = "bleu"\n', {mode: 0o600});
  expect((await examine()).of('theme')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('themes/sea.toml, line 2: “link” has “bleu”'),
  });
});

test('doctor: problems in rules.toml are reported with their line', async () => {
  const {home, examine} = patient({url: 'http://127.0.0.1:9'});
  const {config} = pathsOf({}, home);
  expect((await examine()).of('rules')).toBeUndefined();
  mkdirSync(config, {recursive: true, mode: 0o700});
  writeFileSync(join(config, 'rules.toml'), '[[rule]]\nname = "a"\nbot = true\nstar = true\n', {mode: 0o600});
  expect((await examine()).of('rules')).toMatchObject({status: 'ok'});
  writeFileSync(join(config, 'rules.toml'), '[[rule]]\nname = "a"\nbot = 1\nstar = true\n', {mode: 0o600});
  expect((await examine()).of('rules')).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('line 3, column 1'),
  });
});

import {chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {type AccountRequest, accountSource, loadAccount, resolveAccount} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {accountId, pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {systemClock} from '#std/clock.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const key = 'abcdefghijklmnopqrstuvwxyz012345';
const zuliprc = (name: string, more = `key=${key}\n`) =>
  `[api]\nemail=${name}@example.com\nsite=https://chat.example.com\n${more}`;

/** Creates a home with accounts and files, and functions that resolve the account there. */
function home() {
  const directory = scratchDirectory();
  const accounts = new NamedAccounts(pathsOf({}, directory));
  return {
    directory,
    accounts,
    add: (name: string, who = name) => accounts.add(name, parseZuliprc(zuliprc(who), who, directory)),
    file(path: string, text: string, mode = 0o600) {
      const file = join(directory, path);
      writeFileSync(file, text);
      chmodSync(file, mode);
      return file;
    },
    used(choice: Partial<AccountRequest> = {}) {
      return resolveAccount({env: {}, home: directory, cwd: directory, clock: systemClock, ...choice});
    },
  };
}

test('accounts: the first of command line, environment, default, ~/zuliprc and ~/.zuliprc is used', () => {
  const {add, accounts, file, used, directory} = home();
  const env = {ZULIP_CONFIG: '~/by-variable'};
  const who = (choice?: Partial<AccountRequest>) => {
    const found = used(choice);
    return found === undefined ? undefined : [found.account.email.split('@')[0], found.why];
  };
  expect(who()).toBeUndefined();
  file('.zuliprc', zuliprc('hidden'));
  expect(who()).toEqual(['hidden', 'found ~/.zuliprc']);
  file('zuliprc', zuliprc('plain'));
  expect(who()).toEqual(['plain', 'found ~/zuliprc']);
  add('work');
  expect(who()).toEqual(['work', 'the only account']);
  add('club');
  expect(who()).toEqual(['plain', 'found ~/zuliprc']);
  accounts.setDefault('club');
  expect(who()).toEqual(['club', 'the default account']);
  file('by-variable', zuliprc('variable'));
  expect(who({env})).toEqual(['variable', '$ZULIP_CONFIG']);
  expect(who({env, account: 'work'})).toEqual(['work', '--account']);
  file('by-flag', zuliprc('flag'));
  expect(who({env, account: 'work', config: 'by-flag'})).toEqual(['flag', '--config']);
  expect(used({config: 'by-flag'})?.account.file).toBe(join(directory, 'by-flag'));
});

test('accounts: a chosen account that is missing is never replaced by another', () => {
  const {add, accounts, file, used, directory} = home();
  file('zuliprc', zuliprc('plain'));
  add('work');
  expect(() => used({account: 'play'})).toThrow('There is no account “play”. Accounts: work.');
  expect(() => used({account: '../../zuliprc'})).toThrow('There is no account “../../zuliprc”.');
  expect(() => used({config: 'gone'})).toThrow(`There is no file ${directory}/gone.`);
  expect(() => used({env: {ZULIP_CONFIG: '/gone'}})).toThrow('There is no file /gone.');
  add('club');
  accounts.setDefault('work');
  writeFileSync(join(directory, '.config/parley/default-account'), 'holiday\n');
  expect(() => used()).toThrow('There is no account “holiday”. Accounts: club, work. It is the default account.');
});

test('accounts: several accounts without a default are an error that asks to choose', () => {
  const {add, used} = home();
  add('work');
  add('club');
  expect(() => used()).toThrow('Several accounts exist (club, work) and none is the default');
});

test('accounts: an empty $ZULIP_CONFIG is ignored', () => {
  const {directory} = home();
  const choice = {env: {ZULIP_CONFIG: ''}, home: directory, cwd: directory, clock: systemClock};
  expect(accountSource(choice)).toBeUndefined();
});

test('accounts: named accounts are private files, and a name can be added only once', () => {
  const {add, accounts, directory} = home();
  expect([add('work'), add('work')]).toEqual([true, false]);
  expect(statSync(accounts.file('work')).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, '.config/parley/accounts')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(directory, '.config/parley/accounts'))).toEqual(['work.zuliprc']);
});

test('accounts: removing the default account leaves no default', () => {
  const {add, accounts} = home();
  add('work');
  accounts.setDefault('work');
  accounts.remove('work');
  expect([accounts.names(), accounts.chosenDefault()]).toEqual([[], undefined]);
});

test.each(['', '.', '..', '../x', 'a/b', '-x', '.hidden', 'a b', 'x'.repeat(65), 'a\0b'])(
  'accounts: %j is not a valid name',
  (name) => {
    const {add, accounts} = home();
    expect(() => add(name, 'meg')).toThrow('is not a valid account name');
    expect(accounts.has(name)).toBe(false);
  },
);

test('accounts: a key file that others can read is made private, with a notice', () => {
  const {file, used} = home();
  const path = file('zuliprc', zuliprc('meg'), 0o644);
  expect(used()?.notices).toEqual([
    `Other users could read ${path}, which contains your API key. Parley made it private.`,
  ]);
  expect(used()?.notices).toEqual([]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('accounts: an account shows its user and server, never the key', async () => {
  const {file, used} = home();
  file('zuliprc', zuliprc('Meg'));
  const account = used()?.account;
  expect(account).toMatchObject({
    site: 'https://chat.example.com',
    email: 'Meg@example.com',
    name: '~/zuliprc',
  });
  expect(inspect(account, {depth: 9, showHidden: true}) + JSON.stringify(account)).not.toContain(key);
  expect(await account?.key()).toBe(key);
});

function commanded(command: string, clock = systemClock, env: Record<string, string> = {PATH: process.env.PATH ?? ''}) {
  const {file, directory} = home();
  const path = file('zuliprc', zuliprc('meg', `key_command=${command}\n`));
  return loadAccount(path, 'meg', {env, home: directory, clock, timeoutMs: 60_000}).account;
}

test('key_command: it runs when the key is needed, once, and its first line is the key', async () => {
  const directory = scratchDirectory();
  const account = commanded(`echo run >> ${directory}/runs; printf '  ${key}\\r\\nlogin: meg\\n'`);
  expect(readdirSync(directory)).toEqual([]);
  expect(await Promise.all([account.key(), account.key()])).toEqual([key, key]);
  expect(await account.key()).toBe(key);
  expect(statSync(join(directory, 'runs')).size).toBe('run\n'.length);
});

test.each([
  ['exit 3', 'failed (exit code 3).'],
  ['echo gpg: no secret key. >&2; exit 1', 'failed (exit code 1): gpg: no secret key.'],
  ['kill -9 $$', 'failed (SIGKILL).'],
  ['true', 'printed nothing.'],
  ['echo two words', 'printed something other than an API key.'],
  ['no-such-program-here', 'failed (exit code 127): '],
])('key_command: %j fails with one sentence', async (command, sentence) => {
  await expect(commanded(command).key()).rejects.toThrow(sentence);
});

test('key_command: a command that failed, as when the password manager was locked, is run again', async () => {
  const unlocked = join(scratchDirectory(), 'key');
  const account = commanded(`cat ${unlocked}`);
  await expect(account.key()).rejects.toThrow('failed (exit code 1)');
  writeFileSync(unlocked, key);
  expect(await account.key()).toBe(key);
});

test('key_command: a failing command that printed the key does not reveal it', async () => {
  const account = commanded(`echo ${key}; echo oops >&2; exit 1`);
  const error = await account.key().catch((failure: unknown) => failure);
  expect(inspect(error)).toContain('oops');
  expect(inspect(error)).not.toContain(key);
});

test('key_command: a command that never ends times out', async () => {
  const clock = new ManualClock();
  const account = commanded('exec sleep 1000', clock);
  const asked = account.key();
  // The timer is set as soon as the command is started, which is before the first turn of the loop ends.
  await Promise.resolve();
  clock.advance(60_000);
  await expect(asked).rejects.toThrow('did not finish within 60 seconds.');
});

test('key_command: a command in a file that others can read, change or replace is not run', () => {
  const {file, directory} = home();
  const text = zuliprc('meg', 'key_command=echo x\n');
  const load = (path: string) => loadAccount(path, 'meg', {env: {}, home: directory, clock: systemClock});
  for (const mode of [0o666, 0o640]) {
    const path = file('zuliprc', text, mode);
    expect(() => load(path)).toThrow(`The key_command of ${path} is not run: others may read or change the file.`);
  }
  mkdirSync(join(directory, 'shared/own'), {recursive: true});
  const path = file('shared/own/zuliprc', text);
  const link = join(directory, 'link');
  symlinkSync('shared/own', link);
  expect(load(join(link, 'zuliprc')).account.email).toBe('meg@example.com');
  chmodSync(join(directory, 'shared'), 0o777);
  for (const way of [path, join(link, 'zuliprc')]) {
    expect(() => load(way)).toThrow(`is not run: others may change ${join(directory, 'shared')}.`);
  }
  // With the sticky bit, as in /tmp, others cannot replace the folder.
  chmodSync(join(directory, 'shared'), 0o1777);
  expect(load(path).account.email).toBe('meg@example.com');
});

test.skipIf(process.getuid?.() !== 0)(
  'key_command: a command in another user’s file, behind their link or in the folder of a group is not run',
  () => {
    const {file, directory} = home();
    const path = file('zuliprc', zuliprc('meg', 'key_command=echo x\n'));
    const link = join(directory, 'link');
    symlinkSync(path, link);
    const load = (from: string) => () => loadAccount(from, 'meg', {env: {}, home: directory, clock: systemClock});
    lchownSync(link, 12345, 12345);
    expect(load(link)).toThrow(`is not run: others may change ${link}.`);
    chownSync(path, 12345, 12345);
    expect(load(path)).toThrow('is not run: another user owns the file.');
    mkdirSync(join(directory, 'team'));
    const inTeam = file('team/zuliprc', zuliprc('meg', 'key_command=echo x\n'));
    chmodSync(join(directory, 'team'), 0o770);
    // The group with the number of the owner has no other members.
    expect(load(inTeam)().account.email).toBe('meg@example.com');
    chownSync(join(directory, 'team'), 0, 12345);
    expect(load(inTeam)).toThrow(`is not run: others may change ${join(directory, 'team')}.`);
  },
);

test('accounts: a zuliprc from a pipe or device needs no repair', () => {
  expect(() => home().used({config: '/dev/null'})).toThrow('/dev/null has no [api] section');
});

test('account id: a stable file name that differs for other users and servers', () => {
  const id = accountId('https://chat.example.com', 'Meg@Example.com');
  expect(id).toBe(accountId('https://chat.example.com', 'meg@example.com'));
  expect(id).toMatch(/^meg@example\.com-chat\.example\.com-[0-9a-f]{16}$/);
  const others = [
    accountId('http://chat.example.com', 'meg@example.com'),
    accountId('https://chat.example.com/team', 'meg@example.com'),
    accountId('https://chat.example.com', 'otto@example.com'),
    accountId('https://../../..', '../../../etc/passwd'),
    accountId('https://x', 'ö'.repeat(500)),
  ];
  expect(new Set([id, ...others]).size).toBe(6);
  for (const other of others) expect(other).toMatch(/^[a-z0-9_@][a-z0-9._@-]{0,99}$/);
});

test('accounts: a file in place of the accounts directory is one sentence', () => {
  const {directory, accounts} = home();
  mkdirSync(join(directory, '.config/parley'), {recursive: true});
  writeFileSync(join(directory, '.config/parley/accounts'), '');
  expect(() => accounts.names()).toThrow('cannot be read');
});

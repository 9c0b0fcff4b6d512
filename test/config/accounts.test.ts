import {chmodSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import {expect, test} from 'vitest';
import {accountId} from '#config/account-id.ts';
import {loadAccount} from '#config/load-account.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {type AccountRequest, accountSource, resolveAccount} from '#config/resolve-account.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {systemClock} from '#std/clock.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const key = 'abcdefghijklmnopqrstuvwxyz012345';
const zuliprc = (name: string, more = `key=${key}\n`) =>
  `[api]\nemail=${name}@example.com\nsite=https://chat.example.com\n${more}`;

/** A home with accounts and files in it, and the way to ask what is used there. */
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

test('the first of command line, environment, default, ~/zuliprc and ~/.zuliprc is used', () => {
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

test('an account that is meant but not there is never replaced by another', () => {
  const {add, accounts, file, used, directory} = home();
  file('zuliprc', zuliprc('plain'));
  add('work');
  expect(() => used({account: 'play'})).toThrow('There is no account “play”. There are: work.');
  expect(() => used({account: '../../zuliprc'})).toThrow('There is no account “../../zuliprc”.');
  expect(() => used({config: 'gone'})).toThrow(`There is no file ${directory}/gone.`);
  expect(() => used({env: {ZULIP_CONFIG: '/gone'}})).toThrow('There is no file /gone.');
  add('club');
  accounts.setDefault('work');
  writeFileSync(join(directory, '.config/parley/default-account'), 'holiday\n');
  expect(() => used()).toThrow(
    'There is no account “holiday”. There are: club, work. It was the default account;',
  );
});

test('several accounts and no default: the user is asked to choose', () => {
  const {add, used} = home();
  add('work');
  add('club');
  expect(() => used()).toThrow('There are several accounts (club, work) and none is the default');
});

test('an empty $ZULIP_CONFIG means nothing', () => {
  const {directory} = home();
  const choice = {env: {ZULIP_CONFIG: ''}, home: directory, cwd: directory, clock: systemClock};
  expect(accountSource(choice)).toBeUndefined();
});

test('named accounts are private files, and a name is taken only once', () => {
  const {add, accounts, directory} = home();
  expect([add('work'), add('work')]).toEqual([true, false]);
  expect(statSync(accounts.file('work')).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, '.config/parley/accounts')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(directory, '.config/parley/accounts'))).toEqual(['work.zuliprc']);
});

test('removing the default account leaves no default', () => {
  const {add, accounts} = home();
  add('work');
  accounts.setDefault('work');
  accounts.remove('work');
  expect([accounts.names(), accounts.chosenDefault()]).toEqual([[], undefined]);
});

test.each(['', '.', '..', '../x', 'a/b', '-x', '.hidden', 'a b', 'x'.repeat(65), 'a\0b'])(
  '%j cannot name an account',
  (name) => {
    const {add, accounts} = home();
    expect(() => add(name, 'meg')).toThrow('cannot name an account');
    expect(accounts.has(name)).toBe(false);
  },
);

test('a key that others can read is repaired on loading, with a notice', () => {
  const {file, used} = home();
  const path = file('zuliprc', zuliprc('meg'), 0o644);
  expect(used()?.notices).toEqual([`Others could read ${path}, which holds your key; now only you can.`]);
  expect(used()?.notices).toEqual([]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('the account says who and where, and never the key', async () => {
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

function commanded(
  command: string,
  clock = systemClock,
  env: Record<string, string> = {PATH: process.env.PATH ?? ''},
) {
  const {file, directory} = home();
  const path = file('zuliprc', zuliprc('meg', `key_command=${command}\n`));
  return loadAccount(path, 'meg', {env, home: directory, clock, timeoutMs: 60_000}).account;
}

test('a key_command is run when the key is needed, once, and its first line is the key', async () => {
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
  ['echo two words', 'printed something that is not a key.'],
  ['no-such-program-here', 'failed (exit code 127): '],
])('key_command %j fails with a sentence, and is tried again the next time', async (command, sentence) => {
  const account = commanded(command);
  await expect(account.key()).rejects.toThrow(sentence);
  await expect(account.key()).rejects.toThrow(sentence);
});

test('a failing key_command that printed the key does not give it away', async () => {
  const account = commanded(`echo ${key}; echo oops >&2; exit 1`);
  const error = await account.key().catch((failure: unknown) => failure);
  expect(inspect(error)).toContain('oops');
  expect(inspect(error)).not.toContain(key);
});

test('a key_command that never ends is given up', async () => {
  const clock = new ManualClock();
  const account = commanded('exec sleep 1000', clock);
  const asked = account.key();
  // The timer is set as soon as the command is started, which is before the first turn of the loop ends.
  await Promise.resolve();
  clock.advance(60_000);
  await expect(asked).rejects.toThrow('did not finish within 60 seconds.');
});

test('a key_command in a file that others can change is not run', () => {
  const {file, directory} = home();
  const path = file('zuliprc', zuliprc('meg', 'key_command=echo x\n'), 0o666);
  const load = () => loadAccount(path, 'meg', {env: {}, home: directory, clock: systemClock});
  expect(load).toThrow(`Others can change ${path}, so its key_command is not run.`);
});

test('a zuliprc through a pipe or device needs no repair', () => {
  expect(() => home().used({config: '/dev/null'})).toThrow('/dev/null has no [api] section');
});

test('the id of an account is a stable file name that differs for other people and places', () => {
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

test('a directory in the way of the accounts is a sentence', () => {
  const {directory, accounts} = home();
  mkdirSync(join(directory, '.config/parley'), {recursive: true});
  writeFileSync(join(directory, '.config/parley/accounts'), '');
  expect(() => accounts.names()).toThrow('cannot be read');
});

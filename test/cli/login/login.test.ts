import {once} from 'node:events';
import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createServer as createHttpServer} from 'node:http';
import {createServer} from 'node:net';
import {join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {withStore} from '#cli/account-access/open-store.ts';
import {acceptsPasswords, serverNotices} from '#cli/login/credentials.ts';
import {login} from '#cli/login/login.ts';
import {accounts} from '#cli/verbs/accounts.ts';
import {testIo} from '#test/support/cli-io.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {accountsIn, interactive, password, withMeg} from './login-fixture.ts';

function zuliprc(server: TestServer, email: string, key: string) {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${server.url}\n`;
}

test('login: a password becomes a key in a private file, and the first account is the default', async () => {
  const {server, email, key} = await withMeg();
  const io = testIo({input: `${password}\n`});
  const code = await login([server.url, '--name', 'work', '--email', email, '--password-stdin'], io);
  expect([code, io.err()]).toEqual([0, expect.stringContaining('version 13')]);
  const file = join(io.home, '.config/parley/accounts/work.zuliprc');
  expect(readFileSync(file, 'utf8')).toBe(zuliprc(server, email, key));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(io.home, '.config/parley/default-account'), 'utf8')).toBe('work\n');
  expect(io.out()).toContain('Logged in as Meg Member (meg@example.com)');
  expect(io.out() + io.err()).not.toContain(key);
});

test('login: a key on standard input and a zuliprc from a file or standard input work', async () => {
  const {server, email, key} = await withMeg();
  const byKey = testIo({input: `  ${key}\n`});
  expect(await login([server.url, '--email', email, '--key-stdin'], byKey)).toBe(0);
  const byFile = testIo();
  writeFileSync(join(byFile.home, 'downloaded'), zuliprc(server, email, key));
  expect(await login(['--zuliprc', 'downloaded'], byFile)).toBe(0);
  const piped = testIo({input: zuliprc(server, email, key)});
  expect(await login(['--zuliprc', '-'], piped)).toBe(0);
  for (const io of [byKey, byFile, piped]) expect(accountsIn(io.home)).toEqual(['parley.zuliprc']);
  // Options about certificates win over the file.
  const insecure = testIo({input: zuliprc(server, email, key)});
  expect(await login(['--zuliprc', '-', '--insecure'], insecure)).toBe(0);
  expect(readFileSync(join(insecure.home, '.config/parley/accounts/parley.zuliprc'), 'utf8')).toContain(
    'insecure=true',
  );
});

test('login: a zuliprc with a key_command keeps the command, not the key', async () => {
  const {server, email, key} = await withMeg();
  const home = scratchDirectory();
  const io = testIo({env: {...process.env, XDG_CONFIG_HOME: join(home, 'config')}, home});
  writeFileSync(join(io.home, 'rc'), `[api]\nemail=${email}\nsite=${server.url}\nkey_command=echo ${key}\n`, {
    mode: 0o600,
  });
  expect(await login(['--zuliprc', 'rc', '--name', 'x'], io)).toBe(0);
  const kept = readFileSync(join(io.home, 'config/parley/accounts/x.zuliprc'), 'utf8');
  expect(kept).toBe(`[api]\nemail=${email}\nkey_command=echo ${key}\nsite=${server.url}\n`);
});

test('login: a key_command from standard input, or in a file that others can read, is not run', async () => {
  const {server, email} = await withMeg();
  const home = scratchDirectory();
  const rc = `[api]\nemail=${email}\nsite=${server.url}\nkey_command=touch ${join(home, 'ran')}\n`;
  writeFileSync(join(home, 'rc'), rc, {mode: 0o644});
  for (const [source, sentence] of [
    ['-', 'only run from a file'],
    ['rc', 'Make it private: chmod 600'],
  ] as const) {
    const io = testIo({home, input: rc});
    expect([await login(['--zuliprc', source], io), io.err()]).toEqual([3, expect.stringContaining(sentence)]);
  }
  expect(existsSync(join(home, 'ran'))).toBe(false);
});

test('login: a second login updates the key of the same account; another user gets another name', async () => {
  const {server, email, key} = await withMeg();
  const otto = server.people.member('Otto');
  const home = scratchDirectory();
  const add = async (who: string, theirKey: string, ...flags: string[]) => {
    const io = testIo({home, input: theirKey});
    return [await login([server.url, '--email', who, '--key-stdin', ...flags], io), io.err()];
  };
  await add(email, key, '--name', 'work');
  await add(email.toUpperCase(), key);
  expect(accountsIn(home)).toEqual(['work.zuliprc']);

  const [code, words] = await add(otto.email, otto.apiKey, '--name', 'work');
  expect([code, words]).toEqual([1, expect.stringContaining('Another account is called “work”')]);
  expect(readFileSync(join(home, '.config/parley/accounts/work.zuliprc'), 'utf8')).toContain('MEG@EXAMPLE.COM');

  await add(otto.email, otto.apiKey);
  await add(server.people.member('Third').email, 'x');
  const third = server.people.member('Fourth');
  await add(third.email, third.apiKey);
  const fifth = server.people.member('Fifth');
  await add(fifth.email, fifth.apiKey);
  expect(accountsIn(home)).toEqual(['parley-2.zuliprc', 'parley-3.zuliprc', 'parley.zuliprc', 'work.zuliprc']);
  expect(readFileSync(join(home, '.config/parley/default-account'), 'utf8')).toBe('work\n');
});

test.each([
  ['a wrong password', 'AUTHENTICATION_FAILED', 401, 3, 'Injected fault'],
  ['a deactivated account', 'USER_DEACTIVATED', 401, 3, 'Injected fault'],
  ['a deactivated organization', 'REALM_DEACTIVATED', 401, 3, 'Injected fault'],
  ['an organization without passwords', 'PASSWORD_AUTH_DISABLED', 401, 3, '/#settings/account-and-privacy'],
  ['too many attempts', 'RATE_LIMIT_HIT', 429, 4, 'asks to wait'],
  ['a broken server', 'INTERNAL_SERVER_ERROR', 500, 4, 'had a problem (status 500)'],
])('login: %s is one sentence, and nothing is saved', async (_, code, status, exit, sentence) => {
  const server = await testServer({testHooks: true});
  const kind = status === 429 ? 'rate_limit' : 'status';
  const fault = {
    kind,
    method: 'POST',
    path: '/fetch_api_key',
    status,
    code,
    delay_ms: 0,
    retry_after: 60,
  } as const;
  server.faults?.add({...fault, times: 1});
  const io = testIo({input: 'secret-password\n'});
  expect(await login([server.url, '--email', 'm@example.com', '--password-stdin'], io)).toBe(exit);
  const lines = io.err().trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(io.err()).not.toContain('secret-password');
  expect(lines[1]).toContain(sentence);
  expect(accountsIn(io.home)).toEqual([]);
});

test('login: the same user finds the drafts and unsent messages of an account that was removed with --keep-data', async () => {
  const {server, email, key} = await withMeg();
  const io = testIo({input: key});
  const argv = [server.url, '--email', email, '--key-stdin', '--name', 'work'];
  expect(await login(argv, io)).toBe(0);
  const conversation = {kind: 'direct', userIds: [7]} as const;
  await withStore({account: 'work'}, io, (store) => {
    store.outbox.add({id: 'a', conversation, content: 'unsent', createdAt: 1, draftId: undefined});
  });
  expect(await accounts(['remove', 'work', '--yes', '--keep-data'], testIo({home: io.home}))).toBe(0);
  expect(accountsIn(io.home)).toEqual([]);
  const again = testIo({home: io.home, input: key});
  expect(await login(argv.with(-1, 'office'), again)).toBe(0);
  const unsent = await withStore({account: 'office'}, again, (store) => store.outbox.all());
  expect(unsent).toMatchObject([{content: 'unsent'}]);
});

test('login: a key that the server rejects is not saved', async () => {
  const server = await testServer();
  const io = testIo({input: 'x'.repeat(32)});
  expect(await login([server.url, '--email', 'm@example.com', '--key-stdin'], io)).toBe(3);
  expect(io.err()).toContain(`${server.url} rejects this API key for m@example.com. The account was not saved.`);
  const empty = testIo({home: io.home, input: '\n'});
  expect(await login([server.url, '--email', 'm@example.com', '--key-stdin'], empty)).toBe(3);
  expect(empty.err()).toContain('\nStandard input contains no API key.\n');
  expect(accountsIn(io.home)).toEqual([]);
});

test('login: an unreachable server, another service and a TLS error give exit code 4 and one sentence', async () => {
  const server = await testServer();
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const address = closed.address();
  await new Promise((resolve) => closed.close(resolve));
  const attempts = [
    [`127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, 'connection refused'],
    [server.url.replace('http:', 'https:'), 'does not speak TLS on this port'],
  ] as const;
  for (const [url, sentence] of attempts) {
    const io = testIo({input: 'x'.repeat(32)});
    expect(await login([url, '--email', 'm@example.com', '--key-stdin'], io)).toBe(4);
    expect(io.err()).toContain(sentence);
    expect(io.err().trim().split('\n')).toHaveLength(1);
  }
});

test.each([
  [[]],
  [['chat.example.com']],
  [['chat.example.com', '--email', 'm@example.com']],
  [['--key-stdin', '--email', 'm@example.com']],
  [['chat.example.com', 'other.example.com', '--email', 'm', '--key-stdin']],
  [['chat.example.com', '--email', 'm', '--key-stdin', '--password-stdin']],
  [['chat.example.com', '--zuliprc', 'x']],
  [['chat.example.com', '--email', 'm', '--key-stdin', '--name', '../x']],
  [['--wibble']],
])('login: %j is a usage error without a terminal', async (argv) => {
  const io = testIo();
  expect(await login(argv, io)).toBe(2);
  expect(io.err().trim().split('\n')).toHaveLength(1);
});

test('login: a server that is too old prints a warning', async () => {
  const old = createHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        result: 'success',
        msg: '',
        zulip_version: '4.0',
        zulip_feature_level: 66,
        full_name: 'M',
      }),
    );
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void old.close());
  await once(old, 'listening');
  const address = old.address();
  const io = testIo({input: 'key'});
  const port = typeof address === 'object' ? address?.port : 0;
  await login([`127.0.0.1:${port}`, '--email', 'm@example.com', '--key-stdin'], io);
  expect(io.err()).toContain(
    'This server is older than 5.0 (feature level 66; Parley needs 122). Many features will not work.',
  );
});

test.each([
  ['Acme Corp. – Tide & Co', 'acme-corp-tide-co'],
  ['Ångström', 'ångström'],
  ['Demo', '127.0.0.1'],
  ['***', '127.0.0.1'],
])('login: an account of the organization “%s” is called %s', async (organization, name) => {
  const {server, email, key} = await withMeg();
  server.people.setting('name', organization);
  const io = testIo({input: key});
  expect(await login([server.url, '--email', email, '--key-stdin'], io)).toBe(0);
  const suffix = name.startsWith('127') ? `-${new URL(server.url).port}` : '';
  expect(accountsIn(io.home)).toEqual([`${name}${suffix}.zuliprc`]);
});

test.each([
  [{}, true],
  [{email: true}, true],
  [{ldap: true, password: false}, true],
  [{google: true, password: false}, false],
])('login: an organization with the methods %j accepts passwords: %s', (authentication_methods, accepts) => {
  expect(acceptsPasswords({authentication_methods, email_auth_enabled: true} as never)).toBe(accepts);
});

test.each([
  ['http://chat.example.com', true],
  ['https://chat.example.com', false],
  ['http://localhost:9991', false],
])('login: a warning that the connection to %s is not encrypted: %s', (site, isWarned) => {
  const notices = serverNotices({site} as never, {zulip_feature_level: 509, realm_name: 'Acme'} as never);
  expect(notices).toEqual(isWarned ? [expect.stringMatching(/^The connection is not encrypted: /)] : []);
});

test('login: an address without an organization is one sentence', async () => {
  const {server, email} = await withMeg({testHooks: true});
  server.faults?.add({
    kind: 'status',
    method: 'POST',
    path: '/fetch_api_key',
    status: 404,
    code: 'NONEXISTENT_SUBDOMAIN',
    delay_ms: 0,
    retry_after: 0,
    times: 1,
  });
  const io = testIo({input: `${password}\n`});
  expect(await login([server.url, '--email', email, '--password-stdin'], io)).toBe(1);
  const {host} = new URL(server.url);
  expect(io.err()).toContain(
    `\nNo organization has the address ${host}: if the server hosts several, use the address of yours.\n`,
  );
});

test('login: an unwritable home leaves no partial files', async () => {
  const {server, email, key} = await withMeg();
  const io = testIo({input: key});
  mkdirSync(join(io.home, '.config/parley'), {recursive: true});
  writeFileSync(join(io.home, '.config/parley/accounts'), 'in the way');
  expect(await login([server.url, '--email', email, '--key-stdin', '--name', 'x'], io)).toBe(3);
  expect(readFileSync(join(io.home, '.config/parley/accounts'), 'utf8')).toBe('in the way');
});

test('login: the only account stays the default when a second one is added', async () => {
  const {server, email, key} = await withMeg();
  const otto = server.people.member('Otto');
  const home = scratchDirectory();
  const add = (text: string, name: string) => login(['--zuliprc', '-', '--name', name], testIo({home, input: text}));
  await add(zuliprc(server, email, key), 'work');
  rmSync(join(home, '.config/parley/default-account'));
  await add(zuliprc(server, otto.email, otto.apiKey), 'club');
  expect(readFileSync(join(home, '.config/parley/default-account'), 'utf8')).toBe('work\n');
});

test('login: too much standard input is one sentence', async () => {
  const {server, email} = await withMeg();
  const io = testIo({input: 'x'.repeat(70_000)});
  expect(await login([server.url, '--email', email, '--key-stdin'], io)).toBe(1);
  expect(io.err()).toMatch(/\nStandard input is longer than 64 KiB\.\n$/);
});

test('login prompt: the password is not echoed', async () => {
  const {server, email} = await withMeg();
  const {code, io} = await interactive(
    [],
    [
      ['Server address', 'not an address\r'],
      ['is not the address', `${server.url}/#narrow/channel/1\r`],
      ['E-mail', `${email}\r`],
      ['Password or API key', `${password}\r`],
    ],
  );
  expect([code, accountsIn(io.home)]).toEqual([0, ['parley.zuliprc']]);
  const screen = stripVTControlCharacters(io.err());
  expect(screen).toContain(`paste a zuliprc): ${email}`);
  expect(screen).not.toContain(password.trim());
});

test('login prompt: a password that is pasted or typed ahead is not echoed', async () => {
  const {server, email} = await withMeg();
  const pasted = await interactive([server.url], [['E-mail', `${email}\r${password}\r`]]);
  const ahead = await interactive(
    [server.url, '--email', email],
    [
      ['version 13', password.slice(0, 9)],
      ['Password or API key', `${password.slice(9)}\r`],
    ],
  );
  for (const {code, io} of [pasted, ahead]) {
    expect(code).toBe(0);
    expect(stripVTControlCharacters(io.err())).not.toContain('a long');
  }
});

test('login prompt: a pasted key is recognised, and a pasted zuliprc is read whole without showing its key', async () => {
  const {server, email, key} = await withMeg();
  const byKey = await interactive(
    [server.url],
    [
      ['E-mail', `${email}\r`],
      ['Password or API key', `${key}\r`],
    ],
  );
  const byFile = await interactive([], [['Server address', zuliprc(server, email, key).replaceAll('\n', '\r')]]);
  const inTheMiddle = await interactive(
    [server.url],
    [['E-mail', `${zuliprc(server, email, key).trim().replaceAll('\n', '\r')}\r`]],
  );
  for (const {code, io} of [byKey, byFile, inTheMiddle]) {
    expect([code, accountsIn(io.home).length]).toEqual([0, 1]);
    expect(io.err() + io.out()).not.toContain(key);
  }
});

test('login prompt: a wrong password is asked for again, at most three times', async () => {
  const {server, email} = await withMeg();
  const wrong = ['Password or API key', 'wrong\r'] as const;
  const second = await interactive([server.url, '--email', email], [wrong, ['incorrect', `${password}\r`]]);
  expect(second.code).toBe(0);
  const third = await interactive(
    [server.url, '--email', email],
    [wrong, ['incorrect', 'wrong\r'], ['incorrect', 'wrong\r']],
  );
  expect([third.code, accountsIn(third.io.home)]).toEqual([3, []]);
});

test('login prompt: on a development server a user can be picked by number', async () => {
  const {server, email} = await withMeg({demo: true});
  const {io, code} = await interactive([server.url], [['Number or e-mail', '2\r']]);
  expect(io.err()).toContain(`  2  ${email}`);
  expect([code, io.out()]).toEqual([0, expect.stringContaining('Logged in as Meg Member')]);
});

/** Starts a server that hosts several organizations and lists the users of all to developers. */
async function developmentServer(dev: boolean): Promise<string> {
  const hosted = createHttpServer((request, response) => {
    const realm_url = `http://${request.headers.host}`;
    const users = {
      direct_admins: [{email: 'iago@elsewhere.example', realm_url: 'http://elsewhere.example'}],
      direct_users: [{email: 'meg@here.example', realm_url}],
    };
    const settings = {
      zulip_feature_level: 509,
      zulip_version: '12.0',
      realm_name: 'Here',
      realm_url,
      authentication_methods: {dev, password: true},
    };
    const fields = request.url?.endsWith('/dev_list_users') ? users : settings;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({result: 'success', msg: '', ...fields}));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void hosted.close());
  await once(hosted, 'listening');
  const address = hosted.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('login prompt: a development server offers only the users of this organization, and none where dev is off', async () => {
  const on = await interactive([await developmentServer(true)], [['Number or e-mail', '\x03']]);
  expect(on.io.err()).toContain('  1  meg@here.example');
  expect(on.io.err()).not.toContain('elsewhere');
  const off = await interactive([await developmentServer(false)], [['E-mail', '\x03']]);
  expect(off.io.err()).toContain('E-mail (or paste a zuliprc)');
  expect(off.io.err()).not.toMatch(/pick a user|elsewhere|meg@/);
});

test.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])('login prompt: %s cancels, and nothing is saved', async (_, key) => {
  const {server, email} = await withMeg();
  const {code, io} = await interactive([server.url, '--email', email], [['Password or API key', key]]);
  expect([code, accountsIn(io.home)]).toEqual([1, []]);
  expect(io.err()).toMatch(/\(not shown\): \nCancelled. Nothing was changed\.\n$/);
  const open = await interactive([], [['Server address', key]]);
  expect([open.code, open.io.err()]).toEqual([1, expect.stringMatching(/\nCancelled. Nothing was changed\.\n$/)]);
});

test('login prompt: another user’s account is replaced only after yes', async () => {
  const {server, email, key} = await withMeg();
  const otto = server.people.member('Otto');
  const home = scratchDirectory();
  const start = testIo({home, input: otto.apiKey});
  await login([server.url, '--email', otto.email, '--key-stdin', '--name', 'work'], start);
  const attempt = (answer: string) =>
    interactive(
      [server.url, '--email', email, '--name', 'work'],
      [
        ['Password or API key', `${key}\r`],
        ['Replace it?', `${answer}\r`],
      ],
      {home},
    );
  const file = () => readFileSync(join(home, '.config/parley/accounts/work.zuliprc'), 'utf8');
  expect([(await attempt('')).code, file()]).toEqual([1, expect.stringContaining(otto.email)]);
  expect([(await attempt('y')).code, file()]).toEqual([0, expect.stringContaining(email)]);
});

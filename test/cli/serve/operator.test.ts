import {once} from 'node:events';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {acquireServerLease, linesOf, openClientSocket} from '#cli/embedded/client-socket.ts';
import {openDataDirectory} from '#cli/serve/data-directory.ts';
import {withSnapshot} from '#cli/serve/operator.ts';
import {systemClock} from '#std/clock.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {TestServer} from '#test/support/server.ts';
import {changeRows, demoDirectory, operate, servedDirectory} from './operator-fixture.ts';

function ownerOf({context}: TestServer) {
  const email = 'owner@parley.example';
  const id = context.db.value('SELECT id FROM user WHERE email_key = ?', email) ?? 0;
  return {id, email, fullName: 'Owner', apiKey: context.secrets.apiKey({id, key_generation: 0})};
}

test('serve user: what the operator changes reaches clients of the running server as events', async () => {
  const {server, user} = await servedDirectory();
  const queue = await server.as(ownerOf(server)).listen({event_types: ['realm_user']});
  expect(await user('create', 'ann@example.com', '--name', 'Ann Archer')).toEqual({
    code: 0,
    out: 'Created ann@example.com. “parley serve user link” lets them set a password.\n',
    err: '',
  });
  await user('role', 'ann@example.com', 'moderator');
  await user('deactivate', 'ann@example.com');
  await user('reactivate', 'ann@example.com');
  const events = (await queue.events()).map(({op, person}) => [op, person?.role, person?.is_active]);
  expect(events).toEqual([
    ['add', 400, true],
    ['update', 300, undefined],
    ['update', undefined, false],
    ['update', undefined, true],
  ]);
  const {out} = await user('list', '--json');
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({email: 'ann@example.com', name: 'Ann Archer', role: 'moderator', isActive: true}),
  );
});

test('serve user: a new key is only in a private file, and replaces the old one; --print shows it', async () => {
  const {server, user, directory} = await servedDirectory();
  const owner = ownerOf(server);
  const {code, out, err} = await user('key', owner.email);
  const file = join(directory, 'zuliprc', 'owner_parley.example.zuliprc');
  expect([code, out.includes(file), err]).toEqual([0, true, '']);
  const [, key = ''] = /key=(\w{32})\n/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(out).not.toContain(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await server.as(owner).refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  await server.as({...owner, apiKey: key}).get('/users/me');
  const other = join(scratchDirectory(), 'other.zuliprc');
  expect((await user('key', owner.email, '--file', other)).out).toContain(`is in ${other}.`);
  expect(statSync(other).mode & 0o777).toBe(0o600);
  const printed = (await user('key', owner.email, '--print')).out.trim();
  await server.as({...owner, apiKey: printed}).get('/users/me');
});

test('serve user: a password from standard input logs the person in; a weak one is refused', async () => {
  const {server, directory} = await servedDirectory();
  const argv = ['password', 'owner@parley.example', '--stdin', '--data', directory];
  expect(await operate('serve user', argv, {input: 'short\n'})).toMatchObject({code: 1, out: ''});
  expect(await operate('serve user', argv, {input: 'a long enough password\n'})).toMatchObject({code: 0});
  const credentials = {username: 'owner@parley.example', password: 'a long enough password'};
  await server.anonymous().post('/fetch_api_key', credentials);
  expect((await operate('serve user', argv.toSpliced(2, 1))).err).toBe(
    'Cannot prompt without a terminal. Use --stdin.\n',
  );
  const typed = {inputIsTty: true, input: 'another good password\nanother bad password\n'};
  expect(await operate('serve user', argv.toSpliced(2, 1), typed)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/The two passwords differ\.\n$/),
  });
  await server.anonymous().post('/fetch_api_key', credentials);
});

test('serve user: unlock lets a person log in again after too many wrong passwords', async () => {
  const {server, user} = await servedDirectory();
  const login = (password: string) =>
    server.anonymous().raw('POST', '/fetch_api_key', {username: 'owner@parley.example', password});
  const {url}: {url: string} = JSON.parse((await user('link', 'owner@parley.example', '--json')).out);
  await fetch(url, {method: 'POST', body: new URLSearchParams({password: 'a long enough password'})});
  for (let attempt = 1; attempt <= 5; attempt++) expect((await login('wrong')).status).toBe(401);
  expect((await login('a long enough password')).status).toBe(429);
  expect((await user('unlock', 'owner@parley.example')).out).toBe(
    'Forgot the wrong passwords for owner@parley.example.\n',
  );
  expect((await login('a long enough password')).status).toBe(200);
  expect((await user('unlock', 'owner@parley.example')).out).toBe(
    'There were no wrong passwords for owner@parley.example.\n',
  );
  expect(await user('unlock', 'nobody@parley.example')).toMatchObject({code: 1, out: ''});
});

test('serve user: a link lets a person set a password once, until it expires', async () => {
  const clock = new ManualClock();
  const {server, user, directory} = await servedDirectory({clock});
  const {url}: {url: string} = JSON.parse((await user('link', 'owner@parley.example', '--json')).out);
  const send = (address: string, password?: string) =>
    fetch(address, password === undefined ? {} : {method: 'POST', body: new URLSearchParams({password})});
  const page = await send(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('value="owner@parley.example"')]);
  expect((await send(url, 'short')).status).toBe(400);
  expect((await send(`${url}x`, 'a long enough password')).status).toBe(404);
  const foreign = {method: 'POST', headers: {origin: 'https://evil.example'}, body: 'password=a+long+enough+one'};
  expect((await fetch(url, foreign)).status).toBe(403);
  expect((await send(url, 'a long enough password')).status).toBe(200);
  const credentials = {username: 'owner@parley.example', password: 'a long enough password'};
  await server.anonymous().post('/fetch_api_key', credentials);
  expect((await send(url, 'another good password')).status).toBe(404);
  const next: {url: string} = JSON.parse(
    (await operate('serve user', ['link', 'owner@parley.example', '--json', '--data', directory])).out,
  );
  clock.advance(3 * 86_400_000 + 1000);
  expect((await send(next.url)).status).toBe(404);
});

const refusals: [argv: string[], code: number, sentence: string][] = [
  [['deactivate', 'owner@parley.example'], 1, 'Cannot deactivate the only organization owner.'],
  [
    ['role', 'owner@parley.example', 'member'],
    1,
    'The owner permission cannot be removed from the only organization owner.',
  ],
  [
    ['role', 'owner@parley.example', 'king'],
    2,
    'A role is owner, administrator, moderator, member or guest, not “king”.',
  ],
  [['key', 'nobody@example.com'], 1, 'There is no user nobody@example.com.'],
  [['key', 'notification-bot@parley.example'], 1, 'There is no user notification-bot@parley.example.'],
  [['create', 'not an address', '--name', 'A'], 1, 'Enter a valid email address.'],
  [['create', 'a@example.com'], 2, 'Give the person’s name with --name NAME.'],
  [['role', 'a@example.com'], 2, 'Use “parley serve user” with role EMAIL ROLE.'],
  [
    ['erase', 'a@example.com'],
    2,
    'Use “parley serve user” with list, create, delete, import, sessions, sign-out, deactivate, reactivate, role, key, link, unlock, password, ssh-key list, ssh-key add, ssh-key remove or export EMAIL OUT.',
  ],
];

test('serve user: what is not possible is refused in one sentence', async () => {
  const {user} = await servedDirectory();
  for (const [argv, code, sentence] of refusals) {
    expect(await user(...argv)).toEqual({code, out: '', err: `${sentence}\n`});
  }
  const gone = 'gone@example.com';
  await user('create', gone, '--name', 'Gone');
  await user('deactivate', gone);
  for (const action of ['key', 'link']) {
    expect(await user(action, gone)).toEqual({code: 1, out: '', err: `${gone} is deactivated.\n`});
  }
});

test('serve user: a client of the socket that cannot read the key in the data directory runs no command', async () => {
  const {directory, server, user} = await servedDirectory();
  const before = server.context.db.value('SELECT count(*) FROM user');
  const params = {email: 'eve@example.com', name: 'Eve', role: 100};
  for (const key of [undefined, '', '0'.repeat(64), ['0'], null]) {
    const lease = await acquireServerLease(directory, systemClock);
    if (lease === undefined) throw new Error('The server does not answer');
    lease.socket.ref().write(`${JSON.stringify({command: 'createUser', params, key})}\n`);
    const [line] = await once(linesOf(lease.socket), 'line');
    expect(JSON.parse(line)).toEqual({error: expect.stringContaining('needs the operator_key')});
    lease.release();
  }
  expect(server.context.db.value('SELECT count(*) FROM user')).toBe(before);
  expect(statSync(join(directory, 'operator_key')).mode & 0o777).toBe(0o600);
  expect(await user('list')).toMatchObject({code: 0});
  // A damaged key is replaced at the next start.
  writeFileSync(join(directory, 'operator_key'), '');
  expect(await user('list')).toMatchObject({code: 1, err: expect.stringContaining('needs the operator_key')});
});

test('serve user: a server of an older Parley, and data of a newer one, are named', async () => {
  const older = join(scratchDirectory(), 'data');
  openDataDirectory(older);
  writeFileSync(join(older, 'parley.db'), '');
  const socket = await openClientSocket({directory: older, greeting: '{}', clock: systemClock});
  onTestFinished(() => socket.close());
  const list = (data: string) => operate('serve user', ['list', '--data', data]);
  expect(await list(older)).toEqual({
    code: 1,
    out: '',
    err: 'The server runs an older version of Parley. Restart it first.\n',
  });
  const newer = join(scratchDirectory(), 'data');
  openDataDirectory(newer);
  changeRows(newer, 'PRAGMA user_version = 99');
  expect(await list(newer)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^This data was written by a newer Parley/),
  });
});

test('serve check: the data of a running server is whole, and nothing of the check is left', async () => {
  const {server, directory} = await servedDirectory();
  const owner = server.as(ownerOf(server));
  const message = {type: 'stream', to: 'general', topic: 't', content: 'first text'};
  const {id} = await owner.post('/messages', message);
  await owner.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{operator: 'search', operand: 'text'}],
  });
  await owner.patch(`/messages/${id}`, {content: 'changed, and not indexed again yet'});
  await owner.post('/messages', {...message, content: 'not indexed yet'});
  // A file that was just received may still get its row.
  mkdirSync(join(directory, 'files'), {recursive: true});
  writeFileSync(join(directory, 'files', 'received'), '');
  expect(await operate('serve check', ['--data', directory])).toMatchObject({code: 0});
  await operate('serve user', ['list', '--data', directory]);
  expect(readdirSync(directory).filter((name) => name.startsWith('copy-'))).toEqual([]);
});

test('serve backup: a file that is deleted after the database was copied stays until the backup ends', async () => {
  const {server, directory} = await servedDirectory();
  const owner = server.as(ownerOf(server));
  await owner.upload('/user_uploads', 'chart.txt', new TextEncoder().encode('the chart'));
  const {attachments} = await owner.get('/attachments');
  const [{id, path_id}] = attachments;
  const file = join(directory, 'files', path_id);
  await withSnapshot(
    directory,
    {clock: systemClock},
    () => {},
    async () => {
      await owner.delete(`/attachments/${id}`);
      // A deletion takes less time than these requests.
      for (let count = 0; count < 10; count++) await owner.get('/attachments');
      expect(readFileSync(file, 'utf8')).toBe('the chart');
    },
  );
  await vi.waitUntil(() => !existsSync(file), {timeout: 30_000});
});

test('serve org: settings are shown and changed with and without a server, by the rules of the endpoint', async () => {
  const {server, directory, close} = await servedDirectory();
  const org = (...argv: string[]) => operate('serve org', [...argv, '--data', directory]);
  const queue = await server.as(ownerOf(server)).listen({event_types: ['realm']});
  expect((await org('set', 'name', 'The Quay')).out).toBe('Changed name.\n');
  expect((await org('set', 'can_create_groups', 'role:moderators')).out).toBe('Changed can_create_groups.\n');
  expect((await org('set', 'name', 'The Quay')).out).toBe('name has this value already.\n');
  expect(await queue.events()).toMatchObject([
    {op: 'update', property: 'name', value: 'The Quay'},
    {op: 'update_dict', data: {can_create_groups: 5}},
  ]);
  expect((await org('set', 'waiting_period_threshold', 'soon')).code).toBe(1);
  expect((await org('set', 'wishes', '3')).err).toBe(
    'There is no setting “wishes”. “parley serve org show” lists them.\n',
  );
  expect((await org('set', 'upload_quota_mib', '50')).code).toBe(0);
  for (const [name, value, allowed] of [
    ['waiting_period_threshold', 'soon', 'a whole number'],
    ['invite_required', 'perhaps', 'true or false'],
    ['topics_policy', 'loose', 'allow_empty_topic, disable_empty_topic or empty_topic_only'],
    ['can_create_groups', 'everybody', 'the name of a group, such as role:members'],
  ]) {
    const {code, err} = await org('set', name ?? '', value ?? '');
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(` ${name} takes ${allowed}\\.\n$`))]);
  }
  expect(await org('set', 'upload_quota_mib', '0')).toMatchObject({
    code: 1,
    err: 'upload_quota_mib must be a whole number above 0, or “default”.\n',
  });
  expect((await org('limits')).out).toMatch(/^uploads +0 of 50 MiB used .*\n(.*\n)*requests of a user +200 a minute\n/);
  close();
  await server.close();
  expect((await org('set', 'can_create_groups', 'role:owners')).out).toBe('Changed can_create_groups.\n');
  expect(JSON.parse((await org('show', '--json')).out)).toMatchObject({
    name: 'The Quay',
    can_create_groups: 'role:owners',
    upload_quota_mib: 50,
  });
});

test('serve org: “set” takes back every value that “show” prints', async () => {
  const directory = await demoDirectory();
  const org = (...argv: string[]) => operate('serve org', [...argv, '--data', directory]);
  const before = (await org('show')).out;
  const lines = before.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(50);
  const refused: string[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\S+) *(.*)$/.exec(line) ?? [];
    const {code, err} = await org('set', name, value);
    if (code !== 0) refused.push(`${line}: ${err}`);
  }
  expect(refused).toEqual([]);
  expect((await org('show')).out).toBe(before);
});

test('serve log: who did what to whom, with old and new values, by time and by person', async () => {
  const {server, directory, user} = await servedDirectory();
  const owner = ownerOf(server);
  const meg = server.people.member('Meg');
  await user('role', meg.email, 'moderator');
  await server.as(owner).patch(`/users/${meg.id}`, {role: 200});
  await server.as(owner).patch('/realm', {waiting_period_threshold: 3});
  const log = (...argv: string[]) => operate('serve log', [...argv, '--data', directory]);
  const {out} = await log('--since', '1h');
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+ +/, '').replaceAll(/ +/g, ' '));
  expect(lines).toEqual([
    `operator operator.setUserRole ${meg.email} role: member → moderator`,
    `${owner.email} user.update ${meg.email} role: moderator → administrator`,
    `${owner.email} realm.update waiting_period_threshold: 0 → 3`,
  ]);
  expect(JSON.parse((await log('--actor', 'operator', '--json')).out)).toMatchObject([
    {actor: 'operator', target_email: meg.email, changes: {role: [400, 300]}},
  ]);
  expect((await log('--actor', 'nobody@example.com')).err).toBe('There is no user nobody@example.com.\n');
  expect((await log('--actor', meg.email)).out).toBe('Nothing was changed.\n');
});

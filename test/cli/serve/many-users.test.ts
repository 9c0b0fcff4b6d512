import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {mailServer} from '#test/server/mail/mail-server.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {operate, servedDirectory} from './operator-fixture.ts';

function csv(...lines: string[]): string {
  const path = join(scratchDirectory(), 'people.csv');
  writeFileSync(path, lines.join('\r\n'));
  return path;
}

async function withTeam(options: Parameters<typeof servedDirectory>[0] = {}) {
  const fixture = await servedDirectory(options);
  const {server} = fixture;
  const [owner, ann, bea] = [server.people.owner(), server.people.member('Ann'), server.people.member('Bea')];
  server.people.channel('harbor', [owner]);
  await server.as(owner).post('/user_groups/create', {name: 'crew', description: '', members: [owner.id]});
  const emails = () =>
    server.context.db.pluck<string>('SELECT delivery_email FROM user WHERE is_active = 1 AND is_bot = 0');
  return {...fixture, owner, ann, bea, emails};
}

test('serve user import: a table becomes accounts with roles, channels and groups, and links for passwords', async () => {
  const {server, user, emails, owner} = await withTeam();
  const path = csv(
    'email,name,role,channels,groups',
    'cy@example.com,"Sailor, Cy",moderator,harbor,crew',
    'di@example.com,Di,,,',
    '',
  );
  const before = emails().length;
  const trial = await user('import', path, '--dry-run');
  expect([trial.code, emails().length]).toEqual([0, before]);
  expect(trial.out).toMatch(/^Would create 2 accounts\./);
  const queue = await server.as(owner).listen({event_types: ['realm_user']});
  const {code, out} = await user('import', path, '--json');
  const {users}: {users: readonly {email: string; link: string}[]} = JSON.parse(out);
  expect([code, users.map(({email}) => email)]).toEqual([0, ['cy@example.com', 'di@example.com']]);
  expect((await fetch(users[0]?.link ?? '')).status).toBe(200);
  expect(await queue.events()).toMatchObject([
    {op: 'add', person: {full_name: 'Sailor, Cy', role: 300}},
    {op: 'add', person: {role: 400}},
  ]);
  const {db} = server.context;
  const id = db.value('SELECT id FROM user WHERE email_key = ?', 'cy@example.com') ?? 0;
  const channels = `SELECT c.name FROM subscription AS s JOIN channel AS c ON c.id = s.channel_id
    WHERE s.user_id = ? AND s.active = 1 ORDER BY c.name`;
  expect(db.pluck(channels, id)).toEqual(['general', 'harbor']);
  expect(
    db.get(
      'SELECT 1 FROM group_member AS m JOIN user_group AS g ON g.id = m.group_id WHERE m.user_id = ? AND g.name = ?',
      id,
      'crew',
    ),
  ).toBeDefined();
});

test('serve user import: if one person is refused nobody is imported, and each problem is named', async () => {
  const {server, user, emails, owner, ann} = await withTeam();
  server.people.channel('attic', [owner], {is_archived: 1});
  const group = {name: 'gone', description: '', members: []};
  const {group_id: id} = await server.as(owner).post('/user_groups/create', group);
  await server.as(owner).post(`/user_groups/${id}/deactivate`);
  const before = emails();
  const path = csv(
    'name,email,channels,groups',
    'New,new@example.com,harbor,crew',
    `Again,${ann.email},,`,
    'Lost,lost@example.com,no such,',
    'Late,late@example.com,attic,',
    'Last,last@example.com,harbor,gone',
  );
  const {code, err} = await user('import', path);
  expect([code, emails()]).toEqual([1, before]);
  expect(err).toMatch(
    new RegExp(
      `^${ann.email}: .*\nlost@example.com: There is no channel “no such”\\.\nlate@example.com: There is no channel “attic”\\.
last@example.com: There is no group “gone”\\.\nNothing was changed\\.\n$`,
    ),
  );
  expect((await user('import', csv('name', 'x'))).err).toMatch(/has no column “email” in its first line\.\n$/);
  expect((await user('import', csv('name,email,boss', 'x,y,z'))).err).toMatch(/has the column “boss”/);
  expect((await user('import', csv('name,email,role', 'x,y@z,king'))).err).toMatch(
    /, line 2: a role is .*, not “king”\.\n$/,
  );
});

test('serve user import --invite: invitations are mailed; without a mail server it is refused', async () => {
  const {smtpUrl, received} = await mailServer();
  const {user} = await withTeam({mail: {smtpUrl, from: 'chat@example.com'}});
  const path = csv('name,email,channels', 'New,new@example.com,harbor');
  expect((await user('import', path, '--invite')).out).toMatch(/^Invited 1 account\./);
  expect(await received(1)).toMatchObject([{to: ['new@example.com']}]);
  const plain = await withTeam();
  expect(await plain.user('import', path, '--invite')).toMatchObject({code: 1, err: expect.stringContaining('--smtp')});
});

test('serve user: several accounts are changed at once or not at all; --dry-run changes nothing', async () => {
  const {server, user, ann, bea, emails, directory} = await withTeam();
  const roles = () => [ann, bea].map(({id}) => server.context.db.value('SELECT role FROM user WHERE id = ?', id));
  // A person who is named twice is changed once.
  expect((await user('role', ann.email, bea.email, ann.email, 'moderator', '--dry-run')).out).toBe(
    'Would change 2 accounts (role).\n',
  );
  expect(roles()).toEqual([400, 400]);
  expect((await user('role', ann.email, bea.email, 'moderator')).out).toBe('Changed 2 accounts (role).\n');
  expect(roles()).toEqual([300, 300]);
  const refused = await user('deactivate', ann.email, 'nobody@example.com');
  expect(refused).toMatchObject({
    code: 1,
    err: 'nobody@example.com: There is no user nobody@example.com.\nNothing was changed.\n',
  });
  expect(emails()).toContain(ann.email);
  const owners = server.context.db.pluck<string>('SELECT delivery_email FROM user WHERE role = 100 AND is_bot = 0');
  expect((await user('deactivate', ann.email, ...owners)).err).toMatch(/Cannot deactivate the only organization owner/);
  expect(emails()).toEqual(expect.arrayContaining([ann.email, ...owners]));
  await user('key', ann.email, bea.email);
  const [, key = ''] =
    /key=(\w{32})/.exec(readFileSync(join(directory, 'zuliprc', `${ann.email.replace('@', '_')}.zuliprc`), 'utf8')) ??
    [];
  await server.as({...ann, apiKey: key}).get('/users/me');
  await user('deactivate', ann.email, bea.email);
  expect(emails()).not.toContain(ann.email);
  const log = await operate('serve log', ['--data', directory, '--json']);
  const actions = JSON.parse(log.out).map(({action, target_email: email}: {action: string; target_email: string}) => [
    action,
    email,
  ]);
  expect(actions).toEqual(
    expect.arrayContaining([
      ['operator.setUserRole', bea.email],
      ['operator.deactivateUser', bea.email],
    ]),
  );
});

test('serve user sessions and sign-out: clients are listed, and all of a person are signed out', async () => {
  const {server, user, ann, bea} = await withTeam();
  await server.as(ann).listen();
  await server.as(bea).listen();
  await server.as(ann).post('/users/me/android_gcm_reg_id', {token: 'phone'});
  // The keys of connections over SSH.
  const [annOverSsh, beaOverSsh] = [ann, bea].map((person, at) => {
    const apiKey = String(at).repeat(32);
    server.context.connectionKeys.set(apiKey, person.id);
    return server.as({...person, apiKey});
  });
  await annOverSsh?.get('/users/me');
  expect(JSON.parse((await user('sessions', ann.email, '--json')).out)).toMatchObject({
    clients: [{}],
    key_replaced: 0,
    push_devices: 1,
  });
  expect((await user('sign-out', ann.email)).code).toBe(0);
  for (const client of [server.as(ann), annOverSsh]) {
    await client?.refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  }
  for (const client of [server.as(bea), beaOverSsh]) await client?.get('/users/me');
  expect((await user('sessions', ann.email)).out).toMatch(/^No client is connected\.\n.* 0 devices get push/);
});

test('serve org rotate-secret: all keys stop working, passwords stay, and a restart uses the new secret', async () => {
  const {server, directory, ann, owner} = await withTeam();
  const org = (...argv: string[]) => operate('serve org', [...argv, '--data', directory]);
  const before = readFileSync(join(directory, 'secret'));
  const password = 'a long enough password';
  await operate('serve user', ['password', ann.email, '--stdin', '--data', directory], {input: password});
  expect((await org('rotate-secret')).err).toMatch(/Add --yes in a script/);
  expect((await org('rotate-secret', '--dry-run')).out).toMatch(
    /^A new secret would end the API keys of \d+ people and 0 bots/,
  );
  expect(readFileSync(join(directory, 'secret'))).toEqual(before);
  const overSsh = {...ann, apiKey: '0'.repeat(32)};
  server.context.connectionKeys.set(overSsh.apiKey, ann.id);
  const {queueId} = await server.as(ann).listen();
  const poll = server.as(ann).raw('GET', '/events', {queue_id: queueId, last_event_id: -1});
  await vi.waitUntil(() => [...server.context.queues.all()].some(({isWaiting}) => isWaiting), {timeout: 30_000});
  expect((await org('rotate-secret', '--yes')).out).toMatch(/^The secret is new\./);
  expect((await poll).status).toBe(401);
  for (const person of [ann, owner, overSsh]) {
    await server.as(person).refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  }
  const {api_key: apiKey} = await server.anonymous().post('/fetch_api_key', {username: ann.email, password});
  await server.as({...ann, apiKey}).get('/users/me');
  const secret = readFileSync(join(directory, 'secret'));
  expect([secret.length, secret.equals(before)]).toEqual([32, false]);
});

import {expect, test} from 'vitest';
import {runOperatorCommand} from '#server/operator/operator-commands.ts';
import {testServer} from '#test/support/server.ts';

test('administration log: owners see who changed what, with ids and names of parameters, and no texts', async () => {
  const server = await testServer();
  const [olive, ada, meg] = [server.people.owner(), server.people.admin(), server.people.member()];
  await server.as(ada).patch('/realm', {name: 'Secret Harbor'});
  await server.as(olive).patch(`/users/${meg.id}`, {role: 300});
  await server.as(ada).refused('PATCH', '/realm', {name: 'x'.repeat(41)}, {code: 'BAD_REQUEST'});
  await server.as(ada).get('/users');
  const {entries, found_oldest} = await server.as(olive).get('/parley/administration_log');
  expect(found_oldest).toBe(true);
  expect(entries).toMatchObject([
    {
      user_id: olive.id,
      action: 'user.update',
      target: {user_id: meg.id},
      fields: ['role'],
      time: expect.any(Number),
      changes: {role: [400, 300]},
    },
    {user_id: ada.id, action: 'realm.update', target: {}, fields: ['name']},
  ]);
  expect(JSON.stringify(entries)).not.toContain('Secret');
  await server.as(ada).refused('GET', '/parley/administration_log', {}, {code: 'UNAUTHORIZED_PRINCIPAL'});
});

test('administration log: what the operator changes is in it, without a user', async () => {
  const server = await testServer();
  const [olive, meg] = [server.people.owner(), server.people.member()];
  const session = {server: server.context, directory: '', progress: () => {}, atEnd: () => {}};
  await runOperatorCommand(session, 'setUserRole', {email: meg.email, role: 300});
  await runOperatorCommand(session, 'setSetting', {name: 'description', value: 'ours'});
  await runOperatorCommand(session, 'listUsers', {});
  const {entries} = await server.as(olive).get('/parley/administration_log');
  expect(entries).toMatchObject([
    {user_id: null, action: 'operator.setSetting', fields: ['description']},
    {user_id: null, action: 'operator.setUserRole', target: {user_id: meg.id}, fields: [], changes: {role: [400, 300]}},
  ]);
});

test('administration log: it is paged, and only the newest 10,000 entries are kept', async () => {
  const server = await testServer();
  const olive = server.people.owner();
  const {db} = server.context;
  db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO administration_log (user_id, at, action, target, fields) SELECT NULL, i, 'realm.update', '{}', '[]' FROM n`);
  await server.as(olive).patch('/realm', {description: 'new'});
  expect(db.value('SELECT count(*) FROM administration_log')).toBe(10_000);
  const first = await server.as(olive).get('/parley/administration_log');
  expect([first.entries.length, first.found_oldest, first.entries[0].user_id]).toEqual([200, false, olive.id]);
  const next = await server.as(olive).get('/parley/administration_log', {before: first.entries[199].id});
  expect(next.entries[0].id).toBe(first.entries[199].id - 1);
  const oldest = db.value('SELECT min(id) FROM administration_log') ?? 0;
  const found = async (before: number) =>
    (await server.as(olive).get('/parley/administration_log', {before})).found_oldest;
  expect([await found(oldest + 201), await found(oldest + 200)]).toEqual([false, true]);
});

test('administration log: settings, channels and groups have their old and new values; texts are left out', async () => {
  const server = await testServer();
  const [olive, meg] = [server.people.owner(), server.people.member()];
  const channel = server.people.channel('general', [olive]);
  const client = server.as(olive);
  await client.patch('/realm', {waiting_period_threshold: 3, description: 'a secret'});
  await client.patch(`/streams/${channel}`, {description: 'a secret', is_private: true});
  const {group_id} = await client.post('/user_groups/create', {name: 'crew', description: '', members: [olive.id]});
  await client.post(`/user_groups/${group_id}/members`, {add: [meg.id]});
  const {entries} = await client.get('/parley/administration_log');
  const changes = entries.map((entry: {action: string; changes: object}) => [entry.action, entry.changes]);
  expect(Object.fromEntries(changes)).toMatchObject({
    'realm.update': {waiting_period_threshold: [0, 3]},
    'channel.update': {invite_only: [0, 1]},
    'group.create': {members: [null, [olive.id]]},
    'group.update-members': {add: [null, [meg.id]]},
  });
  expect(JSON.stringify(entries)).not.toContain('secret');
});

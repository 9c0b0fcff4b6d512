import {expect, test} from 'vitest';
import {addSshKey} from '#server/actions/users/ssh-keys.ts';
import {findUser} from '#server/db/users.ts';
import {signOut} from '#server/operator/sign-out.ts';
import {testServer} from '#test/support/server.ts';
import {newKeyLine} from '#test/support/ssh-key-line.ts';

test('SSH keys: a person adds, lists and removes keys of their own account, and sees nobody else’s', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const line = newKeyLine();
  const {ssh_key: added} = await server.as(meg).post('/parley/ssh_keys', {key: line});
  expect(added).toMatchObject({type: 'ssh-ed25519', comment: 'meg@laptop', last_used_at: null});
  expect((await server.as(meg).get('/parley/ssh_keys')).ssh_keys).toEqual([added]);
  expect((await server.as(otto).get('/parley/ssh_keys')).ssh_keys).toEqual([]);
  const refused = (person: typeof meg, method: 'POST' | 'DELETE', path: string, params = {}) =>
    server.as(person).refused(method, path, params, {code: 'BAD_REQUEST', status: 400});
  expect(await refused(meg, 'POST', '/parley/ssh_keys', {key: line})).toMatchObject({
    msg: 'This key is there already.',
  });
  const foreign = await refused(otto, 'POST', '/parley/ssh_keys', {key: line});
  expect(foreign).toMatchObject({msg: 'This key belongs to another account.'});
  await refused(otto, 'DELETE', `/parley/ssh_keys/${added.id}`);
  await server.as(meg).delete(`/parley/ssh_keys/${added.id}`);
  expect((await server.as(meg).get('/parley/ssh_keys')).ssh_keys).toEqual([]);
});

test('SSH keys: a person is told of a key that the operator adds', async () => {
  const server = await testServer();
  const {db, runAction} = server.context;
  const [meg, admin] = [server.people.member(), server.people.admin()].map(({id}) => findUser(db, id));
  if (meg === undefined || admin === undefined) throw new Error('unreachable');
  const {fingerprint} = runAction((act) => addSshKey(act, meg, newKeyLine(), admin));
  const text = db.value<string>('SELECT content FROM message ORDER BY id DESC LIMIT 1');
  expect(text).toContain(fingerprint);
});

test('SSH keys: an account has at most fifty', async () => {
  const server = await testServer();
  const meg = server.people.member();
  for (let count = 0; count < 50; count++) await server.as(meg).post('/parley/ssh_keys', {key: newKeyLine()});
  const one = {key: newKeyLine()};
  await server.as(meg).refused('POST', '/parley/ssh_keys', one, {code: 'BAD_REQUEST', status: 400});
});

test('connection keys: a key is valid for its person until it is taken back, and is not remembered after that', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const apiKey = '0123456789abcdef0123456789abcdef';
  const [session, foreign] = [
    {...meg, apiKey},
    {...otto, apiKey},
  ];
  const expected = {code: 'UNAUTHORIZED', status: 401};
  await server.as(session).refused('GET', '/users/me', {}, expected);
  server.context.connectionKeys.set(apiKey, meg.id);
  expect(await server.as(session).get('/users/me')).toMatchObject({user_id: meg.id});
  await server.as(foreign).refused('GET', '/users/me', {}, expected);
  server.context.connectionKeys.delete(apiKey);
  await server.as(session).refused('GET', '/users/me', {}, expected);
});

test('connection keys: signing out everywhere ends those of the person and of nobody else', async () => {
  const {context, as, people} = await testServer();
  const [meg, otto] = [people.member(), people.member('Otto')];
  const [megs, ottos] = ['0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];
  context.connectionKeys.set(megs, meg.id).set(ottos, otto.id);
  const user = findUser(context.db, meg.id);
  if (user === undefined) throw new Error('no such user');
  context.runAction((act) => signOut(act, user));
  await as({...meg, apiKey: megs}).refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  expect(await as({...otto, apiKey: ottos}).get('/users/me')).toMatchObject({user_id: otto.id});
});

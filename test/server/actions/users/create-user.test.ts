import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

const account = {email: 'new@example.com', password: 'correct horse', full_name: 'New Person'};

test('create user: an owner creates an account; all users get it and its password works', async () => {
  const {people, as, anonymous, context} = await testServer({clock: new ManualClock()});
  const admin = people.owner();
  const meg = people.member();
  const channel = people.channel('welcome', [meg]);
  context.db.run('UPDATE channel SET is_default = 1 WHERE id = ?', channel);
  const listener = await as(meg).listen({event_types: ['realm_user', 'user_group', 'subscription']});
  const {user_id} = await as(admin).post('/users', account);
  const events = await listener.events();
  expect(events).toMatchObject([
    {
      type: 'realm_user',
      op: 'add',
      person: {user_id, full_name: 'New Person', email: 'new@example.com', role: 400, profile_data: {}},
    },
    {type: 'user_group', op: 'add_members', user_ids: [user_id]},
    {type: 'user_group', op: 'add_members', user_ids: [user_id]},
    {type: 'subscription', op: 'peer_add', stream_ids: [channel], user_ids: [user_id]},
  ]);
  const key = await anonymous().post('/fetch_api_key', {username: account.email, password: account.password});
  const {user} = await as({id: user_id, email: key.email, fullName: '', apiKey: key.api_key}).get(`/users/${user_id}`, {
    include_custom_profile_fields: true,
  });
  expect(user).toEqual(events[0]?.person);
});

test('create user: who may see the address gets it, and others do not', async () => {
  const {people, as} = await testServer();
  const owner = as(people.owner());
  const onlyAdmins = {email_address_visibility: 3};
  await owner.patch('/realm/user_settings_defaults', onlyAdmins);
  const readers = [as(people.admin()), as(people.member())];
  const listeners = await Promise.all(readers.map((reader) => reader.listen({event_types: ['realm_user']})));
  await owner.post('/users', account);
  const addresses = listeners.map(async (listener) =>
    (await listener.events()).map(({person}) => person.delivery_email),
  );
  expect(await Promise.all(addresses)).toEqual([[account.email], [null]]);
});

test('create user: members and administrators without the permission are refused', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  await as(people.member()).refused('POST', '/users', account, {code: 'UNAUTHORIZED_PRINCIPAL'});
  await as(admin).refused('POST', '/users', account, {code: 'BAD_REQUEST'});
  people.setting('can_create_users_group', 6);
  await as(admin).post('/users', account);
});

test.each([
  {why: 'taken', change: {email: 'ADA.ADMIN@example.com'}},
  {why: 'malformed', change: {email: 'not an address'}},
  {why: 'a dummy address', change: {email: 'user1@127.0.0.1'}},
  {why: 'a weak password', change: {password: 'aaaaaaaaaa'}},
  {why: 'a short password', change: {password: 'abc'}},
  {why: 'an empty name', change: {full_name: '  '}},
  {why: 'a name with an at sign', change: {full_name: 'New @all'}},
  {why: 'a name with a mention suffix', change: {full_name: 'New|12'}},
  {why: 'a long name', change: {full_name: 'x'.repeat(101)}},
])('create user: refuses $why', async ({change}) => {
  const {people, as, context} = await testServer();
  const admin = people.admin();
  const before = context.db.value('SELECT COUNT(*) FROM user');
  await as(admin).refused('POST', '/users', {...account, ...change}, {code: 'BAD_REQUEST'});
  expect(context.db.value('SELECT COUNT(*) FROM user')).toBe(before);
});

test('create user: addresses outside the organization’s domains are refused', async () => {
  const {people, as, context} = await testServer();
  const admin = people.owner();
  people.setting('emails_restricted_to_domains', true);
  context.db.run(`INSERT INTO realm_domain (domain, allow_subdomains) VALUES ('corp.test', 1)`);
  await as(admin).refused('POST', '/users', account, {code: 'BAD_REQUEST'});
  await as(admin).refused('POST', '/users', {...account, email: 'a+b@corp.test'}, {code: 'BAD_REQUEST'});
  await as(admin).post('/users', {...account, email: 'new@mail.corp.test'});
});

test('create user: a duplicate name is refused if names must be unique', async () => {
  const {people, as} = await testServer();
  const admin = people.owner();
  people.setting('require_unique_names', true);
  await as(admin).refused(
    'POST',
    '/users',
    {...account, full_name: people.member('Ada Admin').fullName.toLowerCase()},
    {code: 'BAD_REQUEST'},
  );
});

test('create user: the welcome bot writes a starred message once people have written, and answers', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const account = (name: string) => ({email: `${name}@example.com`, full_name: name, password: 'a long enough secret'});
  const signIn = async (name: string) => {
    const {email, password} = account(name);
    const {user_id, api_key} = await server.anonymous().post('/fetch_api_key', {username: email, password});
    return server.as({id: user_id, email, fullName: name, apiKey: api_key});
  };
  await server.as(owner).post('/users', account('first'));
  server.people.channel('general', [owner]);
  await server.as(owner).post('/messages', {type: 'stream', to: 'general', topic: 't', content: 'hi'});
  await server.as(owner).post('/users', account('late'));
  const direct = {anchor: 'newest', num_before: 9, num_after: 0, narrow: [{operator: 'is', operand: 'dm'}]};
  expect((await (await signIn('first')).get('/messages', direct)).messages).toEqual([]);
  const late = await signIn('late');
  const [welcome] = (await late.get('/messages', {...direct, apply_markdown: false})).messages;
  expect(welcome).toMatchObject({sender_full_name: 'Welcome Bot', flags: ['starred']});
  for (const content of ['Topics?', 'what now']) {
    await late.post('/messages', {type: 'direct', to: [welcome.sender_id], content});
  }
  const {messages} = await late.get('/messages', {...direct, apply_markdown: false});
  const answers = messages.slice(1).map(({content}: {content: string}) => content);
  expect(answers).toEqual([
    'Topics?',
    expect.stringContaining('has a topic'),
    'what now',
    expect.stringContaining('Ask me'),
  ]);
});

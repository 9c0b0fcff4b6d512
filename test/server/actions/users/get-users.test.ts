import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

const host = '127.0.0.1';

test('users: a user has every documented field', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const {user} = await as(meg).get(`/users/${otto.id}`);
  expect(user).toEqual({
    user_id: otto.id,
    delivery_email: otto.email,
    email: otto.email,
    full_name: 'Otto Other',
    date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    is_active: true,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    bot_type: null,
    role: 400,
    timezone: '',
    avatar_url: null,
    avatar_version: 1,
    is_imported_stub: false,
  });
});

test('users: owners count as administrators, and bots have their owner’s id', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const bot = people.bot('Beep', owner);
  const first = await as(owner).get(`/users/${owner.id}`);
  expect(first.user).toMatchObject({role: 100, is_owner: true, is_admin: true, is_guest: false});
  const second = await as(owner).get(`/users/${bot.id}`, {include_custom_profile_fields: true});
  expect(second.user).toMatchObject({is_bot: true, bot_type: 1, bot_owner_id: owner.id});
  expect(second.user).not.toHaveProperty('profile_data');
});

test('users: avatar_url is set if the client does not or cannot compute it', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const shy = people.add('Shy Person', {settings: {email_address_visibility: 4}});
  const open = await as(shy).get(`/users/${meg.id}`, {client_gravatar: false});
  expect(open.user.avatar_url).toMatch(
    /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/,
  );
  const hidden = await as(meg).get(`/users/${shy.id}`, {client_gravatar: true});
  expect(hidden.user.avatar_url).toMatch(/^https:/);
});

test('users: profile data is returned on request, with rendered Markdown', async () => {
  const {people, as, context} = await testServer();
  const meg = people.member();
  context.db.run(`INSERT INTO profile_field (id, name, type, sort_order) VALUES (7, 'Job', 1, 1), (8, 'Born', 4, 2)`);
  context.db.run(`INSERT INTO profile_value VALUES (?1, 7, 'Pilot'), (?1, 8, '1990-01-02')`, meg.id);
  const plain = await as(meg).get(`/users/${meg.id}`);
  expect(plain.user).not.toHaveProperty('profile_data');
  const full = await as(meg).get(`/users/${meg.id}`, {include_custom_profile_fields: true});
  expect(full.user.profile_data).toEqual({
    7: {value: 'Pilot', rendered_value: '<p>Pilot</p>'},
    8: {value: '1990-01-02'},
  });
});

test.each([
  {visibility: 1, seenBy: ['guest', 'member', 'moderator', 'admin']},
  {visibility: 2, seenBy: ['member', 'moderator', 'admin']},
  {visibility: 5, seenBy: ['moderator', 'admin']},
  {visibility: 3, seenBy: ['admin']},
  {visibility: 4, seenBy: []},
])('users: e-mail visibility $visibility shows the address to $seenBy', async ({visibility, seenBy}) => {
  const {people, as} = await testServer();
  const target = people.add('Target', {settings: {email_address_visibility: visibility}});
  const viewers = {
    guest: people.guest(),
    member: people.member(),
    moderator: people.moderator(),
    admin: people.admin(),
  };
  const dummy = `user${target.id}@${host}`;
  for (const [role, viewer] of Object.entries(viewers)) {
    const sees = seenBy.includes(role);
    const {user} = await as(viewer).get(`/users/${target.id}`);
    expect(user.delivery_email, role).toBe(sees ? target.email : null);
    expect(user.email).toBe(visibility === 1 ? target.email : dummy);
    const byReal = await as(viewer).raw('GET', `/users/${target.email}`);
    expect(byReal.status, role).toBe(sees ? 200 : 400);
    const byDummy = await as(viewer).get(`/users/${dummy}`);
    expect(byDummy.user).toEqual(user);
  }
});

test('users: users see their own address', async () => {
  const {people, as} = await testServer();
  const shy = people.add('Shy', {settings: {email_address_visibility: 4}});
  const {user} = await as(shy).get(`/users/${shy.email.toUpperCase()}`);
  expect(user.delivery_email).toBe(shy.email);
});

test('users: unknown ids and addresses get the same error', async () => {
  const {people, as} = await testServer();
  const meg = as(people.member());
  await meg.refused('GET', '/users/9999', {}, {code: 'BAD_REQUEST'});
  await meg.refused('GET', '/users/nobody@example.com', {}, {code: 'BAD_REQUEST'});
  await meg.refused('GET', `/users/user9999@${host}`, {}, {code: 'BAD_REQUEST'});
});

test('users: the list includes deactivated users and can be limited to ids', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const gone = people.add('Gone', {active: false});
  const {members} = await as(meg).get('/users');
  expect(members.map((user: {user_id: number}) => user.user_id)).toEqual([meg.id, gone.id]);
  expect(members[1]).toMatchObject({is_active: false});
  const some = await as(meg).get('/users', {user_ids: [gone.id, 9999], include_custom_profile_fields: true});
  expect(some.members).toMatchObject([{user_id: gone.id, profile_data: {}}]);
});

test('users: the own record is not nested and has the newest message id', async () => {
  const {people, as, context} = await testServer();
  const meg = people.moderator();
  const channel = people.channel('general', [meg]);
  const empty = await as(meg).get('/users/me');
  expect(empty).toMatchObject({
    user_id: meg.id,
    email: meg.email,
    delivery_email: meg.email,
    profile_data: {},
    max_message_id: -1,
  });
  const id = context.db.insert(
    `INSERT INTO message (sender_id, channel_id, content, sent_at) VALUES (?, ?, 'hi', 1)`,
    meg.id,
    channel,
  );
  expect((await as(meg).get('/users/me')).max_message_id).toBe(id);
  // What came after they left did not reach them.
  const otto = people.member('Otto');
  people.subscribe(otto, channel);
  await as(meg).delete('/users/me/subscriptions', {subscriptions: ['general']});
  const later = await as(otto).post('/messages', {type: 'channel', to: channel, topic: 't', content: 'hi'});
  expect((await as(otto).get('/users/me')).max_message_id).toBe(later.id);
  expect((await as(meg).get('/users/me')).max_message_id).toBe(id);
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';

const members = 3;

/** A limited guest who shares one channel with one member. */
async function serverWithLimitedGuest() {
  const server = await testServer();
  const {people} = server;
  const admin = people.admin();
  const friend = people.member('Fay Friend');
  const stranger = people.member('Sam Stranger');
  const guest = people.guest();
  const bot = people.bot('Beep', admin);
  const channel = people.channel('shared', [friend, guest]);
  people.setting('can_access_all_users_group', members);
  return {...server, admin, friend, stranger, guest, bot, channel};
}

const idsOf = (users: {user_id: number}[]) => users.map((user) => user.user_id);

test('user access: a limited guest lists, reads and mutes bots and users who share a conversation, until they leave it', async () => {
  const {as, friend, stranger, guest, bot} = await serverWithLimitedGuest();
  expect(idsOf((await as(guest).get('/users')).members)).toEqual([friend.id, guest.id, bot.id]);
  await as(guest).get(`/users/${friend.id}`);
  const bad = {code: 'BAD_REQUEST'};
  await as(guest).refused('GET', `/users/${stranger.id}`, {}, bad);
  await as(guest).refused('GET', `/users/${stranger.email}`, {}, bad);
  await as(guest).refused('GET', `/users/user${stranger.id}@127.0.0.1`, {}, bad);
  await as(guest).refused('GET', `/users/${stranger.id}/status`, {}, bad);
  await as(guest).refused('GET', `/users/${stranger.id}/presence`, {}, bad);
  await as(guest).refused('POST', `/users/me/muted_users/${stranger.id}`, {}, bad);
  expect((await as(guest).web(`/avatar/${stranger.id}`)).status).toBe(404);
  expect(idsOf((await as(friend).get('/users')).members)).toContain(stranger.id);
  await as(friend).delete('/users/me/subscriptions', {subscriptions: ['shared']});
  expect(idsOf((await as(guest).get('/users')).members)).toEqual([guest.id, bot.id]);
  await as(guest).refused('GET', `/users/${friend.id}`, {}, bad);
});

test('user access: a direct conversation makes its participants visible', async () => {
  const {as, context, stranger, guest} = await serverWithLimitedGuest();
  const dm = context.db.insert(`INSERT INTO dm (key, size) VALUES ('x', 2)`);
  context.db.run('INSERT INTO dm_member VALUES (?1, ?3), (?2, ?3)', guest.id, stranger.id, dm);
  await as(guest).get(`/users/${stranger.id}`);
});

test('user access: a registration omits hidden users, or has placeholders for clients that need a full list', async () => {
  const {as, friend, stranger, guest, admin, bot} = await serverWithLimitedGuest();
  await as(stranger).post('/users/me/status', {status_text: 'secret'});
  await as(stranger).post('/users/me/presence', {status: 'active'});
  const fetch_event_types = ['realm_user', 'user_status', 'presence'];
  const incomplete = await as(guest).post('/register', {
    fetch_event_types,
    client_capabilities: fullClientCapabilities,
    slim_presence: true,
  });
  expect(idsOf(incomplete.realm_users)).toEqual([friend.id, guest.id, bot.id]);
  expect(incomplete).toMatchObject({user_status: {}, presences: {}});
  const full = await as(guest).post('/register', {
    fetch_event_types,
    client_capabilities: {notification_settings_null: false},
  });
  expect(idsOf(full.realm_users)).toEqual([admin.id, friend.id, stranger.id, guest.id, bot.id]);
  expect(full.realm_users[2]).toMatchObject({
    full_name: 'Unknown user',
    email: `user${stranger.id}@127.0.0.1`,
    delivery_email: null,
  });
  expect(JSON.stringify(full)).not.toContain('Sam Stranger');
});

test('user access: the guest gets no events about hidden users', async () => {
  const {as, people, admin, stranger, guest} = await serverWithLimitedGuest();
  const listener = await as(guest).listen({
    event_types: ['realm_user', 'user_status', 'presence'],
  });
  await as(admin).patch(`/users/${stranger.id}`, {full_name: 'Sam Two', role: 300});
  await as(stranger).post('/users/me/status', {status_text: 'x', away: true});
  await as(stranger).post('/users/me/presence', {status: 'active'});
  await as(stranger).patch('/settings', {timezone: 'Europe/Paris', email_address_visibility: 4});
  people.setting('can_create_users_group', 6);
  await as(admin).post('/users', {email: 'new@example.com', password: 'correct horse', full_name: 'New'});
  await as(admin).delete(`/users/${stranger.id}`);
  expect(await listener.events()).toEqual([]);
});

test('user access: a guest gets events for users who become visible or hidden', async () => {
  const {as, people, friend, stranger, guest} = await serverWithLimitedGuest();
  await as(stranger).post('/users/me/status', {status_text: 'at sea'});
  const listener = await as(guest).listen({event_types: ['realm_user']});
  const statuses = await as(guest).listen({event_types: ['user_status']});
  const older = await as(guest).listen({
    event_types: ['realm_user'],
    client_capabilities: {notification_settings_null: false},
  });
  await as(friend).post('/users/me/subscriptions', {
    subscriptions: [{name: 'shared'}],
    principals: [stranger.id],
  });
  const gained = [{type: 'realm_user', op: 'add', person: {user_id: stranger.id, full_name: 'Sam Stranger'}}];
  expect(await listener.events()).toMatchObject(gained);
  expect(await older.events()).toMatchObject(gained);
  expect(await statuses.events()).toMatchObject([{user_id: stranger.id, status_text: 'at sea'}]);
  await as(stranger).delete('/users/me/subscriptions', {subscriptions: ['shared']});
  const lost = {type: 'realm_user', op: 'remove', person: {user_id: stranger.id}};
  expect(await listener.events()).toMatchObject([lost]);
  expect(await older.events()).toMatchObject([
    lost,
    {op: 'add', person: {user_id: stranger.id, full_name: 'Unknown user'}},
  ]);
  await as(people.owner()).delete(`/users/${friend.id}`);
  expect(await listener.events()).toMatchObject([{op: 'remove', person: {user_id: friend.id}}]);
});

test('user access: a guest who left the channel sees nobody of it any more', async () => {
  const {as, friend, guest, bot} = await serverWithLimitedGuest();
  await as(guest).delete('/users/me/subscriptions', {subscriptions: ['shared']});
  expect(idsOf((await as(guest).get('/users')).members)).toEqual([guest.id, bot.id]);
  await as(guest).refused('GET', `/users/${friend.id}`, {}, {code: 'BAD_REQUEST'});
});

test('user access: a guest who becomes a member gets all users', async () => {
  const {as, admin, stranger, guest} = await serverWithLimitedGuest();
  const listener = await as(guest).listen({event_types: ['realm_user']});
  await as(admin).patch(`/users/${guest.id}`, {role: 400});
  expect(await listener.events()).toMatchObject([
    {op: 'update', person: {user_id: guest.id, role: 400}},
    {op: 'add', person: {user_id: admin.id}},
    {op: 'add', person: {user_id: stranger.id}},
  ]);
});

test('user access: a first direct message makes its participants visible to each other', async () => {
  const {as, stranger, guest} = await serverWithLimitedGuest();
  const listener = await as(guest).listen({event_types: ['realm_user', 'message']});
  await as(stranger).post('/messages', {type: 'direct', to: [guest.id], content: 'hello'});
  expect(await listener.events()).toMatchObject([
    {type: 'realm_user', op: 'add', person: {user_id: stranger.id}},
    {type: 'message', message: {sender_id: stranger.id}},
  ]);
});

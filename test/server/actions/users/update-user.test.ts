import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('update user: an administrator renames a user by id and by either address', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const shy = people.add('Shy', {settings: {email_address_visibility: 4}});
  const meg = people.member();
  const listener = await as(meg).listen({event_types: ['realm_user']});
  await as(admin).patch(`/users/${shy.id}`, {full_name: ' One '});
  await as(admin).patch(`/users/${meg.email}`, {full_name: 'Two'});
  await as(admin).patch(`/users/user${shy.id}@127.0.0.1`, {full_name: 'Three'});
  await as(admin).patch(`/users/${shy.id}`, {full_name: 'Three'});
  expect(await listener.events()).toMatchObject([
    {type: 'realm_user', op: 'update', person: {user_id: shy.id, full_name: 'One'}},
    {type: 'realm_user', op: 'update', person: {user_id: meg.id, full_name: 'Two'}},
    {type: 'realm_user', op: 'update', person: {user_id: shy.id, full_name: 'Three'}},
  ]);
  await as(admin).refused('PATCH', `/users/${shy.email}`, {full_name: 'Four'}, {code: 'BAD_REQUEST'});
});

test('update user: members are refused, except for their own bots', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const denied = {code: 'BAD_REQUEST'};
  await as(people.moderator()).refused('PATCH', `/users/${meg.id}`, {full_name: 'X'}, denied);
  await as(meg).refused('PATCH', `/users/${meg.email}`, {role: 100}, denied);
  const bot = people.bot('Beep', meg);
  await as(meg).patch(`/users/${bot.id}`, {full_name: 'Boop'});
  expect((await as(meg).get(`/users/${bot.id}`)).user.full_name).toBe('Boop');
});

test.each(['x'.repeat(101), 'a*b', 'a`b', 'a\\b', 'a>b', 'a"b', 'a@b', 'a\nb', 'a|7'])(
  'update user: refuses the name %j',
  async (full_name) => {
    const {people, as} = await testServer();
    const meg = people.member();
    await as(people.admin()).refused('PATCH', `/users/${meg.id}`, {full_name}, {code: 'BAD_REQUEST'});
  },
);

test('update user: a new role changes the system groups and makes channels visible', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const meg = people.member();
  const channel = people.channel('secret', [admin], {invite_only: 1});
  const listener = await as(meg).listen();
  await as(admin).patch(`/users/${meg.id}`, {role: 200});
  expect(await listener.events()).toMatchObject([
    {type: 'realm_user', op: 'update', person: {user_id: meg.id, role: 200}},
    {
      type: 'message',
      message: {content: expect.stringContaining('**New role:** Organization administrator')},
    },
    {type: 'user_group', op: 'remove_members', group_id: 3, user_ids: [meg.id]},
    {type: 'user_group', op: 'add_members', group_id: 6, user_ids: [meg.id]},
    {type: 'user_group', op: 'remove_members', group_id: 4, user_ids: [meg.id]},
    {type: 'stream', op: 'create', streams: [{stream_id: channel, name: 'secret'}]},
    {type: 'subscription', op: 'peer_add', stream_ids: [channel], user_ids: [admin.id]},
  ]);
  const {user} = await as(meg).get(`/users/${meg.id}`);
  expect(user).toMatchObject({role: 200, is_admin: true});
});

test('update user: a user who becomes a guest gets unsubscribed channels deleted', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const meg = people.member();
  people.channel('mine', [meg]);
  const other = people.channel('other', [admin]);
  const listener = await as(meg).listen({event_types: ['stream']});
  await as(admin).patch(`/users/${meg.id}`, {role: 600});
  expect(await listener.events()).toMatchObject([{type: 'stream', op: 'delete', stream_ids: [other]}]);
});

test('update user: a new role shows or hides email addresses and others’ bots', async () => {
  const {people, as, context} = await testServer();
  const owner = people.owner();
  const meg = people.member();
  const bot = people.bot('Beep', owner);
  // Her own, which she sees with every role.
  people.bot('Mine', meg);
  const shy = people.add('Shy', {settings: {email_address_visibility: 3}});
  // Whose avatar does not depend on the address.
  const shown = people.add('Shown', {settings: {email_address_visibility: 3}});
  context.db.run(`UPDATE user SET avatar_source = 'U', avatar_file = 'x.png' WHERE id = ?`, shown.id);
  const listener = await as(meg).listen({event_types: ['realm_user', 'realm_bot']});
  await as(owner).patch(`/users/${meg.id}`, {role: 200});
  expect(await listener.events()).toMatchObject([
    {person: {user_id: meg.id, role: 200}},
    {person: {user_id: shy.id, delivery_email: shy.email}},
    {person: {user_id: shy.id, avatar_url: null}},
    {person: {user_id: shown.id, delivery_email: shown.email}},
    {type: 'realm_bot', op: 'add', bot: {user_id: bot.id}},
  ]);
  await as(owner).patch(`/users/${meg.id}`, {role: 400});
  expect(await listener.events()).toMatchObject([
    {person: {user_id: meg.id, role: 400}},
    {person: {user_id: shy.id, delivery_email: null}},
    {person: {user_id: shy.id, avatar_url: expect.stringMatching(/^https:/)}},
    {person: {user_id: shown.id, delivery_email: null}},
    {type: 'realm_bot', op: 'delete', bot: {user_id: bot.id}},
  ]);
});

test('update user: only owners grant or revoke the owner role', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const second = people.owner('Second Owner');
  const admin = people.admin();
  const denied = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await as(admin).refused('PATCH', `/users/${admin.id}`, {role: 100}, denied);
  await as(admin).refused('PATCH', `/users/${owner.id}`, {role: 200}, denied);
  await as(owner).patch(`/users/${second.id}`, {role: 200});
  await as(owner).refused('PATCH', `/users/${owner.id}`, {role: 200}, {code: 'BAD_REQUEST'});
});

test('update user: a guest cannot become an administrator, and unknown roles are refused', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const guest = people.guest();
  const bad = {code: 'BAD_REQUEST'};
  await as(owner).refused('PATCH', `/users/${guest.id}`, {role: 200}, bad);
  await as(owner).refused('PATCH', `/users/${guest.id}`, {role: 100}, bad);
  await as(owner).refused('PATCH', `/users/${guest.id}`, {role: 500}, bad);
  await as(owner).refused('PATCH', `/users/${guest.id}`, {role: 'x'}, {code: 'BAD_REQUEST'});
  await as(owner).patch(`/users/${guest.id}`, {role: 300});
});

test('update user: if one part of a request is refused, nothing changes', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const guest = people.guest();
  const listener = await as(owner).listen({event_types: ['realm_user']});
  const changes = {full_name: 'a@b', role: 400};
  await as(owner).refused('PATCH', `/users/${guest.id}`, changes, {code: 'BAD_REQUEST'});
  expect(await listener.events()).toEqual([]);
  expect((await as(owner).get(`/users/${guest.id}`)).user.role).toBe(600);
});

test('update user: an owner changes an address; each viewer gets what they may see', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const meg = people.member();
  const open = people.member('Open');
  const shy = people.add('Shy', {settings: {email_address_visibility: 3}});
  const forOwner = await as(owner).listen({event_types: ['realm_user']});
  const forMeg = await as(meg).listen({event_types: ['realm_user'], client_gravatar: false});
  await as(owner).patch(`/users/${shy.id}`, {new_email: 'Shy2@example.com'});
  expect(await forMeg.events()).toEqual([]);
  expect(await forOwner.events()).toMatchObject([
    {person: {user_id: shy.id, delivery_email: 'Shy2@example.com'}},
    {person: {user_id: shy.id, avatar_url: null}},
  ]);
  await as(owner).patch(`/users/${open.id}`, {new_email: 'open2@example.com'});
  expect(await forMeg.events()).toMatchObject([
    {person: {user_id: open.id, delivery_email: 'open2@example.com'}},
    {person: {user_id: open.id, new_email: 'open2@example.com'}},
    {person: {user_id: open.id, avatar_url: expect.stringMatching(/^https:/)}},
  ]);
  await as({...open, email: 'open2@example.com'}).get('/users/me');
});

test('update user: only owners with the permission change addresses, only to unused ones', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const admin = people.admin();
  const meg = people.member();
  const path = `/users/${meg.id}`;
  await as(admin).refused('PATCH', path, {new_email: 'n@example.com'}, {code: 'BAD_REQUEST'});
  await as(owner).refused('PATCH', path, {new_email: admin.email}, {code: 'BAD_REQUEST'});
  await as(owner).refused('PATCH', path, {new_email: 'nonsense'}, {code: 'BAD_REQUEST'});
  people.setting('can_change_user_emails_group', 8);
  await as(owner).refused('PATCH', path, {new_email: 'n@example.com'}, {code: 'BAD_REQUEST'});
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('deactivate user: a deactivated account leaves all channels and groups until reactivation', async () => {
  const {people, as, context} = await testServer();
  const admin = people.admin();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const channel = people.channel('general', [meg, otto]);
  context.db.run(`INSERT INTO user_group (id, name, name_key) VALUES (20, 'crew', 'crew')`);
  context.db.run('INSERT INTO group_member VALUES (20, ?)', meg.id);
  const listener = await as(otto).listen();
  await as(admin).delete(`/users/${meg.id}`);
  expect(await listener.events()).toMatchObject([
    {type: 'subscription', op: 'peer_remove', stream_ids: [channel], user_ids: [meg.id]},
    {type: 'realm_user', op: 'update', person: {user_id: meg.id, is_active: false}},
  ]);
  expect((await as(otto).get(`/streams/${channel}/members`)).subscribers).toEqual([otto.id]);
  expect((await as(meg).raw('GET', '/users/me')).status).toBe(401);
  await as(admin).post(`/users/${meg.id}/reactivate`);
  expect(await listener.events()).toMatchObject([
    {type: 'realm_user', op: 'update', person: {user_id: meg.id, is_active: true}},
    {type: 'subscription', op: 'peer_add', stream_ids: [channel], user_ids: [meg.id]},
    {type: 'user_group', op: 'add_members', group_id: 4, user_ids: [meg.id]},
    {type: 'user_group', op: 'add_members', group_id: 3, user_ids: [meg.id]},
    {type: 'user_group', op: 'add_members', group_id: 20, user_ids: [meg.id]},
  ]);
  expect((await as(meg).get(`/streams/${channel}/members`)).subscribers).toEqual([meg.id, otto.id]);
  expect(context.db.value('SELECT subscriber_count FROM channel WHERE id = ?', channel)).toBe(2);
});

test('deactivate user: removals from a private channel are sent only to its viewers', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const meg = people.member();
  people.channel('secret', [meg], {invite_only: 1});
  const listener = await as(people.member('Otto Other')).listen({event_types: ['subscription']});
  await as(admin).delete(`/users/${meg.id}`);
  expect(await listener.events()).toEqual([]);
});

test('deactivate user: deactivation ends the queues and deactivates the user’s bots', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const meg = people.member();
  const bot = people.bot('Beep', meg);
  await as(meg).listen();
  const listener = await as(admin).listen({event_types: ['realm_user']});
  await as(meg).delete('/users/me');
  expect(await listener.events()).toMatchObject([
    {person: {user_id: bot.id, is_active: false}},
    {person: {user_id: meg.id, is_active: false}},
  ]);
  await as(admin).post(`/users/${meg.id}/reactivate`);
  const {members} = await as(meg).get('/users', {user_ids: [meg.id, bot.id]});
  expect(members).toMatchObject([{is_active: true}, {is_active: false}]);
});

test('deactivate user: a reactivated bot without an active owner belongs to the actor', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const meg = people.member();
  const bot = people.bot('Beep', meg);
  await as(admin).delete(`/users/${meg.id}`);
  await as(admin).post(`/users/${bot.id}/reactivate`);
  expect((await as(admin).get(`/users/${bot.id}`)).user.bot_owner_id).toBe(admin.id);
});

test('deactivate user: the owner of a bot reactivates it, and nobody else without rights', async () => {
  const {people, as} = await testServer();
  const [meg, otto] = [people.member(), people.member('Otto Other')];
  const bot = people.bot('Beep', meg);
  await as(meg).delete(`/bots/${bot.id}`);
  await as(otto).refused('POST', `/users/${bot.id}/reactivate`, {}, {code: 'BAD_REQUEST', status: 400});
  await as(meg).post(`/users/${bot.id}/reactivate`);
  expect((await as(otto).get(`/users/${bot.id}`)).user.is_active).toBe(true);
});

test('deactivate user: a bot is not reactivated under a name that is taken, nor by an owner who may have no bots any more', async () => {
  const {people, as} = await testServer();
  const [admin, meg] = [people.admin(), people.member()];
  const bot = people.bot('Beep', meg);
  await as(meg).delete(`/bots/${bot.id}`);
  const {user_id: other} = await as(admin).post('/bots', {full_name: 'Beep', short_name: 'other'});
  const path = `/users/${bot.id}/reactivate`;
  const reactivate = async () => (await as(meg).refused('POST', path, {}, {code: 'BAD_REQUEST'})).msg;
  expect(await reactivate()).toMatch(/^There is already an active bot named "Beep"/);
  await as(admin).delete(`/bots/${other}`);
  people.setting('can_create_bots_group', 6);
  expect(await reactivate()).toBe('Insufficient permission');
  await as(admin).post(path);
  expect((await as(meg).get(`/users/${bot.id}`)).user.is_active).toBe(true);
});

test('deactivate user: invitations of the account are revoked, and administrators are told', async () => {
  const {people, as} = await testServer();
  const [admin, meg] = [people.admin(), people.member()];
  await as(meg).post('/invites', {invitee_emails: 'new@example.com', stream_ids: []});
  const listener = await as(admin).listen({event_types: ['invites_changed']});
  await as(admin).delete(`/users/${meg.id}`);
  expect(await listener.events()).toMatchObject([{type: 'invites_changed'}]);
  expect((await as(admin).get('/invites')).invites).toEqual([]);
});

test('deactivate user: reactivating an active account changes nothing', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const listener = await as(admin).listen();
  await as(admin).post(`/users/${people.member().id}/reactivate`);
  expect(await listener.events()).toEqual([]);
});

test('deactivate user: only administrators deactivate accounts, and only owners those of owners', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  people.owner('Second Owner');
  const admin = people.admin();
  const meg = people.member();
  const denied = {code: 'BAD_REQUEST'};
  await as(meg).refused('DELETE', `/users/${admin.id}`, {}, denied);
  await as(meg).refused('POST', `/users/${admin.id}/reactivate`, {}, denied);
  await as(admin).refused('DELETE', `/users/${owner.id}`, {}, {code: 'UNAUTHORIZED_PRINCIPAL'});
  await as(owner).delete(`/users/${admin.id}`);
  await as(owner).refused('DELETE', `/users/${admin.id}`, {}, {code: 'BAD_REQUEST'});
  await as(owner).refused('DELETE', '/users/9999', {}, {code: 'BAD_REQUEST'});
  await as(owner).refused('DELETE', `/users/${people.bot('Beep', owner).id}`, {}, {code: 'BAD_REQUEST'});
});

test('deactivate user: the last owner and the last user cannot be deactivated', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const last = {code: 'CANNOT_DEACTIVATE_LAST_USER'};
  const user = await as(meg).refused('DELETE', '/users/me', {}, last);
  expect(user).toMatchObject({is_last_owner: false, entity: 'user'});
  const owner = people.owner();
  const self = await as(owner).refused('DELETE', '/users/me', {}, last);
  expect(self).toMatchObject({is_last_owner: true, entity: 'organization owner'});
  await as(owner).refused('DELETE', `/users/${owner.id}`, {}, {code: 'BAD_REQUEST'});
});

test('deactivate user: messages and profile are erased on request', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const meg = people.member();
  const otto = people.member('Otto Other');
  people.channel('open', [meg, otto]);
  people.channel('other', [meg, otto]);
  people.channel('secret', [meg, otto], {invite_only: 1});
  const send = (params: object) => as(meg).post('/messages', {content: 'x', topic: 't', ...params});
  const inOpen = await send({type: 'channel', to: 'open'});
  const inOther = await send({type: 'channel', to: 'other'});
  const inSecret = await send({type: 'channel', to: 'secret'});
  const direct = await send({type: 'direct', to: [otto.id]});
  await send({type: 'direct', to: [owner.id]});
  await as(meg).post('/users/me/status', {status_text: 'here'});
  const {id: job} = await as(owner).post('/realm/profile_fields', {name: 'Job', field_type: 1});
  await as(meg).patch('/users/me/profile_data', {data: [{id: job, value: 'Pilot'}]});
  const listener = await as(otto).listen({event_types: ['delete_message', 'realm_user', 'user_status']});
  const bad = {actions: {delete_profile: 'yes'}};
  await as(owner).refused('DELETE', `/users/${meg.id}`, bad, {code: 'BAD_REQUEST'});
  await as(owner).delete(`/users/${meg.id}`, {
    actions: {delete_profile: true, delete_public_channel_messages: true, delete_direct_messages: true},
  });
  expect(await listener.events()).toMatchObject([
    {type: 'realm_user', person: {user_id: meg.id, full_name: 'Deleted user'}},
    {type: 'realm_user', person: {user_id: meg.id, custom_profile_field: {id: job, value: null}}},
    {type: 'user_status', user_id: meg.id, status_text: ''},
    {type: 'delete_message', message_ids: [inOpen.id]},
    {type: 'delete_message', message_ids: [inOther.id]},
    {type: 'delete_message', message_ids: [direct.id]},
    {type: 'realm_user', person: {user_id: meg.id, is_active: false}},
  ]);
  await as(otto).get(`/messages/${inSecret.id}`);
  await as(otto).refused('GET', `/messages/${inOpen.id}`, {}, {code: 'BAD_REQUEST'});
  const shown = await as(otto).get(`/users/${meg.id}`, {include_custom_profile_fields: true});
  expect(shown.user.profile_data).toEqual({});
});

test('deactivate user: the last owner who is active and no bot keeps the account and the role', async () => {
  const {people, as} = await testServer();
  const owner = people.owner();
  const other = people.owner('Other Owner');
  const bot = people.bot('Helper', owner);
  await as(other).patch(`/users/${bot.id}`, {role: 100});
  await as(owner).delete(`/users/${other.id}`);
  const code = 'BAD_REQUEST';
  await as(owner).refused('DELETE', `/users/${owner.id}`, {}, {code});
  await as(owner).refused('PATCH', `/users/${owner.id}`, {role: 400}, {code});
  await as(owner).refused('DELETE', '/users/me', {}, {code: 'CANNOT_DEACTIVATE_LAST_USER'});
  await as(owner).post(`/users/${other.id}/reactivate`);
  await as(owner).patch(`/users/${owner.id}`, {role: 400});
});

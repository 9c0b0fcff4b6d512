import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

const fetch_event_types = ['realm_user'];

test('registration: a registration lists active users, deactivated users and system bots', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const gone = people.add('Gone', {active: false});
  const state = await as(meg).post('/register', {fetch_event_types});
  expect(state.realm_users).toMatchObject([{user_id: meg.id, profile_data: {}}]);
  expect(state.realm_non_active_users).toMatchObject([{user_id: gone.id}]);
  expect(state.cross_realm_bots).toHaveLength(3);
  expect(state.cross_realm_bots[0]).toMatchObject({is_bot: true, is_system_bot: true});
  const {user} = await as(meg).get(`/users/${meg.id}`, {include_custom_profile_fields: true});
  // The name of the list says whether they are active.
  expect({...state.realm_users[0], is_active: true}).toEqual(user);
});

test('registration: a registration has the user’s own record and permissions', async () => {
  const {people, as} = await testServer();
  const admin = people.admin();
  const state = await as(admin).post('/register', {fetch_event_types});
  expect(state).toMatchObject({
    user_id: admin.id,
    email: admin.email,
    delivery_email: admin.email,
    full_name: 'Ada Admin',
    avatar_url: expect.stringMatching(/^https:/),
    avatar_url_medium: expect.stringMatching(/s=500$/),
    avatar_source: 'G',
    is_owner: false,
    is_admin: true,
    is_moderator: true,
    is_guest: false,
    can_create_public_streams: true,
    can_create_private_streams: true,
    can_create_web_public_streams: false,
    can_create_streams: true,
    can_invite_others_to_realm: true,
  });
});

test('registration: guests cannot create channels or invite users', async () => {
  const {people, as} = await testServer();
  const state = await as(people.guest()).post('/register', {fetch_event_types});
  expect(state).toMatchObject({
    is_guest: true,
    can_create_public_streams: false,
    can_create_private_streams: false,
    can_create_streams: false,
    can_invite_others_to_realm: false,
  });
});

test('registration: owners may create web-public channels if these are enabled', async () => {
  const {people, as} = await testServer();
  const owner = as(people.owner());
  const mayCreate = async () => (await owner.post('/register', {fetch_event_types})).can_create_web_public_streams;
  expect(await mayCreate()).toBe(false);
  people.setting('enable_spectator_access', true);
  expect(await mayCreate()).toBe(true);
});

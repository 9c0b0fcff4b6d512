import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';
import {realm} from '#wire/objects/realm.ts';
import {decode} from '#wire/schema.ts';

async function setup() {
  const server = await testServer();
  return {server, owner: server.people.owner(), admin: server.people.admin(), meg: server.people.member()};
}

test('settings: the registration has every key that clients read', async () => {
  const {server, meg} = await setup();
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  expect(decode(realm, state)).toMatchObject({ok: true});
  const older = [
    'realm_rendered_description',
    'realm_delete_own_message_policy',
    'realm_move_messages_between_streams_policy',
    'realm_edit_topic_policy',
    'realm_private_message_policy',
    'realm_user_group_edit_policy',
    'realm_add_custom_emoji_policy',
    'realm_invite_to_realm_policy',
    'realm_invite_to_stream_policy',
    'realm_bot_creation_policy',
    'realm_notifications_stream_id',
    'realm_signup_notifications_stream_id',
    'server_timestamp',
  ];
  const missing = Object.keys(realm.entries).filter((name) => !(name in state) && !older.includes(name));
  expect(missing).toEqual([]);
  expect(state).toMatchObject({
    realm_url: server.url,
    realm_can_delete_any_message_group: 6,
    realm_video_chat_provider: 1,
    max_message_length: 10_000,
    server_typing_started_wait_period_milliseconds: 30_000,
  });
  expect(state).not.toHaveProperty('realm_can_change_user_emails_group');
});

test('settings: the registration has what real servers of this level send, and no keys that they dropped', async () => {
  const {server, meg} = await setup();
  server.people.setting('can_create_public_channel_group', 7);
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  expect(state).toMatchObject({
    realm_workplace_users_group: 2,
    realm_default_avatar_source: 'J',
    realm_owner_full_content_access: false,
    realm_create_public_stream_policy: 7,
    realm_create_private_stream_policy: 1,
    realm_create_web_public_stream_policy: 7,
    realm_wildcard_mention_policy: 5,
    settings_send_digest_emails: false,
    realm_gif_rating_policy: state.gif_rating_policy_options.g.id,
    upgrade_text_for_wide_organization_logo: '',
    server_min_deactivated_realm_deletion_days: 14,
    server_max_deactivated_realm_deletion_days: null,
  });
  for (const key of [
    'realm_rendered_description',
    'realm_giphy_rating',
    'realm_default_newly_created_streams_push_notifications',
  ]) {
    expect(state).not.toHaveProperty(key);
  }
});

test('settings: the registration has the rules of every group setting', async () => {
  const {server, meg} = await setup();
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  const rules = state.server_supported_permission_settings;
  const settings = Object.keys(state).filter(
    (name) => name.startsWith('realm_can_') || name.startsWith('realm_direct_message'),
  );
  expect(settings.filter((name) => !(name.slice(6) in rules.realm))).toEqual([]);
  expect(Object.keys(rules.group)).toHaveLength(6);
  expect(Object.keys(rules.stream)).toHaveLength(11);
  expect(rules.realm.can_create_groups).toEqual({
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: false,
    default_group_name: 'role:members',
    default_for_system_groups: null,
    allowed_system_groups: [],
  });
});

test('settings: limits are sent first, permissions last, and some as update_dict', async () => {
  const {server, admin, meg} = await setup();
  const queue = await server.as(meg).listen();
  await server.as(admin).patch('/realm', {
    name: 'Acme',
    enable_read_receipts: true,
    allow_message_editing: false,
    message_content_edit_limit_seconds: '"unlimited"',
    can_resolve_topics_group: {new: 3, old: 2},
  });
  const dict = {type: 'realm', op: 'update_dict', property: 'default'};
  expect(await queue.events()).toEqual([
    {id: 0, ...dict, data: {message_content_edit_limit_seconds: null}},
    {id: 1, ...dict, data: {allow_message_editing: false}},
    {id: 2, type: 'realm', op: 'update', property: 'name', value: 'Acme'},
    {id: 3, ...dict, data: {can_resolve_topics_group: 3}},
  ]);
  const {state} = await server.as(meg).listen({fetch_event_types: ['realm']});
  expect(state).toMatchObject({
    realm_name: 'Acme',
    realm_allow_message_editing: false,
    realm_message_content_edit_limit_seconds: null,
    realm_can_resolve_topics_group: 3,
  });
});

test('settings: a description is sent with its HTML, and legacy settings follow the new ones', async () => {
  const {server, admin, meg} = await setup();
  const queue = await server.as(meg).listen();
  await server.as(admin).patch('/realm', {description: 'We build'});
  await server.as(admin).patch('/realm', {topics_policy: 'disable_empty_topic'});
  await server.as(admin).patch('/realm', {message_edit_history_visibility_policy: 'none'});
  expect((await queue.events()).map(({data, value}) => data ?? value)).toEqual([
    {description: 'We build', rendered_description: '<p>We build</p>'},
    {topics_policy: 'disable_empty_topic', mandatory_topics: true},
    'none',
  ]);
});

test('settings: no change sends no event', async () => {
  const {server, admin, meg} = await setup();
  const queue = await server.as(meg).listen();
  await server.as(admin).patch('/realm', {enable_read_receipts: true, can_resolve_topics_group: {new: 2}});
  await server.as(admin).patch('/realm');
  expect(await queue.events()).toEqual([]);
});

test.each([
  [{name: 'x'.repeat(41)}],
  [{description: 'x'.repeat(1001)}],
  [{default_language: '!!'}],
  [{topics_policy: 'sometimes'}],
  [{message_edit_history_visibility_policy: 'some'}],
  [{message_content_edit_limit_seconds: 0}],
  [{message_content_delete_limit_seconds: 'soon'}],
  [{video_chat_provider: 3}],
  [{jitsi_server_url: '"javascript:x"'}],
  [{jitsi_server_url: 'https://meet.example'}],
  [{signup_announcements_stream_id: 999}],
  [{enable_read_receipts: 'perhaps'}],
  [{can_create_public_channel_group: {new: 2}}],
  [{can_create_public_channel_group: {new: {direct_members: [9999], direct_subgroups: []}}}],
])('settings: %o is refused', async (params) => {
  const {server, admin} = await setup();
  const reply = await server.as(admin).raw('PATCH', '/realm', params);
  expect(reply.status).toBe(400);
  expect(['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID']).toContain(reply.body.code);
});

test('settings: a missing system group and a wrong expected value have their own errors', async () => {
  const {server, owner, admin} = await setup();
  const {group_id} = await server.as(owner).post('/user_groups/create', {name: 'g', description: '', members: []});
  const system = {code: 'SYSTEM_GROUP_REQUIRED'};
  const body = await server.as(admin).refused('PATCH', '/realm', {can_access_all_users_group: {new: group_id}}, system);
  expect(body.setting_name).toBe('can_access_all_users_group');
  const stale = {can_resolve_topics_group: {new: 3, old: 5}};
  await server.as(admin).refused('PATCH', '/realm', stale, {code: 'EXPECTATION_MISMATCH'});
});

test('settings: administrators change settings, some need an owner', async () => {
  const {server, owner, admin, meg} = await setup();
  const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await server.as(meg).refused('PATCH', '/realm', {name: 'Mine'}, refusal);
  await server.as(admin).refused('PATCH', '/realm', {waiting_period_threshold: 5}, refusal);
  await server.as(admin).refused('PATCH', '/realm', {can_manage_all_groups: {new: 6}}, refusal);
  await server.as(admin).refused('PATCH', '/realm', {disallow_disposable_email_addresses: false}, refusal);
  await server.as(owner).patch('/realm', {can_manage_all_groups: {new: 6}, message_retention_days: 30});
  await server.as(owner).patch('/realm', {waiting_period_threshold: 36_500});
  const invalid = {code: 'REQUEST_VARIABLE_INVALID'};
  await server.as(owner).refused('PATCH', '/realm', {waiting_period_threshold: 36_501}, invalid);
});

test('settings: a longer waiting period removes new members from the full members', async () => {
  const {server, owner, meg} = await setup();
  const queue = await server.as(meg).listen({event_types: ['user_group', 'realm']});
  await server.as(owner).patch('/realm', {waiting_period_threshold: 100});
  await server.as(owner).patch('/realm', {waiting_period_threshold: 10});
  expect(await queue.events()).toMatchObject([
    {type: 'realm', op: 'update', property: 'waiting_period_threshold', value: 100},
    {type: 'user_group', op: 'remove_members', group_id: 4, user_ids: [meg.id]},
    {type: 'realm', op: 'update', property: 'waiting_period_threshold', value: 10},
    {type: 'user_group', op: 'add_members', group_id: 4, user_ids: [meg.id]},
  ]);
});

test('settings: a member whose waiting period ends is added to the full members', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  server.people.setting('waiting_period_threshold', 31);
  const params = {event_types: ['user_group'], idle_queue_timeout: 604_800};
  const queue = await server.as(meg).listen(params);
  clock.advance(23 * 3600_000);
  expect(await queue.events()).toEqual([]);
  clock.advance(3 * 3600_000);
  expect(await queue.events()).toMatchObject([{op: 'add_members', group_id: 4, user_ids: [meg.id]}]);
});

test('settings: limiting access sends guests the users that become hidden', async () => {
  const {server, admin, meg} = await setup();
  const gus = server.people.guest();
  const queue = await server.as(gus).listen({event_types: ['realm_user']});
  await server.as(admin).patch('/realm', {can_access_all_users_group: {new: 3}});
  const lost = (await queue.events()).filter(({op}) => op === 'remove').map(({person}) => person.user_id);
  expect(lost).toContain(meg.id);
});

test('settings: unsupported parts of the registration are empty', async () => {
  const {server, meg} = await setup();
  const fetch_event_types = [
    'giphy',
    'tenor',
    'klipy',
    'realm_billing',
    'realm_embedded_bots',
    'realm_incoming_webhook_bots',
  ];
  const {state} = await server.as(meg).listen({fetch_event_types});
  expect(state).toMatchObject({
    giphy_api_key: '',
    tenor_api_key: '',
    klipy_api_key: '',
    realm_embedded_bots: [],
    realm_incoming_webhook_bots: [],
  });
});

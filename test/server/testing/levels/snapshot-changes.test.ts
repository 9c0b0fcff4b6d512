import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';
import {populatedServer} from './populated-server.ts';

const allCapabilities = {client_capabilities: fullClientCapabilities};

test('from 339 to 483 the event of a reaction contains its user, a message does not', async () => {
  const {server, owner, meg, send} = await populatedServer(421);
  const {id} = await send('nice');
  const queue = await server.as(owner).listen();
  await server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  expect(await queue.events()).toMatchObject([{user_id: meg.id, user: {user_id: meg.id}}]);
  const {message} = await server.as(owner).get(`/messages/${id}`);
  expect(message.reactions).toMatchObject([{user_id: meg.id}]);
  expect(message.reactions[0]).not.toHaveProperty('user');
});

test('from 484 on a reaction does not contain its user', async () => {
  const {server, owner, meg, send} = await populatedServer(498);
  const {id} = await send('nice');
  await server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  const {message} = await server.as(owner).get(`/messages/${id}`);
  expect(message.reactions[0]).not.toHaveProperty('user');
});

test('before 488 the authentication methods do not include discord', async () => {
  const {server, meg} = await populatedServer(421);
  const settings = await server.anonymous().get('/server_settings');
  expect(settings.authentication_methods).not.toHaveProperty('discord');
  const state = await server.as(meg).post('/register', {fetch_event_types: ['realm']});
  expect(state.realm_authentication_methods).not.toHaveProperty('discord');
});

test('before 474 bots contain their API key', async () => {
  const {server, meg} = await populatedServer(421);
  const queue = await server.as(meg).listen();
  const {api_key} = await server.as(meg).post('/bots', {full_name: 'Bee', short_name: 'bee'});
  const bot = {api_key, full_name: 'Bee', owner_id: meg.id, is_active: true};
  const {realm_bots} = await server.as(meg).post('/register', {fetch_event_types: ['realm_bot']});
  expect(realm_bots).toMatchObject([bot]);
  expect((await queue.events()).find(({type}) => type === 'realm_bot')).toMatchObject({op: 'add', bot});
});

test('before 472 attachments list messages with times, before 443 in milliseconds', async () => {
  for (const [level, unit] of [
    [421, 1000],
    [498, undefined],
  ] as const) {
    const {server, owner, send} = await populatedServer(level);
    const {body} = await server.as(owner).upload('/user_uploads', 'a.txt', new Uint8Array([1]));
    const {id} = await send(`[a](${body.url})`);
    const {message} = await server.as(owner).get(`/messages/${id}`);
    const {attachments} = await server.as(owner).get('/attachments');
    if (unit === undefined) expect(attachments).toMatchObject([{message_ids: [id]}]);
    else expect(attachments).toMatchObject([{messages: [{id, date_sent: message.timestamp * unit}]}]);
  }
});

test('before 454 the home view recent is called recent_topics', async () => {
  const {server, meg} = await populatedServer(421);
  const queue = await server.as(meg).listen();
  await server.as(meg).patch('/settings', {web_home_view: 'recent_topics'});
  expect(await queue.events()).toMatchObject([{property: 'web_home_view', value: 'recent_topics'}]);
  const {user_settings} = await server.as(meg).post('/register', allCapabilities);
  expect(user_settings.web_home_view).toBe('recent_topics');
});

test('before 408 twenty_four_hour_time=null is refused', async () => {
  const {server, meg} = await populatedServer(371);
  const params = {twenty_four_hour_time: 'null'};
  await server.as(meg).refused('PATCH', '/settings', params, {code: 'BAD_REQUEST'});
});

test('before 380 is_moderator is false for an administrator', async () => {
  const older = await populatedServer(371);
  const state = await older.server.as(older.owner).post('/register', {fetch_event_types: ['realm_user']});
  expect(state).toMatchObject({is_admin: true, is_moderator: false});
  const newer = await populatedServer(421);
  const later = await newer.server.as(newer.owner).post('/register', {fetch_event_types: ['realm_user']});
  expect(later).toMatchObject({is_admin: true, is_moderator: true});
});

test('before 365 a move sets last_edit_timestamp', async () => {
  const {server, owner, send} = await populatedServer(277);
  const {id} = await send('hello');
  await server.as(owner).patch(`/messages/${id}`, {topic: 'elsewhere'});
  const {message} = await server.as(owner).get(`/messages/${id}`);
  expect(message).toHaveProperty('last_edit_timestamp', expect.any(Number));
  expect(message).not.toHaveProperty('last_moved_timestamp');
});

test('before 352 and 270 wildcard mentions and direct messages have numbered policies of their own', async () => {
  const {server, meg} = await populatedServer(237);
  const state = await server.as(meg).post('/register', {fetch_event_types: ['realm']});
  expect(state).toMatchObject({realm_wildcard_mention_policy: 5, realm_private_message_policy: 1});
});

test('before 341 a registration has can_subscribe_other_users', async () => {
  const {server, meg} = await populatedServer(277);
  const guest = server.people.guest();
  const fetch = {fetch_event_types: ['realm_user']};
  expect(await server.as(meg).post('/register', fetch)).toMatchObject({can_subscribe_other_users: true});
  expect(await server.as(guest).post('/register', fetch)).toMatchObject({can_subscribe_other_users: false});
});

test('before 334 the empty topic is called (no topic) in events, lists, messages and history', async () => {
  const {server, owner, meg, general, send} = await populatedServer(277);
  const queue = await server.as(meg).listen();
  const {id} = await send('hello', '');
  const [event] = await queue.events();
  expect(event).toMatchObject({type: 'message', message: {subject: '(no topic)'}});
  const client = server.as(meg);
  expect((await client.get(`/users/me/${general}/topics`)).topics).toMatchObject([{name: '(no topic)'}]);
  const {message} = await client.get(`/messages/${id}`, {allow_empty_topic_name: true});
  expect(message.subject).toBe('(no topic)');
  await server.as(owner).patch(`/messages/${id}`, {topic: 'named'});
  const {message_history} = await client.get(`/messages/${id}/history`);
  expect(message_history).toMatchObject([{topic: '(no topic)'}, {prev_topic: '(no topic)', topic: 'named'}]);
  expect(await client.post('/register', allCapabilities)).not.toHaveProperty('realm_empty_topic_display_name');
});

test('before 330 default channels are older channel objects instead of ids', async () => {
  const {server, owner, general} = await populatedServer(277);
  const queue = await server.as(owner).listen();
  await server.as(owner).post('/default_streams', {stream_id: general});
  const [event] = await queue.events();
  const {realm_default_streams} = await server.as(owner).post('/register', allCapabilities);
  for (const channels of [event?.default_streams, realm_default_streams]) {
    expect(channels).toMatchObject([{stream_id: general, name: 'general'}]);
    expect(channels[0]).not.toHaveProperty('topics_policy');
  }
});

test('before 241 the announcement channel settings have other names', async () => {
  const {server, owner, general} = await populatedServer(237);
  const queue = await server.as(owner).listen();
  await server.as(owner).patch('/realm', {notifications_stream_id: general});
  expect(await queue.events()).toMatchObject([{property: 'notifications_stream_id', value: general}]);
  const state = await server.as(owner).post('/register', {fetch_event_types: ['realm']});
  expect(state).toMatchObject({realm_notifications_stream_id: general});
  expect(state).not.toHaveProperty('realm_new_stream_announcements_stream_id');
});

test('before 224 all wildcard mentions have the flag wildcard_mentioned', async () => {
  const {server, meg, send} = await populatedServer(185);
  const queue = await server.as(meg).listen();
  const {id} = await send('@**all** hello');
  const [event] = await queue.events();
  expect(event?.flags).toEqual(['wildcard_mentioned']);
  const {message} = await server.as(meg).get(`/messages/${id}`);
  expect(message.flags).toEqual(['wildcard_mentioned']);
});

test('before 195 an unset code language is null, and newer video providers are missing', async () => {
  const {server, meg} = await populatedServer(185);
  const state = await server.as(meg).post('/register', {fetch_event_types: ['realm']});
  expect(state).toMatchObject({realm_default_code_block_language: null, realm_video_chat_provider: 1});
  expect(Object.keys(state.realm_available_video_chat_providers)).toEqual(['disabled', 'jitsi_meet']);
});

test('before 189 user settings have none for followed topics', async () => {
  const {server, meg} = await populatedServer(185);
  const {user_settings} = await server.as(meg).post('/register', allCapabilities);
  expect(user_settings).not.toHaveProperty('enable_followed_topic_desktop_notifications');
  expect(user_settings).not.toHaveProperty('receives_typing_notifications');
  expect(user_settings).toHaveProperty('web_mark_read_on_scroll_policy');
});

test('before 176 linkifiers with URL formats go to every client', async () => {
  const {server, owner} = await populatedServer(122);
  const queue = await server.as(owner).listen({client_capabilities: {notification_settings_null: false}});
  const state = await server.as(owner).post('/register', {fetch_event_types: ['realm_linkifiers']});
  expect(state.realm_linkifiers).toMatchObject([{url_format: 'https://tickets.example/%(id)s'}]);
  const linkifier = {pattern: 'T(?P<id>[0-9]+)', url_format_string: 'https://t.example/%(id)s'};
  await server.as(owner).post('/realm/filters', linkifier);
  const [event] = await queue.events();
  expect(event?.realm_linkifiers.at(-1)).toMatchObject({url_format: 'https://t.example/%(id)s'});
});

test('before 151 the profile field type for pronouns is missing and refused', async () => {
  const {server, owner} = await populatedServer(122);
  const {custom_profile_field_types} = await server.as(owner).post('/register', allCapabilities);
  expect(custom_profile_field_types).not.toHaveProperty('PRONOUNS');
  const field = {name: 'Pronouns', field_type: 8};
  await server.as(owner).refused('POST', '/realm/profile_fields', field, {code: 'BAD_REQUEST'});
});

test('before 148 away is sent as a user status, not as a setting', async () => {
  const {server, owner, meg} = await populatedServer(122);
  const queue = await server.as(owner).listen();
  const own = await server.as(meg).listen();
  await server.as(meg).post('/users/me/status', {away: true});
  expect((await queue.events()).filter(({type}) => type === 'user_status')).toMatchObject([
    {user_id: meg.id, away: true},
  ]);
  expect((await own.events()).map(({type}) => type)).not.toContain('user_settings');
  const {user_status} = await server.as(owner).post('/register', {fetch_event_types: ['user_status']});
  expect(user_status).toEqual({[meg.id]: {away: true}});
});

test('before 134 muted topics are in events and registrations instead of user topics', async () => {
  const {server, meg, general} = await populatedServer(122);
  const queue = await server.as(meg).listen();
  const params = {stream_id: general, topic: 'talk', op: 'add'};
  await server.as(meg).patch('/users/me/subscriptions/muted_topics', params);
  const muted = [['general', 'talk', expect.any(Number)]];
  expect(await queue.events()).toMatchObject([{type: 'muted_topics', muted_topics: muted}]);
  const state = await server.as(meg).post('/register', allCapabilities);
  expect(state.muted_topics).toEqual(muted);
  expect(state).not.toHaveProperty('user_topics');
});

test('before 127 groups have no subgroups and no can_mention_group', async () => {
  const {server, owner} = await populatedServer(122);
  const {user_groups} = await server.as(owner).get('/user_groups');
  expect(user_groups[0]).not.toHaveProperty('subgroups');
  expect(user_groups[0]).not.toHaveProperty('can_mention_group');
});

test.each([
  [122, '5.0+parley'],
  [300, '10.0-dev+parley'],
  [371, '10.0+parley'],
  [509, '13.0-dev+parley'],
])('a server of level %i says that its version is %s', async (level, version) => {
  const server = await testServer({level});
  const settings = await server.anonymous().get('/server_settings');
  const state = await server.as(server.people.member()).post('/register', {fetch_event_types: []});
  for (const {zulip_version, zulip_feature_level} of [settings, state]) {
    expect([zulip_feature_level, zulip_version]).toEqual([level, version]);
  }
});

test.each([
  [128, 'realm_org_type'],
  [338, 'password_max_length'],
  [369, 'navigation_tour_video_url'],
  [416, 'realm_welcome_message_custom_text'],
  [434, 'realm_send_channel_events_messages'],
  [469, 'realm_media_preview_size'],
])('before %i a registration does not have %s', async (level, key) => {
  const [older, newer] = [await testServer({level: level - 1}), await testServer({level})];
  expect(await older.as(older.people.member()).post('/register', {})).not.toHaveProperty(key);
  expect(await newer.as(newer.people.member()).post('/register', {})).toHaveProperty(key);
});

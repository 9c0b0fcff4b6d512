import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {sendChannelMessage} from '#test/server/actions/channels/send-channel-message.ts';
import type {Params} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

/** Who sends what, and the error message of the response; an empty one means success. */
type Row = readonly [Person, string, string, Params, string];

async function checkRows(server: TestServer, rows: readonly Row[]): Promise<void> {
  for (const [who, method, path, params, message] of rows) {
    const {body} = await server.as(who).raw(method, path, params);
    expect(body.msg, `${who.fullName} ${method} ${path} ${JSON.stringify(params)}`).toBe(message);
  }
}

const unsupported = 'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group';
const members = SystemGroup.members;
const subscriptionsPath = '/users/me/subscriptions';
const subscriptions = (...names: string[]) => names.map((name) => ({name}));

test('channel rules: an update checks the privacy that results from it', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const admin = server.people.admin();
  const meg = server.people.member();
  const permissions = {can_administer_channel_group: members};
  const named = {subscriptions: subscriptions('new')};
  const open = `/streams/${server.people.channel('open', [meg], {permissions})}`;
  const secret = `/streams/${server.people.channel('secret', [owner], {invite_only: 1, history_public_to_subscribers: 1})}`;
  server.people.setting('enable_spectator_access', true);
  await checkRows(server, [
    [owner, 'PATCH', secret, {is_web_public: true}, 'Invalid parameters'],
    [owner, 'PATCH', secret, {is_private: false, history_public_to_subscribers: false}, 'Invalid parameters'],
    [admin, 'PATCH', secret, {is_private: true}, 'Channel content access is required.'],
    [admin, 'PATCH', secret, {history_public_to_subscribers: true}, ''],
    [owner, 'PATCH', secret, {can_create_topic_group: {new: members}}, ''],
    [owner, 'PATCH', secret, {is_private: true}, unsupported],
    [owner, 'PATCH', secret, {is_private: true, can_create_topic_group: {new: SystemGroup.everyone}}, ''],
    [owner, 'PATCH', secret, {can_create_topic_group: {new: members}}, unsupported],
    // Its history stays protected, see below.
    [owner, 'PATCH', secret, {is_web_public: false}, ''],
    [owner, 'PATCH', open, {is_web_public: true}, ''],
    [owner, 'PATCH', open, {is_private: true}, 'Invalid parameters'],
    [meg, 'PATCH', open, {is_web_public: true}, 'Insufficient permission'],
    [meg, 'PATCH', open, {is_web_public: false}, ''],
    [owner, 'PATCH', open, {is_archived: true}, ''],
  ]);
  const {stream} = await server.as(owner).get(secret);
  expect(stream).toMatchObject({invite_only: true, history_public_to_subscribers: false});
  server.people.setting('can_create_public_channel_group', SystemGroup.administrators);
  server.people.setting('can_set_topics_policy_group', SystemGroup.nobody);
  await checkRows(server, [
    [meg, 'PATCH', open, {is_private: false}, 'Insufficient permission'],
    [meg, 'PATCH', open, {is_web_public: false}, ''],
    [meg, 'PATCH', open, {topics_policy: 'allow_empty_topic'}, 'Insufficient permission'],
    [admin, 'PATCH', open, {topics_policy: 'allow_empty_topic'}, ''],
    [meg, 'PATCH', open, {topics_policy: 'allow_empty_topic'}, 'Insufficient permission'],
    [meg, 'PATCH', open, {topics_policy: 'inherit'}, ''],
    [meg, 'PATCH', open, {default_push_notifications: true}, 'Must be an organization administrator'],
    [admin, 'PATCH', open, {default_push_notifications: true}, ''],
    [admin, 'POST', subscriptionsPath, {...named, folder_id: null}, 'folder_id is not an integer'],
    [
      owner,
      'POST',
      subscriptionsPath,
      {...named, message_retention_days: '"forever"'},
      "Bad value for 'message_retention_days': forever",
    ],
  ]);
});

test('channel rules: a permission that does not change is not checked, except those about deletion, and sets are checked member by member', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const permissions = {can_administer_channel_group: members};
  const secret = `/streams/${server.people.channel('secret', [], {invite_only: 1, permissions})}`;
  const set = (direct_members: number[], direct_subgroups: number[]) => ({new: {direct_members, direct_subgroups}});
  await checkRows(server, [
    [meg, 'PATCH', secret, {can_subscribe_group: {new: SystemGroup.nobody}}, ''],
    [meg, 'PATCH', secret, {can_subscribe_group: {new: members}}, 'Channel content access is required.'],
    [meg, 'PATCH', secret, {can_delete_own_message_group: {new: SystemGroup.nobody}}, 'Insufficient permission'],
    [meg, 'PATCH', secret, {can_delete_own_message_group: {new: members}}, 'Insufficient permission'],
    [admin, 'PATCH', secret, {can_send_message_group: set([9999], [8888])}, 'Invalid user ID: 9999'],
    [admin, 'PATCH', secret, {can_send_message_group: set([admin.id], [8888])}, 'Invalid user group ID: 8888'],
    [admin, 'PATCH', secret, {can_send_message_group: set([], [8888])}, 'Invalid user group'],
  ]);
});

test('channel rules: who may create, add and remove, and which error comes first', async () => {
  const server = await testServer();
  const [admin, meg, bo, gus] = [
    server.people.admin(),
    server.people.member(),
    server.people.member('Bo'),
    server.people.guest(),
  ];
  const permissions = {can_administer_channel_group: {direct_members: [bo.id], direct_subgroups: []}};
  server.people.channel('open', [gus], {permissions});
  server.people.channel('gone', [], {is_archived: 1});
  server.people.channel('secret', [], {invite_only: 1});
  server.people.setting('can_add_subscribers_group', SystemGroup.nobody);
  const add = (...names: string[]) => ({subscriptions: subscriptions(...names), principals: [gus.id]});
  const remove = (...names: string[]) => ({subscriptions: names, principals: [gus.id]});
  const nobody = {principals: [9999]};
  const denied = 'Insufficient permission';
  await checkRows(server, [
    [meg, 'POST', subscriptionsPath, add('new'), ''],
    [
      meg,
      'POST',
      subscriptionsPath,
      {...add('newer'), invite_only: true, can_create_topic_group: members},
      unsupported,
    ],
    [meg, 'POST', subscriptionsPath, {...add('newer'), can_delete_own_message_group: SystemGroup.nobody}, ''],
    [meg, 'POST', subscriptionsPath, {...add('open'), ...nobody}, denied],
    [meg, 'POST', subscriptionsPath, {...add('secret'), ...nobody}, 'Unable to access channel (secret).'],
    [meg, 'POST', subscriptionsPath, {subscriptions: subscriptions('open'), principals: [meg.email]}, denied],
    [bo, 'POST', subscriptionsPath, {...add('open'), ...nobody}, 'No such user'],
    [bo, 'POST', subscriptionsPath, add('open'), ''],
    [admin, 'POST', subscriptionsPath, add('gone'), ''],
    [meg, 'DELETE', subscriptionsPath, remove('open', 'nowhere'), denied],
    [meg, 'DELETE', subscriptionsPath, remove('nowhere', ' never '), 'Channel(s) (nowhere, never) do not exist'],
    [bo, 'DELETE', subscriptionsPath, remove(''), "Channel name can't be empty."],
    [bo, 'DELETE', subscriptionsPath, remove('open'), ''],
  ]);
  await server.as(meg).post(subscriptionsPath, {subscriptions: subscriptions('Twice', 'TWICE')});
  const both = {subscriptions: ['twice', 'open'], principals: [bo.id, meg.id]};
  expect(await server.as(admin).delete(subscriptionsPath, both)).toMatchObject({
    removed: ['Twice'],
    not_removed: ['Twice', 'open', 'open'],
  });
});

test('channel rules: several channels of one request share their events and notices', async () => {
  const server = await testServer();
  const [admin, bo, cy, gus] = [
    server.people.admin(),
    server.people.member('Bo'),
    server.people.member('Cy'),
    server.people.guest(),
  ];
  const zoo = server.people.channel('zoo', [admin]);
  const art = server.people.channel('art', [admin]);
  const mixed = server.people.channel('mixed', [admin, gus]);
  const secret = server.people.channel('secret', [admin], {invite_only: 1});
  const listeners = await Promise.all([bo, cy].map((person) => server.as(person).listen()));
  const ids = {principals: [bo.id]};
  await server
    .as(admin)
    .post(subscriptionsPath, {subscriptions: subscriptions('zoo', 'art', 'mixed', 'secret'), ...ids});
  const [own, others] = await Promise.all(listeners.map((each) => each.events()));
  expect(own).toMatchObject([
    {type: 'stream', op: 'create', streams: [{stream_id: secret}]},
    {type: 'subscription', op: 'add', subscriptions: [{name: 'zoo'}, {name: 'art'}, {name: 'mixed'}, {name: 'secret'}]},
    {type: 'message', message: {content: expect.stringMatching(/following channels.*art.*mixed.*secret.*zoo/s)}},
  ]);
  const peers = [
    {op: 'peer_add', stream_ids: [mixed], user_ids: [bo.id]},
    {op: 'peer_add', stream_ids: [zoo, art], user_ids: [bo.id]},
  ];
  expect(others).toMatchObject(peers);
  await server.as(admin).delete(subscriptionsPath, {subscriptions: ['zoo', 'art', 'secret'], ...ids});
  expect(await listeners[0]?.events()).toMatchObject([
    {op: 'remove', subscriptions: [{name: 'zoo'}, {name: 'art'}, {name: 'secret'}]},
    {type: 'stream', op: 'delete', stream_ids: [secret]},
  ]);
  expect(await listeners[1]?.events()).toMatchObject([{op: 'peer_remove', stream_ids: [zoo, art]}]);
});

test('channel rules: default channels, archived channels, folders and settings of a subscription', async () => {
  const server = await testServer();
  const [owner, admin, meg] = [server.people.owner(), server.people.admin(), server.people.member()];
  const talk = server.people.channel('talk', [meg]);
  const gone = server.people.channel('gone', [meg], {is_archived: 1});
  const secret = server.people.channel('secret', [owner], {invite_only: 1});
  const empty = server.people.channel('empty', [], {invite_only: 1, is_archived: 1});
  const listener = await server.as(meg).listen();
  const setting = (channel: number) => `${subscriptionsPath}/${channel}`;
  const properties = `${subscriptionsPath}/properties`;
  const color = (value: unknown) => ({subscription_data: [{stream_id: 9999, property: 'color', value}]});
  const notColor = 'color is not a valid hex color code';
  await checkRows(server, [
    [admin, 'POST', '/default_streams', {stream_id: secret}, 'Invalid channel ID'],
    [owner, 'POST', '/default_streams', {stream_id: secret}, 'Private channels cannot be made default.'],
    [admin, 'POST', '/default_streams', {stream_id: gone}, 'Invalid channel ID'],
    [admin, 'DELETE', '/default_streams', {stream_id: gone}, 'Invalid channel ID'],
    [admin, 'DELETE', '/default_streams', {stream_id: talk}, ''],
    [admin, 'PATCH', `/streams/${empty}`, {is_archived: false}, 'Channel is private and have no subscribers'],
    [meg, 'PATCH', setting(gone), {property: 'pin_to_top', value: true}, 'Invalid channel ID'],
    [meg, 'PATCH', setting(9999), {property: 'pin_to_top', value: 'x'}, 'pin_to_top is not a boolean'],
    [meg, 'POST', properties, color('red'), `Invalid subscription_data[0]: Value error, ${notColor}`],
    [
      meg,
      'POST',
      subscriptionsPath,
      {
        subscriptions: [
          {name: 'a', color: null},
          {name: 'b', color: 'red'},
        ],
      },
      `Invalid subscriptions[1]: Value error, add.${notColor}`,
    ],
    [
      meg,
      'PATCH',
      subscriptionsPath,
      {add: [{name: 'b', color: 'red'}]},
      `Invalid add[0]: Value error, add.${notColor}`,
    ],
    [
      admin,
      'POST',
      '/channel_folders/create',
      {name: 'x'.repeat(61), description: ''},
      'name is too long (limit: 60 characters)',
    ],
    [
      admin,
      'POST',
      '/channel_folders/create',
      {name: 'a\tb', description: ''},
      'Invalid character in channel folder name, at position 2.',
    ],
    [owner, 'PATCH', '/realm', {moderation_request_channel_id: secret}, ''],
    [owner, 'PATCH', `/streams/${secret}`, {is_private: false}, 'Moderation request channel must be private.'],
    [owner, 'DELETE', `/streams/${secret}`, {}, ''],
  ]);
  expect(await listener.events()).toMatchObject([
    {type: 'default_streams', default_streams: []},
    {type: 'realm', property: 'moderation_request_channel_id', value: secret},
    {type: 'realm', op: 'update_dict', data: {moderation_request_channel_id: -1}},
  ]);
});

test('channel rules: who may write and type in a channel', async () => {
  const server = await testServer();
  const [admin, meg, gus] = [server.people.admin(), server.people.member(), server.people.guest()];
  const bot = server.people.bot('Robbie', meg);
  const open = server.people.channel('open', [], {is_web_public: 1});
  const gone = server.people.channel('gone', [meg], {is_archived: 1});
  const subscribers = {direct_members: [meg.id], direct_subgroups: []};
  const invite_only = 1;
  const shared = server.people.channel('shared', [], {
    invite_only,
    history_public_to_subscribers: 1,
    permissions: {can_subscribe_group: subscribers},
  });
  const hidden = server.people.channel('hidden', [], {
    invite_only,
    history_public_to_subscribers: 0,
    permissions: {can_subscribe_group: subscribers},
  });
  const strict = server.people.channel('strict', [], {
    invite_only,
    permissions: {can_send_message_group: SystemGroup.administrators},
  });
  const topics = server.people.channel('topics', [], {permissions: {can_create_topic_group: subscribers}});
  const message = (to: number) => ({type: 'channel', to, topic: 't', content: 'hi'});
  const typing = (stream_id: number) => ({type: 'channel', op: 'start', stream_id, topic: 't'});
  const off = 'User has disabled typing notifications for';
  await checkRows(server, [
    [gus, 'POST', '/messages', message(open), ''],
    [meg, 'POST', '/messages', message(shared), ''],
    [meg, 'POST', '/messages', message(hidden), "Not authorized to send to channel 'hidden'"],
    [meg, 'POST', '/messages', message(strict), `Channel with ID '${strict}' does not exist`],
    [bot, 'POST', '/messages', message(topics), ''],
    [admin, 'POST', '/typing', typing(hidden), 'Invalid channel ID'],
    [meg, 'POST', '/typing', typing(gone), 'Invalid channel ID'],
    [meg, 'POST', '/typing', typing(open), ''],
    [meg, 'POST', '/typing', {op: 'start', to: null}, "Missing 'to' argument"],
    [
      meg,
      'PATCH',
      '/settings',
      {send_stream_typing_notifications: false, send_private_typing_notifications: false},
      '',
    ],
    [meg, 'POST', '/typing', typing(9999), `${off} channel messages`],
    [meg, 'POST', '/typing', {op: 'start', to: []}, "Empty 'to' list"],
    [meg, 'POST', '/typing', {op: 'start', to: [9999]}, `${off} direct messages`],
  ]);
});

test('channel rules: topics are marked read and muted only where the user has them', async () => {
  const server = await testServer();
  const [admin, meg, bo] = [server.people.admin(), server.people.member(), server.people.member('Bo')];
  const talk = server.people.channel('talk', [meg]);
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  sendChannelMessage(server, meg, talk, 'old');
  const read = (stream_id: number, topic_name: string) => ({stream_id, topic_name});
  const mute = {topic: 'old', op: 'remove'};
  const muting = '/users/me/subscriptions/muted_topics';
  const both = 'Unsupported parameter combination: stream_id, stream';
  await checkRows(server, [
    [meg, 'POST', '/mark_topic_as_read', read(talk, 'OLD'), ''],
    [bo, 'POST', '/mark_topic_as_read', read(talk, 'old'), "No such topic 'old'"],
    [bo, 'POST', '/mark_stream_as_read', {stream_id: talk}, ''],
    [admin, 'POST', '/mark_stream_as_read', {stream_id: secret}, 'Invalid channel ID'],
    [admin, 'POST', '/mark_topic_as_read', read(secret, 'old'), 'Invalid channel ID'],
    [meg, 'PATCH', muting, {...mute, stream_id: talk, stream: 'talk'}, both],
    [meg, 'PATCH', muting, {...mute, stream_id: 9999}, 'Topic is not muted'],
    [meg, 'PATCH', muting, {...mute, op: 'add', stream_id: 9999}, 'Invalid channel ID'],
  ]);
});

test('channel rules: a new role shows or hides all channels with one event', async () => {
  const server = await testServer();
  const [owner, meg] = [server.people.owner(), server.people.member()];
  const one = server.people.channel('one', [owner], {invite_only: 1});
  const two = server.people.channel('two', [], {invite_only: 1});
  const gone = server.people.channel('gone', [meg], {is_archived: 1});
  const listener = await server.as(meg).listen({event_types: ['stream', 'subscription']});
  await server.as(owner).patch(`/users/${meg.id}`, {role: 200});
  expect(await listener.events()).toMatchObject([
    {type: 'stream', op: 'create', streams: [{stream_id: one}, {stream_id: two}]},
    {op: 'peer_add', stream_ids: [one], user_ids: [owner.id]},
    {op: 'peer_add', stream_ids: [two], user_ids: []},
  ]);
  await server.as(owner).patch(`/users/${meg.id}`, {role: 400});
  expect(await listener.events()).toMatchObject([{type: 'stream', op: 'delete', stream_ids: [one, two]}]);
  const email = `/streams/${server.people.channel('talk', [meg])}/email_address`;
  await checkRows(server, [
    [meg, 'GET', email, {}, 'This server receives no e-mail, so its channels have no e-mail addresses.'],
    [meg, 'GET', `/streams/${gone}/email_address`, {}, 'Invalid channel ID'],
    [meg, 'GET', '/get_stream_id', {stream: 'gone'}, "Invalid channel name 'gone'"],
  ]);
});

test('channel rules: a new role hides archived private channels from clients that have them', async () => {
  const server = await testServer();
  const [owner, meg] = [server.people.owner(), server.people.admin('Meg')];
  const one = server.people.channel('one', [owner], {invite_only: 1});
  const gone = server.people.channel('gone', [owner], {invite_only: 1, is_archived: 1});
  const listen = (archived_channels: boolean) =>
    server
      .as(meg)
      .listen({event_types: ['stream'], client_capabilities: {notification_settings_null: true, archived_channels}});
  const [newer, older] = [await listen(true), await listen(false)];
  await server.as(owner).patch(`/users/${meg.id}`, {role: 400});
  expect(await newer.events()).toMatchObject([{op: 'delete', stream_ids: [one, gone]}]);
  expect(await older.events()).toMatchObject([{op: 'delete', stream_ids: [one]}]);
});

import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';
import {sendChannelMessage} from './send-channel-message.ts';

const refused = {code: 'BAD_REQUEST'};
const typesAndOps = (events: Reply[] | undefined) => events?.map((event) => `${event.type} ${event.op}`);

test('update channel: channel administrators change name and description; all users who see the channel get events', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const gus = server.people.guest();
  const channel = server.people.channel('talk', [], {
    permissions: {can_administer_channel_group: {direct_members: [meg.id], direct_subgroups: []}},
  });
  server.people.channel('Taken', []);
  const [theirs, guests] = await Promise.all([bo, gus].map((person) => server.as(person).listen()));
  const path = `/streams/${channel}`;
  await server.as(meg).patch(path, {new_name: 'chatter', description: 'all\n*sorts*'});
  expect(await theirs?.events()).toMatchObject([
    {
      type: 'stream',
      op: 'update',
      stream_id: channel,
      name: 'talk',
      property: 'description',
      value: 'all *sorts*',
      rendered_description: expect.stringContaining('<p>'),
    },
    {type: 'stream', op: 'update', stream_id: channel, name: 'talk', property: 'name', value: 'chatter'},
  ]);
  expect(await guests?.events()).toEqual([]);
  await server.as(meg).patch(path, {new_name: 'Chatter'});
  for (const params of [
    {new_name: 'Chatter'},
    {new_name: ''},
    {new_name: 'x'.repeat(61)},
    {description: 'x'.repeat(1025)},
  ]) {
    await server.as(meg).refused('PATCH', path, params, refused);
  }
  const taken = {code: 'CHANNEL_ALREADY_EXISTS', status: 409};
  await server.as(meg).refused('PATCH', path, {new_name: 'TAKEN'}, taken);
  await server.as(bo).refused('PATCH', path, {new_name: 'mine'}, refused);
  await server.as(gus).refused('PATCH', path, {new_name: 'mine'}, refused);
});

test('update channel: administrators without a subscription can change a private channel but not make it public', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const secret = server.people.channel('secret', [], {invite_only: 1});
  const path = `/streams/${secret}`;
  await server.as(admin).patch(path, {new_name: 'very secret'});
  await server.as(admin).refused('PATCH', path, {is_private: false}, refused);
  await server.as(admin).refused('PATCH', path, {can_subscribe_group: {new: SystemGroup.administrators}}, refused);
});

test('update channel: making a channel private deletes it for others; making it public creates it for them', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const bo = server.people.member('Bo');
  const outsider = server.people.member('Otto Outsider');
  const channel = server.people.channel('talk', [admin, bo]);
  const listeners = await Promise.all([bo, outsider, admin].map((person) => server.as(person).listen()));
  const events = () => Promise.all(listeners.map((each) => each.events()));
  await server.as(admin).patch(`/streams/${channel}`, {is_private: true});
  const update = {
    type: 'stream',
    op: 'update',
    stream_id: channel,
    property: 'invite_only',
    value: true,
    history_public_to_subscribers: false,
    is_web_public: false,
  };
  expect(await events()).toMatchObject([[update], [{type: 'stream', op: 'delete', stream_ids: [channel]}], [update]]);
  await server.as(admin).patch(`/streams/${channel}`, {history_public_to_subscribers: true});
  expect(await events()).toMatchObject([[{history_public_to_subscribers: true, value: true}], [], [{}]]);
  await server.as(admin).patch(`/streams/${channel}`, {is_private: false});
  const opened = {property: 'invite_only', value: false, history_public_to_subscribers: true};
  expect(await events()).toMatchObject([
    [opened],
    [
      {type: 'stream', op: 'create', streams: [{stream_id: channel, invite_only: false, subscriber_count: 2}]},
      {type: 'subscription', op: 'peer_add', stream_ids: [channel], user_ids: [admin.id, bo.id]},
    ],
    [opened],
  ]);
});

test('update channel: invalid or forbidden privacy combinations are refused', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const moderator = server.people.moderator();
  const channel = server.people.channel('talk', [owner, moderator], {
    permissions: {can_administer_channel_group: SystemGroup.moderators},
  });
  const path = `/streams/${channel}`;
  await server.as(owner).refused('PATCH', path, {history_public_to_subscribers: false}, refused);
  await server.as(owner).refused('PATCH', path, {is_web_public: true}, refused);
  server.people.setting('enable_spectator_access', true);
  await server.as(owner).refused('PATCH', path, {is_web_public: true, is_private: true}, refused);
  await server.as(moderator).refused('PATCH', path, {is_web_public: true}, refused);
  await server.as(owner).patch(path, {is_web_public: true});
  server.people.setting('can_create_private_channel_group', SystemGroup.administrators);
  await server.as(moderator).refused('PATCH', path, {is_private: true}, refused);
  await server.as(owner).post('/default_streams', {stream_id: channel});
  await server.as(owner).refused('PATCH', path, {is_private: true}, refused);
  await server.as(owner).patch(path, {is_private: true, is_web_public: false, is_default_stream: false});
  const {stream} = await server.as(owner).get(path);
  expect(stream).toMatchObject({invite_only: true, is_web_public: false});
});

test('update channel: a permission change with a wrong expected old value is refused', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [admin]);
  const path = `/streams/${channel}`;
  const listener = await server.as(meg).listen();
  const set = {direct_members: [meg.id, admin.id], direct_subgroups: []};
  const change = {new: set, old: {direct_members: [], direct_subgroups: [SystemGroup.administrators]}};
  await server.as(admin).patch(path, {can_remove_subscribers_group: change});
  const stored = {direct_members: [admin.id, meg.id], direct_subgroups: []};
  const [event] = await listener.events();
  expect(event).toMatchObject({property: 'can_remove_subscribers_group', value: stored});
  const stale = await server
    .as(admin)
    .refused('PATCH', path, {can_remove_subscribers_group: change}, {code: 'EXPECTATION_MISMATCH'});
  expect(stale.field_name).toBe('old');
  await server.as(admin).patch(path, {can_remove_subscribers_group: {new: set}});
  expect(await listener.events()).toEqual([]);
  await server.as(admin).refused('PATCH', path, {can_remove_subscribers_group: {new: 4242}}, refused);
});

test('update channel: the posting permission is also sent as the legacy stream_post_policy', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const channel = server.people.channel('talk', [admin]);
  const listener = await server.as(admin).listen();
  await server.as(admin).patch(`/streams/${channel}`, {can_send_message_group: {new: SystemGroup.administrators}});
  expect(await listener.events()).toMatchObject([
    {property: 'can_send_message_group', value: SystemGroup.administrators},
    {property: 'stream_post_policy', value: 2},
    {property: 'is_announcement_only', value: true},
  ]);
});

test('update channel: a permission that makes a private channel visible sends it and its subscribers', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const channel = server.people.channel('secret', [admin], {invite_only: 1});
  const listener = await server.as(meg).listen();
  const path = `/streams/${channel}`;
  await server.as(admin).patch(path, {
    can_subscribe_group: {new: {direct_members: [meg.id], direct_subgroups: []}},
  });
  expect(typesAndOps(await listener.events())).toEqual(['stream create', 'subscription peer_add']);
  await server.as(admin).patch(path, {can_subscribe_group: {new: SystemGroup.nobody}});
  expect(typesAndOps(await listener.events())).toEqual(['stream delete']);
});

test('update channel: permissions to delete messages need can_set_delete_message_policy_group', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg], {
    permissions: {can_administer_channel_group: SystemGroup.members},
  });
  const params = {can_delete_own_message_group: {new: SystemGroup.members}};
  await server.as(meg).refused('PATCH', `/streams/${channel}`, params, refused);
  server.people.setting('can_set_delete_message_policy_group', SystemGroup.members);
  await server.as(meg).patch(`/streams/${channel}`, params);
});

test('update channel: the topics policy needs its own permission and messages that comply', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg], {
    permissions: {can_administer_channel_group: SystemGroup.members},
  });
  const path = `/streams/${channel}`;
  const listener = await server.as(meg).listen({event_types: ['stream']});
  sendChannelMessage(server, meg, channel, 'named');
  await server.as(meg).refused('PATCH', path, {topics_policy: 'empty_topic_only'}, refused);
  await server.as(meg).refused('PATCH', path, {topics_policy: 'anything'}, refused);
  await server.as(meg).patch(path, {topics_policy: 'disable_empty_topic'});
  expect((await listener.events()).at(-1)).toMatchObject({
    property: 'topics_policy',
    value: 'disable_empty_topic',
  });
  const plain = server.people.channel('plain', [meg], {
    permissions: {can_administer_channel_group: SystemGroup.members},
  });
  sendChannelMessage(server, meg, plain, '');
  await server.as(meg).patch(`/streams/${plain}`, {topics_policy: 'empty_topic_only'});
  server.people.setting('can_set_topics_policy_group', SystemGroup.administrators);
  await server.as(meg).refused('PATCH', path, {topics_policy: 'allow_empty_topic'}, refused);
  await server.as(meg).patch(path, {topics_policy: 'inherit'});
});

test('update channel: only owners change retention', async () => {
  const server = await testServer();
  const owner = server.people.owner();
  const admin = server.people.admin();
  const channel = server.people.channel('talk', [owner]);
  const path = `/streams/${channel}`;
  const listener = await server.as(owner).listen();
  for (const message_retention_days of [3, '"realm_default"'])
    await server.as(admin).refused('PATCH', path, {message_retention_days}, {code: 'UNAUTHORIZED_PRINCIPAL'});
  for (const message_retention_days of [3, '"unlimited"', '"realm_default"']) {
    await server.as(owner).patch(path, {message_retention_days});
  }
  expect((await listener.events()).map((event) => event.value)).toEqual([3, -1, null]);
  for (const [message_retention_days, code] of [
    [0, 'REQUEST_VARIABLE_INVALID'],
    ['"30"', 'REQUEST_VARIABLE_INVALID'],
    ['never', 'BAD_REQUEST'],
  ]) {
    await server.as(owner).refused('PATCH', path, {message_retention_days}, {code: String(code)});
  }
});

test('update channel: archiving and unarchiving are sent to each client in its supported form', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const bo = server.people.member('Bo');
  const channel = server.people.channel('talk', [bo]);
  await server.as(admin).post('/default_streams', {stream_id: channel});
  const modern = await server.as(bo).listen();
  const old = await server.as(bo).listen({client_capabilities: {...fullClientCapabilities, archived_channels: false}});
  await server.as(bo).refused('DELETE', `/streams/${channel}`, {}, refused);
  await server.as(admin).delete(`/streams/${channel}`);
  const gone = {type: 'default_streams', default_streams: []};
  const update = {type: 'stream', op: 'update', property: 'is_archived'};
  expect(await modern.events()).toMatchObject([gone, {...update, value: true}]);
  expect(await old.events()).toMatchObject([gone, {type: 'stream', op: 'delete', stream_ids: [channel]}]);
  await server.as(admin).refused('DELETE', `/streams/${channel}`, {}, refused);
  await server.as(bo).refused('GET', '/get_stream_id', {stream: 'talk'}, refused);
  const state = await server.as(bo).post('/register', {fetch_event_types: ['subscription']});
  expect(state.subscriptions).toEqual([]);
  await server.as(admin).patch(`/streams/${channel}`, {is_archived: false});
  expect(await modern.events()).toMatchObject([{...update, value: false}]);
  expect(typesAndOps(await old.events())).toEqual(['stream create']);
  await server.as(admin).refused('PATCH', `/streams/${channel}`, {is_archived: false}, refused);
});

test('update channel: an archived private channel becomes active again if somebody is subscribed', async () => {
  const server = await testServer();
  const [admin, bo] = [server.people.admin(), server.people.member('Bo')];
  const options = {invite_only: 1, is_archived: 1};
  const [crew, empty] = [server.people.channel('crew', [bo], options), server.people.channel('empty', [], options)];
  await server.as(admin).patch(`/streams/${crew}`, {is_archived: false});
  await server.as(bo).post('/messages', {type: 'stream', to: 'crew', topic: 't', content: 'hi'});
  await server.as(admin).refused('PATCH', `/streams/${empty}`, {is_archived: false}, refused);
});

test('update channel: no setting of the organization names an archived channel', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const channel = server.people.channel('talk', []);
  const names = ['new_stream_announcements_stream_id', 'signup_announcements_stream_id'];
  for (const name of names) server.people.setting(name, channel);
  await server.as(admin).delete(`/streams/${channel}`);
  const state = await server.as(admin).post('/register', {fetch_event_types: ['realm']});
  expect(names.map((name) => state[`realm_${name}`])).toEqual([-1, -1]);
});

test('update channel: if one change is refused, none is applied', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const channel = server.people.channel('talk', [admin]);
  const listener = await server.as(admin).listen();
  const params = {description: 'new', new_name: ''};
  await server.as(admin).refused('PATCH', `/streams/${channel}`, params, refused);
  expect(await listener.events()).toEqual([]);
  const {stream} = await server.as(admin).get(`/streams/${channel}`);
  expect(stream.description).toBe('');
});

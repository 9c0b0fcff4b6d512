import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import type {ApiClient, Params, Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function channelNames(client: ApiClient, params: Params = {}): Promise<string[]> {
  const {streams} = await client.get('/streams', params);
  return streams.map((channel: Reply) => channel.name);
}

test('channels: the list is the union of the requested sets, limited to visible channels', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const gus = server.people.guest();
  const bot = server.people.bot('Robbie', meg);
  server.people.channel('b open', []);
  server.people.channel('a mine', [meg], {invite_only: 1});
  server.people.channel('secret', [], {invite_only: 1});
  server.people.channel('run by me', [], {
    invite_only: 1,
    permissions: {can_administer_channel_group: {direct_members: [meg.id], direct_subgroups: []}},
  });
  server.people.channel('web', [], {is_web_public: 1});
  server.people.channel('past', [meg], {is_archived: 1});
  const client = server.as(meg);
  expect(await channelNames(client)).toEqual(['a mine', 'b open', 'web']);
  expect(await channelNames(client, {include_public: false})).toEqual(['a mine']);
  expect(await channelNames(client, {include_all: true})).toEqual(['a mine', 'b open', 'run by me', 'web']);
  expect(await channelNames(client, {exclude_archived: false})).toEqual(['a mine', 'b open', 'past', 'web']);
  const content = {include_public: false, include_can_access_content: true};
  expect(await channelNames(client, content)).toEqual(['a mine', 'b open', 'web']);
  const web = {include_public: false, include_subscribed: false, include_web_public: true};
  expect(await channelNames(client, web)).toEqual(['web']);
  expect(await channelNames(server.as(gus))).toEqual([]);
  expect(await channelNames(server.as(gus), {include_web_public: true})).toEqual(['web']);
  const owners = {include_public: false, include_owner_subscribed: true};
  expect(await channelNames(server.as(bot), owners)).toEqual(['a mine']);
  expect(await channelNames(server.as(server.people.admin()), {include_all: true})).toContain('secret');
});

test('channels: is_default is returned on request', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const channel = server.people.channel('talk', []);
  await server.as(admin).post('/default_streams', {stream_id: channel});
  const {streams} = await server.as(admin).get('/streams', {include_default: true});
  expect(streams).toMatchObject([{is_default: true}]);
  expect((await server.as(admin).get('/streams')).streams[0]).not.toHaveProperty('is_default');
});

test('channels: a channel is fetched by id, its id by name, and its subscribers', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const open = server.people.channel('Open House', [bo, meg]);
  const secret = server.people.channel('secret', [bo], {invite_only: 1});
  const past = server.people.channel('past', [bo], {is_archived: 1});
  const client = server.as(meg);
  expect((await client.get(`/streams/${open}`)).stream).toEqual({
    stream_id: open,
    name: 'Open House',
    description: '',
    rendered_description: expect.any(String),
    date_created: expect.any(Number),
    creator_id: null,
    invite_only: false,
    is_web_public: false,
    history_public_to_subscribers: true,
    is_archived: false,
    first_message_id: null,
    folder_id: null,
    message_retention_days: null,
    topics_policy: 'inherit',
    is_recently_active: true,
    stream_weekly_traffic: 0,
    subscriber_count: 2,
    default_push_notifications: false,
    stream_post_policy: 1,
    is_announcement_only: false,
    can_add_subscribers_group: SystemGroup.nobody,
    can_administer_channel_group: SystemGroup.nobody,
    can_create_topic_group: SystemGroup.everyone,
    can_delete_any_message_group: SystemGroup.nobody,
    can_delete_own_message_group: SystemGroup.nobody,
    can_move_messages_out_of_channel_group: SystemGroup.nobody,
    can_move_messages_within_channel_group: SystemGroup.nobody,
    can_remove_subscribers_group: SystemGroup.administrators,
    can_resolve_topics_group: SystemGroup.nobody,
    can_send_message_group: SystemGroup.everyone,
    can_subscribe_group: SystemGroup.nobody,
  });
  expect(await client.get('/get_stream_id', {stream: 'open house'})).toMatchObject({stream_id: open});
  expect(await client.get(`/streams/${open}/members`)).toMatchObject({subscribers: [meg.id, bo.id]});
  expect(await client.get(`/streams/${past}/members`)).toMatchObject({subscribers: [bo.id]});
  const refused = {code: 'BAD_REQUEST'};
  await client.refused('GET', `/streams/${secret}`, {}, refused);
  await client.refused('GET', `/streams/${secret}/members`, {}, refused);
  await client.refused('GET', '/streams/4242', {}, refused);
  await client.refused('GET', '/get_stream_id', {stream: 'secret'}, refused);
});

test('channels: an email address is refused with a sentence, and with another if the channel is unknown', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const open = server.people.channel('Open House', [meg]);
  const secret = server.people.channel('secret', [], {invite_only: 1});
  for (const [id, msg] of [
    [open, 'This server receives no e-mail, so its channels have no e-mail addresses.'],
    [secret, 'Invalid channel ID'],
  ] as const) {
    const {status, body} = await server.as(meg).raw('GET', `/streams/${id}/email_address`);
    expect([status, body]).toMatchObject([400, {code: 'BAD_REQUEST', msg}]);
  }
});

test('channels: a channel is created with exactly the requested subscribers', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const theirs = await server.as(bo).listen();
  const {id} = await server.as(meg).post('/channels/create', {
    name: 'garden',
    description: 'plants',
    subscribers: [bo.id],
    can_send_message_group: SystemGroup.moderators,
  });
  const {stream} = await server.as(meg).get(`/streams/${id}`);
  expect(stream).toMatchObject({
    name: 'garden',
    description: 'plants',
    subscriber_count: 1,
    creator_id: meg.id,
    can_send_message_group: SystemGroup.moderators,
  });
  const events = await theirs.events();
  expect(events.map((event) => event.type)).toEqual(['stream', 'subscription']);
  const again = {name: 'GARDEN', subscribers: [meg.id]};
  const taken = {status: 409, code: 'CHANNEL_ALREADY_EXISTS'};
  expect(await server.as(meg).refused('POST', '/channels/create', again, taken)).toMatchObject({
    channel_name: 'GARDEN',
  });
  const unknown = {name: 'x', subscribers: [4242]};
  await server.as(meg).refused('POST', '/channels/create', unknown, {code: 'BAD_REQUEST'});
  await server.as(meg).refused('POST', '/channels/create', {name: 'x'}, {code: 'REQUEST_VARIABLE_MISSING'});
  await server
    .as(server.people.guest())
    .refused('POST', '/channels/create', {name: 'x', subscribers: []}, {code: 'BAD_REQUEST'});
});

test('channels: the messages of the last week are counted anew each hour; a new channel has no number', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const old = server.people.channel('old', [meg]);
  await server.as(meg).post('/channels/create', {name: 'new', subscribers: [meg.id]});
  const traffic = async () =>
    (await server.as(meg).get('/streams')).streams.map(({stream_weekly_traffic}: Reply) => stream_weekly_traffic);
  expect(await traffic()).toEqual([null, 0]);
  await server.as(meg).post('/messages', {type: 'channel', to: old, topic: 't', content: 'hi'});
  expect(await traffic()).toEqual([null, 0]);
  clock.advance(3_600_000);
  expect(await traffic()).toEqual([null, 1]);
});

test('channels: administrators choose the default channels; guests get no events about them', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const gus = server.people.guest();
  const open = server.people.channel('open', [gus]);
  const secret = server.people.channel('secret', [], {invite_only: 1});
  const [mine, guests] = await Promise.all([meg, gus].map((person) => server.as(person).listen()));
  await server.as(meg).refused('POST', '/default_streams', {stream_id: open}, {code: 'UNAUTHORIZED_PRINCIPAL'});
  await server.as(admin).refused('POST', '/default_streams', {stream_id: secret}, {code: 'BAD_REQUEST'});
  await server.as(admin).post('/default_streams', {stream_id: open});
  await server.as(admin).post('/default_streams', {stream_id: open});
  const fetch = {fetch_event_types: ['default_streams', 'default_stream_groups']};
  expect(await server.as(meg).post('/register', fetch)).toMatchObject({
    realm_default_streams: [open],
    realm_default_stream_groups: [],
  });
  expect(await server.as(gus).post('/register', fetch)).toMatchObject({realm_default_streams: []});
  await server.as(admin).delete('/default_streams', {stream_id: open});
  expect(await mine?.events()).toMatchObject([
    {type: 'default_streams', default_streams: [open]},
    {type: 'default_streams', default_streams: []},
  ]);
  expect(await guests?.events()).toEqual([]);
});

import {expect, test} from 'vitest';
import {unreadSql} from '#server/db/unread-messages.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {sendChannelMessage} from '#test/server/actions/channels/send-channel-message.ts';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';

const path = '/users/me/subscriptions';
const typesAndOps = (events: Reply[]) => events.map((event) => `${event.type} ${event.op}`);

test('unsubscribe: the response lists channels that were left and channels without a subscription', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const left = server.people.channel('left', [meg]);
  server.people.channel('other', []);
  const listener = await server.as(meg).listen();
  const reply = await server.as(meg).delete(path, {subscriptions: ['Left', 'other']});
  expect(reply).toEqual({result: 'success', msg: '', removed: ['left'], not_removed: ['other']});
  expect(await listener.events()).toMatchObject([
    {type: 'subscription', op: 'remove', subscriptions: [{stream_id: left, name: 'left'}]},
  ]);
  const {unsubscribed} = await server.as(meg).post('/register', {fetch_event_types: ['subscription']});
  expect(unsubscribed).toMatchObject([{stream_id: left, subscriber_count: 0}]);
});

test('unsubscribe: the messages that it marks read are sent as read, and a PATCH lists all results', async () => {
  const server = await testServer();
  const [meg, bo] = [server.people.member(), server.people.member('Bo')];
  server.people.channel('left', [meg, bo]);
  server.people.channel('kept', [meg, bo]);
  const {id} = await server.as(bo).post('/messages', {type: 'stream', to: 'left', topic: 't', content: 'one'});
  await server.as(bo).post('/messages', {type: 'stream', to: 'kept', topic: 't', content: 'two'});
  const listener = await server.as(meg).listen();
  expect(await server.as(meg).patch(path, {delete: ['left']})).toMatchObject({
    subscribed: {},
    already_subscribed: {},
    new_subscription_messages_sent: true,
    removed: ['left'],
    not_removed: [],
  });
  expect(await listener.events()).toMatchObject([
    {type: 'subscription', op: 'remove'},
    {type: 'update_message_flags', op: 'add', flag: 'read', messages: [id], all: false},
  ]);
  expect(await server.as(meg).patch(path, {add: [{name: 'left'}]})).toMatchObject({removed: [], not_removed: []});
  const other = await server.as(meg).listen();
  await server.as(meg).delete(path, {subscriptions: ['left']});
  expect(typesAndOps(await other.events())).toEqual(['subscription remove']);
});

test('unsubscribe: the error names a missing or hidden channel', async () => {
  const server = await testServer();
  const meg = server.people.member();
  server.people.channel('hidden', [], {invite_only: 1});
  for (const name of ['hidden', 'nowhere']) {
    const body = await server.as(meg).refused('DELETE', path, {subscriptions: [name]}, {code: 'BAD_REQUEST'});
    expect(body.msg).toContain(name);
  }
});

test('unsubscribe: administrators and users with the channel’s permission remove others; owners remove their bots', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const bot = server.people.bot('Robbie', meg);
  server.people.channel('strict', [meg, bo, bot]);
  server.people.channel('lenient', [meg, bo], {
    permissions: {can_remove_subscribers_group: SystemGroup.members},
  });
  const refused = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('DELETE', path, {subscriptions: ['strict'], principals: [bo.id]}, refused);
  expect(await server.as(meg).delete(path, {subscriptions: ['strict'], principals: [bot.id]})).toMatchObject({
    removed: ['strict'],
  });
  await server.as(meg).delete(path, {subscriptions: ['lenient'], principals: [bo.email]});
  await server.as(server.people.admin()).delete(path, {subscriptions: ['strict'], principals: [bo.id]});
  const unknown = {subscriptions: ['strict'], principals: [123_456]};
  await server.as(meg).refused('DELETE', path, unknown, refused);
});

test('unsubscribe: a removed user gets the private channel deleted; remaining subscribers get the removal', async () => {
  const server = await testServer();
  const [meg, bo, cy] = ['Meg', 'Bo', 'Cy'].map((name) => server.people.member(name));
  if (meg === undefined || bo === undefined || cy === undefined) throw new Error('unreachable');
  const admin = server.people.admin();
  const outsider = server.people.member('Otto Outsider');
  const secret = server.people.channel('secret', [meg, bo, cy], {invite_only: 1});
  const listeners = await Promise.all([bo, meg, admin, outsider].map((person) => server.as(person).listen()));
  await server.as(admin).delete(path, {subscriptions: ['secret'], principals: [bo.id, cy.id]});
  const [theirs, mine, admins, others] = await Promise.all(listeners.map((each) => each.events()));
  expect(typesAndOps(theirs ?? [])).toEqual(['subscription remove', 'stream delete']);
  expect(theirs?.[1]).toMatchObject({stream_ids: [secret]});
  const peers = [{op: 'peer_remove', stream_ids: [secret], user_ids: [bo.id, cy.id]}];
  expect(mine).toMatchObject(peers);
  expect(admins).toMatchObject(peers);
  expect(others).toEqual([]);
});

test('unsubscribe: an administrator removed from a private channel is told of that and of what became read, and cannot read it', async () => {
  const server = await testServer();
  const [admin, owner, bo] = [server.people.admin(), server.people.owner(), server.people.member('Bo')];
  const secret = server.people.channel('secret', [admin, bo], {invite_only: 1});
  sendChannelMessage(server, bo, secret, 't');
  const listener = await server.as(admin).listen();
  await server.as(owner).delete(path, {subscriptions: ['secret'], principals: [admin.id]});
  expect(typesAndOps(await listener.events())).toEqual(['subscription remove', 'update_message_flags add']);
  const page = {anchor: 'newest', num_before: 9, num_after: 0};
  for (const narrow of [[], [{operator: 'channel', operand: secret}]]) {
    expect((await server.as(admin).get('/messages', {...page, narrow})).messages).toEqual([]);
  }
});

test('unsubscribe: users removed from a public channel together get each other’s removal', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const bo = server.people.member('Bo');
  server.people.channel('open', [admin, bo]);
  const listener = await server.as(bo).listen();
  await server.as(admin).delete(path, {subscriptions: ['open'], principals: [admin.id, bo.id]});
  expect(await listener.events()).toMatchObject([{op: 'remove'}, {op: 'peer_remove', user_ids: [admin.id]}]);
});

test('unsubscribe: leaving marks the channel read; subscribing again restores the settings', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const channel = server.people.channel('talk', [meg, bo]);
  const id = sendChannelMessage(server, bo, channel, 't');
  const other = server.people.channel('quiet', [meg, bo]);
  const otherId = sendChannelMessage(server, bo, other, 't');
  const unread = () => server.context.runAction(({db}) => db.pluck(`SELECT id FROM ${unreadSql} ORDER BY id`, meg.id));
  expect(unread()).toEqual([id, otherId]);
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  await server.as(meg).patch(`${path}/${channel}`, {property: 'color', value: '#123456'});
  await server.as(meg).delete(path, {subscriptions: ['talk']});
  expect(unread()).toEqual([otherId]);
  await server.as(meg).post(path, {subscriptions: [{name: 'talk'}]});
  const {subscriptions} = await server.as(meg).get(path);
  expect(subscriptions).toMatchObject([{stream_id: channel, color: '#123456', subscriber_count: 2}, {}]);
  const periods = server.context.db.all(
    'SELECT since_id, until_id FROM subscription_period WHERE user_id = ? AND channel_id = ?',
    meg.id,
    channel,
  );
  expect(periods.map((row) => ({...row}))).toEqual([
    {since_id: 1, until_id: otherId + 1},
    {since_id: otherId + 1, until_id: null},
  ]);
});

test('unsubscribe: leaving and subscribing again between two messages receives both', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  await server.as(meg).delete(path, {subscriptions: ['talk']});
  await server.as(meg).post(path, {subscriptions: [{name: 'talk'}]});
  const periods = server.context.db.all(
    'SELECT until_id FROM subscription_period WHERE user_id = ? AND channel_id = ?',
    meg.id,
    channel,
  );
  expect(periods.map((row) => ({...row}))).toEqual([{until_id: null}]);
});

test('unsubscribe: one request can both subscribe and unsubscribe', async () => {
  const server = await testServer();
  const meg = server.people.member();
  server.people.channel('old', [meg]);
  server.people.channel('new', []);
  const reply = await server.as(meg).patch(path, {add: [{name: 'new'}], delete: ['old']});
  expect(reply).toMatchObject({
    subscribed: {[meg.id]: ['new']},
    already_subscribed: {},
    removed: ['old'],
    not_removed: [],
  });
  await server.as(meg).refused('PATCH', path, {}, {code: 'BAD_REQUEST'});
});

test('unsubscribe: a guest who leaves a public channel no longer sees it', async () => {
  const server = await testServer();
  const gus = server.people.guest();
  const open = server.people.channel('open', [gus]);
  const listener = await server.as(gus).listen();
  await server.as(gus).delete(path, {subscriptions: ['open']});
  expect(typesAndOps(await listener.events())).toEqual(['subscription remove', 'stream delete']);
  await server.as(gus).refused('GET', `/streams/${open}`, {}, {code: 'BAD_REQUEST'});
});

test('unsubscribe: of several private channels, all are deleted for the user, and the messages of all are marked read', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const channels = ['one', 'two', 'three'].map((name) => server.people.channel(name, [meg, otto], {invite_only: 1}));
  const ids: number[] = [];
  for (const to of [...channels, ...channels]) {
    ids.push((await server.as(otto).post('/messages', {type: 'stream', to, topic: 't', content: 'hi'})).id);
  }
  const [one, two, three] = channels;
  const listener = await server.as(meg).listen();
  const reply = await server.as(meg).delete(path, {subscriptions: ['one', 'three']});
  expect(reply).toMatchObject({removed: ['one', 'three'], not_removed: []});
  const read = ids.filter((_, index) => channels[index % 3] !== two);
  expect(await listener.events()).toMatchObject([
    {type: 'subscription', op: 'remove', subscriptions: [{stream_id: one}, {stream_id: three}]},
    {type: 'stream', op: 'delete', stream_ids: [one, three], streams: [{stream_id: one}, {stream_id: three}]},
    {type: 'update_message_flags', op: 'add', flag: 'read', messages: read},
  ]);
});

test('unsubscribe: several users from several channels need the permission of each channel', async () => {
  const server = await testServer();
  const [meg, otto, una] = [server.people.member(), server.people.member('Otto'), server.people.member('Una')];
  const permissions = {can_remove_subscribers_group: {direct_members: [meg.id], direct_subgroups: []}};
  server.people.channel('one', [otto, una], {permissions});
  server.people.channel('two', [otto]);
  server.people.channel('three', [una], {permissions});
  const principals = [otto.id, una.id];
  const both = {subscriptions: ['one', 'two'], principals};
  await server.as(meg).refused('DELETE', path, both, {code: 'BAD_REQUEST'});
  const missing = {subscriptions: ['one', 'nowhere'], principals};
  await server.as(meg).refused('DELETE', path, missing, {code: 'BAD_REQUEST'});
  expect(server.context.db.value('SELECT COUNT(*) FROM subscription WHERE active = 1')).toBe(4);
  expect(await server.as(meg).delete(path, {subscriptions: ['one', 'three'], principals})).toMatchObject({
    removed: ['one', 'one', 'three'],
    not_removed: ['three'],
  });
});

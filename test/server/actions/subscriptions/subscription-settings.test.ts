import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

const path = '/users/me/subscriptions';

test('subscription settings: muting by either property name sends two events', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const channel = server.people.channel('talk', [meg, bo]);
  const mine = await server.as(meg).listen();
  const theirs = await server.as(bo).listen();
  await server.as(meg).patch(`${path}/${channel}`, {property: 'is_muted', value: true});
  const both = [
    {type: 'subscription', op: 'update', stream_id: channel, property: 'in_home_view', value: false},
    {type: 'subscription', op: 'update', stream_id: channel, property: 'is_muted', value: true},
  ];
  expect(await mine.events()).toMatchObject(both);
  await server.as(meg).patch(`${path}/${channel}`, {property: 'in_home_view', value: true});
  expect(await mine.events()).toMatchObject([{value: true}, {value: false}]);
  expect(await theirs.events()).toEqual([]);
});

test.each([
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
])('subscription settings: %s is stored and told to the user’s other clients', async (property) => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  const listener = await server.as(meg).listen();
  await server.as(meg).patch(`${path}/${channel}`, {property, value: true});
  expect(await listener.events()).toMatchObject([{op: 'update', stream_id: channel, property, value: true}]);
  const {subscriptions} = await server.as(meg).get(path);
  expect(subscriptions[0][property]).toBe(true);
});

test('subscription settings: a color can be short or long hex, quoted or not', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  const listener = await server.as(meg).listen();
  for (const value of ['#c2726a', '#0f0', '"#ABCDEF"']) {
    await server.as(meg).patch(`${path}/${channel}`, {property: 'color', value});
  }
  expect((await listener.events()).map((event) => event.value)).toEqual(['#c2726a', '#0f0', '#ABCDEF']);
});

test.each([
  [{property: 'nonsense', value: true}, 'Unknown subscription property: nonsense'],
  [{property: 'pin_to_top', value: 'yes'}, 'pin_to_top is not a boolean'],
  [{property: 'color', value: 'red'}, 'color is not a valid hex color code'],
])('subscription settings: %j is refused', async (change, message) => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  const single = await server.as(meg).refused('PATCH', `${path}/${channel}`, change, {code: 'BAD_REQUEST'});
  expect(single.msg).toBe(message);
  const data = {subscription_data: [{stream_id: channel, ...change}]};
  const bulk = await server.as(meg).refused('POST', `${path}/properties`, data, {code: 'BAD_REQUEST'});
  expect(bulk.msg).toContain(message);
});

test('subscription settings: settings of a channel without a subscription are refused', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', []);
  const change = {property: 'pin_to_top', value: true};
  const refusal = await server.as(meg).refused('PATCH', `${path}/${channel}`, change, {code: 'BAD_REQUEST'});
  expect(refusal.msg).toBe(`Not subscribed to channel ID ${channel}`);
});

test('subscription settings: several settings change all or none', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const [first, second] = ['a', 'b'].map((name) => server.people.channel(name, [meg]));
  const listener = await server.as(meg).listen();
  const good = [
    {stream_id: first, property: 'pin_to_top', value: true},
    {stream_id: second, property: 'color', value: '#aabbcc'},
  ];
  const bad = [...good, {stream_id: second, property: 'is_muted', value: 'no'}];
  await server.as(meg).refused('POST', `${path}/properties`, {subscription_data: bad}, {code: 'BAD_REQUEST'});
  expect(await listener.events()).toEqual([]);
  const reply = await server.as(meg).post(`${path}/properties`, {subscription_data: good});
  expect(reply).toEqual({result: 'success', msg: ''});
  expect(await listener.events()).toMatchObject([
    {stream_id: first, property: 'pin_to_top'},
    {stream_id: second, property: 'color'},
  ]);
});

test('subscription settings: subscriptions of others are visible to users who see the channel', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const open = server.people.channel('open', [bo]);
  const secret = server.people.channel('secret', [bo], {invite_only: 1});
  const client = server.as(meg);
  expect(await client.get(`/users/${bo.id}/subscriptions/${open}`)).toMatchObject({is_subscribed: true});
  expect(await client.get(`/users/${meg.id}/subscriptions/${open}`)).toMatchObject({is_subscribed: false});
  const refused = {code: 'BAD_REQUEST'};
  await client.refused('GET', `/users/${bo.id}/subscriptions/${secret}`, {}, refused);
  await client.refused('GET', `/users/99999/subscriptions/${open}`, {}, refused);
  expect(await client.get(`/users/${bo.id}/channels`)).toMatchObject({subscribed_channel_ids: [open]});
  expect(await server.as(bo).get(`/users/${bo.id}/channels`)).toMatchObject({
    subscribed_channel_ids: [open, secret],
  });
});

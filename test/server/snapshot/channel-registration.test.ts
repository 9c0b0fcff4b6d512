import {expect, test} from 'vitest';
import type {ApiClient, Params, Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';

const channelIds = (channels: Reply[]) => channels.map((channel) => channel.stream_id);

async function register(client: ApiClient, params: Params = {}): Promise<Reply> {
  return client.post('/register', {
    fetch_event_types: ['subscription', 'stream'],
    client_capabilities: fullClientCapabilities,
    ...params,
  });
}

test('registration: channels are sorted into subscribed, formerly subscribed and never subscribed', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const admin = server.people.admin();
  const gus = server.people.guest();
  const open = server.people.channel('open', []);
  const mine = server.people.channel('mine', [meg], {invite_only: 1});
  const former = server.people.channel('former', [meg]);
  const secretFormer = server.people.channel('secret former', [meg], {invite_only: 1});
  const web = server.people.channel('web', [], {is_web_public: 1});
  const past = server.people.channel('past', [meg], {is_archived: 1});
  const names = ['former', 'secret former'];
  await server.as(meg).delete('/users/me/subscriptions', {subscriptions: names});
  const members = await register(server.as(meg));
  expect(channelIds(members.subscriptions)).toEqual([mine, past]);
  expect(channelIds(members.unsubscribed)).toEqual([former]);
  expect(channelIds(members.never_subscribed)).toEqual([open, web]);
  expect(channelIds(members.streams)).toEqual([open, mine, former, web, past]);
  expect(members.subscriptions[0]).not.toHaveProperty('subscribers');
  const admins = await register(server.as(admin));
  expect(channelIds(admins.never_subscribed)).toEqual([open, mine, former, secretFormer, web, past]);
  const guests = await register(server.as(gus));
  expect(channelIds(guests.never_subscribed)).toEqual([web]);
  const old = await register(server.as(meg), {
    client_capabilities: {...fullClientCapabilities, archived_channels: false},
  });
  expect(channelIds(old.subscriptions)).toEqual([mine]);
});

test('registration: inherited notification settings are null, or resolved for clients without null support', async () => {
  const server = await testServer();
  const meg = server.people.add('Meg', {settings: {enable_stream_push_notifications: true}});
  server.people.channel('talk', [meg]);
  const modern = await register(server.as(meg));
  expect(modern.subscriptions).toMatchObject([{push_notifications: null, wildcard_mentions_notify: null}]);
  const old = await register(server.as(meg), {client_capabilities: {notification_settings_null: false}});
  expect(old.subscriptions).toMatchObject([
    {push_notifications: true, email_notifications: false, wildcard_mentions_notify: null},
  ]);
});

test('registration: subscribers are listed fully, or partially for big channels', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bot = server.people.bot('Robbie', meg);
  const crowd = Array.from({length: 250}, (_, index) => server.people.member(`P ${index}`));
  const big = server.people.channel('big', crowd);
  const small = server.people.channel('small', [meg, ...crowd.slice(0, 2)]);
  server.people.subscribe(bot, big);
  const now = Math.floor(server.context.clock.now() / 1000);
  const [first, second] = crowd;
  server.context.db.run(
    'INSERT INTO presence (user_id, active_at, idle_at, update_id) VALUES (?, ?, ?, 1), (?, ?, ?, 2)',
    first?.id ?? 0,
    now,
    now,
    second?.id ?? 0,
    now - 86_400 * 30,
    now - 86_400 * 30,
  );
  const full = await register(server.as(meg), {include_subscribers: 'true'});
  expect(full.subscriptions).toMatchObject([
    {stream_id: small, subscribers: [meg.id, first?.id, second?.id], subscriber_count: 3},
  ]);
  expect(full.never_subscribed[0].subscribers).toHaveLength(251);
  const partial = await register(server.as(meg), {include_subscribers: 'partial'});
  expect(partial.never_subscribed[0]).not.toHaveProperty('subscribers');
  expect(partial.never_subscribed[0].partial_subscribers.toSorted()).toEqual([bot.id, first?.id].toSorted());
  expect(partial.subscriptions[0].subscribers).toHaveLength(3);
  // Who asks is always among them.
  const [, , third, idle] = crowd;
  if (third === undefined || idle === undefined) throw new Error('no crowd');
  // Who is connected is active, too.
  const insert = 'INSERT INTO presence (user_id, active_at, idle_at, update_id) VALUES (?, NULL, ?, 3)';
  server.context.db.run(insert, idle.id, now);
  const own = (await register(server.as(third), {include_subscribers: 'partial'})).subscriptions[0];
  expect(own.partial_subscribers.toSorted()).toEqual([bot.id, first?.id, third.id, idle.id].toSorted());
});

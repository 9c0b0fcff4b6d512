import type {Person} from '#test/support/people.ts';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, since, test, testWhere} from './contract-fixture.ts';

test('events match a new registration: creating a public channel for oneself and others', async () => {
  const {server, owner, meg, guest, nameOf, expectConsistent} = await contractFixture();
  const params = {subscriptions: [{name: nameOf('new')}], principals: [meg.id, guest.id]};
  await expectConsistent(() => server.as(owner).post('/users/me/subscriptions', params));
});

test('events match a new registration: creating a private channel', async () => {
  const {server, owner, meg, nameOf, expectConsistent} = await contractFixture();
  const params = {subscriptions: [{name: nameOf('hidden')}], principals: [owner.id, meg.id], invite_only: true};
  await expectConsistent(() => server.as(owner).post('/users/me/subscriptions', params));
});

since(levels.createChannel)(
  'events match a new registration: creating a channel with POST /channels/create',
  async () => {
    const {server, owner, meg, nameOf, expectConsistent} = await contractFixture();
    await expectConsistent(() =>
      server.as(owner).post('/channels/create', {name: nameOf('made'), subscribers: [owner.id, meg.id]}),
    );
  },
);

test('events match a new registration: subscribing, unsubscribing and subscribing again', async () => {
  const {server, outsider, nameOf, send, owner, expectConsistent} = await contractFixture();
  const client = server.as(outsider);
  const name = nameOf('general');
  const subscribe = () => client.post('/users/me/subscriptions', {subscriptions: [{name}]});
  await send(owner, 'history');
  await expectConsistent(subscribe, outsider);
  await send(owner, 'unread');
  await expectConsistent(() => client.delete('/users/me/subscriptions', {subscriptions: [name]}), outsider);
  await send(owner, 'missed');
  await expectConsistent(subscribe, outsider);
});

test('events match a new registration: subscribing and unsubscribing in one request', async () => {
  const {server, meg, nameOf, channel, send, owner, expectConsistent} = await contractFixture();
  await channel('other', [owner]);
  await send(owner, 'unread');
  const params = {add: [{name: nameOf('other')}], delete: [nameOf('general')]};
  await expectConsistent(() => server.as(meg).patch('/users/me/subscriptions', params));
});

test('events match a new registration: adding a user to a private channel and removing them', async () => {
  const {server, owner, guest, secret, nameOf, send, expectConsistent} = await contractFixture();
  const principals = [guest.id];
  await expectConsistent(
    () => server.as(owner).post('/users/me/subscriptions', {subscriptions: [{name: nameOf('secret')}], principals}),
    guest,
  );
  const id = await send(owner, 'unread', 'plans', secret);
  await server.as(guest).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  await expectConsistent(
    () => server.as(owner).delete('/users/me/subscriptions', {subscriptions: [nameOf('secret')], principals}),
    guest,
  );
});

test('events match a new registration: a channel that was lost and is seen again has the user’s former settings', async () => {
  const {server, owner, meg, secret, nameOf, expectConsistent} = await contractFixture();
  const subscription_data = [{stream_id: secret, property: 'color', value: '#123456'}];
  await server.as(meg).post('/users/me/subscriptions/properties', {subscription_data});
  await expectConsistent(async () => {
    const params = {subscriptions: [nameOf('secret')], principals: [meg.id]};
    await server.as(owner).delete('/users/me/subscriptions', params);
    await server.as(owner).patch(`/streams/${secret}`, {is_private: false});
  });
});

const subscriptionSettings = [
  ['color', '#123456'],
  ['is_muted', true],
  ['in_home_view', true],
  ['pin_to_top', true],
  ['desktop_notifications', true],
  ['audible_notifications', false],
  ['push_notifications', true],
  ['email_notifications', true],
  ['wildcard_mentions_notify', false],
] as const;

test('events match a new registration: changing a subscription setting', async () => {
  const {server, meg, general, expectConsistent} = await contractFixture();
  for (const [property, value] of subscriptionSettings) {
    const change = () => server.as(meg).patch(`/users/me/subscriptions/${general}`, {property, value});
    await expectConsistent(change, meg, property);
  }
});

test('events match a new registration: changing several subscription settings', async () => {
  const {server, meg, general, secret, expectConsistent} = await contractFixture();
  const subscription_data = [
    {stream_id: general, property: 'is_muted', value: true},
    {stream_id: secret, property: 'color', value: '#abcdef'},
  ];
  await expectConsistent(() => server.as(meg).post('/users/me/subscriptions/properties', {subscription_data}));
});

/** Values of permission settings: one system group, and two of them. */
const moderators = ['role:moderators'];
const moderatorsAndMembers = ['role:moderators', 'role:members'];
const channelSettings = [
  ['description', 'What **this** is about'],
  ['default_push_notifications', true],
  ['can_add_subscribers_group', moderatorsAndMembers],
  ['can_remove_subscribers_group', moderators],
  ['can_administer_channel_group', moderatorsAndMembers],
  ['can_send_message_group', moderators],
  ['can_subscribe_group', moderatorsAndMembers],
  ['can_move_messages_out_of_channel_group', moderatorsAndMembers],
  ['can_move_messages_within_channel_group', moderatorsAndMembers],
  ['can_resolve_topics_group', moderatorsAndMembers],
  ['can_delete_any_message_group', moderatorsAndMembers],
  ['can_delete_own_message_group', moderatorsAndMembers],
  ['can_create_topic_group', moderators],
] as const;

test('events match a new registration: changing a channel setting', async () => {
  const {server, owner, meg, general, nameOf, systemGroup, expectConsistent} = await contractFixture();
  const set = (name: string, value: unknown) =>
    expectConsistent(() => server.as(owner).patch(`/streams/${general}`, {[name]: value}), meg, name);
  await set('new_name', nameOf('renamed'));
  for (const [name, value] of channelSettings) {
    if (server.context.level < endpoints.updateChannel.params[name].since) continue;
    if (!Array.isArray(value)) await set(name, value);
    else {
      const ids = await Promise.all(value.map(systemGroup));
      await set(name, {new: ids.length === 1 ? ids[0] : {direct_members: [], direct_subgroups: ids}});
    }
  }
});

test('events match a new registration: changing a channel setting that only administrators may change', async () => {
  const {server, admin, meg, general, expectConsistent} = await contractFixture();
  for (const params of [
    {message_retention_days: 30},
    {is_default_stream: true},
    {topics_policy: 'disable_empty_topic'},
  ]) {
    const [name] = Object.keys(params) as (keyof typeof endpoints.updateChannel.params)[];
    if (name === undefined || server.context.level < endpoints.updateChannel.params[name].since) continue;
    await expectConsistent(() => server.as(admin).patch(`/streams/${general}`, params), meg, JSON.stringify(params));
  }
});

test('events match a new registration: making a public channel private', async () => {
  const {server, owner, general, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).patch(`/streams/${general}`, {is_private: true}));
});

test('events match a new registration: making a public channel web-public', async () => {
  const {server, owner, general, expectConsistent} = await contractFixture();
  server.people.setting('enable_spectator_access', true);
  await expectConsistent(() => server.as(owner).patch(`/streams/${general}`, {is_web_public: true}));
});

test('events match a new registration: making a private channel public', async () => {
  const {server, owner, secret, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(owner).patch(`/streams/${secret}`, {is_private: false}));
});

test('events match a new registration: sharing the history of a private channel with new subscribers', async () => {
  const {server, owner, secret, expectConsistent} = await contractFixture();
  const params = {is_private: true, history_public_to_subscribers: true};
  await expectConsistent(() => server.as(owner).patch(`/streams/${secret}`, params));
});

// From 315 to 377 a registration lists archived channels, but archiving sends a delete event: clients see the channel
// again only after the next registration.
const hasArchiveEvents = (level: number) => level < levels.archivedChannels || level >= levels.archiveEvents;

testWhere(hasArchiveEvents)('events match a new registration: archiving a channel', async () => {
  const {server, owner, meg, general, send, expectConsistent} = await contractFixture();
  await send(owner, 'unread');
  const policy = (person: Person, topic: string, visibility_policy: number) =>
    server.as(person).post('/user_topics', {stream_id: general, topic, visibility_policy});
  // Older servers send the event of a channel that the user lost, so the client keeps its policies until it registers again.
  if (levelUnderTest() >= levels.archiveEvents) await policy(meg, 'Talk', 1);
  else if (levelUnderTest() >= levels.setUserTopic) await policy(owner, 'talk', 0);
  await expectConsistent(() => server.as(owner).delete(`/streams/${general}`));
});

since(levels.unarchive)('events match a new registration: unarchiving a channel', async () => {
  const {server, owner, general, send, expectConsistent} = await contractFixture();
  await send(owner, 'unread');
  // No event has the policies of a channel that is unarchived: a session registers again for them.
  await server.as(owner).post('/user_topics', {stream_id: general, topic: 'talk', visibility_policy: 0});
  await server.as(owner).delete(`/streams/${general}`);
  await expectConsistent(() => server.as(owner).patch(`/streams/${general}`, {is_archived: false}));
});

since(levels.setUserTopic)('events match a new registration: setting topic policies', async () => {
  const {server, meg, general, expectConsistent} = await contractFixture();
  const policies = levelUnderTest() >= levels.followed ? [1, 2, 3, 0] : [1, 2, 0];
  for (const visibility_policy of policies) {
    const params = {stream_id: general, topic: 'Talk', visibility_policy};
    await expectConsistent(() => server.as(meg).post('/user_topics', params));
  }
});

since(levels.setUserTopic)('events match a new registration: a topic policy set under another spelling', async () => {
  const {server, meg, general, expectConsistent} = await contractFixture();
  const params = {stream_id: general, topic: 'Talk', visibility_policy: 1};
  await server.as(meg).post('/user_topics', params);
  await expectConsistent(() => server.as(meg).post('/user_topics', {...params, topic: 'TALK', visibility_policy: 2}));
});

test('events match a new registration: muting and unmuting a topic', async () => {
  const {server, meg, general, expectConsistent} = await contractFixture();
  for (const op of ['add', 'remove']) {
    const params = {stream_id: general, topic: 'old way', op};
    await expectConsistent(() => server.as(meg).patch('/users/me/subscriptions/muted_topics', params));
  }
});

since(levels.channelFolders)(
  'events match a new registration: creating, changing and archiving channel folders',
  async () => {
    const {server, admin, general, nameOf, expectConsistent} = await contractFixture();
    const client = server.as(admin);
    await expectConsistent(() => client.post('/channel_folders/create', {name: nameOf('1'), description: ''}));
    await expectConsistent(() => client.post('/channel_folders/create', {name: nameOf('2'), description: 'second'}));
    const {channel_folders} = await client.get('/channel_folders');
    const ids: number[] = channel_folders.slice(-2).map((folder: {id: number}) => folder.id);
    await expectConsistent(() =>
      client.patch(`/channel_folders/${ids[0]}`, {name: nameOf('3'), description: '*described*'}),
    );
    const others: number[] = channel_folders.slice(0, -2).map((folder: {id: number}) => folder.id);
    const order = [...others, ...ids.toReversed()];
    await expectConsistent(() => client.patch('/channel_folders', {order}));
    await expectConsistent(() => client.patch(`/streams/${general}`, {folder_id: ids[0]}));
    await expectConsistent(() => client.patch(`/channel_folders/${ids[1]}`, {is_archived: true}));
  },
);

test('events match a new registration: adding and removing a default channel', async () => {
  const {server, admin, general, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(admin).post('/default_streams', {stream_id: general}));
  await expectConsistent(() => server.as(admin).delete('/default_streams', {stream_id: general}));
});

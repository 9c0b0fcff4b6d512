import {test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, since} from './contract-fixture.ts';

test('creating a public channel for oneself and others', async () => {
  const {server, owner, meg, guest, expectConsistent: watch} = await contractFixture();
  const principals = [meg.id, guest.id];
  await watch(() =>
    server.as(owner).post('/users/me/subscriptions', {subscriptions: [{name: 'new'}], principals}),
  );
});

test('creating a private channel', async () => {
  const {server, owner, meg, expectConsistent: watch} = await contractFixture();
  const params = {subscriptions: [{name: 'hidden'}], principals: [owner.id, meg.id], invite_only: true};
  await watch(() => server.as(owner).post('/users/me/subscriptions', params));
});

since(levels.createChannel)('creating a channel with POST /channels/create', async () => {
  const {server, owner, meg, expectConsistent: watch} = await contractFixture();
  await watch(() =>
    server.as(owner).post('/channels/create', {name: 'made', subscribers: [owner.id, meg.id]}),
  );
});

test('subscribing, unsubscribing and subscribing again', async () => {
  const {server, outsider, send: say, owner, expectConsistent: watch} = await contractFixture();
  const client = server.as(outsider);
  const subscribe = () => client.post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]});
  await say(owner, 'history');
  await watch(subscribe, outsider);
  await say(owner, 'unread');
  await watch(() => client.delete('/users/me/subscriptions', {subscriptions: ['general']}), outsider);
  await say(owner, 'missed');
  await watch(subscribe, outsider);
});

test('subscribing to one and unsubscribing from another at once', async () => {
  const {server, meg, send: say, owner, expectConsistent: watch} = await contractFixture();
  server.people.channel('other', [owner]);
  await say(owner, 'unread');
  const params = {add: [{name: 'other'}], delete: ['general']};
  await watch(() => server.as(meg).patch('/users/me/subscriptions', params));
});

test('adding to and removing from a private channel', async () => {
  const {server, owner, guest, secret, send: say, expectConsistent: watch} = await contractFixture();
  const principals = [guest.id];
  await watch(
    () => server.as(owner).post('/users/me/subscriptions', {subscriptions: [{name: 'secret'}], principals}),
    guest,
  );
  const id = await say(owner, 'unread', 'plans', secret);
  await server.as(guest).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  await watch(
    () => server.as(owner).delete('/users/me/subscriptions', {subscriptions: ['secret'], principals}),
    guest,
  );
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

test('changing a subscription setting', async () => {
  const {server, meg, general, expectConsistent: watch} = await contractFixture();
  for (const [property, value] of subscriptionSettings) {
    const change = () => server.as(meg).patch(`/users/me/subscriptions/${general}`, {property, value});
    await watch(change, meg, property);
  }
});

test('changing several subscription settings', async () => {
  const {server, meg, general, secret, expectConsistent: watch} = await contractFixture();
  const subscription_data = [
    {stream_id: general, property: 'is_muted', value: true},
    {stream_id: secret, property: 'color', value: '#abcdef'},
  ];
  await watch(() => server.as(meg).post('/users/me/subscriptions/properties', {subscription_data}));
});

const somebody = {new: {direct_members: [], direct_subgroups: [5, 6]}};
const channelSettings = [
  ['new_name', 'renamed'],
  ['description', 'What **this** is about'],
  ['message_retention_days', 30],
  ['topics_policy', 'disable_empty_topic'],
  ['is_default_stream', true],
  ['default_push_notifications', true],
  ['can_add_subscribers_group', somebody],
  ['can_remove_subscribers_group', {new: 5}],
  ['can_administer_channel_group', somebody],
  ['can_send_message_group', {new: 6}],
  ['can_subscribe_group', somebody],
  ['can_move_messages_out_of_channel_group', somebody],
  ['can_move_messages_within_channel_group', somebody],
  ['can_resolve_topics_group', somebody],
  ['can_delete_any_message_group', somebody],
  ['can_delete_own_message_group', somebody],
  ['can_create_topic_group', {new: 6}],
] as const;

test('changing a channel setting', async () => {
  const {server, owner, meg, general, expectConsistent: watch} = await contractFixture();
  for (const [name, value] of channelSettings) {
    if (server.world.level < endpoints.updateChannel.params[name].since) continue;
    await watch(() => server.as(owner).patch(`/streams/${general}`, {[name]: value}), meg, name);
  }
});

test('making a public channel private', async () => {
  const {server, owner, general, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).patch(`/streams/${general}`, {is_private: true}));
});

test('opening a public channel to the world', async () => {
  const {server, owner, general, expectConsistent: watch} = await contractFixture();
  server.people.setting('enable_spectator_access', true);
  await watch(() => server.as(owner).patch(`/streams/${general}`, {is_web_public: true}));
});

test('opening a private channel to everybody', async () => {
  const {server, owner, secret, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).patch(`/streams/${secret}`, {is_private: false}));
});

test('opening the history of a private channel to those who come later', async () => {
  const {server, owner, secret, expectConsistent: watch} = await contractFixture();
  const params = {is_private: true, history_public_to_subscribers: true};
  await watch(() => server.as(owner).patch(`/streams/${secret}`, params));
});

// From 315 to 377 a registration lists archived channels, but archiving is told as deletion: they are seen again after
// the next registration.
const isToldAsItIs = levelUnderTest() < levels.archivedChannels || levelUnderTest() >= levels.archiveEvents;

test.skipIf(!isToldAsItIs)('archiving', async () => {
  const {server, owner, general, send: say, expectConsistent: watch} = await contractFixture();
  await say(owner, 'unread');
  await watch(() => server.as(owner).delete(`/streams/${general}`));
});

since(levels.unarchive)('unarchiving', async () => {
  const {server, owner, general, send: say, expectConsistent: watch} = await contractFixture();
  await say(owner, 'unread');
  await server.as(owner).delete(`/streams/${general}`);
  await watch(() => server.as(owner).patch(`/streams/${general}`, {is_archived: false}));
});

since(levels.setUserTopic)('topic policies', async () => {
  const {server, meg, general, expectConsistent: watch} = await contractFixture();
  const policies = levelUnderTest() >= levels.followed ? [1, 2, 3, 0] : [1, 2, 0];
  for (const visibility_policy of policies) {
    const params = {stream_id: general, topic: 'Talk', visibility_policy};
    await watch(() => server.as(meg).post('/user_topics', params));
  }
});

test('muting a topic and no more', async () => {
  const {server, meg, general, expectConsistent: watch} = await contractFixture();
  for (const op of ['add', 'remove']) {
    const params = {stream_id: general, topic: 'old way', op};
    await watch(() => server.as(meg).patch('/users/me/subscriptions/muted_topics', params));
  }
});

since(levels.channelFolders)('folders', async () => {
  const {server, owner, general, expectConsistent: watch} = await contractFixture();
  const client = server.as(owner);
  await watch(() => client.post('/channel_folders/create', {name: 'One', description: ''}));
  await watch(() => client.post('/channel_folders/create', {name: 'Two', description: 'second'}));
  const {channel_folders} = await client.get('/channel_folders');
  const ids: number[] = channel_folders.map((folder: {id: number}) => folder.id);
  await watch(() => client.patch(`/channel_folders/${ids[0]}`, {name: 'First', description: '*described*'}));
  await watch(() => client.patch('/channel_folders', {order: [...ids].reverse()}));
  await watch(() => client.patch(`/streams/${general}`, {folder_id: ids[0]}));
  await watch(() => client.patch(`/channel_folders/${ids[1]}`, {is_archived: true}));
});

test('default channels', async () => {
  const {server, owner, general, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(owner).post('/default_streams', {stream_id: general}));
  await watch(() => server.as(owner).delete('/default_streams', {stream_id: general}));
});

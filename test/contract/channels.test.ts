import {test} from 'vitest';
import {scene} from './scene.ts';

test('creating a public channel for oneself and others', async () => {
  const {server, owner, meg, guest, watch} = await scene();
  const principals = [meg.id, guest.id];
  await watch(() =>
    server.as(owner).post('/users/me/subscriptions', {subscriptions: [{name: 'new'}], principals}),
  );
});

test('creating a private channel', async () => {
  const {server, owner, meg, watch} = await scene();
  const params = {subscriptions: [{name: 'hidden'}], principals: [owner.id, meg.id], invite_only: true};
  await watch(() => server.as(owner).post('/users/me/subscriptions', params));
});

test('creating a channel with POST /channels/create', async () => {
  const {server, owner, meg, watch} = await scene();
  await watch(() =>
    server.as(owner).post('/channels/create', {name: 'made', subscribers: [owner.id, meg.id]}),
  );
});

test('subscribing and unsubscribing oneself', async () => {
  const {server, outsider, say, owner, watch} = await scene();
  const client = server.as(outsider);
  await say(owner, 'history');
  await watch(() => client.post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]}), outsider);
  await say(owner, 'unread');
  await watch(() => client.delete('/users/me/subscriptions', {subscriptions: ['general']}), outsider);
});

test('adding to and removing from a private channel', async () => {
  const {server, owner, guest, watch} = await scene();
  const principals = [guest.id];
  await watch(
    () => server.as(owner).post('/users/me/subscriptions', {subscriptions: [{name: 'secret'}], principals}),
    guest,
  );
  await watch(
    () => server.as(owner).delete('/users/me/subscriptions', {subscriptions: ['secret'], principals}),
    guest,
  );
});

test.each([
  ['color', '#123456'],
  ['is_muted', true],
  ['in_home_view', false],
  ['pin_to_top', true],
  ['desktop_notifications', true],
  ['wildcard_mentions_notify', false],
])('changing the subscription setting %s', async (property, value) => {
  const {server, meg, general, watch} = await scene();
  await watch(() => server.as(meg).patch(`/users/me/subscriptions/${general}`, {property, value}));
});

test.each([
  ['new_name', 'renamed'],
  ['description', 'What **this** is about'],
  ['is_private', true],
  ['message_retention_days', 30],
  ['topics_policy', 'disable_empty_topic'],
  ['is_default_stream', true],
  ['can_send_message_group', {new: 6}],
  ['can_add_subscribers_group', {new: {direct_members: [], direct_subgroups: [5, 6]}}],
])('changing the channel setting %s', async (name, value) => {
  const {server, owner, general, watch} = await scene();
  await watch(() => server.as(owner).patch(`/streams/${general}`, {[name]: value}));
});

test('opening a private channel to everybody', async () => {
  const {server, owner, secret, watch} = await scene();
  await watch(() => server.as(owner).patch(`/streams/${secret}`, {is_private: false}));
});

test('archiving and unarchiving', async () => {
  const {server, owner, general, watch} = await scene();
  await watch(() => server.as(owner).delete(`/streams/${general}`));
  await watch(() => server.as(owner).patch(`/streams/${general}`, {is_archived: false}));
});

test('topic policies', async () => {
  const {server, meg, general, watch} = await scene();
  for (const visibility_policy of [1, 2, 3, 0]) {
    const params = {stream_id: general, topic: 'Talk', visibility_policy};
    await watch(() => server.as(meg).post('/user_topics', params));
  }
  const muted = {stream_id: general, topic: 'old way', op: 'add'};
  await watch(() => server.as(meg).patch('/users/me/subscriptions/muted_topics', muted));
});

test('folders', async () => {
  const {server, owner, general, watch} = await scene();
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
  const {server, owner, general, watch} = await scene();
  await watch(() => server.as(owner).post('/default_streams', {stream_id: general}));
  await watch(() => server.as(owner).delete('/default_streams', {stream_id: general}));
});

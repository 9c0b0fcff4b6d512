import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('guest permissions: a guest never has a permission that excludes guests, even as a member of its group', async () => {
  const server = await testServer();
  const {people} = server;
  const [owner, guest] = [people.owner(), people.guest()];
  const open = {direct_members: [guest.id], direct_subgroups: []};
  for (const name of ['can_delete_any_message_group', 'can_move_messages_between_channels_group']) {
    people.setting(name, open);
  }
  const general = people.channel('general', [owner, guest]);
  const other = people.channel('other', [owner, guest]);
  const {id} = await server.as(owner).post('/messages', {type: 'stream', to: general, topic: 'talk', content: 'mine'});
  await server.as(guest).refused('DELETE', `/messages/${id}`, {}, {code: 'BAD_REQUEST'});
  await server.as(guest).refused('PATCH', `/messages/${id}`, {stream_id: other}, {code: 'BAD_REQUEST'});
  const {messages} = await server.as(owner).get('/messages', {anchor: 'newest', num_before: 10});
  expect(messages).toMatchObject([{id, stream_id: general}]);
});

test('guest permissions: a guest adds nobody to a channel, whatever group it is in', async () => {
  const {people, as} = await testServer();
  const [owner, guest, meg] = [people.owner(), people.guest(), people.member()];
  const open = {direct_members: [guest.id, meg.id], direct_subgroups: []};
  people.setting('can_add_subscribers_group', open);
  const permissions = {can_add_subscribers_group: open, can_administer_channel_group: open};
  people.channel('general', [owner, guest, meg], {permissions});
  const other = people.member('Other');
  const add = {subscriptions: [{name: 'general'}], principals: [other.id]};
  await as(guest).refused('POST', '/users/me/subscriptions', add, {code: 'BAD_REQUEST'});
  await as(meg).post('/users/me/subscriptions', add);
});

test('guest permissions: a group without a legacy number is shown as administrators', async () => {
  const server = await testServer({level: 122});
  const {people} = server;
  const owner = people.owner();
  people.setting('can_mention_many_users_group', {direct_members: [owner.id], direct_subgroups: []});
  const state = await server.as(owner).post('/register', {fetch_event_types: ['realm']});
  expect(state.realm_wildcard_mention_policy).toBe(5);
});

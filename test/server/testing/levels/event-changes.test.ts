import {expect, test} from 'vitest';
import {populatedServer} from './populated-server.ts';

test('a channel update has no event for a property that the level does not have', async () => {
  const properties: unknown[] = [];
  const change = {277: {stream_post_policy: 2}, 371: {can_send_message_group: {new: 6}}};
  for (const level of [277, 371] as const) {
    const {server, owner, meg, general} = await populatedServer(level);
    const queue = await server.as(meg).listen();
    await server.as(owner).patch(`/streams/${general}`, change[level]);
    const events = (await queue.events()).filter(({type}) => type === 'stream');
    properties.push(events.map(({property}) => property).toSorted());
  }
  const older = ['is_announcement_only', 'stream_post_policy'];
  expect(properties).toEqual([older, ['can_send_message_group', ...older]]);
});

test('before 464 a description change has an event of its own', async () => {
  const {server, owner} = await populatedServer(421);
  const queue = await server.as(owner).listen();
  await server.as(owner).patch('/realm', {description: 'Ours', allow_message_editing: false});
  expect(await queue.events()).toMatchObject([
    {type: 'realm', op: 'update_dict', data: {allow_message_editing: false}},
    {type: 'realm', op: 'update', property: 'description', value: 'Ours'},
  ]);
});

test('before 392 a change of the topics policy is sent as mandatory_topics', async () => {
  const {server, owner} = await populatedServer(371);
  const queue = await server.as(owner).listen();
  await server.as(owner).patch('/realm', {mandatory_topics: true});
  const [event] = await queue.events();
  expect(event?.data).toEqual({mandatory_topics: true});
});

test('before 378 archiving a channel sends a delete event, also to clients that show archived channels', async () => {
  const {server, owner, meg, general} = await populatedServer(371);
  const queue = await server.as(meg).listen();
  await server.as(owner).delete(`/streams/${general}`);
  expect(await queue.events()).toMatchObject([{type: 'stream', op: 'delete', stream_ids: [general]}]);
});

test('before 377 deactivating a user sends no peer_remove', async () => {
  const [before, after] = [await populatedServer(371), await populatedServer(421)];
  const hasPeerRemove: unknown[] = [];
  for (const {server, owner, meg} of [before, after]) {
    const queue = await server.as(owner).listen();
    await server.as(owner).delete(`/users/${meg.id}`);
    hasPeerRemove.push((await queue.events()).some(({op}) => op === 'peer_remove'));
  }
  expect(hasPeerRemove).toEqual([false, true]);
});

test('before 343 deleted channels are sent as objects', async () => {
  const {server, owner, meg, general} = await populatedServer(277);
  const queue = await server.as(meg).listen();
  await server.as(owner).delete(`/streams/${general}`);
  expect(await queue.events()).toMatchObject([{op: 'delete', streams: [{stream_id: general}]}]);
});

test('before 324 can_remove_members_group is neither in groups nor in group events', async () => {
  const {server, owner} = await populatedServer(277);
  const group = {name: 'crew', description: '', members: [owner.id]};
  await server.as(owner).post('/user_groups/create', group);
  const {user_groups} = await server.as(owner).get('/user_groups');
  const crew = user_groups.find(({name}: {name: string}) => name === 'crew');
  expect(crew).not.toHaveProperty('can_remove_members_group');
  const queue = await server.as(owner).listen();
  const params = {can_remove_members_group: {new: 6}, description: 'on deck'};
  await server.as(owner).patch(`/user_groups/${crew.id}`, params);
  const updates = (await queue.events()).map(({data}) => data);
  expect(updates).toEqual([{description: 'on deck'}]);
});

test('before 256 deleting the first message of a channel sends no first_message_id event', async () => {
  const {server, owner, meg, send} = await populatedServer(237);
  const {id} = await send('first');
  await send('second');
  const queue = await server.as(meg).listen();
  await server.as(owner).delete(`/messages/${id}`);
  expect((await queue.events()).map(({type}) => type)).toEqual(['delete_message']);
});

test('before 222 reactivating a user sends an add event with the older user object', async () => {
  const {server, owner, meg} = await populatedServer(185);
  await server.as(owner).delete(`/users/${meg.id}`);
  const queue = await server.as(owner).listen();
  await server.as(owner).post(`/users/${meg.id}/reactivate`);
  const event = (await queue.events()).find(({type}) => type === 'realm_user');
  expect(event).toMatchObject({op: 'add', person: {user_id: meg.id, is_billing_admin: false}});
  expect(event?.person).not.toHaveProperty('is_imported_stub');
});

test('before 138 an unlimited edit time is sent as 0', async () => {
  const {server, owner} = await populatedServer(122);
  const queue = await server.as(owner).listen();
  const params = {message_content_edit_limit_seconds: '"unlimited"'};
  await server.as(owner).patch('/realm', params);
  const [event] = await queue.events();
  expect(event?.data).toMatchObject({message_content_edit_limit_seconds: 0});
});

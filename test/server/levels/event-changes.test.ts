import {expect, test} from 'vitest';
import {populatedServer} from './populated-server.ts';

test('nobody hears of a property of channels that their server does not have yet', async () => {
  const heard: unknown[] = [];
  for (const level of [277, 371] as const) {
    const {server, owner, meg, general} = await populatedServer(level);
    const queue = await server.as(meg).listen();
    await server.as(owner).patch(`/streams/${general}`, {stream_post_policy: 2});
    const events = (await queue.events()).filter(({type}) => type === 'stream');
    heard.push(events.map(({property}) => property).toSorted());
  }
  const older = ['is_announcement_only', 'stream_post_policy'];
  expect(heard).toEqual([older, ['can_send_message_group', ...older]]);
});

test('before 464 the description is told alone', async () => {
  const {server, owner} = await populatedServer(421);
  const queue = await server.as(owner).listen();
  await server.as(owner).patch('/realm', {description: 'Ours', allow_message_editing: false});
  expect(await queue.events()).toMatchObject([
    {type: 'realm', op: 'update', property: 'description', value: 'Ours'},
    {type: 'realm', op: 'update_dict', data: {allow_message_editing: false}},
  ]);
});

test('before 392 a change of the topics policy is told as mandatory topics', async () => {
  const {server, owner} = await populatedServer(371);
  const queue = await server.as(owner).listen();
  await server.as(owner).patch('/realm', {mandatory_topics: true});
  const [event] = await queue.events();
  expect(event?.data).toEqual({mandatory_topics: true});
});

test('before 378 archiving is deletion, also for those who keep archived channels', async () => {
  const {server, owner, meg, general} = await populatedServer(371);
  const queue = await server.as(meg).listen();
  await server.as(owner).delete(`/streams/${general}`);
  expect(await queue.events()).toMatchObject([{type: 'stream', op: 'delete', stream_ids: [general]}]);
});

test('before 377 deactivation does not touch the lists of subscribers', async () => {
  const [before, after] = [await populatedServer(371), await populatedServer(421)];
  const told: unknown[] = [];
  for (const {server, owner, meg} of [before, after]) {
    const queue = await server.as(owner).listen();
    await server.as(owner).delete(`/users/${meg.id}`);
    told.push((await queue.events()).some(({op}) => op === 'peer_remove'));
  }
  expect(told).toEqual([false, true]);
});

test('before 343 channels that go are told as objects', async () => {
  const {server, owner, meg, general} = await populatedServer(277);
  const queue = await server.as(meg).listen();
  await server.as(owner).delete(`/streams/${general}`);
  expect(await queue.events()).toMatchObject([{op: 'delete', streams: [{stream_id: general}]}]);
});

test('before 324 a group has no setting for who removes members, and nobody hears of it', async () => {
  const {server, owner} = await populatedServer(277);
  const group = {name: 'crew', description: '', members: [owner.id]};
  await server.as(owner).post('/user_groups/create', group);
  const {user_groups} = await server.as(owner).get('/user_groups');
  const crew = user_groups.find(({name}: {name: string}) => name === 'crew');
  expect(crew).not.toHaveProperty('can_remove_members_group');
  const queue = await server.as(owner).listen();
  const params = {can_remove_members_group: {new: 6}, description: 'on deck'};
  await server.as(owner).patch(`/user_groups/${crew.id}`, params);
  const told = (await queue.events()).map(({data}) => data);
  expect(told).toEqual([{description: 'on deck'}]);
});

test('before 256 nobody hears that a channel begins with another message', async () => {
  const {server, owner, meg, say} = await populatedServer(237);
  const {id} = await say('first');
  await say('second');
  const queue = await server.as(meg).listen();
  await server.as(owner).delete(`/messages/${id}`);
  expect((await queue.events()).map(({type}) => type)).toEqual(['delete_message']);
});

test('before 222 a returning account is added, in the form of its day', async () => {
  const {server, owner, meg} = await populatedServer(185);
  await server.as(owner).delete(`/users/${meg.id}`);
  const queue = await server.as(owner).listen();
  await server.as(owner).post(`/users/${meg.id}/reactivate`);
  const event = (await queue.events()).find(({type}) => type === 'realm_user');
  expect(event).toMatchObject({op: 'add', person: {user_id: meg.id, is_billing_admin: false}});
  expect(event?.person).not.toHaveProperty('is_imported_stub');
});

test('before 138 no limit for editing is told as 0', async () => {
  const {server, owner} = await populatedServer(122);
  const queue = await server.as(owner).listen();
  const params = {message_content_edit_limit_seconds: 'unlimited'};
  await server.as(owner).patch('/realm', params);
  const [event] = await queue.events();
  expect(event?.data).toMatchObject({message_content_edit_limit_seconds: 0});
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('folders: administrators create, change, order and archive folders that all users see', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const listener = await server.as(meg).listen();
  const {channel_folder_id: first} = await server
    .as(admin)
    .post('/channel_folders/create', {name: ' Work ', description: 'all *work*'});
  const {channel_folder_id: second} = await server
    .as(admin)
    .post('/channel_folders/create', {name: 'Play', description: ''});
  const [added] = await listener.events();
  expect(added).toMatchObject({type: 'channel_folder', op: 'add', channel_folder: {id: first, name: 'Work'}});
  const fetched = await server.as(meg).get('/channel_folders');
  expect(fetched.channel_folders[0]).toEqual({
    id: first,
    name: 'Work',
    description: 'all *work*',
    rendered_description: expect.stringContaining('<p>'),
    order: first,
    date_created: expect.any(Number),
    creator_id: admin.id,
    is_archived: false,
  });
  await server.as(admin).patch('/channel_folders', {order: [second, first]});
  await server.as(admin).patch(`/channel_folders/${first}`, {name: 'Labour', is_archived: true});
  expect(await listener.events()).toMatchObject([
    {op: 'reorder', order: [second, first]},
    {op: 'update', channel_folder_id: first, data: {name: 'Labour'}},
    {op: 'update', channel_folder_id: first, data: {is_archived: true}},
  ]);
  const ids = async (params: object) =>
    (await server.as(meg).get('/channel_folders', {...params})).channel_folders.map(
      (folder: {id: number}) => folder.id,
    );
  expect(await ids({})).toEqual([second]);
  expect(await ids({include_archived: true})).toEqual([second, first]);
  const state = await server.as(meg).post('/register', {fetch_event_types: ['channel_folders']});
  expect(state.channel_folders).toMatchObject([{id: second}, {id: first, is_archived: true}]);
});

test('folders: members cannot change folders', async () => {
  const server = await testServer();
  const meg = server.people.moderator();
  const refused = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await server.as(meg).refused('POST', '/channel_folders/create', {name: 'x', description: ''}, refused);
  await server.as(meg).refused('PATCH', '/channel_folders', {order: []}, refused);
  await server.as(meg).refused('PATCH', '/channel_folders/1', {name: 'x'}, refused);
});

test('folders: names must be present, short and unique among active folders; orders must be complete', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const client = server.as(admin);
  const create = '/channel_folders/create';
  const {channel_folder_id: id} = await client.post(create, {name: 'Work', description: ''});
  const refused = {code: 'BAD_REQUEST'};
  for (const name of ['', ' ', 'WORK', 'x'.repeat(61)]) {
    await client.refused('POST', create, {name, description: ''}, refused);
  }
  await client.refused('POST', create, {name: 'y', description: 'd'.repeat(1025)}, refused);
  await client.refused('POST', create, {name: 'y'}, {code: 'REQUEST_VARIABLE_MISSING'});
  await client.patch(`/channel_folders/${id}`, {name: 'WORK'});
  await client.refused('PATCH', '/channel_folders', {order: [id, id]}, refused);
  await client.refused('PATCH', '/channel_folders', {order: []}, refused);
  await client.refused('PATCH', `/channel_folders/${id + 1}`, {name: 'z'}, refused);
});

test('folders: a folder with channels in it cannot be archived', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const channel = server.people.channel('talk', [admin]);
  const client = server.as(admin);
  const {channel_folder_id: id} = await client.post('/channel_folders/create', {
    name: 'Work',
    description: '',
  });
  const listener = await client.listen();
  await client.patch(`/streams/${channel}`, {folder_id: id});
  expect(await listener.events()).toMatchObject([{type: 'stream', property: 'folder_id', value: id}]);
  await client.refused('PATCH', `/channel_folders/${id}`, {is_archived: true}, {code: 'BAD_REQUEST'});
  await client.patch(`/streams/${channel}`, {folder_id: null});
  await client.patch(`/channel_folders/${id}`, {is_archived: true});
});

test('folders: an archived folder frees its name, and is active again with another one', async () => {
  const server = await testServer();
  const client = server.as(server.people.admin());
  const folder = {name: 'Work', description: ''};
  const {channel_folder_id: id} = await client.post('/channel_folders/create', folder);
  await client.patch(`/channel_folders/${id}`, {is_archived: true});
  await client.post('/channel_folders/create', folder);
  const listener = await client.listen();
  await client.patch(`/channel_folders/${id}`, {name: 'Old work', is_archived: false});
  expect(await listener.events()).toMatchObject([{data: {name: 'Old work'}}, {data: {is_archived: false}}]);
});

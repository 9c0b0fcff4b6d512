import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const server = await testServer();
  const {people} = server;
  return {server, admin: people.admin(), meg: people.member(), otto: people.member('Otto Other')};
}

const newBot = {full_name: 'Bo Bot', short_name: 'bo'};

test('bots: a new bot belongs to its creator; only owner and administrators get its details', async () => {
  const {server, admin, meg, otto} = await setup();
  server.people.channel('general', [meg]);
  const queues = await Promise.all([admin, meg, otto].map((person) => server.as(person).listen()));
  const params = {...newBot, default_sending_stream: 'general'};
  const reply = await server.as(meg).post('/bots', params);
  const defaults = {
    default_sending_stream: 'general',
    default_events_register_stream: null,
    default_all_public_streams: false,
  };
  expect(reply).toMatchObject({user_id: expect.any(Number), api_key: expect.any(String), ...defaults});
  expect(reply.avatar_url).toEqual(expect.any(String));
  const [adminSees, ownerSees, otherSees] = await Promise.all(queues.map((queue) => queue.events()));
  const person = {
    op: 'add',
    person: {
      user_id: reply.user_id,
      email: 'bo-bot@127.0.0.1',
      is_bot: true,
      bot_type: 1,
      bot_owner_id: meg.id,
    },
  };
  const bot = {user_id: reply.user_id, ...defaults, services: []};
  const forInsiders = {type: 'realm_bot', op: 'add', bot};
  expect(otherSees?.map(({type}) => type)).not.toContain('realm_bot');
  expect(otherSees?.[0]).toMatchObject({type: 'realm_user', ...person});
  expect(adminSees?.at(-1)).toMatchObject(forInsiders);
  expect(ownerSees?.at(-1)).toMatchObject(forInsiders);
  const key = {id: reply.user_id, email: 'bo-bot@127.0.0.1', fullName: 'Bo Bot', apiKey: reply.api_key};
  await server.as(key).get('/users/me');
});

test('bots: the list has the user’s own active bots with their keys', async () => {
  const {server, meg, otto} = await setup();
  const {user_id, api_key} = await server.as(meg).post('/bots', newBot);
  expect(await server.as(meg).get('/bots')).toMatchObject({
    bots: [
      {
        username: 'bo-bot@127.0.0.1',
        full_name: 'Bo Bot',
        api_key,
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      },
    ],
  });
  expect((await server.as(otto).get('/bots')).bots).toEqual([]);
  await server.as(meg).delete(`/bots/${user_id}`);
  expect((await server.as(meg).get('/bots')).bots).toEqual([]);
});

test.each([
  ['a name in use', {...newBot, full_name: 'Meg Member'}],
  ['no short name', {...newBot, short_name: ' '}],
  ['an impossible short name', {...newBot, short_name: 'a@b'}],
  ['a kind this server does not run', {...newBot, bot_type: 3}],
  ['an unknown channel', {...newBot, default_sending_stream: 'nowhere'}],
])('bots: a bot with %s is refused', async (_, params) => {
  const {server, meg} = await setup();
  await server.as(meg).refused('POST', '/bots', params, {code: 'BAD_REQUEST'});
  expect((await server.as(meg).get('/bots')).bots).toEqual([]);
});

test('bots: the organization’s permissions decide who creates bots, with a separate one for webhooks', async () => {
  const {server, meg} = await setup();
  const gus = server.people.guest();
  await server.as(gus).refused('POST', '/bots', newBot, {code: 'BAD_REQUEST'});
  server.people.setting('can_create_bots_group', 6);
  await server.as(meg).refused('POST', '/bots', newBot, {code: 'BAD_REQUEST'});
  await server.as(meg).post('/bots', {...newBot, bot_type: 2});
});

test('bots: only owner and administrators manage a bot', async () => {
  const {server, admin, meg, otto} = await setup();
  const {user_id, api_key} = await server.as(meg).post('/bots', newBot);
  const bad = {code: 'BAD_REQUEST'};
  await server.as(otto).refused('GET', `/bots/${user_id}/api_key`, {}, bad);
  await server.as(otto).refused('POST', `/bots/${user_id}/api_key/regenerate`, {}, bad);
  await server.as(otto).refused('PATCH', `/bots/${user_id}`, {full_name: 'Mine'}, bad);
  await server.as(otto).refused('DELETE', `/bots/${user_id}`, {}, bad);
  await server.as(meg).refused('GET', `/bots/${otto.id}/api_key`, {}, bad);
  await server.as(admin).refused('GET', '/bots/9999/api_key', {}, bad);
  expect((await server.as(admin).get(`/bots/${user_id}/api_key`)).api_key).toBe(api_key);
  const renewed = await server.as(meg).post(`/bots/${user_id}/api_key/regenerate`);
  expect(renewed.api_key).not.toBe(api_key);
});

test('bots: a rename is sent to all users, a new default only to owner and administrators', async () => {
  const {server, meg, otto} = await setup();
  server.people.channel('general', [meg]);
  const {user_id} = await server.as(meg).post('/bots', newBot);
  const owner = await server.as(meg).listen();
  const other = await server.as(otto).listen();
  const params = {full_name: 'Robo', default_events_register_stream: 'general'};
  expect(await server.as(meg).patch(`/bots/${user_id}`, params)).toMatchObject({
    full_name: 'Robo',
    default_events_register_stream: 'general',
    bot_owner: meg.email,
  });
  const renamed = {type: 'realm_user', op: 'update', person: {user_id, full_name: 'Robo'}};
  expect(await other.events()).toMatchObject([renamed]);
  expect(await owner.events()).toMatchObject([
    renamed,
    {type: 'realm_bot', op: 'update', bot: {user_id, default_events_register_stream: 'general'}},
  ]);
});

test('bots: a change of owner deletes the bot for the old owner and adds it for the new one', async () => {
  const {server, admin, meg, otto} = await setup();
  const {user_id} = await server.as(meg).post('/bots', newBot);
  const [adminQueue, oldOwner, newOwner] = await Promise.all(
    [admin, meg, otto].map((person) => server.as(person).listen()),
  );
  await server.as(meg).patch(`/bots/${user_id}`, {bot_owner_id: otto.id});
  const moved = {type: 'realm_user', op: 'update', person: {user_id, bot_owner_id: otto.id}};
  expect(await adminQueue?.events()).toMatchObject([moved]);
  expect(await oldOwner?.events()).toMatchObject([moved, {type: 'realm_bot', op: 'delete', bot: {user_id}}]);
  expect(await newOwner?.events()).toMatchObject([moved, {type: 'realm_bot', op: 'add', bot: {user_id}}]);
  const bad = {code: 'BAD_REQUEST'};
  await server.as(admin).refused('PATCH', `/bots/${user_id}`, {bot_owner_id: 9999}, bad);
  await server.as(admin).refused('PATCH', `/bots/${user_id}`, {bot_owner_id: user_id}, bad);
});

test('bots: a deactivated bot is sent as inactive and its key is refused', async () => {
  const {server, meg, otto} = await setup();
  const {user_id, api_key} = await server.as(meg).post('/bots', newBot);
  const other = await server.as(otto).listen({event_types: ['realm_user']});
  await server.as(meg).delete(`/bots/${user_id}`);
  expect(await other.events()).toMatchObject([{type: 'realm_user', op: 'update', person: {user_id, is_active: false}}]);
  const bot = {id: user_id, email: 'bo-bot@127.0.0.1', fullName: '', apiKey: api_key};
  await server.as(bot).refused('GET', '/users/me', {}, {status: 401, code: 'USER_DEACTIVATED'});
  await server.as(meg).delete(`/bots/${user_id}`);
});

test('bots: the registration has all bots for administrators, own bots for others', async () => {
  const {server, admin, meg, otto} = await setup();
  const {user_id} = await server.as(meg).post('/bots', newBot);
  const bots = async (person: typeof meg) =>
    (await server.as(person).listen({fetch_event_types: ['realm_bot']})).state.realm_bots;
  const bot = {
    user_id,
    default_sending_stream: null,
    default_events_register_stream: null,
    default_all_public_streams: false,
    services: [],
  };
  expect(await bots(admin)).toEqual([bot]);
  expect(await bots(meg)).toEqual([bot]);
  expect(await bots(otto)).toEqual([]);
});

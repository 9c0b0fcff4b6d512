import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

const bad = {code: 'BAD_REQUEST'};

async function setup() {
  const server = await testServer();
  const meg = server.people.member();
  return {server, meg, bot: server.people.bot('Robo', meg)};
}

test('bot storage: a bot stores, reads and removes values, which other bots do not see', async () => {
  const {server, meg, bot} = await setup();
  const own = server.as(bot);
  await own.call('PUT', '/bot_storage', {storage: {a: '1', b: '2'}});
  await own.call('PUT', '/bot_storage', {storage: {b: '3'}});
  expect((await own.get('/bot_storage')).storage).toEqual({a: '1', b: '3'});
  expect((await own.get('/bot_storage', {keys: ['b']})).storage).toEqual({b: '3'});
  const missing = await own.refused('GET', '/bot_storage', {keys: ['c']}, bad);
  expect(missing.msg).toBe('Key does not exist.');
  await own.refused('DELETE', '/bot_storage', {keys: ['a', 'c']}, bad);
  expect((await server.as(server.people.bot('Other', meg)).get('/bot_storage')).storage).toEqual({});
  await own.delete('/bot_storage', {keys: ['a']});
  expect((await own.get('/bot_storage')).storage).toEqual({b: '3'});
  await own.delete('/bot_storage');
  expect((await own.get('/bot_storage')).storage).toEqual({});
});

test('bot storage: all values of a bot together are limited', async () => {
  const {server, bot} = await setup();
  const sql = `INSERT INTO bot_storage (user_id, key, value) VALUES (?, 'a', hex(zeroblob(4999999)))`;
  server.context.db.run(sql, bot.id);
  await server.as(bot).call('PUT', '/bot_storage', {storage: {b: ''}});
  const refusal = await server.as(bot).refused('PUT', '/bot_storage', {storage: {c: 'x'}}, bad);
  expect(refusal.msg).toBe('Request exceeds storage limit by 2 characters. The limit is 10000000 characters.');
});

test('bot storage: people have none', async () => {
  const {server, meg} = await setup();
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const refusal = await server.as(meg).refused(method, '/bot_storage', {}, {code: 'PERMISSION_DENIED'});
    expect(refusal.msg).toBe('Must be a bot user');
  }
});

test('onboarding steps: a seen step is gone, and the user’s clients are told', async () => {
  const {server, meg} = await setup();
  const queue = await server.as(meg).listen({fetch_event_types: ['onboarding_steps']});
  expect(queue.state.onboarding_steps).toContainEqual({type: 'one_time_notice', name: 'intro_resolve_topic'});
  await server.as(meg).post('/users/me/onboarding_steps', {onboarding_step: 'intro_resolve_topic'});
  const left = queue.state.onboarding_steps.filter((step: {name: string}) => step.name !== 'intro_resolve_topic');
  expect(await queue.events()).toMatchObject([{type: 'onboarding_steps', onboarding_steps: left}]);
  const later = await server.as(meg).listen({fetch_event_types: ['onboarding_steps']});
  expect(later.state.onboarding_steps).toEqual(left);
  const unknown = {onboarding_step: 'x'};
  const refusal = await server.as(meg).refused('POST', '/users/me/onboarding_steps', unknown, bad);
  expect(refusal.msg).toBe('Unknown onboarding_step: x');
});

test('devices: a registered device is in the next registration until it is removed', async () => {
  const {server, meg} = await setup();
  const queue = await server.as(meg).listen({fetch_event_types: ['device']});
  expect(queue.state.devices).toEqual({});
  const {device_id} = await server.as(meg).post('/register_client_device');
  const {state} = await server.as(meg).listen({fetch_event_types: ['device']});
  expect(state.devices).toMatchObject({[device_id]: {push_key_id: null, push_token_id: null}});
  const other = server.people.member('Otto');
  await server.as(other).refused('POST', '/remove_client_device', {device_id}, bad);
  await server.as(meg).post('/remove_client_device', {device_id});
  expect(await queue.events()).toMatchObject([
    {type: 'device', op: 'add', device_id},
    {type: 'device', op: 'remove', device_id},
  ]);
});

test('mobile push: tokens are stored and removed, and nothing is sent without a push service', async () => {
  const {server, meg} = await setup();
  const own = server.as(meg);
  await own.post('/users/me/apns_device_token', {token: 'aabb', appid: 'org.example'});
  await own.post('/users/me/android_gcm_reg_id', {token: 'droid'});
  await own.post('/mobile_push/test_notification');
  await own.post('/mobile_push/test_notification', {token: 'droid'});
  await own.refused('POST', '/mobile_push/test_notification', {token: 'x'}, {code: 'INVALID_PUSH_DEVICE_TOKEN'});
  // Two people may share a device.
  const other = server.as(server.people.member('Otto'));
  for (const client of [own, other]) await client.post('/users/me/android_gcm_reg_id', {token: 'shared'});
  await other.delete('/users/me/android_gcm_reg_id', {token: 'shared'});
  await own.post('/mobile_push/test_notification', {token: 'shared'});
  await own.delete('/users/me/apns_device_token', {token: 'aabb'});
  await own.refused('DELETE', '/users/me/apns_device_token', {token: 'aabb'}, bad);
  await own.refused('POST', '/users/me/apns_device_token', {token: 'no hex', appid: 'org.example'}, bad);
  await own.refused('POST', '/users/me/android_gcm_reg_id', {token: ''}, bad);
  await own.refused('POST', '/mobile_push/register', {device_id: 1}, {code: 'PUSH_SERVICE_NOT_CONFIGURED'});
  await own.refused('POST', '/mobile_push/e2ee/test_notification', {}, {code: 'NO_ACTIVE_PUSH_DEVICE'});
});

test('other services: tokens of other systems and summaries are not enabled', async () => {
  const {server, meg} = await setup();
  const token = await server.anonymous().refused('POST', '/jwt/fetch_api_key', {token: 'x'}, bad);
  expect(token.msg).toBe('JWT authentication is not enabled for this organization');
  const summary = await server.as(meg).refused('GET', '/messages/summary', {}, bad);
  expect(summary.msg).toBe('AI features are not enabled on this server.');
});

test.each(['/settings/display', '/settings/notifications'])(
  'settings: %s is another name of /settings',
  async (path) => {
    const {server, meg} = await setup();
    const queue = await server.as(meg).listen();
    await server.as(meg).patch(path, {enter_sends: true, enable_sounds: false});
    expect(await queue.events()).toMatchObject([
      {type: 'user_settings', property: 'enter_sends', value: true},
      {type: 'user_settings', property: 'enable_sounds', value: false},
    ]);
  },
);

const forPeople = Object.values(otherEndpoints).filter(({id}) => /^(push|device|onboarding|settings)\./.test(id));

test('account services: devices, notifications and personal settings do not accept bots', async () => {
  const {server, bot} = await setup();
  for (const {method, path} of forPeople) {
    const refusal = await server.as(bot).refused(method, path, {}, bad);
    expect(refusal.msg).toBe('This endpoint does not accept bot requests.');
  }
});

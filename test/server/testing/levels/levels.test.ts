import {describe, expect, test} from 'vitest';
import {levelChanges, responseObjectLocations} from '#server/testing/levels/downgrade-to.ts';
import type {Reply} from '#test/support/api-client.ts';
import {testedLevels} from '#test/support/tested-levels.ts';
import {endpoints} from '#wire/endpoints.ts';
import {populatedServer} from './populated-server.ts';

const olderLevels = testedLevels.filter((level) => level < 509);

describe.each(olderLevels)('a server of level %i', (level) => {
  test('reports its level under both names', async () => {
    const {server, meg} = await populatedServer(level);
    const settings = await server.anonymous().get('/server_settings');
    expect(settings).toMatchObject({zulip_feature_level: level, feature_level: level});
    expect(await server.as(meg).post('/register')).toMatchObject({zulip_feature_level: level});
  });

  test('answers 404 or 405 for newer endpoints', async () => {
    const {server, owner} = await populatedServer(level);
    const later = Object.values(endpoints).filter((endpoint) => endpoint.since > level);
    for (const {method, path} of later) {
      const reply = await server
        .as(owner)
        .raw(method, path.replace('{email}', 'a@b.example').replaceAll(/\{\w+\}/g, '1'));
      expect([404, 405], `${method} ${path}`).toContain(reply.status);
    }
  });

  test('objects have exactly the fields of the level', async () => {
    const {server, owner} = await populatedServer(level);
    const state = await server.as(owner).post('/register', {
      client_capabilities: {
        notification_settings_null: false,
        linkifier_url_template: true,
        archived_channels: true,
        empty_topic_name: true,
      },
      include_subscribers: 'true',
    });
    for (const change of levelChanges) {
      if (change.kind !== 'fields') continue;
      for (const [key, object, shape] of responseObjectLocations['queue.register'] ?? []) {
        if (object !== change.object || shape !== 'list') continue;
        const [first]: Reply[] = state[key] ?? [];
        if (first === undefined) continue;
        for (const name of change.names) {
          if (change.level > level) expect(first, `${key} at ${level}`).not.toHaveProperty(name);
          else if (!sometimesAbsent.has(name)) expect(first, `${key} at ${level}`).toHaveProperty(name);
        }
      }
    }
  });

  test('a registration has exactly the keys of the level', async () => {
    const {server, owner} = await populatedServer(level);
    const state = await server.as(owner).post('/register');
    for (const change of levelChanges) {
      if (change.kind !== 'responseFields' || change.endpoint !== 'queue.register') continue;
      for (const name of change.without) {
        if (change.level > level) expect(state).not.toHaveProperty(name);
        else expect(state).toHaveProperty(name);
      }
    }
  });

  test('sends no events of newer types', async () => {
    const {server, owner, meg, general} = await populatedServer(level);
    const queue = await server.as(meg).listen();
    const client = server.as(meg);
    await client.raw('POST', '/user_topics', {stream_id: general, topic: 'talk', visibility_policy: 1});
    await client.raw('POST', '/saved_snippets', {title: 'a', content: 'b'});
    await client.raw('POST', '/navigation_views', {fragment: 'inbox', is_pinned: true});
    await server.as(owner).raw('POST', '/channel_folders/create', {name: 'a', description: ''});
    const types = new Set((await queue.events()).map((event) => event.type));
    for (const change of levelChanges) {
      if (change.kind === 'eventType' && change.level > level) expect(types).not.toContain(change.type);
    }
  });
});

/** Fields that are present only when set, or that were removed again by the next supported level. */
const sometimesAbsent = new Set(['is_deleted', 'is_imported_stub', 'deactivated', 'subgroups']);

test('before 328 a reaction contains its user', async () => {
  const {server, owner, meg, send} = await populatedServer(277);
  const {id} = await send('nice');
  const queue = await server.as(owner).listen();
  await server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
  expect(await queue.events()).toMatchObject([{type: 'reaction', user_id: meg.id, user: {user_id: meg.id}}]);
  const {message} = await server.as(owner).get(`/messages/${id}`);
  expect(message.reactions).toMatchObject([{user_id: meg.id, user: {id: meg.id, full_name: meg.fullName}}]);
});

test('before 289 the response to subscribing has e-mail addresses as keys', async () => {
  const {server, owner, meg} = await populatedServer(277);
  const params = {subscriptions: [{name: 'new'}], principals: [meg.id]};
  const reply = await server.as(owner).post('/users/me/subscriptions', params);
  expect(reply.subscribed).toEqual({[meg.email]: ['new']});
});

test('before 208 an unknown principal is refused with 403', async () => {
  const {server, owner} = await populatedServer(185);
  const params = {subscriptions: [{name: 'new'}], principals: [9999]};
  const refusal = {code: 'UNAUTHORIZED_PRINCIPAL', status: 403};
  await server.as(owner).refused('POST', '/users/me/subscriptions', params, refusal);
});

test('from 208 on an unknown principal is refused with BAD_REQUEST', async () => {
  const {server, owner} = await populatedServer(237);
  const params = {subscriptions: [{name: 'new'}], principals: [9999]};
  await server.as(owner).refused('POST', '/users/me/subscriptions', params, {code: 'BAD_REQUEST'});
});

test('before 193 removing a missing reaction is refused with BAD_REQUEST', async () => {
  const {server, meg, send} = await populatedServer(185);
  const {id} = await send('hm');
  await server.as(meg).refused('DELETE', `/messages/${id}/reactions`, {emoji_name: 'tada'}, {code: 'BAD_REQUEST'});
});

test('before 177 the dm operator is unknown and pm-with works', async () => {
  const {server, owner, meg} = await populatedServer(122);
  await server.as(owner).post('/messages', {type: 'private', to: [meg.id], content: 'old'});
  const page = {anchor: 'newest', num_before: 5, num_after: 0};
  const dm = {...page, narrow: [{operator: 'dm', operand: [owner.id]}]};
  await server.as(meg).refused('GET', '/messages', dm, {code: 'BAD_NARROW'});
  const pmWith = {...page, narrow: [{operator: 'pm-with', operand: owner.email}]};
  expect((await server.as(meg).get('/messages', pmWith)).messages).toHaveLength(1);
});

test('before 174 a message of type direct is refused, private is not', async () => {
  const {server, owner, meg} = await populatedServer(122);
  const message = {to: [meg.id], content: 'hello'};
  await server.as(owner).refused('POST', '/messages', {...message, type: 'direct'}, {code: 'BAD_REQUEST'});
  await server.as(owner).post('/messages', {...message, type: 'private'});
});

test('before 167 ignored parameters are not listed', async () => {
  const {server, owner} = await populatedServer(122);
  expect(await server.as(owner).post('/register', {wibble: 1})).not.toHaveProperty('ignored_parameters_unsupported');
});

test('before 139 muting a channel sends one event', async () => {
  const {server, meg, general} = await populatedServer(122);
  const queue = await server.as(meg).listen();
  await server.as(meg).patch(`/users/me/subscriptions/${general}`, {property: 'is_muted', value: true});
  expect(await queue.events()).toMatchObject([{type: 'subscription', property: 'in_home_view', value: false}]);
});

test('before 134 a registration lists muted topics in the older format', async () => {
  const {server, meg, general} = await populatedServer(122);
  await server.as(meg).patch('/users/me/subscriptions/muted_topics', {stream_id: general, topic: 'talk', op: 'add'});
  const state = await server.as(meg).post('/register', {fetch_event_types: ['muted_topics', 'user_topic']});
  expect(state.muted_topics).toMatchObject([['general', 'talk', expect.any(Number)]]);
});

test('before 176 linkifiers have a URL format instead of a template', async () => {
  const {server, meg} = await populatedServer(122);
  const {realm_linkifiers} = await server
    .as(meg)
    .post('/register', {client_capabilities: {notification_settings_null: false, linkifier_url_template: true}});
  expect(realm_linkifiers).toMatchObject([{url_format: 'https://tickets.example/%(id)s'}]);
});

test('before 334 a message in the empty topic has a topic name', async () => {
  const {server, meg, send} = await populatedServer(277);
  const {id} = await send('hello', '');
  const {message} = await server.as(meg).get(`/messages/${id}`, {allow_empty_topic_name: true});
  expect(message.subject).not.toBe('');
});

test('before 419 presence events have the older format', async () => {
  const {server, owner, meg} = await populatedServer(371);
  const queue = await server.as(owner).listen();
  await server.as(meg).post('/users/me/presence', {status: 'active'});
  expect(await queue.events()).toMatchObject([
    {type: 'presence', user_id: meg.id, presence: {website: {status: 'active'}}},
  ]);
});

test('before 392 the organization has mandatory_topics instead of topics_policy', async () => {
  const {server, meg} = await populatedServer(371);
  server.people.setting('topics_policy', 'disable_empty_topic');
  const state = await server.as(meg).post('/register', {fetch_event_types: ['realm']});
  expect(state.realm_mandatory_topics).toBe(true);
  expect(state).not.toHaveProperty('realm_topics_policy');
});

test('before 316 the permissions to move messages are numbered policies', async () => {
  const {server, meg} = await populatedServer(277);
  const state = await server.as(meg).post('/register', {fetch_event_types: ['realm']});
  expect(state).toMatchObject({realm_edit_topic_policy: 5, realm_move_messages_between_streams_policy: 1});
});

import {expect, test} from 'vitest';
import {populatedServer} from './populated-server.ts';

const refusal = {code: 'BAD_REQUEST'};

test('before 480 subscribers and topics of an archived channel are refused', async () => {
  const {server, owner, general} = await populatedServer(421);
  await server.as(owner).delete(`/streams/${general}`);
  await server.as(owner).refused('GET', `/streams/${general}/members`, {}, refusal);
  await server.as(owner).refused('GET', `/users/me/${general}/topics`, {}, refusal);
});

test('before 489 channels:archived is a bad narrow under both operator names', async () => {
  const {server, meg} = await populatedServer(421);
  for (const operator of ['channels', 'streams']) {
    const params = {anchor: 'newest', num_before: 5, narrow: [{operator, operand: 'archived'}]};
    await server.as(meg).refused('GET', '/messages', params, {code: 'BAD_NARROW'});
  }
});

test('before 476 a long text field cannot be in the profile summary', async () => {
  const {server, owner} = await populatedServer(421);
  const field = {name: 'Life', field_type: 2, display_in_profile_summary: true};
  await server.as(owner).refused('POST', '/realm/profile_fields', field, refusal);
});

test('before 412 include_subscribers=partial is refused', async () => {
  const {server, meg} = await populatedServer(371);
  const params = {include_subscribers: 'partial'};
  await server.as(meg).refused('POST', '/register', params, refusal);
  await server.as(meg).refused('GET', '/users/me/subscriptions', params, refusal);
});

test('before 379 prev_content_sha256 is ignored', async () => {
  const {server, owner, send} = await populatedServer(371);
  const {id} = await send('one');
  await server.as(owner).patch(`/messages/${id}`, {content: 'two', prev_content_sha256: '0'.repeat(64)});
});

test('before 356 all channels are listed by include_all_active, not by include_all', async () => {
  const {server, owner} = await populatedServer(277);
  server.people.channel('secret', [], {invite_only: 1});
  const names = async (params: Record<string, boolean>) =>
    (await server.as(owner).get('/streams', params)).streams.map(({name}: {name: string}) => name);
  expect(await names({include_all_active: true})).toContain('secret');
  expect(await names({include_all: true})).not.toContain('secret');
});

test('before 263 a presence update ignores last_update_id', async () => {
  const {server, meg} = await populatedServer(237);
  const client = server.as(meg);
  const params = {status: 'active', last_update_id: -1};
  const reply = await client.post('/users/me/presence', params);
  expect(reply).not.toHaveProperty('presence_last_update_id');
  expect(reply.presences).toHaveProperty([meg.email, 'website']);
  const slim = await client.post('/users/me/presence', {status: 'active', slim_presence: true});
  expect(slim.presences).toHaveProperty([String(meg.id), 'active_timestamp']);
});

test('before 250 the narrow of a registration accepts stream and refuses channel', async () => {
  const {server, meg} = await populatedServer(237);
  const narrow = (operator: string) => ({narrow: [[operator, 'general']], fetch_event_types: []});
  await server.as(meg).refused('POST', '/register', narrow('channel'), {code: 'BAD_NARROW'});
  await server.as(meg).post('/register', narrow('stream'));
});

test('before 248 a scheduled message accepts the type stream and refuses channel', async () => {
  const {server, meg, general} = await populatedServer(237);
  const later = 4_000_000_000;
  const message = {to: general, topic: 'talk', content: 'x', scheduled_delivery_timestamp: later};
  await server.as(meg).refused('POST', '/scheduled_messages', {...message, type: 'channel'}, refusal);
  await server.as(meg).post('/scheduled_messages', {...message, type: 'stream'});
});

test('before 194 the id operator accepts only text', async () => {
  const {server, meg, send} = await populatedServer(185);
  const {id} = await send('here');
  const by = (operand: unknown) => ({
    anchor: 'newest',
    num_before: 5,
    narrow: [{operator: 'id', operand}],
  });
  await server.as(meg).refused('GET', '/messages', by(id), {code: 'BAD_NARROW'});
  expect((await server.as(meg).get('/messages', by(String(id)))).messages).toMatchObject([{id}]);
});

test('before 190 deleting an unknown emoji is refused with 400, later with 404', async () => {
  const older = await populatedServer(185);
  await older.server.as(older.owner).refused('DELETE', '/realm/emoji/wibble', {}, refusal);
  const newer = await populatedServer(237);
  await newer.server.as(newer.owner).refused('DELETE', '/realm/emoji/wibble', {}, {code: 'BAD_REQUEST', status: 404});
});

test('before 174 typing without a type is for direct messages', async () => {
  const {server, owner, meg} = await populatedServer(122);
  const queue = await server.as(meg).listen();
  await server.as(owner).post('/typing', {op: 'start', to: [meg.id]});
  expect(await queue.events()).toMatchObject([{type: 'typing', message_type: 'private'}]);
});

test('before 169 muting a muted topic or unmuting another is refused', async () => {
  const {server, meg, general} = await populatedServer(122);
  const path = '/users/me/subscriptions/muted_topics';
  const params = {stream_id: general, topic: 'talk', op: 'add'};
  await server.as(meg).refused('PATCH', path, {...params, op: 'remove'}, refusal);
  await server.as(meg).patch(path, params);
  await server.as(meg).refused('PATCH', path, {...params, topic: 'Talk'}, refusal);
  await server.as(meg).patch(path, {...params, op: 'remove'});
});

test('before 152 a move sends a notice to the old topic by default', async () => {
  const {server, owner, general, send} = await populatedServer(122);
  const {id} = await send('hello', 'here');
  await server.as(owner).patch(`/messages/${id}`, {topic: 'there', propagate_mode: 'change_all'});
  const {topics} = await server.as(owner).get(`/users/me/${general}/topics`);
  expect(topics.map(({name}: {name: string}) => name).toSorted()).toEqual(['here', 'there']);
});

test('before 143 an administrator can change the allowed domains, later only an owner', async () => {
  const older = await populatedServer(122);
  const admin = older.server.people.admin();
  const domain = {domain: 'ours.example', allow_subdomains: true};
  await older.server.as(admin).post('/realm/domains', domain);
  await older.server.as(admin).delete('/realm/domains/ours.example');
  await older.server.as(older.meg).refused('POST', '/realm/domains', domain, {code: 'UNAUTHORIZED_PRINCIPAL'});
  const newer = await populatedServer(185);
  const other = newer.server.people.admin();
  await newer.server.as(other).refused('POST', '/realm/domains', domain, {code: 'UNAUTHORIZED_PRINCIPAL'});
});

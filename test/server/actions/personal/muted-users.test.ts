import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('muted users: muting is private and marks the muted user’s messages read', async () => {
  const {people, as, context} = await testServer();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const channel = people.channel('general', [meg, otto]);
  const id = context.db.insert(
    `INSERT INTO message (sender_id, channel_id, content, sent_at) VALUES (?, ?, 'hi', 1)`,
    otto.id,
    channel,
  );
  context.db.run('INSERT INTO user_message VALUES (?, ?, 1)', meg.id, id);
  const types = ['muted_users', 'update_message_flags'];
  const own = await as(meg).listen({event_types: types});
  const others = await as(otto).listen({event_types: types});
  await as(meg).post(`/users/me/muted_users/${otto.id}`);
  const state = await as(meg).post('/register', {fetch_event_types: ['muted_users']});
  expect(state.muted_users).toEqual([{id: otto.id, timestamp: expect.any(Number)}]);
  expect(await own.events()).toMatchObject([
    {type: 'muted_users', muted_users: state.muted_users},
    {type: 'update_message_flags', op: 'add', flag: 'read', messages: [id]},
  ]);
  expect(await others.events()).toEqual([]);
  await as(meg).delete(`/users/me/muted_users/${otto.id}`);
  expect(await own.events()).toMatchObject([{type: 'muted_users', muted_users: []}]);
});

test('muted users: muting oneself, unknown users or twice is refused', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const bad = {code: 'BAD_REQUEST'};
  await as(meg).refused('POST', `/users/me/muted_users/${meg.id}`, {}, bad);
  await as(meg).refused('POST', '/users/me/muted_users/9999', {}, bad);
  await as(meg).refused('DELETE', `/users/me/muted_users/${otto.id}`, {}, bad);
  await as(meg).post(`/users/me/muted_users/${otto.id}`);
  await as(meg).refused('POST', `/users/me/muted_users/${otto.id}`, {}, bad);
});

import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

test('user status: only the passed fields of text and emoji change', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const otto = people.member('Otto Other');
  const listener = await as(otto).listen({event_types: ['user_status']});
  await as(meg).post('/users/me/status', {status_text: ' on vacation ', emoji_name: 'car'});
  await as(meg).post('/users/me/status', {status_text: 'busy'});
  const car = {emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji'};
  expect((await as(otto).get(`/users/${meg.id}/status`)).status).toEqual({status_text: 'busy', ...car});
  const state = await as(otto).post('/register', {fetch_event_types: ['user_status']});
  expect(state.user_status).toEqual({[meg.id]: {status_text: 'busy', ...car}});
  await as(meg).post('/users/me/status', {status_text: '', emoji_name: ''});
  expect(await listener.events()).toEqual([
    {id: 0, type: 'user_status', user_id: meg.id, status_text: 'on vacation', ...car},
    {id: 1, type: 'user_status', user_id: meg.id, status_text: 'busy'},
    {
      id: 2,
      type: 'user_status',
      user_id: meg.id,
      status_text: '',
      emoji_name: '',
      emoji_code: '',
      reaction_type: 'unicode_emoji',
    },
  ]);
  expect((await as(otto).get(`/users/${meg.id}/status`)).status).toEqual({});
  const fresh = await as(otto).post('/register', {fetch_event_types: ['user_status']});
  expect(fresh.user_status).toEqual({});
});

test('user status: away turns presence sharing off', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  const listener = await as(meg).listen({event_types: ['user_status', 'user_settings']});
  await as(meg).post('/users/me/status', {away: true});
  expect(await listener.events()).toMatchObject([
    {type: 'user_settings', op: 'update', property: 'presence_enabled', value: false},
    {type: 'user_status', user_id: meg.id, away: true},
  ]);
  expect((await as(meg).get(`/users/${meg.id}/status`)).status).toEqual({away: true});
  const state = await as(meg).post('/register', {fetch_event_types: ['user_status']});
  expect(state.user_status).toEqual({[meg.id]: {away: true}});
  await as(meg).post('/users/me/status', {away: false, status_text: 'back'});
  expect(await listener.events()).toMatchObject([
    {type: 'user_settings', property: 'presence_enabled', value: true},
    {type: 'user_status', user_id: meg.id, away: false, status_text: 'back'},
  ]);
});

test.each([
  {why: 'nothing', params: {}},
  {why: 'a code without a name', params: {emoji_code: '1f697'}},
  {why: 'a type without a name', params: {status_text: 'x', reaction_type: 'unicode_emoji'}},
  {why: 'an unknown emoji', params: {emoji_name: 'no_such_emoji'}},
  {why: 'a code of another emoji', params: {emoji_name: 'car', emoji_code: '1f600'}},
  {why: 'text beyond sixty characters', params: {status_text: 'x'.repeat(61)}},
])('user status: refuses $why', async ({params}) => {
  const {people, as} = await testServer();
  await as(people.member()).refused('POST', '/users/me/status', params, {code: 'BAD_REQUEST'});
});

test('user status: only administrators set the status of others', async () => {
  const {people, as} = await testServer();
  const meg = people.member();
  await as(people.admin()).post(`/users/${meg.id}/status`, {status_text: 'ill'});
  expect((await as(meg).get(`/users/${meg.id}/status`)).status).toEqual({status_text: 'ill'});
  const denied = {code: 'BAD_REQUEST'};
  await as(people.moderator()).refused('POST', `/users/${meg.id}/status`, {status_text: 'x'}, denied);
  await as(meg).refused('GET', '/users/9999/status', {}, {code: 'BAD_REQUEST'});
});

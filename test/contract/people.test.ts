import {test} from 'vitest';
import {scene} from './scene.ts';

test('an account is created', async () => {
  const {server, owner, watch} = await scene();
  const account = {email: 'new@example.com', password: 'correct horse battery', full_name: 'New Person'};
  await watch(() => server.as(owner).post('/users', account));
});

test('a name and a role change', async () => {
  const {server, owner, meg, watch} = await scene();
  await watch(() => server.as(owner).patch(`/users/${meg.id}`, {full_name: 'Meg Renamed'}));
  await watch(() => server.as(owner).patch(`/users/${meg.id}`, {role: 300}));
});

test('an address changes', async () => {
  const {server, owner, watch} = await scene();
  const other = server.people.member('Moving Person');
  await watch(() => server.as(owner).patch(`/users/${other.id}`, {new_email: 'moved@example.com'}));
});

test('deactivation and reactivation', async () => {
  const {server, owner, watch} = await scene();
  const other = server.people.member('Leaving Person');
  const group = {name: 'leavers', description: '', members: [owner.id, other.id]};
  await server.as(owner).post('/user_groups/create', group);
  server.people.subscribe(other, 1);
  await watch(() => server.as(owner).delete(`/users/${other.id}`));
  await watch(() => server.as(owner).post(`/users/${other.id}/reactivate`));
});

test('status comes and goes', async () => {
  const {server, meg, watch} = await scene();
  const client = server.as(meg);
  await watch(() => client.post('/users/me/status', {status_text: 'at lunch', emoji_name: 'hamburger'}));
  await watch(() => client.post('/users/me/status', {status_text: ''}));
  await watch(() => client.post('/users/me/status', {emoji_name: ''}));
});

test('muting a person', async () => {
  const {server, meg, owner, watch} = await scene();
  await watch(() => server.as(meg).post(`/users/me/muted_users/${owner.id}`));
  await watch(() => server.as(meg).delete(`/users/me/muted_users/${owner.id}`));
});

test('alert words', async () => {
  const {server, meg, watch} = await scene();
  await watch(() => server.as(meg).post('/users/me/alert_words', {alert_words: ['lunch', 'deploy']}));
  await watch(() => server.as(meg).delete('/users/me/alert_words', {alert_words: ['lunch']}));
});

test.each([
  ['enter_sends', true],
  ['color_scheme', 2],
  ['web_home_view', 'recent'],
  ['twenty_four_hour_time', true],
  ['presence_enabled', false],
  ['email_address_visibility', 3],
  ['timezone', 'Europe/Lisbon'],
  ['full_name', 'Meg Otherwise'],
])('the personal setting %s', async (name, value) => {
  const {server, meg, watch} = await scene();
  await watch(() => server.as(meg).patch('/settings', {[name]: value}));
});

test('profile data', async () => {
  const {server, owner, meg, watch} = await scene();
  const {id} = await server.as(owner).post('/realm/profile_fields', {name: 'Motto', field_type: 1});
  await watch(() => server.as(meg).patch('/users/me/profile_data', {data: [{id, value: 'carpe *diem*'}]}));
  await watch(() => server.as(owner).patch(`/users/${meg.id}`, {profile_data: [{id, value: 'changed'}]}));
  await watch(() => server.as(meg).delete('/users/me/profile_data', {data: [id]}));
});

test('coming online', async () => {
  const {server, meg, owner, watch} = await scene();
  await watch(() => server.as(meg).post('/users/me/presence', {status: 'active', last_update_id: -1}), owner);
});

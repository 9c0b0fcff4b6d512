import {test} from 'vitest';
import {scene} from './scene.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

test('linkifiers', async () => {
  const {server, owner, watch} = await scene();
  const client = server.as(owner);
  const params = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}'};
  await watch(() => client.post('/realm/filters', params));
  const {linkifiers} = await client.get('/realm/linkifiers');
  const example = {example_input: '#12', reverse_template: '#{id}'};
  await watch(() => client.patch(`/realm/filters/${linkifiers[0].id}`, {...params, ...example}));
  await watch(() =>
    client.post('/realm/filters', {pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example/{n}'}),
  );
  const ids = (await client.get('/realm/linkifiers')).linkifiers.map((one: {id: number}) => one.id);
  await watch(() => client.patch('/realm/linkifiers', {ordered_linkifier_ids: [...ids].reverse()}));
  await watch(() => client.delete(`/realm/filters/${ids[0]}`));
});

test('domains', async () => {
  const {server, owner, watch} = await scene();
  const client = server.as(owner);
  await watch(() => client.post('/realm/domains', {domain: 'example.org', allow_subdomains: false}));
  await watch(() => client.patch('/realm/domains/example.org', {allow_subdomains: true}));
  await watch(() => client.delete('/realm/domains/example.org'));
});

test('profile fields', async () => {
  const {server, owner, watch} = await scene();
  const client = server.as(owner);
  await watch(() => client.post('/realm/profile_fields', {name: 'Motto', hint: 'short', field_type: 1}));
  const choices = {a: {text: 'Tea', order: '1'}, b: {text: 'Coffee', order: '2'}};
  await watch(() =>
    client.post('/realm/profile_fields', {name: 'Drink', field_type: 3, field_data: choices}),
  );
  const ids = (await client.get('/realm/profile_fields')).custom_fields.map(
    (field: {id: number}) => field.id,
  );
  await watch(() => client.patch('/realm/profile_fields', {order: [...ids].reverse()}));
  await watch(() => client.patch(`/realm/profile_fields/${ids[0]}`, {name: 'Saying', required: true}));
  await watch(() => client.delete(`/realm/profile_fields/${ids[1]}`));
});

test('custom emoji', async () => {
  const {server, owner, watch} = await scene();
  await watch(() =>
    server.as(owner).upload('/realm/emoji/tide_clock', 'clock.png', new Uint8Array(png), 'image/png'),
  );
  await watch(() => server.as(owner).delete('/realm/emoji/tide_clock'));
});

test('groups', async () => {
  const {server, owner, meg, guest, watch} = await scene();
  const client = server.as(owner);
  await watch(() =>
    client.post('/user_groups/create', {name: 'crew', description: 'all hands', members: [owner.id]}),
  );
  await watch(() => client.post('/user_groups/create', {name: 'deck', description: '', members: [guest.id]}));
  const {user_groups} = await client.get('/user_groups');
  const [crew, deck] = user_groups.filter((group: {is_system_group: boolean}) => !group.is_system_group);
  await watch(() => client.patch(`/user_groups/${crew.id}`, {name: 'whole crew', description: 'everybody'}));
  await watch(() => client.post(`/user_groups/${crew.id}/members`, {add: [meg.id]}));
  await watch(() => client.post(`/user_groups/${crew.id}/members`, {delete: [meg.id]}));
  await watch(() => client.post(`/user_groups/${crew.id}/subgroups`, {add: [deck.id]}));
  await watch(() => client.post(`/user_groups/${crew.id}/subgroups`, {delete: [deck.id]}));
  await watch(() => client.post(`/user_groups/${deck.id}/deactivate`));
});

test.each([
  ['name', 'Renamed'],
  ['description', 'About **us**'],
  ['waiting_period_threshold', 3],
  ['message_content_edit_limit_seconds', 60],
  ['can_mention_many_users_group', {new: 3}],
])('the organization setting %s', async (name, value) => {
  const {server, owner, watch} = await scene();
  await watch(() => server.as(owner).patch('/realm', {[name]: value}));
});

test('bots', async () => {
  const {server, meg, watch} = await scene();
  const client = server.as(meg);
  await watch(() => client.post('/bots', {full_name: 'Tide Bot', short_name: 'tide'}));
  const {bots} = await client.get('/bots');
  await watch(() => client.patch(`/bots/${bots[0].user_id}`, {full_name: 'High Tide Bot'}));
  await watch(() => client.delete(`/bots/${bots[0].user_id}`));
});

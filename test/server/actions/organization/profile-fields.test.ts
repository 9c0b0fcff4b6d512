import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const server = await testServer();
  return {server, admin: server.people.admin(), meg: server.people.member()};
}

const bad = {code: 'BAD_REQUEST'};
const choices = {a: {text: 'Vim', order: '1'}, b: {text: 'Emacs', order: '2'}};

test('profile fields: a new field is sent to all users, with optional flags only when true', async () => {
  const {server, admin, meg} = await setup();
  const queue = await server.as(meg).listen();
  const plain = await server.as(admin).post('/realm/profile_fields', {name: 'Town', field_type: 1});
  const full = await server.as(admin).post('/realm/profile_fields', {
    name: 'Editor',
    hint: 'Which?',
    field_type: 3,
    field_data: choices,
    display_in_profile_summary: true,
    required: true,
    editable_by_user: false,
    use_for_user_matching: true,
  });
  const fields = [
    {
      id: plain.id,
      name: 'Town',
      type: 1,
      hint: '',
      field_data: '',
      order: 1,
      required: false,
      editable_by_user: true,
    },
    {
      id: full.id,
      name: 'Editor',
      type: 3,
      hint: 'Which?',
      field_data: JSON.stringify(choices),
      order: 2,
      required: true,
      editable_by_user: false,
      display_in_profile_summary: true,
      use_for_user_matching: true,
    },
  ];
  expect((await server.as(meg).get('/realm/profile_fields')).custom_fields).toEqual(fields);
  expect((await queue.events()).at(-1)).toEqual({id: 1, type: 'custom_profile_fields', fields});
  const {state} = await server.as(meg).listen({fetch_event_types: ['custom_profile_fields']});
  expect(state.custom_profile_fields).toEqual(fields);
  expect(state.custom_profile_field_types).toMatchObject({
    SHORT_TEXT: {id: 1, name: expect.any(String)},
    PRONOUNS: {id: 8, name: expect.any(String)},
  });
});

test('profile fields: a field for a known service has the service’s name', async () => {
  const {server, admin} = await setup();
  const account = {field_type: 7, field_data: {subtype: 'github'}};
  const {id} = await server.as(admin).post('/realm/profile_fields', account);
  const {custom_fields} = await server.as(admin).get('/realm/profile_fields');
  expect(custom_fields[0]).toMatchObject({id, name: 'GitHub username', field_data: '{"subtype":"github"}'});
  await server.as(admin).refused('PATCH', `/realm/profile_fields/${id}`, {name: 'Mine'}, bad);
  await server.as(admin).patch(`/realm/profile_fields/${id}`, {display_in_profile_summary: true});
});

test.each([
  ['no name', {name: ' ', field_type: 1}],
  ['too long a name', {name: 'x'.repeat(41), field_type: 1}],
  ['too long a hint', {name: 'x', hint: 'x'.repeat(81), field_type: 1}],
  ['an unknown type', {name: 'x', field_type: 99}],
  ['no choices', {name: 'x', field_type: 3, field_data: {}}],
  ['a blank choice', {name: 'x', field_type: 3, field_data: {a: {text: ' ', order: '1'}}}],
  ['a choice that is no object', {name: 'x', field_type: 3, field_data: {a: 'Vim'}}],
  ['two equal choices', {name: 'x', field_type: 3, field_data: {a: choices.a, b: choices.a}}],
  ['an unknown service', {name: 'x', field_type: 7, field_data: {subtype: 'nowhere'}}],
  ['no service', {name: 'x', field_type: 7}],
  ['a service without a URL', {name: 'x', field_type: 7, field_data: {subtype: 'custom'}}],
  ['a URL without a username', {name: 'x', field_type: 7, field_data: {subtype: 'custom', url_pattern: 'https://x'}}],
  [
    'a URL that is none',
    {name: 'x', field_type: 7, field_data: {subtype: 'custom', url_pattern: 'javascript:%(username)s'}},
  ],
  ['people in the summary', {name: 'x', field_type: 6, display_in_profile_summary: true}],
  ['user matching by a long text', {name: 'x', field_type: 2, use_for_user_matching: true}],
])('profile fields: a field with %s is refused', async (_, params) => {
  const {server, admin} = await setup();
  await server.as(admin).refused('POST', '/realm/profile_fields', params, bad);
});

test('profile fields: at most two fields are in the summary, and names are unique', async () => {
  const {server, admin} = await setup();
  const field = (name: string) => ({name, field_type: 1, display_in_profile_summary: true});
  await server.as(admin).post('/realm/profile_fields', field('One'));
  const {id} = await server.as(admin).post('/realm/profile_fields', field('Two'));
  await server.as(admin).refused('POST', '/realm/profile_fields', field('Three'), bad);
  await server.as(admin).refused('POST', '/realm/profile_fields', {name: 'One', field_type: 1}, bad);
  await server.as(admin).post('/realm/profile_fields', {name: 'one', field_type: 1});
  await server.as(admin).patch(`/realm/profile_fields/${id}`, field('Two'));
  await server.as(admin).refused('PATCH', `/realm/profile_fields/${id}`, {name: 'One'}, bad);
  await server.as(admin).refused('PATCH', '/realm/profile_fields/999', {name: 'x'}, bad);
});

test('profile fields: removing a choice clears it for all users', async () => {
  const {server, admin, meg} = await setup();
  const params = {name: 'Editor', field_type: 3, field_data: choices};
  const {id} = await server.as(admin).post('/realm/profile_fields', params);
  for (const person of [meg, admin]) {
    await server.as(person).patch('/users/me/profile_data', {data: [{id, value: 'b'}]});
  }
  const queue = await server.as(meg).listen();
  await server.as(admin).patch(`/realm/profile_fields/${id}`, {field_data: {a: choices.a}});
  const cleared = [admin.id, meg.id].sort((a, b) => a - b);
  expect(await queue.events()).toMatchObject([
    ...cleared.map((user_id) => ({op: 'update', person: {user_id, custom_profile_field: {id, value: null}}})),
    {type: 'custom_profile_fields', fields: [{id, field_data: JSON.stringify({a: choices.a})}]},
  ]);
});

test('profile fields: reordering and removal are sent to all users', async () => {
  const {server, admin, meg} = await setup();
  const {id: one} = await server.as(admin).post('/realm/profile_fields', {name: 'One', field_type: 1});
  const {id: two} = await server.as(admin).post('/realm/profile_fields', {name: 'Two', field_type: 4});
  await server.as(meg).patch('/users/me/profile_data', {data: [{id: two, value: '2000-01-01'}]});
  const queue = await server.as(meg).listen();
  await server.as(admin).patch('/realm/profile_fields', {order: [two, one, 999]});
  await server.as(admin).refused('PATCH', '/realm/profile_fields', {order: [two]}, bad);
  await server.as(admin).delete(`/realm/profile_fields/${two}`);
  await server.as(admin).refused('DELETE', `/realm/profile_fields/${two}`, {}, bad);
  expect(await queue.events()).toMatchObject([
    {
      fields: [
        {id: two, order: 0},
        {id: one, order: 1},
      ],
    },
    {fields: [{id: one}]},
  ]);
  expect(server.context.db.all('SELECT * FROM profile_value')).toEqual([]);
});

test('profile fields: only administrators change fields', async () => {
  const {server, meg} = await setup();
  const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await server.as(meg).refused('POST', '/realm/profile_fields', {name: 'x', field_type: 1}, refusal);
  await server.as(meg).refused('PATCH', '/realm/profile_fields', {order: []}, refusal);
  await server.as(meg).refused('PATCH', '/realm/profile_fields/1', {name: 'x'}, refusal);
  await server.as(meg).refused('DELETE', '/realm/profile_fields/1', {}, refusal);
});

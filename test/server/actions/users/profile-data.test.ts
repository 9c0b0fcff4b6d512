import {expect, test} from 'vitest';
import {type TestServer, testServer} from '#test/support/server.ts';

function addFields({context}: TestServer): void {
  const add = (id: number, type: number, name: string, data = '', editable = 1) =>
    context.db.run(
      `INSERT INTO profile_field (id, name, type, field_data, sort_order, editable_by_user) VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      name,
      type,
      data,
      id,
      editable,
    );
  add(1, 1, 'Job');
  add(2, 2, 'About');
  add(3, 3, 'Team', JSON.stringify({a: {text: 'Ants', order: '1'}, b: {text: 'Bees', order: '2'}}));
  add(4, 4, 'Born');
  add(5, 5, 'Page');
  add(6, 6, 'Mentor');
  add(7, 7, 'GitHub', '{"subtype":"github"}');
  add(8, 8, 'Pronouns');
  add(9, 1, 'Badge', '', 0);
}

test('profile data: a linkifier counts for values of plain words, too', async () => {
  const server = await testServer();
  addFields(server);
  const [meg, admin] = [server.people.member(), server.people.admin()];
  const linkifier = {pattern: 'Row (?P<id>[0-9]+)', url_template: 'https://rows.example.com/{id}'};
  await server.as(admin).post('/realm/filters', linkifier);
  await server.as(meg).patch('/users/me/profile_data', {data: [{id: 1, value: 'Row 12'}]});
  const {user} = await server.as(admin).get(`/users/${meg.id}`, {include_custom_profile_fields: true});
  expect(user.profile_data[1].rendered_value).toContain('https://rows.example.com/12');
});

test('profile data: each type of field is stored in its format and sent to all users', async () => {
  const server = await testServer();
  addFields(server);
  const {people, as} = server;
  const meg = people.member();
  const otto = people.member('Otto Other');
  const listener = await as(otto).listen({event_types: ['realm_user']});
  const data = [
    {id: 1, value: 'Pilot'},
    {id: 2, value: 'Likes *clouds*'},
    {id: 3, value: 'b'},
    {id: 4, value: '1990-02-28'},
    {id: 5, value: 'https://example.com/me'},
    {id: 6, value: [otto.id]},
    {id: 7, value: 'meg'},
    {id: 8, value: 'she/her'},
  ];
  await as(meg).patch('/users/me/profile_data', {data});
  const shown = await as(otto).get(`/users/${meg.id}`, {include_custom_profile_fields: true});
  const {profile_data} = shown.user;
  expect(profile_data).toMatchObject({
    1: {value: 'Pilot', rendered_value: expect.stringContaining('Pilot')},
    2: {value: 'Likes *clouds*', rendered_value: expect.stringContaining('clouds')},
    3: {value: 'b'},
    6: {value: `[${otto.id}]`},
  });
  expect(profile_data[3]).not.toHaveProperty('rendered_value');
  const events = await listener.events();
  expect(events).toHaveLength(8);
  for (const {person} of events) {
    const {id, ...rest} = person.custom_profile_field;
    expect(person.user_id).toBe(meg.id);
    expect(rest).toEqual(profile_data[id]);
  }
});

test('profile data: an unchanged value sends no event; no users and removal clear a field, an empty text stays', async () => {
  const server = await testServer();
  addFields(server);
  const {people, as} = server;
  const meg = people.member();
  const set = (id: number, value: unknown) => as(meg).patch('/users/me/profile_data', {data: [{id, value}]});
  await set(1, 'Pilot');
  await set(2, 'About');
  await set(6, [meg.id]);
  const listener = await as(meg).listen({event_types: ['realm_user']});
  await set(1, 'Pilot');
  expect(await listener.events()).toEqual([]);
  await as(meg).refused('PATCH', '/users/me/profile_data', {data: [{id: 1, value: null}]}, {code: 'BAD_REQUEST'});
  await set(1, '');
  await set(6, []);
  await as(meg).delete('/users/me/profile_data', {data: [2]});
  const cleared = (id: number) => ({person: {user_id: meg.id, custom_profile_field: {id, value: null}}});
  const emptied = {person: {user_id: meg.id, custom_profile_field: {id: 1, value: ''}}};
  expect(await listener.events()).toMatchObject([emptied, cleared(6), cleared(2)]);
  expect((await as(meg).get('/users/me')).profile_data).toEqual({1: {value: '', rendered_value: ''}});
});

test.each([
  {why: 'an unknown field', id: 99, value: 'x'},
  {why: 'a short text that is long', id: 1, value: 'x'.repeat(51)},
  {why: 'a text that is a list', id: 1, value: [1]},
  {why: 'a paragraph that is too long', id: 2, value: 'x'.repeat(501)},
  {why: 'a choice that is none', id: 3, value: 'c'},
  {why: 'a day that does not exist', id: 4, value: '1990-02-30'},
  {why: 'a date in another form', id: 4, value: '28.02.1990'},
  {why: 'a link without a host', id: 5, value: 'https://'},
  {why: 'a link that runs a script', id: 5, value: 'javascript:alert(1)'},
  {why: 'an unknown person', id: 6, value: [9999]},
  {why: 'people in words', id: 6, value: 'Meg'},
  {why: 'a field that administrators fill in', id: 9, value: 'x'},
])('profile data: refuses $why', async ({id, value}) => {
  const server = await testServer();
  addFields(server);
  const meg = server.people.member();
  const data = [
    {id: 8, value: 'they'},
    {id, value},
  ];
  await server.as(meg).refused('PATCH', '/users/me/profile_data', {data}, {code: 'BAD_REQUEST'});
  expect((await server.as(meg).get('/users/me')).profile_data).toEqual({});
});

test('profile data: an administrator writes the fields of others, including restricted ones', async () => {
  const server = await testServer();
  addFields(server);
  const {people, as} = server;
  const meg = people.member();
  const profile_data = [
    {id: 9, value: '007'},
    {id: 1, value: null},
  ];
  await as(people.admin()).patch(`/users/${meg.id}`, {profile_data});
  expect((await as(meg).get('/users/me')).profile_data).toMatchObject({9: {value: '007'}});
  await as(meg).refused('DELETE', '/users/me/profile_data', {data: [9]}, {code: 'BAD_REQUEST'});
});

test.each(['Pilot', 'Ingénieure, senior', 'Team 7 - North', 'a  b', 'A1, B2', 'Ünïcode'])(
  'profile data: the plain text %j is rendered as by the renderer',
  async (text) => {
    const server = await testServer();
    addFields(server);
    const meg = server.people.member();
    await server.as(meg).patch('/users/me/profile_data', {data: [{id: 1, value: text}]});
    const {profile_data} = await server.as(meg).get('/users/me');
    expect(profile_data[1].rendered_value).toBe(server.context.renderer.descriptionHtml(text));
  },
);

test('profile data: fields that an administrator sets are told of in one message, cleared ones each in its own before', async () => {
  const server = await testServer();
  addFields(server);
  const {people, as} = server;
  const [admin, meg] = [people.admin(), people.member()];
  const queue = await as(meg).listen({event_types: ['message']});
  const change = async (profile_data: object[]) => {
    await as(admin).patch(`/users/${meg.id}`, {profile_data});
    return (await queue.events()).map(({message}) => message.content.split('\n').slice(1).join('\n'));
  };
  const part = (name: string, before: string, after: string) =>
    `- **Old ${name}:** ${before}\n- **New ${name}:** ${after}`;
  const job = {id: 1, value: 'Pilot'};
  expect(await change([job, {id: 3, value: 'a'}])).toEqual([
    `${part('Job', '*None*', 'Pilot')}\n\n---\n\n${part('Team', '*None*', 'Ants')}`,
  ]);
  expect(
    await change([
      {...job, value: 'Cook'},
      {id: 3, value: ''},
    ]),
  ).toEqual([part('Team', 'Ants', '*None*'), part('Job', 'Pilot', 'Cook')]);
});

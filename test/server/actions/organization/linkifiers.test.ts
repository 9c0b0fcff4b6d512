import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const server = await testServer();
  return {server, admin: server.people.admin(), meg: server.people.member()};
}

const ticket = {pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example.com/{id}'};
const bad = {code: 'BAD_REQUEST'};

test('linkifiers: a new linkifier is sent to all clients', async () => {
  const {server, admin, meg} = await setup();
  const modern = await server.as(meg).listen();
  const old = await server.as(meg).listen({client_capabilities: {notification_settings_null: false}});
  const {id} = await server.as(admin).post('/realm/filters', ticket);
  const linkifier = {
    id,
    ...ticket,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
  };
  expect((await server.as(meg).get('/realm/linkifiers')).linkifiers).toEqual([linkifier]);
  for (const listener of [modern, old]) {
    expect(await listener.events()).toEqual([{id: 0, type: 'realm_linkifiers', realm_linkifiers: [linkifier]}]);
  }
  const fetch = {fetch_event_types: ['realm_linkifiers', 'realm_filters']};
  const fresh = await server.as(meg).listen(fetch);
  expect(fresh.state).toMatchObject({realm_linkifiers: [linkifier], realm_filters: []});
  const without = await server.as(meg).listen({...fetch, client_capabilities: {notification_settings_null: false}});
  expect(without.state.realm_linkifiers).toEqual([]);
});

test('linkifiers: messages are rendered with those that are there at the time', async () => {
  const {server, admin, meg} = await setup();
  const rendered = async () => (await server.as(meg).post('/messages/render', {content: '#7'})).rendered;
  expect(await rendered()).toBe('<p>#7</p>');
  const {id} = await server.as(admin).post('/realm/filters', ticket);
  expect(await rendered()).toContain('https://tickets.example.com/7');
  await server.as(admin).patch(`/realm/filters/${id}`, {...ticket, url_template: 'https://new.example.com/{id}'});
  expect(await rendered()).toContain('https://new.example.com/7');
  await server.as(admin).delete(`/realm/filters/${id}`);
  expect(await rendered()).toBe('<p>#7</p>');
});

test.each([
  ['a broken pattern', {...ticket, pattern: '#(?P<id>[0-9]+'}],
  ['look-around', {...ticket, pattern: '(?<=#)(?P<id>[0-9]+)'}],
  ['a group that the template lacks', {...ticket, url_template: 'https://example.com/'}],
  ['a variable that the pattern lacks', {...ticket, url_template: 'https://example.com/{id}/{x}'}],
  ['a broken template', {...ticket, url_template: 'https://example.com/{id'}],
  ['an example that does not match', {...ticket, example_input: 'abc'}],
  ['a reverse template without an example', {...ticket, reverse_template: '#{id}'}],
  [
    'a reverse template that does not give the example back',
    {...ticket, example_input: '#7', reverse_template: '{id}'},
  ],
  ['an alternative that is the template', {...ticket, alternative_url_templates: [ticket.url_template]}],
])('linkifiers: a linkifier with %s is refused', async (_, params) => {
  const {server, admin} = await setup();
  await server.as(admin).refused('POST', '/realm/filters', params, bad);
  expect((await server.as(admin).get('/realm/linkifiers')).linkifiers).toEqual([]);
});

test('linkifiers: an error names the field that is blank, or the linkifier as a whole', async () => {
  const {server, admin} = await setup();
  const errorsFor = async (params: object) =>
    (await server.as(admin).refused('POST', '/realm/filters', {...ticket, ...params}, bad)).errors;
  expect(await errorsFor({pattern: ' '})).toMatchObject({pattern: ['This field cannot be blank.']});
  expect(await errorsFor({url_template: ''})).toEqual({
    url_template: ['This field cannot be blank.'],
    __all__: ["Group 'id' in linkifier pattern is not present in URL template."],
  });
  expect(await errorsFor({alternative_url_templates: ['https://old.example.com/']})).toEqual({
    __all__: ["Group 'id' in linkifier pattern is not present in alternative URL template."],
  });
});

test('linkifiers: an update replaces pattern and template and keeps omitted fields', async () => {
  const {server, admin, meg} = await setup();
  const full = {
    ...ticket,
    example_input: '#7',
    reverse_template: '#{id}',
    alternative_url_templates: ['https://old.example.com/{id}'],
  };
  const {id} = await server.as(admin).post('/realm/filters', full);
  const queue = await server.as(meg).listen();
  const url_template = 'https://new.example.com/{id}';
  await server.as(admin).patch(`/realm/filters/${id}`, {...ticket, url_template});
  expect(await queue.events()).toMatchObject([{realm_linkifiers: [{...full, id, url_template}]}]);
  await server.as(admin).patch(`/realm/filters/${id}`, {
    ...ticket,
    example_input: '',
    reverse_template: '',
    alternative_url_templates: [],
  });
  expect((await server.as(meg).get('/realm/linkifiers')).linkifiers).toEqual([
    {id, ...ticket, example_input: null, reverse_template: null, alternative_url_templates: []},
  ]);
});

test('linkifiers: an update is refused for an unknown id, a taken pattern, a missing parameter and a mismatch', async () => {
  const {server, admin} = await setup();
  const {id} = await server.as(admin).post('/realm/filters', ticket);
  const other = {...ticket, pattern: 'T(?P<id>[0-9]+)'};
  await server.as(admin).post('/realm/filters', other);
  const unknown = await server.as(admin).refused('PATCH', '/realm/filters/999', ticket, bad);
  expect(unknown.msg).toBe('Linkifier not found.');
  await server.as(admin).refused('PATCH', `/realm/filters/${id}`, other, bad);
  await server.as(admin).refused('POST', '/realm/filters', other, bad);
  const missing = {code: 'REQUEST_VARIABLE_MISSING'};
  await server.as(admin).refused('PATCH', `/realm/filters/${id}`, {pattern: ticket.pattern}, missing);
  const mismatch = {...ticket, example_input: '#7', reverse_template: '{{{id}}}'};
  await server.as(admin).refused('PATCH', `/realm/filters/${id}`, mismatch, bad);
});

test('linkifiers: reordering and removal are sent to all users', async () => {
  const {server, admin, meg} = await setup();
  const {id: first} = await server.as(admin).post('/realm/filters', ticket);
  const {id: second} = await server.as(admin).post('/realm/filters', {...ticket, pattern: 'T(?P<id>[0-9]+)'});
  const queue = await server.as(meg).listen();
  await server.as(admin).patch('/realm/linkifiers', {ordered_linkifier_ids: [second, first]});
  await server.as(admin).refused('PATCH', '/realm/linkifiers', {ordered_linkifier_ids: [second]}, bad);
  await server.as(admin).refused('PATCH', '/realm/linkifiers', {ordered_linkifier_ids: [first, first]}, bad);
  await server.as(admin).delete(`/realm/filters/${second}`);
  await server.as(admin).refused('DELETE', `/realm/filters/${second}`, {}, bad);
  expect(await queue.events()).toMatchObject([
    {realm_linkifiers: [{id: second}, {id: first}]},
    {realm_linkifiers: [{id: first}]},
  ]);
});

test('linkifiers: only administrators change linkifiers', async () => {
  const {server, admin, meg} = await setup();
  const {id} = await server.as(admin).post('/realm/filters', ticket);
  const refusal = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await server.as(meg).refused('POST', '/realm/filters', ticket, refusal);
  await server.as(meg).refused('PATCH', `/realm/filters/${id}`, ticket, refusal);
  await server.as(meg).refused('DELETE', `/realm/filters/${id}`, {}, refusal);
  await server.as(meg).refused('PATCH', '/realm/linkifiers', {ordered_linkifier_ids: [id]}, refusal);
});

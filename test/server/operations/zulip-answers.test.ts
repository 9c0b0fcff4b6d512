import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

/* Answers of Zulip's servers that the other tests of the areas do not cover. */

async function setup() {
  const server = await testServer({clock: new ManualClock()});
  const [meg, otto, admin] = [server.people.member(), server.people.member('Otto'), server.people.admin()];
  server.people.channel('general', [meg, otto]);
  return {server, meg, otto, admin};
}

test.each([
  ['POST', '/register', {idle_queue_timeout: 0}],
  ['PATCH', '/settings', {timezone: ''}],
  ['PATCH', '/settings', {web_home_view: 'recent_topics'}],
] as const)('answers: %s %s with %j is refused', async (method, path, params) => {
  const {server, meg} = await setup();
  await server.as(meg).refused(method, path, params, {code: 'BAD_REQUEST'});
});

test('answers: there is no GET /users/me/presence', async () => {
  const {server, meg} = await setup();
  const {status, body} = await server.as(meg).raw('GET', '/users/me/presence');
  expect([status, body.allowed_methods]).toEqual([405, ['POST']]);
});

test('answers: a new person needs a name', async () => {
  const {server} = await setup();
  const person = {email: 'new@e.org', full_name: ' ', password: 'long enough words'};
  const {msg} = await server.as(server.people.owner()).refused('POST', '/users', person, {code: 'BAD_REQUEST'});
  expect(msg).toBe('Name must not be empty!');
});

test('answers: a private channel is linked only by those who can read it', async () => {
  const {server, meg} = await setup();
  const owner = server.people.owner();
  server.people.channel('secret', [meg], {invite_only: 1});
  const rendered = async (author: typeof meg) =>
    (await server.as(author).post('/messages/render', {content: '#**secret**'})).rendered;
  expect(await rendered(meg)).toContain('data-stream-id');
  expect(await rendered(owner)).toBe('<p>#<strong>secret</strong></p>');
});

test('answers: of a parameter that is sent twice, the last value counts', async () => {
  const {server, meg} = await setup();
  const response = await fetch(`${server.url}/api/v1/users/me/status`, {
    method: 'POST',
    headers: {authorization: `Basic ${Buffer.from(`${meg.email}:${meg.apiKey}`).toString('base64')}`},
    body: new URLSearchParams([
      ['status_text', 'first'],
      ['status_text', 'last'],
    ]),
  });
  expect(response.status).toBe(200);
  expect((await server.as(meg).get(`/users/${meg.id}/status`)).status).toEqual({status_text: 'last'});
});

test('answers: a date in the future anchors at the newest message', async () => {
  const {server, meg, otto} = await setup();
  const {id} = await server.as(otto).post('/messages', {type: 'stream', to: 'general', topic: 't', content: 'hi'});
  const page = {anchor: 'date', anchor_date: '2200-01-01T00:00:00Z', num_before: 5, num_after: 5};
  expect(await server.as(meg).get('/messages', page)).toMatchObject({anchor: id, found_anchor: true, messages: [{id}]});
});

test('answers: -in:home is empty while nothing is muted', async () => {
  const {server, meg, otto} = await setup();
  await server.as(otto).post('/messages', {type: 'stream', to: 'general', topic: 't', content: 'hi'});
  const narrow = [{operator: 'in', operand: 'home', negated: true}];
  const page = {anchor: 'newest', num_before: 5, num_after: 0, narrow};
  expect((await server.as(meg).get('/messages', page)).messages).toEqual([]);
});

test('answers: a profile field of people is not used for matching', async () => {
  const {server, admin} = await setup();
  const field = {name: 'Mentor', field_type: 6, use_for_user_matching: true};
  await server.as(admin).refused('POST', '/realm/profile_fields', field, {code: 'BAD_REQUEST'});
});

test('answers: characters of Markdown in names are escaped in the link of a message', async () => {
  const {server, meg} = await setup();
  const message = {type: 'stream', to: 'general', topic: 'a [b] `c` *d* > e', content: 'hi'};
  const {message_link} = await server.as(meg).post('/messages', message);
  expect(message_link).toMatch(/^\[#general > a &#91;b&#93; &#96;c&#96; &#42;d&#42; &gt; e @ 💬\]\(/);
});

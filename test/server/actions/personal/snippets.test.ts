import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const other = server.as(server.people.member('Otto Other'));
  return {clock, client, other};
}

const bad = {code: 'BAD_REQUEST'};
const missing = {code: 'BAD_REQUEST', status: 404};

test('snippets: a snippet is created, listed, changed and deleted', async () => {
  const {client, clock} = await setup();
  const {saved_snippet_id: id} = await client.post('/saved_snippets', {
    title: ' Greeting ',
    content: 'Hello!',
  });
  const snippet = {id, title: 'Greeting', content: 'Hello!', date_created: clock.seconds()};
  expect((await client.get('/saved_snippets')).saved_snippets).toEqual([snippet]);
  await client.patch(`/saved_snippets/${id}`, {title: 'Welcome'});
  await client.patch(`/saved_snippets/${id}`, {content: 'Hi!'});
  const state = await client.post('/register', {fetch_event_types: ['saved_snippets']});
  expect(state.saved_snippets).toEqual([{...snippet, title: 'Welcome', content: 'Hi!'}]);
  await client.delete(`/saved_snippets/${id}`);
  expect((await client.get('/saved_snippets')).saved_snippets).toEqual([]);
});

test('snippets: events go only to the owner’s sessions', async () => {
  const {client, other, clock} = await setup();
  const own = await client.listen();
  const theirs = await other.listen();
  const {saved_snippet_id: id} = await client.post('/saved_snippets', {title: 'a', content: 'b'});
  await client.patch(`/saved_snippets/${id}`, {content: 'c'});
  await client.delete(`/saved_snippets/${id}`);
  const snippet = {id, title: 'a', content: 'b', date_created: clock.seconds()};
  expect(await own.events()).toEqual([
    {id: 0, type: 'saved_snippets', op: 'add', saved_snippet: snippet},
    {id: 1, type: 'saved_snippets', op: 'update', saved_snippet: {...snippet, content: 'c'}},
    {id: 2, type: 'saved_snippets', op: 'remove', saved_snippet_id: id},
  ]);
  expect(await theirs.events()).toEqual([]);
});

test.each([
  ['an empty title', {title: '  '}],
  ['a title of 61 characters', {title: '🙂'.repeat(61)}],
  ['empty content', {content: ''}],
  ['content longer than a message', {content: 'x'.repeat(10_001)}],
  ['a null byte', {content: 'a\0b'}],
])('snippets: %s is refused', async (_what, fields) => {
  const {client} = await setup();
  await client.refused('POST', '/saved_snippets', {title: 't', content: 'c', ...fields}, bad);
  const {saved_snippet_id: id} = await client.post('/saved_snippets', {title: 't', content: 'c'});
  await client.refused('PATCH', `/saved_snippets/${id}`, fields, bad);
});

test('snippets: a title of sixty multi-byte characters is accepted', async () => {
  const {client} = await setup();
  await client.post('/saved_snippets', {title: '🙂'.repeat(60), content: 'c'});
});

test('snippets: an edit without changes changes nothing', async () => {
  const {client} = await setup();
  const {saved_snippet_id: id} = await client.post('/saved_snippets', {title: 't', content: 'c'});
  const listener = await client.listen();
  await client.patch(`/saved_snippets/${id}`);
  expect(await listener.events()).toEqual([]);
  expect((await client.get('/saved_snippets')).saved_snippets).toMatchObject([{id, title: 't', content: 'c'}]);
});

test('snippets: an unknown snippet or another user’s is not found', async () => {
  const {client, other} = await setup();
  const {saved_snippet_id: id} = await other.post('/saved_snippets', {title: 't', content: 'c'});
  for (const unknown of [id, 999]) {
    await client.refused('PATCH', `/saved_snippets/${unknown}`, {title: 'x'}, missing);
    await client.refused('DELETE', `/saved_snippets/${unknown}`, {}, missing);
  }
});

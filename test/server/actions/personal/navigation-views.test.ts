import {expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const server = await testServer();
  const client = server.as(server.people.member());
  const other = server.as(server.people.member('Otto Other'));
  return {client, other};
}

const bad = {code: 'BAD_REQUEST'};
const missing = {code: 'BAD_REQUEST', status: 404};
const custom = {fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts'};
const path = `/navigation_views/${encodeURIComponent(custom.fragment)}`;

test('navigation views: views are listed in order of creation; the name of built-in ones is null', async () => {
  const {client} = await setup();
  await client.post('/navigation_views', custom);
  await client.post('/navigation_views', {fragment: 'inbox', is_pinned: false});
  await client.post('/navigation_views', {fragment: 'drafts', is_pinned: true, name: null});
  const builtIn = {fragment: 'inbox', is_pinned: false, name: null};
  const views = [custom, builtIn, {fragment: 'drafts', is_pinned: true, name: null}];
  expect((await client.get('/navigation_views')).navigation_views).toEqual(views);
  const state = await client.post('/register', {fetch_event_types: ['navigation_views']});
  expect(state.navigation_views).toEqual(views);
});

test('navigation views: a view is addressed by its URL-encoded fragment', async () => {
  const {client, other} = await setup();
  // Somebody else has the same view.
  for (const each of [client, other]) await each.post('/navigation_views', custom);
  await client.patch(path, {name: 'Alarms'});
  expect((await client.get('/navigation_views')).navigation_views).toEqual([{...custom, name: 'Alarms'}]);
  await client.patch(path, {is_pinned: false});
  expect((await client.get('/navigation_views')).navigation_views).toEqual([
    {...custom, is_pinned: false, name: 'Alarms'},
  ]);
  await client.delete(path);
  expect((await client.get('/navigation_views')).navigation_views).toEqual([]);
  expect((await other.get('/navigation_views')).navigation_views).toEqual([custom]);
});

test('navigation views: events go only to the owner’s sessions', async () => {
  const {client, other} = await setup();
  const own = await client.listen();
  const theirs = await other.listen();
  await client.post('/navigation_views', custom);
  await client.patch(path, {is_pinned: false});
  await client.patch(path, {name: 'Alarms', is_pinned: true});
  await client.patch(path, {});
  await client.delete(path);
  const {fragment} = custom;
  expect(await own.events()).toEqual([
    {id: 0, type: 'navigation_view', op: 'add', navigation_view: custom},
    {id: 1, type: 'navigation_view', op: 'update', fragment, data: {is_pinned: false}},
    {id: 2, type: 'navigation_view', op: 'update', fragment, data: {is_pinned: true, name: 'Alarms'}},
    {id: 3, type: 'navigation_view', op: 'update', fragment, data: {}},
    {id: 4, type: 'navigation_view', op: 'remove', fragment},
  ]);
  expect(await theirs.events()).toEqual([]);
});

test.each([
  ['a blank fragment', {fragment: '  '}],
  ['a custom view without a name', {name: undefined}],
  ['a custom view with a blank name', {name: ' '}],
  ['a name that is too long', {name: 'x'.repeat(1001)}],
  ['a fragment that is too long', {fragment: 'x'.repeat(1001)}],
  ['a built-in view with a name', {fragment: 'narrow/is/starred'}],
  ['a pin that is neither true nor false', {is_pinned: 'perhaps'}],
])('navigation views: %s is refused', async (_what, fields) => {
  const {client} = await setup();
  const reply = await client.raw('POST', '/navigation_views', {...custom, ...fields});
  expect(reply.status).toBe(400);
  expect((await client.get('/navigation_views')).navigation_views).toEqual([]);
});

test('navigation views: a duplicate fragment or name is refused', async () => {
  const {client, other} = await setup();
  await client.post('/navigation_views', custom);
  await client.refused('POST', '/navigation_views', {...custom, name: 'Other'}, bad);
  await client.refused('POST', '/navigation_views', {...custom, fragment: 'x', name: 'alerts'}, bad);
  await client.post('/navigation_views', {...custom, fragment: 'x', name: 'Other'});
  await client.refused('PATCH', '/navigation_views/x', {name: 'Alerts'}, bad);
  await client.patch('/navigation_views/x', {name: 'other'});
  await other.post('/navigation_views', custom);
});

test('navigation views: a built-in view can be pinned but not named', async () => {
  const {client} = await setup();
  await client.post('/navigation_views', {fragment: 'narrow/is/starred', is_pinned: true});
  const starred = '/navigation_views/narrow%2Fis%2Fstarred';
  await client.refused('PATCH', starred, {name: 'Stars'}, bad);
  await client.patch(starred, {is_pinned: false});
});

test('navigation views: an unknown view or another user’s is not found', async () => {
  const {client, other} = await setup();
  await other.post('/navigation_views', custom);
  await client.refused('PATCH', path, {is_pinned: false}, missing);
  await client.refused('DELETE', path, {}, missing);
});

test('navigation views: the error names missing required parameters', async () => {
  const {client} = await setup();
  const refusal = await client.refused(
    'POST',
    '/navigation_views',
    {fragment: 'inbox'},
    {code: 'REQUEST_VARIABLE_MISSING'},
  );
  expect(refusal.var_name).toBe('is_pinned');
});

import {expect, test} from 'vitest';
import {failureOf} from '#test/api/client.ts';
import {decodeTolerantly} from '#wire/decode-tolerantly.ts';
import {endpoints} from '#wire/endpoints.ts';
import {termSince} from '#wire/narrow.ts';
import {apiOfFakeServer} from './compat-fixture.ts';
import {message} from './events.ts';
import {errorResponse, FakeZulipServer, htmlPage} from './fake-zulip-server.ts';
import {registerResponse} from './register.ts';

async function serverAt(level: number) {
  const server = await new FakeZulipServer(level).start();
  const api = apiOfFakeServer(server);
  api.connection.level = level;
  return {server, api};
}

const success = (body: object) => () => ({body: {result: 'success', msg: '', ...body}});

test('Zulip API: marking all read is repeated until complete, with either form of the incomplete response', async () => {
  const old = await serverAt(157);
  const part = {body: {result: 'partially_completed', msg: '', code: 'REQUEST_TIMEOUT'}};
  for (let i = 0; i < 3; i++) old.server.once('POST /mark_all_as_read', () => part);
  old.server.once('POST /mark_all_as_read', success({}));
  expect(await old.api.markAllAsRead({})).toEqual({complete: true});
  expect(old.server.count('POST /mark_all_as_read')).toBe(4);
  const newer = await serverAt(277);
  newer.server.once('POST /mark_all_as_read', success({complete: false}));
  newer.server.once('POST /mark_all_as_read', success({complete: true}));
  await newer.api.markAllAsRead({});
  expect(newer.server.count('POST /mark_all_as_read')).toBe(2);
});

test('Zulip API: a page excludes the anchor even if the server cannot', async () => {
  const {server, api} = await serverAt(122);
  const [first = 0, second = 0] = server.data.messages.keys();
  const range = {anchor: second, include_anchor: false, num_before: 10, num_after: 0};
  const found = await api.getMessages({...range, narrow: [{operator: 'channel', operand: 1}]});
  expect(found.messages.map(({id}) => id)).toEqual([first]);
  const {params} = await server.waitForRequest('GET /messages');
  expect(params.has('include_anchor')).toBe(false);
  expect(JSON.parse(params.get('narrow') ?? '')).toEqual([{operator: 'stream', operand: 1}]);
});

test('Zulip API: an anchor beyond the safe integers is accepted', async () => {
  const {server, api} = await serverAt(500);
  server.once('GET /messages', () => ({
    headers: {'content-type': 'application/json'},
    body: '{"result":"success","msg":"","messages":[],"anchor":10000000000000000,"found_newest":true,"found_oldest":true,"found_anchor":false,"history_limited":false}',
  }));
  const found = await api.getMessages({anchor: 'first_unread', num_before: 5, num_after: 5});
  expect(found).toMatchObject({messages: [], anchor: 1e16});
});

test('Zulip API: an invalid message does not invalidate its page', async () => {
  const {server, api} = await serverAt(277);
  const lines: string[] = [];
  api.connection.onDroppedData = (line) => void lines.push(line);
  const good = {...message(277, 7), flags: []};
  server.once('GET /messages', success({messages: [good, {...good, id: 8, sender_id: null}, {...good, id: 9}]}));
  const {messages} = await api.getMessages({anchor: 'newest', num_before: 3, num_after: 0});
  expect(messages.map(({id}) => id)).toEqual([7, 9]);
  expect(lines).toEqual([
    'Dropped invalid data from a response (message.list), 1 in all: messages[1].sender_id: expected a whole number, got null',
  ]);
});

test('Zulip API: an upload’s URL is read from the legacy `uri`', async () => {
  const {api} = await serverAt(185);
  const file = {name: 'tree.png', size: 3, data: new Blob(['png'])};
  expect(await api.uploadFile({file})).toEqual({
    url: '/user_uploads/1/aa/tree.png',
    filename: 'tree.png',
  });
});

test('Zulip API: a 413 from a gateway is reported as too large', async () => {
  const {server, api} = await serverAt(500);
  server.once('POST /messages', () => htmlPage(413, 'Request Entity Too Large'));
  const failure = await failureOf(api.sendMessage({type: 'stream', to: 1, topic: 't', content: 'x'}));
  expect(failure).toMatchObject({kind: 'permanent', status: 413, carriedOut: 'no'});
  expect(failure.message).toMatch(/too large/);
});

test('Zulip API: a 401 web page is not taken for a refused API key', async () => {
  const {server, api} = await serverAt(500);
  server.once('GET /users/me', () => htmlPage(401, 'Authorization Required'));
  expect(await failureOf(api.getOwnUser({}))).toMatchObject({kind: 'retry', reason: 'webPage'});
});

test('Zulip API: a redirect to another address is reported and not followed', async () => {
  const {server, api} = await serverAt(500);
  const to = {location: 'https://chat.example.com/api/v1/messages'};
  server.once('POST /messages', () => ({...htmlPage(301, 'Moved Permanently'), headers: to}));
  const failure = await failureOf(api.sendMessage({type: 'stream', to: 1, topic: 't', content: 'x'}));
  expect(failure).toMatchObject({kind: 'permanent', carriedOut: 'no'});
  expect(failure.message).toContain('https://chat.example.com');
});

test('Zulip API: a GET follows a redirect to a trailing slash', async () => {
  const {server, api} = await serverAt(500);
  server.once('GET /users/me', () => ({...htmlPage(301, 'Moved'), headers: {location: '/api/v1/users/me/'}}));
  server.once('GET /users/me/', success({user_id: 10, email: 'a@b.example', full_name: 'Meg'}));
  expect(await api.getOwnUser({})).toMatchObject({user_id: 10});
});

test('Zulip API: errors of levels without the error code are recognized', async () => {
  const {server, api} = await serverAt(157);
  server.once('POST /messages/5/reactions', () =>
    errorResponse(400, {msg: 'Reaction already exists.', code: 'BAD_REQUEST'}),
  );
  server.once('GET /messages/5', success({message: {...message(157, 5), flags: []}, raw_content: 'x'}));
  server.once('GET /users/me', success({user_id: 12, email: 'a@b.example', full_name: 'Meg'}));
  await api.addReaction({
    message_id: 5,
    emoji_name: '+1',
    emoji_code: '1f44d',
    reaction_type: 'unicode_emoji',
  });
});

test('Zulip API: a registration has a longer timeout than other requests', async () => {
  const server = await new FakeZulipServer(500).start();
  const api = apiOfFakeServer(server, {timeouts: {headers: 50}});
  api.connection.level = 500;
  const held = Promise.withResolvers<void>();
  server.once('POST /register', async (_asked, pass) => {
    await held.promise;
    return pass();
  });
  server.once('GET /users/me', () => new Promise(() => {}));
  const registered = api.register({});
  // A request that is sent later has already timed out.
  await server.waitForRequest('POST /register');
  expect(await failureOf(api.getOwnUser({}))).toMatchObject({kind: 'retry', reason: 'timeout'});
  held.resolve();
  expect(await registered).toMatchObject({zulip_feature_level: 500});
});

test('Zulip API: the response to a registration is not copied', () => {
  const whole = registerResponse(500);
  const decoded = decodeTolerantly(endpoints.register.result, whole);
  expect(decoded.ok && decoded.value).toBe(whole);
});

test.each(['toString', 'constructor', '__proto__'])('Zulip API: a topic named %s is an ordinary topic', (operand) => {
  expect(termSince({operator: 'topic', operand})).toBe(0);
});

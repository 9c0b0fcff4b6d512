import {describe, expect, test} from 'vitest';
import {testServer} from '#test/support/server.ts';
import {endpoints} from '#wire/endpoints.ts';
import {failureMessage} from '#wire/failure.ts';
import {clientOf, connectTo, failureOf, httpServer} from './client.ts';

async function setup() {
  const server = await testServer({testHooks: true});
  const meg = server.people.member();
  const channel = server.people.channel('general', [meg]);
  const api = clientOf(server, meg);
  const fault = (body: object) => server.context && fetchHook(server.url, body);
  const send = (content: string) =>
    api.sendMessage({type: 'channel', to: channel, topic: 't', content}, {timeoutMs: 5000});
  const sent = () => server.context.db.value('SELECT COUNT(*) FROM message') ?? 0;
  return {server, meg, channel, api, fault, send, sent};
}

async function fetchHook(url: string, body: object): Promise<void> {
  await fetch(`${url}/test-hooks/fault`, {method: 'POST', body: JSON.stringify(body)});
}

describe('against the embedded server', () => {
  test('a call returns the decoded response', async () => {
    const {send, sent} = await setup();
    expect(await send('hello')).toMatchObject({id: expect.any(Number)});
    expect(sent()).toBe(1);
  });

  test('a dropped connection is a retry failure that may have been carried out', async () => {
    const {fault, send, sent} = await setup();
    await fault({path: '/messages', kind: 'drop_before'});
    expect(await failureOf(send('one'))).toMatchObject({
      kind: 'retry',
      reason: 'network',
      carriedOut: 'maybe',
      endpoint: 'message.send',
    });
    expect(sent()).toBe(0);
    await fault({path: '/messages', kind: 'drop_after'});
    expect(await failureOf(send('two'))).toMatchObject({kind: 'retry', carriedOut: 'maybe'});
    expect(sent()).toBe(1);
  });

  test('a truncated response is a retry failure that may have been carried out', async () => {
    const {fault, send, sent} = await setup();
    await fault({path: '/messages', kind: 'truncate'});
    expect(await failureOf(send('one'))).toMatchObject({
      kind: 'retry',
      reason: 'network',
      carriedOut: 'maybe',
    });
    expect(sent()).toBe(1);
  });

  test("a gateway's error page is a retry failure", async () => {
    const {fault, send} = await setup();
    await fault({path: '/messages', kind: 'html'});
    const failure = await failureOf(send('one'));
    expect(failure).toMatchObject({kind: 'retry', reason: 'gateway', carriedOut: 'maybe'});
    expect(failureMessage(failure)).toMatch(/^127\.0\.0\.1:\d+ is not available right now \(status 502\)\.$/);
  });

  test('a rate limit has a wait, and nothing was carried out', async () => {
    const {fault, send} = await setup();
    await fault({path: '/messages', kind: 'rate_limit', retry_after: 2.5});
    const failure = await failureOf(send('one'));
    expect(failure).toMatchObject({kind: 'retry', reason: 'rateLimit', carriedOut: 'no', retryAfterMs: 2500});
    expect(failureMessage(failure)).toContain('wait 3 seconds');
  });

  test('a server error is a retry failure', async () => {
    const {fault, send} = await setup();
    await fault({path: '/messages', kind: 'status', status: 500});
    expect(await failureOf(send('one'))).toMatchObject({
      kind: 'retry',
      reason: 'server',
      carriedOut: 'maybe',
    });
  });

  test('wrong credentials are a login failure', async () => {
    const {server, meg} = await setup();
    const api = clientOf(server, {...meg, apiKey: 'x'.repeat(32)});
    expect(await failureOf(api.getOwnUser())).toMatchObject({kind: 'login', carriedOut: 'no'});
    const failure = await failureOf(api.fetchApiKey({username: meg.email, password: 'wrong'}));
    expect(failure).toMatchObject({kind: 'login', code: 'AUTHENTICATION_FAILED'});
  });

  test('a missing queue is a register failure', async () => {
    const {api} = await setup();
    const gone = {queue_id: '00000000-0000-4000-8000-000000000000', last_event_id: -1};
    expect(await failureOf(api.getEvents(gone))).toMatchObject({kind: 'register', endpoint: 'queue.poll'});
    const {queue_id: id} = await api.register({event_types: ['message'], fetch_event_types: []});
    const future = api.getEvents({queue_id: id ?? '', last_event_id: 999});
    expect(await failureOf(future)).toMatchObject({kind: 'register'});
  });

  test('a rejection is permanent and has the server message', async () => {
    const {api} = await setup();
    const failure = await failureOf(api.sendMessage({type: 'channel', to: 'nowhere', topic: 't', content: 'x'}));
    expect(failure).toMatchObject({
      kind: 'permanent',
      status: 400,
      code: 'STREAM_DOES_NOT_EXIST',
      carriedOut: 'no',
      body: {stream: 'nowhere'},
    });
    expect(failureMessage(failure)).toContain('nowhere');
  });

  test('any endpoint can be called by its path', async () => {
    const {api, meg} = await setup();
    const ownUser = {result: 'success', msg: '', email: meg.email};
    expect(await api.connection.callRaw('get', '/users/me', {})).toMatchObject(ownUser);
    expect(await api.connection.callRaw('GET', 'api/v1/users/me'.replace('api', '/api'), {})).toMatchObject(ownUser);
    const status = await api.connection.callRaw('POST', '/users/me/status', {status_text: 'ä & ö'});
    expect(status).toMatchObject({result: 'success'});
    expect(await failureOf(api.connection.callRaw('GET', '/nothing/here', {}))).toMatchObject({
      kind: 'permanent',
      status: 404,
      endpoint: 'GET /nothing/here',
    });
  });

  test.each(['/users/../settings', '/users/%2e%2E/x', '//evil.example/x', '/users/me?x=1', '/a b', '/\n'])(
    'the path %j fails before a request is sent',
    async (path) => {
      const {api} = await setup();
      expect(await failureOf(api.connection.callRaw('GET', path, {}))).toMatchObject({
        kind: 'permanent',
        status: undefined,
        carriedOut: 'no',
      });
    },
  );

  test('an abort throws its reason at once, not a failure', async () => {
    const {api} = await setup();
    const {queue_id, last_event_id} = await api.register({event_types: ['message'], fetch_event_types: []});
    const abort = new AbortController();
    const poll = api.getEvents({queue_id: queue_id ?? '', last_event_id}, {signal: abort.signal});
    const reason = new Error('enough');
    setImmediate(() => abort.abort(reason));
    await expect(poll).rejects.toBe(reason);
    await expect(api.getOwnUser({}, {signal: abort.signal})).rejects.toBe(reason);
  });

  test('a call after close fails permanently', async () => {
    const {api} = await setup();
    await api.connection.close();
    expect(await failureOf(api.getOwnUser())).toMatchObject({kind: 'permanent', carriedOut: 'no'});
  });

  test('resetting sockets does not interrupt running calls', async () => {
    const {api, send} = await setup();
    const {queue_id, last_event_id} = await api.register({event_types: ['message'], fetch_event_types: []});
    const poll = api.getEvents({queue_id: queue_id ?? '', last_event_id});
    api.connection.resetSockets();
    await send('wake up');
    expect(await poll).toMatchObject({events: [{type: 'message'}]});
  });
});

describe('against malformed responses', () => {
  const respondWith = (status: number, body: string, headers: Record<string, string> = {}) =>
    httpServer((request, response) => {
      request.resume();
      response.writeHead(status, {'content-type': 'application/json', ...headers}).end(body);
    });

  async function reply(status: number, body: string, headers: Record<string, string> = {}) {
    const connection = connectTo({site: await respondWith(status, body, headers)});
    connection.level = 509;
    return failureOf(connection.call(endpoints.createDrafts, {drafts: []}));
  }

  test.each([
    ['half a body', '{"result":"success","msg":"","ids":[1'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['no result', '{"ids":[]}'],
    ['a field of the wrong type', '{"result":"success","msg":"","ids":["x"]}'],
    ['a missing field', '{"result":"success","msg":""}'],
    ['a number that is none', '{"result":"success","msg":"","ids":[1e400]}'],
  ])('200 with %s is malformed', async (_name, body) => {
    expect(await reply(200, body)).toMatchObject({kind: 'malformed', carriedOut: 'maybe'});
  });

  test('200 with a web page is a retry failure', async () => {
    const failure = await reply(200, '<!DOCTYPE html><p>Welcome to our hotel', {'content-type': 'text/html'});
    expect(failure).toMatchObject({kind: 'retry', reason: 'webPage', carriedOut: 'maybe'});
  });

  test('200 with an error body is that error', async () => {
    const failure = await reply(200, '{"result":"error","msg":"No.","code":"BAD_NARROW"}');
    expect(failure).toMatchObject({kind: 'permanent', code: 'BAD_NARROW'});
  });

  test.each([
    [400, {kind: 'permanent', code: 'NOT_ZULIP'}],
    [404, {kind: 'permanent', code: 'NOT_ZULIP'}],
    [408, {kind: 'retry', reason: 'gateway'}],
    [410, {kind: 'permanent', code: 'NOT_ZULIP'}],
    [413, {kind: 'permanent', code: 'BAD_REQUEST'}],
    [425, {kind: 'retry', reason: 'gateway'}],
    [429, {kind: 'retry', reason: 'rateLimit'}],
    [401, {kind: 'retry', reason: 'webPage'}],
    [403, {kind: 'permanent', code: 'NOT_ZULIP'}],
  ])('status %i without JSON is not a refusal by Zulip, and nothing was carried out', async (status, expected) => {
    expect(await reply(status, '<html>no</html>')).toMatchObject({...expected, carriedOut: 'no'});
  });

  test('a response that is not from Zulip says what was received', async () => {
    expect((await reply(403, '<html>no</html>')).message).toMatch(
      /^Received a web page \(status 403\) from 127\.0\.0\.1:\d+: check the address, and for a proxy or a network login page\.$/,
    );
    expect((await reply(404, 'gone')).message).toMatch(
      /^Received a response that is not from Zulip \(status 404\) from /,
    );
  });

  test.each([500, 502, 503, 504, 520, 599])('status %i without JSON is a retry failure', async (status) => {
    expect(await reply(status, 'oops')).toMatchObject({
      kind: 'retry',
      reason: 'gateway',
      carriedOut: 'maybe',
    });
  });

  test('old servers omit the code and reject a login with 403', async () => {
    expect(await reply(400, '{"result":"error","msg":"No"}')).toMatchObject({
      kind: 'permanent',
      code: 'BAD_REQUEST',
    });
    const body = '{"result":"error","msg":"Deactivated","code":"USER_DEACTIVATED"}';
    expect(await reply(403, body)).toMatchObject({kind: 'login', code: 'USER_DEACTIVATED'});
  });

  test('the longer of two waits is used, a date is parsed, and the wait is limited', async () => {
    const body = (seconds: unknown) =>
      JSON.stringify({result: 'error', msg: 'slow', code: 'RATE_LIMIT_HIT', 'retry-after': seconds});
    const wait = async (text: string, header?: string) => {
      const failure = await reply(429, text, header === undefined ? {} : {'retry-after': header});
      return failure.kind === 'retry' ? failure.retryAfterMs : undefined;
    };
    expect(await wait(body(3), '7')).toBe(7000);
    expect(await wait(body(28.7), '7')).toBe(28_700);
    expect(await wait('<html>', '0.5')).toBe(500);
    expect(await wait('<html>')).toBe(1000);
    expect(await wait(body('soon'), 'later')).toBe(1000);
    expect(await wait(body(1e12))).toBe(3_600_000);
    const soon = new Date(Date.now() + 1_800_000).toUTCString();
    const left = await wait('{}', soon);
    expect(left).toBeGreaterThan(1_700_000);
    expect(left).toBeLessThanOrEqual(1_800_000);
  });

  test('control characters in a server message are removed', async () => {
    const failure = await reply(
      400,
      JSON.stringify({result: 'error', msg: `\u001b[2J\u0007evil\u202e\r\nsecond ${'x'.repeat(5000)}`}),
    );
    expect(failureMessage(failure)).toMatch(/^\[2J evil second x+…$/);
    expect(failureMessage(failure).length).toBeLessThan(420);
  });

  test('additional fields of an error are decoded', async () => {
    const failure = await reply(
      400,
      JSON.stringify({
        result: 'error',
        msg: 'Too late',
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        first_message_id_allowed_to_move: 12,
        total_messages_in_topic: 5,
        total_messages_allowed_to_move: 3,
      }),
    );
    expect(failure).toMatchObject({kind: 'permanent', body: {first_message_id_allowed_to_move: 12}});
  });
});

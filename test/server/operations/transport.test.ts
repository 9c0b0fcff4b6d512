import {describe, expect, test} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {eventsOf, type OperationsFixture, operationsFixture, sendToChannel} from './operations-fixture.ts';

function basicAuthorization(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

async function request(
  fixture: OperationsFixture,
  method: string,
  path: string,
  init: RequestInit = {},
  person: Person = fixture.meg,
) {
  const headers = {authorization: basicAuthorization(person.email, person.apiKey), ...init.headers};
  const response = await fetch(`${fixture.server.url}/api/v1${path}`, {method, ...init, headers});
  return {status: response.status, headers: response.headers, body: JSON.parse(await response.text())};
}

describe('Authentication', () => {
  const signIn = async (fixture: OperationsFixture, authorization: string) =>
    request(fixture, 'GET', '/users/me', {headers: {authorization}});

  test('every operation but server settings refuses missing credentials', async () => {
    const fixture = await operationsFixture();
    const operations = [
      ['POST', '/messages'],
      ['POST', '/users/me/subscriptions'],
      ['PATCH', '/users/a@b.example'],
      ['POST', '/users/me/presence'],
      ['PATCH', '/users/me/subscriptions/muted_topics'],
      ['GET', '/users/a@b.example'],
      ['PATCH', '/users/1'],
      ['POST', '/messages/flags/narrow'],
      ['PATCH', '/drafts/1'],
      ['GET', '/messages/1/history'],
      ['PATCH', '/users/me/subscriptions/1'],
      ['PATCH', '/realm/filters/1'],
      ['DELETE', '/messages/1/reactions'],
      ['GET', `/users/me/${fixture.general}/topics`],
      ['POST', '/navigation_views'],
      ['POST', '/realm/domains'],
      ['DELETE', '/messages/1'],
      ['DELETE', '/events'],
      ['GET', '/events'],
      ['POST', '/mark_all_as_read'],
      ['GET', '/realm/profile_fields'],
      ['POST', '/calls/conference/create'],
    ] as const;
    for (const [method, path] of operations) {
      const reply = await fixture.server.anonymous().raw(method, path);
      expect([reply.status, reply.body.result, reply.body.code], path).toEqual([401, 'error', 'UNAUTHORIZED']);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      expect(reply.body.msg).not.toBe('');
    }
  });

  test('accepts any case of address and scheme, and spaces around address and key', async () => {
    const fixture = await operationsFixture();
    const {email, apiKey} = fixture.meg;
    const accepted = [
      basicAuthorization(email, apiKey),
      basicAuthorization(email.toUpperCase(), apiKey),
      basicAuthorization(` ${email} `, ` ${apiKey}\n`),
      basicAuthorization(email, apiKey).replace('Basic', 'basic'),
    ];
    for (const header of accepted) expect((await signIn(fixture, header)).body.user_id, header).toBe(fixture.meg.id);
  });

  test('other credentials are 401 without saying which part is wrong', async () => {
    const fixture = await operationsFixture();
    const {email, apiKey} = fixture.meg;
    const refused = [
      basicAuthorization(email, ''),
      basicAuthorization('', apiKey),
      basicAuthorization(email, fixture.otto.apiKey),
      basicAuthorization(email, apiKey.toUpperCase() === apiKey ? apiKey.toLowerCase() : apiKey.toUpperCase()),
      basicAuthorization('nobody@example.com', apiKey),
      basicAuthorization(`user${fixture.meg.id}@${new URL(fixture.server.url).hostname}`, apiKey),
      'Basic !!!',
      'Basic',
    ];
    for (const header of refused) {
      const reply = await signIn(fixture, header);
      expect([reply.status, reply.body.code], header).toEqual([401, 'UNAUTHORIZED']);
    }
    for (const header of [`Bearer ${apiKey}`, basicAuthorization(email, apiKey).replace('Basic ', '')]) {
      const reply = await signIn(fixture, header);
      expect([reply.status, reply.body.code], header).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test('a key is 32 letters and digits, and a new one replaces it', async () => {
    const fixture = await operationsFixture();
    expect(fixture.meg.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    const {api_key} = await fixture.as(fixture.meg).post('/users/me/api_key/regenerate');
    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect((await fixture.as(fixture.meg).raw('GET', '/users/me')).status).toBe(401);
    expect((await fixture.as({...fixture.meg, apiKey: api_key}).get('/users/me')).user_id).toBe(fixture.meg.id);
  });

  test('bots authenticate the same way; deactivated accounts are refused', async () => {
    const fixture = await operationsFixture();
    expect((await fixture.as(fixture.bot).get('/users/me')).user_id).toBe(fixture.bot.id);
    await fixture.as(fixture.owner).delete(`/users/${fixture.otto.id}`);
    expect((await fixture.as(fixture.otto).raw('GET', '/users/me')).status).toBe(401);
  });
});

describe('Conventions', () => {
  test('a parameter can be in body or query; the body takes precedence', async () => {
    const fixture = await operationsFixture();
    const params = {type: 'channel', to: String(fixture.general), topic: 'lunch', content: 'hi'};
    const fromQuery = await request(fixture, 'POST', `/messages?${new URLSearchParams(params)}`);
    expect(fromQuery.body).toMatchObject({result: 'success'});
    const {topic: _topic, ...rest} = params;
    const body = new URLSearchParams({content: 'from the body', topic: 'lunch'});
    const both = await request(fixture, 'POST', `/messages?${new URLSearchParams(rest)}`, {body});
    const {message} = await fixture.as(fixture.meg).get(`/messages/${both.body.id}`, {apply_markdown: false});
    expect(message.content).toBe('from the body');
  });

  test('a multipart body is parsed, and a body that is no form has no parameters', async () => {
    const fixture = await operationsFixture();
    const form = new FormData();
    for (const [name, value] of Object.entries({type: 'direct', to: `[${fixture.otto.id}]`, content: 'hi'})) {
      form.set(name, value);
    }
    expect((await request(fixture, 'POST', '/messages', {body: form})).body).toMatchObject({
      result: 'success',
    });
    const json = {headers: {'content-type': 'application/json'}, body: '{"type":"direct"}'};
    const reply = await request(fixture, 'POST', '/messages', json);
    expect(reply.body).toMatchObject({code: 'REQUEST_VARIABLE_MISSING', var_name: 'type'});
  });

  test('text is UTF-8 and returned unchanged', async () => {
    const fixture = await operationsFixture();
    const content = 'Grüße 🎉 «Ω» + & = % ✔';
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general, 'Ω & more', content);
    const {message} = await fixture.as(fixture.otto).get(`/messages/${id}`, {apply_markdown: false});
    expect([message.content, message.subject]).toEqual([content, 'Ω & more']);
  });

  test.each([
    [{event_types: '[oops'}, 'event_types is not valid JSON'],
    [{event_types: 'message'}, 'event_types is not valid JSON'],
    [{event_types: {a: 1}}, 'event_types is not a list'],
    [{apply_markdown: 'yes'}, 'apply_markdown is not valid JSON'],
    [{apply_markdown: '1'}, 'apply_markdown is not a boolean'],
  ])('malformed JSON and JSON of a wrong type are named: %j', async (params, message) => {
    const fixture = await operationsFixture();
    const body = await fixture.as(fixture.meg).refused('POST', '/register', params, {code: 'BAD_REQUEST'});
    expect(body.msg).toBe(message);
  });

  test('every response is a JSON object with result and msg', async () => {
    const fixture = await operationsFixture();
    const replies = [
      await fixture.as(fixture.meg).raw('GET', '/users/me'),
      await fixture.as(fixture.meg).raw('GET', '/users/9999'),
      await fixture.as(fixture.meg).raw('GET', '/nowhere'),
      await fixture.as(fixture.meg).raw('PUT', '/messages'),
      await fixture.server.anonymous().raw('GET', '/users/me'),
    ];
    for (const {headers, body} of replies) {
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      // A cache between must not send a compressed response to others.
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect([typeof body.result, typeof body.msg]).toEqual(['string', 'string']);
    }
    expect(replies.map(({status}) => status)).toEqual([200, 400, 404, 405, 401]);
  });

  test('a wrong method returns the allowed ones and no code', async () => {
    const fixture = await operationsFixture();
    const reply = await fixture.as(fixture.meg).raw('PUT', '/messages');
    expect(reply.status).toBe(405);
    const {allowed_methods, ...rest} = reply.body;
    expect(rest).toEqual({result: 'error', msg: 'Method Not Allowed'});
    expect(allowed_methods.toSorted()).toEqual(['GET', 'HEAD', 'POST']);
    expect(reply.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
    // Not those of the path for the address of a user, which is changed with PATCH.
    const own = await fixture.as(fixture.meg).raw('PUT', '/users/me');
    expect(own.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD']);
  });

  test('the client’s name is the first word of its User-Agent, at most thirty characters', async () => {
    const fixture = await operationsFixture();
    const cases = [
      ['Parley/1.2 (linux)', 'Parley'],
      ['x'.repeat(50), 'x'.repeat(30)],
    ] as const;
    for (const [agent, name] of cases) {
      const params = {type: 'direct', to: [fixture.otto.id], content: 'hi'};
      const {body} = await fixture.as(fixture.meg).raw('POST', '/messages', params, {'user-agent': agent});
      expect((await fixture.as(fixture.otto).get(`/messages/${body.id}`)).message.client).toBe(name);
    }
  });
});

describe('Rate limits', () => {
  test('every response has the rate limit headers, errors too', async () => {
    const fixture = await operationsFixture();
    const replies = [
      await fixture.as(fixture.meg).raw('GET', '/users/me'),
      await fixture.as(fixture.meg).raw('GET', '/users/9999'),
      await fixture.server.anonymous().raw('GET', '/server_settings'),
      await fixture.server.anonymous().raw('GET', '/users/me'),
      await fixture.as({...fixture.meg, apiKey: 'x'.repeat(32)}).raw('GET', '/users/me'),
    ];
    const limitHeaders = replies.map(({headers}) => [
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
    ]);
    expect(limitHeaders).toEqual([
      ['200', '199'],
      ['200', '198'],
      ['100', '99'],
      ['100', '98'],
      ['100', '97'],
    ]);
    for (const {headers} of replies) {
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(fixture.clock.seconds());
      expect(headers.has('retry-after')).toBe(false);
    }
  });

  test('a limited client can continue after retry-after', async () => {
    const fixture = await operationsFixture();
    const ask = async () => fixture.server.anonymous().raw('GET', '/server_settings');
    const statuses = await Promise.all(Array.from({length: 101}, async () => (await ask()).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({result: 'error', code: 'RATE_LIMIT_HIT'});
    expect(Number(refused.headers.get('retry-after'))).toBe(refused.body['retry-after']);
    fixture.clock.advance(Math.ceil(refused.body['retry-after'] * 1000));
    expect((await ask()).status).toBe(200);
  });
});

describe('Polling', () => {
  test('missing arguments are BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    const {queueId} = await fixture.as(fixture.meg).listen();
    const refusal = {code: 'BAD_REQUEST', status: 400};
    const noQueue = await fixture.as(fixture.meg).refused('GET', '/events', {last_event_id: -1}, refusal);
    expect(noQueue.msg).toBe("Missing 'queue_id' argument");
    const noEvent = await fixture.as(fixture.meg).refused('GET', '/events', {queue_id: queueId}, refusal);
    expect(noEvent.msg).toBe("Missing 'last_event_id' argument");
  });

  test('an unknown queue or another user’s: BAD_EVENT_QUEUE_ID with its id', async () => {
    const fixture = await operationsFixture();
    const {queueId} = await fixture.as(fixture.meg).listen();
    const refusal = {code: 'BAD_EVENT_QUEUE_ID', status: 400};
    for (const [person, id] of [
      [fixture.meg, 'nope'],
      [fixture.otto, queueId],
    ] as const) {
      const params = {queue_id: id, last_event_id: -1};
      expect((await fixture.as(person).refused('GET', '/events', params, refusal)).queue_id).toBe(id);
    }
  });

  test('a heartbeat is sent for any event types and acknowledged like an event', async () => {
    const fixture = await operationsFixture();
    const {queueId} = await fixture.as(fixture.meg).listen({event_types: ['message']});
    const poll = (last_event_id: number, dont_block = false) =>
      fixture.as(fixture.meg).get('/events', {queue_id: queueId, last_event_id, dont_block});
    const waiting = poll(-1);
    await expect.poll(() => [...fixture.server.context.queues.all()].some((queue) => queue.isWaiting)).toBe(true);
    fixture.clock.advance(55_001);
    expect((await waiting).events).toEqual([{id: 0, type: 'heartbeat'}]);
    expect((await poll(0, true)).events).toEqual([]);
  });

  test('ids begin at zero and grow; every event has an id and a type', async () => {
    const fixture = await operationsFixture();
    const listener = await fixture.as(fixture.otto).listen();
    expect(listener.state.last_event_id).toBe(-1);
    await sendToChannel(fixture.as(fixture.meg), fixture.general);
    await sendToChannel(fixture.as(fixture.meg), fixture.general);
    const events = await listener.events();
    expect(events[0]?.id).toBe(0);
    const ids = events.map(({id}) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(events.every(({type}) => typeof type === 'string')).toBe(true);
    expect(await eventsOf(listener, 'message')).toEqual([]);
  });
});

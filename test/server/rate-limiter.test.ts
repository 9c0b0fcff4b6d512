import {expect, test} from 'vitest';
import {RateLimiter} from '#server/rate-limiter.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

test('rate limiter: every response has the limit, and the 201st request of a minute is refused with retry-after', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const first = await client.raw('GET', '/events');
  expect(first.headers.get('x-ratelimit-limit')).toBe('200');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('199');
  expect(Number(first.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.UTC(2026, 0, 1) / 1000);
  for (let call = 1; call < 200; call++) await client.raw('GET', '/events');
  const refused = await client.raw('GET', '/events');
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    result: 'error',
    code: 'RATE_LIMIT_HIT',
    'retry-after': expect.any(Number),
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Each user has a separate limit.
  expect((await server.as(server.people.member('Otto')).raw('GET', '/events')).status).toBe(400);
});

test('rate limiter: wrong keys count against the client’s address, not the user', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const guesser = server.as({...meg, apiKey: 'y'.repeat(32)});
  for (let guess = 0; guess < 100; guess++) expect((await guesser.raw('GET', '/events')).status).toBe(401);
  expect((await guesser.raw('GET', '/events')).status).toBe(429);
  expect((await server.as(meg).raw('GET', '/events')).status).toBe(400);
});

test('rate limiter: setting the clock back or ahead neither blocks nor frees a user', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const remaining = async () => Number((await client.raw('GET', '/users/me')).headers.get('x-ratelimit-remaining'));
  expect(await remaining()).toBe(199);
  clock.setAhead(-86_400_000);
  expect(await remaining()).toBe(198);
  clock.setAhead(2 * 86_400_000);
  expect(await remaining()).toBe(197);
  const {headers} = await client.raw('GET', '/users/me');
  expect(Number(headers.get('x-ratelimit-reset'))).toBe(clock.seconds() + 60);
});

test('rate limiter: any 60 seconds have at most 200 requests; a refused one does not count', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const status = async () => (await client.raw('GET', '/users/me')).status;
  for (let call = 0; call < 100; call++) await status();
  clock.advance(30_000);
  for (let call = 0; call < 100; call++) expect(await status()).toBe(200);
  const refused = await client.raw('GET', '/users/me');
  expect(refused.status).toBe(429);
  expect(refused.body['retry-after']).toBeCloseTo(30);
  clock.advance(30_000);
  for (let call = 0; call < 100; call++) expect(await status()).toBe(200);
  expect(await status()).toBe(429);
});

test('rate limiter: many other clients do not renew what somebody has used', () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(clock, 2, 60);
  limiter.take('meg');
  clock.advance(59_000);
  limiter.take('meg');
  clock.advance(2000);
  for (let other = 0; other < 10_000; other++) limiter.take(`other ${other}`);
  expect([limiter.take('meg').remaining, limiter.take('meg').allowed]).toEqual([0, false]);
});

test('rate limiter: polls are counted apart from other requests', async () => {
  const server = await testServer({clock: new ManualClock()});
  const client = server.as(server.people.member());
  for (let call = 0; call < 200; call++) await client.raw('GET', '/users/me');
  expect((await client.raw('GET', '/users/me')).status).toBe(429);
  const poll = await client.raw('GET', '/events');
  expect([poll.status, poll.headers.get('x-ratelimit-remaining')]).toEqual([400, '199']);
});

test('rate limiter: a registration with the unread messages counts as five requests, another as one', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const client = server.as(server.people.member());
  const register = (params: Record<string, unknown>) => client.raw('POST', '/register', params);
  const remaining = async (params: Record<string, unknown>) =>
    Number((await register(params)).headers.get('x-ratelimit-remaining'));
  expect(await remaining({event_types: ['message'], fetch_event_types: ['realm']})).toBe(199);
  expect(await remaining({fetch_event_types: ['message']})).toBe(194);
  clock.advance(10_000);
  for (let call = 0; call < 38; call++) expect((await register({})).status).toBe(200);
  const refused = await register({});
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
  expect(refused.body['retry-after']).toBeCloseTo(50);
  clock.advance(50_000);
  expect((await register({})).status).toBe(200);
});

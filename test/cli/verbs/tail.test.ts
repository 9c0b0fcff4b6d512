import {expect, test, vi} from 'vitest';
import {type Clock, systemClock} from '#std/clock.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({testHooks: true, ...options});
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  server.people.channel('general', [meg, otto]);
  const say = async (content: string, topic = 'lunch'): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: 'general', topic, content})).id;
  return {server, meg, otto, say, ...verbFixture(server, meg)};
}

async function hook(server: TestServer, name: string, body: object = {}): Promise<void> {
  const init = {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)};
  expect((await fetch(`${server.url}/test-hooks/${name}`, init)).status).toBe(200);
}

/** Returns a clock that runs this many times as fast. */
function hurried(factor: number): Clock {
  const began = systemClock.now();
  return {
    now: () => began + (systemClock.now() - began) * factor,
    monotonic: () => systemClock.monotonic() * factor,
    after: (ms, task) => systemClock.after(ms / factor, task),
  };
}

function contents(out: string): string[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).content);
}

test('tail: the last messages are printed, then new ones, until it is aborted', async () => {
  const {say, start, server} = await scene();
  for (const word of ['one', 'two', 'three']) await say(word);
  const {io, end, code} = start('tail', ['#general', '-n', '2']);
  await io.saw('Otto Other: three');
  expect(server.context.queues.size).toBe(1);
  await say('four', 'dinner');
  await io.saw('Otto Other: four');
  end();
  expect(await code).toBe(0);
  expect(server.context.queues.size).toBe(0);
  expect(io.out()).toMatch(
    /^\S+ \S+ #general › lunch {2}Otto Other: two\n\S+ \S+ #general › lunch {2}Otto Other: three\n\S+ \S+ #general › dinner {2}Otto Other: four\n$/,
  );
  expect(io.err()).toBe('');
});

test('tail: -n 0 prints no earlier message', async () => {
  const {say, start} = await scene();
  await say('early');
  const {io, end, code} = start('tail', ['#general', '-n', '0']);
  await vi.waitFor(async () => {
    await say('late');
    expect(io.out()).toContain('late');
  }, 30_000);
  end();
  expect(await code).toBe(0);
  expect(io.out()).not.toContain('early');
});

test('tail: after a lost queue no message is missing or repeated', async () => {
  const {say, start, server} = await scene();
  await say('before');
  const {io, end, code} = start('tail', ['#general', '--json']);
  await io.saw('"before"');
  await say('first');
  await io.saw('"first"');
  // No event reports these: the queue is gone, and the next one starts later.
  await hook(server, 'fault', {path: '/register', kind: 'delay', delay_ms: 800});
  await hook(server, 'expire-queues');
  const gap = Array.from({length: 130}, (_, index) => `gap ${index}`);
  for (const word of gap) await say(word);
  await io.saw('"gap 129"');
  await hook(server, 'redeliver', {count: 1});
  await say('after');
  await io.saw('"after"');
  end();
  expect(await code).toBe(0);
  expect(contents(io.out())).toEqual(['before', 'first', ...gap, 'after']);
});

test('tail: while messages that were missed without a subscription cannot be fetched, no later one is printed before them', async () => {
  const {say, start, server, meg} = await scene();
  await say('before');
  const {io, end, code} = start('tail', ['#general', '--json']);
  await io.saw('"before"');
  await server.as(meg).delete('/users/me/subscriptions', {subscriptions: ['general']});
  await io.saw('every 30 s');
  await say('missed');
  await hook(server, 'fault', {method: 'GET', path: '/messages', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  await server.as(meg).post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]});
  await say('next');
  const unacknowledged = () => [...server.context.queues.all()].map(({pendingCount}) => pendingCount);
  await expect.poll(unacknowledged).toEqual([0]);
  // A new registration fetches what could not be fetched.
  await hook(server, 'expire-queues');
  await io.saw('"missed"');
  await io.saw('"next"');
  end();
  expect(await code).toBe(0);
  expect(contents(io.out())).toEqual(['before', 'missed', 'next']);
});

test('tail: a search continues with new matches from the server', async () => {
  const {say, start} = await scene();
  await say('soup one');
  const {io, end, code} = start('tail', ['sender:"Otto Other"', 'soup', '--json']);
  await io.saw('soup one');
  await say('bread');
  await say('soup two');
  await io.saw('soup two');
  end();
  expect(await code).toBe(0);
  expect(contents(io.out())).toEqual(['soup one', 'soup two']);
});

test('tail: a lost and a restored connection are reported, each time', async () => {
  const {say, start, server} = await scene();
  await say('before');
  const {io, end, code} = start('tail', ['#general', '--json'], {clock: hurried(20)});
  await io.saw('before');
  // More failures in a row than are tolerated silently.
  for (const times of [1, 2]) {
    await hook(server, 'fault', {method: 'GET', path: '/events', kind: 'html', times: 5});
    await hook(server, 'heartbeat');
    await io.saw('Trying again…', times);
    await io.saw('Back online.', times);
  }
  await say('after');
  await io.saw('after');
  end();
  expect(await code).toBe(0);
  expect(contents(io.out())).toEqual(['before', 'after']);
  expect(io.err().trimEnd().split('\n')).toHaveLength(4);
});

test('tail: a deactivated account ends it with exit code 3', async () => {
  const {say, start, server, meg} = await scene();
  await say('before');
  const {io, code} = start('tail', ['#general']);
  await io.saw('before');
  await server.as(server.people.owner()).delete(`/users/${meg.id}`);
  expect(await code).toBe(3);
  expect(io.err()).not.toBe('');
});

test('tail: an unknown conversation ends it at once, without leaving a queue', async () => {
  const {start, server} = await scene();
  const {io, code} = start('tail', ['#nowhere']);
  expect(await code).toBe(1);
  expect(io.err()).toBe('There is no channel called “nowhere”.\n');
  expect(server.context.queues.size).toBe(0);
});

test('tail: the user stays offline and nothing is marked as read', async () => {
  const {say, start, server, meg, otto, run} = await scene();
  const {io, end, code} = start('tail', ['#general']);
  await say('unseen');
  await io.saw('unseen');
  end();
  await code;
  const {presences} = await server.as(otto).get('/realm/presence');
  expect(presences[meg.email]).toBeUndefined();
  expect(JSON.parse((await run('unread', ['--json'])).out).all).toBe(1);
});

test.each([122, 371])('tail: a server of level %i is supported', async (level) => {
  const {say, start} = await scene({level});
  await say('one');
  const {io, end, code} = start('tail', ['#general>lunch', '--json']);
  await io.saw('one');
  await say('two');
  await io.saw('two');
  end();
  expect([await code, contents(io.out())]).toEqual([0, ['one', 'two']]);
});

test('tail: a channel without a subscription is looked at every 30 seconds, and no message is missing', async () => {
  const {otto, server, start} = await scene();
  server.people.channel('books', [otto]);
  const say = async (content: string): Promise<void> => {
    await server.as(otto).post('/messages', {type: 'stream', to: 'books', topic: 'talk', content});
  };
  await say('before');
  const clock = new ManualClock();
  const {io, end, code} = start('tail', ['#books', '--json'], {clock});
  await io.saw('"before"');
  await io.saw('every 30 s');
  await say('first');
  clock.advance(30_000);
  await io.saw('"first"');
  const many = Array.from({length: 130}, (_, index) => `many ${index}`);
  for (const word of many) await say(word);
  clock.advance(30_000);
  await io.saw('"many 129"');
  end();
  expect(await code).toBe(0);
  expect(contents(io.out())).toEqual(['before', 'first', ...many]);
  expect(io.err()).toBe('You are not subscribed to #books: new messages are looked for every 30 s.\n');
});

test.each([
  ['member', 'You no longer have access to #vault.\n'],
  ['admin', 'You do not have access to the messages of #vault.\n'],
] as const)('tail: ends when the user loses access to the channel, as %s', async (role, reason) => {
  const {otto, server} = await scene();
  const reader = server.people[role]('Reader');
  server.people.channel('vault', [otto, reader], {invite_only: 1});
  const {start, run} = verbFixture(server, reader);
  await server.as(otto).post('/messages', {type: 'stream', to: 'vault', topic: 'talk', content: 'secret'});
  const {io, code} = start('tail', ['#vault', '--json']);
  await io.saw('"secret"');
  const removal = {subscriptions: ['vault'], principals: [reader.id]};
  await server.as(server.people.owner()).delete('/users/me/subscriptions', removal);
  expect([await code, io.err()]).toEqual([5, reason]);
  if (role === 'admin') {
    expect(await run('tail', ['#vault'])).toMatchObject({code: 5, out: '', err: reason});
    expect(await run('read', ['#vault'])).toMatchObject({code: 5, out: '', err: reason});
  }
});

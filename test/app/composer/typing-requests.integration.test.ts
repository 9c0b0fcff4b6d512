import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {IncomingMessage} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {WatchedClock} from '#test/state/test-client.ts';
import {fewOf} from '#test/support/tier.ts';
import {type ComposeFixture, composeFixture} from './compose-fixture.ts';

interface TypingFixture extends ComposeFixture {
  readonly clock: WatchedClock;
  /** The requests that the server received, without polls: `POST /typing`. */
  readonly requests: string[];
  /** Lets the time pass, and waits for the requests that it causes. */
  pass(ms: number): Promise<void>;
}

/**
 * Polling, presence once a minute, and marking as read what was opened. The emoji of the server, which are fetched once,
 * are not counted either.
 */
const uncounted: ReadonlySet<string> = new Set(['/events', '/users/me/presence', '/messages/flags']);

/** The shortest periods that servers ask for. */
const typingPeriods = {
  serverTypingStartedWaitPeriodMilliseconds: 10_000,
  serverTypingStoppedWaitPeriodMilliseconds: 5000,
};

/** Meg, about to write. */
async function typingFixture(): Promise<TypingFixture> {
  const clock = new WatchedClock();
  const compose = await composeFixture({clock});
  const {fixture, session, press} = compose;
  const {state} = session.cache;
  session.cache.apply({type: 'state_replaced', state: {...state, server: {...state.server, ...typingPeriods}}});
  const requests: string[] = [];
  const {host} = new URL(fixture.server.url);
  const record = (message: unknown) => {
    const {method, url = '', headers} = (message as {request: IncomingMessage}).request;
    if (!url.startsWith('/api/v1')) return;
    const path = url.replace('/api/v1', '').replace(/[?].*|[/]\d+$/, '');
    if (headers.host === host && !uncounted.has(path)) requests.push(`${method} ${path}`);
  };
  subscribe('http.server.request.start', record);
  onTestFinished(() => void unsubscribe('http.server.request.start', record));
  press('r');
  // What opening the composer costs is not counted: these wait for the requests under way.
  await session.fetchSubscribers(fixture.channelId);
  await session.fetchTopics(fixture.channelId);
  requests.length = 0;
  const pass = async (ms: number) => {
    clock.advance(ms);
    await session.drafts.idle();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {...compose, clock, requests, pass};
}

const keyMs = 90;

/** Presses keys for a minute; `pauseAfter` tells how long to wait after which key. */
async function typeForAMinute(fixture: TypingFixture, keys: string, pauseAfter: (key: number) => number) {
  const {clock, press, pass, session, requests} = fixture;
  const names = keys.split(' ');
  const end = clock.now() + 60_000;
  for (let key = 0; clock.now() < end; key++) {
    press(names[key % names.length] ?? 'x');
    await pass(Math.min(pauseAfter(key), end - clock.now()));
  }
  // The session does not wait for its notifications: they arrive before this later request.
  const count = requests.length;
  await session.context.api.getDrafts({});
  expect(requests.slice(count)).toContain('GET /drafts');
  return requests.filter((request) => request !== 'GET /drafts');
}

test.each(
  fewOf(
    [
      ['without a pause', 'h e l l o Space', () => keyMs],
      ['with a pause of 6 s after every tenth key', 'w o r d Space', (key: number) => (key % 10 === 9 ? 6000 : keyMs)],
      ['with one key every 6 s', 's l o w', () => 6000],
      ['with one key every 10 s', 's l o w', () => 10_000],
      ['that empties the text again and again', 'x Backspace', () => keyMs],
      ['that empties the text again and again with pauses of 6 s', 'x Backspace', () => 6000],
    ] as const,
    3,
  ),
)('typing requests: a minute of typing %s costs at most ten', async (_how, keys, pauseAfter) => {
  const requests = await typeForAMinute(await typingFixture(), keys, pauseAfter);
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(10);
  expect(requests).toContain('POST /typing');
});

test('typing requests: drafts are not fetched while only this client writes', async () => {
  const fixture = await typingFixture();
  const {requests, press, pass} = fixture;
  for (let key = 0; key < 700; key++) {
    press('x');
    await pass(keyMs);
  }
  expect(requests.filter((request) => request.includes('drafts'))).toEqual(['POST /drafts', 'PATCH /drafts']);
});

test('typing requests: leaving the text uploads it at once', async () => {
  const {type, press, requests, pass, session, fixture} = await typingFixture();
  type('half a thought');
  await pass(keyMs);
  expect(requests).not.toContain('POST /drafts');
  press('Escape');
  await session.drafts.idle();
  const {drafts} = await fixture.server.as(fixture.meg).get('/drafts');
  expect(drafts).toMatchObject([{content: 'half a thought'}]);
});

test('typing requests: blanks before the text are sent, whatever the server makes of the draft', async () => {
  const {type, press, pass, until, session, text} = await typingFixture();
  type('    code');
  await pass(6000);
  await until(({drafts}) => drafts.size === 1);
  type(' goes on');
  await pass(40_000);
  expect(text()).toBe('    code goes on');
  press('Enter');
  const {messages} = await until(({outbox}) => outbox.length === 0);
  expect([...messages.byId.values()].at(-1)?.content).toBe('    code goes on');
  await session.drafts.flush();
  await until(({drafts}) => drafts.size === 0);
  expect(session.drafts.all()).toEqual([]);
});

import {describe, expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import type {ServerOptions} from '#server/server.ts';
import {queryPrefix} from '#state/fetches/fetch-state.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import {editHistory, readReceipts, uploadSpace} from '#state/fetches/queries.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  narrowKey,
  topicNarrow,
} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {Session} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {clientOf} from '#test/api/client.ts';
import {
  expectInSync,
  expectTimeline,
  hasMessage,
  type SessionFixture,
  sessionFixture,
  waitForState,
} from '#test/state/session-fixture.ts';
import {fewOf} from '#test/support/tier.ts';

/** Most of these tests post more messages than servers allow in a minute. */
const unlimitedFixture = (options: ServerOptions = {}) => sessionFixture({rateLimited: false, ...options});

function timelineOf(session: Session, narrow: Narrow): Timeline {
  const timeline = session.cache.state.timelines.get(narrowKey(narrow));
  if (timeline === undefined) throw new Error('that timeline is not open');
  return timeline;
}

async function started(fixture: SessionFixture, api?: Api): Promise<Session> {
  const session = fixture.session(api === undefined ? {} : {api});
  session.start();
  await session.ready();
  return session;
}

/** Returns Meg's client, whose `getMessages` responses are counted and can be delayed. */
function watchedApi(fixture: SessionFixture) {
  const plain = clientOf(fixture.server, fixture.meg);
  const watch = {questions: [] as unknown[], gate: Promise.resolve()};
  const api: Api = {
    ...plain,
    getMessages: async (args = {}, options) => {
      if (args.narrow?.length !== 0) watch.questions.push(args.anchor);
      const response = await plain.getMessages(args, options);
      await watch.gate;
      return response;
    },
  };
  return {api, watch};
}

/** Posts messages and returns their ids, ascending. */
async function postMany(fixture: SessionFixture, count: number, topic = 'talk'): Promise<number[]> {
  const ids = await Promise.all(Array.from({length: count}, (_, n) => fixture.postMessage(`message ${n}`, topic)));
  return ids.sort((a, b) => a - b);
}

const markRead = (fixture: SessionFixture, messages: readonly number[]) =>
  fixture.server.as(fixture.meg).post('/messages/flags', {messages, op: 'add', flag: 'read'});

describe('opening a timeline', () => {
  test.each(fewOf([509, 122]))(
    'opens at the first unread message and pages to both ends, at level %i',
    async (level) => {
      const fixture = await unlimitedFixture({level});
      const ids = await postMany(fixture, 240);
      await markRead(fixture, ids.slice(0, 120));
      const session = await started(fixture);
      const narrow = topicNarrow(fixture.channelId, 'talk');
      await session.timelines.open(narrow);
      expect(timelineOf(session, narrow)).toMatchObject({
        anchor: ids[120],
        hasOldest: false,
        hasNewest: false,
        loading: undefined,
      });
      expect(timelineOf(session, narrow).ids.size).toBe(101);
      await expectTimeline(fixture, session, narrow);
      for (let page = 0; page < 2; page++) {
        await Promise.all([session.timelines.loadOlder(narrow), session.timelines.loadNewer(narrow)]);
      }
      expect(timelineOf(session, narrow)).toMatchObject({hasOldest: true, hasNewest: true});
      expect(timelineOf(session, narrow).ids.toArray()).toEqual(ids);
      await expectTimeline(fixture, session, narrow);
    },
  );

  test.each([
    ['newest', 'newest', 219, {hasOldest: false, hasNewest: true}],
    ['oldest', 'oldest', 0, {hasOldest: true, hasNewest: false}],
    ['a message', undefined, 110, {hasOldest: false, hasNewest: false}],
  ] as const)('opens at %s', async (_what, anchor, stateBefore, ends) => {
    const fixture = await unlimitedFixture();
    const ids = await postMany(fixture, 220);
    const session = await started(fixture);
    const narrow = channelNarrow(fixture.channelId);
    await session.timelines.open(narrow, anchor ?? ids[stateBefore]);
    expect(timelineOf(session, narrow)).toMatchObject(ends);
    expect(timelineOf(session, narrow).ids.has(ids[stateBefore] ?? 0)).toBe(true);
    await expectTimeline(fixture, session, narrow);
  });

  test.each([371, 509])('opens at a date, at level %i', async (level) => {
    const fixture = await unlimitedFixture({level});
    const ids = await postMany(fixture, 3);
    const session = await started(fixture);
    const narrow = channelNarrow(fixture.channelId);
    await session.timelines.open(narrow, {date: '2001-01-01'});
    expect(timelineOf(session, narrow).anchor).toBe(ids[0]);
    await expectTimeline(fixture, session, narrow);
  });

  test('opens messages to oneself when there are none yet', async () => {
    const fixture = await unlimitedFixture();
    const session = await started(fixture);
    const narrow = await session.timelines.open([{operator: 'dm', operand: [fixture.meg.id]}]);
    expect(narrow).toEqual(directNarrow([]));
    const {id} = await fixture.server
      .as(fixture.meg)
      .post('/messages', {type: 'direct', to: [fixture.meg.id], content: 'note'});
    await waitForState(session, hasMessage(id));
    expect(timelineOf(session, narrow).ids.toArray()).toEqual([id]);
  });

  test('near:id opens at the message and is not part of the narrow', async () => {
    const fixture = await unlimitedFixture();
    const ids = await postMany(fixture, 130);
    const session = await started(fixture);
    const narrow = await session.timelines.open([
      ...topicNarrow(fixture.channelId, 'talk'),
      {operator: 'near', operand: ids[5] ?? 0},
    ]);
    expect(narrow).toEqual(topicNarrow(fixture.channelId, 'talk'));
    expect(timelineOf(session, narrow)).toMatchObject({anchor: ids[5], hasOldest: true, hasNewest: false});
  });

  test.each(fewOf([509, 122]))(
    'with:id opens the conversation that contains the message now, at level %i',
    async (level) => {
      const fixture = await unlimitedFixture({level});
      const [id = 0] = await postMany(fixture, 1, 'old place');
      await postMany(fixture, 210, 'noise');
      await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {topic: 'new place'});
      const session = await started(fixture);
      expect(
        await session.timelines.open([...topicNarrow(fixture.channelId, 'old place'), {operator: 'with', operand: id}]),
      ).toEqual(topicNarrow(fixture.channelId, 'new place'));
      await expectTimeline(fixture, session, topicNarrow(fixture.channelId, 'new place'));
    },
  );

  test('with:id of an inaccessible message opens the named conversation, or is refused', async () => {
    const fixture = await unlimitedFixture();
    const session = await started(fixture);
    const narrow = topicNarrow(fixture.channelId, 'talk');
    const missing = {operator: 'with', operand: 99_999};
    expect(await session.timelines.open([...narrow, missing])).toEqual(narrow);
    await expect(session.timelines.open([missing])).rejects.toMatchObject({kind: 'permanent'});
  });

  test('before the first registration, opening waits for it', async () => {
    const fixture = await unlimitedFixture();
    const [id] = await postMany(fixture, 1);
    const session = fixture.session();
    const narrow = channelNarrow(fixture.channelId);
    const opened = session.timelines.open(narrow);
    session.start();
    await opened;
    expect(timelineOf(session, narrow).ids.toArray()).toEqual([id]);
    await expectInSync(fixture, session);
  });

  test('a loaded anchor is not fetched again', async () => {
    const fixture = await unlimitedFixture();
    await postMany(fixture, 5);
    const {api, watch} = watchedApi(fixture);
    const session = await started(fixture, api);
    const narrow = channelNarrow(fixture.channelId);
    await session.timelines.open(narrow);
    await Promise.all([session.timelines.loadOlder(narrow), session.timelines.loadNewer(narrow)]);
    await session.timelines.open(narrow, 'newest');
    expect(watch.questions).toEqual(['first_unread']);
  });

  test('two concurrent openings send one request', async () => {
    const fixture = await unlimitedFixture();
    await postMany(fixture, 210);
    const {api, watch} = watchedApi(fixture);
    const session = await started(fixture, api);
    const narrow = channelNarrow(fixture.channelId);
    await session.timelines.open(narrow, 'newest');
    const {loadOlder} = session.timelines;
    const load = loadOlder.bind(session.timelines, narrow);
    await Promise.all([load(), load(), load()]);
    expect(watch.questions).toHaveLength(2);
    expect(timelineOf(session, narrow).ids.size).toBe(200);
  });

  test('the last opening wins, and all callers get its result', async () => {
    const fixture = await unlimitedFixture();
    const ids = await postMany(fixture, 250);
    const session = await started(fixture);
    const narrow = channelNarrow(fixture.channelId);
    const openings = [
      session.timelines.open(narrow, 'newest'),
      session.timelines.open(narrow, ids[10]),
      session.timelines.open(narrow, ids[100]),
    ];
    await Promise.all(openings);
    expect(timelineOf(session, narrow).anchor).toBe(ids[100]);
    await expectTimeline(fixture, session, narrow);
  });

  test('a view that the server refuses shows the reason', async () => {
    const fixture = await unlimitedFixture();
    const session = await started(fixture);
    const narrow = [{operator: 'channel', operand: 4711}];
    await expect(session.timelines.open(narrow)).rejects.toMatchObject({kind: 'permanent'});
    expect(timelineOf(session, narrow)).toMatchObject({loading: undefined, problem: expect.any(String)});
  });

  test('a failed view is fetched when the server is reachable again', async () => {
    const fixture = await unlimitedFixture();
    const [id = 0] = await postMany(fixture, 1);
    const session = await started(fixture);
    await waitForState(session, hasMessage(id));
    const narrow = channelNarrow(fixture.channelId);
    await fixture.hook('fault', {path: '/messages', kind: 'drop_before', times: 4});
    await expect(session.timelines.open(narrow)).rejects.toMatchObject({kind: 'retry'});
    expect(timelineOf(session, narrow).problem).toMatch(/\.$/);
    session.cache.apply({
      type: 'connection_changed',
      connection: {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined},
    });
    await waitForState(session, ({connection}) => connection.phase === 'offline');
    session.wake('manual');
    await waitForState(session, ({timelines}) => timelines.get(narrowKey(narrow))?.hasNewest === true);
    await expectTimeline(fixture, session, narrow);
  });

  test('a failed view is retried after a while although the connection stayed up', async () => {
    const fixture = await unlimitedFixture();
    const [id = 0] = await postMany(fixture, 1);
    const session = await started(fixture);
    await waitForState(session, hasMessage(id));
    await fixture.hook('fault', {path: '/messages', kind: 'html', times: 4});
    const narrow = channelNarrow(fixture.channelId);
    await expect(session.timelines.open(narrow)).rejects.toMatchObject({kind: 'retry'});
    await waitForState(session, ({timelines}) => timelines.get(narrowKey(narrow))?.hasNewest === true);
    await expectTimeline(fixture, session, narrow);
  });

  test('a truncated response is requested again', async () => {
    const fixture = await unlimitedFixture();
    await postMany(fixture, 3);
    const session = await started(fixture);
    await waitForState(session, ({messages}) => messages.byId.size === 3);
    await fixture.hook('fault', {path: '/messages', kind: 'truncate'});
    await fixture.hook('fault', {path: '/messages', kind: 'html', status: 200});
    await session.timelines.open(everythingNarrow);
    await expectTimeline(fixture, session);
  });
});

describe('a response in flight', () => {
  test('does not undo changes that happen meanwhile', async () => {
    const fixture = await unlimitedFixture();
    const ids = await postMany(fixture, 4);
    const {api, watch} = watchedApi(fixture);
    const session = await started(fixture, api);
    const gate = Promise.withResolvers<void>();
    watch.gate = gate.promise;
    const opened = session.timelines.open(channelNarrow(fixture.channelId));
    await waitForState(session, ({log}) => log.fetchesInFlight > 0);
    const otto = fixture.server.as(fixture.otto);
    await otto.patch(`/messages/${ids[0]}`, {content: 'edited'});
    await otto.post(`/messages/${ids[1]}/reactions`, {emoji_name: 'tada'});
    await fixture.server.as(fixture.meg).post('/messages/flags', {messages: [ids[2]], op: 'add', flag: 'starred'});
    await otto.patch(`/messages/${ids[3]}`, {topic: 'elsewhere'});
    const last = await fixture.postMessage('and this');
    await waitForState(session, hasMessage(last));
    gate.resolve();
    await opened;
    await expectInSync(fixture, session);
  });

  test('is requested again when a new registration happens meanwhile', async () => {
    const fixture = await unlimitedFixture();
    const [id] = await postMany(fixture, 1);
    const {api, watch} = watchedApi(fixture);
    const session = await started(fixture, api);
    const gate = Promise.withResolvers<void>();
    watch.gate = gate.promise;
    const opened = session.timelines.open(channelNarrow(fixture.channelId));
    await waitForState(session, () => watch.questions.length === 1);
    watch.gate = Promise.resolve();
    await fixture.hook('expire-queues');
    await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {content: 'edited in the gap'});
    await waitForState(session, () => fixture.registrations === 2);
    gate.resolve();
    await opened;
    await expectInSync(fixture, session);
    await waitForState(session, ({log}) => log.fetchesInFlight === 0);
  });
});

test('for a single message is requested again when a new registration happens meanwhile', async () => {
  const fixture = await unlimitedFixture();
  const [id = 0] = await postMany(fixture, 1);
  await postMany(fixture, 210, 'noise');
  const plain = clientOf(fixture.server, fixture.meg);
  const gate = Promise.withResolvers<void>();
  let requestCount = 0;
  const api: Api = {
    ...plain,
    getMessage: async (args, options) => {
      requestCount += 1;
      const response = await plain.getMessage(args, options);
      if (requestCount === 1) await gate.promise;
      return response;
    },
  };
  const session = await started(fixture, api);
  const fetched = session.fetchMessage(id);
  await waitForState(session, ({log}) => requestCount === 1 && log.fetchesInFlight === 1);
  await fixture.hook('expire-queues');
  await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {content: 'edited in the gap'});
  await waitForState(session, () => fixture.registrations === 2);
  gate.resolve();
  expect((await fetched).content).toBe('edited in the gap');
  expect(session.cache.state.messages.byId.get(id)?.content).toBe('edited in the gap');
});

describe('an open timeline', () => {
  test('is never shown empty while the state is replaced', async () => {
    const fixture = await unlimitedFixture();
    await postMany(fixture, 30);
    // The fast clock would time out the preparation.
    const session = fixture.session({clock: systemClock});
    session.start();
    await session.ready();
    const narrow = topicNarrow(fixture.channelId, 'talk');
    await session.timelines.open(narrow);
    session.timelines.keepOpen(narrow);
    const sizes: number[] = [];
    session.cache.subscribe(['timelines', 'messages', 'connection'], (state) => {
      sizes.push(state.timelines.get(narrowKey(narrow))?.ids.size ?? 0);
    });
    await fixture.hook('expire-queues');
    const id = await fixture.postMessage('in the gap');
    await waitForState(session, (state) => fixture.registrations === 2 && hasMessage(id)(state));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(30);
    expect(Math.max(...sizes)).toBe(31);
    await expectInSync(fixture, session);
  });

  test('is refetched around the viewed message', async () => {
    const fixture = await unlimitedFixture();
    const ids = await postMany(fixture, 300);
    const session = await started(fixture);
    const [narrow, other] = [channelNarrow(fixture.channelId), topicNarrow(fixture.channelId, 'talk')];
    await session.timelines.open(other, ids[150]);
    await session.timelines.open(narrow, ids[100]);
    await fixture.hook('expire-queues');
    await waitForState(session, () => fixture.registrations === 2);
    for (const [view, anchor] of [
      [narrow, 100],
      [other, 150],
    ] as const) {
      await session.timelines.open(view, ids[anchor]);
      expect(timelineOf(session, view).ids.has(ids[anchor - 50] ?? 0)).toBe(true);
      expect(timelineOf(session, view).ids.has(ids[anchor + 50] ?? 0)).toBe(true);
    }
    await expectInSync(fixture, session);
  });

  test('gets messages that were moved into it, although they were never loaded', async () => {
    const fixture = await unlimitedFixture();
    const moved = await postMany(fixture, 20, 'elsewhere');
    await postMany(fixture, 220, 'talk');
    const session = await started(fixture);
    const narrow = topicNarrow(fixture.channelId, 'talk');
    await session.timelines.open(narrow, 'oldest');
    await fixture.server.as(fixture.otto).patch(`/messages/${moved[0]}`, {topic: 'talk', propagate_mode: 'change_all'});
    await waitForState(session, ({timelines}) => timelines.get(narrowKey(narrow))?.ids.has(moved[0] ?? 0) === true);
    await expectTimeline(fixture, session, narrow);
  });

  test('of a search gets the live messages that the server matches', async () => {
    const fixture = await unlimitedFixture();
    await fixture.postMessage('tea is ready');
    const session = await started(fixture);
    const narrow = [{operator: 'search', operand: 'tea'}];
    await session.timelines.open(narrow, 'newest');
    const [no, yes] = [
      await fixture.postMessage('coffee is ready'),
      await fixture.postMessage('more tea for everyone'),
    ];
    await waitForState(session, ({timelines}) => timelines.get(narrowKey(narrow))?.ids.has(yes) === true);
    expect(timelineOf(session, narrow).ids.has(no)).toBe(false);
    expect(timelineOf(session, narrow).matches.get(yes)?.content).toContain('highlight');
    await expectTimeline(fixture, session, narrow);
  });

  test('is closed when many others were opened since, unless it is in use', async () => {
    const fixture = await unlimitedFixture();
    const session = await started(fixture);
    const views = Array.from({length: 34}, (_, n) => topicNarrow(fixture.channelId, `topic ${n}`));
    const isOpen = (view: Narrow) => session.cache.state.timelines.has(narrowKey(view));
    for (const [n, view] of views.entries()) {
      await session.timelines.open(view);
      if (n === 0) session.timelines.keepOpen(view);
    }
    expect(views.map(isOpen).filter(Boolean)).toHaveLength(30);
    expect(views.slice(0, 6).map(isOpen)).toEqual([true, false, false, false, false, true]);
  });

  test('that is closed ignores late responses', async () => {
    const fixture = await unlimitedFixture();
    await postMany(fixture, 3);
    const {api, watch} = watchedApi(fixture);
    const session = await started(fixture, api);
    const gate = Promise.withResolvers<void>();
    watch.gate = gate.promise;
    const narrow = narrowIs('starred');
    const opened = session.timelines.open(narrow);
    await waitForState(session, () => watch.questions.length === 1);
    session.timelines.close(narrow);
    gate.resolve();
    await opened;
    await waitForState(session, ({log}) => log.fetchesInFlight === 0);
    expect(session.cache.state.timelines.has(narrowKey(narrow))).toBe(false);
  });
});

describe('other fetches', () => {
  test('fetches the topics of a channel, including those that appear meanwhile', async () => {
    const fixture = await unlimitedFixture();
    await postMany(fixture, 1, 'tea');
    const session = await started(fixture);
    await session.fetchTopics(fixture.channelId);
    await waitForState(session, hasMessage(await fixture.postMessage('hot', 'coffee')));
    const topics = session.cache.state.topics.get(fixture.channelId);
    expect(topics?.complete).toBe(true);
    expect([...(topics?.byKey.keys() ?? [])]).toEqual(['coffee', 'tea']);
  });

  test('fetches the subscribers of a channel', async () => {
    const fixture = await unlimitedFixture();
    const session = await started(fixture);
    await session.fetchSubscribers(fixture.channelId);
    expect(session.cache.state.subscribers.get(fixture.channelId)?.ids.toArray()).toEqual([
      fixture.meg.id,
      fixture.otto.id,
    ]);
  });

  test('known topics and subscribers are fetched again only for channels without a subscription', async () => {
    const requests: string[] = [];
    const fixture = await unlimitedFixture({onRequest: (_method, path) => void requests.push(path)});
    const otherId = fixture.server.people.channel('other', [fixture.otto]);
    const session = await started(fixture);
    for (const channelId of [fixture.channelId, fixture.channelId, otherId, otherId]) {
      await session.fetchTopics(channelId);
      await session.fetchSubscribers(channelId);
    }
    const count = (path: string) => requests.filter((request) => request === `/api/v1${path}`).length;
    expect(count(`/users/me/${fixture.channelId}/topics`)).toBe(1);
    // The registration has all subscribers of a small channel.
    expect(count(`/streams/${fixture.channelId}/members`)).toBe(0);
    expect(count(`/users/me/${otherId}/topics`)).toBe(2);
    expect(count(`/streams/${otherId}/members`)).toBe(2);
    await fixture.server.as(fixture.meg).delete('/users/me/subscriptions', {subscriptions: ['general']});
    await waitForState(session, (state) => !isSubscribed(state, fixture.channelId));
    for (let time = 0; time < 2; time++) await session.fetchSubscribers(fixture.channelId);
    expect(count(`/streams/${fixture.channelId}/members`)).toBe(2);
  });

  test('fetches a message, its history and its read receipts', async () => {
    const fixture = await unlimitedFixture();
    const id = await fixture.postMessage('first');
    await fixture.server.as(fixture.otto).patch(`/messages/${id}`, {content: 'second'});
    await markRead(fixture, [id]);
    const session = await started(fixture);
    expect((await session.fetchMessage(id)).content).toBe('second');
    const read = async (request: FetchRequest) => {
      const leave = session.queries.observe(request);
      await session.queries.settled([request]);
      leave();
      return session.cache.client.getQueryData([queryPrefix, ...request.key]);
    };
    expect(await read(editHistory(id))).toMatchObject([{content: 'first'}, {content: 'second'}]);
    expect(await read(readReceipts(id))).toEqual([fixture.meg.id]);
    expect(await read(uploadSpace())).toEqual({used: 0});
    await expect(session.fetchMessage(99_999)).rejects.toMatchObject({kind: 'permanent'});
  });
});

import {describe, expect, test} from 'vitest';
import {channelNarrow, everything, narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {restore} from '#state/persistence/persistence.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {expectInStep, has, sessionStage, until} from './session-fixture.ts';

describe('starting', () => {
  test.each([122, 277, 371, 509])(
    'registers with a server of level %i and hears what happens',
    async (level) => {
      const stage = await sessionStage({level});
      const before = await stage.say('before');
      const session = stage.session();
      session.start();
      await session.ready();
      expect(session.cache.state.server.level).toBe(level);
      await until(session, has(before));
      const id = await stage.say('after');
      await until(session, has(id));
      expect(session.cache.state.unreads.byId.has(id)).toBe(true);
      await expectInStep(stage, session);
    },
  );

  test('with a key that is not valid rejects and says why', async () => {
    const stage = await sessionStage();
    const api = clientOf(stage.server, {...stage.meg, apiKey: 'x'.repeat(32)});
    const session = stage.session({api});
    session.start();
    await expect(session.ready()).rejects.toMatchObject({kind: 'login'});
    expect(session.cache.state.connection.phase).toBe('signedOut');
  });

  test('begins with what the disk remembers, and says from when that is', async () => {
    const stage = await sessionStage();
    const {store} = openAccountStore({
      path: ':memory:',
      clock: systemClock,
      random: () => 0.5,
      log: () => {},
    });
    const id = await stage.say('hello');
    const first = stage.session({store});
    first.start();
    await first.ready();
    await until(first, has(id));
    await first.stop();
    const second = stage.session({store, initial: restore(store)});
    expect(second.cache.state.connection).toEqual({phase: 'starting', savedAt: expect.any(Number)});
    expect(second.cache.state.messages.byId.get(id)?.content).toBe('hello');
    expect(second.cache.state.unreads.byId.has(id)).toBe(true);
    second.start();
    await second.ready();
    await expectInStep(stage, second);
    await second.stop();
    store.close();
  });

  test('stopping gives the queue back to the server and ends everything', async () => {
    const stage = await sessionStage();
    const session = stage.session({clock: systemClock});
    session.start();
    await session.ready();
    const queueId = session.context.queueId();
    await session.stop();
    expect(session.cache.state.connection).toEqual({phase: 'stopped'});
    expect(session.context.signal.aborted).toBe(true);
    await stage.server
      .as(stage.meg)
      .refused('GET', '/events', {queue_id: queueId, last_event_id: -1}, {code: 'BAD_EVENT_QUEUE_ID'});
  });
});

describe('faults', () => {
  test('a lost queue: nothing is missing, nothing is doubled, everywhere', async () => {
    const stage = await sessionStage();
    for (let n = 0; n < 5; n++) await stage.say(`before ${n}`);
    const session = stage.session();
    session.start();
    await session.ready();
    const narrows = [everything, channelNarrow(stage.channelId), topicNarrow(stage.channelId, 'talk')];
    for (const narrow of narrows) await session.timelines.open(narrow, 'newest');
    await session.fetchTopics(stage.channelId);
    await stage.hook('expire-queues');
    const missed = await stage.say('missed', 'new topic');
    await until(session, (state) => stage.registrations === 2 && has(missed)(state));
    const live = await stage.say('live');
    await until(session, has(live));
    await until(session, ({timelines}) =>
      narrows.every((n) => timelines.get(narrowKey(n))?.loading === undefined),
    );
    await until(session, ({topics}) => topics.get(stage.channelId)?.byKey.has('new topic') === true);
    await expectInStep(stage, session);
  });

  test.each([
    ['a gateway error', {kind: 'html'}],
    ['half an answer', {kind: 'truncate'}],
    ['a dropped connection', {kind: 'drop_before'}],
    ['an answer dropped after the events were taken', {kind: 'drop_after'}],
    ['a busy server', {kind: 'rate_limit', retry_after: 1}],
    ['a broken server', {kind: 'status', status: 500, code: 'INTERNAL_SERVER_ERROR'}],
  ])('%s while polling loses and doubles nothing', async (_what, fault) => {
    const stage = await sessionStage();
    const session = stage.session();
    session.start();
    await session.ready();
    const queueId = session.context.queueId();
    await session.timelines.open(everything, 'newest');
    await stage.hook('fault', {method: 'GET', path: '/events', times: 2, ...fault});
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await stage.say(`message ${n}`));
    await until(session, (state) => ids.every((id) => has(id)(state)));
    const last = await stage.say('afterwards');
    await until(session, has(last));
    expect(session.context.queueId()).toBe(queueId);
    expect(session.cache.state.timelines.get(narrowKey(everything))?.ids.size).toBe(6);
    await expectInStep(stage, session);
  });

  test.each(['/server_settings', '/register'])('trouble with %s is outlasted', async (path) => {
    const stage = await sessionStage();
    await stage.hook('fault', {path, kind: 'html', status: 200});
    await stage.hook('fault', {path, kind: 'truncate'});
    await stage.hook('fault', {path, kind: 'rate_limit', retry_after: 1});
    const session = stage.session();
    session.start();
    await until(session, ({connection}) => connection.phase === 'offline');
    await session.ready();
    await expectInStep(stage, session);
  });

  test('events that are delivered twice count once', async () => {
    const stage = await sessionStage();
    const session = stage.session();
    session.start();
    await session.ready();
    await session.timelines.open(everything, 'newest');
    const ids = [await stage.say('one'), await stage.say('two')];
    await until(session, (state) => ids.every((id) => has(id)(state)));
    await stage.hook('heartbeat');
    await stage.hook('redeliver', {count: 2});
    const last = await stage.say('three');
    await until(session, has(last));
    expect(session.cache.state.unreads.byId.size).toBe(3);
    await expectInStep(stage, session);
  });

  test('a key that is taken away shows with the first thing done, which is kept', async () => {
    const stage = await sessionStage();
    const id = await stage.say('hello');
    const session = stage.session({clock: systemClock});
    session.start();
    await session.ready();
    await stage.server.as(stage.meg).post('/users/me/api_key/regenerate');
    const read = {kind: 'flags', op: 'add', flag: 'read', ids: [id]} as const;
    session.deeds.do(read);
    await until(session, ({connection}) => connection.phase === 'signedOut');
    expect(session.deeds.pending()).toEqual([read]);
    expect(session.cache.state.unreads.byId.has(id)).toBe(false);
  });

  test('one answer that asks for a login does not hold up what is done afterwards', async () => {
    const stage = await sessionStage();
    const id = await stage.say('hello');
    const session = stage.session();
    session.start();
    await session.ready();
    await stage.hook('fault', {
      path: '/messages/flags',
      kind: 'status',
      status: 401,
      code: 'INVALID_API_KEY',
    });
    session.deeds.do({kind: 'flags', op: 'add', flag: 'read', ids: [id]});
    await until(session, () => session.deeds.pending().length === 0);
    expect(session.cache.state.connection.phase).toBe('online');
    await expectInStep(stage, session);
  });

  test('a restart at another level brings a new registration', async () => {
    const stage = await sessionStage();
    const session = stage.session({random: () => 0});
    session.start();
    await session.ready();
    await stage.hook('restart', {feature_level: 508});
    const id = await stage.say('after the restart');
    await until(session, (state) => stage.registrations === 2 && has(id)(state));
    await expectInStep(stage, session);
  });

  test('a restart at the same level changes nothing', async () => {
    const stage = await sessionStage();
    const session = stage.session({random: () => 0});
    session.start();
    await session.ready();
    const first = session.context.queueId();
    await stage.hook('restart', {});
    const id = await stage.say('after the restart');
    await until(session, has(id));
    expect(session.context.queueId()).toBe(first);
  });
});

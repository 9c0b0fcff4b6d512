import {describe, expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {PresenceReporter} from '#state/presence/presence-reporter.ts';
import * as eg from '#test/support/state-builders.ts';
import {type FakeApiFixture, fakeApiFixture, flushPromises} from './fake-api-fixture.ts';
import {sessionFixture, waitForState} from './session-fixture.ts';

async function pass(stage: FakeApiFixture, ms: number): Promise<void> {
  stage.clock.advance(ms);
  await flushPromises();
}

const sent = (stage: FakeApiFixture) => stage.calls.map(([, args]) => args);

describe('presence reports', () => {
  test('are sent at once and then every minute, continuing where the last response ended', async () => {
    const stage = fakeApiFixture();
    stage.reply = {presences: {}, presence_last_update_id: 7, server_timestamp: 0};
    new PresenceReporter(stage.context).ping();
    await flushPromises();
    await pass(stage, 59_999);
    expect(sent(stage)).toEqual([
      {status: 'active', last_update_id: -1, new_user_input: false, ping_only: false},
    ]);
    await pass(stage, 1);
    expect(sent(stage).at(-1)).toMatchObject({status: 'active', last_update_id: 7});
  });

  test('are sent at the server’s interval, but not more often than every ten seconds', async () => {
    const server = {...initialState.server, serverPresencePingIntervalSeconds: 1};
    const stage = fakeApiFixture({server});
    new PresenceReporter(stage.context).ping();
    await flushPromises();
    await pass(stage, 9999);
    expect(stage.calls).toHaveLength(1);
    await pass(stage, 1);
    expect(stage.calls).toHaveLength(2);
  });

  test('contain new input once, and again after a failed report', async () => {
    const stage = fakeApiFixture();
    const pulse = new PresenceReporter(stage.context);
    pulse.noteActivity('key');
    stage.reply = new Error('lost');
    pulse.ping();
    await flushPromises();
    stage.reply = {presences: {}};
    await pass(stage, 60_000);
    await pass(stage, 60_000);
    pulse.noteActivity('focus');
    await pass(stage, 60_000);
    expect(sent(stage)).toMatchObject([
      {new_user_input: true},
      {new_user_input: true},
      {new_user_input: false},
      {new_user_input: false},
    ]);
  });

  test('say idle after five minutes without a key, and active again at the next one', async () => {
    const stage = fakeApiFixture();
    const pulse = new PresenceReporter(stage.context);
    pulse.ping();
    await flushPromises();
    for (let minute = 0; minute < 6; minute++) await pass(stage, 60_000);
    expect(sent(stage).map((args) => 'status' in args && args.status)).toEqual([
      'active',
      'active',
      'active',
      'active',
      'active',
      'active',
      'idle',
    ]);
    pulse.noteActivity('focus');
    await flushPromises();
    expect(stage.calls).toHaveLength(8);
    expect(sent(stage).at(-1)).toMatchObject({status: 'active'});
    pulse.noteActivity('key');
    await flushPromises();
    expect(stage.calls).toHaveLength(8);
  });

  test('do not reveal an invisible user’s activity', async () => {
    const stage = fakeApiFixture({settings: {...initialState.settings, presenceEnabled: false}});
    const pulse = new PresenceReporter(stage.context);
    pulse.noteActivity('key');
    pulse.ping();
    await flushPromises();
    expect(sent(stage)).toMatchObject([{status: 'idle', new_user_input: false}]);
  });

  test('are not sent offline, where presence is disabled, or after stopping', async () => {
    const offline = fakeApiFixture({connection: {phase: 'starting', savedAt: undefined}});
    const off = fakeApiFixture({realm: {...initialState.realm, presenceDisabled: true}});
    const ended = fakeApiFixture();
    const pulse = new PresenceReporter(ended.context);
    pulse.stop();
    pulse.ping();
    for (const stage of [offline, off]) new PresenceReporter(stage.context).ping();
    for (const stage of [offline, off, ended]) {
      await pass(stage, 200_000);
      expect(stage.calls).toEqual([]);
    }
  });

  test('are replaced by a read-only request in explore mode', async () => {
    const stage = fakeApiFixture({users: eg.byId(eg.user({id: 11, email: 'ann@example.com'}))}, true);
    stage.reply = {
      presences: {
        'ann@example.com': {
          website: {status: 'active', timestamp: 90},
          aggregated: {status: 'idle', timestamp: 95},
        },
        'nobody@example.com': {},
      },
      server_timestamp: stage.clock.seconds() + 5,
    };
    new PresenceReporter(stage.context).ping();
    await flushPromises();
    expect(stage.calls.map(([name]) => name)).toEqual(['getRealmPresence']);
    expect([...stage.cache.state.presences.byUser]).toEqual([[11, {activeAt: 90, idleAt: 95}]]);
    expect(stage.cache.state.presences.serverOffset).toBe(5);
  });
});

test('presence: the response is merged, and the server’s clock offset is recorded', async () => {
  const stage = fakeApiFixture();
  stage.reply = {
    presences: {11: {active_timestamp: 100, idle_timestamp: 120}},
    presence_last_update_id: 3,
    server_timestamp: stage.clock.seconds() - 90,
  };
  new PresenceReporter(stage.context).ping();
  await flushPromises();
  const {byUser, lastUpdateId, serverOffset} = stage.cache.state.presences;
  expect(byUser.get(11)).toEqual({activeAt: 100, idleAt: 120});
  expect({lastUpdateId, serverOffset}).toEqual({lastUpdateId: 3, serverOffset: -90});
});

test.each([122, 509])('presence: users see each other, at level %i', async (level) => {
  const stage = await sessionFixture({level});
  await stage.server.as(stage.otto).post('/users/me/presence', {status: 'active'});
  const session = stage.session();
  session.start();
  await waitForState(session, ({presences}) => presences.byUser.has(stage.meg.id));
  expect(session.cache.state.presences.byUser.get(stage.otto.id)?.activeAt).toBeGreaterThan(0);
  const seen = await stage.server.as(stage.otto).get(`/users/${stage.meg.email}/presence`);
  expect(seen.presence).toBeDefined();
});

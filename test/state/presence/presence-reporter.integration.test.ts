import {describe, expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {PresenceReporter} from '#state/presence/presence-reporter.ts';
import {type FakeApiFixture, fakeApiFixture, flushPromises} from '#test/state/fake-api-fixture.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

async function pass(fixture: FakeApiFixture, ms: number): Promise<void> {
  fixture.clock.advance(ms);
  await flushPromises();
}

const sent = (fixture: FakeApiFixture) => fixture.calls.map(([, args]) => args);

describe('presence reports', () => {
  test('are sent at once and then every minute, continuing where the last response ended', async () => {
    const fixture = fakeApiFixture();
    fixture.reply = {presences: {}, presence_last_update_id: 7, server_timestamp: 0};
    new PresenceReporter(fixture.context).ping();
    await flushPromises();
    await pass(fixture, 59_999);
    expect(sent(fixture)).toEqual([{status: 'active', last_update_id: -1, new_user_input: false, ping_only: false}]);
    await pass(fixture, 1);
    expect(sent(fixture).at(-1)).toMatchObject({status: 'active', last_update_id: 7});
  });

  test('are sent at the server’s interval, but not more often than every ten seconds', async () => {
    const server = {...initialState.server, serverPresencePingIntervalSeconds: 1};
    const fixture = fakeApiFixture({server});
    new PresenceReporter(fixture.context).ping();
    await flushPromises();
    await pass(fixture, 9999);
    expect(fixture.calls).toHaveLength(1);
    await pass(fixture, 1);
    expect(fixture.calls).toHaveLength(2);
  });

  test('contain new input once, and again after a failed report', async () => {
    const fixture = fakeApiFixture();
    const pulse = new PresenceReporter(fixture.context);
    pulse.noteActivity('key');
    fixture.reply = new Error('lost');
    pulse.ping();
    await flushPromises();
    fixture.reply = {presences: {}};
    await pass(fixture, 60_000);
    await pass(fixture, 60_000);
    pulse.noteActivity('focus');
    await pass(fixture, 60_000);
    expect(sent(fixture)).toMatchObject([
      {new_user_input: true},
      {new_user_input: true},
      {new_user_input: false},
      {new_user_input: false},
    ]);
  });

  test('say idle after five minutes without a key, and active again at the next one', async () => {
    const fixture = fakeApiFixture();
    const pulse = new PresenceReporter(fixture.context);
    pulse.ping();
    await flushPromises();
    for (let minute = 0; minute < 6; minute++) await pass(fixture, 60_000);
    expect(sent(fixture).map((args) => 'status' in args && args.status)).toEqual([
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
    expect(fixture.calls).toHaveLength(8);
    expect(sent(fixture).at(-1)).toMatchObject({status: 'active'});
    pulse.noteActivity('key');
    await flushPromises();
    expect(fixture.calls).toHaveLength(8);
  });

  test('do not reveal an invisible user’s activity', async () => {
    const fixture = fakeApiFixture({settings: {...initialState.settings, presenceEnabled: false}});
    const pulse = new PresenceReporter(fixture.context);
    pulse.noteActivity('key');
    pulse.ping();
    await flushPromises();
    expect(sent(fixture)).toMatchObject([{status: 'idle', new_user_input: false}]);
  });

  test('are not sent offline, where presence is disabled, or after stopping', async () => {
    const offline = fakeApiFixture({connection: {phase: 'starting', savedAt: undefined}});
    const off = fakeApiFixture({realm: {...initialState.realm, presenceDisabled: true}});
    const ended = fakeApiFixture();
    const pulse = new PresenceReporter(ended.context);
    pulse.stop();
    pulse.ping();
    for (const fixture of [offline, off]) new PresenceReporter(fixture.context).ping();
    for (const fixture of [offline, off, ended]) {
      await pass(fixture, 200_000);
      expect(fixture.calls).toEqual([]);
    }
  });

  test('are replaced by a read-only request in explore mode', async () => {
    const fixture = fakeApiFixture({users: eg.users(eg.user({id: 11, email: 'ann@example.com'}))}, true);
    fixture.reply = {
      presences: {
        'ann@example.com': {
          website: {status: 'active', timestamp: 90},
          aggregated: {status: 'idle', timestamp: 95},
        },
        'nobody@example.com': {},
      },
      server_timestamp: fixture.clock.seconds() + 5,
    };
    new PresenceReporter(fixture.context).ping();
    await flushPromises();
    expect(fixture.calls.map(([name]) => name)).toEqual(['getRealmPresence']);
    expect([...fixture.cache.state.presences.byUser]).toEqual([[11, {activeAt: 90, idleAt: 95}]]);
    expect(fixture.cache.state.presences.serverOffset).toBe(5);
  });
});

test('presence: the response is merged, and the server’s clock offset is recorded', async () => {
  const fixture = fakeApiFixture();
  fixture.reply = {
    presences: {11: {active_timestamp: 100, idle_timestamp: 120}},
    presence_last_update_id: 3,
    server_timestamp: fixture.clock.seconds() - 90,
  };
  new PresenceReporter(fixture.context).ping();
  await flushPromises();
  const {byUser, lastUpdateId, serverOffset} = fixture.cache.state.presences;
  expect(byUser.get(11)).toEqual({activeAt: 100, idleAt: 120});
  expect({lastUpdateId, serverOffset}).toEqual({lastUpdateId: 3, serverOffset: -90});
});

test.each([122, 509])('presence: users see each other, at level %i', async (level) => {
  const fixture = await sessionFixture({level});
  await fixture.server.as(fixture.otto).post('/users/me/presence', {status: 'active'});
  const session = fixture.session();
  session.start();
  await waitForState(session, ({presences}) => presences.byUser.has(fixture.meg.id));
  expect(session.cache.state.presences.byUser.get(fixture.otto.id)?.activeAt).toBeGreaterThan(0);
  const presence = await fixture.server.as(fixture.otto).get(`/users/${fixture.meg.email}/presence`);
  expect(presence.presence).toBeDefined();
});

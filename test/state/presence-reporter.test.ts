import {describe, expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {PresencePulse} from '#state/presence/presence-reporter.ts';
import * as eg from '#test/support/state-builders.ts';
import {type PulseStage, pulseStage, settled} from './fake-api-fixture.ts';
import {sessionStage, until} from './session-fixture.ts';

async function pass(stage: PulseStage, ms: number): Promise<void> {
  stage.clock.advance(ms);
  await settled();
}

const sent = (stage: PulseStage) => stage.calls.map(([, args]) => args);

describe('what is sent', () => {
  test('at once and then every minute: active, continuing where the last answer ended', async () => {
    const stage = pulseStage();
    stage.reply = {presences: {}, presence_last_update_id: 7, server_timestamp: 0};
    new PresencePulse(stage.context).beat();
    await settled();
    await pass(stage, 59_999);
    expect(sent(stage)).toEqual([
      {status: 'active', last_update_id: -1, new_user_input: false, ping_only: false},
    ]);
    await pass(stage, 1);
    expect(sent(stage).at(-1)).toMatchObject({status: 'active', last_update_id: 7});
  });

  test('as often as the server wants, but not without pause', async () => {
    const server = {...initialState.server, serverPresencePingIntervalSeconds: 1};
    const stage = pulseStage({server});
    new PresencePulse(stage.context).beat();
    await settled();
    await pass(stage, 9999);
    expect(stage.calls).toHaveLength(1);
    await pass(stage, 1);
    expect(stage.calls).toHaveLength(2);
  });

  test('keys that were pressed since are news once, also after a report that was lost', async () => {
    const stage = pulseStage();
    const pulse = new PresencePulse(stage.context);
    pulse.activity('key');
    stage.reply = new Error('lost');
    pulse.beat();
    await settled();
    stage.reply = {presences: {}};
    await pass(stage, 60_000);
    await pass(stage, 60_000);
    pulse.activity('focus');
    await pass(stage, 60_000);
    expect(sent(stage)).toMatchObject([
      {new_user_input: true},
      {new_user_input: true},
      {new_user_input: false},
      {new_user_input: false},
    ]);
  });

  test('idle after five minutes without a key, and active again at the next one', async () => {
    const stage = pulseStage();
    const pulse = new PresencePulse(stage.context);
    pulse.beat();
    await settled();
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
    pulse.activity('focus');
    await settled();
    expect(stage.calls).toHaveLength(8);
    expect(sent(stage).at(-1)).toMatchObject({status: 'active'});
    pulse.activity('key');
    await settled();
    expect(stage.calls).toHaveLength(8);
  });

  test('nothing that gives away somebody who is invisible', async () => {
    const stage = pulseStage({settings: {...initialState.settings, presenceEnabled: false}});
    const pulse = new PresencePulse(stage.context);
    pulse.activity('key');
    pulse.beat();
    await settled();
    expect(sent(stage)).toMatchObject([{status: 'idle', new_user_input: false}]);
  });

  test('nothing while offline, where presence is turned off, and after the end', async () => {
    const offline = pulseStage({connection: {phase: 'starting', savedAt: undefined}});
    const off = pulseStage({realm: {...initialState.realm, presenceDisabled: true}});
    const ended = pulseStage();
    const pulse = new PresencePulse(ended.context);
    pulse.stop();
    pulse.beat();
    for (const stage of [offline, off]) new PresencePulse(stage.context).beat();
    for (const stage of [offline, off, ended]) {
      await pass(stage, 200_000);
      expect(stage.calls).toEqual([]);
    }
  });

  test('a question instead of a report while exploring', async () => {
    const stage = pulseStage({users: eg.byId(eg.user({id: 11, email: 'ann@example.com'}))}, true);
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
    new PresencePulse(stage.context).beat();
    await settled();
    expect(stage.calls.map(([name]) => name)).toEqual(['getRealmPresence']);
    expect([...stage.cache.state.presences.byUser]).toEqual([[11, {activeAt: 90, idleAt: 95}]]);
    expect(stage.cache.state.presences.serverOffset).toBe(5);
  });
});

test('what the answer says is merged, and how far the server’s clock is from ours', async () => {
  const stage = pulseStage();
  stage.reply = {
    presences: {11: {active_timestamp: 100, idle_timestamp: 120}},
    presence_last_update_id: 3,
    server_timestamp: stage.clock.seconds() - 90,
  };
  new PresencePulse(stage.context).beat();
  await settled();
  const {byUser, lastUpdateId, serverOffset} = stage.cache.state.presences;
  expect(byUser.get(11)).toEqual({activeAt: 100, idleAt: 120});
  expect({lastUpdateId, serverOffset}).toEqual({lastUpdateId: 3, serverOffset: -90});
});

test.each([122, 509])('others see that one is there, and one sees them, at level %i', async (level) => {
  const stage = await sessionStage({level});
  await stage.server.as(stage.otto).post('/users/me/presence', {status: 'active'});
  const session = stage.session();
  session.start();
  await until(session, ({presences}) => presences.byUser.has(stage.meg.id));
  expect(session.cache.state.presences.byUser.get(stage.otto.id)?.activeAt).toBeGreaterThan(0);
  const seen = await stage.server.as(stage.otto).get(`/users/${stage.meg.email}/presence`);
  expect(seen.presence).toBeDefined();
});

import {describe, expect, test} from 'vitest';
import {
  buildAlertWordsEvent,
  deactivatedFailure,
  flushPromises,
  UpdateMachineFixture,
  wrongKeyFailure,
} from './update-machine-fixture.ts';

describe('a refused login', () => {
  test('wrong credentials sign out; keys and focus do not retry, new credentials do', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(wrongKeyFailure());
    await flushPromises();
    expect(fixture.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    await expect(fixture.machine.ready()).rejects.toMatchObject({kind: 'login'});
    for (const reason of ['key', 'focus', 'resumed', 'unanswered'] as const) fixture.machine.wake(reason);
    await fixture.advance(4999);
    expect(fixture.requests).toEqual(['settings', 'register']);
    fixture.machine.wake('signedIn');
    await flushPromises();
    await fixture.answerRegistration('q1');
    expect(fixture.status.phase).toBe('online');
  });

  test('refused credentials are tried again with growing pauses, and the client heals by itself', async () => {
    const fixture = new UpdateMachineFixture();
    const refuse = async (wait: number) => {
      fixture.setting.answer({feature_level: 509});
      await flushPromises();
      fixture.registration.fail(deactivatedFailure());
      await flushPromises();
      expect(fixture.status).toEqual({phase: 'signedOut', problem: 'Account is deactivated.', isDeactivated: true});
      const requestCount = fixture.requests.length;
      // Also on a machine that slept meanwhile.
      fixture.clock.miss(60_000);
      await fixture.advance(wait - 1);
      expect(fixture.requests).toHaveLength(requestCount);
      await fixture.advance(1);
      expect(fixture.requests).toHaveLength(requestCount + 1);
    };
    fixture.machine.start();
    await flushPromises();
    for (const wait of [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) await refuse(wait);
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
    await expect(fixture.machine.ready()).resolves.toBeUndefined();
    await fixture.failPoll(deactivatedFailure());
    await fixture.advance(500);
    await refuse(5000);
  });

  test('a login failure of one poll is verified by a registration and does not sign out', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(wrongKeyFailure());
    await fixture.advance(500);
    await fixture.answerRegistration('q2');
    expect(fixture.statuses.map(({phase}) => phase)).not.toContain('signedOut');
    expect(fixture.status).toEqual({phase: 'online'});
    expect(fixture.machine.queueId).toBe('q2');
    expect(fixture.requests.at(-1)).toBe('poll -1');
  });

  test('a login failure that the registration confirms signs out', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(wrongKeyFailure());
    await fixture.advance(500);
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(wrongKeyFailure());
    await flushPromises();
    expect(fixture.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    expect(fixture.polls).toHaveLength(1);
  });

  test('a login failure of another request causes a registration soon, not after the poll', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.advance(20_000);
    fixture.machine.wake('loginRefused');
    await flushPromises();
    await fixture.advance(500);
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(wrongKeyFailure());
    await flushPromises();
    expect(fixture.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    const requestCount = fixture.requests.length;
    fixture.machine.wake('loginRefused');
    await fixture.advance(4999);
    expect(fixture.requests).toHaveLength(requestCount);
  });

  test('an endpoint that wrongly returns login failures causes registrations less and less often', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    for (const maxWaitMs of [500, 1000, 2000, 4000]) {
      await fixture.advance(20_000);
      const requestCount = fixture.requests.length;
      fixture.machine.wake('loginRefused');
      await flushPromises();
      await fixture.advance(maxWaitMs / 2 - 1);
      expect(fixture.requests).toHaveLength(requestCount);
      await fixture.advance(maxWaitMs / 2 + 1);
      expect(fixture.requests.length).toBeGreaterThan(requestCount);
      await fixture.answerRegistration(`q${maxWaitMs}`, 509);
    }
  });

  test('deactivation of the organization signs out until it is active again', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(buildAlertWordsEvent(0), {id: 1, type: 'realm', op: 'deactivated', realm_id: 1});
    expect(fixture.commits).toContainEqual(['alert_words', 'realm']);
    await fixture.advance(500);
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(deactivatedFailure('REALM_DEACTIVATED'));
    await flushPromises();
    expect(fixture.status).toMatchObject({phase: 'signedOut', isDeactivated: true});
    expect(fixture.polls).toHaveLength(1);
    await fixture.advance(5000);
    await fixture.answerRegistration('q2');
    expect(fixture.status).toEqual({phase: 'online'});
  });
});

import {describe, expect, test} from 'vitest';
import {
  buildAlertWordsEvent,
  flushPromises,
  redirectFailure,
  refusalFailure,
  snapshot,
  UpdateMachineFixture,
  unreadableFailure,
  webPageFailure,
} from './update-machine-fixture.ts';

describe('an answer that is not one of a usable Zulip server', () => {
  test('refuses a server below level 122 with a sentence, and retries only on request', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({feature_level: 121, server_version: '4.9'});
    await flushPromises();
    expect(fixture.status).toEqual({
      phase: 'refused',
      problem: 'This server (version 4.9) is too old: Parley needs Zulip 5 (feature level 122), the server has 121.',
    });
    await expect(fixture.machine.ready()).rejects.toMatchObject({code: 'SERVER_TOO_OLD'});
    await fixture.advance(3_600_000);
    fixture.machine.wake('key');
    await flushPromises();
    expect(fixture.requests).toEqual(['settings']);
    fixture.machine.wake('manual');
    await flushPromises();
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
    await expect(fixture.machine.ready()).resolves.toBeUndefined();
  });

  test('a server that names no level is too old', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({});
    await flushPromises();
    expect(fixture.status).toMatchObject({
      phase: 'refused',
      problem: expect.stringContaining('the server has 0'),
    });
  });

  test.each([
    ['settings', unreadableFailure()],
    ['register', unreadableFailure()],
  ])('an unreadable response to %s is retried', async (step, failure) => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    if (step === 'register') {
      fixture.setting.answer({feature_level: 509});
      await flushPromises();
      fixture.registration.fail(failure);
    } else {
      fixture.setting.fail(failure);
    }
    await flushPromises();
    expect(fixture.status).toMatchObject({phase: 'offline', problem: 'The answer is cut off.'});
    await fixture.advance(500);
    await fixture.answerRegistration('q1');
    expect(fixture.status.phase).toBe('online');
  });

  test('a web page instead of the settings or the registration is said and tried again', async () => {
    const fixture = new UpdateMachineFixture();
    const since = fixture.clock.now();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.fail(webPageFailure());
    await flushPromises();
    const offline = {phase: 'offline', since, problem: 'Received a web page.', answered: 'webPage'};
    expect(fixture.status).toMatchObject({...offline, retryAt: 500});
    await fixture.advance(500);
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(webPageFailure());
    await flushPromises();
    expect(fixture.status).toMatchObject({...offline, retryAt: 1500});
    await fixture.advance(1000);
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
  });

  test('a redirect or another certificate before the first registration is said and tried again', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    for (const wait of [5000, 10_000]) {
      fixture.setting.fail(redirectFailure());
      await flushPromises();
      expect(fixture.status).toEqual({phase: 'refused', problem: 'chat.example redirects to http://portal.example.'});
      await expect(fixture.machine.ready()).rejects.toMatchObject({code: 'CANNOT_CONNECT'});
      await fixture.advance(wait);
    }
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
    await expect(fixture.machine.ready()).resolves.toBeUndefined();
  });

  test('an address without a Zulip server is refused', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.fail(refusalFailure());
    await flushPromises();
    expect(fixture.status).toEqual({phase: 'refused', problem: 'No such thing.'});
    await expect(fixture.machine.ready()).rejects.toMatchObject({kind: 'permanent'});
  });

  test('a registration without a queue is refused', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.answer({...snapshot('q1'), queue_id: null});
    await flushPromises();
    expect(fixture.status.phase).toBe('refused');
  });

  test('a web page instead of a poll keeps the queue', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(webPageFailure());
    await fixture.advance(500);
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.requests).toEqual(['settings', 'register', 'poll -1', 'probe -1', 'poll 0']);
  });
});

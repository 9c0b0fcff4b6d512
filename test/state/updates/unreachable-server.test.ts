import {describe, expect, test} from 'vitest';
import {RetryFailure} from '#wire/failure.ts';
import {
  buildAlertWordsEvent,
  busyFailure,
  flushPromises,
  UpdateMachineFixture,
  unreachableFailure,
  unreadableFailure,
} from './update-machine-fixture.ts';

describe('an unreachable or busy server', () => {
  test('is offline at once when the server is unreachable, keeps savedAt, and retries', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.state = {...fixture.state, connection: {phase: 'starting', savedAt: 77}};
    const since = fixture.clock.now();
    fixture.machine.start();
    await flushPromises();
    fixture.registration.fail(unreachableFailure());
    await flushPromises();
    const offline = {phase: 'offline', since, problem: 'The server cannot be reached.', savedAt: 77};
    expect(fixture.status).toEqual({...offline, retryAt: 500});
    await fixture.advance(500);
    expect(fixture.status).toEqual({...offline, retryAt: undefined});
    fixture.setting.fail(unreachableFailure());
    await flushPromises();
    expect(fixture.status).toEqual({...offline, retryAt: 1500});
    await fixture.advance(1000);
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
    expect(fixture.registered).toEqual([true]);
  });

  test('waits up to 30 seconds between attempts, and half of it with a low random number', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.randomValue = 0;
    fixture.machine.start();
    await flushPromises();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt++) {
      fixture.setting.fail(unreachableFailure());
      await flushPromises();
      const retryAt = fixture.status.phase === 'offline' ? fixture.status.retryAt : undefined;
      waits.push((retryAt ?? 0) - fixture.clock.monotonic());
      await fixture.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });

  test('a registration with Retry-After waits that long', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(busyFailure(28_700));
    await flushPromises();
    await fixture.advance(28_699);
    fixture.machine.wake('focus');
    await flushPromises();
    expect(fixture.requests).toEqual(['settings', 'register']);
    await fixture.advance(1);
    expect(fixture.requests).toEqual(['settings', 'register', 'settings']);
  });

  test('an outage of less than three seconds is not shown', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    for (const wait of [500, 1000]) {
      await fixture.failPoll(unreachableFailure());
      await fixture.advance(wait);
    }
    await fixture.advance(1499);
    await fixture.deliver();
    await fixture.advance(10_000);
    expect(fixture.statuses).toEqual([{phase: 'online'}]);
  });

  test('after three seconds the status says since when, why, and when it retries', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    const since = fixture.clock.now();
    const startedAt = fixture.clock.monotonic();
    for (const wait of [500, 1000]) {
      await fixture.failPoll(unreachableFailure());
      await fixture.advance(wait);
    }
    await fixture.failPoll(unreachableFailure());
    await fixture.advance(1500);
    expect(fixture.status).toEqual({
      phase: 'offline',
      since,
      retryAt: startedAt + 3500,
      problem: 'The server cannot be reached.',
      savedAt: undefined,
    });
    await fixture.advance(500);
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.status).toEqual({phase: 'online'});
    expect(fixture.registrations).toHaveLength(1);
    expect(fixture.requests.at(-1)).toBe('poll 0');
  });

  test.each([
    ['network', undefined, undefined],
    ['timeout', undefined, undefined],
    ['server', undefined, 'busy'],
    ['gateway', undefined, 'busy'],
    ['gateway', 9000, 'wait'],
    ['rateLimit', 9000, 'wait'],
  ] as const)('the status says how the server responded: %s, %s', async (reason, retryAfterMs, answered) => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    const failureFields = {endpoint: 'server.settings', carriedOut: 'no', reason, retryAfterMs} as const;
    fixture.setting.fail(new RetryFailure('Not now.', failureFields));
    await flushPromises();
    const retryAt = fixture.clock.monotonic() + (retryAfterMs ?? 500);
    expect(fixture.status).toMatchObject({phase: 'offline', retryAt, problem: 'Not now.'});
    expect(fixture.status).toHaveProperty('answered', answered);
  });

  test('the status says when a response was unreadable', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.fail(unreadableFailure());
    await flushPromises();
    expect(fixture.status).toMatchObject({phase: 'offline', answered: 'unreadable'});
  });

  test('keeps its queue through an outage, and starts with short waits afterwards', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    for (const wait of [500, 1000, 2000]) {
      await fixture.failPoll(unreadableFailure());
      await fixture.advance(wait);
    }
    await fixture.deliver(buildAlertWordsEvent(0));
    await fixture.failPoll(unreachableFailure());
    await fixture.advance(499);
    expect(fixture.requests.at(-1)).toBe('poll 0');
    await fixture.advance(1);
    expect(fixture.requests.at(-1)).toBe('probe 0');
    expect(fixture.registrations).toHaveLength(1);
  });

  test('waits longer each time for a busy server that asks for shorter waits', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    for (const wait of [500, 1000, 2000]) {
      await fixture.failPoll(busyFailure(10));
      const before = fixture.polls.length;
      await fixture.advance(wait - 1);
      expect(fixture.polls).toHaveLength(before);
      await fixture.advance(1);
      expect(fixture.polls).toHaveLength(before + 1);
    }
  });

  test('waits as long as a busy server says, but the user can retry', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(busyFailure(40_000));
    for (const reason of ['key', 'focus', 'resumed'] as const) fixture.machine.wake(reason);
    await fixture.advance(39_999);
    expect(fixture.requests.at(-1)).toBe('poll -1');
    fixture.machine.wake('manual');
    await flushPromises();
    expect(fixture.requests.at(-1)).toBe('probe -1');
  });

  test.each(['focus', 'key', 'resumed', 'unanswered', 'manual'] as const)(
    '%s ends a wait and shortens the next',
    async (reason) => {
      const fixture = new UpdateMachineFixture();
      await fixture.online();
      for (const wait of [500, 1000, 2000]) {
        await fixture.failPoll(unreachableFailure());
        await fixture.advance(wait);
      }
      await fixture.failPoll(unreachableFailure());
      const before = fixture.polls.length;
      fixture.machine.wake(reason);
      fixture.machine.wake(reason);
      await flushPromises();
      expect(fixture.polls.filter((poll) => !poll.isAborted)).toHaveLength(before + 1);
      await fixture.failPoll(unreachableFailure());
      await fixture.advance(500);
      expect(fixture.polls.filter((poll) => !poll.isAborted)).toHaveLength(before + 2);
    },
  );
});

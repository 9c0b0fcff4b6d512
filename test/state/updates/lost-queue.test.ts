import {describe, expect, test} from 'vitest';
import {flushPromises, queueGoneFailure, refusalFailure, UpdateMachineFixture} from './update-machine-fixture.ts';

describe('registering again', () => {
  test.each([
    ['the queue has expired', queueGoneFailure()],
    ['the server dropped events that were not acknowledged', refusalFailure()],
  ])('when %s, at once, replacing everything in one commit', async (_why, failure) => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.advance(10_000);
    await fixture.failPoll(failure);
    expect(fixture.machine.queueId).toBeUndefined();
    await fixture.answerRegistration('q2');
    expect(fixture.requests.slice(2)).toEqual(['poll -1', 'settings', 'register', 'poll -1']);
    expect(fixture.poll.request.queueId).toBe('q2');
    expect(fixture.commits.at(-1)).toEqual(['state_replaced', 'connection_changed']);
    expect(fixture.statuses).toEqual([{phase: 'online'}, {phase: 'online'}]);
    expect(fixture.registered).toEqual([true, false]);
  });

  test('a server that loses every queue is not asked without pauses', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    const waits = [500, 1000, 2000];
    for (const [round, wait] of waits.entries()) {
      await fixture.failPoll(queueGoneFailure());
      fixture.machine.wake('key');
      await fixture.advance(wait - 1);
      expect(fixture.registrations).toHaveLength(round + 1);
      await fixture.advance(1);
      await fixture.answerRegistration(`q${round + 2}`);
    }
  });

  test('a refusal while registering again is retried: a proxy may answer for the server', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.advance(20_000);
    await fixture.failPoll(queueGoneFailure());
    fixture.setting.fail(refusalFailure());
    await flushPromises();
    await fixture.advance(500);
    await fixture.answerRegistration('q2');
    expect(fixture.status.phase).toBe('online');
  });
});

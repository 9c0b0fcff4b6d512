import {describe, expect, test} from 'vitest';
import {
  buildAlertWordsEvent,
  buildHeartbeat,
  busyFailure,
  queueGoneFailure,
  UpdateMachineFixture,
} from './update-machine-fixture.ts';

const restart = (id: number, level: number, immediate = false) => ({
  id,
  type: 'restart',
  zulip_feature_level: level,
  server_generation: 1,
  immediate,
});

describe('registering again', () => {
  test('after a restart at another level: within five minutes, polling meanwhile', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.randomValue = 0.5;
    await fixture.online('q1');
    await fixture.deliver(restart(0, 510));
    await fixture.deliver(restart(1, 511), buildAlertWordsEvent(2));
    await fixture.advance(50_000);
    await fixture.deliver(buildHeartbeat(3));
    await fixture.advance(50_000);
    await fixture.deliver(buildHeartbeat(4));
    await fixture.advance(49_999);
    expect(fixture.requests.at(-1)).toBe('poll 4');
    await fixture.advance(1);
    expect(fixture.polls.at(-1)?.isAborted).toBe(true);
    expect(fixture.requests.slice(-2)).toEqual(['delete q1', 'settings']);
    await fixture.answerRegistration('q2', 510);
    expect(fixture.requests.at(-1)).toBe('poll -1');
    expect(fixture.level).toBe(510);
    await fixture.advance(90_000);
    expect(fixture.registrations).toHaveLength(2);
  });

  test('after a restart during an outage, and at once if the restart says so', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.deliver(restart(0, 510, true));
    await fixture.failPoll(busyFailure(60_000));
    await fixture.advance(1);
    expect(fixture.machine.queueId).toBeUndefined();
    await fixture.advance(60_000);
    expect(fixture.requests.at(-1)).toBe('settings');
  });

  test('not once more when the queue was lost before its time', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.deliver(restart(0, 510));
    await fixture.advance(20_000);
    await fixture.failPoll(queueGoneFailure());
    await fixture.answerRegistration('q2', 510);
    for (let id = 0; id < 8; id++) {
      await fixture.advance(55_000);
      await fixture.deliver(buildHeartbeat(id));
    }
    expect(fixture.machine.queueId).toBe('q2');
    expect(fixture.requests.filter((request) => request === 'settings')).toHaveLength(2);
  });

  test('not after a restart at the same level, or one that names none', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.deliver(restart(0, 509), {id: 1, type: 'restart', server_generation: 2});
    for (let id = 2; id < 10; id++) {
      await fixture.advance(55_000);
      await fixture.deliver(buildHeartbeat(id));
    }
    expect(fixture.requests.filter((request) => request === 'settings')).toHaveLength(1);
    expect(fixture.requests.at(-1)).toBe('poll 9');
  });
});

import {describe, expect, test} from 'vitest';
import {buildAlertWordsEvent, buildHeartbeat, UpdateMachineFixture} from './update-machine-fixture.ts';

describe('an event that cannot be applied', () => {
  test('when an event cannot be applied: nothing of its batch is kept, and each wait is longer', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    fixture.brokenEventType = 'alert_words';
    await fixture.advance(20_000);
    await fixture.deliver(buildHeartbeat(0), buildAlertWordsEvent(1));
    expect(fixture.commits).toHaveLength(1);
    expect(fixture.requests.at(-1)).toBe('delete q1');
    for (const wait of [500, 1000, 2000]) {
      await fixture.advance(wait - 1);
      expect(fixture.requests.at(-1)).toMatch(/^delete/);
      await fixture.advance(1);
      await fixture.answerRegistration('q2');
      await fixture.deliver(buildAlertWordsEvent(1));
    }
    expect(fixture.logged.at(-1)).toBe('An event could not be applied; registering again');
  });

  test('after a long stable time the wait after a broken event is short again', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    fixture.brokenEventType = 'alert_words';
    for (const wait of [500, 1000]) {
      await fixture.deliver(buildAlertWordsEvent(1));
      await fixture.advance(wait);
      await fixture.answerRegistration('q2');
    }
    for (let id = 0; id < 6; id++) {
      await fixture.advance(55_000);
      await fixture.deliver(buildHeartbeat(id));
    }
    await fixture.deliver(buildAlertWordsEvent(9));
    await fixture.advance(500);
    expect(fixture.requests.at(-1)).toBe('settings');
  });

  test('a registration that cannot be applied deletes its queue and is retried', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.brokenEventType = 'state_replaced';
    await fixture.online('q1');
    expect(fixture.requests).toEqual(['settings', 'register', 'delete q1']);
    expect(fixture.status).toMatchObject({
      phase: 'offline',
      problem: expect.stringContaining('reloads the account'),
    });
    fixture.brokenEventType = undefined;
    await fixture.advance(500);
    await fixture.answerRegistration('q2');
    expect(fixture.status.phase).toBe('online');
    expect(fixture.registered).toEqual([true]);
  });

  test('a batch that could not be applied is not passed to listeners', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    fixture.brokenEventType = 'alert_words';
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.batches).toEqual([]);
  });
});

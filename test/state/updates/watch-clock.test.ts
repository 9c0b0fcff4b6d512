import {describe, expect, test} from 'vitest';
import {queueGoneFailure, UpdateMachineFixture, unreachableFailure} from './update-machine-fixture.ts';

describe('a clock that jumps', () => {
  test('after the machine slept, it polls within ten seconds, on new sockets', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.advance(6000);
    fixture.clock.miss(3_600_000);
    await fixture.advance(10_000);
    expect(fixture.polls.map((poll) => poll.isAborted)).toEqual([true, false]);
    expect(fixture.requests.at(-1)).toBe('probe -1');
    expect(fixture.socketsRenewed).toBe(1);
    await fixture.failPoll(queueGoneFailure());
    expect(fixture.requests.at(-1)).toBe('settings');
  });

  test('after the machine slept during a wait, it retries at once', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    for (const wait of [500, 1000, 2000, 4000, 8000]) {
      await fixture.failPoll(unreachableFailure());
      await fixture.advance(wait);
    }
    await fixture.failPoll(unreachableFailure());
    const before = fixture.polls.length;
    fixture.clock.miss(60_000);
    await fixture.advance(5000);
    expect(fixture.polls).toHaveLength(before + 1);
  });

  test('a clock that is slightly ahead, or set back, is ignored', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    fixture.clock.miss(20_000);
    await fixture.advance(5000);
    fixture.clock.miss(-3_600_000);
    await fixture.advance(5000);
    expect(fixture.polls).toHaveLength(1);
  });
});

import {describe, expect, test} from 'vitest';
import {buildAlertWordsEvent, flushPromises, timeoutFailure, UpdateMachineFixture} from './update-machine-fixture.ts';

describe('a server that does not respond', () => {
  test('a poll without a heartbeat for 65 seconds is silent, and the next one does not block', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(buildAlertWordsEvent(7));
    const silentSince = fixture.clock.monotonic();
    expect(fixture.poll.request.timeoutMs).toBe(65_000);
    await fixture.advance(64_999);
    expect(fixture.poll.isAborted).toBe(false);
    expect(fixture.status).toEqual({phase: 'online'});
    await fixture.advance(1);
    expect(fixture.polls.at(-2)?.isAborted).toBe(true);
    expect(fixture.requests.at(-1)).toBe('probe 7');
    expect(fixture.socketsRenewed).toBe(1);
    expect(fixture.status).toEqual({phase: 'online', silentSince});
    await fixture.deliver();
    expect(fixture.requests.at(-1)).toBe('poll 7');
    expect(fixture.status).toEqual({phase: 'online'});
  });

  test('a request without a response is shown and causes a poll that does not block', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    const since = fixture.clock.now();
    await fixture.advance(8000);
    fixture.machine.noteSilence(since);
    await flushPromises();
    expect(fixture.status).toEqual({phase: 'online', silentSince: since});
    expect(fixture.requests.at(-1)).toBe('probe -1');
    fixture.machine.noteSilence(since + 8000);
    expect(fixture.status).toEqual({phase: 'online', silentSince: since});
    expect(fixture.requests.filter((line) => line.startsWith('probe'))).toHaveLength(1);
    fixture.machine.noteSilence(undefined);
    expect(fixture.status).toEqual({phase: 'online', silentSince: undefined});
    fixture.machine.noteSilence(since);
    await fixture.deliver();
    expect(fixture.status).toEqual({phase: 'online'});
  });

  test('a slow registration is shown as silent and not interrupted', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    const since = fixture.clock.now();
    fixture.machine.noteSilence(since);
    await flushPromises();
    expect(fixture.status).toMatchObject({phase: 'starting', silentSince: since});
    expect(fixture.setting.isAborted).toBe(false);
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
  });

  test('a server that recommends a longer timeout than usual has slower heartbeats', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    const {server} = fixture.state;
    fixture.state = {...fixture.state, server: {...server, eventQueueLongpollTimeoutSeconds: 120}};
    await fixture.deliver(buildAlertWordsEvent(7));
    expect(fixture.poll.request.timeoutMs).toBe(125_000);
  });

  test('a server that does not respond to the second poll either is offline', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(timeoutFailure());
    expect(fixture.requests.at(-1)).toBe('probe -1');
    await fixture.advance(15_000);
    await fixture.advance(500);
    expect(fixture.requests.at(-1)).toBe('probe -1');
    await fixture.advance(2500);
    expect(fixture.status).toMatchObject({phase: 'offline', problem: 'The server does not respond.'});
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.status.phase).toBe('online');
  });

  test('leaves a poll alone when the server responded recently', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.advance(55_000);
    fixture.machine.wake('focus');
    fixture.machine.wake('key');
    await flushPromises();
    expect(fixture.requests).toEqual(['settings', 'register', 'poll -1']);
  });

  test('polls at once when another request got no response, however recently the server responded', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    fixture.machine.wake('unanswered');
    await flushPromises();
    fixture.machine.wake('unanswered');
    await flushPromises();
    expect(fixture.polls.map(({isAborted}) => isAborted)).toEqual([true, false]);
    expect(fixture.polls.at(-1)?.request.dontBlock).toBe(true);
  });

  test('polls again when the server was silent for long, and never twice at once', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.advance(61_000);
    fixture.machine.wake('focus');
    await flushPromises();
    fixture.machine.wake('key');
    fixture.machine.wake('focus');
    await flushPromises();
    expect(fixture.polls.map((poll) => poll.isAborted)).toEqual([true, false]);
    expect(fixture.requests.at(-1)).toBe('probe -1');
  });

  test('polls again after the clock was set back, when nobody knows how long the server was silent', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    fixture.clock.setAhead(-3_600_000);
    fixture.machine.wake('focus');
    await flushPromises();
    expect(fixture.requests.at(-1)).toBe('probe -1');
  });

  test('does not disturb a registration in flight', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.machine.wake('focus');
    fixture.machine.wake('key');
    await flushPromises();
    expect(fixture.requests).toEqual(['settings']);
    expect(fixture.setting.isAborted).toBe(false);
  });
});

import {describe, expect, test} from 'vitest';
import {LoginFailure, MalformedFailure, PermanentFailure, RetryFailure} from '#api/failure.ts';
import {
  buildAlertWordsEvent,
  buildHeartbeat,
  busyFailure,
  flushPromises,
  queueGoneFailure,
  snapshot,
  UpdateMachineFixture,
  unreachableFailure,
} from './update-machine-fixture.ts';

const facts = {endpoint: 'queue.poll', carriedOut: 'no'} as const;
const wrongKey = () => new LoginFailure('The key is not valid.', {...facts, code: 'UNAUTHORIZED'});
const refusal = () => new PermanentFailure('No such thing.', {...facts, status: 400, code: 'BAD_REQUEST'});
const garbled = () => new MalformedFailure('The answer is cut off.', facts);
const tooSlow = () => new RetryFailure('No answer in time.', {...facts, reason: 'timeout'});

describe('starting the update machine', () => {
  test('fetches the settings, registers for their level, shows the state online, and polls', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1', 277);
    expect(stage.requests).toEqual(['settings', 'register', 'poll -1']);
    expect(stage.registration.request).toBe(277);
    expect(stage.level).toBe(277);
    expect(stage.commits).toEqual([['state_replaced', 'connection_changed']]);
    expect(stage.status).toEqual({phase: 'online'});
    expect(stage.registered).toEqual([true]);
    expect(stage.machine.queueId).toBe('q1');
    await expect(stage.machine.ready()).resolves.toBeUndefined();
  });

  test('refuses a server below level 122 with a sentence, and retries only on request', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.answer({feature_level: 121, server_version: '4.9'});
    await flushPromises();
    expect(stage.status).toEqual({
      phase: 'refused',
      problem: 'This server (version 4.9) is too old: Parley needs feature level 122, the server has 121.',
    });
    await expect(stage.machine.ready()).rejects.toMatchObject({code: 'SERVER_TOO_OLD'});
    await stage.advance(3_600_000);
    stage.machine.wake('key');
    await flushPromises();
    expect(stage.requests).toEqual(['settings']);
    stage.machine.wake('manual');
    await flushPromises();
    await stage.admit('q1');
    expect(stage.status).toEqual({phase: 'online'});
    await expect(stage.machine.ready()).resolves.toBeUndefined();
  });

  test('a server that names no level is too old', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.answer({});
    await flushPromises();
    expect(stage.status).toMatchObject({
      phase: 'refused',
      problem: expect.stringContaining('the server has 0'),
    });
  });

  test('is offline at once when the server is unreachable, keeps savedAt, and retries', async () => {
    const stage = new UpdateMachineFixture();
    stage.state = {...stage.state, connection: {phase: 'starting', savedAt: 77}};
    const since = stage.clock.now();
    stage.machine.start();
    await flushPromises();
    stage.setting.fail(unreachableFailure());
    await flushPromises();
    const offline = {phase: 'offline', since, problem: 'The server cannot be reached.', savedAt: 77};
    expect(stage.status).toEqual({...offline, retryAt: since + 500});
    await stage.advance(500);
    expect(stage.status).toEqual({...offline, retryAt: undefined});
    stage.setting.fail(unreachableFailure());
    await flushPromises();
    expect(stage.status).toEqual({...offline, retryAt: since + 1500});
    await stage.advance(1000);
    await stage.admit('q1');
    expect(stage.status).toEqual({phase: 'online'});
    expect(stage.registered).toEqual([true]);
  });

  test('waits up to 30 seconds between attempts, and half of it with a low random number', async () => {
    const stage = new UpdateMachineFixture();
    stage.dice = 0;
    stage.machine.start();
    await flushPromises();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt++) {
      stage.setting.fail(unreachableFailure());
      await flushPromises();
      const retryAt = stage.status.phase === 'offline' ? stage.status.retryAt : undefined;
      waits.push((retryAt ?? 0) - stage.clock.now());
      await stage.advance(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });

  test('a registration with Retry-After waits that long', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.answer({feature_level: 509});
    await flushPromises();
    stage.registration.fail(busyFailure(28_700));
    await flushPromises();
    await stage.advance(28_699);
    stage.machine.wake('focus');
    await flushPromises();
    expect(stage.requests).toEqual(['settings', 'register']);
    await stage.advance(1);
    expect(stage.requests).toEqual(['settings', 'register', 'settings']);
  });

  test.each([
    ['settings', garbled()],
    ['register', garbled()],
  ])('an unreadable response to %s is retried', async (where, failure) => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    if (where === 'register') {
      stage.setting.answer({feature_level: 509});
      await flushPromises();
      stage.registration.fail(failure);
    } else {
      stage.setting.fail(failure);
    }
    await flushPromises();
    expect(stage.status).toMatchObject({phase: 'offline', problem: 'The answer is cut off.'});
    await stage.advance(500);
    await stage.admit('q1');
    expect(stage.status.phase).toBe('online');
  });

  test('wrong credentials sign out; keys and focus do not retry, new credentials do', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.answer({feature_level: 509});
    await flushPromises();
    stage.registration.fail(wrongKey());
    await flushPromises();
    expect(stage.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    await expect(stage.machine.ready()).rejects.toMatchObject({kind: 'login'});
    for (const reason of ['key', 'focus', 'resumed'] as const) stage.machine.wake(reason);
    stage.clock.miss(60_000);
    await stage.advance(60_000);
    expect(stage.requests).toEqual(['settings', 'register']);
    stage.machine.wake('signedIn');
    await flushPromises();
    await stage.admit('q1');
    expect(stage.status.phase).toBe('online');
  });

  test('an address without a Zulip server is refused', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.fail(refusal());
    await flushPromises();
    expect(stage.status).toEqual({phase: 'refused', problem: 'No such thing.'});
    await expect(stage.machine.ready()).rejects.toMatchObject({kind: 'permanent'});
  });

  test('a registration without a queue is refused', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.answer({feature_level: 509});
    await flushPromises();
    stage.registration.answer({...snapshot('q1'), queue_id: null});
    await flushPromises();
    expect(stage.status.phase).toBe('refused');
  });
});

describe('polling', () => {
  test('applies a batch in one commit and acknowledges it with the next poll', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(buildHeartbeat(0), buildAlertWordsEvent(3), buildAlertWordsEvent(4));
    expect(stage.commits.at(-1)).toEqual(['heartbeat', 'alert_words', 'alert_words']);
    expect(stage.requests.at(-1)).toBe('poll 4');
  });

  test('repeated events are not applied again', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(buildAlertWordsEvent(3));
    await stage.deliver(
      buildAlertWordsEvent(2),
      buildAlertWordsEvent(3),
      buildHeartbeat(3),
      buildAlertWordsEvent(5),
      buildAlertWordsEvent(5),
    );
    expect(stage.commits.slice(1)).toEqual([['alert_words'], ['alert_words']]);
    expect(stage.requests.at(-1)).toBe('poll 5');
  });

  test('unreadable events are acknowledged, and logged once per kind', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(
      {id: 0, type: 'dance', op: 'begin'},
      {id: 1, type: 'dance', op: 'begin'},
      {id: 2, type: 'alert_words', alert_words: 5},
      null,
      {type: 'message'},
      buildAlertWordsEvent(3),
      {id: 4, type: 'dance'},
    );
    expect(stage.commits.at(-1)).toEqual(['alert_words']);
    expect(stage.requests.at(-1)).toBe('poll 4');
    expect(stage.logged).toHaveLength(3);
    expect(stage.logged[0]).toBe('Ignored an event: dance/begin');
  });

  test('waits for the server’s timeout, then polls again without blocking', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(buildAlertWordsEvent(7));
    expect(stage.poll.request.timeoutMs).toBe(95_000);
    await stage.advance(94_999);
    expect(stage.poll.isAborted).toBe(false);
    await stage.advance(1);
    expect(stage.polls.at(-2)?.isAborted).toBe(true);
    expect(stage.requests.at(-1)).toBe('probe 7');
    expect(stage.socketsRenewed).toBe(1);
    await stage.deliver();
    expect(stage.requests.at(-1)).toBe('poll 7');
    expect(stage.statuses).toEqual([{phase: 'online'}]);
  });

  test('a server that does not respond to the second poll either is offline', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.failPoll(tooSlow());
    expect(stage.requests.at(-1)).toBe('probe -1');
    await stage.advance(15_000);
    await stage.advance(500);
    expect(stage.requests.at(-1)).toBe('probe -1');
    await stage.advance(2500);
    expect(stage.status).toMatchObject({phase: 'offline', problem: 'The server does not respond.'});
    await stage.deliver(buildAlertWordsEvent(0));
    expect(stage.status.phase).toBe('online');
  });

  test('an outage of less than three seconds is not shown', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    for (const wait of [500, 1000]) {
      await stage.failPoll(unreachableFailure());
      await stage.advance(wait);
    }
    await stage.advance(1499);
    await stage.deliver();
    await stage.advance(10_000);
    expect(stage.statuses).toEqual([{phase: 'online'}]);
  });

  test('after three seconds the status says since when, why, and when it retries', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    const since = stage.clock.now();
    for (const wait of [500, 1000]) {
      await stage.failPoll(unreachableFailure());
      await stage.advance(wait);
    }
    await stage.failPoll(unreachableFailure());
    await stage.advance(1500);
    expect(stage.status).toEqual({
      phase: 'offline',
      since,
      retryAt: since + 3500,
      problem: 'The server cannot be reached.',
      savedAt: undefined,
    });
    await stage.advance(500);
    await stage.deliver(buildAlertWordsEvent(0));
    expect(stage.status).toEqual({phase: 'online'});
    expect(stage.registrations).toHaveLength(1);
    expect(stage.requests.at(-1)).toBe('poll 0');
  });

  test.each([
    ['network', undefined, undefined],
    ['timeout', undefined, undefined],
    ['server', undefined, 'busy'],
    ['gateway', undefined, 'busy'],
    ['gateway', 9000, 'wait'],
    ['rateLimit', 9000, 'wait'],
  ] as const)('the status says how the server responded: %s, %s', async (reason, retryAfterMs, answered) => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    const facts = {endpoint: 'server.settings', carriedOut: 'no', reason, retryAfterMs} as const;
    stage.setting.fail(new RetryFailure('Not now.', facts));
    await flushPromises();
    const retryAt = stage.clock.now() + (retryAfterMs ?? 500);
    expect(stage.status).toMatchObject({phase: 'offline', retryAt, problem: 'Not now.'});
    expect(stage.status).toHaveProperty('answered', answered);
  });

  test('keeps its queue through an outage, and starts with short waits afterwards', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    for (const wait of [500, 1000, 2000]) {
      await stage.failPoll(garbled());
      await stage.advance(wait);
    }
    await stage.deliver(buildAlertWordsEvent(0));
    await stage.failPoll(unreachableFailure());
    await stage.advance(499);
    expect(stage.requests.at(-1)).toBe('poll 0');
    await stage.advance(1);
    expect(stage.requests.at(-1)).toBe('probe 0');
    expect(stage.registrations).toHaveLength(1);
  });

  test('waits as long as a busy server says, but the user can retry', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.failPoll(busyFailure(40_000));
    for (const reason of ['key', 'focus', 'resumed'] as const) stage.machine.wake(reason);
    await stage.advance(39_999);
    expect(stage.requests.at(-1)).toBe('poll -1');
    stage.machine.wake('manual');
    await flushPromises();
    expect(stage.requests.at(-1)).toBe('probe -1');
  });

  test('empty polls that do not block do not cause a busy loop', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(buildAlertWordsEvent(0));
    await stage.deliver(buildAlertWordsEvent(0));
    expect(stage.polls).toHaveLength(3);
    await stage.deliver();
    expect(stage.polls).toHaveLength(3);
    await stage.advance(500);
    await stage.deliver();
    await stage.advance(500);
    expect(stage.polls).toHaveLength(4);
    await stage.advance(500);
    expect(stage.polls).toHaveLength(5);
    expect(stage.statuses).toEqual([{phase: 'online'}]);
    await stage.deliver(buildAlertWordsEvent(1));
    await stage.deliver();
    expect(stage.requests.at(-1)).toBe('poll 1');
  });

  test('a login failure signs out and stops polling', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.failPoll(wrongKey());
    await stage.advance(3_600_000);
    expect(stage.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    expect(stage.polls).toHaveLength(1);
  });

  test('a login failure of another request causes a registration soon, not after the poll', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.advance(20_000);
    stage.machine.wake('loginRefused');
    await flushPromises();
    await stage.advance(500);
    stage.setting.answer({feature_level: 509});
    await flushPromises();
    stage.registration.fail(wrongKey());
    await flushPromises();
    expect(stage.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    const asked = stage.requests.length;
    stage.machine.wake('loginRefused');
    await stage.advance(60_000);
    expect(stage.requests).toHaveLength(asked);
  });

  test('an endpoint that wrongly returns login failures causes registrations less and less often', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    for (const longestMs of [500, 1000, 2000, 4000]) {
      await stage.advance(20_000);
      const asked = stage.requests.length;
      stage.machine.wake('loginRefused');
      await flushPromises();
      await stage.advance(longestMs / 2 - 1);
      expect(stage.requests).toHaveLength(asked);
      await stage.advance(longestMs / 2 + 1);
      expect(stage.requests.length).toBeGreaterThan(asked);
      await stage.admit(`q${longestMs}`, 509);
    }
  });

  test('deactivation of the organization signs out', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(buildAlertWordsEvent(0), {id: 1, type: 'realm', op: 'deactivated', realm_id: 1});
    expect(stage.commits).toContainEqual(['alert_words', 'realm']);
    expect(stage.status).toEqual({phase: 'signedOut', problem: 'This organization has been deactivated.'});
    expect(stage.polls).toHaveLength(1);
  });
});

describe('registering again', () => {
  test.each([
    ['the queue is gone', queueGoneFailure()],
    ['the server no longer has what we did not see', refusal()],
  ])('when %s, at once, replacing everything in one commit', async (_why, failure) => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    await stage.advance(10_000);
    await stage.failPoll(failure);
    expect(stage.machine.queueId).toBeUndefined();
    await stage.admit('q2');
    expect(stage.requests.slice(2)).toEqual(['poll -1', 'settings', 'register', 'poll -1']);
    expect(stage.poll.request.queueId).toBe('q2');
    expect(stage.commits.at(-1)).toEqual(['state_replaced', 'connection_changed']);
    expect(stage.statuses).toEqual([{phase: 'online'}, {phase: 'online'}]);
    expect(stage.registered).toEqual([true, false]);
  });

  test('a server that loses every queue is not asked without pauses', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    const waits = [500, 1000, 2000];
    for (const [round, wait] of waits.entries()) {
      await stage.failPoll(queueGoneFailure());
      stage.machine.wake('key');
      await stage.advance(wait - 1);
      expect(stage.registrations).toHaveLength(round + 1);
      await stage.advance(1);
      await stage.admit(`q${round + 2}`);
    }
  });

  test('when an event cannot be applied: nothing of its batch is kept, and each wait is longer', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    stage.poison = 'alert_words';
    await stage.advance(20_000);
    await stage.deliver(buildHeartbeat(0), buildAlertWordsEvent(1));
    expect(stage.commits).toHaveLength(1);
    expect(stage.requests.at(-1)).toBe('delete q1');
    for (const wait of [500, 1000, 2000]) {
      await stage.advance(wait - 1);
      expect(stage.requests.at(-1)).toMatch(/^delete/);
      await stage.advance(1);
      await stage.admit('q2');
      await stage.deliver(buildAlertWordsEvent(1));
    }
    expect(stage.logged.at(-1)).toBe('An event could not be applied; registering again');
  });

  test('after a long stable time the wait after a broken event is short again', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    stage.poison = 'alert_words';
    for (const wait of [500, 1000]) {
      await stage.deliver(buildAlertWordsEvent(1));
      await stage.advance(wait);
      await stage.admit('q2');
    }
    for (let id = 0; id < 6; id++) {
      await stage.advance(55_000);
      await stage.deliver(buildHeartbeat(id));
    }
    await stage.deliver(buildAlertWordsEvent(9));
    await stage.advance(500);
    expect(stage.requests.at(-1)).toBe('settings');
  });

  test('a registration that cannot be applied deletes its queue and is retried', async () => {
    const stage = new UpdateMachineFixture();
    stage.poison = 'state_replaced';
    await stage.online('q1');
    expect(stage.requests).toEqual(['settings', 'register', 'delete q1']);
    expect(stage.status).toMatchObject({
      phase: 'offline',
      problem: expect.stringContaining('reloads the account'),
    });
    stage.poison = undefined;
    await stage.advance(500);
    await stage.admit('q2');
    expect(stage.status.phase).toBe('online');
    expect(stage.registered).toEqual([true]);
  });

  test('a refusal while registering again is retried: a proxy may answer for the server', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    await stage.advance(20_000);
    await stage.failPoll(queueGoneFailure());
    stage.setting.fail(refusal());
    await flushPromises();
    await stage.advance(500);
    await stage.admit('q2');
    expect(stage.status.phase).toBe('online');
  });

  const restart = (id: number, level: number, immediate = false) => ({
    id,
    type: 'restart',
    zulip_feature_level: level,
    server_generation: 1,
    immediate,
  });

  test('after a restart at another level: within five minutes, polling meanwhile', async () => {
    const stage = new UpdateMachineFixture();
    stage.dice = 0.5;
    await stage.online('q1');
    await stage.deliver(restart(0, 510));
    await stage.deliver(restart(1, 511), buildAlertWordsEvent(2));
    await stage.advance(50_000);
    await stage.deliver(buildHeartbeat(3));
    await stage.advance(50_000);
    await stage.deliver(buildHeartbeat(4));
    await stage.advance(49_999);
    expect(stage.requests.at(-1)).toBe('poll 4');
    await stage.advance(1);
    expect(stage.polls.at(-1)?.isAborted).toBe(true);
    expect(stage.requests.slice(-2)).toEqual(['delete q1', 'settings']);
    await stage.admit('q2', 510);
    expect(stage.requests.at(-1)).toBe('poll -1');
    expect(stage.level).toBe(510);
    await stage.advance(90_000);
    expect(stage.registrations).toHaveLength(2);
  });

  test('after a restart during an outage', async () => {
    const stage = new UpdateMachineFixture();
    stage.dice = 0;
    await stage.online('q1');
    await stage.deliver(restart(0, 510, true));
    await stage.failPoll(busyFailure(60_000));
    await stage.advance(1);
    expect(stage.machine.queueId).toBeUndefined();
    await stage.advance(60_000);
    expect(stage.requests.at(-1)).toBe('settings');
  });

  test('not after a restart at the same level, or one that names none', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    await stage.deliver(restart(0, 509), {id: 1, type: 'restart', server_generation: 2});
    for (let id = 2; id < 10; id++) {
      await stage.advance(55_000);
      await stage.deliver(buildHeartbeat(id));
    }
    expect(stage.registrations).toHaveLength(1);
  });
});

describe('commits and listeners', () => {
  test('events prepared for the first frame are in the same commit', async () => {
    const stage = new UpdateMachineFixture();
    stage.extra = [{type: 'typing_expired', now: 1}];
    await stage.online();
    expect(stage.commits).toEqual([['state_replaced', 'connection_changed', 'typing_expired']]);
  });

  test('every batch is passed to listeners after it was applied, including heartbeats', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.deliver(buildAlertWordsEvent(0), buildHeartbeat(1), {id: 2, type: 'dance'});
    await stage.deliver({id: 3, type: 'dance'});
    expect(stage.heard).toEqual([['alert_words', 'heartbeat']]);
  });

  test('a batch that could not be applied is not passed to listeners', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    stage.poison = 'alert_words';
    await stage.deliver(buildAlertWordsEvent(0));
    expect(stage.heard).toEqual([]);
  });

  test('a typing event has the time of receipt', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    const sender = {user_id: 11, email: ''};
    await stage.deliver({
      id: 0,
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender,
      recipients: [sender],
    });
    expect(stage.commits.at(-1)).toEqual(['typing_received']);
  });
});

describe('waking', () => {
  test.each(['focus', 'key', 'resumed', 'unanswered', 'manual'] as const)(
    '%s ends a wait and shortens the next',
    async (reason) => {
      const stage = new UpdateMachineFixture();
      await stage.online();
      for (const wait of [500, 1000, 2000]) {
        await stage.failPoll(unreachableFailure());
        await stage.advance(wait);
      }
      await stage.failPoll(unreachableFailure());
      const before = stage.polls.length;
      stage.machine.wake(reason);
      stage.machine.wake(reason);
      await flushPromises();
      expect(stage.polls.filter((poll) => !poll.isAborted)).toHaveLength(before + 1);
      await stage.failPoll(unreachableFailure());
      await stage.advance(500);
      expect(stage.polls.filter((poll) => !poll.isAborted)).toHaveLength(before + 2);
    },
  );

  test('leaves a poll alone when the server responded recently', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.advance(55_000);
    stage.machine.wake('focus');
    stage.machine.wake('key');
    await flushPromises();
    expect(stage.requests).toEqual(['settings', 'register', 'poll -1']);
  });

  test('polls at once when another request got no response, however recently the server responded', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    stage.machine.wake('unanswered');
    await flushPromises();
    stage.machine.wake('unanswered');
    await flushPromises();
    expect(stage.polls.map(({isAborted}) => isAborted)).toEqual([true, false]);
    expect(stage.polls.at(-1)?.request.dontBlock).toBe(true);
  });

  test('polls again when the server was silent for long, and never twice at once', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.advance(61_000);
    stage.machine.wake('focus');
    await flushPromises();
    stage.machine.wake('key');
    stage.machine.wake('focus');
    await flushPromises();
    expect(stage.polls.map((poll) => poll.isAborted)).toEqual([true, false]);
    expect(stage.requests.at(-1)).toBe('probe -1');
  });

  test('does not disturb a registration in flight', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.machine.wake('focus');
    stage.machine.wake('key');
    await flushPromises();
    expect(stage.requests).toEqual(['settings']);
    expect(stage.setting.isAborted).toBe(false);
  });

  test('after the machine slept, it polls at once, on new sockets', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    await stage.advance(6000);
    stage.clock.miss(3_600_000);
    await stage.advance(5000);
    expect(stage.polls.map((poll) => poll.isAborted)).toEqual([true, false]);
    expect(stage.requests.at(-1)).toBe('probe -1');
    expect(stage.socketsRenewed).toBe(1);
    await stage.failPoll(queueGoneFailure());
    expect(stage.requests.at(-1)).toBe('settings');
  });

  test('after the machine slept during a wait, it retries at once', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    for (const wait of [500, 1000, 2000, 4000, 8000]) {
      await stage.failPoll(unreachableFailure());
      await stage.advance(wait);
    }
    await stage.failPoll(unreachableFailure());
    const before = stage.polls.length;
    stage.clock.miss(60_000);
    await stage.advance(5000);
    expect(stage.polls).toHaveLength(before + 1);
  });

  test('a clock that is slightly ahead, or set back, is ignored', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online();
    stage.clock.miss(20_000);
    await stage.advance(5000);
    stage.clock.miss(-3_600_000);
    await stage.advance(5000);
    expect(stage.polls).toHaveLength(1);
  });
});

describe('stopping', () => {
  test('cancels the poll and deletes the queue', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    const stopped = stage.machine.stop();
    await flushPromises();
    expect(stage.poll.isAborted).toBe(true);
    expect(stage.requests.at(-1)).toBe('delete q1');
    expect(stage.status).toEqual({phase: 'stopped'});
    stage.deletions[0]?.answer(undefined);
    await stopped;
    stage.machine.wake('manual');
    stage.clock.miss(90_000);
    await stage.advance(900_000);
    expect(stage.requests).toHaveLength(4);
  });

  test('does not wait long for the queue’s deletion', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    const stopped = stage.machine.stop();
    await stage.advance(1000);
    await stopped;
    expect(stage.deletions[0]?.isAborted).toBe(true);
  });

  test('ignores a refusal to delete the queue', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    const stopped = stage.machine.stop();
    stage.deletions[0]?.fail(queueGoneFailure());
    await expect(stopped).resolves.toBeUndefined();
  });

  test('while registering: a late response is ignored', async () => {
    const stage = new UpdateMachineFixture();
    stage.machine.start();
    await flushPromises();
    stage.setting.answer({feature_level: 509});
    await stage.machine.stop();
    await flushPromises();
    expect(stage.requests).toEqual(['settings']);
    expect(stage.commits).toEqual([['connection_changed']]);
    await expect(stage.machine.ready()).rejects.toThrow();
  });

  test.each(['waiting', 'parked'])('while %s', async (how) => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    await stage.failPoll(how === 'parked' ? wrongKey() : unreachableFailure());
    const stopped = stage.machine.stop();
    for (const deletion of stage.deletions) deletion.answer(undefined);
    await stopped;
    await stage.advance(3_600_000);
    expect(stage.polls).toHaveLength(1);
    expect(stage.status).toEqual({phase: 'stopped'});
  });

  test('a second start or stop changes nothing', async () => {
    const stage = new UpdateMachineFixture();
    await stage.online('q1');
    stage.machine.start();
    await flushPromises();
    expect(stage.settings).toHaveLength(1);
    const stopped = stage.machine.stop();
    await stage.machine.stop();
    stage.deletions[0]?.answer(undefined);
    await stopped;
    expect(stage.deletions).toHaveLength(1);
  });
});

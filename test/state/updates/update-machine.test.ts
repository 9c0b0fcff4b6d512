import {describe, expect, test} from 'vitest';
import {LoginFailure, MalformedFailure, PermanentFailure, RetryFailure} from '#api/failure.ts';
import {registrationReason} from '#state/updates/registration.ts';
import * as eg from '#test/support/state-builders.ts';
import type {ServerEvent} from '#wire/events.ts';
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

const failureFields = {endpoint: 'queue.poll', carriedOut: 'no'} as const;
const wrongKey = () => new LoginFailure('The key is not valid.', {...failureFields, code: 'UNAUTHORIZED'});
const refusal = () => new PermanentFailure('No such thing.', {...failureFields, status: 400, code: 'BAD_REQUEST'});
const deactivated = (code = 'USER_DEACTIVATED') =>
  new LoginFailure('Account is deactivated.', {...failureFields, code});
const loginPage = () =>
  new PermanentFailure('Received a web page.', {...failureFields, status: 403, code: 'NOT_ZULIP'});
const redirected = () =>
  new PermanentFailure('chat.example redirects to http://portal.example.', {...failureFields, code: 'CANNOT_CONNECT'});
const garbled = () => new MalformedFailure('The answer is cut off.', failureFields);
const tooSlow = () => new RetryFailure('No answer in time.', {...failureFields, reason: 'timeout'});

describe('starting the update machine', () => {
  test('fetches the settings, registers for their level, shows the state online, and polls', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1', 277);
    expect(fixture.requests).toEqual(['settings', 'register', 'poll -1']);
    expect(fixture.registration.request).toBe(277);
    expect(fixture.level).toBe(277);
    expect(fixture.commits).toEqual([['state_replaced', 'connection_changed']]);
    expect(fixture.status).toEqual({phase: 'online'});
    expect(fixture.registered).toEqual([true]);
    expect(fixture.machine.queueId).toBe('q1');
    await expect(fixture.machine.ready()).resolves.toBeUndefined();
  });

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

  test('with saved data it registers at the saved level, without the settings', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.state = {...fixture.state, connection: {phase: 'starting', savedAt: 77}};
    fixture.machine.start();
    await flushPromises();
    fixture.registration.answer(snapshot('q1', 509));
    await flushPromises();
    expect(fixture.requests).toEqual(['register', 'poll -1']);
    expect(fixture.level).toBe(509);
    expect(fixture.status).toEqual({phase: 'online'});
  });

  test('a saved level that is not the server’s is replaced by that of the settings', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.state = {...fixture.state, connection: {phase: 'starting', savedAt: 77}};
    fixture.machine.start();
    await flushPromises();
    fixture.registration.answer(snapshot('old', 510));
    await flushPromises();
    await fixture.answerRegistration('new', 510);
    expect(fixture.requests).toEqual(['register', 'delete old', 'settings', 'register', 'poll -1']);
    expect(fixture.registrations.map(({request}) => request)).toEqual([509, 510]);
    expect(fixture.level).toBe(510);
    expect(fixture.machine.queueId).toBe('new');
  });

  test('a refused registration at the saved level is repeated at the level of the settings', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.state = {...fixture.state, connection: {phase: 'starting', savedAt: 77}};
    fixture.machine.start();
    await flushPromises();
    fixture.registration.fail(refusal());
    await flushPromises();
    await fixture.answerRegistration('q1', 277);
    expect(fixture.requests).toEqual(['register', 'settings', 'register', 'poll -1']);
    expect(fixture.level).toBe(277);
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

  test.each([
    ['settings', garbled()],
    ['register', garbled()],
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

  test('wrong credentials sign out; keys and focus do not retry, new credentials do', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(wrongKey());
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
    fixture.machine.start();
    await flushPromises();
    const waits = [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000];
    for (const wait of waits) {
      fixture.setting.answer({feature_level: 509});
      await flushPromises();
      fixture.registration.fail(deactivated());
      await flushPromises();
      expect(fixture.status).toEqual({phase: 'signedOut', problem: 'Account is deactivated.', isDeactivated: true});
      const requestCount = fixture.requests.length;
      await fixture.advance(wait - 1);
      expect(fixture.requests).toHaveLength(requestCount);
      await fixture.advance(1);
      expect(fixture.requests).toHaveLength(requestCount + 1);
    }
    await fixture.answerRegistration('q1');
    expect(fixture.status).toEqual({phase: 'online'});
    await expect(fixture.machine.ready()).resolves.toBeUndefined();
  });

  test('a web page instead of the settings or the registration is said and tried again', async () => {
    const fixture = new UpdateMachineFixture();
    const since = fixture.clock.now();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.fail(loginPage());
    await flushPromises();
    const offline = {phase: 'offline', since, problem: 'Received a web page.', answered: 'webPage'};
    expect(fixture.status).toMatchObject({...offline, retryAt: 500});
    await fixture.advance(500);
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(loginPage());
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
      fixture.setting.fail(redirected());
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
    fixture.setting.fail(refusal());
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
});

describe('polling', () => {
  test('applies a batch in one commit and acknowledges it with the next poll', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(buildHeartbeat(0), buildAlertWordsEvent(3), buildAlertWordsEvent(4));
    expect(fixture.commits.at(-1)).toEqual(['heartbeat', 'alert_words', 'alert_words']);
    expect(fixture.requests.at(-1)).toBe('poll 4');
  });

  test('repeated events are not applied again', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(buildAlertWordsEvent(3));
    await fixture.deliver(
      buildAlertWordsEvent(2),
      buildAlertWordsEvent(3),
      buildHeartbeat(3),
      buildAlertWordsEvent(5),
      buildAlertWordsEvent(5),
    );
    expect(fixture.commits.slice(1)).toEqual([['alert_words'], ['alert_words']]);
    expect(fixture.requests.at(-1)).toBe('poll 5');
  });

  test('unreadable events are acknowledged, and logged once per kind', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(
      {id: 0, type: 'dance', op: 'begin'},
      {id: 1, type: 'dance', op: 'begin'},
      {id: 2, type: 'alert_words', alert_words: 5},
      null,
      {type: 'message'},
      buildAlertWordsEvent(3),
      {id: 4, type: 'dance'},
    );
    expect(fixture.commits.at(-1)).toEqual(['alert_words']);
    expect(fixture.requests.at(-1)).toBe('poll 4');
    expect(fixture.logged).toHaveLength(3);
    expect(fixture.logged[0]).toBe('Ignored an event: dance/begin');
  });

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
    await fixture.failPoll(tooSlow());
    expect(fixture.requests.at(-1)).toBe('probe -1');
    await fixture.advance(15_000);
    await fixture.advance(500);
    expect(fixture.requests.at(-1)).toBe('probe -1');
    await fixture.advance(2500);
    expect(fixture.status).toMatchObject({phase: 'offline', problem: 'The server does not respond.'});
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.status.phase).toBe('online');
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

  test('keeps its queue through an outage, and starts with short waits afterwards', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    for (const wait of [500, 1000, 2000]) {
      await fixture.failPoll(garbled());
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

  test('empty polls that do not block do not cause a busy loop', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(buildAlertWordsEvent(0));
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.polls).toHaveLength(3);
    await fixture.deliver();
    expect(fixture.polls).toHaveLength(3);
    await fixture.advance(500);
    await fixture.deliver();
    await fixture.advance(500);
    expect(fixture.polls).toHaveLength(4);
    await fixture.advance(500);
    expect(fixture.polls).toHaveLength(5);
    expect(fixture.statuses).toEqual([{phase: 'online'}]);
    await fixture.deliver(buildAlertWordsEvent(1));
    await fixture.deliver();
    expect(fixture.requests.at(-1)).toBe('poll 1');
  });

  test('a login failure of one poll is verified by a registration and does not sign out', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(wrongKey());
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
    await fixture.failPoll(wrongKey());
    await fixture.advance(500);
    fixture.setting.answer({feature_level: 509});
    await flushPromises();
    fixture.registration.fail(wrongKey());
    await flushPromises();
    expect(fixture.status).toEqual({phase: 'signedOut', problem: 'The key is not valid.'});
    expect(fixture.polls).toHaveLength(1);
  });

  test('a web page instead of a poll keeps the queue', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.failPoll(loginPage());
    await fixture.advance(500);
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.requests).toEqual(['settings', 'register', 'poll -1', 'probe -1', 'poll 0']);
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
    fixture.registration.fail(wrongKey());
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
    fixture.registration.fail(deactivated('REALM_DEACTIVATED'));
    await flushPromises();
    expect(fixture.status).toMatchObject({phase: 'signedOut', isDeactivated: true});
    expect(fixture.polls).toHaveLength(1);
    await fixture.advance(5000);
    await fixture.answerRegistration('q2');
    expect(fixture.status).toEqual({phase: 'online'});
  });
});

describe('registering again', () => {
  test.each([
    ['the queue has expired', queueGoneFailure()],
    ['the server dropped events that were not acknowledged', refusal()],
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

  test('a refusal while registering again is retried: a proxy may answer for the server', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.advance(20_000);
    await fixture.failPoll(queueGoneFailure());
    fixture.setting.fail(refusal());
    await flushPromises();
    await fixture.advance(500);
    await fixture.answerRegistration('q2');
    expect(fixture.status.phase).toBe('online');
  });

  const restart = (id: number, level: number, immediate = false) => ({
    id,
    type: 'restart',
    zulip_feature_level: level,
    server_generation: 1,
    immediate,
  });

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

  test('after a restart during an outage', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.randomValue = 0;
    await fixture.online('q1');
    await fixture.deliver(restart(0, 510, true));
    await fixture.failPoll(busyFailure(60_000));
    await fixture.advance(1);
    expect(fixture.machine.queueId).toBeUndefined();
    await fixture.advance(60_000);
    expect(fixture.requests.at(-1)).toBe('settings');
  });

  test('not after a restart at the same level, or one that names none', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.deliver(restart(0, 509), {id: 1, type: 'restart', server_generation: 2});
    for (let id = 2; id < 10; id++) {
      await fixture.advance(55_000);
      await fixture.deliver(buildHeartbeat(id));
    }
    expect(fixture.registrations).toHaveLength(1);
  });
});

describe('commits and listeners', () => {
  test('events prepared for the first frame are in the same commit', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.extra = [{type: 'typing_expired', now: 1}];
    await fixture.online();
    expect(fixture.commits).toEqual([['state_replaced', 'connection_changed', 'typing_expired']]);
  });

  test('every batch is passed to listeners after it was applied, including heartbeats', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    await fixture.deliver(buildAlertWordsEvent(0), buildHeartbeat(1), {id: 2, type: 'dance'});
    await fixture.deliver({id: 3, type: 'dance'});
    expect(fixture.batches).toEqual([['alert_words', 'heartbeat']]);
  });

  test('a batch that could not be applied is not passed to listeners', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    fixture.brokenEventType = 'alert_words';
    await fixture.deliver(buildAlertWordsEvent(0));
    expect(fixture.batches).toEqual([]);
  });

  test('a typing event has the time of receipt', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online();
    const sender = {user_id: 11, email: ''};
    await fixture.deliver({
      id: 0,
      type: 'typing',
      op: 'start',
      message_type: 'direct',
      sender,
      recipients: [sender],
    });
    expect(fixture.commits.at(-1)).toEqual(['typing_received']);
  });
});

describe('waking', () => {
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

describe('stopping', () => {
  test('cancels the poll and deletes the queue', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    const stopped = fixture.machine.stop();
    await flushPromises();
    expect(fixture.poll.isAborted).toBe(true);
    expect(fixture.requests.at(-1)).toBe('delete q1');
    expect(fixture.status).toEqual({phase: 'stopped'});
    fixture.deletions[0]?.answer(undefined);
    await stopped;
    fixture.machine.wake('manual');
    fixture.clock.miss(90_000);
    await fixture.advance(900_000);
    expect(fixture.requests).toHaveLength(4);
  });

  test('does not wait long for the queue’s deletion', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    const stopped = fixture.machine.stop();
    await fixture.advance(1000);
    await stopped;
    expect(fixture.deletions[0]?.isAborted).toBe(true);
  });

  test('ignores a refusal to delete the queue', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    const stopped = fixture.machine.stop();
    fixture.deletions[0]?.fail(queueGoneFailure());
    await expect(stopped).resolves.toBeUndefined();
  });

  test('while registering: a late response is ignored', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    fixture.setting.answer({feature_level: 509});
    await fixture.machine.stop();
    await flushPromises();
    expect(fixture.requests).toEqual(['settings']);
    expect(fixture.commits).toEqual([['connection_changed']]);
    await expect(fixture.machine.ready()).rejects.toThrow();
  });

  test.each(['waiting', 'parked'])('while %s', async (how) => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    await fixture.failPoll(how === 'parked' ? wrongKey() : unreachableFailure());
    const stopped = fixture.machine.stop();
    for (const deletion of fixture.deletions) deletion.answer(undefined);
    await stopped;
    await fixture.advance(3_600_000);
    expect(fixture.polls).toHaveLength(1);
    expect(fixture.status).toEqual({phase: 'stopped'});
  });

  test('a second start or stop changes nothing', async () => {
    const fixture = new UpdateMachineFixture();
    await fixture.online('q1');
    fixture.machine.start();
    await flushPromises();
    expect(fixture.settings).toHaveLength(1);
    const stopped = fixture.machine.stop();
    await fixture.machine.stop();
    fixture.deletions[0]?.answer(undefined);
    await stopped;
    expect(fixture.deletions).toHaveLength(1);
  });
});

describe('registering again for what no event says', () => {
  test('a response that does not fit the own role is replaced by another a little later, with growing pauses', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    const answer = async (queueId: string, isAdmin: boolean) => {
      fixture.setting.answer({feature_level: 509});
      await flushPromises();
      const realm_users = [eg.wireUser({role: 400})];
      fixture.registration.answer({...snapshot(queueId, 509), user_id: eg.selfId, is_admin: isAdmin, realm_users});
      await flushPromises();
    };
    await answer('q1', true);
    expect(fixture.status).toEqual({phase: 'online'});
    await fixture.advance(60_000);
    await answer('q2', false);
    expect(fixture.machine.queueId).toBe('q2');
    await fixture.advance(600_000);
    expect(fixture.registrations).toHaveLength(2);
  });

  test.each([
    ['a hidden person is reactivated', 77, {is_active: true}, 'a hidden user was reactivated'],
    ['the own account is reactivated', eg.selfId, {is_active: true}, 'the account was reactivated'],
    ['the own role changes', eg.selfId, {role: 200}, 'the role of the user changed'],
    ['a known person is reactivated', 2, {is_active: true}, undefined],
    ['a hidden person is deactivated', 77, {is_active: false}, undefined],
  ])('%s', (_name, user_id, change, reason) => {
    const state = eg.state({users: eg.users(eg.user({id: eg.selfId}), eg.user({id: 2}))});
    const event = {type: 'realm_user', op: 'update', id: 1, person: {user_id, ...change}} as const;
    expect(registrationReason([event as ServerEvent], state)).toBe(reason);
  });
});

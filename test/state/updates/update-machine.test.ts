import {describe, expect, test} from 'vitest';
import {
  buildAlertWordsEvent,
  buildHeartbeat,
  flushPromises,
  queueGoneFailure,
  refusalFailure,
  snapshot,
  UpdateMachineFixture,
  unreachableFailure,
  wrongKeyFailure,
} from './update-machine-fixture.ts';

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
    fixture.registration.fail(refusalFailure());
    await flushPromises();
    await fixture.answerRegistration('q1', 277);
    expect(fixture.requests).toEqual(['register', 'settings', 'register', 'poll -1']);
    expect(fixture.level).toBe(277);
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
      {id: 5},
    );
    expect(fixture.commits.at(-1)).toEqual(['alert_words']);
    expect(fixture.requests.at(-1)).toBe('poll 5');
    expect(fixture.logged).toHaveLength(4);
    expect(fixture.logged[0]).toBe('Ignored an event: dance/begin');
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
    const recipient = {type: 'direct', user_ids: [11]};
    await fixture.deliver({id: 1, type: 'typing_edit_message', op: 'start', sender_id: 11, message_id: 7, recipient});
    expect(fixture.commits.at(-1)).toEqual(['typing_received']);
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
    await fixture.failPoll(how === 'parked' ? wrongKeyFailure() : unreachableFailure());
    const stopped = fixture.machine.stop();
    for (const deletion of fixture.deletions) deletion.answer(undefined);
    await stopped;
    expect(fixture.clock.pending).toBe(0);
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

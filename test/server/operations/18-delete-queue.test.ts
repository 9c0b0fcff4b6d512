import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {envelopeOnly, eventsOf, expectValid, operationsFixture, sendToChannel} from './operations-fixture.ts';

describe('18. delete an event queue', () => {
  test('returns no extra fields, and the queue is unknown afterwards', async () => {
    const fixture = await operationsFixture();
    const [deletedQueue, otherQueue] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.meg).listen()];
    const reply = await fixture.as(fixture.meg).delete('/events', {queue_id: deletedQueue.queueId});
    expect(expectValid(endpoints.deleteQueue, reply)).toEqual(envelopeOnly);
    const poll = {queue_id: deletedQueue.queueId, last_event_id: -1};
    const refusal = {code: 'BAD_EVENT_QUEUE_ID', status: 400};
    expect((await fixture.as(fixture.meg).refused('GET', '/events', poll, refusal)).queue_id).toBe(
      deletedQueue.queueId,
    );
    await sendToChannel(fixture.as(fixture.otto), fixture.general);
    expect(await eventsOf(otherQueue, 'message')).toHaveLength(1);
  });

  test('queue_id may be in the query', async () => {
    const fixture = await operationsFixture();
    const {queueId} = await fixture.as(fixture.meg).listen();
    expect(await fixture.as(fixture.meg).delete(`/events?queue_id=${queueId}`)).toEqual(envelopeOnly);
  });

  test('a poll that waits on it is answered', async () => {
    const fixture = await operationsFixture();
    const {queueId} = await fixture.as(fixture.meg).listen();
    const waiting = fixture.as(fixture.meg).get('/events', {queue_id: queueId, last_event_id: -1});
    await expect.poll(() => [...fixture.server.context.queues.all()].some((queue) => queue.isWaiting)).toBe(true);
    await fixture.as(fixture.meg).delete('/events', {queue_id: queueId});
    expect((await waiting).events).toEqual([]);
  });

  test('an unknown, deleted or other user’s queue: BAD_EVENT_QUEUE_ID with the id', async () => {
    const fixture = await operationsFixture();
    const {queueId} = await fixture.as(fixture.meg).listen();
    const refusal = {code: 'BAD_EVENT_QUEUE_ID'};
    for (const id of ['no-such-queue', '']) {
      const body = await fixture.as(fixture.meg).refused('DELETE', '/events', {queue_id: id}, refusal);
      expect(body.queue_id).toBe(id);
    }
    await fixture.as(fixture.owner).refused('DELETE', '/events', {queue_id: queueId}, refusal);
    await fixture.as(fixture.meg).delete('/events', {queue_id: queueId});
    await fixture.as(fixture.meg).refused('DELETE', '/events', {queue_id: queueId}, refusal);
  });

  test('queue_id is required; unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await fixture.as(fixture.meg).refused('DELETE', '/events', {}, missing)).var_name).toBe('queue_id');
    const {queueId} = await fixture.as(fixture.meg).listen();
    const reply = await fixture.as(fixture.meg).delete('/events', {queue_id: queueId, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});

import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {envelopeOnly, eventsOf, expectValid, operationsFixture, sendToChannel} from './operations-fixture.ts';

describe('18. delete an event queue', () => {
  test('returns no extra fields, and the queue is unknown afterwards', async () => {
    const at = await operationsFixture();
    const [doomed, kept] = [await at.as(at.meg).listen(), await at.as(at.meg).listen()];
    const reply = await at.as(at.meg).delete('/events', {queue_id: doomed.queueId});
    expect(expectValid(endpoints.deleteQueue, reply)).toEqual(envelopeOnly);
    const poll = {queue_id: doomed.queueId, last_event_id: -1};
    const refusal = {code: 'BAD_EVENT_QUEUE_ID', status: 400};
    expect((await at.as(at.meg).refused('GET', '/events', poll, refusal)).queue_id).toBe(doomed.queueId);
    await sendToChannel(at.as(at.otto), at.general);
    expect(await eventsOf(kept, 'message')).toHaveLength(1);
  });

  test('queue_id may be in the query', async () => {
    const at = await operationsFixture();
    const {queueId} = await at.as(at.meg).listen();
    expect(await at.as(at.meg).delete(`/events?queue_id=${queueId}`)).toEqual(envelopeOnly);
  });

  test('a poll that waits on it is answered', async () => {
    const at = await operationsFixture();
    const {queueId} = await at.as(at.meg).listen();
    const waiting = at.as(at.meg).get('/events', {queue_id: queueId, last_event_id: -1});
    await expect.poll(() => [...at.server.context.queues.all()].some((queue) => queue.isWaiting)).toBe(true);
    await at.as(at.meg).delete('/events', {queue_id: queueId});
    expect((await waiting).events).toEqual([]);
  });

  test('an unknown, deleted or other user’s queue: BAD_EVENT_QUEUE_ID with the id', async () => {
    const at = await operationsFixture();
    const {queueId} = await at.as(at.meg).listen();
    const refusal = {code: 'BAD_EVENT_QUEUE_ID'};
    for (const id of ['no-such-queue', '']) {
      const body = await at.as(at.meg).refused('DELETE', '/events', {queue_id: id}, refusal);
      expect(body.queue_id).toBe(id);
    }
    await at.as(at.owner).refused('DELETE', '/events', {queue_id: queueId}, refusal);
    await at.as(at.meg).delete('/events', {queue_id: queueId});
    await at.as(at.meg).refused('DELETE', '/events', {queue_id: queueId}, refusal);
  });

  test('queue_id is required; unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    const missing = {code: 'REQUEST_VARIABLE_MISSING'};
    expect((await at.as(at.meg).refused('DELETE', '/events', {}, missing)).var_name).toBe('queue_id');
    const {queueId} = await at.as(at.meg).listen();
    const reply = await at.as(at.meg).delete('/events', {queue_id: queueId, wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});

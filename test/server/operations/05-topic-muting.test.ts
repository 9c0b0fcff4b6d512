import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  sendToChannel,
  withoutEventId,
} from './operations-fixture.ts';

const path = '/users/me/subscriptions/muted_topics';

async function policies(at: OperationsFixture) {
  const state = await at.as(at.meg).post('/register', {
    fetch_event_types: ['user_topic'],
    client_capabilities: {empty_topic_name: true},
  });
  return state.user_topics.map(({topic_name, visibility_policy}: Record<string, unknown>) => [
    topic_name,
    visibility_policy,
  ]);
}

describe('5. topic muting', () => {
  test('mutes by channel id or name, also a topic without messages, and returns no extra fields', async () => {
    const at = await operationsFixture();
    const byId = await at.as(at.meg).patch(path, {stream_id: at.general, topic: 'a', op: 'add'});
    expect(expectValid(endpoints.muteTopic, byId)).toEqual(envelopeOnly);
    expect(await at.as(at.meg).patch(path, {stream: 'general', topic: 'b', op: 'add'})).toEqual(envelopeOnly);
    expect(await policies(at)).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  test('unmuting removes the policy; both can be repeated', async () => {
    const at = await operationsFixture();
    const mute = {stream_id: at.general, topic: 'a', op: 'add'};
    const unmute = {...mute, op: 'remove'};
    for (const params of [unmute, mute, mute, {...mute, topic: 'A'}]) await at.as(at.meg).patch(path, params);
    expect(await policies(at)).toHaveLength(1);
    for (const params of [unmute, unmute]) await at.as(at.meg).patch(path, params);
    expect(await policies(at)).toEqual([]);
  });

  test('exactly one of stream and stream_id is required', async () => {
    const at = await operationsFixture();
    const params = {topic: 'a', op: 'add'};
    await at.as(at.meg).refused('PATCH', path, params, {code: 'BAD_REQUEST'});
    const both = {...params, stream_id: at.general, stream: 'general'};
    await at.as(at.meg).refused('PATCH', path, both, {code: 'BAD_REQUEST'});
    expect(await policies(at)).toEqual([]);
  });

  test('missing topic or op, unknown op and long topics are refused', async () => {
    const at = await operationsFixture();
    const whole = {stream_id: at.general, topic: 'a', op: 'add'};
    for (const name of ['topic', 'op']) {
      const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
      const body = await at.as(at.meg).refused('PATCH', path, {...whole, [name]: undefined}, refusal);
      expect(body.var_name).toBe(name);
    }
    await at.as(at.meg).refused('PATCH', path, {...whole, op: 'toggle'}, {code: 'BAD_REQUEST'});
    const {max_topic_length: limit} = await at.as(at.meg).post('/register', {fetch_event_types: ['realm']});
    await at.as(at.meg).patch(path, {...whole, topic: 't'.repeat(limit)});
    const long = {...whole, topic: 't'.repeat(limit + 1)};
    await at.as(at.meg).refused('PATCH', path, long, {code: 'BAD_REQUEST'});
  });

  test('a missing or unreadable channel is refused', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    for (const where of [{stream_id: 999}, {stream: 'nowhere'}, {stream_id: secret}, {stream: 'secret'}]) {
      await at.as(at.meg).refused('PATCH', path, {...where, topic: 'a', op: 'add'}, {code: 'BAD_REQUEST'});
    }
  });

  test('only the requester’s sessions get one event per change', async () => {
    const at = await operationsFixture();
    const [mine, ottos] = [await at.as(at.meg).listen(), await at.as(at.otto).listen()];
    const params = {stream_id: at.general, topic: 'a'};
    await at.as(at.meg).patch(path, {...params, op: 'add'});
    await at.as(at.meg).patch(path, {...params, op: 'add'});
    await at.as(at.meg).patch(path, {...params, op: 'remove'});
    const event = {
      type: 'user_topic',
      stream_id: at.general,
      topic_name: 'a',
      last_updated: at.clock.seconds(),
    };
    expect((await eventsOf(mine, 'user_topic')).map(withoutEventId)).toEqual([
      {...event, visibility_policy: 1},
      {...event, visibility_policy: 0},
    ]);
    expect(await ottos.events()).toEqual([]);
  });

  test('messages of a muted topic do not count in the total of unread messages', async () => {
    const at = await operationsFixture();
    await at.as(at.meg).patch(path, {stream_id: at.general, topic: 'noise', op: 'add'});
    await sendToChannel(at.as(at.otto), at.general, 'noise');
    await sendToChannel(at.as(at.otto), at.general, 'signal');
    const {unread_msgs} = await at
      .as(at.meg)
      .post('/register', {fetch_event_types: ['message', 'update_message_flags']});
    expect(unread_msgs.count).toBe(1);
  });

  test('unsupported parameters are listed', async () => {
    const at = await operationsFixture();
    const reply = await at
      .as(at.meg)
      .patch(path, {stream_id: at.general, topic: 'a', op: 'add', wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});

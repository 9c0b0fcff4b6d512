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

async function getPolicies(fixture: OperationsFixture) {
  const state = await fixture.as(fixture.meg).post('/register', {
    fetch_event_types: ['user_topic'],
    client_capabilities: {notification_settings_null: false, empty_topic_name: true},
  });
  return state.user_topics.map(({topic_name, visibility_policy}: Record<string, unknown>) => [
    topic_name,
    visibility_policy,
  ]);
}

describe('5. topic muting', () => {
  test('mutes by channel id or name, also a topic without messages, and returns no extra fields', async () => {
    const fixture = await operationsFixture();
    const byId = await fixture.as(fixture.meg).patch(path, {stream_id: fixture.general, topic: 'a', op: 'add'});
    expect(expectValid(endpoints.muteTopic, byId)).toEqual(envelopeOnly);
    expect(await fixture.as(fixture.meg).patch(path, {stream: 'general', topic: 'b', op: 'add'})).toEqual(envelopeOnly);
    expect(await getPolicies(fixture)).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  test('unmuting removes the policy; both can be repeated', async () => {
    const fixture = await operationsFixture();
    const mute = {stream_id: fixture.general, topic: 'a', op: 'add'};
    const unmute = {...mute, op: 'remove'};
    for (const params of [unmute, mute, mute, {...mute, topic: 'A'}]) await fixture.as(fixture.meg).patch(path, params);
    expect(await getPolicies(fixture)).toHaveLength(1);
    for (const params of [unmute, unmute]) await fixture.as(fixture.meg).patch(path, params);
    expect(await getPolicies(fixture)).toEqual([]);
  });

  test('exactly one of stream and stream_id is required', async () => {
    const fixture = await operationsFixture();
    const params = {topic: 'a', op: 'add'};
    await fixture.as(fixture.meg).refused('PATCH', path, params, {code: 'BAD_REQUEST'});
    const both = {...params, stream_id: fixture.general, stream: 'general'};
    await fixture.as(fixture.meg).refused('PATCH', path, both, {code: 'BAD_REQUEST'});
    expect(await getPolicies(fixture)).toEqual([]);
  });

  test('missing topic or op, unknown op and long topics are refused', async () => {
    const fixture = await operationsFixture();
    const validParams = {stream_id: fixture.general, topic: 'a', op: 'add'};
    for (const name of ['topic', 'op']) {
      const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
      const body = await fixture.as(fixture.meg).refused('PATCH', path, {...validParams, [name]: undefined}, refusal);
      expect(body.var_name).toBe(name);
    }
    await fixture.as(fixture.meg).refused('PATCH', path, {...validParams, op: 'toggle'}, {code: 'BAD_REQUEST'});
    const {max_topic_length: limit} = await fixture.as(fixture.meg).post('/register', {fetch_event_types: ['realm']});
    await fixture.as(fixture.meg).patch(path, {...validParams, topic: 't'.repeat(limit)});
    const long = {...validParams, topic: 't'.repeat(limit + 1)};
    await fixture.as(fixture.meg).refused('PATCH', path, long, {code: 'BAD_REQUEST'});
  });

  test('a missing or unreadable channel is refused', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    for (const where of [{stream_id: 999}, {stream: 'nowhere'}, {stream_id: secret}, {stream: 'secret'}]) {
      await fixture.as(fixture.meg).refused('PATCH', path, {...where, topic: 'a', op: 'add'}, {code: 'BAD_REQUEST'});
    }
  });

  test('only the requester’s sessions get one event per change', async () => {
    const fixture = await operationsFixture();
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    const params = {stream_id: fixture.general, topic: 'a'};
    await fixture.as(fixture.meg).patch(path, {...params, op: 'add'});
    await fixture.as(fixture.meg).patch(path, {...params, op: 'add'});
    await fixture.as(fixture.meg).patch(path, {...params, op: 'remove'});
    const event = {
      type: 'user_topic',
      stream_id: fixture.general,
      topic_name: 'a',
      last_updated: fixture.clock.seconds(),
    };
    expect((await eventsOf(mine, 'user_topic')).map(withoutEventId)).toEqual([
      {...event, visibility_policy: 1},
      {...event, visibility_policy: 0},
    ]);
    expect(await ottos.events()).toEqual([]);
  });

  test('messages of a muted topic do not count in the total of unread messages', async () => {
    const fixture = await operationsFixture();
    await fixture.as(fixture.meg).patch(path, {stream_id: fixture.general, topic: 'noise', op: 'add'});
    await sendToChannel(fixture.as(fixture.otto), fixture.general, 'noise');
    await sendToChannel(fixture.as(fixture.otto), fixture.general, 'signal');
    const {unread_msgs} = await fixture
      .as(fixture.meg)
      .post('/register', {fetch_event_types: ['message', 'update_message_flags']});
    expect(unread_msgs.count).toBe(1);
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    const reply = await fixture
      .as(fixture.meg)
      .patch(path, {stream_id: fixture.general, topic: 'a', op: 'add', wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
  });
});

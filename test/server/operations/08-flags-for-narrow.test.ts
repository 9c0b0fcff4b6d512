import {describe, expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  responseFields,
  sendDirect,
  sendToChannel,
  withoutEventId,
} from './operations-fixture.ts';

const path = '/messages/flags/narrow';
const validParams = {
  anchor: 'newest',
  num_before: 100,
  num_after: 100,
  narrow: [],
  op: 'add',
  flag: 'starred',
};

async function updateFlags(fixture: OperationsFixture, params: object = {}): Promise<Reply> {
  const reply = await fixture.as(fixture.meg).post(path, {...validParams, ...params});
  return expectValid(endpoints.updateFlagsForNarrow, reply);
}

/** Sends five messages from Otto to one topic, unread for the others. */
async function sendFiveMessages(fixture: OperationsFixture, topic = 'talk'): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < 5; index++)
    ids.push(await sendToChannel(fixture.as(fixture.otto), fixture.general, topic, `no. ${index}`));
  return ids;
}

async function messagesWithFlag(fixture: OperationsFixture, flag: string): Promise<number[]> {
  const page = {anchor: 'oldest', num_before: 0, num_after: 100};
  const {messages} = await fixture.as(fixture.meg).get('/messages', page);
  return messages.filter(({flags}: Reply) => flags.includes(flag)).map(({id}: Reply) => id);
}

describe('8. update personal message flags for narrow: response', () => {
  test('every field', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    const reply = await updateFlags(fixture);
    expect(responseFields(reply)).toEqual([
      'first_processed_id',
      'found_newest',
      'found_oldest',
      'ignored_because_not_subscribed_channels',
      'last_processed_id',
      'processed_count',
      'updated_count',
    ]);
    expect(reply).toMatchObject({
      processed_count: 5,
      updated_count: 5,
      first_processed_id: ids[0],
      last_processed_id: ids[4],
      found_oldest: true,
      found_newest: true,
    });
    expect(await messagesWithFlag(fixture, 'starred')).toEqual(ids);
  });

  test('an empty range has null as first and last id', async () => {
    const fixture = await operationsFixture();
    expect(await updateFlags(fixture)).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    });
  });

  test('updated_count counts changed messages, processed_count all in the range', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    await updateFlags(fixture, {anchor: ids[0], num_before: 0, num_after: 1});
    expect(await updateFlags(fixture)).toMatchObject({processed_count: 5, updated_count: 3});
    expect(await updateFlags(fixture, {op: 'remove'})).toMatchObject({processed_count: 5, updated_count: 5});
    expect(await updateFlags(fixture, {op: 'remove'})).toMatchObject({processed_count: 5, updated_count: 0});
    expect(await messagesWithFlag(fixture, 'starred')).toEqual([]);
  });

  test('unsupported parameters are listed', async () => {
    const fixture = await operationsFixture();
    expect((await updateFlags(fixture, {wibble: '1'})).ignored_parameters_unsupported).toEqual(['wibble']);
  });
});

describe('8. update personal message flags for narrow: range', () => {
  test.each([
    ['a number', (ids: number[]) => ids[2], [1, 2, 3]],
    ['a number as text', (ids: number[]) => String(ids[2]), [1, 2, 3]],
    // oldest and newest are beyond all messages: no message is at the anchor itself.
    ['newest', () => 'newest', [4]],
    ['oldest', () => 'oldest', [0]],
  ])('the anchor may be %s', async (_, anchor, expected) => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    const reply = await updateFlags(fixture, {anchor: anchor(ids), num_before: 1, num_after: 1});
    expect(await messagesWithFlag(fixture, 'starred')).toEqual(expected.map((index) => ids[index]));
    expect(reply.processed_count).toBe(expected.length);
    expect(reply.found_oldest).toBe(expected[0] === 0);
    expect(reply.found_newest).toBe(expected.at(-1) === 4);
  });

  test('first_unread is the oldest unread message of the narrow, else its newest', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    await sendFiveMessages(fixture, 'elsewhere');
    const narrow = [
      {operator: 'topic', operand: 'talk'},
      {operator: 'channel', operand: fixture.general},
    ];
    const range = {anchor: 'first_unread', num_before: 0, num_after: 0, narrow};
    await fixture.as(fixture.meg).post('/messages/flags', {messages: ids.slice(0, 2), op: 'add', flag: 'read'});
    expect((await updateFlags(fixture, range)).first_processed_id).toBe(ids[2]);
    await fixture.as(fixture.meg).post('/messages/flags', {messages: ids, op: 'add', flag: 'read'});
    const end = await updateFlags(fixture, {...range, num_before: 1});
    expect(end).toMatchObject({processed_count: 1, first_processed_id: ids[4], found_newest: true});
  });

  test('include_anchor defaults to true; false needs a one-sided range', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    const after = {anchor: ids[1], num_before: 0, num_after: 2};
    expect((await updateFlags(fixture, after)).processed_count).toBe(3);
    expect((await updateFlags(fixture, {...after, include_anchor: true})).processed_count).toBe(3);
    const without = await updateFlags(fixture, {...after, include_anchor: false});
    expect(without).toMatchObject({
      processed_count: 2,
      first_processed_id: ids[2],
      last_processed_id: ids[3],
    });
    const both = {...validParams, anchor: ids[1], num_before: 1, num_after: 1, include_anchor: false};
    await fixture.as(fixture.meg).refused('POST', path, both, {code: 'BAD_REQUEST'});
  });

  test('the range has at most num_before + 1 + num_after messages', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    const reply = await updateFlags(fixture, {anchor: ids[2], num_before: 1, num_after: 0});
    expect(reply).toMatchObject({processed_count: 2, found_oldest: false, found_newest: false});
    const alone = await updateFlags(fixture, {anchor: ids[2], num_before: 0, num_after: 0});
    expect(alone).toMatchObject({processed_count: 1, first_processed_id: ids[2]});
  });

  test('huge counts are lowered, not refused', async () => {
    const fixture = await operationsFixture();
    await sendFiveMessages(fixture);
    const reply = await updateFlags(fixture, {num_before: 1_000_000, num_after: 1_000_000});
    expect(reply.processed_count).toBe(5);
  });

  test('terms are objects or pairs and may be negated; the list may be empty and not left out', async () => {
    const fixture = await operationsFixture();
    const talked = await sendFiveMessages(fixture);
    const direct = await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]);
    const range = {anchor: 'oldest'};
    const asPairs = {...range, narrow: [['is', 'dm']]};
    expect((await updateFlags(fixture, asPairs)).first_processed_id).toBe(direct);
    const negated = {...range, narrow: [{operator: 'is', operand: 'dm', negated: true}]};
    expect((await updateFlags(fixture, negated)).processed_count).toBe(talked.length);
    expect((await updateFlags(fixture, {...range, narrow: []})).processed_count).toBe(talked.length + 1);
    const {narrow: _, ...without} = validParams;
    await fixture.as(fixture.meg).refused('POST', path, without, {code: 'REQUEST_VARIABLE_MISSING', status: 400});
  });

  test('marking read with the unread filter', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    const params = {
      anchor: 'oldest',
      num_before: 0,
      num_after: 2,
      include_anchor: false,
      narrow: [{operator: 'is', operand: 'unread'}],
      flag: 'read',
    };
    await updateFlags(fixture, params);
    expect(await messagesWithFlag(fixture, 'read')).toHaveLength(2);
    expect(ids).toHaveLength(5);
  });
});

describe('8. update personal message flags for narrow: errors', () => {
  test('missing required parameters are refused', async () => {
    const fixture = await operationsFixture();
    for (const name of ['anchor', 'num_before', 'num_after', 'op', 'flag']) {
      const refusal = {code: 'REQUEST_VARIABLE_MISSING'};
      const body = await fixture.as(fixture.meg).refused('POST', path, {...validParams, [name]: undefined}, refusal);
      expect(body.var_name).toBe(name);
    }
  });

  test('malformed parameters are refused', async () => {
    const fixture = await operationsFixture();
    const bad: [object, string][] = [
      [{anchor: 'soon'}, 'BAD_REQUEST'],
      [{num_before: -1}, 'BAD_REQUEST'],
      [{num_after: 'many'}, 'BAD_REQUEST'],
      [{op: 'toggle'}, 'BAD_REQUEST'],
      [{flag: 'mentioned'}, 'BAD_REQUEST'],
      [{flag: 'wibble'}, 'BAD_REQUEST'],
      [{narrow: '[{'}, 'BAD_REQUEST'],
      [{narrow: [{operator: 'wibble', operand: 'x'}]}, 'BAD_NARROW'],
    ];
    for (const [params, code] of bad) {
      const {status, body} = await fixture.as(fixture.meg).raw('POST', path, {...validParams, ...params});
      expect([status, body.code], JSON.stringify(params)).toEqual([400, code]);
      if (code === 'BAD_NARROW') expect(body.desc).toEqual(expect.any(String));
    }
  });
});

describe('8. update personal message flags for narrow: access and events', () => {
  test('marking unread skips and lists channels without a subscription', async () => {
    const fixture = await operationsFixture();
    const other = fixture.server.people.channel('other', [fixture.otto]);
    await sendToChannel(fixture.as(fixture.otto), other);
    const mine = await sendToChannel(fixture.as(fixture.otto), fixture.general);
    const remove = {flag: 'read', op: 'remove', narrow: [{operator: 'channels', operand: 'public'}]};
    await updateFlags(fixture, {...remove, op: 'add'});
    const reply = await updateFlags(fixture, remove);
    expect(reply).toMatchObject({
      processed_count: 2,
      updated_count: 1,
      ignored_because_not_subscribed_channels: [other],
    });
    const {unread_msgs} = await fixture
      .as(fixture.meg)
      .post('/register', {fetch_event_types: ['message', 'update_message_flags']});
    expect(unread_msgs.streams).toMatchObject([{stream_id: fixture.general, unread_message_ids: [mine]}]);
    for (const params of [
      {flag: 'read', op: 'add'},
      {flag: 'starred', op: 'remove'},
      {flag: 'read', op: 'remove'},
    ]) {
      expect((await updateFlags(fixture, params)).ignored_because_not_subscribed_channels).toEqual([]);
    }
  });

  test('messages that the requester cannot read are never in the range', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    await sendToChannel(fixture.as(fixture.otto), secret);
    await sendDirect(fixture.as(fixture.otto), [fixture.guest.id]);
    expect((await updateFlags(fixture)).processed_count).toBe(0);
  });

  test('flags are private: only the requester’s sessions get events', async () => {
    const fixture = await operationsFixture();
    const ids = await sendFiveMessages(fixture);
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    await updateFlags(fixture);
    await updateFlags(fixture);
    await updateFlags(fixture, {op: 'remove'});
    const [added, unchanged, removed, ...more] = (await eventsOf(mine, 'update_message_flags')).map(withoutEventId);
    expect(added).toMatchObject({op: 'add', flag: 'starred', messages: ids, all: false});
    expect(unchanged).toMatchObject({op: 'add', messages: []});
    expect(removed).toMatchObject({op: 'remove', flag: 'starred', messages: ids});
    expect(more).toEqual([]);
    expect(await ottos.events()).toEqual([]);
  });

  test('marking unread sends the details that a client needs to count', async () => {
    const fixture = await operationsFixture();
    const [id] = await sendFiveMessages(fixture);
    const direct = await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]);
    await updateFlags(fixture, {flag: 'read'});
    const mine = await fixture.as(fixture.meg).listen();
    await updateFlags(fixture, {flag: 'read', op: 'remove'});
    const [event] = await eventsOf(mine, 'update_message_flags');
    expect(event?.message_details[String(id)]).toEqual({
      type: 'stream',
      stream_id: fixture.general,
      topic: 'talk',
      unmuted_stream_msg: true,
    });
    expect(event?.message_details[String(direct)]).toEqual({type: 'private', user_ids: [fixture.otto.id]});
  });
});

import {expect, test} from 'vitest';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';

async function setup() {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const channel = server.people.channel('kitchen', [meg, otto]);
  const client = server.as(meg);
  const soon = clock.seconds() + 3600;
  const toChannel = {
    type: 'channel',
    to: channel,
    topic: 'lunch',
    content: 'soup',
    scheduled_delivery_timestamp: soon,
  };
  const toOtto = {type: 'direct', to: [otto.id], content: 'hello', scheduled_delivery_timestamp: soon};
  const list = async () => (await client.get('/scheduled_messages')).scheduled_messages;
  return {clock, server, meg, otto, channel, client, soon, toChannel, toOtto, list};
}

const bad = {code: 'BAD_REQUEST'};
const missing = {code: 'BAD_REQUEST', status: 404};

test('scheduled messages: messages are listed by delivery time', async () => {
  const {client, channel, otto, soon, toChannel, toOtto, list, server} = await setup();
  const later = await client.post('/scheduled_messages', {
    ...toChannel,
    scheduled_delivery_timestamp: soon + 1,
  });
  const first = await client.post('/scheduled_messages', toOtto);
  const common = {failed: false, rendered_content: expect.any(String)};
  const expected = [
    {
      scheduled_message_id: first.scheduled_message_id,
      type: 'private',
      to: [otto.id],
      content: 'hello',
      scheduled_delivery_timestamp: soon,
      ...common,
    },
    {
      scheduled_message_id: later.scheduled_message_id,
      type: 'stream',
      to: channel,
      topic: 'lunch',
      content: 'soup',
      scheduled_delivery_timestamp: soon + 1,
      ...common,
    },
  ];
  expect(await list()).toEqual(expected);
  const state = await client.post('/register', {fetch_event_types: ['scheduled_messages']});
  expect(state.scheduled_messages).toEqual(expected);
  expect((await server.as(otto).get('/scheduled_messages')).scheduled_messages).toEqual([]);
});

test('scheduled messages: all names of the type are accepted; channels are numbers, people are in a list', async () => {
  const {client, toChannel, toOtto, otto, channel, list} = await setup();
  await client.post('/scheduled_messages', {...toChannel, type: 'stream'});
  await client.post('/scheduled_messages', {...toOtto, type: 'private', to: [otto.id]});
  const rows: [message: object, msg: string][] = [
    [{...toChannel, to: [channel]}, 'Invalid data type for channel ID'],
    [{...toChannel, to: 'general'}, 'to is not valid JSON'],
    [{...toOtto, to: otto.id}, 'Invalid data type for recipients'],
    [{...toOtto, to: [otto.email]}, 'to["int"] is not an integer'],
  ];
  for (const [message, msg] of rows) {
    expect((await client.raw('POST', '/scheduled_messages', {...message})).body.msg).toBe(msg);
  }
  expect(await list()).toMatchObject([
    {type: 'stream', to: channel},
    {type: 'private', to: [otto.id]},
  ]);
});

test('scheduled messages: events go only to the author’s sessions', async () => {
  const {client, server, otto, toOtto, soon} = await setup();
  const own = await client.listen();
  const theirs = await server.as(otto).listen();
  const {scheduled_message_id: id} = await client.post('/scheduled_messages', toOtto);
  await client.patch(`/scheduled_messages/${id}`, {content: 'good morning'});
  await client.delete(`/scheduled_messages/${id}`);
  const message = {
    scheduled_message_id: id,
    type: 'private',
    to: [otto.id],
    content: 'hello',
    rendered_content: expect.any(String),
    scheduled_delivery_timestamp: soon,
    failed: false,
  };
  const type = 'scheduled_messages';
  expect(await own.events()).toEqual([
    {id: 0, type, op: 'add', scheduled_messages: [message]},
    {id: 1, type, op: 'update', scheduled_message: {...message, content: 'good morning'}},
    {id: 2, type, op: 'remove', scheduled_message_id: id},
  ]);
  expect(await theirs.events()).toEqual([]);
});

test('scheduled messages: the empty topic has its display name for older clients', async () => {
  const {client, toChannel} = await setup();
  const modern = await client.listen();
  const legacy = await client.listen({
    client_capabilities: {...fullClientCapabilities, empty_topic_name: false},
  });
  await client.post('/scheduled_messages', {...toChannel, topic: ''});
  expect(await modern.events()).toMatchObject([{scheduled_messages: [{topic: ''}]}]);
  expect(await legacy.events()).toMatchObject([{scheduled_messages: [{topic: 'general chat'}]}]);
});

test.each([
  ['a time that has passed', {scheduled_delivery_timestamp: 1}],
  ['a time beyond all calendars', {scheduled_delivery_timestamp: 1e15}],
  ['a time that is no whole number', {scheduled_delivery_timestamp: 1.5}],
  ['empty content', {content: ' '}],
  ['no topic', {topic: undefined}],
  ['two channels', {to: [1, 2]}],
  ['no recipients', {type: 'direct', to: []}],
  ['an unknown person', {type: 'direct', to: [999]}],
  ['an address in place of an id', {type: 'direct', to: ['meg@example.com']}],
  ['an unknown type', {type: 'pigeon'}],
])('scheduled messages: %s is refused', async (_what, fields) => {
  const {client, toChannel, list} = await setup();
  await client.refused('POST', '/scheduled_messages', {...toChannel, ...fields}, bad);
  expect(await list()).toEqual([]);
});

test('scheduled messages: a hidden channel is refused like an unknown one', async () => {
  const {client, server, otto, toChannel} = await setup();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  for (const to of [999, secret]) {
    const params = {...toChannel, to};
    const reply = await client.refused('POST', '/scheduled_messages', params, {code: 'STREAM_DOES_NOT_EXIST'});
    expect(reply.stream_id).toBe(to);
  }
});

test('scheduled messages: a message that may not be sent cannot be scheduled', async () => {
  const {client, server, meg, toChannel, toOtto} = await setup();
  const archived = server.people.channel('old', [meg], {is_archived: 1});
  await client.refused('POST', '/scheduled_messages', {...toChannel, to: archived}, bad);
  const deactivated = server.people.add('Gone Gil', {active: false});
  await client.refused('POST', '/scheduled_messages', {...toOtto, to: [deactivated.id]}, bad);
  server.people.setting('topics_policy', 'disable_empty_topic');
  await client.refused('POST', '/scheduled_messages', {...toChannel, topic: '(no topic)'}, bad);
});

test('scheduled messages: each part of a scheduled message can be changed', async () => {
  const {client, server, meg, otto, toChannel, soon, list} = await setup();
  const {scheduled_message_id: id} = await client.post('/scheduled_messages', toChannel);
  const path = `/scheduled_messages/${id}`;
  const other = server.people.channel('garden', [meg]);
  await client.patch(path, {content: 'stew', scheduled_delivery_timestamp: soon + 5});
  await client.patch(path, {to: other});
  await client.patch(path, {topic: 'dinner'});
  expect(await list()).toMatchObject([
    {type: 'stream', to: other, topic: 'dinner', content: 'stew', scheduled_delivery_timestamp: soon + 5},
  ]);
  await client.patch(path, {type: 'direct', to: [otto.id]});
  expect(await list()).toMatchObject([{type: 'private', to: [otto.id], content: 'stew'}]);
  await client.patch(path, {type: 'channel', to: other, topic: 'supper'});
  expect(await list()).toMatchObject([{type: 'stream', to: other, topic: 'supper', content: 'stew'}]);
});

test.each([
  ['nothing', {}],
  ['a new type without recipients', {type: 'direct'}],
  ['a time that has passed', {scheduled_delivery_timestamp: 1}],
  ['empty content', {content: ''}],
  ['an unknown channel', {to: 999}],
])('scheduled messages: an edit with %s is refused', async (_what, changes) => {
  const {client, toChannel, list} = await setup();
  const {scheduled_message_id: id} = await client.post('/scheduled_messages', toChannel);
  const before = await list();
  expect((await client.raw('PATCH', `/scheduled_messages/${id}`, changes)).status).toBe(400);
  expect(await list()).toEqual(before);
});

test('scheduled messages: a direct message that becomes a channel message needs a topic', async () => {
  const {client, channel, toOtto} = await setup();
  const {scheduled_message_id: id} = await client.post('/scheduled_messages', toOtto);
  await client.refused('PATCH', `/scheduled_messages/${id}`, {type: 'channel', to: channel}, bad);
});

test('scheduled messages: an unknown message, another user’s and a reminder are not found', async () => {
  const {client, server, otto, meg, toChannel} = await setup();
  const theirs = await server.as(otto).post('/scheduled_messages', {...toChannel});
  const reminder = server.context.runAction(({db}) =>
    db.insert(
      `INSERT INTO scheduled_message (user_id, type, recipients, content, deliver_at, target_message_id)
       VALUES (?, 'private', '[]', 'x', 1e10, 1)`,
      meg.id,
    ),
  );
  for (const id of [999, theirs.scheduled_message_id, reminder]) {
    await client.refused('PATCH', `/scheduled_messages/${id}`, {content: 'x'}, missing);
    await client.refused('DELETE', `/scheduled_messages/${id}`, {}, missing);
  }
});

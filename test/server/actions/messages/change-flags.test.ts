import {expect, test} from 'vitest';
import {Flag} from '#server/db/rows.ts';
import {MessageFixtureWriter, term} from '#test/server/message-fixtures.ts';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';

async function startFixture() {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [meg, otto]);
  const ids = [
    writer.toChannel(otto, general, 'lunch'),
    writer.toChannel(otto, general, 'lunch', {flags: [[meg, Flag.mentioned]]}),
    writer.toChannel(otto, general, 'dinner'),
    writer.toPeople(otto, [meg]),
  ];
  const idAt = (index: number): number => ids[index] ?? -1;
  const client = server.as(meg);
  const flag = (messages: number[], op: string, name: string) =>
    client.post('/messages/flags', {messages, op, flag: name});
  const flagsOf = async (id: number) => (await client.get(`/messages/${id}`)).message.flags;
  return {server, writer, meg, otto, general, ids, idAt, client, flag, flagsOf};
}

test('flags: marking read sets the flag, returns the ids, and sends events only to this user’s queues', async () => {
  const {server, otto, client, flag, flagsOf, idAt} = await startFixture();
  const [mine, theirs] = [await client.listen(), await server.as(otto).listen()];
  const reply = await flag([idAt(1), idAt(0), 999_999], 'add', 'read');
  expect(reply.messages).toEqual([idAt(1), idAt(0), 999_999]);
  expect(reply.ignored_because_not_subscribed_channels).toEqual([]);
  expect(await mine.events()).toEqual([
    {
      id: 0,
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      messages: [idAt(0), idAt(1)],
      all: false,
    },
  ]);
  expect(await theirs.events()).toEqual([]);
  expect(await flagsOf(idAt(0))).toEqual(['read']);
  expect(await flagsOf(idAt(1))).toEqual(['read', 'mentioned']);
});

test('flags: a change without effect sends an event without messages', async () => {
  const {client, flag, idAt} = await startFixture();
  await flag([idAt(0)], 'add', 'read');
  const session = await client.listen();
  await flag([idAt(0)], 'add', 'read');
  await flag([idAt(0)], 'remove', 'starred');
  await flag([], 'add', 'starred');
  const events = (await session.events()).map(({op, flag, messages}) => [op, flag, messages]);
  expect(events).toEqual([
    ['add', 'read', []],
    ['remove', 'starred', []],
    ['add', 'starred', []],
  ]);
});

test('flags: a read message without other flags has no row', async () => {
  const {server, flag, ids} = await startFixture();
  await flag(ids, 'add', 'read');
  expect(server.context.db.value('SELECT COUNT(*) FROM user_message')).toBe(1);
});

test('flags: the event for marking unread has the details that a client needs to count', async () => {
  const {client, writer, general, meg, otto, flag, idAt, server} = await startFixture();
  const self = writer.toPeople(meg, []);
  const unnamed = writer.toChannel(otto, general, '');
  writer.topicPolicy(meg, general, 'dinner', 1);
  await client.post('/mark_all_as_read');
  const session = await client.listen();
  const older = await client.listen({client_capabilities: {notification_settings_null: false}});
  const reply = await flag([idAt(1), idAt(2), idAt(3), self, unnamed], 'remove', 'read');
  expect(reply.ignored_because_not_subscribed_channels).toEqual([]);
  const [event] = await session.events();
  expect(event).toMatchObject({op: 'remove', flag: 'read', all: false});
  expect(event?.messages).toEqual([idAt(1), idAt(2), idAt(3), self, unnamed]);
  expect(event?.message_details).toEqual({
    [idAt(1)]: {
      type: 'stream',
      stream_id: general,
      topic: 'lunch',
      unmuted_stream_msg: true,
      mentioned: true,
    },
    [idAt(2)]: {type: 'stream', stream_id: general, topic: 'dinner', unmuted_stream_msg: false},
    [idAt(3)]: {type: 'private', user_ids: [otto.id]},
    [self]: {type: 'private', user_ids: []},
    [unnamed]: {type: 'stream', stream_id: general, topic: '', unmuted_stream_msg: true},
  });
  const [legacy] = await older.events();
  expect(legacy?.message_details[unnamed].topic).toBe('general chat');
  expect(server.context.db.value('SELECT COUNT(*) FROM user_message WHERE flags & 1 AND user_id = ?', meg.id)).toBe(5);
});

test('flags: messages of channels without a subscription cannot be marked unread', async () => {
  const {server, writer, otto, client, flag, idAt} = await startFixture();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  const historical = writer.toChannel(otto, elsewhere, 'x');
  await flag([idAt(0)], 'add', 'read');
  const session = await client.listen();
  const reply = await flag([historical, idAt(0)], 'remove', 'read');
  expect(reply.ignored_because_not_subscribed_channels).toEqual([elsewhere]);
  expect((await session.events()).map(({messages}) => messages)).toEqual([[idAt(0)]]);
});

test('flags: messages from before the subscription can be marked unread', async () => {
  const {server, writer, meg, otto, flag, flagsOf} = await startFixture();
  const late = server.people.channel('late', [otto]);
  const historical = writer.toChannel(otto, late, 'x');
  server.people.subscribe(meg, late);
  await flag([historical], 'remove', 'read');
  expect(await flagsOf(historical)).toEqual([]);
  const params = {anchor: 'newest', num_before: 1, num_after: 0, narrow: [term('is', 'unread')]};
  const {messages} = await server.as(meg).get('/messages', params);
  expect(messages[0].id).toBe(historical);
});

test('flags: the first message after leaving a channel was not received: a star makes it historical', async () => {
  const {server, writer, meg, otto, client, flag, flagsOf} = await startFixture();
  const former = server.people.channel('former', [meg, otto]);
  await client.delete('/users/me/subscriptions', {subscriptions: ['former']});
  const id = writer.toChannel(otto, former, 'x');
  await flag([id], 'add', 'starred');
  expect(await flagsOf(id)).toEqual(['read', 'starred', 'historical']);
});

test('flags: a message that was not received can be starred, and is:starred finds it', async () => {
  const {server, writer, otto, client, flag, flagsOf} = await startFixture();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  const historical = writer.toChannel(otto, elsewhere, 'x');
  const session = await client.listen();
  await flag([historical], 'add', 'starred');
  expect(await session.events()).toMatchObject([{op: 'add', flag: 'starred', messages: [historical]}]);
  expect(await flagsOf(historical)).toEqual(['read', 'starred', 'historical']);
  const narrow = [term('is', 'starred')];
  const {messages} = await client.get('/messages', {anchor: 'newest', num_before: 9, num_after: 0, narrow});
  expect(messages.map(({id}: {id: number}) => id)).toEqual([historical]);
  const state = await client.post('/register', {fetch_event_types: ['starred_messages']});
  expect(state.starred_messages).toEqual([historical]);
  await flag([historical], 'remove', 'starred');
  expect(await flagsOf(historical)).toEqual(['read', 'historical']);
});

test('flags: a message that was not received is among one’s own after a star or a reaction, historical', async () => {
  const {server, writer, otto, client, flag} = await startFixture();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  const [starred, reacted, untouched] = [1, 2, 3].map(() => writer.toChannel(otto, elsewhere, 'x'));
  if (starred === undefined || reacted === undefined) throw new Error('unreachable');
  const own = async (narrow: unknown[]) => {
    const {messages} = await client.get('/messages', {anchor: 'newest', num_before: 99, num_after: 0, narrow});
    return messages.filter(({stream_id}: Reply) => stream_id === elsewhere);
  };
  expect(await own([])).toEqual([]);
  await flag([starred], 'add', 'starred');
  await flag([starred], 'remove', 'starred');
  await client.post(`/messages/${reacted}/reactions`, {emoji_name: 'tada'});
  for (const narrow of [[], [term('in', 'home')], [term('sender', otto.id)]]) {
    expect(await own(narrow)).toMatchObject([
      {id: starred, flags: ['read', 'historical']},
      {id: reacted, flags: ['read', 'historical']},
    ]);
  }
  expect(await own([term('channel', elsewhere)])).toMatchObject([{id: starred}, {id: reacted}, {id: untouched}]);
});

test('flags: setting flags of messages that the user cannot read is refused', async () => {
  const {server, writer, otto, client} = await startFixture();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  const hidden = [writer.toChannel(otto, secret, 'x'), writer.toPeople(otto, [])];
  const session = await client.listen();
  const changes = [
    {messages: hidden, op: 'add', flag: 'starred'},
    {messages: hidden, op: 'add', flag: 'collapsed'},
    {messages: hidden, op: 'remove', flag: 'read'},
    {messages: [999_999], op: 'add', flag: 'starred'},
  ];
  for (const change of changes) await client.refused('POST', '/messages/flags', change, {code: 'BAD_REQUEST'});
  expect(await session.events()).toEqual([]);
});

test('flags: only read, starred and collapsed can be changed', async () => {
  const {client, idAt} = await startFixture();
  for (const name of ['mentioned', 'historical', 'has_alert_word', 'wibble']) {
    const params = {messages: [idAt(0)], op: 'add', flag: name};
    await client.refused('POST', '/messages/flags', params, {code: 'BAD_REQUEST'});
  }
  const params = {messages: [idAt(0)], op: 'toggle', flag: 'read'};
  await client.refused('POST', '/messages/flags', params, {code: 'BAD_REQUEST'});
  await client.post('/messages/flags', {messages: [idAt(0)], op: 'add', flag: 'collapsed'});
});

test('flags by narrow: a range is changed, and the response says which part was processed', async () => {
  const {client, idAt, general} = await startFixture();
  const session = await client.listen();
  const narrow = [term('channel', general), term('is', 'unread')];
  const first = await client.post('/messages/flags/narrow', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 2,
    narrow,
    op: 'add',
    flag: 'read',
  });
  expect(first).toMatchObject({
    processed_count: 2,
    updated_count: 2,
    first_processed_id: idAt(0),
    last_processed_id: idAt(1),
    found_oldest: true,
    found_newest: false,
  });
  expect(first.ignored_because_not_subscribed_channels).toEqual([]);
  const second = await client.post('/messages/flags/narrow', {
    anchor: idAt(1),
    include_anchor: false,
    num_before: 0,
    num_after: 2,
    narrow,
    op: 'add',
    flag: 'read',
  });
  expect(second).toMatchObject({processed_count: 1, updated_count: 1, found_newest: true});
  expect((await session.events()).map(({messages}) => messages)).toEqual([[idAt(0), idAt(1)], [idAt(2)]]);
});

test('flags by narrow: the response counts processed and updated messages separately', async () => {
  const {client, flag, ids, idAt} = await startFixture();
  await flag([idAt(0)], 'add', 'starred');
  const range = {anchor: 'first_unread', num_before: 10, num_after: 10, narrow: []};
  const reply = await client.post('/messages/flags/narrow', {...range, op: 'add', flag: 'starred'});
  expect(reply).toMatchObject({processed_count: ids.length, updated_count: ids.length - 1});
  const empty = {...range, narrow: [term('topic', 'none')], op: 'remove', flag: 'read'};
  expect(await client.post('/messages/flags/narrow', empty)).toMatchObject({
    processed_count: 0,
    updated_count: 0,
    first_processed_id: null,
    last_processed_id: null,
    found_oldest: true,
    found_newest: true,
    ignored_because_not_subscribed_channels: [],
  });
});

test('flags by narrow: a range above the limit is reduced to it', async () => {
  const {server, client, writer, otto, general, ids} = await startFixture();
  const range = {anchor: 'newest', num_before: 60_000, num_after: 60_000, narrow: []};
  const reply = await client.post('/messages/flags/narrow', {...range, op: 'add', flag: 'read'});
  expect(reply.processed_count).toBe(ids.length);
  writer.flood(otto, general, 5200, 'tide');
  const [middle = 0] = server.context.db.pluck(
    `SELECT id FROM message WHERE topic = 'flood' ORDER BY id LIMIT 1 OFFSET 2600`,
  );
  for (const [num_before, num_after] of [
    [2600, 2600],
    [60_000, 60_000],
  ]) {
    const many = {anchor: middle, num_before, num_after, narrow: [term('channel', general)], op: 'add', flag: 'read'};
    expect((await client.post('/messages/flags/narrow', many)).processed_count).toBe(5001);
  }
});

test('flags by narrow: bad parameters are refused', async () => {
  const {client, idAt} = await startFixture();
  const range = {anchor: idAt(1), num_before: 1, num_after: 1, narrow: [], op: 'add', flag: 'read'};
  const refuse = (more: object, code: string) =>
    client.refused('POST', '/messages/flags/narrow', {...range, ...more}, {code});
  await refuse({include_anchor: false}, 'BAD_REQUEST');
  await refuse({flag: 'mentioned'}, 'BAD_REQUEST');
  await refuse({anchor: 'date'}, 'BAD_REQUEST');
  await refuse({narrow: [term('wibble', 'x')]}, 'BAD_NARROW');
});

test('mark_all_as_read, mark_stream_as_read and mark_topic_as_read mark their messages read', async () => {
  const {server, writer, meg, otto, client, general, idAt} = await startFixture();
  const other = server.people.channel('other', [meg, otto]);
  const elsewhere = writer.toChannel(otto, other, 'lunch');
  const session = await client.listen();
  await client.post('/mark_topic_as_read', {stream_id: general, topic_name: 'LUNCH'});
  await client.post('/mark_stream_as_read', {stream_id: general});
  expect((await client.post('/mark_all_as_read')).complete).toBe(true);
  expect((await client.post('/mark_all_as_read')).complete).toBe(true);
  expect((await session.events()).map(({messages, all}) => [messages, all])).toEqual([
    [[idAt(0), idAt(1)], false],
    [[idAt(2)], false],
    [[], true],
    [[], true],
  ]);
  // Also what somebody sends to a muted channel.
  await client.patch(`/users/me/subscriptions/${other}`, {property: 'is_muted', value: true});
  await server.as(otto).post('/messages', {type: 'stream', to: 'other', topic: 't', content: 'hi'});
  const unread = async () =>
    (await client.post('/register', {fetch_event_types: ['message', 'update_message_flags']})).unread_msgs.streams;
  expect(await unread()).toHaveLength(1);
  await client.post('/mark_all_as_read');
  expect(await unread()).toEqual([]);
  for (const id of [idAt(3), elsewhere]) expect((await client.get(`/messages/${id}`)).message.flags).toContain('read');
});

test('mark_stream_as_read and mark_topic_as_read refuse unknown channels and topics', async () => {
  const {server, client, otto, general} = await startFixture();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  for (const stream_id of [secret, 999]) {
    await client.refused('POST', '/mark_stream_as_read', {stream_id}, {code: 'BAD_REQUEST'});
    await client.refused('POST', '/mark_topic_as_read', {stream_id, topic_name: 'x'}, {code: 'BAD_REQUEST'});
  }
  const params = {stream_id: general, topic_name: 'no such'};
  await client.refused('POST', '/mark_topic_as_read', params, {code: 'BAD_REQUEST'});
  const open = server.people.channel('open', [otto]);
  const {id} = await server.as(otto).post('/messages', {type: 'channel', to: open, topic: 't', content: 'hi'});
  const topic = {stream_id: open, topic_name: 't'};
  await client.refused('POST', '/mark_topic_as_read', topic, {code: 'BAD_REQUEST'});
  await client.post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  await client.post('/mark_topic_as_read', topic);
  // The topic without a name exists also without messages.
  await client.post('/mark_topic_as_read', {...params, topic_name: ''});
});

test('flags: the details of direct messages say of each whether it has a mention', async () => {
  const {server, client, writer, meg, otto, flag} = await startFixture();
  const una = server.people.member('Una Usual');
  const mention = [[meg, Flag.mentioned | Flag.mentionedByName]] as const;
  const plain = writer.toPeople(otto, [meg]);
  const named = writer.toPeople(otto, [meg], {flags: mention});
  const inGroup = writer.toPeople(otto, [meg, una], {flags: mention});
  const toSelf = writer.toPeople(meg, [], {flags: mention});
  await client.post('/mark_all_as_read');
  const session = await client.listen();
  await flag([plain, named, inGroup, toSelf], 'remove', 'read');
  expect((await session.events())[0]?.message_details).toEqual({
    [plain]: {type: 'private', user_ids: [otto.id]},
    [named]: {type: 'private', user_ids: [otto.id], mentioned: true},
    [inGroup]: {type: 'private', user_ids: [otto.id, una.id], mentioned: true},
    [toSelf]: {type: 'private', user_ids: [], mentioned: true},
  });
  const {unread_msgs} = await client.post('/register', {fetch_event_types: ['message', 'update_message_flags']});
  expect(unread_msgs.mentions).toEqual([named, inGroup, toSelf]);
});

test('flags: of several messages, one that cannot be read refuses a star for all, and is passed over when stars are removed', async () => {
  const {server, client, writer, otto, flag, flagsOf, idAt} = await startFixture();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  const [unreadable, one, two] = [writer.toChannel(otto, secret, 'x'), idAt(0), idAt(2)];
  const mixed = [one, unreadable, two];
  await client.refused('POST', '/messages/flags', {messages: mixed, op: 'add', flag: 'starred'}, {code: 'BAD_REQUEST'});
  const isStarred = async () => [await flagsOf(one), await flagsOf(two)].map((flags) => flags.includes('starred'));
  expect(await isStarred()).toEqual([false, false]);
  await flag([one, two], 'add', 'starred');
  expect(await isStarred()).toEqual([true, true]);
  const session = await client.listen();
  await flag(mixed, 'remove', 'starred');
  expect(await isStarred()).toEqual([false, false]);
  expect((await session.events()).map(({messages}) => messages)).toEqual([[one, two]]);
});

test('flags: all channels without a subscription whose messages cannot be marked unread are named', async () => {
  const {server, writer, otto, flag, idAt} = await startFixture();
  const elsewhere = ['one', 'two'].map((name) => server.people.channel(name, [otto]));
  const historical = elsewhere.map((channel) => writer.toChannel(otto, channel, 'x'));
  const reply = await flag([...historical, idAt(0)], 'remove', 'read');
  expect(reply.ignored_because_not_subscribed_channels).toEqual(elsewhere);
});

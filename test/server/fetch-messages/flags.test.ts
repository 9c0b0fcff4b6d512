import {expect, test} from 'vitest';
import {Flag} from '#server/db/rows.ts';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter, term} from './message-fixtures.ts';

async function inbox() {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const general = server.people.channel('general', [meg, otto]);
  const ids = [
    mail.toChannel(otto, general, 'lunch'),
    mail.toChannel(otto, general, 'lunch', {flags: [[meg, Flag.mentioned]]}),
    mail.toChannel(otto, general, 'dinner'),
    mail.toPeople(otto, [meg]),
  ];
  const at = (index: number): number => ids[index] ?? -1;
  const client = server.as(meg);
  const flag = (messages: number[], op: string, name: string) =>
    client.post('/messages/flags', {messages, op, flag: name});
  const flagsOf = async (id: number) => (await client.get(`/messages/${id}`)).message.flags;
  return {server, mail, meg, otto, general, ids, at, client, flag, flagsOf};
}

test('marking read changes the flag, echoes the ids, and tells only this person’s sessions', async () => {
  const {server, otto, client, flag, flagsOf, at} = await inbox();
  const [mine, theirs] = [await client.listen(), await server.as(otto).listen()];
  const reply = await flag([at(1), at(0), 999_999], 'add', 'read');
  expect(reply.messages).toEqual([at(1), at(0), 999_999]);
  expect('ignored_because_not_subscribed_channels' in reply).toBe(false);
  expect(await mine.events()).toEqual([
    {
      id: 0,
      type: 'update_message_flags',
      op: 'add',
      operation: 'add',
      flag: 'read',
      messages: [at(0), at(1)],
      all: false,
    },
  ]);
  expect(await theirs.events()).toEqual([]);
  expect(await flagsOf(at(0))).toEqual(['read']);
  expect(await flagsOf(at(1))).toEqual(['read', 'mentioned']);
});

test('what is so already changes nothing and says nothing', async () => {
  const {client, flag, at} = await inbox();
  await flag([at(0)], 'add', 'read');
  const session = await client.listen();
  await flag([at(0)], 'add', 'read');
  await flag([at(0)], 'remove', 'starred');
  await flag([999_999], 'add', 'starred');
  await flag([], 'add', 'starred');
  expect(await session.events()).toEqual([]);
});

test('a read message without flags leaves no row behind', async () => {
  const {server, flag, ids} = await inbox();
  await flag(ids, 'add', 'read');
  expect(server.world.db.value('SELECT COUNT(*) FROM user_message')).toBe(1);
});

test('marking unread comes with what is needed to count it again', async () => {
  const {client, mail, general, meg, otto, flag, at, server} = await inbox();
  const self = mail.toPeople(meg, []);
  const unnamed = mail.toChannel(otto, general, '');
  mail.topicPolicy(meg, general, 'dinner', 1);
  await client.post('/mark_all_as_read');
  const session = await client.listen();
  const older = await client.listen({client_capabilities: {}});
  const reply = await flag([at(1), at(2), at(3), self, unnamed], 'remove', 'read');
  expect(reply.ignored_because_not_subscribed_channels).toEqual([]);
  const [event] = await session.events();
  expect(event).toMatchObject({op: 'remove', flag: 'read', all: false});
  expect(event?.messages).toEqual([at(1), at(2), at(3), self, unnamed]);
  expect(event?.message_details).toEqual({
    [at(1)]: {type: 'stream', stream_id: general, topic: 'lunch', unmuted_stream_msg: true, mentioned: true},
    [at(2)]: {type: 'stream', stream_id: general, topic: 'dinner', unmuted_stream_msg: false},
    [at(3)]: {type: 'private', user_ids: [otto.id]},
    [self]: {type: 'private', user_ids: []},
    [unnamed]: {type: 'stream', stream_id: general, topic: '', unmuted_stream_msg: true},
  });
  const [legacy] = await older.events();
  expect(legacy?.message_details[unnamed].topic).toBe('general chat');
  expect(
    server.world.db.value('SELECT COUNT(*) FROM user_message WHERE flags & 1 AND user_id = ?', meg.id),
  ).toBe(5);
});

test('nothing becomes unread in channels one is not subscribed to', async () => {
  const {server, mail, otto, client, flag, at} = await inbox();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  const historical = mail.toChannel(otto, elsewhere, 'x');
  await flag([at(0)], 'add', 'read');
  const session = await client.listen();
  const reply = await flag([historical, at(0)], 'remove', 'read');
  expect(reply.ignored_because_not_subscribed_channels).toEqual([elsewhere]);
  expect((await session.events()).map(({messages}) => messages)).toEqual([[at(0)]]);
});

test('history of a subscribed channel can become unread', async () => {
  const {server, mail, meg, otto, flag, flagsOf} = await inbox();
  const late = server.people.channel('late', [otto]);
  const historical = mail.toChannel(otto, late, 'x');
  server.people.subscribe(meg, late);
  await flag([historical], 'remove', 'read');
  expect(await flagsOf(historical)).toEqual([]);
  const params = {anchor: 'newest', num_before: 1, num_after: 0, narrow: [term('is', 'unread')]};
  const {messages} = await server.as(meg).get('/messages', params);
  expect(messages[0].id).toBe(historical);
});

test('what never arrived can be starred, and is found among the starred', async () => {
  const {server, mail, otto, client, flag, flagsOf} = await inbox();
  const elsewhere = server.people.channel('elsewhere', [otto]);
  const historical = mail.toChannel(otto, elsewhere, 'x');
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

test('messages one cannot read take no flags', async () => {
  const {server, mail, otto, client, flag} = await inbox();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  const hidden = [mail.toChannel(otto, secret, 'x'), mail.toPeople(otto, [])];
  const session = await client.listen();
  for (const name of ['starred', 'collapsed']) await flag(hidden, 'add', name);
  const reply = await flag(hidden, 'remove', 'read');
  expect(reply.ignored_because_not_subscribed_channels).toEqual([]);
  expect(await session.events()).toEqual([]);
});

test('only read, starred and collapsed can be set', async () => {
  const {client, at} = await inbox();
  for (const name of ['mentioned', 'historical', 'has_alert_word', 'wibble']) {
    const params = {messages: [at(0)], op: 'add', flag: name};
    await client.refused('POST', '/messages/flags', params, {code: 'BAD_REQUEST'});
  }
  const params = {messages: [at(0)], op: 'toggle', flag: 'read'};
  await client.refused('POST', '/messages/flags', params, {code: 'BAD_REQUEST'});
  await client.post('/messages/flags', {messages: [at(0)], op: 'add', flag: 'collapsed'});
});

test('a narrow’s range is flagged, and the answer says how far it got', async () => {
  const {client, at, general} = await inbox();
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
    first_processed_id: at(0),
    last_processed_id: at(1),
    found_oldest: true,
    found_newest: false,
  });
  expect('ignored_because_not_subscribed_channels' in first).toBe(false);
  const second = await client.post('/messages/flags/narrow', {
    anchor: at(1),
    include_anchor: false,
    num_before: 0,
    num_after: 2,
    narrow,
    op: 'add',
    flag: 'read',
  });
  expect(second).toMatchObject({processed_count: 1, updated_count: 1, found_newest: true});
  expect((await session.events()).map(({messages}) => messages)).toEqual([[at(0), at(1)], [at(2)]]);
});

test('a narrow’s range counts what changed apart from what was looked at', async () => {
  const {client, flag, ids, at} = await inbox();
  await flag([at(0)], 'add', 'starred');
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

test('a range larger than the server’s is lowered', async () => {
  const {client, ids} = await inbox();
  const range = {anchor: 'newest', num_before: 60_000, num_after: 60_000, narrow: []};
  const reply = await client.post('/messages/flags/narrow', {...range, op: 'add', flag: 'read'});
  expect(reply.processed_count).toBe(ids.length);
});

test('flagging a narrow refuses what makes no sense', async () => {
  const {client, at} = await inbox();
  const range = {anchor: at(1), num_before: 1, num_after: 1, narrow: [], op: 'add', flag: 'read'};
  const refuse = (more: object, code: string) =>
    client.refused('POST', '/messages/flags/narrow', {...range, ...more}, {code});
  await refuse({include_anchor: false}, 'BAD_REQUEST');
  await refuse({flag: 'mentioned'}, 'BAD_REQUEST');
  await refuse({anchor: 'date'}, 'BAD_REQUEST');
  await refuse({narrow: [term('wibble', 1)]}, 'BAD_NARROW');
});

test('everything, a channel or a topic is marked read', async () => {
  const {server, mail, meg, otto, client, general, at} = await inbox();
  const other = server.people.channel('other', [meg, otto]);
  const elsewhere = mail.toChannel(otto, other, 'lunch');
  const session = await client.listen();
  await client.post('/mark_topic_as_read', {stream_id: general, topic_name: 'LUNCH'});
  await client.post('/mark_stream_as_read', {stream_id: general});
  expect((await client.post('/mark_all_as_read')).complete).toBe(true);
  expect((await client.post('/mark_all_as_read')).complete).toBe(true);
  expect((await session.events()).map(({messages}) => messages)).toEqual([
    [at(0), at(1)],
    [at(2)],
    [at(3), elsewhere],
  ]);
});

test('unknown channels and topics cannot be marked read', async () => {
  const {server, client, otto, general} = await inbox();
  const secret = server.people.channel('secret', [otto], {invite_only: 1});
  for (const stream_id of [secret, 999]) {
    await client.refused('POST', '/mark_stream_as_read', {stream_id}, {code: 'BAD_REQUEST'});
    await client.refused('POST', '/mark_topic_as_read', {stream_id, topic_name: 'x'}, {code: 'BAD_REQUEST'});
  }
  const params = {stream_id: general, topic_name: 'no such'};
  await client.refused('POST', '/mark_topic_as_read', params, {code: 'BAD_REQUEST'});
});

import {expect, test} from 'vitest';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {QueueOptions} from '#server/event-queues/event-queue.ts';
import {unreadSnapshot} from '#server/snapshot/unreads.ts';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter} from './message-fixtures.ts';

async function world() {
  const server = await testServer();
  const mail = new MessageFixtureWriter(server.world);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const una = server.people.member('Una Usual');
  const register = (fetch_event_types: string[] | undefined, more: object = {}) =>
    server.as(meg).post('/register', {fetch_event_types, ...more});
  const unreads = async () => (await register(['message', 'update_message_flags'])).unread_msgs;
  return {server, mail, meg, otto, una, register, unreads};
}

test('unread messages are listed by conversation, ids ascending', async () => {
  const {server, mail, meg, otto, una, unreads} = await world();
  const general = server.people.channel('general', [meg, otto]);
  const a = mail.toChannel(otto, general, 'lunch');
  const b = mail.toChannel(otto, general, 'dinner');
  const c = mail.toChannel(otto, general, 'Lunch');
  const d = mail.toPeople(otto, [meg]);
  const e = mail.toPeople(otto, [meg, una]);
  const f = mail.toPeople(otto, [meg]);
  mail.toPeople(meg, [otto]);
  const group = [meg, otto, una].map(({id}) => id).sort((x, y) => x - y);
  const found = await unreads();
  expect(found).toEqual({
    count: 6,
    pms: [{other_user_id: otto.id, sender_id: otto.id, unread_message_ids: [d, f]}],
    huddles: [{user_ids_string: group.join(','), unread_message_ids: [e]}],
    streams: expect.any(Array),
    mentions: [],
    old_unreads_missing: false,
  });
  expect(
    found.streams.toSorted((x: {topic: string}, y: {topic: string}) => (x.topic < y.topic ? -1 : 1)),
  ).toEqual([
    {stream_id: general, topic: 'Lunch', unread_message_ids: [a, c]},
    {stream_id: general, topic: 'dinner', unread_message_ids: [b]},
  ]);
});

test('what is muted is listed but not counted, unless it is a mention by name', async () => {
  const {server, mail, meg, otto, unreads} = await world();
  const noise = server.people.channel('noise', [meg, otto]);
  const general = server.people.channel('general', [meg, otto]);
  mail.muteChannel(meg, noise);
  mail.topicPolicy(meg, noise, 'melody', 2);
  mail.topicPolicy(meg, general, 'spam', 1);
  mail.toChannel(otto, noise, 'hum', {flags: [[meg, Flag.channelWildcard]]});
  const named = mail.toChannel(otto, noise, 'hum', {flags: [[meg, Flag.mentioned]]});
  const heard = mail.toChannel(otto, noise, 'melody', {flags: [[meg, Flag.channelWildcard]]});
  mail.toChannel(otto, general, 'spam');
  const topical = mail.toChannel(otto, general, 'news', {flags: [[meg, Flag.topicWildcard]]});
  const found = await unreads();
  expect(found.count).toBe(2);
  expect(found.streams).toHaveLength(4);
  expect(found.mentions).toEqual([named, heard, topical]);
});

test('channels one has left are not listed', async () => {
  const {server, mail, meg, otto, unreads} = await world();
  const general = server.people.channel('general', [meg, otto]);
  mail.toChannel(otto, general, 'lunch');
  mail.unsubscribe(meg, general);
  expect(await unreads()).toMatchObject({count: 0, streams: []});
});

test('a note to oneself is a conversation with oneself', async () => {
  const {server, mail, meg, unreads} = await world();
  const id = mail.toPeople(meg, []);
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'remove', flag: 'read'});
  expect((await unreads()).pms).toEqual([
    {other_user_id: meg.id, sender_id: meg.id, unread_message_ids: [id]},
  ]);
});

test('the empty topic has its display name for clients that do not know it', async () => {
  const {server, mail, meg, otto, register} = await world();
  const general = server.people.channel('general', [meg, otto]);
  mail.toChannel(otto, general, '');
  const types = ['message', 'update_message_flags'];
  expect((await register(types)).unread_msgs.streams[0].topic).toBe('general chat');
  const modern = await register(types, {client_capabilities: {empty_topic_name: true}});
  expect(modern.unread_msgs.streams[0].topic).toBe('');
});

test('unread messages come only with both kinds of events they change by', async () => {
  const {register} = await world();
  expect(await register(['message'])).not.toHaveProperty('unread_msgs');
  expect(await register(['update_message_flags'])).not.toHaveProperty('unread_msgs');
  expect(await register(undefined)).toHaveProperty('unread_msgs');
});

test('beyond the limit the oldest are left out, and the client is told', async () => {
  const {server, mail, meg, otto} = await world();
  const general = server.people.channel('general', [meg, otto]);
  const [, ...newer] = Array.from({length: 4}, () => mail.toChannel(otto, general, 'lunch'));
  const viewer = findUser(server.world.db, meg.id) as UserRow;
  const options = {capabilities: {}} as QueueOptions;
  const found = (limit: number) =>
    server.world.runAction((act) => unreadSnapshot({act, viewer, options}, limit));
  expect(found(4).old_unreads_missing).toBe(false);
  expect(found(3)).toMatchObject({count: 3, old_unreads_missing: true});
  expect(found(3).streams[0]?.unread_message_ids).toEqual(newer);
});

test('the newest received message is a hint of where the view ends', async () => {
  const {server, mail, meg, otto, register} = await world();
  expect((await register(['message'])).max_message_id).toBe(-1);
  const general = server.people.channel('general', [otto]);
  mail.toChannel(otto, general, 'x');
  expect((await register(['message'])).max_message_id).toBe(-1);
  const id = mail.toPeople(otto, [meg]);
  mail.toChannel(otto, general, 'x');
  expect((await register(['message'])).max_message_id).toBe(id);
});

test('direct conversations are listed by their newest message, without oneself', async () => {
  const {mail, meg, otto, una, register} = await world();
  mail.toPeople(otto, [meg]);
  const self = mail.toPeople(meg, []);
  const group = mail.toPeople(una, [meg, otto]);
  const pair = mail.toPeople(meg, [otto]);
  mail.toPeople(otto, [una]);
  const state = await register(['recent_private_conversations']);
  expect(state.recent_private_conversations).toEqual([
    {max_message_id: pair, user_ids: [otto.id]},
    {max_message_id: group, user_ids: [otto.id, una.id]},
    {max_message_id: self, user_ids: []},
  ]);
});

import {expect, test} from 'vitest';
import {Flag, type UserRow} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import type {QueueOptions} from '#server/event-queues/event-queues.ts';
import {withoutPauses} from '#server/run-action.ts';
import {unreadSnapshot} from '#server/snapshot/messages.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {testServer} from '#test/support/server.ts';

async function startFixture() {
  const server = await testServer();
  const writer = new MessageFixtureWriter(server.context);
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const una = server.people.member('Una Usual');
  const register = (fetch_event_types: string[] | undefined, more: object = {}) =>
    server.as(meg).post('/register', {fetch_event_types, ...more});
  const unreads = async () => (await register(['message', 'update_message_flags'])).unread_msgs;
  return {server, writer, meg, otto, una, register, unreads};
}

test('unread_msgs: lists ids by conversation, ascending, with the spelling of the oldest', async () => {
  const {server, writer, meg, otto, una, unreads} = await startFixture();
  const general = server.people.channel('general', [meg, otto]);
  const a = writer.toChannel(otto, general, 'lunch');
  const b = writer.toChannel(otto, general, 'dinner');
  const c = writer.toChannel(otto, general, 'Lunch');
  const d = writer.toPeople(otto, [meg]);
  const e = writer.toPeople(otto, [meg, una]);
  const f = writer.toPeople(otto, [meg]);
  writer.toPeople(meg, [otto]);
  const group = [meg, otto, una].map(({id}) => id).sort((x, y) => x - y);
  const result = await unreads();
  expect(result).toEqual({
    count: 6,
    pms: [{other_user_id: otto.id, sender_id: otto.id, unread_message_ids: [d, f]}],
    huddles: [{user_ids_string: group.join(','), unread_message_ids: [e]}],
    streams: expect.any(Array),
    mentions: [],
    old_unreads_missing: false,
  });
  expect(result.streams.toSorted((x: {topic: string}, y: {topic: string}) => (x.topic < y.topic ? -1 : 1))).toEqual([
    {stream_id: general, topic: 'dinner', unread_message_ids: [b]},
    {stream_id: general, topic: 'lunch', unread_message_ids: [a, c]},
  ]);
});

test('unread_msgs: muted messages are listed but not counted, and are mentions only by name', async () => {
  const {server, writer, meg, otto, unreads} = await startFixture();
  const noise = server.people.channel('noise', [meg, otto]);
  const general = server.people.channel('general', [meg, otto]);
  writer.muteChannel(meg, noise);
  writer.topicPolicy(meg, noise, 'melody', 2);
  writer.topicPolicy(meg, general, 'spam', 1);
  writer.toChannel(otto, noise, 'hum', {flags: [[meg, Flag.channelWildcard]]});
  const named = writer.toChannel(otto, noise, 'hum', {flags: [[meg, Flag.mentioned]]});
  const unmuted = writer.toChannel(otto, noise, 'melody', {flags: [[meg, Flag.channelWildcard]]});
  writer.toChannel(otto, general, 'spam');
  const topical = writer.toChannel(otto, general, 'news', {flags: [[meg, Flag.topicWildcard]]});
  writer.topicPolicy(meg, noise, 'anthem', 3);
  const followed = writer.toChannel(otto, noise, 'anthem', {flags: [[meg, Flag.channelWildcard]]});
  const result = await unreads();
  expect(result.count).toBe(3);
  expect(result.streams).toHaveLength(5);
  expect(result.mentions).toEqual([named, unmuted, topical, followed]);
});

test('unread_msgs: former subscriptions are not listed', async () => {
  const {server, writer, meg, otto, unreads} = await startFixture();
  const general = server.people.channel('general', [meg, otto]);
  writer.toChannel(otto, general, 'lunch');
  writer.unsubscribe(meg, general);
  expect(await unreads()).toMatchObject({count: 0, streams: []});
});

test('unread_msgs: a message to oneself is a conversation with oneself', async () => {
  const {server, writer, meg, unreads} = await startFixture();
  const id = writer.toPeople(meg, []);
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'remove', flag: 'read'});
  expect((await unreads()).pms).toEqual([{other_user_id: meg.id, sender_id: meg.id, unread_message_ids: [id]}]);
});

test('unread_msgs: the empty topic has its display name for clients without the capability', async () => {
  const {server, writer, meg, otto, register} = await startFixture();
  const general = server.people.channel('general', [meg, otto]);
  writer.toChannel(otto, general, '');
  const types = ['message', 'update_message_flags'];
  expect((await register(types)).unread_msgs.streams[0].topic).toBe('general chat');
  const modern = await register(types, {
    client_capabilities: {notification_settings_null: false, empty_topic_name: true},
  });
  expect(modern.unread_msgs.streams[0].topic).toBe('');
});

test('unread_msgs: is present only with both message and update_message_flags', async () => {
  const {register} = await startFixture();
  expect(await register(['message'])).not.toHaveProperty('unread_msgs');
  expect(await register(['update_message_flags'])).not.toHaveProperty('unread_msgs');
  expect(await register(undefined)).toHaveProperty('unread_msgs');
});

test('unread_msgs: beyond the limit the oldest are left out and old_unreads_missing is set', async () => {
  const {server, writer, meg, otto} = await startFixture();
  const general = server.people.channel('general', [meg, otto]);
  const [, ...newer] = Array.from({length: 4}, () => writer.toChannel(otto, general, 'lunch'));
  const viewer = findUser(server.context.db, meg.id) as UserRow;
  const options = {capabilities: {}} as QueueOptions;
  const result = (limit: number) =>
    server.context.runAction((act) => withoutPauses(unreadSnapshot({act, viewer, options}, limit)));
  expect(result(4).old_unreads_missing).toBe(false);
  expect(result(3)).toMatchObject({count: 3, old_unreads_missing: true});
  expect(result(3).streams[0]?.unread_message_ids).toEqual(newer);
});

test('unread_msgs: a later registration, also of another reader, has what was moved, deleted, muted and sent since', async () => {
  const {server, writer, meg, otto, una, unreads} = await startFixture();
  const general = server.people.channel('general', [meg, otto, una]);
  const other = server.people.channel('other', [meg, otto]);
  const owner = server.as(server.people.owner());
  const [renamed, moved, deleted, kept] = Array.from({length: 4}, () => writer.toChannel(otto, general, 'lunch'));
  writer.toChannel(una, general, 'lunch');
  const streamsOf = (person: typeof meg) =>
    server
      .as(person)
      .post('/register', {fetch_event_types: ['message', 'update_message_flags']})
      .then(({unread_msgs}) => unread_msgs.streams);
  expect((await unreads()).count).toBe(5);
  const change = (id: number | undefined, params: object) =>
    owner.patch(`/messages/${id}`, {
      propagate_mode: 'change_one',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
      ...params,
    });
  await change(renamed, {topic: 'dinner'});
  await change(moved, {stream_id: other});
  await owner.delete(`/messages/${deleted}`);
  await server.as(meg).post(`/users/me/muted_users/${una.id}`);
  const sent = writer.toChannel(otto, general, 'lunch');
  const dinner = {stream_id: general, topic: 'dinner', unread_message_ids: [renamed]};
  expect(await streamsOf(meg)).toEqual([
    dinner,
    {stream_id: general, topic: 'lunch', unread_message_ids: [kept, sent]},
    {stream_id: other, topic: 'lunch', unread_message_ids: [moved]},
  ]);
  expect(await streamsOf(una)).toEqual([
    dinner,
    {stream_id: general, topic: 'lunch', unread_message_ids: [kept, sent]},
  ]);
});

test('unread_msgs: a change that is undone by an error does not stay in the list', async () => {
  const {server, writer, meg, otto, unreads} = await startFixture();
  const general = server.people.channel('general', [meg, otto]);
  const id = writer.toChannel(otto, general, 'lunch');
  const before = await unreads();
  const viewer = findUser(server.context.db, meg.id) as UserRow;
  const options = {capabilities: {}} as QueueOptions;
  const failing = () =>
    server.context.runAction((act) => {
      act.db.run("UPDATE message SET topic = 'dinner', topic_key = 'dinner' WHERE id = ?", id);
      const [stream] = withoutPauses(unreadSnapshot({act, viewer, options})).streams;
      throw new Error(stream?.topic);
    });
  expect(failing).toThrow('dinner');
  expect(await unreads()).toEqual(before);
});

test('unread_msgs: own messages, and those that came before or were read, do not count against the limit', async () => {
  const {server, writer, meg, otto} = await startFixture();
  const general = server.people.channel('general', [meg, otto]);
  const first = writer.toChannel(otto, general, 'lunch');
  for (let count = 0; count < 20; count++) writer.toChannel(meg, general, 'lunch');
  const last = writer.toChannel(otto, general, 'lunch');
  const viewer = findUser(server.context.db, meg.id) as UserRow;
  const options = {capabilities: {}} as QueueOptions;
  const {streams, old_unreads_missing} = server.context.runAction((act) =>
    withoutPauses(unreadSnapshot({act, viewer, options}, 3)),
  );
  expect([streams[0]?.unread_message_ids, old_unreads_missing]).toEqual([[first, last], false]);
});

test('max_message_id: is the newest received message, or -1', async () => {
  const {server, writer, meg, otto, register} = await startFixture();
  expect((await register(['message'])).max_message_id).toBe(-1);
  const general = server.people.channel('general', [otto]);
  writer.toChannel(otto, general, 'x');
  expect((await register(['message'])).max_message_id).toBe(-1);
  const id = writer.toPeople(otto, [meg]);
  writer.toChannel(otto, general, 'x');
  expect((await register(['message'])).max_message_id).toBe(id);
});

test('recent_private_conversations: lists conversations by newest message, without oneself', async () => {
  const {writer, meg, otto, una, register} = await startFixture();
  writer.toPeople(otto, [meg]);
  const self = writer.toPeople(meg, []);
  const group = writer.toPeople(una, [meg, otto]);
  const pair = writer.toPeople(meg, [otto]);
  writer.toPeople(otto, [una]);
  const state = await register(['recent_private_conversations']);
  expect(state.recent_private_conversations).toEqual([
    {max_message_id: pair, user_ids: [otto.id]},
    {max_message_id: group, user_ids: [otto.id, una.id]},
    {max_message_id: self, user_ids: []},
  ]);
});

import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {Database} from '#server/db/database.ts';
import {historicalMessages, messageHtml} from '#server/db/migrate.ts';
import {foundation} from '#server/db/migrations/001-foundation.ts';
import {unreadSql} from '#server/db/unread-messages.ts';
import {
  type MessagesFixture,
  messagesFixture,
  sendDirect,
  sendToChannel,
} from '#test/server/actions/messages/messages-fixture.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const rowCount = ({server}: MessagesFixture) => server.context.db.value('SELECT COUNT(*) FROM user_message');

/** Returns what a person learns of their unread messages: from a registration, a narrow and the messages' flags. */
async function unreadOf({server}: MessagesFixture, person: Person): Promise<number[]> {
  const client = server.as(person);
  const {unread_msgs} = await client.post('/register', {fetch_event_types: ['message', 'update_message_flags']});
  const listed: number[] = [...unread_msgs.streams, ...unread_msgs.pms]
    .flatMap(({unread_message_ids}) => unread_message_ids)
    .sort((a, b) => a - b);
  const page = {anchor: 'newest', num_before: 100, num_after: 0};
  const ids = (messages: {id: number}[]) => messages.map(({id}) => id);
  const narrow = [{operator: 'is', operand: 'unread'}];
  expect(ids((await client.get('/messages', {...page, narrow})).messages)).toEqual(listed);
  const {messages} = await client.get('/messages', page);
  expect(ids(messages.filter(({flags}: {flags: string[]}) => !flags.includes('read')))).toEqual(listed);
  return listed;
}

const flag = (fixture: MessagesFixture, person: Person, op: string, name: string, ...messages: number[]) =>
  fixture.server.as(person).post('/messages/flags', {messages, op, flag: name});

async function sendSome(fixture: MessagesFixture, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.push(await sendToChannel(fixture.asMeg, fixture.general));
  return ids;
}

test('unread: a send to a channel writes no row for its readers', async () => {
  const fixture = await messagesFixture();
  const others = ['One', 'Two', 'Three'].map((name) => fixture.server.people.member(name));
  for (const person of others) fixture.server.people.subscribe(person, fixture.general);
  const ids = await sendSome(fixture, 3);
  expect(rowCount(fixture)).toBe(0);
  for (const person of [fixture.otto, ...others]) expect(await unreadOf(fixture, person)).toEqual(ids);
  expect(await unreadOf(fixture, fixture.meg)).toEqual([]);
});

test('unread: reading from the oldest on writes no row, and reading a later message keeps the earlier ones', async () => {
  const fixture = await messagesFixture();
  const {otto} = fixture;
  const [a = 0, b = 0, c = 0, d = 0] = await sendSome(fixture, 4);
  await flag(fixture, otto, 'add', 'read', a);
  expect(rowCount(fixture)).toBe(0);
  await flag(fixture, otto, 'add', 'read', c);
  expect(await unreadOf(fixture, otto)).toEqual([b, d]);
  expect(rowCount(fixture)).toBe(1);
  await flag(fixture, otto, 'remove', 'read', a);
  expect(await unreadOf(fixture, otto)).toEqual([a, b, d]);
  await fixture.asOtto.post('/mark_all_as_read');
  expect(await unreadOf(fixture, otto)).toEqual([]);
  expect(rowCount(fixture)).toBe(0);
});

test('unread: direct and channel messages are listed together in the order of ids, also a single one', async () => {
  const fixture = await messagesFixture();
  const {asMeg, asOtto, otto, meg, general} = fixture;
  const first = await sendToChannel(asMeg, general);
  const direct = await sendDirect(asMeg, [otto.id, meg.id]);
  const last = await sendToChannel(asMeg, general);
  const narrow = [{operator: 'is', operand: 'unread'}];
  const page = {anchor: 'first_unread', num_before: 0, num_after: 1, narrow};
  expect((await asOtto.get('/messages', page)).messages).toMatchObject([{id: first}, {id: direct}]);
  expect(await unreadOf(fixture, otto)).toEqual([first, direct, last]);
  await asOtto.post('/mark_all_as_read');
  const next = await sendToChannel(asMeg, general);
  expect(await unreadOf(fixture, otto)).toEqual([next]);
});

test('unread: a star and its removal leave a message unread', async () => {
  const fixture = await messagesFixture();
  const ids = await sendSome(fixture, 2);
  for (const op of ['add', 'remove']) {
    await flag(fixture, fixture.otto, op, 'starred', ids[0] ?? 0);
    expect(await unreadOf(fixture, fixture.otto)).toEqual(ids);
  }
});

test('unread: a mention that an edit removes leaves a read message read and an unread one unread', async () => {
  const fixture = await messagesFixture();
  const {asMeg, otto, general} = fixture;
  const read = await sendToChannel(asMeg, general, '@**Otto Other**');
  await flag(fixture, otto, 'add', 'read', read);
  const unread = await sendToChannel(asMeg, general, '@**Otto Other**');
  for (const id of [read, unread]) await asMeg.patch(`/messages/${id}`, {content: 'nobody'});
  expect(await unreadOf(fixture, otto)).toEqual([unread]);
});

test('unread: messages that a muted user sent stay read when the mute ends, and others stay unread', async () => {
  const fixture = await messagesFixture();
  const {asMeg, asOtto, server, otto, meg, nina, general} = fixture;
  server.people.subscribe(nina, general);
  const before = await sendToChannel(asMeg, general);
  const fromNina = await sendToChannel(server.as(nina), general);
  const listener = await asOtto.listen({event_types: ['update_message_flags']});
  await asOtto.post(`/users/me/muted_users/${meg.id}`);
  expect(await listener.events()).toMatchObject([{op: 'add', flag: 'read', messages: [before]}]);
  await sendToChannel(asMeg, general);
  expect(await unreadOf(fixture, otto)).toEqual([fromNina]);
  // For others, nobody is muted.
  expect(await unreadOf(fixture, nina)).toEqual([before, before + 2]);
  await asOtto.delete(`/users/me/muted_users/${meg.id}`);
  const after = await sendToChannel(asMeg, general);
  expect(await unreadOf(fixture, otto)).toEqual([fromNina, after]);
});

test('unread: a reactivated user has the unread messages from before and none from between', async () => {
  const fixture = await messagesFixture();
  const {server, otto} = fixture;
  const admin = server.as(server.people.admin());
  const before = await sendSome(fixture, 2);
  await admin.delete(`/users/${otto.id}`);
  await sendSome(fixture, 2);
  await admin.post(`/users/${otto.id}/reactivate`);
  const after = await sendSome(fixture, 1);
  expect(await unreadOf(fixture, otto)).toEqual([...before, ...after]);
});

test('unread: a user who subscribes again has only later messages unread', async () => {
  const fixture = await messagesFixture();
  const {asOtto, otto} = fixture;
  await sendSome(fixture, 2);
  await asOtto.delete('/users/me/subscriptions', {subscriptions: ['general']});
  await sendSome(fixture, 1);
  await asOtto.post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]});
  expect(await unreadOf(fixture, otto)).toEqual([]);
  const after = await sendSome(fixture, 1);
  expect(await unreadOf(fixture, otto)).toEqual(after);
});

test('unread: a message that moves stays unread for the subscribers of both channels only', async () => {
  const fixture = await messagesFixture();
  const {server, asMeg, meg, otto, nina, general} = fixture;
  const elsewhere = server.people.channel('elsewhere', [meg, otto, nina]);
  const left = server.people.member('Left Behind');
  server.people.subscribe(left, general);
  const [moved = 0, kept = 0] = await sendSome(fixture, 2);
  const notices = {send_notification_to_new_thread: false, send_notification_to_old_thread: false};
  await asMeg.patch(`/messages/${moved}`, {stream_id: elsewhere, propagate_mode: 'change_one', ...notices});
  expect(await unreadOf(fixture, otto)).toEqual([moved, kept]);
  expect(await unreadOf(fixture, nina)).toEqual([]);
  expect(await unreadOf(fixture, left)).toEqual([kept]);
  await server.as(left).post('/users/me/subscriptions', {subscriptions: [{name: 'elsewhere'}]});
  expect(await unreadOf(fixture, left)).toEqual([kept]);
});

test('unread: a database from before unread_by_default keeps its unread messages, also those that were deferred', () => {
  const path = join(scratchDirectory(), 'parley.db');
  const older = new DatabaseSync(path);
  for (const sql of [foundation, historicalMessages, messageHtml, 'PRAGMA user_version = 3']) older.exec(sql);
  older.exec(`
    INSERT INTO subscription (user_id, channel_id) VALUES (1, 7), (2, 7), (3, 7);
    INSERT INTO message (sender_id, channel_id, content, sent_at) VALUES (1, 7, 'a', 1), (1, 7, 'b', 1), (1, 7, 'c', 1);
    INSERT INTO user_message VALUES (2, 1, 1), (2, 2, 9), (3, 3, 2);
    INSERT INTO arrival VALUES (3, 7, 1, '[1, 3]');
  `);
  older.close();
  const db = new Database(path);
  const insert = `INSERT INTO message (sender_id, channel_id, content, sent_at, unread_by_default) VALUES (1, 7, 'd', 1, 1)`;
  db.run(insert);
  const unread = [1, 2, 3].map((user) => db.pluck(`SELECT id FROM ${unreadSql} ORDER BY id`, user));
  db.close();
  expect(unread).toEqual([[], [1, 2, 3, 4], [4]]);
});

import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {eventsOf, messagesFixture, sendDirect, sendToChannel} from './messages-fixture.ts';

const refusal = {code: 'BAD_REQUEST'};

test('delete message: the deletion is sent to all readers', async () => {
  const {server, asMeg, asOtto, asNina, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'Hello', '');
  await asOtto.post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
  const modern = await asOtto.listen();
  const old = await asOtto.listen({client_capabilities: {notification_settings_null: false}});
  const ninas = await asNina.listen();
  await asMeg.delete(`/messages/${id}`);
  const location = {
    type: 'delete_message',
    id: expect.any(Number),
    message_type: 'stream',
    stream_id: general,
  };
  expect(await eventsOf(modern, 'delete_message')).toEqual([{...location, message_ids: [id], topic: ''}]);
  expect(await eventsOf(old, 'delete_message')).toEqual([{...location, message_id: id, topic: 'general chat'}]);
  expect(await eventsOf(ninas, 'delete_message')).toEqual([]);
  for (const table of ['user_message', 'reaction', 'message_mention', 'submessage']) {
    expect(server.context.db.value(`SELECT COUNT(*) FROM ${table}`)).toBe(0);
  }
  await asMeg.refused('DELETE', `/messages/${id}`, {}, refusal);
});

test('delete message: the event of a deleted direct message omits the sender', async () => {
  const {asMeg, asOtto, asNina, otto} = await messagesFixture();
  const id = await sendDirect(asMeg, [otto.id]);
  const ottos = await asOtto.listen();
  await asNina.refused('DELETE', `/messages/${id}`, {}, refusal);
  await asMeg.delete(`/messages/${id}`);
  expect(await ottos.events()).toEqual([
    {type: 'delete_message', id: expect.any(Number), message_type: 'private', message_ids: [id]},
  ]);
});

test('delete message: own messages can be deleted within the time limit, others’ only with the permission', async () => {
  const clock = new ManualClock();
  const {server, asMeg, asOtto, general} = await messagesFixture({clock});
  const [first, second, third] = [
    await sendToChannel(asMeg, general),
    await sendToChannel(asMeg, general),
    await sendToChannel(asMeg, general),
  ];
  await asOtto.refused('DELETE', `/messages/${first}`, {}, refusal);
  clock.advance(600_000);
  await asMeg.delete(`/messages/${first}`);
  clock.advance(1000);
  await asMeg.refused('DELETE', `/messages/${second}`, {}, refusal);
  await server.as(server.people.admin()).delete(`/messages/${second}`);
  server.people.setting('message_content_delete_limit_seconds', null);
  await asMeg.delete(`/messages/${third}`);
});

test('delete message: messages of a user’s bot count as the user’s own', async () => {
  const {server, asMeg, asOtto, meg, general} = await messagesFixture();
  const id = await sendToChannel(server.as(server.people.bot('Robbie', meg)), general);
  await asOtto.refused('DELETE', `/messages/${id}`, {}, refusal);
  await asMeg.delete(`/messages/${id}`);
});

test('delete message: both organization and channel can permit deletion', async () => {
  const {server, asMeg, asOtto, meg, otto} = await messagesFixture();
  server.people.setting('can_delete_own_message_group', SystemGroup.administrators);
  const plain = server.people.channel('plain', [meg, otto]);
  const own = server.people.channel('own', [meg, otto], {
    permissions: {can_delete_own_message_group: SystemGroup.members},
  });
  const any = server.people.channel('any', [meg, otto], {
    permissions: {can_delete_any_message_group: SystemGroup.members},
  });
  await asMeg.refused('DELETE', `/messages/${await sendToChannel(asMeg, plain)}`, {}, refusal);
  const mine = await sendToChannel(asMeg, own);
  await asOtto.refused('DELETE', `/messages/${mine}`, {}, refusal);
  await asMeg.delete(`/messages/${mine}`);
  await asOtto.delete(`/messages/${await sendToChannel(asMeg, any)}`);
});

test('delete message: after deleting the first message, the next one becomes the channel’s first', async () => {
  const {asMeg, general} = await messagesFixture();
  const first = await sendToChannel(asMeg, general);
  const second = await sendToChannel(asMeg, general);
  const megs = await asMeg.listen();
  await asMeg.delete(`/messages/${first}`);
  await asMeg.delete(`/messages/${second}`);
  const values = (await eventsOf(megs, 'stream')).map((event) => [event.property, event.value]);
  expect(values).toEqual([
    ['first_message_id', second],
    ['first_message_id', null],
  ]);
});

test('delete message: a user who starred a message without a subscription gets the deletion', async () => {
  const {server, asMeg, asNina, meg, general} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const [first, second] = [await sendToChannel(asMeg, general), await sendToChannel(asMeg, general)];
  await asNina.post('/messages/flags', {messages: [first, second], op: 'add', flag: 'starred'});
  const ninas = await asNina.listen();
  await asMeg.delete(`/messages/${first}`);
  await asMeg.patch(`/messages/${second}`, {stream_id: secret});
  const gone = (await eventsOf(ninas, 'delete_message')).map((event) => event.message_ids);
  expect(gone).toEqual([[first], [second]]);
});

test('delete topic: with protected history, what the administrator received is deleted, in one event and for older clients one by one', async () => {
  const {server, asMeg, meg} = await messagesFixture();
  const admin = server.people.admin();
  const hidden = {invite_only: 1, history_public_to_subscribers: 0};
  const closed = server.people.channel('closed', [meg, admin], hidden);
  const received = [await sendToChannel(asMeg, closed), await sendToChannel(asMeg, closed)];
  await server.as(admin).delete('/users/me/subscriptions', {subscriptions: ['closed']});
  const away = [await sendToChannel(asMeg, closed), await sendToChannel(asMeg, closed)];
  await asMeg.post('/users/me/subscriptions', {subscriptions: [{name: 'closed'}], principals: [admin.id]});
  received.push(await sendToChannel(asMeg, closed));
  const modern = await asMeg.listen({event_types: ['delete_message']});
  const older = await asMeg.listen({
    event_types: ['delete_message'],
    client_capabilities: {notification_settings_null: true},
  });
  await server.as(admin).post(`/streams/${closed}/delete_topic`, {topic_name: 'lunch'});
  expect((await modern.events()).map(({message_ids}) => message_ids)).toEqual([received]);
  expect((await older.events()).map(({message_id}) => message_id)).toEqual(received);
  const {messages} = await asMeg.get('/messages', {message_ids: [...received, ...away]});
  expect(messages.map(({id}: {id: number}) => id)).toEqual(away);
});

test('delete topic: the files of all its messages are no longer linked', async () => {
  const {server, asMeg, general} = await messagesFixture();
  for (const name of ['one.txt', 'two.txt']) {
    const {url} = (await asMeg.upload('/user_uploads', name, Buffer.from(name))).body;
    await sendToChannel(asMeg, general, `[file](${url})`);
  }
  const linkCounts = async () =>
    (await asMeg.get('/attachments')).attachments.map(({message_ids}: {message_ids: number[]}) => message_ids.length);
  expect(await linkCounts()).toEqual([1, 1]);
  await server.as(server.people.admin()).post(`/streams/${general}/delete_topic`, {topic_name: 'lunch'});
  expect(await linkCounts()).toEqual([0, 0]);
});

import {expect, test} from 'vitest';
import {sendMessage} from '#server/actions/messages/send-message.ts';
import {findUser} from '#server/db/users.ts';
import {systemBots} from '#server/organization/bootstrap.ts';
import type {ServerOptions} from '#server/server.ts';
import type {Reply} from '#test/support/api-client.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

async function setup(options: ServerOptions = {}) {
  const clock = new ManualClock();
  const server = await testServer({clock, ...options});
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const channel = server.people.channel('kitchen', [meg, otto]);
  const client = server.as(meg);
  const schedule = async (seconds: number, fields: object = {}) => {
    const {scheduled_message_id: id} = await client.post('/scheduled_messages', {
      type: 'channel',
      to: channel,
      topic: 'lunch',
      content: 'soup',
      scheduled_delivery_timestamp: clock.seconds() + seconds,
      ...fields,
    });
    return id;
  };
  const scheduled = async () => (await client.get('/scheduled_messages')).scheduled_messages;
  return {clock, server, meg, otto, channel, client, schedule, scheduled};
}

function sendDirect(server: TestServer, sender: Person, userIds: number[], content: string): number {
  return server.context.runAction((act) => {
    const user = findUser(act.db, sender.id);
    if (user === undefined) throw new Error('no such person');
    return sendMessage(act, user, {destination: {kind: 'direct', userIds}, content, client: 'test'}).row.id;
  });
}

const types = (events: Reply[]) => events.map(({type, op}) => (op === undefined ? type : `${type} ${op}`));
const justMessages = {
  event_types: ['message', 'scheduled_messages', 'reminders'],
  idle_queue_timeout: 100_000,
};

test('scheduled delivery: a message is sent at its time and removed from the schedule', async () => {
  const {clock, server, meg, otto, channel, client, schedule, scheduled} = await setup();
  const id = await schedule(3600);
  const own = await client.listen(justMessages);
  const theirs = await server.as(otto).listen(justMessages);
  clock.advance(3_599_000);
  expect(await theirs.events()).toEqual([]);
  clock.advance(1000);
  const [event] = await theirs.events();
  expect(event?.message).toMatchObject({
    sender_id: meg.id,
    stream_id: channel,
    subject: 'lunch',
    content: 'soup',
    client: 'website',
    timestamp: clock.seconds(),
  });
  const events = await own.events();
  expect(types(events).toSorted()).toEqual(['message', 'scheduled_messages remove']);
  expect(events.find(({op}) => op === 'remove')?.scheduled_message_id).toBe(id);
  expect(await scheduled()).toEqual([]);
});

test('scheduled delivery: read_by_sender at scheduling decides whether the message arrives read', async () => {
  const {clock, client, schedule} = await setup();
  await schedule(60, {read_by_sender: true, content: 'read'});
  await schedule(61, {read_by_sender: false, content: 'unread'});
  const own = await client.listen({event_types: ['message']});
  clock.advance(61_000);
  const [read, unread] = await own.events();
  expect(read?.flags).toContain('read');
  expect(unread?.flags).not.toContain('read');
});

test('scheduled delivery: messages are delivered in order of their times, not of creation', async () => {
  const {clock, server, otto, schedule} = await setup();
  await schedule(300, {content: 'third'});
  await schedule(100, {content: 'first'});
  await schedule(200, {content: 'second', type: 'direct', to: [otto.id]});
  const theirs = await server.as(otto).listen({event_types: ['message']});
  clock.advance(300_000);
  expect((await theirs.events()).map(({message}) => message.content)).toEqual(['first', 'second', 'third']);
});

test('scheduled delivery: an edit moves the delivery and a deletion prevents it', async () => {
  const {clock, server, otto, client, schedule} = await setup();
  const moved = await schedule(100, {content: 'moved'});
  const deleted = await schedule(150, {content: 'deleted'});
  const theirs = await server.as(otto).listen({event_types: ['message']});
  await client.patch(`/scheduled_messages/${moved}`, {scheduled_delivery_timestamp: clock.seconds() + 50});
  await client.delete(`/scheduled_messages/${deleted}`);
  clock.advance(50_000);
  expect(await theirs.events()).toMatchObject([{message: {content: 'moved'}}]);
  clock.advance(200_000);
  expect(await theirs.events()).toEqual([]);
});

test('scheduled delivery: messages that became due while the server was down are delivered at its start', async () => {
  const clock = new ManualClock();
  const server = await testServer({
    clock,
    prepare({db}) {
      const user = (name: string) =>
        db.insert(
          `INSERT INTO user (delivery_email, email_key, full_name, name_key, joined_at) VALUES (?1, ?1, ?1, ?1, 1)`,
          name,
        );
      const [from, to] = [user('from@example.com'), user('to@example.com')];
      db.run(
        `INSERT INTO scheduled_message (user_id, type, recipients, content, deliver_at) VALUES (?, 'private', ?, 'late', 1)`,
        from,
        JSON.stringify([to]),
      );
    },
  });
  const sent = () => server.context.db.pluck('SELECT content FROM message');
  clock.advance(0);
  expect(sent()).toEqual(['late']);
});

test('scheduled delivery: a message that cannot be sent is marked failed and its author gets the reason', async () => {
  const {clock, server, meg, otto, channel, client, schedule, scheduled} = await setup();
  const id = await schedule(60);
  await schedule(61, {type: 'direct', to: [otto.id], content: 'still sent'});
  server.context.db.run('UPDATE channel SET is_archived = 1 WHERE id = ?', channel);
  const own = await client.listen(justMessages);
  const theirs = await server.as(otto).listen(justMessages);
  clock.advance(61_000);
  const events = await own.events();
  expect(events.find(({op}) => op === 'update')).toMatchObject({
    type: 'scheduled_messages',
    scheduled_message: {scheduled_message_id: id, failed: true},
  });
  const notice = events.find(({message}) => message?.sender_id !== meg.id && message !== undefined);
  expect(notice?.message.sender_full_name).toBe(systemBots.notification.fullName);
  expect(notice?.message.content).toContain("Not authorized to send to channel 'kitchen'");
  expect(await scheduled()).toMatchObject([{scheduled_message_id: id, failed: true}]);
  expect(await theirs.events()).toMatchObject([{message: {content: 'still sent'}}]);
});

test('scheduled delivery: a failed message is tried again after it gets a new time', async () => {
  const {clock, server, otto, channel, client, schedule, scheduled} = await setup();
  const id = await schedule(60);
  server.context.db.run('UPDATE channel SET is_archived = 1 WHERE id = ?', channel);
  clock.advance(60_000);
  server.context.db.run('UPDATE channel SET is_archived = 0 WHERE id = ?', channel);
  const path = `/scheduled_messages/${id}`;
  await client.refused('PATCH', path, {content: 'x'}, {code: 'BAD_REQUEST'});
  await client.patch(path, {scheduled_delivery_timestamp: clock.seconds() + 10});
  expect(await scheduled()).toMatchObject([{failed: false}]);
  const theirs = await server.as(otto).listen({event_types: ['message']});
  clock.advance(10_000);
  expect(await theirs.events()).toMatchObject([{message: {content: 'soup'}}]);
});

test('scheduled delivery: a delivery that throws does not stop later ones', async () => {
  const logged: string[] = [];
  const {clock, server, otto, schedule} = await setup({log: (line) => logged.push(line)});
  const id = await schedule(10);
  await schedule(20, {content: 'after'});
  server.context.db.run(`UPDATE scheduled_message SET recipients = 'not json' WHERE id = ?`, id);
  const theirs = await server.as(otto).listen({event_types: ['message']});
  clock.advance(20_000);
  expect(await theirs.events()).toMatchObject([{message: {content: 'after'}}]);
  expect(logged).not.toEqual([]);
});

test('scheduled delivery: a deactivated author’s message is not sent and they get no notice', async () => {
  const {clock, server, meg, schedule} = await setup();
  await schedule(10);
  server.context.db.run('UPDATE user SET is_active = 0 WHERE id = ?', meg.id);
  clock.advance(10_000);
  expect(server.context.db.value('SELECT COUNT(*) FROM message')).toBe(0);
  expect(server.context.db.value('SELECT failed FROM scheduled_message')).toBe(1);
});

test('scheduled delivery: many due messages are all delivered', async () => {
  const {clock, server, meg} = await setup();
  server.context.runAction(({db}) => {
    const sql = `INSERT INTO scheduled_message (user_id, type, recipients, content, deliver_at) VALUES (?, 'private', ?, 'x', 1)`;
    for (let i = 0; i < 120; i++) db.run(sql, meg.id, JSON.stringify([meg.id]));
  });
  server.context.scheduledDelivery.reschedule();
  clock.advance(0);
  expect(server.context.db.value('SELECT COUNT(*) FROM scheduled_message')).toBe(0);
});

test('scheduled delivery: no message is delivered after the server closed', async () => {
  const {clock, server, schedule} = await setup();
  await schedule(10);
  server.context.scheduledDelivery.stop();
  server.context.scheduledDelivery.reschedule();
  clock.advance(10_000);
  expect(server.context.db.value('SELECT COUNT(*) FROM message')).toBe(0);
});

test('scheduled delivery: a reminder is sent by the notification bot with note, link and quote', async () => {
  const {clock, server, meg, otto, client} = await setup();
  const target = sendDirect(server, otto, [meg.id], 'look at ```this```');
  const {reminder_id: id} = await client.post('/reminders', {
    message_id: target,
    scheduled_delivery_timestamp: clock.seconds() + 60,
    note: 'before lunch',
  });
  const own = await client.listen(justMessages);
  const theirs = await server.as(otto).listen(justMessages);
  clock.advance(60_000);
  const events = await own.events();
  expect(types(events).toSorted()).toEqual(['message', 'reminders remove']);
  expect(events.find(({op}) => op === 'remove')?.reminder_id).toBe(id);
  const {message, flags} = events.find(({type}) => type === 'message') ?? {};
  expect(message.sender_full_name).toBe(systemBots.notification.fullName);
  expect(flags).not.toContain('read');
  expect(message.content).toContain('Note:\n > before lunch\n\n');
  expect(message.content).toContain(`/near/${target})`);
  expect(message.content).toContain('````quote\nlook at ```this```\n````');
  expect(await theirs.events()).toEqual([]);
  expect((await client.get('/reminders')).reminders).toEqual([]);
});

test('scheduled delivery: a reminder does not name a sender whom a limited guest may not see', async () => {
  const {clock, server} = await setup();
  const [owner, guest, hidden] = [server.people.owner(), server.people.guest(), server.people.member('Hal Hidden')];
  const [members] = server.context.db.pluck(`SELECT id FROM user_group WHERE name = 'role:members'`);
  await server.as(owner).patch('/realm', {can_access_all_users_group: {new: members}});
  const to = server.people.channel('open', [guest]);
  const {id} = await server.as(hidden).post('/messages', {type: 'stream', to, topic: 't', content: 'soup'});
  const own = await server.as(guest).listen({event_types: ['reminders', 'message']});
  await server.as(guest).post('/reminders', {message_id: id, scheduled_delivery_timestamp: clock.seconds() + 10});
  const listed = (await server.as(guest).get('/reminders')).reminders;
  clock.advance(10_000);
  const text = JSON.stringify([listed, await own.events()]);
  expect(text).toContain('Unknown user [said]');
  expect(text).toContain('soup');
  expect(text).not.toContain('Hal');
});

test('scheduled delivery: a reminder quotes the current text, and nothing of an unreadable message', async () => {
  const {clock, server, meg, otto, client} = await setup();
  const remind = (id: number, seconds: number) =>
    client.post('/reminders', {message_id: id, scheduled_delivery_timestamp: clock.seconds() + seconds});
  const [edited, deleted] = [sendDirect(server, otto, [meg.id], 'first'), sendDirect(server, otto, [meg.id], 'secret')];
  await remind(edited, 10);
  await remind(deleted, 20);
  server.context.db.run(`UPDATE message SET content = 'second' WHERE id = ?`, edited);
  server.context.db.run('DELETE FROM message WHERE id = ?', deleted);
  const own = await client.listen({event_types: ['message']});
  clock.advance(20_000);
  const [first, second] = (await own.events()).map(({message}) => message.content);
  expect(first).toContain('quote\nsecond\n');
  expect(second).toContain('no longer available');
  expect(second).not.toContain('secret');
});

import {expect, test} from 'vitest';
import {sendMessage} from '#server/actions/messages/send-message.ts';
import {findUser} from '#server/db/users.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

async function setup() {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const messageId = server.context.runAction((act) => {
    const sender = findUser(act.db, otto.id);
    if (sender === undefined) throw new Error('no such person');
    const destination = {kind: 'direct', userIds: [meg.id]} as const;
    return sendMessage(act, sender, {destination, content: 'soup', client: 'test'}).row.id;
  });
  const soon = clock.seconds() + 3600;
  const reminder = {message_id: messageId, scheduled_delivery_timestamp: soon};
  return {clock, server, meg, otto, client: server.as(meg), messageId, soon, reminder};
}

const bad = {code: 'BAD_REQUEST'};
const missing = {code: 'BAD_REQUEST', status: 404};

test('reminders: reminders are listed by delivery time', async () => {
  const {client, meg, messageId, soon, reminder} = await setup();
  const later = await client.post('/reminders', {...reminder, scheduled_delivery_timestamp: soon + 1});
  const first = await client.post('/reminders', {...reminder, note: 'before lunch'});
  const common = {
    type: 'private',
    to: [meg.id],
    rendered_content: expect.any(String),
    failed: false,
    reminder_target_message_id: messageId,
  };
  const expected = [
    {
      ...common,
      reminder_id: first.reminder_id,
      content: expect.stringMatching(
        /^You requested a reminder for the following direct message\. Note:\n > before lunch\n.*soup/s,
      ),
      scheduled_delivery_timestamp: soon,
    },
    {
      ...common,
      reminder_id: later.reminder_id,
      content: expect.stringContaining('soup'),
      scheduled_delivery_timestamp: soon + 1,
    },
  ];
  expect((await client.get('/reminders')).reminders).toEqual(expected);
  const state = await client.post('/register', {fetch_event_types: ['reminders', 'scheduled_messages']});
  expect(state.reminders).toEqual(expected);
  expect(state.scheduled_messages).toEqual([]);
});

test('reminders: the text says who sent what to whom, without the text of a poll or a to-do list', async () => {
  const {client, server, meg, otto, soon} = await setup();
  const una = server.people.member('Una Other');
  const channel = server.people.channel('team', [meg, otto]);
  const [me, other, third] = [meg, otto, una].map(({fullName, id}) => `@_**${fullName}|${id}**`);
  const toChannel = {type: 'channel', to: channel, topic: 'tea'};
  const rows: [message: object, text: RegExp][] = [
    [{type: 'direct', to: [otto.id], content: 'x'}, /^\S+ \S+ \[said\]\(\S+\) to OTHER:\n```quote\nx\n```$/],
    [{type: 'direct', to: [otto.id, una.id], content: 'x'}, /to OTHER and THIRD:\n/],
    [{type: 'direct', to: [otto.id], content: '```\nx\n```'}, /:\n````quote\n```\nx\n```\n````$/],
    [{type: 'direct', to: [otto.id], content: '/poll q'}, /^\S+ \S+ \[sent\]\(\S+\) a poll to OTHER\.$/],
    [{type: 'direct', to: [meg.id], content: 'x'}, /^You \[sent\]\(\S+\) a note to yourself:\n```quote\nx\n```$/],
    [{type: 'direct', to: [meg.id], content: '/todo t'}, /^You \[sent\]\(\S+\) yourself a todo list\.$/],
    [{...toChannel, content: '/todo t'}, /^\S+ \S+ \[sent\]\(\S+\) a todo list in \[#team > tea\]\(\S+\)\.$/],
  ];
  for (const [message, pattern] of rows) {
    const {id} = await client.post('/messages', {...message});
    await client.post('/reminders', {message_id: id, scheduled_delivery_timestamp: soon});
    const {reminders} = await client.get('/reminders');
    const reminder = reminders.find(
      (one: {reminder_target_message_id: number}) => one.reminder_target_message_id === id,
    );
    const [opening, ...rest] = reminder.content.split('\n\n');
    expect(opening).toMatch(/^You requested a reminder for the following (?:direct )?message\.$/);
    const text = rest
      .join('\n\n')
      .replace(`${other}`, 'OTHER')
      .replace(`${third}`, 'THIRD')
      .replace(`${me}`, 'MEG MEMBER');
    expect(text).toMatch(pattern);
  }
});

test('reminders: events go only to the owner’s sessions', async () => {
  const {client, server, otto, reminder} = await setup();
  const own = await client.listen();
  const theirs = await server.as(otto).listen();
  const {reminder_id: id} = await client.post('/reminders', reminder);
  const [listed] = (await client.get('/reminders')).reminders;
  await client.delete(`/reminders/${id}`);
  expect(await own.events()).toEqual([
    {id: 0, type: 'reminders', op: 'add', reminders: [listed]},
    {id: 1, type: 'reminders', op: 'remove', reminder_id: id},
  ]);
  expect(await theirs.events()).toEqual([]);
});

test.each([
  ['a time that has passed', {scheduled_delivery_timestamp: 1}],
  ['an unknown message', {message_id: 999}],
  ['a note of 1001 characters', {note: 'x'.repeat(1001)}],
  ['a null byte in the note', {note: 'a\0b'}],
])('reminders: %s is refused', async (_what, fields) => {
  const {client, reminder} = await setup();
  await client.refused('POST', '/reminders', {...reminder, ...fields}, bad);
  expect((await client.get('/reminders')).reminders).toEqual([]);
});

test('reminders: the longest note and the longest message fit into one reminder', async () => {
  const {client, server, messageId, reminder} = await setup();
  server.context.db.run('UPDATE message SET content = ? WHERE id = ?', 'y'.repeat(10_000), messageId);
  await client.post('/reminders', {...reminder, note: '🙂'.repeat(1000)});
  const [{content}] = (await client.get('/reminders')).reminders;
  expect(Array.from(content).length).toBeLessThanOrEqual(10_000);
  expect(content).toMatch(/\[message truncated\]\n```$/);
});

test('reminders: a reminder of an unreadable message is refused', async () => {
  const {server, reminder} = await setup();
  const stranger = server.as(server.people.admin());
  const hidden = await stranger.refused('POST', '/reminders', reminder, bad);
  const unknown = await stranger.refused('POST', '/reminders', {...reminder, message_id: 999}, bad);
  expect(hidden.msg).toBe(unknown.msg);
});

test('reminders: an unknown reminder or another user’s is not found', async () => {
  const {client, server, otto, reminder} = await setup();
  const {reminder_id: id} = await server.as(otto).post('/reminders', reminder);
  await client.refused('DELETE', `/reminders/${id}`, {}, missing);
  await client.refused('DELETE', '/reminders/999', {}, missing);
});

test('reminders: a list shows the message as its owner may read it now, and the text is not stored', async () => {
  const {client, server, otto, messageId, reminder} = await setup();
  const to = server.people.channel('secret', [otto], {invite_only: 1});
  await client.post('/reminders', reminder);
  const shown = async () => {
    const {reminders} = await client.post('/register', {fetch_event_types: ['reminders']});
    expect((await client.get('/reminders')).reminders).toEqual(reminders);
    return JSON.stringify(reminders);
  };
  await server.as(otto).patch(`/messages/${messageId}`, {content: 'salad'});
  expect(await shown()).toContain('salad');
  expect(await shown()).not.toContain('soup');
  server.context.db.run('UPDATE message SET channel_id = ?, dm_id = NULL, topic = ? WHERE id = ?', to, 't', messageId);
  server.context.derivedFacts.invalidateAll();
  expect(await shown()).toContain('no longer available');
  expect(await shown()).not.toContain('salad');
  server.context.db.run('DELETE FROM message WHERE id = ?', messageId);
  expect(await shown()).toContain('no longer available');
  expect(server.context.db.pluck('SELECT content FROM scheduled_message')).toEqual(['']);
});

import {expect, test} from 'vitest';
import {MessageFixtureWriter} from '#test/server/fetch-messages/message-fixtures.ts';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';

/** A server whose long requests pause whenever they can; in the pause `during` something happens once. */
async function startFixture() {
  let pauseCount = 0;
  const tasks = new Map<number, () => Promise<unknown> | unknown>();
  const server = await testServer({
    log: () => {},
    duringPause: async () => {
      pauseCount++;
      await tasks.get(pauseCount)?.();
    },
  });
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const general = server.people.channel('general', [meg, otto]);
  new MessageFixtureWriter(server.context).flood(otto, general, 4500, 'tide');
  const ids = server.context.db.pluck('SELECT id FROM message ORDER BY id');
  return {
    server,
    meg: server.as(meg),
    otto: server.as(otto),
    people: {meg, otto},
    general,
    ids,
    /** Runs a task in the pause with this number, counted from now. */
    inPause: (number: number, task: () => Promise<unknown> | unknown) => void tasks.set(pauseCount + number, task),
    send: (content: string) => server.as(otto).post('/messages', {type: 'stream', to: general, topic: 'news', content}),
  };
}

test('long requests: others are served in between, and events keep the order of the changes', async () => {
  const {meg, ids, inPause, send} = await startFixture();
  const queue = await meg.listen({event_types: ['message', 'update_message_flags']});
  inPause(1, () => send('high water'));
  await meg.post('/messages/flags', {messages: ids.toReversed(), op: 'add', flag: 'starred'});
  const events = await queue.events();
  expect(events.map(({id, type}) => [id, type])).toEqual([
    [0, 'message'],
    [1, 'update_message_flags'],
    [2, 'update_message_flags'],
    [3, 'update_message_flags'],
  ]);
  expect(events.flatMap(({messages}) => messages ?? [])).toEqual(ids);
  inPause(1, () => send('low water'));
  await meg.post('/messages/flags', {messages: ids, op: 'remove', flag: 'starred'});
  expect((await queue.events()).map(({type, op}) => op ?? type)).toEqual(['remove', 'message', 'remove', 'remove']);
});

test('long requests: a message that cannot be changed refuses the whole request', async () => {
  const {meg, ids} = await startFixture();
  const queue = await meg.listen();
  for (const unknown of [0, ids.length + 1]) {
    const params = {messages: [...ids, unknown], op: 'add', flag: 'starred'};
    await meg.refused('POST', '/messages/flags', params, {code: 'BAD_REQUEST', status: 400});
  }
  expect(await queue.events()).toEqual([]);
});

test('long requests: an error after a pause is reported, and the request can be repeated', async () => {
  const {server, meg, ids, inPause} = await startFixture();
  await meg.post('/messages/flags', {messages: ids, op: 'remove', flag: 'read'});
  const unreadCount = () => server.context.db.value('SELECT COUNT(*) FROM user_message WHERE flags & 1');
  expect(unreadCount()).toBe(ids.length);
  inPause(2, () => {
    throw new Error('disk failure');
  });
  const reply = await meg.raw('POST', '/mark_stream_as_read', {stream_id: 1});
  expect([reply.status, reply.body.result]).toEqual([500, 'error']);
  expect(unreadCount()).toBe(500);
  await meg.post('/mark_all_as_read');
  expect(unreadCount()).toBe(0);
});

test('mark_all_as_read: a message that is sent in a pause stays unread, and its event follows the one about all', async () => {
  const {server, meg, inPause, send, people} = await startFixture();
  const queue = await meg.listen({event_types: ['message', 'update_message_flags']});
  inPause(1, () => send(`@**${people.meg.fullName}** high water`));
  await meg.post('/mark_all_as_read');
  const events = await queue.events();
  expect(events.map(({type, all}) => all ?? type)).toEqual([true, 'message']);
  const {unread_msgs} = await meg.post('/register', {fetch_event_types: ['message', 'update_message_flags']});
  expect(unread_msgs.count).toBe(1);
  expect(server.context.db.value('SELECT COUNT(*) FROM user_message WHERE flags & 1')).toBe(1);
});

test('long requests: a page shows the messages as they were when it was requested', async () => {
  const {server, meg, otto, ids, inPause, send} = await startFixture();
  const [edited, deleted] = [(await send('tide')).id, (await send('tide')).id];
  inPause(1, () => otto.patch(`/messages/${edited}`, {content: 'secret'}));
  inPause(2, () => server.as(server.people.owner()).delete(`/messages/${deleted}`));
  const page = {anchor: 'newest', num_before: 600, num_after: 0, apply_markdown: false};
  const {messages} = await meg.get('/messages', page);
  expect(messages.map(({id, content}: Reply) => [id, content])).toEqual(
    [...ids.slice(-598), edited, deleted].map((id) => [id, 'tide']),
  );
  const after = await meg.get('/messages', page);
  expect(after.messages.at(-1)).toMatchObject({id: edited, content: 'secret'});
});

import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter} from './message-fixtures.ts';

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

test('long requests: the channels of all parts whose messages cannot be marked unread are named', async () => {
  const {server, meg, people, general, ids} = await startFixture();
  await meg.delete('/users/me/subscriptions', {subscriptions: ['general']});
  const other = server.people.channel('other', [people.otto]);
  const last = new MessageFixtureWriter(server.context).toChannel(people.otto, other, 'tides');
  const messages = [...ids.slice(0, 2000), last];
  const reply = await meg.post('/messages/flags', {messages, op: 'remove', flag: 'read'});
  expect(reply.ignored_because_not_subscribed_channels).toEqual([general, other]);
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
  // A mention has a row, so that a second slice follows.
  await send(`@**${people.meg.fullName}** low water`);
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

test('long requests: subscribing that failed after a pause can be repeated, without those who were deactivated', async () => {
  const {server, meg, people, inPause} = await startFixture();
  const nina = server.people.member('Nina');
  const owner = server.as(server.people.owner());
  const queue = await meg.listen({event_types: ['message', 'subscription']});
  inPause(1, () => {
    throw new Error('disk failure');
  });
  const names = Array.from({length: 101}, (_, index) => `channel ${index}`);
  const params = {
    subscriptions: names.map((name) => ({name})),
    principals: [people.meg.id, people.otto.id, nina.id],
  };
  const reply = await owner.raw('POST', '/users/me/subscriptions', params);
  expect([reply.status, reply.body.result]).toEqual([500, 'error']);
  const [added, ...others] = await queue.events();
  expect(added?.subscriptions.map(({name}: Reply) => name)).toEqual(names.slice(0, 100));
  expect(others).toEqual([]);
  inPause(1, () => owner.delete(`/users/${nina.id}`));
  const {subscribed, already_subscribed: already} = await owner.post('/users/me/subscriptions', params);
  expect(subscribed).toEqual({[people.meg.id]: ['channel 100'], [people.otto.id]: ['channel 100']});
  expect(already).toMatchObject({[people.meg.id]: names.slice(0, 100), [nina.id]: names.slice(0, 100)});
  const active = 'SELECT COUNT(*) FROM subscription WHERE user_id = ? AND active = 1';
  expect(server.context.db.value(active, nina.id)).toBe(0);
  expect(new Set((await queue.events()).map(({op, type}) => op ?? type))).toEqual(
    new Set(['peer_remove', 'add', 'message']),
  );
});

test('long requests: a long topic moves in parts, with what is sent meanwhile, and can be moved again after an error', async () => {
  const {server, meg, ids, inPause, general} = await startFixture();
  const [message = 0, deleted = 0] = [ids[1000], ids[4400]];
  const owner = server.as(server.people.owner());
  const queue = await meg.listen({event_types: ['update_message']});
  const rename = {topic: 'tides', propagate_mode: 'change_all', send_notification_to_new_thread: false};
  inPause(2, () => {
    throw new Error('disk failure');
  });
  expect((await owner.raw('PATCH', `/messages/${message}`, rename)).status).toBe(500);
  const first = ids.slice(0, 2000).filter((id) => id !== message);
  expect(await queue.events()).toMatchObject([{message_ids: first, subject: 'tides'}]);
  let sent = 0;
  inPause(2, async () => {
    sent = (await meg.post('/messages', {type: 'stream', to: general, topic: 'flood', content: 'late'})).id;
    await owner.delete(`/messages/${deleted}`);
  });
  await owner.patch(`/messages/${message}`, rename);
  const moves = (await queue.events()).map(({message_ids}) => message_ids);
  const rest = ids.filter((id) => !first.includes(id) && id !== message);
  const last = [message, ...rest.slice(1999), sent].filter((id) => id !== deleted);
  expect(moves).toEqual([rest.slice(0, 1999), last]);
  const {db} = server.context;
  const left = "SELECT COUNT(*) FROM message WHERE topic = 'flood' OR json_array_length(edit_history) <> 1";
  expect(db.value(left)).toBe(0);
});

test('long requests: a registration has what happened while it was made, and its queue continues after that', async () => {
  const {meg, inPause, send} = await startFixture();
  const sent: number[] = [];
  for (const pause of [1, 5, 20]) inPause(pause, async () => sent.push((await send('news')).id));
  const {queue_id, last_event_id, max_message_id, unread_msgs} = await meg.post('/register');
  expect([last_event_id, max_message_id, sent.length]).toEqual([2, sent.at(-1), 3]);
  expect(unread_msgs).toMatchObject({count: 3, streams: [{topic: 'news', unread_message_ids: sent}]});
  const later = (await send('more')).id;
  const {events} = await meg.get('/events', {queue_id, last_event_id});
  expect(events).toMatchObject([{id: 3, message: {id: later}}]);
});

test('long requests: a registration pauses while it reads unread messages, and lists them as they are after that', async () => {
  const {server, meg, ids, inPause, send, general} = await startFixture();
  await meg.post('/messages/flags', {messages: ids, op: 'remove', flag: 'read'});
  const owner = server.as(server.people.owner());
  const [moved = 0, deleted = 0, read = 0, ...others] = ids;
  let sent = 0;
  inPause(3, async () => {
    sent = (await send('news')).id;
    await owner.patch(`/messages/${moved}`, {
      topic: 'moved',
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    });
    await owner.delete(`/messages/${deleted}`);
    await meg.post('/messages/flags', {messages: [read], op: 'add', flag: 'read'});
  });
  const fetch_event_types = ['message', 'update_message', 'delete_message', 'update_message_flags'];
  const {queue_id, last_event_id, unread_msgs} = await meg.post('/register', {fetch_event_types});
  const topic = (name: string) =>
    unread_msgs.streams.find((item: Reply) => item.stream_id === general && item.topic === name)?.unread_message_ids;
  expect([topic('flood'), topic('moved'), topic('news')]).toEqual([others, [moved], [sent]]);
  const {events} = await meg.get('/events', {queue_id, last_event_id, dont_block: true});
  expect(events).toEqual([]);
});

test('long requests: one that is not done when the server stops is no failure', async () => {
  const problems: string[] = [];
  const server = await testServer({
    log: (line) => void problems.push(line),
    duringPause: () => server.close(),
  });
  const meg = server.people.member();
  const general = server.people.channel('general', [meg]);
  new MessageFixtureWriter(server.context).flood(meg, general, 4500, 'tide');
  const ids = server.context.db.pluck('SELECT id FROM message ORDER BY id');
  const stars = server.as(meg).raw('POST', '/messages/flags', {messages: ids, op: 'add', flag: 'starred'});
  await expect(stars).rejects.toThrow();
  expect(problems).toEqual([]);
});

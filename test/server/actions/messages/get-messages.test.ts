import {expect, test} from 'vitest';
import {MessageFixtureWriter, newest, term} from '#test/server/message-fixtures.ts';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';

const noAnchor = 10_000_000_000_000_000;

async function tenMessages() {
  const server = await testServer();
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const channelId = server.people.channel('general', [meg, otto]);
  const writer = new MessageFixtureWriter(server.context);
  const start = 1_700_000_000;
  const ids = Array.from({length: 10}, (_, index) =>
    writer.toChannel(otto, channelId, 'lunch', {content: `number ${index}`, sentAt: start + index * 60}),
  );
  const idAt = (index: number): number => ids.at(index) ?? -1;
  const list = async (params: object): Promise<Reply> => {
    const reply = await server.as(meg).get('/messages', {...params});
    return {...reply, ids: reply.messages.map((message: {id: number}) => message.id)};
  };
  return {server, meg, otto, channelId, writer, ids, idAt, list};
}

test('anchor newest: returns the last messages, oldest first, with every field', async () => {
  const {list, ids, otto, channelId} = await tenMessages();
  const page = await list({anchor: 'newest', num_before: 3, num_after: 0});
  expect(page.ids).toEqual(ids.slice(-3));
  expect(page).toMatchObject({
    anchor: noAnchor,
    found_anchor: false,
    found_oldest: false,
    found_newest: true,
    history_limited: false,
  });
  expect(page.messages[2]).toEqual({
    id: ids[9],
    type: 'stream',
    sender_id: otto.id,
    sender_email: otto.email,
    sender_full_name: 'Otto Other',
    sender_realm_str: '',
    avatar_url: null,
    client: 'ParleyTest',
    content: '<p>number 9</p>',
    content_type: 'text/html',
    timestamp: 1_700_000_540,
    subject: 'lunch',
    topic_links: [],
    stream_id: channelId,
    display_recipient: 'general',
    recipient_id: expect.any(Number),
    is_me_message: false,
    reactions: [],
    submessages: [],
    flags: [],
  });
});

test('anchor oldest: returns the first messages', async () => {
  const {list, ids} = await tenMessages();
  const page = await list({anchor: 'oldest', num_before: 0, num_after: 3});
  expect(page.ids).toEqual(ids.slice(0, 3));
  expect(page).toMatchObject({anchor: 0, found_oldest: true, found_newest: false, found_anchor: false});
});

test('anchor id: returns the message and those around it', async () => {
  const {list, ids, idAt} = await tenMessages();
  const page = await list({anchor: idAt(4), num_before: 2, num_after: 2});
  expect(page.ids).toEqual(ids.slice(2, 7));
  expect(page).toMatchObject({
    anchor: idAt(4),
    found_anchor: true,
    found_oldest: false,
    found_newest: false,
  });
});

test('found_oldest and found_newest are true when there are fewer messages than requested', async () => {
  const {list, idAt} = await tenMessages();
  expect(await list({anchor: idAt(3), num_before: 4, num_after: 7})).toMatchObject({
    found_oldest: true,
    found_newest: true,
  });
  expect(await list({anchor: idAt(3), num_before: 3, num_after: 6})).toMatchObject({
    found_oldest: false,
    found_newest: false,
  });
});

test('found_anchor and include_anchor: the anchor is found, excluded, or missing', async () => {
  const {list, idAt} = await tenMessages();
  expect(await list({anchor: idAt(4), num_before: 0, num_after: 0})).toMatchObject({
    ids: [idAt(4)],
    found_anchor: true,
    found_oldest: false,
    found_newest: false,
  });
  expect((await list({anchor: idAt(4), num_before: 0, num_after: 2, include_anchor: false})).ids).toEqual([
    idAt(5),
    idAt(6),
  ]);
  expect((await list({anchor: idAt(4), num_before: 2, num_after: 0, include_anchor: false})).ids).toEqual([
    idAt(2),
    idAt(3),
  ]);
  expect((await list({anchor: idAt(4), num_before: 2, num_after: 0})).ids).toEqual([idAt(2), idAt(3), idAt(4)]);
  expect(await list({anchor: idAt(9) + 50, num_before: 1, num_after: 1})).toMatchObject({
    ids: [idAt(9)],
    found_anchor: false,
    found_newest: true,
  });
});

test('include_anchor=false without messages on either side returns the anchor', async () => {
  const {list, idAt} = await tenMessages();
  const page = await list({anchor: idAt(4), num_before: 0, num_after: 0, include_anchor: false});
  expect(page).toMatchObject({ids: [idAt(4)], found_anchor: true, found_oldest: false, found_newest: false});
});

test('include_anchor=false is refused when the page has messages on both sides', async () => {
  const {server, meg, idAt} = await tenMessages();
  const params = {anchor: idAt(4), num_before: 1, num_after: 1, include_anchor: false};
  await server.as(meg).refused('GET', '/messages', params, {code: 'BAD_REQUEST'});
});

test('anchor first_unread: is the oldest unread message of the narrow that is not muted, else the newest', async () => {
  const {server, list, idAt, meg, otto, channelId, writer} = await tenMessages();
  await server.as(meg).post('/messages/flags', {messages: [idAt(0), idAt(1)], op: 'add', flag: 'read'});
  expect(await list({anchor: 'first_unread', num_before: 1, num_after: 1})).toMatchObject({
    anchor: idAt(2),
    found_anchor: true,
    ids: [idAt(1), idAt(2), idAt(3)],
  });
  expect((await list({use_first_unread_anchor: true, num_before: 0, num_after: 0})).anchor).toBe(idAt(2));
  writer.topicPolicy(meg, channelId, 'lunch', 1);
  const dinner = writer.toChannel(otto, channelId, 'dinner');
  for (const narrow of [[], [term('channel', channelId)]]) {
    expect((await list({anchor: 'first_unread', narrow})).anchor).toBe(dinner);
  }
  // In a muted channel, what is unread is found where the narrow names the channel.
  writer.muteChannel(meg, channelId);
  expect((await list({anchor: 'first_unread', narrow: [term('channel', channelId)]})).anchor).toBe(dinner);
  expect((await list({anchor: 'first_unread', narrow: []})).anchor).not.toBe(dinner);
  await server.as(meg).post('/mark_all_as_read');
  expect(await list({anchor: 'first_unread', num_before: 1, num_after: 1})).toMatchObject({
    anchor: noAnchor,
    ids: [dinner],
    found_newest: true,
  });
});

test('anchor date: is the first message at or after that time', async () => {
  const {server, meg, list, idAt} = await tenMessages();
  const from = async (anchor_date: string) =>
    (await list({anchor: 'date', anchor_date, num_before: 0, num_after: 0})).anchor;
  // The first message was sent at 22:13:20 UTC.
  expect(await from('2023-11-14T22:15:20Z')).toBe(idAt(2));
  expect(await from('2023-11-14 22:15:21')).toBe(idAt(3));
  expect(await from('2023-11-14T23:15:20+01:00')).toBe(idAt(2));
  expect(await from('2023-11-15T03:45:20+0530')).toBe(idAt(2));
  expect(await from('2023-11-14')).toBe(idAt(0));
  expect(await from('2023-11-15')).toBe(idAt(9));
  const range = {anchor: 'date', num_before: 1, num_after: 1};
  const client = server.as(meg);
  await client.refused('GET', '/messages', range, {code: 'BAD_REQUEST'});
  await client.refused('GET', '/messages', {...range, anchor_date: 'soon'}, {code: 'BAD_REQUEST'});
});

test('an empty narrow returns no messages and sets found_oldest and found_newest', async () => {
  const {list} = await tenMessages();
  expect(await list({...newest, narrow: [term('topic', 'nothing')]})).toMatchObject({
    ids: [],
    anchor: noAnchor,
    found_anchor: false,
    found_oldest: true,
    found_newest: true,
  });
});

test('the number that stands for the newest anchor is accepted as an anchor', async () => {
  const {list, ids} = await tenMessages();
  expect((await list({anchor: noAnchor, num_before: 2, num_after: 2})).ids).toEqual(ids.slice(-2));
});

test('a request without an anchor, with a bad one, or for too many messages is refused', async () => {
  const {server, meg} = await tenMessages();
  const client = server.as(meg);
  const missing = await client.refused('GET', '/messages', {num_before: 1}, {code: 'BAD_REQUEST'});
  expect(missing.msg).toContain('anchor');
  for (const anchor of ['somewhere', '1e2', '1.0', '"newest"', 'null']) {
    await client.refused('GET', '/messages', {anchor}, {code: 'BAD_REQUEST'});
  }
  await client.refused('GET', '/messages', {message_ids: [-1]}, {code: 'BAD_REQUEST'});
  await client.refused('GET', '/messages', {anchor: 'newest', num_before: -1}, {code: 'BAD_REQUEST'});
  const huge = {anchor: 'newest', num_before: 3000, num_after: 2001};
  await client.refused('GET', '/messages', huge, {code: 'BAD_REQUEST'});
  await client.get('/messages', {...huge, num_after: 2000});
  const named = (count: number) => ({message_ids: Array.from({length: count}, () => 1)});
  await client.refused('GET', '/messages', named(5001), {code: 'BAD_REQUEST'});
  await client.get('/messages', named(5000));
});

test('message_ids: returns those messages except unreadable ones and ones outside the narrow', async () => {
  const {server, list, idAt, otto, writer} = await tenMessages();
  const hidden = writer.toPeople(otto, []);
  const reply = await list({message_ids: [idAt(5), hidden, idAt(1), 999_999]});
  expect(reply.ids).toEqual([idAt(1), idAt(5)]);
  expect(reply).toMatchObject({found_anchor: false, found_oldest: false, found_newest: false});
  expect('anchor' in reply).toBe(false);
  const public2 = server.people.channel('elsewhere', [otto]);
  const historical = writer.toChannel(otto, public2, 'old');
  const [message] = (await list({message_ids: [historical]})).messages;
  expect(message.flags).toEqual(['read', 'historical']);
  const narrow = [term('channel', 'general')];
  expect((await list({message_ids: [idAt(5), historical], narrow})).ids).toEqual([idAt(5)]);
});

test('message_ids together with a range is refused', async () => {
  const {server, meg, idAt} = await tenMessages();
  for (const more of [{anchor: 'newest'}, {num_before: 1}, {num_after: 1}, {include_anchor: false}]) {
    const params = {message_ids: [idAt(1)], ...more};
    const body = await server.as(meg).refused('GET', '/messages', params, {code: 'BAD_REQUEST'});
    expect(body.parameters).toContain('message_ids');
  }
});

test('apply_markdown=false returns the source, allow_empty_topic_name the empty topic', async () => {
  const {list, writer, otto, channelId} = await tenMessages();
  writer.toChannel(otto, channelId, '', {content: '*hi*'});
  const one = {anchor: 'newest', num_before: 1, num_after: 0};
  expect((await list({...one, apply_markdown: false})).messages[0]).toMatchObject({
    content: '*hi*',
    content_type: 'text/x-markdown',
    subject: 'general chat',
  });
  expect((await list({...one, allow_empty_topic_name: true})).messages[0].subject).toBe('');
});

test('a direct message lists all participants', async () => {
  const {list, writer, meg, otto} = await tenMessages();
  writer.toPeople(otto, [meg]);
  const page = await list({anchor: 'newest', num_before: 1, num_after: 0});
  expect(page.messages[0]).toMatchObject({type: 'private', subject: ''});
  expect(page.messages[0].display_recipient.map((person: {id: number}) => person.id)).toEqual([meg.id, otto.id]);
});

test('a request without credentials is refused', async () => {
  const {server, idAt} = await tenMessages();
  const stranger = server.anonymous();
  await stranger.refused('GET', '/messages', newest, {code: 'UNAUTHORIZED', status: 401});
  await stranger.refused('GET', `/messages/${idAt(0)}`, {}, {code: 'UNAUTHORIZED', status: 401});
});

test('GET /messages/{id} returns the message and its source, and refuses unreadable ids', async () => {
  const {server, meg, idAt, writer, otto} = await tenMessages();
  const reply = await server.as(meg).get(`/messages/${idAt(3)}`);
  expect(reply.raw_content).toBe('number 3');
  expect(reply.message).toMatchObject({id: idAt(3), content: '<p>number 3</p>', flags: []});
  const raw = await server.as(meg).get(`/messages/${idAt(3)}`, {apply_markdown: false});
  expect(raw.message).toMatchObject({content: 'number 3', content_type: 'text/x-markdown'});
  const hidden = writer.toPeople(otto, []);
  for (const id of [hidden, 999_999]) {
    await server.as(meg).refused('GET', `/messages/${id}`, {}, {code: 'BAD_REQUEST'});
  }
});

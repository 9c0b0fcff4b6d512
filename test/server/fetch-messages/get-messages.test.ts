import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import {testServer} from '#test/support/server.ts';
import {MessageFixtureWriter, newest, term} from './message-fixtures.ts';

const noAnchor = 10_000_000_000_000_000;

async function tenMessages() {
  const server = await testServer();
  const meg = server.people.member();
  const otto = server.people.member('Otto Other');
  const channelId = server.people.channel('general', [meg, otto]);
  const mail = new MessageFixtureWriter(server.world);
  const start = 1_700_000_000;
  const ids = Array.from({length: 10}, (_, index) =>
    mail.toChannel(otto, channelId, 'lunch', {content: `number ${index}`, sentAt: start + index * 60}),
  );
  const at = (index: number): number => ids.at(index) ?? -1;
  const list = async (params: object): Promise<Reply> => {
    const reply = await server.as(meg).get('/messages', {...params});
    return {...reply, ids: reply.messages.map((message: {id: number}) => message.id)};
  };
  return {server, meg, otto, channelId, mail, ids, at, list};
}

test('the newest page holds the last messages, oldest first, with every field', async () => {
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

test('the oldest page starts at the first message', async () => {
  const {list, ids} = await tenMessages();
  const page = await list({anchor: 'oldest', num_before: 0, num_after: 3});
  expect(page.ids).toEqual(ids.slice(0, 3));
  expect(page).toMatchObject({anchor: 0, found_oldest: true, found_newest: false, found_anchor: false});
});

test('a message as anchor comes with those around it', async () => {
  const {list, ids, at} = await tenMessages();
  const page = await list({anchor: at(4), num_before: 2, num_after: 2});
  expect(page.ids).toEqual(ids.slice(2, 7));
  expect(page).toMatchObject({
    anchor: at(4),
    found_anchor: true,
    found_oldest: false,
    found_newest: false,
  });
});

test('a page that ends exactly at the oldest or the newest message says so', async () => {
  const {list, at} = await tenMessages();
  expect(await list({anchor: at(3), num_before: 3, num_after: 6})).toMatchObject({
    found_oldest: true,
    found_newest: true,
  });
  expect(await list({anchor: at(3), num_before: 2, num_after: 5})).toMatchObject({
    found_oldest: false,
    found_newest: false,
  });
});

test('the anchor alone is found, left out, or missing', async () => {
  const {list, at} = await tenMessages();
  expect(await list({anchor: at(4), num_before: 0, num_after: 0})).toMatchObject({
    ids: [at(4)],
    found_anchor: true,
    found_oldest: false,
    found_newest: false,
  });
  expect((await list({anchor: at(4), num_before: 0, num_after: 2, include_anchor: false})).ids).toEqual([
    at(5),
    at(6),
  ]);
  expect((await list({anchor: at(4), num_before: 2, num_after: 0, include_anchor: false})).ids).toEqual([
    at(2),
    at(3),
  ]);
  expect((await list({anchor: at(4), num_before: 2, num_after: 0})).ids).toEqual([at(2), at(3), at(4)]);
  expect(await list({anchor: at(9) + 50, num_before: 1, num_after: 1})).toMatchObject({
    ids: [at(9)],
    found_anchor: false,
    found_newest: true,
  });
});

test('the anchor cannot be left out of the middle', async () => {
  const {server, meg, at} = await tenMessages();
  const params = {anchor: at(4), num_before: 1, num_after: 1, include_anchor: false};
  await server.as(meg).refused('GET', '/messages', params, {code: 'BAD_REQUEST'});
});

test('first_unread is the oldest unread message of the narrow, else the newest', async () => {
  const {server, list, at, meg} = await tenMessages();
  await server.as(meg).post('/messages/flags', {messages: [at(0), at(1)], op: 'add', flag: 'read'});
  expect(await list({anchor: 'first_unread', num_before: 1, num_after: 1})).toMatchObject({
    anchor: at(2),
    found_anchor: true,
    ids: [at(1), at(2), at(3)],
  });
  expect((await list({use_first_unread_anchor: true, num_before: 0, num_after: 0})).anchor).toBe(at(2));
  await server.as(meg).post('/mark_all_as_read');
  expect(await list({anchor: 'first_unread', num_before: 1, num_after: 1})).toMatchObject({
    anchor: noAnchor,
    ids: [at(9)],
    found_newest: true,
  });
});

test('a date anchors at the first message of that moment or after', async () => {
  const {server, meg, list, at} = await tenMessages();
  const from = async (anchor_date: string) =>
    (await list({anchor: 'date', anchor_date, num_before: 0, num_after: 0})).anchor;
  // The first message was sent at 22:13:20 UTC.
  expect(await from('2023-11-14T22:15:20Z')).toBe(at(2));
  expect(await from('2023-11-14 22:15:21')).toBe(at(3));
  expect(await from('2023-11-14T23:15:20+01:00')).toBe(at(2));
  expect(await from('2023-11-14')).toBe(at(0));
  expect(await from('2023-11-15')).toBe(noAnchor);
  const range = {anchor: 'date', num_before: 1, num_after: 1};
  const client = server.as(meg);
  await client.refused('GET', '/messages', range, {code: 'REQUEST_VARIABLE_MISSING'});
  await client.refused('GET', '/messages', {...range, anchor_date: 'soon'}, {code: 'BAD_REQUEST'});
});

test('an empty view has nothing to anchor at', async () => {
  const {list} = await tenMessages();
  expect(await list({...newest, narrow: [term('topic', 'nothing')]})).toMatchObject({
    ids: [],
    anchor: noAnchor,
    found_anchor: false,
    found_oldest: true,
    found_newest: true,
  });
});

test('the anchor that stands for the newest message is accepted back', async () => {
  const {list, ids} = await tenMessages();
  expect((await list({anchor: noAnchor, num_before: 2, num_after: 2})).ids).toEqual(ids.slice(-2));
});

test('a request without an anchor, with a wrong one or for too much is refused', async () => {
  const {server, meg} = await tenMessages();
  const client = server.as(meg);
  const missing = await client.refused(
    'GET',
    '/messages',
    {num_before: 1},
    {code: 'REQUEST_VARIABLE_MISSING'},
  );
  expect(missing.var_name).toBe('anchor');
  await client.refused('GET', '/messages', {anchor: 'somewhere'}, {code: 'BAD_REQUEST'});
  await client.refused('GET', '/messages', {anchor: 'newest', num_before: -1}, {code: 'BAD_REQUEST'});
  const huge = {anchor: 'newest', num_before: 3000, num_after: 2001};
  await client.refused('GET', '/messages', huge, {code: 'BAD_REQUEST'});
  await client.get('/messages', {...huge, num_after: 2000});
});

test('messages can be asked for by id; what cannot be read or does not match is left out', async () => {
  const {server, list, at, otto, mail} = await tenMessages();
  const hidden = mail.toPeople(otto, []);
  const reply = await list({message_ids: [at(5), hidden, at(1), 999_999]});
  expect(reply.ids).toEqual([at(1), at(5)]);
  expect(reply).toMatchObject({found_anchor: false, found_oldest: false, found_newest: false});
  expect('anchor' in reply).toBe(false);
  const public2 = server.people.channel('elsewhere', [otto]);
  const historical = mail.toChannel(otto, public2, 'old');
  const [message] = (await list({message_ids: [historical]})).messages;
  expect(message.flags).toEqual(['read', 'historical']);
  const narrow = [term('channel', 'general')];
  expect((await list({message_ids: [at(5), historical], narrow})).ids).toEqual([at(5)]);
});

test('ids and a range exclude each other', async () => {
  const {server, meg, at} = await tenMessages();
  for (const more of [{anchor: 'newest'}, {num_before: 1}, {num_after: 1}, {include_anchor: false}]) {
    const params = {message_ids: [at(1)], ...more};
    const body = await server.as(meg).refused('GET', '/messages', params, {code: 'BAD_REQUEST'});
    expect(body.parameters).toContain('message_ids');
  }
});

test('content is raw on request, and the empty topic is shown as asked', async () => {
  const {list, mail, otto, channelId} = await tenMessages();
  mail.toChannel(otto, channelId, '', {content: '*hi*'});
  const one = {anchor: 'newest', num_before: 1, num_after: 0};
  expect((await list({...one, apply_markdown: false})).messages[0]).toMatchObject({
    content: '*hi*',
    content_type: 'text/x-markdown',
    subject: 'general chat',
  });
  expect((await list({...one, allow_empty_topic_name: true})).messages[0].subject).toBe('');
});

test('a direct message names everybody in it', async () => {
  const {list, mail, meg, otto} = await tenMessages();
  mail.toPeople(otto, [meg]);
  const page = await list({anchor: 'newest', num_before: 1, num_after: 0});
  expect(page.messages[0]).toMatchObject({type: 'private', subject: ''});
  expect(page.messages[0].display_recipient.map((person: {id: number}) => person.id)).toEqual([
    meg.id,
    otto.id,
  ]);
});

test('somebody who is not signed in reads nothing', async () => {
  const {server, at} = await tenMessages();
  const stranger = server.anonymous();
  await stranger.refused('GET', '/messages', newest, {code: 'UNAUTHORIZED', status: 401});
  await stranger.refused('GET', `/messages/${at(0)}`, {}, {code: 'UNAUTHORIZED', status: 401});
});

test('one message comes with its source', async () => {
  const {server, meg, at, mail, otto} = await tenMessages();
  const reply = await server.as(meg).get(`/messages/${at(3)}`);
  expect(reply.raw_content).toBe('number 3');
  expect(reply.message).toMatchObject({id: at(3), content: '<p>number 3</p>', flags: []});
  const raw = await server.as(meg).get(`/messages/${at(3)}`, {apply_markdown: false});
  expect(raw.message).toMatchObject({content: 'number 3', content_type: 'text/x-markdown'});
  const hidden = mail.toPeople(otto, []);
  for (const id of [hidden, 999_999]) {
    await server.as(meg).refused('GET', `/messages/${id}`, {}, {code: 'BAD_REQUEST'});
  }
});

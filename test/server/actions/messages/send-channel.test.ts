import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {eventsOf, messagesFixture, sendToChannel} from './messages-fixture.ts';

test('send channel: the response has the message’s id and links', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const reply = await asMeg.post('/messages', {type: 'stream', to: 'General', topic: 'a.b', content: 'Hi'});
  const message_url = `${server.url}/#narrow/channel/${general}-general/topic/a.2Eb/near/${reply.id}`;
  expect(reply).toMatchObject({
    id: expect.any(Number),
    message_url,
    message_link: `[#general > a.b @ 💬](${message_url})`,
  });
  expect(reply).not.toHaveProperty('ignored_parameters_unsupported');
});

test('send channel: a channel can be given by id, name, quoted name or a list of one', async () => {
  const {server, meg, asMeg, general} = await messagesFixture();
  server.people.channel('other', [meg]);
  const listener = await asMeg.listen();
  const names = [general, 'general', '"general"', [general], ['general'], String(general)];
  for (const to of names) await asMeg.post('/messages', {type: 'channel', to, topic: 't', content: 'Hi'});
  const sent = await eventsOf(listener, 'message');
  expect(sent.map(({message}) => message.stream_id)).toEqual(names.map(() => general));
});

test('send channel: a request that cannot be sent is refused in the words of Zulip’s servers', async () => {
  const {asMeg} = await messagesFixture();
  const message = {type: 'channel', to: 'general', topic: 't', content: 'Hi'};
  const form = (type: string, extra_data: object) => ({
    widget_content: JSON.stringify({widget_type: type, extra_data}),
  });
  const choices = {type: 'choices', heading: 'x', choices: [{long_name: 'a', reply: 'b'}]};
  const rows: [change: object, reply: object][] = [
    [{to: 'no<where'}, {code: 'STREAM_DOES_NOT_EXIST', stream: 'no&lt;where'}],
    [{to: 999}, {code: 'STREAM_DOES_NOT_EXIST', stream_id: 999}],
    [{to: ' '}, {msg: "Channel name can't be empty."}],
    [{to: 'a\0b'}, {msg: 'Invalid character in channel name, at position 2.'}],
    [{to: '1e2'}, {msg: 'Invalid data type for channel'}],
    [{to: '9'.repeat(25)}, {msg: 'Invalid data type for channel'}],
    [{sender: 'x@y.example'}, {msg: 'Invalid mirrored message'}],
    [{forged: 'true'}, {msg: 'User not authorized for this query'}],
    [{time: 'x'}, {msg: 'time is not valid JSON'}],
    [form('zform', {type: 'choices'}), {msg: 'Widgets: heading key is missing from extra_data'}],
    [form('zform', choices), {msg: 'Widgets: short_name key is missing from extra_data["choices"][0]'}],
    [form('zform', {...choices, choices: 4}), {msg: 'Widgets: extra_data["choices"] is not a list'}],
  ];
  for (const [change, reply] of rows) {
    const {body} = await asMeg.raw('POST', '/messages', {...message, ...change});
    expect(body, JSON.stringify(change)).toMatchObject(reply);
  }
});

test('send channel: who may not post is told whether the permission or the access is missing', async () => {
  const {server, meg, general} = await messagesFixture();
  const {people} = server;
  const permissions = {can_send_message_group: SystemGroup.administrators};
  const guest = people.guest();
  const admin = people.admin();
  const denied = 'You do not have permission to post in this channel.';
  const rows: [sender: typeof meg, channel: number, msg: string][] = [
    [admin, people.channel('hidden', [meg], {invite_only: 1}), "Not authorized to send to channel 'hidden'"],
    [guest, general, `Channel with ID '${general}' does not exist`],
    [meg, people.channel('old', [meg], {is_archived: 1}), "Not authorized to send to channel 'old'"],
    [meg, people.channel('news', [meg], {permissions}), denied],
    [meg, people.channel('ended', [meg], {permissions, is_archived: 1}), denied],
  ];
  for (const [sender, to, msg] of rows) {
    const {body} = await server.as(sender).raw('POST', '/messages', {type: 'channel', to, topic: 't', content: 'Hi'});
    expect(body.msg).toBe(msg);
  }
  await sendToChannel(server.as(admin), people.channel('notes', [meg], {permissions}));
  await sendToChannel(server.as(guest), people.channel('open', [], {is_web_public: 1}));
});

test('send channel: a channel that the sender may not see is refused like one that does not exist, by id and by name', async () => {
  const {server, meg, nina} = await messagesFixture();
  const permissions = {can_send_message_group: SystemGroup.administrators};
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const strict = server.people.channel('strict', [meg], {invite_only: 1, permissions});
  for (const sender of [nina, server.people.guest()]) {
    for (const to of [secret, strict, 99, 'Secret', 'strict', 'Missing']) {
      const params = {type: 'channel', to, topic: 't', content: 'Hi'};
      const {body} = await server.as(sender).raw('POST', '/messages', params);
      const [subject, extra] =
        typeof to === 'number' ? [`with ID '${to}'`, {stream_id: to}] : [`'${to}'`, {stream: to}];
      const msg = `Channel ${subject} does not exist`;
      expect(body).toEqual({result: 'error', code: 'STREAM_DOES_NOT_EXIST', msg, ...extra});
    }
  }
});

test('send channel: a bot may post where its owner may', async () => {
  const {server, meg} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {
    invite_only: 1,
    permissions: {
      can_send_message_group: {direct_members: [meg.id], direct_subgroups: []},
    },
  });
  await sendToChannel(server.as(server.people.bot('Robbie', meg)), secret);
});

test('send channel: new topics need their own permission; existing ones do not', async () => {
  const {server, meg, asMeg, general} = await messagesFixture();
  const permissions = {can_create_topic_group: SystemGroup.administrators};
  const desk = server.people.channel('desk', [meg], {permissions});
  // A topic of another channel does not count.
  await sendToChannel(asMeg, general, 'Hi', 'fresh');
  const message = {type: 'channel', to: desk, topic: 'fresh', content: 'Hi'};
  await asMeg.refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
  await sendToChannel(server.as(server.people.admin()), desk, 'Opening', 'Fresh');
  await sendToChannel(asMeg, desk, 'Me too', 'fresh');
});

test('send channel: content is trimmed and cut at 10,000 characters; empty content and NUL are refused', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const content = async (typed: string) => {
    const id = await sendToChannel(asMeg, general, typed);
    return server.context.db.value<string>('SELECT content FROM message WHERE id = ?', id) ?? '';
  };
  expect(await content('\n\n  Hi there \n\t')).toBe('  Hi there');
  const cut = await content('😀'.repeat(10_001));
  expect(Array.from(cut)).toHaveLength(10_000);
  expect(cut.endsWith('😀\n[message truncated]')).toBe(true);
  expect(await content('x'.repeat(10_000))).toBe('x'.repeat(10_000));
  for (const bad of ['', ' \n ', 'a\0b']) {
    const message = {type: 'channel', to: general, topic: 't', content: bad};
    await asMeg.refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
  }
});

test('send channel: topics are trimmed and cut; two spellings mean the empty topic; control characters are refused', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const topic = async (typed: string) => {
    const id = await sendToChannel(asMeg, general, 'Hi', typed);
    return server.context.db.value<string>('SELECT topic FROM message WHERE id = ?', id);
  };
  expect(await topic('  lunch ')).toBe('lunch');
  expect(await topic('x'.repeat(61))).toBe(`${'x'.repeat(57)}...`);
  expect(await topic('(no topic)')).toBe('');
  expect(await topic('general chat')).toBe('');
  expect(await topic('')).toBe('');
  const bad = {type: 'channel', to: general, topic: 'a😀\u0007b', content: 'Hi'};
  const reply = await asMeg.refused('POST', '/messages', bad, {code: 'BAD_REQUEST'});
  expect(reply.msg).toContain('position 3');
  const {topic: _, ...without} = bad;
  await asMeg.refused('POST', '/messages', without, {code: 'BAD_REQUEST'});
});

test('send channel: channel or organization can require or forbid a topic', async () => {
  const {server, meg, asMeg, general} = await messagesFixture();
  const chat = server.people.channel('chat', [meg], {topics_policy: 'empty_topic_only'});
  const open = server.people.channel('open', [meg], {topics_policy: 'allow_empty_topic'});
  server.people.setting('topics_policy', 'disable_empty_topic');
  const message = {type: 'channel', content: 'Hi'};
  // Clients show the empty topic by this name.
  const named = {empty_topic_display_name: 'general chat'};
  for (const topic of ['', '(no topic)', 'general chat']) {
    const refusal = await asMeg.refused('POST', '/messages', {...message, to: general, topic}, {code: 'BAD_REQUEST'});
    expect(refusal).toMatchObject(named);
    await sendToChannel(asMeg, open, 'Hi', topic);
  }
  const toNamed = {...message, to: chat, topic: 'named'};
  expect(await asMeg.refused('POST', '/messages', toNamed, {code: 'BAD_REQUEST'})).toMatchObject(named);
  await sendToChannel(asMeg, chat, 'Hi', '');
});

test('send channel: local_id is returned to the queue of queue_id only, and is not without the other', async () => {
  const {asMeg, general} = await messagesFixture();
  const message = {type: 'channel', to: general, topic: 't', content: 'Hi'};
  const [sender, other] = [await asMeg.listen(), await asMeg.listen()];
  await asMeg.post('/messages', {...message, local_id: '1.01'});
  await asMeg.post('/messages', {...message, queue_id: sender.queueId});
  await asMeg.post('/messages', {...message, local_id: '1.02', queue_id: sender.queueId});
  const localIds = async (listener: typeof sender) =>
    (await eventsOf(listener, 'message')).map(({local_message_id: id}) => id);
  expect(await localIds(sender)).toEqual([undefined, undefined, '1.02']);
  expect(await localIds(other)).toEqual([undefined, undefined, undefined]);
});

test('send channel: the channel’s first message is stored without an event of its own', async () => {
  const {asMeg, general} = await messagesFixture();
  const mine = await asMeg.listen();
  const first = await sendToChannel(asMeg, general);
  await sendToChannel(asMeg, general);
  expect(await eventsOf(mine, 'stream')).toEqual([]);
  expect((await asMeg.get(`/streams/${general}`)).stream.first_message_id).toBe(first);
});

import {expect, test} from 'vitest';
import {fullClientCapabilities} from '#wire/register.ts';
import {eventsOf, messagesFixture, sendDirect, sendToChannel} from './messages-fixture.ts';

test('message event: subscribers get the message with their own flags; only the sending queue gets its local id', async () => {
  const {asMeg, asOtto, asNina, general, meg} = await messagesFixture();
  const sending = await asMeg.listen();
  const elsewhere = await asMeg.listen();
  const ottos = await asOtto.listen();
  const ninas = await asNina.listen();
  const {id} = await asMeg.post('/messages', {
    type: 'channel',
    to: general,
    topic: 'lunch',
    content: 'Soup?',
    queue_id: sending.queueId,
    local_id: '7.01',
    read_by_sender: true,
  });
  const [echo] = await eventsOf(sending, 'message');
  expect(echo).toMatchObject({local_message_id: '7.01', flags: ['read']});
  expect(echo?.message).toMatchObject({
    id,
    type: 'stream',
    stream_id: general,
    display_recipient: 'general',
    subject: 'lunch',
    sender_id: meg.id,
    sender_full_name: meg.fullName,
    content: 'Soup?',
    content_type: 'text/x-markdown',
    client: 'website',
    is_me_message: false,
    reactions: [],
    submessages: [],
    topic_links: [],
  });
  const [copy] = await eventsOf(elsewhere, 'message');
  expect(copy).not.toHaveProperty('local_message_id');
  expect(copy?.message).toEqual(echo?.message);
  const [received] = await eventsOf(ottos, 'message');
  expect(received).toMatchObject({flags: [], message: {id}});
  expect(await eventsOf(ninas, 'message')).toEqual([]);
});

test('message event: each queue gets the requested format', async () => {
  const {asMeg, asOtto, general} = await messagesFixture();
  const plain = await asOtto.listen({client_gravatar: false});
  const html = await asOtto.listen({apply_markdown: true, client_capabilities: {notification_settings_null: false}});
  await sendToChannel(asMeg, general, '/me **waves**', '');
  const [first] = await eventsOf(plain, 'message');
  const [second] = await eventsOf(html, 'message');
  expect(first?.message).toMatchObject({content: '/me **waves**', subject: '', is_me_message: true});
  expect(first?.message.avatar_url).toMatch(/^https:/);
  expect(second?.message).toMatchObject({
    content_type: 'text/html',
    subject: 'general chat',
    avatar_url: null,
  });
  expect(second?.message.content).toContain('<strong>waves</strong>');
});

test('message event: the avatar URL of a sender with a hidden email address is always included', async () => {
  const {server, asOtto, general} = await messagesFixture();
  const shy = server.people.add('Shy Shirley', {settings: {email_address_visibility: 4}});
  server.people.subscribe(shy, general);
  const own = await server.as(shy).listen({client_gravatar: false});
  const ottos = await asOtto.listen();
  await sendToChannel(server.as(shy), general);
  const [event] = await eventsOf(ottos, 'message');
  expect(event?.message.avatar_url).toMatch(/^https:/);
  expect(event?.message.sender_email).toBe(`user${shy.id}@127.0.0.1`);
  // Who sees the address gets another picture, which nobody else may get.
  const [sent] = await eventsOf(own, 'message');
  expect([sent?.flags, event?.flags]).toEqual([['read'], []]);
  expect(sent?.message.avatar_url).not.toBe(event?.message.avatar_url);
});

test('message event: a queue for all public channels gets those messages but none of private channels', async () => {
  const {server, meg, asMeg, asNina, general} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const all = await asNina.listen({all_public_streams: true});
  const own = await asNina.listen();
  const id = await sendToChannel(asMeg, general);
  await sendToChannel(asMeg, secret);
  expect(await eventsOf(all, 'message')).toEqual([
    expect.objectContaining({flags: [], message: expect.objectContaining({id})}),
  ]);
  expect(await eventsOf(own, 'message')).toEqual([]);
});

test('message event: a queue’s narrow filters its messages', async () => {
  const {asMeg, asOtto, otto, general} = await messagesFixture();
  const lunch = await asOtto.listen({narrow: [['topic', 'Lunch']]});
  const mentions = await asOtto.listen({narrow: [['is', 'mentioned']]});
  const unnamed = await asOtto.listen({narrow: [['topic', '']]});
  const channel = await asOtto.listen({narrow: [['channel', 'GENERAL']]});
  await sendDirect(asMeg, [otto.id]);
  const first = await sendToChannel(asMeg, general, 'Soup');
  const second = await sendToChannel(asMeg, general, `@**${otto.fullName}** hi`, 'other');
  expect((await eventsOf(lunch, 'message')).map((event) => event.message.id)).toEqual([first]);
  expect((await eventsOf(mentions, 'message')).map((event) => event.message.id)).toEqual([second]);
  expect(await eventsOf(unnamed, 'message')).toEqual([]);
  expect((await eventsOf(channel, 'message')).map((event) => event.message.id)).toEqual([first, second]);
});

test('message event: a queue with a narrow gets matching messages of public channels without a subscription', async () => {
  const {server, meg, asMeg, asNina, general} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const queue = await asNina.listen({narrow: [['channel', 'general']]});
  const hidden = await asNina.listen({narrow: [['channel', 'secret']]});
  const guests = await server.as(server.people.guest()).listen({narrow: [['channel', 'general']]});
  const id = await sendToChannel(asMeg, general);
  await sendToChannel(asMeg, secret);
  expect(await eventsOf(queue, 'message')).toMatchObject([{flags: [], message: {id}}]);
  expect(await eventsOf(hidden, 'message')).toEqual([]);
  expect(await eventsOf(guests, 'message')).toEqual([]);
});

test('message event: nothing that happens in a channel is sent to users without a subscription', async () => {
  const {asNina, asMeg, asOtto, general} = await messagesFixture();
  const ninas = await asNina.listen();
  const id = await sendToChannel(asMeg, general, '/poll Lunch?');
  const other = await sendToChannel(asMeg, general);
  await asNina.get('/messages', {anchor: 'newest', num_before: 9, num_after: 0, narrow: [['channel', 'general']]});
  await asOtto.post(`/messages/${other}/reactions`, {emoji_name: 'tada'});
  await asOtto.post('/submessage', {
    message_id: id,
    msg_type: 'widget',
    content: JSON.stringify({type: 'new_option', idx: 1, option: 'Soup'}),
  });
  await asMeg.patch(`/messages/${other}`, {content: 'Edited', topic: 'dinner'});
  await asMeg.post('/typing', {op: 'start', type: 'channel', stream_id: general, topic: 'lunch'});
  await asMeg.delete(`/messages/${other}`);
  expect(await ninas.events()).toEqual([]);
});

test('message event: a sender without a subscription does not receive their own message', async () => {
  const {asNina, asMeg, general} = await messagesFixture();
  const ninas = await asNina.listen();
  const megs = await asMeg.listen();
  const id = await sendToChannel(asNina, general);
  expect(await eventsOf(ninas, 'message')).toEqual([]);
  expect(await eventsOf(megs, 'message')).toMatchObject([{message: {id}}]);
});

test('message event: a message from a script is unread for its sender by default', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const unread = (id: number) =>
    server.context.runAction(({db}) =>
      db.value('SELECT flags FROM user_message WHERE user_id = ? AND message_id = ?', meg.id, id),
    );
  const message = {type: 'channel', to: general, topic: 't', content: 'Hi'};
  const script = {'user-agent': 'curl/8'};
  const first = await asMeg.raw('POST', '/messages', message, script);
  const second = await asMeg.raw('POST', '/messages', {...message, read_by_sender: true}, script);
  const third = await asMeg.raw('POST', '/messages', message, {'user-agent': 'ZulipMobile/27'});
  expect([first, second, third].map((reply) => unread(reply.body.id))).toEqual([1, undefined, undefined]);
});

test('message event: a message from a muted user arrives read', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  server.context.db.run('INSERT INTO muted_user VALUES (?, ?, 0)', otto.id, meg.id);
  const ottos = await asOtto.listen();
  await sendToChannel(asMeg, general);
  await sendDirect(asMeg, [otto.id]);
  expect((await eventsOf(ottos, 'message')).map((event) => event.flags)).toEqual([['read'], ['read']]);
});

test('message event: a direct message is sent to exactly its participants, sender included', async () => {
  const {asMeg, asOtto, asNina, meg, otto} = await messagesFixture();
  const listeners = [await asMeg.listen(), await asOtto.listen(), await asNina.listen()] as const;
  const id = await sendDirect(asMeg, [otto.id, meg.id]);
  const [mine, ottos, ninas] = await Promise.all(listeners.map((listener) => eventsOf(listener, 'message')));
  expect(mine).toMatchObject([{flags: ['read'], message: {id, type: 'private', subject: ''}}]);
  expect(ottos?.[0]?.message.display_recipient).toEqual([
    {id: meg.id, email: meg.email, full_name: meg.fullName, is_mirror_dummy: false},
    {id: otto.id, email: otto.email, full_name: otto.fullName, is_mirror_dummy: false},
  ]);
  expect(ottos).toMatchObject([{flags: [], message: {id}}]);
  expect(ninas).toEqual([]);
});

test('message event: a poll and a to-do list have their first submessage', async () => {
  const {asMeg, asOtto, general, meg} = await messagesFixture();
  const ottos = await asOtto.listen({client_capabilities: fullClientCapabilities});
  const id = await sendToChannel(asMeg, general, '/poll Where?\n- Here\n* There');
  await sendToChannel(asMeg, general, '/todo\nSoup: hot\nBread');
  const [poll, todo] = await eventsOf(ottos, 'message');
  expect(poll?.message.submessages).toEqual([
    {
      id: expect.any(Number),
      message_id: id,
      sender_id: meg.id,
      msg_type: 'widget',
      content: expect.any(String),
    },
  ]);
  expect(JSON.parse(poll?.message.submessages[0].content)).toEqual({
    widget_type: 'poll',
    extra_data: {question: 'Where?', options: ['Here', 'There']},
  });
  expect(JSON.parse(todo?.message.submessages[0].content)).toEqual({
    widget_type: 'todo',
    extra_data: {
      task_list_title: '',
      tasks: [
        {task: 'Soup', desc: 'hot'},
        {task: 'Bread', desc: ''},
      ],
    },
  });
});

import {expect, test} from 'vitest';
import {eventsOf, messagesFixture, sendDirect, sendToChannel} from './messages-fixture.ts';

const refusal = {code: 'BAD_REQUEST'};

test('messages: votes on a poll are sent to its readers', async () => {
  const {asMeg, asOtto, asNina, otto, general} = await messagesFixture();
  const message_id = await sendToChannel(asMeg, general, '/poll Where?\nHere');
  const megs = await asMeg.listen();
  const ninas = await asNina.listen();
  const content = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
  await asOtto.post('/submessage', {message_id, msg_type: 'widget', content});
  expect(await eventsOf(megs, 'submessage')).toEqual([
    {
      type: 'submessage',
      id: expect.any(Number),
      submessage_id: expect.any(Number),
      msg_type: 'widget',
      message_id,
      sender_id: otto.id,
      content,
    },
  ]);
  expect(await ninas.events()).toEqual([]);
});

test('messages: unknown widget events are refused; only the author changes the title', async () => {
  const {asMeg, asOtto, general} = await messagesFixture();
  const poll = await sendToChannel(asMeg, general, '/poll Where?');
  const todo = await sendToChannel(asMeg, general, '/todo Shopping');
  const text = await sendToChannel(asMeg, general);
  const send = (message_id: number, data: unknown) => ({
    message_id,
    msg_type: 'widget',
    content: typeof data === 'string' ? data : JSON.stringify(data),
  });
  const rows: [message: number, data: unknown, msg: string][] = [
    [poll, 'not json', 'Invalid json for submessage'],
    [poll, [], 'poll data is not a dict'],
    [poll, {}, 'type key is missing from poll data'],
    [poll, {type: 5}, 'poll data["type"] is not a string'],
    [poll, {type: 'vote', vote: 1}, 'key key is missing from poll data'],
    [poll, {type: 'vote', key: 'a', vote: 2}, 'Invalid poll data["vote"]'],
    [poll, {type: 'vote', key: 'a', vote: 'x'}, 'poll data["vote"] is not an integer'],
    [poll, {type: 'vote', key: 'a', vote: 1, more: 1}, 'Unexpected arguments: more'],
    [poll, {type: 'new_option', idx: 1001, option: 'x'}, 'poll data["idx"] is too large'],
    [poll, {type: 'strike', key: 'a'}, 'Unknown type for poll data: strike'],
    [poll, {type: 'question'}, "You can't edit a question unless you are the author."],
    [todo, {type: 'new_task', key: 1, task: 'x'}, 'desc key is missing from todo data'],
    [todo, {type: 'new_task_list_title'}, "You can't edit the task list title unless you are the author."],
    [text, {type: 'vote', key: 'a', vote: 1}, 'You cannot attach a submessage to this message.'],
    [99_999, {type: 'vote', key: 'a', vote: 1}, 'Invalid message(s)'],
  ];
  for (const [message, data, msg] of rows) {
    const {body} = await asOtto.raw('POST', '/submessage', send(message, data));
    expect(body.msg, JSON.stringify(data)).toBe(msg);
  }
  await asMeg.post('/submessage', send(text, 'null'));
  await asOtto.post('/submessage', send(poll, {type: 'new_option', idx: 1, option: 'There'}));
  await asMeg.post('/submessage', send(poll, {type: 'question', question: 'When?'}));
  const task = {type: 'new_task', key: 1, task: 'x', desc: '', completed: false};
  await asOtto.post('/submessage', send(todo, task));
  await asOtto.post('/submessage', send(todo, {type: 'strike', key: '1,2'}));
  await asMeg.post('/submessage', send(todo, {type: 'new_task_list_title', title: 'Mine'}));
});

test('messages: typing in a direct conversation is sent to all participants, sender included', async () => {
  const {asMeg, asOtto, asNina, meg, otto} = await messagesFixture();
  const listeners = [await asMeg.listen(), await asOtto.listen(), await asNina.listen()];
  await asMeg.post('/typing', {op: 'start', to: [otto.id]});
  const [megs, ottos, ninas] = await Promise.all(listeners.map((listener) => listener.events()));
  expect(ottos).toEqual([
    {
      type: 'typing',
      id: expect.any(Number),
      op: 'start',
      message_type: 'direct',
      sender: {user_id: meg.id, email: meg.email},
      recipients: [
        {user_id: meg.id, email: meg.email},
        {user_id: otto.id, email: otto.email},
      ],
    },
  ]);
  expect(megs).toHaveLength(1);
  expect(ninas).toEqual([]);
});

test('messages: typing in a channel is sent to subscribers whose client and settings support it', async () => {
  const {server, asMeg, asOtto, asNina, meg, general} = await messagesFixture();
  const deaf = server.people.add('Deaf Dora', {settings: {receives_typing_notifications: false}});
  server.people.subscribe(deaf, general);
  const modern = await asOtto.listen();
  const plain = await asOtto.listen({client_capabilities: {notification_settings_null: false}});
  const others = [await asNina.listen(), await server.as(deaf).listen(), plain];
  await asMeg.post('/typing', {type: 'stream', op: 'stop', stream_id: general, topic: 'lunch'});
  expect(await modern.events()).toMatchObject([
    {
      type: 'typing',
      op: 'stop',
      message_type: 'stream',
      sender: {user_id: meg.id},
      stream_id: general,
      topic: 'lunch',
    },
  ]);
  for (const listener of others) expect(await listener.events()).toEqual([]);
});

test('messages: typing in a channel with more than a hundred subscribers succeeds without events', async () => {
  const {server, asMeg, asOtto, general} = await messagesFixture();
  const join = (name: string) => server.people.subscribe(server.people.member(name), general);
  for (let i = 0; i < 98; i++) join(`Member ${i}`);
  const ottos = await asOtto.listen();
  const typing = {type: 'channel', op: 'start', stream_id: general, topic: 'lunch'};
  await asMeg.post('/typing', typing);
  expect(await ottos.events()).toMatchObject([{type: 'typing'}]);
  join('Last');
  await asMeg.post('/typing', typing);
  expect(await ottos.events()).toEqual([]);
});

test('messages: malformed typing requests and users who turned typing off are refused', async () => {
  const {server, meg, otto, general} = await messagesFixture();
  const {people} = server;
  const settings = {send_private_typing_notifications: false, send_stream_typing_notifications: false};
  const shy = people.add('Shy Shirley', {settings});
  const admin = people.admin();
  const secret = people.channel('secret', [otto], {invite_only: 1});
  const old = people.channel('old', [meg], {is_archived: 1});
  const stream = {type: 'stream', op: 'start', stream_id: general, topic: 't'};
  const rows: [sender: typeof meg, request: object, msg: string][] = [
    [meg, {op: 'start'}, "Missing 'to' argument"],
    [meg, {op: 'start', to: 'null'}, "Missing 'to' argument"],
    [shy, {op: 'start', to: []}, "Empty 'to' list"],
    [meg, {op: 'start', to: [99_999]}, 'Invalid user ID 99999'],
    [meg, {op: 'wave', to: [otto.id]}, 'Invalid op'],
    [meg, {...stream, stream_id: 'null'}, "Missing 'stream_id' argument"],
    [meg, {...stream, topic: undefined}, 'Missing topic'],
    [meg, {...stream, stream_id: 999}, 'Invalid channel ID'],
    [meg, {...stream, stream_id: old}, 'Invalid channel ID'],
    [admin, {...stream, stream_id: secret}, 'Invalid channel ID'],
    [shy, {op: 'start', to: [otto.id]}, 'User has disabled typing notifications for direct messages'],
    [shy, {...stream, stream_id: 999}, 'User has disabled typing notifications for channel messages'],
  ];
  for (const [sender, request, msg] of rows) {
    const {body} = await server.as(sender).raw('POST', '/typing', {...request});
    expect(body.msg, JSON.stringify(request)).toBe(msg);
  }
});

test('messages: typing while editing is sent to the message’s readers', async () => {
  const {asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const dm = await sendDirect(asMeg, [otto.id]);
  const ottos = await asOtto.listen();
  await asMeg.post(`/messages/${id}/typing`, {op: 'start'});
  await asMeg.post(`/messages/${dm}/typing`, {op: 'stop'});
  expect(await ottos.events()).toEqual([
    {
      type: 'typing_edit_message',
      id: expect.any(Number),
      op: 'start',
      sender_id: meg.id,
      message_id: id,
      recipient: {type: 'channel', channel_id: general, topic: 'lunch'},
    },
    {
      type: 'typing_edit_message',
      id: expect.any(Number),
      op: 'stop',
      sender_id: meg.id,
      message_id: dm,
      recipient: {type: 'direct', user_ids: [meg.id, otto.id]},
    },
  ]);
  await asOtto.refused('POST', `/messages/${id}/typing`, {op: 'start'}, refusal);
  await asMeg.patch('/settings', {send_stream_typing_notifications: false});
  await asMeg.refused('POST', `/messages/${id}/typing`, {op: 'start'}, refusal);
  await asMeg.post(`/messages/${dm}/typing`, {op: 'start'});
  await asMeg.patch('/settings', {send_private_typing_notifications: false});
  await asMeg.refused('POST', `/messages/${dm}/typing`, {op: 'start'}, refusal);
  expect((await eventsOf(ottos, 'typing_edit_message')).map(({message_id}) => message_id)).toEqual([dm]);
});

test('messages: typing while editing a direct message names those who are active and want to know', async () => {
  const {server, asMeg, asOtto, meg, otto} = await messagesFixture();
  const gone = server.people.member('Gil Gone');
  const shy = server.people.add('Shy Shirley', {settings: {receives_typing_notifications: false}});
  const dm = await sendDirect(asMeg, [otto.id, gone.id, shy.id]);
  await server.as(server.people.owner()).delete(`/users/${gone.id}`);
  const [ottos, shys] = [await asOtto.listen(), await server.as(shy).listen()];
  await asMeg.post(`/messages/${dm}/typing`, {op: 'start'});
  expect(await ottos.events()).toMatchObject([{recipient: {type: 'direct', user_ids: [meg.id, otto.id]}}]);
  expect(await shys.events()).toEqual([]);
});

test('messages: read receipts name those who received the message, also after they left, and nobody who was deactivated', async () => {
  const {server, asMeg, otto, nina, general} = await messagesFixture();
  const [former, gone] = [server.people.member('Fay Former'), server.people.member('Gil Gone')];
  for (const person of [former, gone]) server.people.subscribe(person, general);
  const ids = [await sendToChannel(asMeg, general), await sendToChannel(asMeg, general)];
  await server.as(former).delete('/users/me/subscriptions', {subscriptions: ['general']});
  ids.push(await sendToChannel(asMeg, general));
  // Who stars a message has read it.
  await server.as(nina).post('/messages/flags', {messages: ids.slice(0, 1), op: 'add', flag: 'starred'});
  server.people.subscribe(nina, general);
  ids.push(await sendToChannel(asMeg, general));
  for (const person of [otto, gone, nina]) await server.as(person).post('/mark_all_as_read');
  await server.as(server.people.owner()).delete(`/users/${gone.id}`);
  const readers = await Promise.all(ids.map((id) => asMeg.get(`/messages/${id}/read_receipts`)));
  expect(readers.map(({user_ids}) => user_ids)).toEqual([
    [otto.id, nina.id, former.id],
    [otto.id, former.id],
    [otto.id],
    [otto.id, nina.id].sort((a, b) => a - b),
  ]);
});

test('messages: read receipts omit the sender, users who disabled them and muted users', async () => {
  const {server, asMeg, asOtto, meg, otto, nina, general} = await messagesFixture();
  const shy = server.people.add('Shy Shirley', {settings: {send_read_receipts: false}});
  const muter = server.people.member('Mute Mary');
  for (const person of [shy, muter, nina]) server.people.subscribe(person, general);
  const id = await sendToChannel(asMeg, general);
  const path = `/messages/${id}/read_receipts`;
  expect((await asMeg.get(path)).user_ids).toEqual([]);
  for (const person of [otto, shy, muter]) {
    await server.as(person).post('/messages/flags', {messages: [id], op: 'add', flag: 'read'});
  }
  expect((await asMeg.get(path)).user_ids).toEqual([otto.id, muter.id]);
  server.context.db.run('INSERT INTO muted_user VALUES (?, ?, 0)', muter.id, otto.id);
  expect((await asOtto.get(path)).user_ids).toEqual([otto.id]);
  expect((await asMeg.get(path)).user_ids).toEqual([otto.id, muter.id]);
  server.people.setting('enable_read_receipts', false);
  await asMeg.refused('GET', path, {}, refusal);
  expect(meg.id).toBeGreaterThan(0);
});

test('messages: a report is posted in the moderation channel and refused without one', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const mo = server.people.moderator();
  const id = await sendToChannel(asMeg, general, 'Rude words');
  const path = `/messages/${id}/report`;
  const off = await asOtto.refused('POST', '/messages/99999/report', {report_type: 'spam'}, refusal);
  expect(off.msg).toBe('Message reporting is not enabled in this organization.');
  const desk = server.people.channel('mod desk', [mo], {invite_only: 1});
  server.people.setting('moderation_request_channel_id', desk);
  const mos = await server.as(mo).listen();
  const megs = await asMeg.listen();
  await asOtto.refused('POST', path, {report_type: 'boring'}, refusal);
  await asOtto.refused('POST', path, {report_type: 'other'}, refusal);
  await asOtto.refused('POST', path, {report_type: 'spam', description: 'x'.repeat(1001)}, refusal);
  await asOtto.post(path, {report_type: 'other', description: 'Please look'});
  const [event] = await eventsOf(mos, 'message');
  expect(event?.message).toMatchObject({stream_id: desk, subject: `${meg.fullName} moderation`});
  expect(event?.message.content.split('\n')).toEqual([
    expect.stringMatching(/^@_\*\*Otto Other\|\d+\*\* reported a message sent by @_\*\*.*\*\* at <time:.*\+00:00>\.$/),
    '```quote',
    '**Other reason**. Please look',
    '```',
    '',
    `\`\`\` spoiler Original message at #**general>lunch@${id}**`,
    'Rude words',
    '```',
  ]);
  expect(await eventsOf(megs, 'message')).toEqual([]);
  const direct = await sendDirect(asMeg, [otto.id]);
  await asOtto.post(`/messages/${direct}/report`, {report_type: 'spam'});
  expect((await eventsOf(mos, 'message'))[0]?.message.content).toContain('spoiler [Original message](http');
});

test('messages: a report quotes all of a text with code, cuts a long one, and says who got a direct message of several', async () => {
  const {server, asMeg, asOtto, otto, nina, general} = await messagesFixture();
  const mo = server.people.moderator();
  server.people.setting('moderation_request_channel_id', server.people.channel('mod desk', [mo], {invite_only: 1}));
  const mos = await server.as(mo).listen({event_types: ['message']});
  const ids = [
    await sendToChannel(asMeg, general, '`````\ncode\n`````'),
    await sendToChannel(asMeg, general, 'x'.repeat(10_000)),
    await sendDirect(asMeg, [otto.id, nina.id]),
  ];
  for (const id of ids) await asOtto.post(`/messages/${id}/report`, {report_type: 'spam'});
  const [code, long, direct] = (await mos.events()).map(({message}) => String(message.content));
  expect(code).toMatch(/\n`{6} spoiler .*\n`{5}\ncode\n`{5}\n`{6}$/);
  expect(long).toMatch(/\nx{8000,}\n\[message truncated\]\n```$/);
  expect(direct).toMatch(
    /sent by @_\*\*Meg Member\|\d+\*\* to @_\*\*Otto Other\|\d+\*\* and @_\*\*Nina Nonsub\|\d+\*\* at/,
  );
});

test('messages: the render endpoint renders Markdown without sending', async () => {
  const {asMeg} = await messagesFixture();
  const {rendered} = await asMeg.post('/messages/render', {content: '**Hi**'});
  expect(rendered).toBe('<p><strong>Hi</strong></p>');
});

test('messages: /ping succeeds and an unknown slash command is refused', async () => {
  const {asMeg} = await messagesFixture();
  await asMeg.post('/zcommand', {command: '/ping'});
  await asMeg.refused('POST', '/zcommand', {command: '/wibble'}, refusal);
});

test('messages: emoticons become emoji only with the user’s setting', async () => {
  const {server, general} = await messagesFixture();
  const keen = server.people.add('Keen Kim', {settings: {translate_emoticons: true}});
  server.people.subscribe(keen, general);
  const plain = server.people.member('Plain Pat');
  const rendered = async (person: typeof keen) =>
    (await server.as(person).post('/messages/render', {content: 'nice :)'})).rendered;
  expect(await rendered(keen)).toContain('class="emoji');
  expect(await rendered(plain)).toBe('<p>nice :)</p>');
});

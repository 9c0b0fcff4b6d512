import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {eventsOf, messagesFixture, sendDirect, sendToChannel} from './messages-fixture.ts';

const refusal = {code: 'BAD_REQUEST'};

test('edit content: an edit is sent to all readers with their own flags and to no others', async () => {
  const {asMeg, asOtto, asNina, meg, otto, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'Soop');
  const megs = await asMeg.listen();
  const ottos = await asOtto.listen();
  const ninas = await asNina.listen();
  expect(await asMeg.patch(`/messages/${id}`, {content: `@**${otto.fullName}** Soup`})).toMatchObject({
    detached_uploads: [],
  });
  const [event] = await eventsOf(ottos, 'update_message');
  expect(event).toMatchObject({
    user_id: meg.id,
    rendering_only: false,
    message_id: id,
    message_ids: [id],
    flags: ['mentioned'],
    edit_timestamp: expect.any(Number),
    stream_id: general,
    stream_name: 'general',
    orig_content: 'Soop',
    orig_rendered_content: '<p>Soop</p>',
    content: `@**${otto.fullName}** Soup`,
    is_me_message: false,
  });
  expect(event?.rendered_content).toContain('user-mention');
  for (const name of ['new_stream_id', 'propagate_mode', 'subject', 'orig_subject']) {
    expect(event).not.toHaveProperty(name);
  }
  expect((await eventsOf(megs, 'update_message'))[0]?.flags).toEqual(['read']);
  expect(await ninas.events()).toEqual([]);
  await asMeg.patch(`/messages/${id}`, {content: 'Soup'});
  expect((await eventsOf(ottos, 'update_message'))[0]?.flags).toEqual([]);
});

test('edit content: a mention that an edit adds or removes counts for those who received the message, also before a move', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const desk = server.people.channel('desk', [meg]);
  const mention = `@**${otto.fullName}** Soup`;
  const flags = async () => (await asOtto.get(`/messages/${moved}`)).message.flags;
  const moved = await sendToChannel(asMeg, general, mention);
  server.people.subscribe(otto, desk);
  await asMeg.patch(`/messages/${moved}`, {stream_id: desk, send_notification_to_new_thread: false});
  expect(await flags()).toContain('mentioned');
  await asMeg.patch(`/messages/${moved}`, {content: 'Soup'});
  expect(await flags()).not.toContain('mentioned');
  await asOtto.delete('/users/me/subscriptions', {subscriptions: ['general']});
  const next = await sendToChannel(asMeg, general, 'Soop');
  await asMeg.patch(`/messages/${next}`, {content: mention});
  expect(server.context.db.all('SELECT * FROM message_mention')).toEqual([]);
});

test('edit content: former subscribers get no edit of what they can no longer read', async () => {
  const {server, asMeg, otto, meg, asOtto} = await messagesFixture();
  const guest = server.people.guest();
  const asGuest = server.as(guest);
  const open = server.people.channel('open', [meg, otto, guest]);
  const closed = server.people.channel('closed', [meg, otto], {
    invite_only: 1,
    history_public_to_subscribers: 0,
    permissions: {can_subscribe_group: SystemGroup.members},
  });
  const [inOpen, inClosed] = [await sendToChannel(asMeg, open), await sendToChannel(asMeg, closed)];
  for (const client of [asOtto, asGuest]) await client.post('/mark_all_as_read');
  await asOtto.delete('/users/me/subscriptions', {subscriptions: ['open', 'closed']});
  await asGuest.delete('/users/me/subscriptions', {subscriptions: ['open']});
  const [ottos, guests] = [await asOtto.listen(), await asGuest.listen()];
  for (const id of [inOpen, inClosed]) await asMeg.patch(`/messages/${id}`, {content: 'Changed'});
  expect(await eventsOf(ottos, 'update_message')).toMatchObject([{message_id: inOpen}]);
  expect(await eventsOf(guests, 'update_message')).toEqual([]);
});

test('edit content: a direct message can be edited but has no topic or channel', async () => {
  const {asMeg, asOtto, otto, general} = await messagesFixture();
  const id = await sendDirect(asMeg, [otto.id]);
  const ottos = await asOtto.listen();
  await asMeg.patch(`/messages/${id}`, {content: 'Better'});
  const [event] = await eventsOf(ottos, 'update_message');
  expect(event).toMatchObject({message_id: id, content: 'Better', flags: []});
  expect(event).not.toHaveProperty('stream_id');
  await asMeg.refused('PATCH', `/messages/${id}`, {topic: 'x'}, refusal);
  await asMeg.refused('PATCH', `/messages/${id}`, {stream_id: general}, refusal);
});

test('edit content: edits are refused after the time limit and a grace period', async () => {
  const clock = new ManualClock();
  const {server, asMeg, general} = await messagesFixture({clock});
  const id = await sendToChannel(asMeg, general);
  clock.advance(615_000);
  await asMeg.patch(`/messages/${id}`, {content: 'In time'});
  clock.advance(10_000);
  await asMeg.refused('PATCH', `/messages/${id}`, {content: 'Too late'}, refusal);
  server.people.setting('message_content_edit_limit_seconds', null);
  await asMeg.patch(`/messages/${id}`, {content: 'No limit'});
});

test('edit content: what cannot be changed is refused in the order of Zulip’s servers', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const other = server.people.channel('other', [meg]);
  const id = await sendToChannel(asMeg, general);
  const direct = await sendDirect(asMeg, [otto.id]);
  const denied = "You don't have permission to edit this message";
  const mode = 'Invalid propagate_mode without topic or channel edit';
  const resolved = 'General chat cannot be marked as resolved';
  const hash = "'prev_content_sha256' value does not match the expected value.";
  const rows: [client: typeof asMeg, id: number, change: object, msg: string][] = [
    [asMeg, id, {}, 'Nothing to change'],
    [asMeg, id, {topic: 'lunch', propagate_mode: 'change_all'}, 'Nothing to change'],
    [asMeg, id, {stream_id: general}, 'Nothing to change'],
    [asMeg, id, {content: 'x', stream_id: other}, 'Cannot change message content while changing channel'],
    [asOtto, id, {content: 'x', stream_id: other}, denied],
    [asOtto, id, {content: 'x', propagate_mode: 'change_all'}, denied],
    [asMeg, id, {content: 'x', topic: 'lunch', propagate_mode: 'change_all'}, mode],
    [asMeg, id, {content: 'x', propagate_mode: 'wrong'}, 'Invalid propagate_mode'],
    [asMeg, id, {topic: '✔'}, resolved],
    [asMeg, id, {topic: '✔ general chat'}, resolved],
    [asMeg, id, {topic: 'new', prev_content_sha256: 'x'}, hash],
    [asMeg, direct, {stream_id: general, topic: 'x'}, 'Direct messages cannot be moved to channels.'],
    [asMeg, direct, {content: 'x', topic: 'x'}, 'Direct messages cannot have topics.'],
    [asMeg, 99_999, {content: 'x'}, 'Invalid message(s)'],
  ];
  for (const [client, message, change, msg] of rows) {
    const {body} = await client.raw('PATCH', `/messages/${message}`, {...change});
    expect(body.msg, JSON.stringify(change)).toBe(msg);
  }
  server.people.setting('allow_message_editing', false);
  const {body} = await asOtto.raw('PATCH', `/messages/${id}`, {content: 'x'});
  expect(body.msg).toBe('Your organization has turned off message editing');
});

test('edit content: saving the same text is an edit', async () => {
  const {asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const megs = await asMeg.listen();
  await asMeg.patch(`/messages/${id}`, {content: 'Hello\n'});
  expect(await megs.events()).toMatchObject([{type: 'update_message', content: 'Hello', orig_content: 'Hello'}]);
  const {message} = await asMeg.get(`/messages/${id}`);
  expect(message.edit_history).toMatchObject([{prev_content: 'Hello', prev_rendered_content: '<p>Hello</p>'}]);
});

test('edit content: an emptied message becomes "(deleted)"', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  await asMeg.patch(`/messages/${id}`, {content: ' \n'});
  expect(server.context.db.value('SELECT content FROM message WHERE id = ?', id)).toBe('(deleted)');
});

test('edit content: an edit with an outdated content hash is refused', async () => {
  const {asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'One');
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const edit = {content: 'Two', prev_content_sha256: hash('One')};
  await asMeg.patch(`/messages/${id}`, edit);
  const reply = await asMeg.refused(
    'PATCH',
    `/messages/${id}`,
    {...edit, content: 'Three'},
    {
      code: 'EXPECTATION_MISMATCH',
    },
  );
  expect(reply.field_name).toBe('prev_content_sha256');
});

test('edit content: a widget cannot be edited', async () => {
  const {asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, '/poll Where?');
  await asMeg.refused('PATCH', `/messages/${id}`, {content: 'x'}, refusal);
  await asMeg.patch(`/messages/${id}`, {topic: 'elsewhere'});
});

test('edit content: an edit to a text with a wildcard mention needs the permission', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const mentions = await sendToChannel(asMeg, general, '@**all**');
  const plain = await sendToChannel(asMeg, general);
  for (let i = 0; i < 14; i++) server.people.subscribe(server.people.member(`Member ${i}`), general);
  for (const id of [mentions, plain]) {
    const edit = {content: '@**all** again'};
    await asMeg.refused('PATCH', `/messages/${id}`, edit, {code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'});
  }
});

test('edit content: files are linked to the message and unlinked when an edit removes the link', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const file = (owner: number, path: string) =>
    server.context.db.insert(
      `INSERT INTO attachment (owner_id, name, path_id, size, content_type, created_at)
       VALUES (?, 'a.txt', ?, 5, 'text/plain', 7)`,
      owner,
      path,
    );
  const mine = file(meg.id, '1/ab/a.txt');
  file(otto.id, '1/cd/a.txt');
  const megs = await asMeg.listen();
  const ottos = await asOtto.listen();
  const id = await sendToChannel(asMeg, general, '[a](/user_uploads/1/ab/a.txt) [b](/user_uploads/1/cd/a.txt)');
  const view = {id: mine, name: 'a.txt', path_id: '1/ab/a.txt', size: 5, create_time: 7};
  expect(await eventsOf(megs, 'attachment')).toMatchObject([
    {op: 'update', attachment: {...view, message_ids: [id]}, upload_space_used: 10},
  ]);
  expect(await eventsOf(ottos, 'attachment')).toEqual([]);
  const reply = await asMeg.patch(`/messages/${id}`, {content: 'No files'});
  expect(reply.detached_uploads).toEqual([{...view, message_ids: []}]);
  // As on Zulip's servers, no event tells of a link that was removed.
  expect(await eventsOf(megs, 'attachment')).toEqual([]);
  // A user who can read a file through a message may share it.
  await sendToChannel(asMeg, general, '[a](/user_uploads/1/ab/a.txt)');
  const passedOn = await sendToChannel(asOtto, general, '[a](/user_uploads/1/ab/a.txt)');
  expect((await eventsOf(megs, 'attachment')).at(-1)?.attachment.message_ids).toContain(passedOn);
});

test('edit content: messages of an archived channel cannot be edited', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  server.context.db.run('UPDATE channel SET is_archived = 1 WHERE id = ?', general);
  await asMeg.refused('PATCH', `/messages/${id}`, {content: 'x'}, refusal);
  await asMeg.refused('DELETE', `/messages/${id}`, {}, refusal);
  await asMeg.refused('POST', `/messages/${id}/reactions`, {emoji_name: 'octopus'}, refusal);
});

test('edit content: an edit can be begun until the limit, and saved until 20 seconds after it', async () => {
  const clock = new ManualClock();
  const {server, asMeg, general} = await messagesFixture({clock});
  server.people.setting('message_content_edit_limit_seconds', 600);
  const id = await sendToChannel(asMeg, general, 'Soop');
  const begin = () => asMeg.raw('POST', `/messages/${id}/typing`, {op: 'start'});
  const save = () => asMeg.raw('PATCH', `/messages/${id}`, {content: 'Soup'});
  const results: (readonly number[])[] = [];
  for (const seconds of [600, 1, 19, 1]) {
    clock.advance(1000 * seconds);
    results.push([(await begin()).status, (await save()).status]);
  }
  expect(results).toEqual([
    [200, 200],
    [400, 200],
    [400, 200],
    [400, 400],
  ]);
});

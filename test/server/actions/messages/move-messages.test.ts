import {expect, test} from 'vitest';
import {countDetachedRows, unreadSql} from '#server/db/unread-messages.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {eventsOf, type MessagesFixture, messagesFixture, sendToChannel} from './messages-fixture.ts';

const refusal = {code: 'BAD_REQUEST'};
const withoutNotices = {send_notification_to_new_thread: false, send_notification_to_old_thread: false};

function locationsOf({server}: MessagesFixture, ...ids: number[]) {
  return ids.map((id) => {
    const row = server.context.db.get<{channel_id: number; topic: string}>(
      'SELECT channel_id, topic FROM message WHERE id = ?',
      id,
    );
    return [row?.channel_id, row?.topic];
  });
}

test('move: the mode moves one message, later ones or the whole topic', async () => {
  const fixture = await messagesFixture();
  const {asMeg, asOtto, meg, general} = fixture;
  const [a, b, c] = [
    await sendToChannel(asMeg, general),
    await sendToChannel(asOtto, general),
    await sendToChannel(asMeg, general),
  ];
  const ottos = await asOtto.listen();
  await asMeg.patch(`/messages/${b}`, {topic: 'one', ...withoutNotices});
  expect(locationsOf(fixture, a, b, c).map(([, topic]) => topic)).toEqual(['lunch', 'one', 'lunch']);
  await asMeg.patch(`/messages/${c}`, {topic: 'later', propagate_mode: 'change_later', ...withoutNotices});
  expect(locationsOf(fixture, a, b, c).map(([, topic]) => topic)).toEqual(['lunch', 'one', 'later']);
  await asMeg.patch(`/messages/${b}`, {topic: 'later', ...withoutNotices});
  await asMeg.patch(`/messages/${c}`, {topic: 'all', propagate_mode: 'change_all', ...withoutNotices});
  expect(locationsOf(fixture, a, b, c).map(([, topic]) => topic)).toEqual(['lunch', 'all', 'all']);
  const [first, , , last] = await eventsOf(ottos, 'update_message');
  expect(first).toMatchObject({
    user_id: meg.id,
    rendering_only: false,
    message_id: b,
    message_ids: [b],
    flags: ['read'],
    stream_id: general,
    stream_name: 'general',
    propagate_mode: 'change_one',
    orig_subject: 'lunch',
    subject: 'one',
    topic_links: [],
  });
  for (const name of ['new_stream_id', 'content', 'orig_content']) expect(first).not.toHaveProperty(name);
  expect(last).toMatchObject({message_id: c, message_ids: [b, c], propagate_mode: 'change_all'});
});

test('move: the bot posts a notice in the new topic and, on request, in the old one', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const [a] = [
    await sendToChannel(asMeg, general),
    await sendToChannel(asMeg, general),
    await sendToChannel(asMeg, general),
  ];
  const who = `@_**${meg.fullName}|${meg.id}**`;
  const notices = () =>
    server.context.db.all(`SELECT topic, content FROM message WHERE client = 'Internal' ORDER BY id DESC LIMIT 2`);
  await asMeg.patch(`/messages/${a}`, {topic: 'tea', send_notification_to_old_thread: true});
  expect(notices()).toEqual([
    {topic: 'lunch', content: `A message was moved from this topic to #**general>tea** by ${who}.`},
    {
      topic: 'tea',
      content: `[A message](${server.url}/#narrow/channel/${general}-general/topic/tea/near/${a}) was moved here from #**general>lunch** by ${who}.`,
    },
  ]);
  await asMeg.patch(`/messages/${a}`, {topic: 'cake', propagate_mode: 'change_all'});
  expect(notices()[0]).toEqual({
    topic: 'cake',
    content: `This topic was moved here from #**general>tea** by ${who}.`,
  });
});

test('move: resolving posts a notice that is read for users who do not follow the topic', async () => {
  const {server, asMeg, asOtto, meg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const ottos = await asOtto.listen();
  const megs = await asMeg.listen();
  await asOtto.patch(`/messages/${id}`, {topic: '✔ lunch', propagate_mode: 'change_all'});
  const notice = {subject: '✔ lunch', content: expect.stringContaining('has marked this topic as resolved.')};
  expect(await eventsOf(ottos, 'message')).toMatchObject([{flags: ['read'], message: notice}]);
  expect(await eventsOf(megs, 'message')).toMatchObject([{flags: [], message: notice}]);
  expect(server.context.db.value('SELECT last_moved_at FROM message WHERE id = ?', id)).toBeNull();
  expect(
    server.context.db.value(`SELECT policy FROM user_topic WHERE user_id = ? AND topic_key = '✔ lunch'`, meg.id),
  ).toBe(3);
});

test('move: unresolving within a minute deletes the notice, later it adds another', async () => {
  const clock = new ManualClock();
  const {asMeg, asOtto, general} = await messagesFixture({clock});
  const id = await sendToChannel(asMeg, general);
  const rename = (topic: string) => asMeg.patch(`/messages/${id}`, {topic, propagate_mode: 'change_all'});
  await rename('✔ lunch');
  const ottos = await asOtto.listen({event_types: ['message', 'delete_message']});
  clock.advance(60_000);
  await rename('lunch');
  expect(await ottos.events()).toMatchObject([{type: 'delete_message'}]);
  await rename('✔ lunch');
  clock.advance(61_000);
  await rename('lunch');
  expect(await ottos.events()).toMatchObject([
    {message: {content: expect.stringContaining('as resolved.')}},
    {message: {content: expect.stringContaining('as unresolved.')}},
  ]);
});

test('move: the author of the first message moved to a new topic follows it', async () => {
  const {asMeg, asOtto, general} = await messagesFixture();
  await sendToChannel(asMeg, general);
  const id = await sendToChannel(asOtto, general);
  await sendToChannel(asMeg, general);
  const ottos = await asOtto.listen({event_types: ['user_topic']});
  await asMeg.patch(`/messages/${id}`, {topic: 'tea', propagate_mode: 'change_later'});
  expect(await ottos.events()).toMatchObject([{type: 'user_topic', topic_name: 'tea', visibility_policy: 3}]);
});

test('move: resolving needs its own permission and is refused for general chat', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general);
  const empty = await sendToChannel(asMeg, general, 'Hi', '');
  await asMeg.refused('PATCH', `/messages/${empty}`, {topic: '✔ '}, refusal);
  server.people.setting('can_resolve_topics_group', SystemGroup.moderators);
  await asMeg.refused('PATCH', `/messages/${id}`, {topic: '✔ lunch'}, refusal);
  await asMeg.patch(`/messages/${id}`, {topic: 'renamed'});
  const desk = server.people.channel('desk', [meg], {
    permissions: {can_resolve_topics_group: SystemGroup.members},
  });
  await asMeg.patch(`/messages/${await sendToChannel(asMeg, desk)}`, {topic: '✔ lunch'});
});

test('move: organization and channel can limit who moves messages between topics', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  server.people.setting('can_move_messages_between_topics_group', SystemGroup.moderators);
  const id = await sendToChannel(asMeg, general);
  await asMeg.refused('PATCH', `/messages/${id}`, {topic: 'tea'}, refusal);
  await asMeg.patch(`/messages/${id}`, {topic: '✔ lunch'});
  const desk = server.people.channel('desk', [meg], {
    permissions: {can_move_messages_within_channel_group: SystemGroup.members},
  });
  await asMeg.patch(`/messages/${await sendToChannel(asMeg, desk)}`, {topic: 'tea'});
});

test('move: the destination’s topic rules apply to moves', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const chat = server.people.channel('chat', [meg], {topics_policy: 'empty_topic_only'});
  const desk = server.people.channel('desk', [meg], {
    permissions: {can_create_topic_group: SystemGroup.administrators},
  });
  const news = server.people.channel('news', [meg], {
    permissions: {can_send_message_group: SystemGroup.administrators},
  });
  const id = await sendToChannel(asMeg, general);
  await asMeg.refused('PATCH', `/messages/${id}`, {stream_id: chat}, refusal);
  await asMeg.refused('PATCH', `/messages/${id}`, {stream_id: desk}, refusal);
  await asMeg.refused('PATCH', `/messages/${id}`, {stream_id: news}, refusal);
  await asMeg.patch(`/messages/${id}`, {stream_id: chat, topic: '', ...withoutNotices});
});

test('move: the error of the age limit names the messages that may move; moderators have no limit', async () => {
  const clock = new ManualClock();
  const {server, asMeg, general} = await messagesFixture({clock});
  const old = await sendToChannel(asMeg, general);
  clock.advance(604_800_000);
  const recent = await sendToChannel(asMeg, general);
  await sendToChannel(asMeg, general);
  clock.advance(60_000);
  const move = {topic: 'tea', propagate_mode: 'change_all', ...withoutNotices};
  await asMeg.refused('PATCH', `/messages/${old}`, {...move, propagate_mode: 'change_one'}, refusal);
  const reply = await asMeg.refused('PATCH', `/messages/${recent}`, move, {
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
  });
  expect(reply).toMatchObject({
    first_message_id_allowed_to_move: recent,
    total_messages_in_topic: 3,
    total_messages_allowed_to_move: 2,
  });
  await asMeg.patch(`/messages/${old}`, {topic: '✔ lunch', propagate_mode: 'change_all', ...withoutNotices});
  await server.as(server.people.moderator()).patch(`/messages/${old}`, move);
});

test('move: a move that was begun in time can be saved 20 seconds later', async () => {
  const clock = new ManualClock();
  const {server, asMeg, meg, general} = await messagesFixture({clock});
  server.people.setting('move_messages_within_stream_limit_seconds', 600);
  const [first, second] = [await sendToChannel(asMeg, general), await sendToChannel(asMeg, general)];
  clock.advance(620_000);
  await asMeg.patch(`/messages/${first}`, {topic: 'tea', propagate_mode: 'change_all', ...withoutNotices});
  clock.advance(1000);
  await asMeg.refused('PATCH', `/messages/${second}`, {topic: 'milk'}, refusal);
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.members);
  server.people.setting('move_messages_between_streams_limit_seconds', 600);
  const desk = server.people.channel('desk', [meg]);
  const move = {stream_id: desk, ...withoutNotices};
  await asMeg.refused('PATCH', `/messages/${second}`, move, refusal);
  await server.as(server.people.moderator()).patch(`/messages/${second}`, move);
});

test('move: a move to a private channel deletes for users without access and updates for its readers', async () => {
  const fixture = await messagesFixture();
  const {server, asMeg, asOtto, asNina, meg, nina, otto, general} = fixture;
  const secret = server.people.channel('secret', [meg, nina], {invite_only: 1});
  const id = await sendToChannel(asMeg, general);
  const otherId = await sendToChannel(asMeg, general);
  await asOtto.post('/messages', {type: 'channel', to: general, topic: 'other', content: 'x'});
  const ottos = await asOtto.listen();
  const ninas = await asNina.listen();
  await asMeg.patch(`/messages/${id}`, {stream_id: secret, ...withoutNotices});
  expect(locationsOf(fixture, id, otherId)).toEqual([
    [secret, 'lunch'],
    [general, 'lunch'],
  ]);
  const events = await ottos.events();
  expect(events.filter((event) => event.type !== 'stream')).toMatchObject([
    {type: 'delete_message', message_type: 'stream', message_ids: [id], stream_id: general, topic: 'lunch'},
  ]);
  expect(events.every((event) => event.stream_id !== secret)).toBe(true);
  const [moved] = await eventsOf(ninas, 'update_message');
  expect(moved).toMatchObject({
    message_ids: [id],
    stream_id: general,
    new_stream_id: secret,
    orig_subject: 'lunch',
    flags: ['read'],
  });
  expect(moved).not.toHaveProperty('subject');
  expect(server.context.db.pluck(`SELECT id FROM ${unreadSql}`, otto.id)).toEqual([otherId]);
});

test('move: readers of the destination do not learn the name of a hidden origin', async () => {
  const {server, asMeg, asNina, meg, nina} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const open = server.people.channel('open', [meg, nina]);
  const id = await sendToChannel(asMeg, secret, 'Hello', 'plans');
  const megs = await asMeg.listen();
  const ninas = await asNina.listen();
  await asMeg.patch(`/messages/${id}`, {stream_id: open, ...withoutNotices});
  expect(await eventsOf(megs, 'update_message')).toMatchObject([{stream_name: 'secret', orig_subject: 'plans'}]);
  const [moved] = await eventsOf(ninas, 'update_message');
  expect(moved).toMatchObject({message_ids: [id], new_stream_id: open, subject: 'plans'});
  expect(moved).not.toHaveProperty('stream_name');
  expect(moved).not.toHaveProperty('orig_subject');
});

test.each([
  ['that one never joined', false],
  ['that one has left', true],
])('move: messages moved to a public channel %s are no longer among one’s own', async (_, hasLeft) => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const open = server.people.channel('open', hasLeft ? [meg, otto] : [meg]);
  if (hasLeft) await asOtto.delete('/users/me/subscriptions', {subscriptions: ['open']});
  const id = await sendToChannel(asMeg, general);
  const nina = server.people.member('Nina Stars');
  for (const client of [asOtto, server.as(nina)]) {
    await client.post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  }
  const ottos = await asOtto.listen();
  const ninas = await server.as(nina).listen();
  await asMeg.patch(`/messages/${id}`, {stream_id: open, ...withoutNotices});
  const events = await ottos.events();
  expect(events.filter(({type}) => type !== 'stream')).toMatchObject([
    {type: 'update_message', message_ids: [id], new_stream_id: open, flags: ['read']},
  ]);
  expect(server.context.db.value('SELECT COUNT(*) FROM user_message WHERE user_id = ?', otto.id)).toBe(0);
  const page = {anchor: 'newest', num_before: 9, num_after: 0};
  expect((await asOtto.get('/messages', page)).messages).toEqual([]);
  // A star of somebody who never was in the old channel is not lost.
  expect(await eventsOf(ninas, 'update_message')).toMatchObject([{flags: ['read', 'starred', 'historical']}]);
  expect((await server.as(nina).get('/messages', page)).messages).toMatchObject([{id}]);
});

test('move: subscribers of the new channel hear of messages from a channel with protected history only if they received them', async () => {
  const {server, asMeg, asOtto, asNina, meg, otto, nina} = await messagesFixture();
  const history = {invite_only: 1, history_public_to_subscribers: 0};
  const secret = server.people.channel('secret', [meg, otto], history);
  const open = server.people.channel('open', [meg, otto, nina]);
  const id = await sendToChannel(asMeg, secret);
  const [ottos, ninas] = [await asOtto.listen(), await asNina.listen()];
  await asMeg.patch(`/messages/${id}`, {stream_id: open, ...withoutNotices});
  expect(await eventsOf(ottos, 'update_message')).toMatchObject([{message_ids: [id], new_stream_id: open}]);
  expect(await eventsOf(ninas, 'update_message')).toEqual([]);
});

test('move: moving between channels needs a permission; unknown channels are refused', async () => {
  const {server, asMeg, asNina, meg, otto, general} = await messagesFixture();
  const other = server.people.channel('other', [meg]);
  const hidden = server.people.channel('hidden', [otto], {invite_only: 1});
  const id = await sendToChannel(asMeg, general);
  const old = server.people.channel('old', [meg], {is_archived: 1});
  for (const stream_id of [hidden, old, 999]) {
    expect((await asMeg.raw('PATCH', `/messages/${id}`, {stream_id})).body.msg).toBe('Invalid channel ID');
  }
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.moderators);
  await asNina.refused('PATCH', `/messages/${id}`, {stream_id: other}, refusal);
  const free = server.people.channel('free', [meg], {
    permissions: {can_move_messages_out_of_channel_group: SystemGroup.members},
  });
  await asMeg.patch(`/messages/${await sendToChannel(asMeg, free)}`, {stream_id: other});
});

test('move: notices say what the mover sees of the topics', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const notices = async (topic: string) => {
    const sql = `SELECT content FROM message WHERE topic = ? AND client = 'Internal' ORDER BY id`;
    return server.context.db.pluck<string>(sql, topic).map((text) => text.replace(/\(.*?\)/, '(…)'));
  };
  const by = `by @_**${meg.fullName}|${meg.id}**.`;
  const whole = {propagate_mode: 'change_all'};
  const a = await sendToChannel(asMeg, general, 'x', 'a');
  await sendToChannel(asMeg, general, 'x', 'b');
  await asMeg.patch(`/messages/${a}`, {topic: 'b', ...whole});
  expect(await notices('b')).toEqual([`[A message](…) was moved here from #**general>a** ${by}`]);
  await asMeg.patch(`/messages/${a}`, {topic: 'c', ...whole});
  expect((await notices('c')).at(-1)).toBe(`This topic was moved here from #**general>b** ${by}`);
  const long = 'x'.repeat(60);
  const c = await sendToChannel(asMeg, general, 'x', long);
  await asMeg.patch(`/messages/${c}`, {
    topic: `✔ ${long}`,
    ...whole,
    ...withoutNotices,
    send_notification_to_old_thread: true,
  });
  const resolved = `✔ ${'x'.repeat(55)}...`;
  expect(await notices(resolved)).toEqual([`@_**${meg.fullName}|${meg.id}** has marked this topic as resolved.`]);
  expect(await notices(long)).toEqual([`This topic was moved to #**general>${resolved}** ${by}`]);
  const d = await sendToChannel(asMeg, general, 'x', 'd');
  await asMeg.patch(`/messages/${d}`, {topic: '✔ d', content: 'y', ...whole});
  expect(await notices('✔ d')).toEqual([]);
});

test('move: a message older than those of its new topic makes its author follow the topic', async () => {
  const {server, asMeg, asOtto, meg, general} = await messagesFixture();
  const a = await sendToChannel(asMeg, general, 'x', 'a');
  await sendToChannel(asMeg, general, 'x', 'a');
  await sendToChannel(asOtto, general, 'x', 'b');
  await asMeg.patch(`/messages/${a}`, {topic: 'b', ...withoutNotices});
  const policy = 'SELECT policy FROM user_topic WHERE user_id = ? AND topic_key = ?';
  expect(server.context.db.value(policy, meg.id, 'b')).toBe(3);
});

test('move: a whole topic keeps users’ policies; merged topics get the more visible one', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'Hello', 'a');
  await sendToChannel(asMeg, general, 'Hello', 'b');
  const setPolicy = (topic: string, visibility_policy: number) =>
    asOtto.post('/user_topics', {stream_id: general, topic, visibility_policy});
  await setPolicy('a', 1);
  // The author of a topic that moves as a whole does not start a new one.
  await asMeg.post('/user_topics', {stream_id: general, topic: 'a', visibility_policy: 1});
  const ottos = await asOtto.listen();
  await asMeg.patch(`/messages/${id}`, {topic: 'c', ...withoutNotices});
  const changes = async () =>
    (await eventsOf(ottos, 'user_topic')).map((event) => [event.topic_name, event.visibility_policy]);
  expect(await changes()).toEqual([
    ['a', 0],
    ['c', 1],
  ]);
  const ownPolicy = `SELECT policy FROM user_topic WHERE user_id = ? AND topic_key = 'c'`;
  expect(server.context.db.value(ownPolicy, meg.id)).toBe(1);
  await asMeg.patch(`/messages/${id}`, {topic: 'b', ...withoutNotices});
  expect(await changes()).toEqual([['c', 0]]);
  expect(server.context.db.all('SELECT topic_key FROM user_topic WHERE user_id = ?', otto.id)).toEqual([]);
});

test('move: a topic renamed only in case, no notice is posted and its followers get both names', async () => {
  const {server, asMeg, asOtto, general} = await messagesFixture();
  const id = await sendToChannel(asMeg, general, 'Hello', 'tea');
  for (const policy of [3, 1]) {
    await asOtto.post('/user_topics', {stream_id: general, topic: 'tea', visibility_policy: policy});
    const ottos = await asOtto.listen({event_types: ['message', 'user_topic']});
    const [from, to] = policy === 3 ? ['tea', 'Tea'] : ['Tea', 'TEA'];
    await asMeg.patch(`/messages/${id}`, {
      topic: to,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    });
    expect(await ottos.events()).toMatchObject([
      {type: 'user_topic', topic_name: from, visibility_policy: 0},
      {type: 'user_topic', topic_name: to, visibility_policy: policy},
    ]);
  }
  const topics = 'SELECT DISTINCT topic FROM message';
  expect(server.context.db.pluck<string>(topics)).toEqual(['TEA']);
});

test('move: "(no topic)" as a new name stays as it is, the shown name of the empty topic does not', async () => {
  const fixture = await messagesFixture();
  const {asMeg, general} = fixture;
  const id = await sendToChannel(asMeg, general, 'Hello', 'tea');
  await asMeg.patch(`/messages/${id}`, {topic: '(no topic)', ...withoutNotices});
  expect(locationsOf(fixture, id)).toEqual([[general, '(no topic)']]);
  const older = {client_capabilities: {notification_settings_null: false}};
  const clients = [await asMeg.listen(older), await asMeg.listen()];
  await asMeg.patch(`/messages/${id}`, {topic: 'general chat', ...withoutNotices});
  expect(locationsOf(fixture, id)).toEqual([[general, '']]);
  const subjects = clients.map(async (client) =>
    (await eventsOf(client, 'update_message')).map(({subject}) => subject),
  );
  expect(await Promise.all(subjects)).toEqual([['general chat'], ['']]);
});

test('move: an old message that moves to a channel does not make it inactive, and a new one makes it active', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const moderator = server.as(server.people.moderator());
  const [busy, quiet] = [server.people.channel('busy', [meg]), server.people.channel('quiet', [meg])];
  const old = await sendToChannel(asMeg, general);
  const recent = await sendToChannel(asMeg, busy);
  server.context.db.run('UPDATE message SET sent_at = 1 WHERE id = ?', old);
  server.context.db.run('UPDATE channel SET created_at = 1');
  const isActive = async (id: number) =>
    (await asMeg.get('/streams')).streams.find(({stream_id}: {stream_id: number}) => stream_id === id)
      .is_recently_active;
  expect([await isActive(busy), await isActive(quiet)]).toEqual([true, false]);
  await moderator.patch(`/messages/${old}`, {stream_id: busy, ...withoutNotices});
  expect(await isActive(busy)).toBe(true);
  await moderator.patch(`/messages/${recent}`, {stream_id: quiet, ...withoutNotices});
  expect(await isActive(quiet)).toBe(true);
});

test('move: with protected history users get events only for messages they received', async () => {
  const {server, asMeg, asOtto, meg, otto} = await messagesFixture();
  const vault = server.people.channel('vault', [meg], {invite_only: 1, history_public_to_subscribers: 0});
  const before = await sendToChannel(asMeg, vault);
  server.people.subscribe(otto, vault);
  const after = await sendToChannel(asMeg, vault);
  const ottos = await asOtto.listen();
  const megs = await asMeg.listen();
  await asMeg.patch(`/messages/${before}`, {topic: 'tea', propagate_mode: 'change_all', ...withoutNotices});
  expect(await eventsOf(ottos, 'update_message')).toMatchObject([{message_id: after, message_ids: [after]}]);
  expect(await eventsOf(megs, 'update_message')).toMatchObject([{message_ids: [before, after]}]);
});

test('move: the rows of people who have moved messages unread are counted up to a limit', async () => {
  const fixture = await messagesFixture();
  const {server, meg, otto} = fixture;
  const {db} = server.context;
  const [from, to] = [server.people.channel('from', [meg, otto]), server.people.channel('to', [meg, otto])];
  const ids: number[] = [];
  for (const content of ['one', 'two']) {
    ids.push((await server.as(meg).post('/messages', {type: 'stream', to: from, topic: 't', content})).id);
  }
  const rowCount = (limit: number) => countDetachedRows(db, ids, {channelId: from, topicKey: 't'}, to, limit);
  expect([rowCount(1), rowCount(5)]).toEqual([1, 2]);
});

test('move: with protected history, a whole topic moves as far as the mover received it', async () => {
  const fixture = await messagesFixture();
  const {server, asMeg, asOtto, meg, otto} = fixture;
  const hidden = {invite_only: 1, history_public_to_subscribers: 0};
  const closed = server.people.channel('closed', [otto, meg], hidden);
  const subscriptions = ['closed'];
  const received = [await sendToChannel(asOtto, closed), await sendToChannel(asOtto, closed)];
  await asMeg.delete('/users/me/subscriptions', {subscriptions});
  const away = [await sendToChannel(asOtto, closed), await sendToChannel(asOtto, closed)];
  await asOtto.post('/users/me/subscriptions', {subscriptions: [{name: 'closed'}], principals: [meg.id]});
  received.push(await sendToChannel(asOtto, closed));
  const ottos = await asOtto.listen({event_types: ['update_message']});
  const move = {topic: 'tea', propagate_mode: 'change_all', ...withoutNotices};
  await asMeg.patch(`/messages/${received[0]}`, move);
  expect(await ottos.events()).toMatchObject([{message_ids: received, subject: 'tea'}]);
  expect(locationsOf(fixture, ...received, ...away).map(([, topic]) => topic)).toEqual([
    ...['tea', 'tea', 'tea'],
    ...['lunch', 'lunch'],
  ]);
});

test('move: an author who cannot read the new channel does not follow the topic there', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.members);
  const closed = server.people.channel('closed', [meg], {invite_only: 1});
  await sendToChannel(asMeg, general);
  const ids = [await sendToChannel(asOtto, general), await sendToChannel(asMeg, general)];
  const ottos = await asOtto.listen({event_types: ['user_topic', 'delete_message']});
  const move = {stream_id: closed, topic: 'secret', propagate_mode: 'change_later', ...withoutNotices};
  await asMeg.patch(`/messages/${ids[0]}`, move);
  expect(await ottos.events()).toMatchObject([{type: 'delete_message', message_ids: ids}]);
  expect(server.context.db.pluck('SELECT topic_name FROM user_topic WHERE user_id = ?', otto.id)).toEqual([]);
});

test('move: a guest of the new channel is told of a move only from a channel that the guest can see', async () => {
  const {server, asMeg, meg, otto, general} = await messagesFixture();
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.members);
  const guest = server.people.guest();
  const desk = server.people.channel('desk', [meg, otto, guest]);
  const shared = server.people.channel('shared', [meg, otto, guest]);
  const [unseen, seen] = [await sendToChannel(asMeg, general), await sendToChannel(asMeg, shared)];
  const [guests, ottos] = [server.as(guest), server.as(otto)].map((client) =>
    client.listen({event_types: ['update_message', 'delete_message']}),
  );
  for (const id of [unseen, seen]) {
    await asMeg.patch(`/messages/${id}`, {stream_id: desk, ...withoutNotices});
  }
  const idsOf = async (listener: typeof guests) =>
    (await (await listener)?.events())?.map(({type, message_id}) => `${type} ${message_id}`);
  expect(await idsOf(guests)).toEqual([`update_message ${seen}`]);
  expect(await idsOf(ottos)).toEqual([`update_message ${unseen}`, `update_message ${seen}`]);
});

test('move: with a new text, those who did not receive the message hear of the others without its text', async () => {
  const {server, asMeg, asNina, meg, nina} = await messagesFixture();
  const hidden = {invite_only: 1, history_public_to_subscribers: 0};
  const closed = server.people.channel('closed', [meg], hidden);
  const first = await sendToChannel(asMeg, closed, 'Secret');
  server.people.subscribe(nina, closed);
  const others = [await sendToChannel(asMeg, closed), await sendToChannel(asMeg, closed)];
  const ninas = await asNina.listen({event_types: ['update_message']});
  const change = {content: 'Secret soup', topic: 'tea', propagate_mode: 'change_all', ...withoutNotices};
  await asMeg.patch(`/messages/${first}`, change);
  const events = await ninas.events();
  expect(events).toMatchObject([{message_id: others[0], message_ids: others, subject: 'tea'}]);
  expect(JSON.stringify(events)).not.toContain('Secret');
});

test('move: into a channel with protected history, moved messages are received by those who are subscribed now and by nobody who left', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const owner = server.people.owner();
  const asOwner = server.as(owner);
  const vault = server.people.channel('vault', [owner, meg], {invite_only: 1, history_public_to_subscribers: 0});
  const subscriptions = ['vault'];
  const quietly = {send_new_subscription_messages: false};
  const [always, left, leftBefore, cameBefore, returned, late] = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) =>
    server.people.member(name),
  ) as [Person, Person, Person, Person, Person, Person];
  const join = (...people: readonly Person[]) =>
    asOwner.post('/users/me/subscriptions', {
      subscriptions: [{name: 'vault'}],
      principals: people.map(({id}) => id),
      ...quietly,
    });
  const leave = (...people: readonly Person[]) =>
    asOwner.delete('/users/me/subscriptions', {subscriptions, principals: people.map(({id}) => id)});
  await join(always, left, leftBefore, returned);
  const first = await sendToChannel(asMeg, vault);
  await leave(leftBefore, returned);
  await join(cameBefore);
  const moved = [await sendToChannel(asMeg, general), await sendToChannel(asMeg, general)];
  const second = await sendToChannel(asMeg, vault);
  await leave(left, cameBefore);
  const third = await sendToChannel(asMeg, vault);
  await join(returned, late);
  await asOwner.patch(`/messages/${moved[0]}`, {stream_id: vault, propagate_mode: 'change_all', ...withoutNotices});
  const narrow = [{operator: 'channel', operand: vault}];
  const readBy = async (person: Person) => {
    const {messages} = await server
      .as(person)
      .get('/messages', {anchor: 'newest', num_before: 100, num_after: 0, narrow});
    return messages.map(({id}: {id: number}) => id);
  };
  expect(await readBy(always)).toEqual([first, ...moved, second, third]);
  expect(await readBy(returned)).toEqual([first, ...moved]);
  expect(await readBy(late)).toEqual(moved);
  await join(left, leftBefore, cameBefore);
  expect(await readBy(left)).toEqual([first, second]);
  expect(await readBy(leftBefore)).toEqual([first]);
  expect(await readBy(cameBefore)).toEqual([second]);
});

test('move: of a topic, exactly the messages up to the age limit and its time to save may move', async () => {
  const clock = new ManualClock();
  const {server, asMeg, general} = await messagesFixture({clock});
  server.people.setting('move_messages_within_stream_limit_seconds', 600);
  const id = await sendToChannel(asMeg, general);
  clock.advance(1000);
  await sendToChannel(asMeg, general);
  const move = {propagate_mode: 'change_all', ...withoutNotices};
  clock.advance(619_000);
  await asMeg.patch(`/messages/${id}`, {topic: 'tea', ...move});
  clock.advance(1000);
  const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED';
  const newest = id + 1;
  const reply = await asMeg.refused('PATCH', `/messages/${newest}`, {topic: 'milk', ...move}, {code});
  expect(reply).toMatchObject({first_message_id_allowed_to_move: newest, total_messages_allowed_to_move: 1});
});

test('move: to another channel with another topic, the shorter of both age limits counts', async () => {
  const clock = new ManualClock();
  const {server, asMeg, meg, general} = await messagesFixture({clock});
  server.people.setting('can_move_messages_between_channels_group', SystemGroup.members);
  server.people.setting('move_messages_within_stream_limit_seconds', 6000);
  server.people.setting('move_messages_between_streams_limit_seconds', 600);
  const desk = server.people.channel('desk', [meg]);
  const old = await sendToChannel(asMeg, general);
  clock.advance(700_000);
  const recent = await sendToChannel(asMeg, general);
  const move = {stream_id: desk, topic: 'tea', propagate_mode: 'change_all', ...withoutNotices};
  const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED';
  await asMeg.refused('PATCH', `/messages/${recent}`, move, {code});
  server.people.setting('move_messages_within_stream_limit_seconds', 600);
  server.people.setting('move_messages_between_streams_limit_seconds', 6000);
  await asMeg.refused('PATCH', `/messages/${recent}`, move, {code});
  server.people.setting('move_messages_within_stream_limit_seconds', null);
  await asMeg.patch(`/messages/${old}`, move);
});

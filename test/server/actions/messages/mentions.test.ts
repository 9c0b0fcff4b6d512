import {expect, test} from 'vitest';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {eventsOf, messagesFixture, sendToChannel} from './messages-fixture.ts';

test('mentions: user, group and wildcard mentions set the flags of the mentioned users', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  const {db, derivedFacts: memory} = server.context;
  const cooks = db.insert(`INSERT INTO user_group (name, name_key) VALUES ('Cooks', 'cooks')`);
  db.run('INSERT INTO group_member VALUES (?, ?)', cooks, otto.id);
  memory.invalidateAll();
  const megs = await asMeg.listen();
  const ottos = await asOtto.listen();
  await sendToChannel(asMeg, general, `@**${otto.fullName}** look`);
  await sendToChannel(asMeg, general, '@*Cooks* look');
  await sendToChannel(asMeg, general, '@**all** look');
  await sendToChannel(asMeg, general, `@_**${otto.fullName}** need not look`);
  await sendToChannel(asMeg, general, `\`@**${otto.fullName}**\``);
  expect((await eventsOf(ottos, 'message')).map((event) => event.flags)).toEqual([
    ['mentioned'],
    ['mentioned'],
    ['stream_wildcard_mentioned', 'wildcard_mentioned'],
    [],
    [],
  ]);
  expect((await eventsOf(megs, 'message')).map((event) => event.flags)).toEqual([
    ['read'],
    ['read'],
    ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned'],
    ['read'],
    ['read'],
  ]);
  expect(db.all('SELECT user_id FROM message_mention')).toEqual([{user_id: otto.id}]);
  expect(meg.id).not.toBe(otto.id);
});

test('mentions: a generic bot that is not subscribed gets the message that mentions it, also in a private channel', async () => {
  const {server, asMeg, meg, general} = await messagesFixture();
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const bots = await Promise.all(
    [1, 2].map((bot_type) => asMeg.post('/bots', {full_name: `Bot ${bot_type}`, short_name: `b${bot_type}`, bot_type})),
  );
  const [generic, webhook] = bots.map(({user_id, api_key}, at) => {
    return {id: user_id, email: `b${at + 1}-bot@127.0.0.1`, fullName: '', apiKey: api_key};
  });
  if (generic === undefined || webhook === undefined) throw new Error('no bots');
  const listener = await server.as(generic).listen({event_types: ['message', 'user_topic']});
  const ids = [];
  for (const to of [general, secret]) ids.push(await sendToChannel(asMeg, to, 'ask @**Bot 1** and @**Bot 2**'));
  await sendToChannel(asMeg, general, 'do not ask @_**Bot 1** or @**all**');
  expect(await listener.events()).toMatchObject(
    ids.map((id) => ({type: 'message', message: {id}, flags: ['mentioned']})),
  );
  await asMeg.delete(`/bots/${generic.id}`);
  await sendToChannel(asMeg, general, 'gone: @**Bot 1**');
  expect(server.context.db.all('SELECT user_id, message_id FROM message_mention')).toEqual(
    ids.map((message_id) => ({user_id: generic.id, message_id})),
  );
});

test('mentions: of several users with the same name, the last one is mentioned', async () => {
  const {server, asMeg, general} = await messagesFixture();
  server.people.add('Mark Twin', {email: 'first@example.com'});
  const second = server.people.add('Mark Twin', {email: 'second@example.com'});
  const id = await sendToChannel(asMeg, general, '@**mark twin**');
  const {message} = await asMeg.get(`/messages/${id}`);
  expect(message.content).toContain(`data-user-id="${second.id}"`);
});

test('mentions: a topic wildcard flags the topic’s participants', async () => {
  const {server, asMeg, asOtto, general} = await messagesFixture();
  const rita = server.people.member('Rita Reactor');
  const idle = server.people.member('Ida Idle');
  for (const person of [rita, idle]) server.people.subscribe(person, general);
  const first = await sendToChannel(asOtto, general);
  const elsewhere = await sendToChannel(asOtto, general, 'Hello', 'another topic');
  await server.as(idle).post(`/messages/${elsewhere}/reactions`, {emoji_name: 'octopus'});
  await server.as(rita).post(`/messages/${first}/reactions`, {emoji_name: 'octopus'});
  const listeners = await Promise.all([asOtto, server.as(rita), server.as(idle)].map((one) => one.listen()));
  await sendToChannel(asMeg, general, '@**topic** look');
  const flags = await Promise.all(listeners.map(async (listener) => (await eventsOf(listener, 'message'))[0]?.flags));
  const concerned = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
  expect(flags).toEqual([concerned, concerned, []]);
});

test('mentions: alert words match whole words, case-insensitively', async () => {
  const {server, asMeg, asOtto, otto, general} = await messagesFixture();
  server.context.db.run(`INSERT INTO alert_word VALUES (?, 'soup', 'Soup')`, otto.id);
  server.context.derivedFacts.invalidateAll();
  const ottos = await asOtto.listen();
  await sendToChannel(asMeg, general, 'SOUP!');
  await sendToChannel(asMeg, general, 'soupy');
  expect((await eventsOf(ottos, 'message')).map((event) => event.flags)).toEqual([['has_alert_word'], []]);
});

test('mentions: wildcard mentions in a large channel need a permission', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const admin = server.people.admin();
  const crowd = Array.from({length: 14}, (_, index) => server.people.member(`Member ${index}`));
  for (const person of crowd.slice(1)) server.people.subscribe(person, general);
  const message = {type: 'channel', to: general, topic: 'lunch'};
  const everybody = {...message, topic: 'dinner', content: '@**everyone** look'};
  // Fifteen are not many.
  await asMeg.post('/messages', everybody);
  for (const person of crowd.slice(0, 1)) server.people.subscribe(person, general);
  await asMeg.refused('POST', '/messages', everybody, {code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'});
  await sendToChannel(server.as(admin), general, '@**everyone** look');
  const topic = {...message, content: '@**topic** look'};
  await asMeg.post('/messages', topic);
  for (const person of crowd) await sendToChannel(server.as(person), general);
  await asMeg.post('/messages', topic);
  server.people.subscribe(admin, general);
  await asMeg.refused('POST', '/messages', topic, {code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'});
});

test('mentions: a group’s permission decides who may mention it', async () => {
  const {server, asMeg, otto, asOtto, general} = await messagesFixture();
  const permissions = JSON.stringify({can_mention_group: {direct_members: [otto.id], direct_subgroups: []}});
  server.context.db.run(
    `INSERT INTO user_group (name, name_key, permissions) VALUES ('Cooks', 'cooks', ?)`,
    permissions,
  );
  const message = {type: 'channel', to: general, topic: 't', content: '@*Cooks* hi'};
  await asMeg.refused('POST', '/messages', message, {code: 'BAD_REQUEST'});
  const id = await sendToChannel(asMeg, general);
  await asMeg.refused('PATCH', `/messages/${id}`, {content: '@*Cooks* hi'}, {code: 'BAD_REQUEST'});
  await asOtto.post('/messages', message);
});

test('mentions: starting a topic follows it, replying does not, and the sender gets the new policy', async () => {
  const {server, asMeg, asOtto, meg, general} = await messagesFixture();
  const ottos = await asOtto.listen();
  const megs = await asMeg.listen();
  const message = {type: 'channel', to: general, topic: 'New', content: `@**${meg.fullName}**`};
  const started = await asMeg.post('/messages', message);
  expect(started.automatic_new_visibility_policy).toBe(visibilityPolicies.followed);
  const answered = await asOtto.post('/messages', {...message, topic: 'new'});
  expect(answered).not.toHaveProperty('automatic_new_visibility_policy');
  expect(await asMeg.post('/messages', message)).not.toHaveProperty('automatic_new_visibility_policy');
  expect(await eventsOf(megs, 'user_topic')).toMatchObject([
    {stream_id: general, topic_name: 'New', visibility_policy: 3, last_updated: expect.any(Number)},
  ]);
  expect(await eventsOf(ottos, 'user_topic')).toEqual([]);
  const bot = server.people.bot('Robbie', server.people.member('Bot Owner'));
  const fromBot = await server.as(bot).post('/messages', {...message, topic: 'bots'});
  expect(fromBot).not.toHaveProperty('automatic_new_visibility_policy');
});

test('mentions: sending in a muted channel unmutes the topic; a mention follows it', async () => {
  const {server, asMeg, asOtto, meg, otto, general} = await messagesFixture();
  await sendToChannel(asOtto, general);
  server.context.db.run('UPDATE subscription SET is_muted = 1 WHERE user_id = ?', meg.id);
  const ottos = await asOtto.listen();
  const reply = await asMeg.post('/messages', {
    type: 'channel',
    to: general,
    topic: 'lunch',
    content: `@**${otto.fullName}**`,
  });
  expect(reply.automatic_new_visibility_policy).toBe(visibilityPolicies.unmuted);
  // Otto already follows the topic because he started it.
  expect(await eventsOf(ottos, 'user_topic')).toEqual([]);
  const nobody = await asOtto.post('/messages', {
    type: 'channel',
    to: general,
    topic: 'lunch',
    content: `@**${meg.fullName}**`,
  });
  expect(nobody).not.toHaveProperty('automatic_new_visibility_policy');
  expect(server.context.db.value('SELECT policy FROM user_topic WHERE user_id = ?', meg.id)).toBe(3);
});

test('mentions: a mention in a muted topic leaves it muted', async () => {
  const {server, asMeg, asOtto, otto, general} = await messagesFixture();
  await asOtto.post('/user_topics', {stream_id: general, topic: 'quiet', visibility_policy: visibilityPolicies.muted});
  await sendToChannel(asMeg, general, `@**${otto.fullName}**`, 'quiet');
  const policy = server.context.db.value('SELECT policy FROM user_topic WHERE user_id = ?', otto.id);
  expect(policy).toBe(visibilityPolicies.muted);
});

test('mentions: a reaction or a vote follows the topic if the user’s setting says so', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const keen = server.people.add('Keen Kate', {settings: {automatically_follow_topics_policy: 1}});
  server.people.subscribe(keen, general);
  const id = await sendToChannel(asMeg, general);
  const kates = await server.as(keen).listen();
  await server.as(keen).post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
  expect(await eventsOf(kates, 'user_topic')).toMatchObject([{topic_name: 'lunch', visibility_policy: 3}]);
  const poll = await sendToChannel(asMeg, general, '/poll Soup?\nyes', 'votes');
  const content = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
  await server.as(keen).post('/submessage', {message_id: poll, msg_type: 'widget', content});
  expect(await eventsOf(kates, 'user_topic')).toMatchObject([{topic_name: 'votes', visibility_policy: 3}]);
});

test('mentions: a reaction in a muted channel unmutes the topic if the setting says so, unless it is followed', async () => {
  const {server, asMeg, general} = await messagesFixture();
  const never = {automatically_follow_topics_policy: 4, automatically_unmute_topics_in_muted_streams_policy: 1};
  const keen = server.people.add('Keen Kate', {settings: never});
  server.people.subscribe(keen, general);
  const asKate = server.as(keen);
  await asKate.patch(`/users/me/subscriptions/${general}`, {property: 'is_muted', value: true});
  await asKate.post('/user_topics', {stream_id: general, topic: 'dinner', visibility_policy: 3});
  const ids = [await sendToChannel(asMeg, general), await sendToChannel(asMeg, general, 'Hello', 'dinner')];
  const kates = await asKate.listen();
  for (const id of ids) await asKate.post(`/messages/${id}/reactions`, {emoji_name: 'octopus'});
  expect(await eventsOf(kates, 'user_topic')).toMatchObject([{topic_name: 'lunch', visibility_policy: 2}]);
});

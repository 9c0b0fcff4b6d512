import {givenAccounts, skipTest} from '#test/given-server/given-server.ts';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, since, test} from './contract-fixture.ts';

test('events match a new registration: sending to a channel', async () => {
  const {owner, meg, send, expectConsistent} = await contractFixture();
  await expectConsistent(() => send(owner, `hello @**${meg.fullName}** and @**all**`));
});

test('events match a new registration: sending to the empty topic', async () => {
  const {owner, send, expectConsistent} = await contractFixture();
  await expectConsistent(() => send(owner, 'no topic', ''));
});

test('events match a new registration: sending to a private channel', async () => {
  const {owner, send, secret, expectConsistent} = await contractFixture();
  await expectConsistent(() => send(owner, 'psst', 'plans', secret));
});

test('events match a new registration: sending a direct message to one user, to several, to oneself', async () => {
  const {owner, meg, guest, sendDirect, expectConsistent} = await contractFixture();
  await expectConsistent(() => sendDirect(owner, [meg], 'one'));
  await expectConsistent(() => sendDirect(owner, [meg, guest], 'several'));
  await expectConsistent(() => sendDirect(meg, [meg], 'note'));
});

test('events match a new registration: a message in a muted channel, and from a muted user', async () => {
  const {server, owner, meg, general, guest, send, sendDirect, expectConsistent} = await contractFixture();
  const muted = {property: 'is_muted', value: true};
  await server.as(meg).patch(`/users/me/subscriptions/${general}`, muted);
  await expectConsistent(() => send(owner, `quiet @**${meg.fullName}** @**all**`));
  await server.as(meg).post(`/users/me/muted_users/${guest.id}`);
  await expectConsistent(() => sendDirect(guest, [meg], 'hello?'));
});

test('events match a new registration: a message with an alert word', async () => {
  const {server, owner, meg, send, expectConsistent} = await contractFixture();
  await expectConsistent(() => server.as(meg).post('/users/me/alert_words', {alert_words: ['tide']}));
  await expectConsistent(() => send(owner, 'the Tide is high'));
});

test('events match a new registration: editing a message to add and remove mentions', async () => {
  const {server, owner, meg, send, expectConsistent} = await contractFixture();
  const id = await send(owner, 'plain');
  const edit = (content: string) => () => server.as(owner).patch(`/messages/${id}`, {content});
  await expectConsistent(edit(`hey @**${meg.fullName}**`));
  await expectConsistent(edit('/me is plain again'));
  await expectConsistent(edit('@**all** listen'));
});

test('events match a new registration: editing a direct message', async () => {
  const {server, owner, meg, sendDirect, expectConsistent} = await contractFixture();
  const id = await sendDirect(owner, [meg], 'plain');
  await expectConsistent(() => server.as(owner).patch(`/messages/${id}`, {content: `hey @**${meg.fullName}**`}));
});

test('events match a new registration: renaming a topic, for some messages and for all', async () => {
  const {server, owner, send, expectConsistent} = await contractFixture();
  await send(owner, 'first');
  const id = await send(owner, 'second');
  await send(owner, 'third');
  const rename = (topic: string, propagate_mode: string) => () =>
    server.as(owner).patch(`/messages/${id}`, {topic, propagate_mode});
  await expectConsistent(rename('other', 'change_one'));
  await expectConsistent(rename('talk', 'change_all'));
  await expectConsistent(rename('rest', 'change_later'));
  await expectConsistent(rename('Rest', 'change_all'));
});

test('events match a new registration: changing content and topic in one request', async () => {
  const {server, owner, send, expectConsistent} = await contractFixture();
  const id = await send(owner, 'first');
  await expectConsistent(() => server.as(owner).patch(`/messages/${id}`, {topic: 'other', content: 'reworded'}));
});

test('events match a new registration: resolving and unresolving a topic', async () => {
  const {server, owner, send, expectConsistent} = await contractFixture();
  const id = await send(owner, 'done?');
  const rename = (topic: string) => () =>
    server.as(owner).patch(`/messages/${id}`, {topic, propagate_mode: 'change_all'});
  await expectConsistent(rename('✔ talk'));
  await expectConsistent(rename('talk'));
});

test('events match a new registration: moving a topic to a private channel and back', async () => {
  const {server, owner, meg, general, send, expectConsistent} = await contractFixture();
  // With protected history, readers of the destination would not hear of the way back.
  const secret = server.people.channel('vault', [owner, meg], {invite_only: 1});
  const id = await send(owner, 'careful @**all**');
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  const move = (stream_id: number) => () =>
    server.as(owner).patch(`/messages/${id}`, {stream_id, propagate_mode: 'change_all'});
  await expectConsistent(move(secret));
  await expectConsistent(move(general));
});

test('events match a new registration: moving a topic to a public channel with other subscribers', async () => {
  const {server, owner, meg, channel, guest, send, expectConsistent} = await contractFixture();
  const other = await channel('other', [owner, guest]);
  const id = await send(meg, 'elsewhere');
  await expectConsistent(() =>
    server.as(owner).patch(`/messages/${id}`, {stream_id: other, propagate_mode: 'change_all'}),
  );
});

test('events match a new registration: deleting a message', async () => {
  const {server, owner, meg, send, expectConsistent} = await contractFixture();
  const id = await send(owner, 'oops');
  await expectConsistent(() => server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'}));
  await expectConsistent(() => server.as(owner).delete(`/messages/${id}`));
});

test('events match a new registration: deleting a direct message that is not the newest', async () => {
  const {server, owner, meg, sendDirect, expectConsistent} = await contractFixture();
  const id = await sendDirect(owner, [meg], 'oops');
  await sendDirect(owner, [meg], 'well');
  await expectConsistent(() => server.as(owner).delete(`/messages/${id}`));
});

test('events match a new registration: deleting a topic', async () => {
  const {server, owner, admin, general, send, expectConsistent} = await contractFixture();
  await send(owner, 'one');
  await send(owner, 'two');
  await expectConsistent(() => server.as(admin).post(`/streams/${general}/delete_topic`, {topic_name: 'talk'}));
});

test('events match a new registration: adding and removing reactions', async () => {
  const {server, owner, meg, guest, send, expectConsistent} = await contractFixture();
  const id = await send(owner, 'nice');
  await expectConsistent(() => server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
  await expectConsistent(() => server.as(guest).post(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
  await expectConsistent(() => server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'heart'}));
  await expectConsistent(() => server.as(meg).delete(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
});

test('events match a new registration: changing the flags starred, collapsed and read', async () => {
  const {server, owner, meg, send, sendDirect, guest, expectConsistent} = await contractFixture();
  const ids = [
    await send(owner, 'a'),
    await sendDirect(owner, [meg], 'b'),
    await sendDirect(owner, [meg, guest], `c @**${meg.fullName}**`),
  ];
  const flag = (op: string, name: string) => () =>
    server.as(meg).post('/messages/flags', {messages: ids, op, flag: name});
  await expectConsistent(flag('add', 'starred'));
  await expectConsistent(flag('remove', 'starred'));
  await expectConsistent(flag('add', 'collapsed'));
  await expectConsistent(flag('add', 'read'));
  await expectConsistent(flag('remove', 'read'));
});

test('events match a new registration: marking a topic and a channel read', async () => {
  const {server, owner, meg, general, send, sendDirect, expectConsistent} = await contractFixture();
  const client = server.as(meg);
  const refill = async () => {
    for (const topic of ['one', 'two']) await send(owner, `unread @**${meg.fullName}**`, topic);
    await sendDirect(owner, [meg], 'direct');
  };
  await refill();
  await expectConsistent(() => client.post('/mark_topic_as_read', {stream_id: general, topic_name: 'two'}));
  await refill();
  await expectConsistent(() => client.post('/mark_stream_as_read', {stream_id: general}));
});

test('events match a new registration: marking everything read', async () => {
  const {server, owner, meg, send, sendDirect, expectConsistent} = await contractFixture();
  if (givenAccounts() !== undefined) skipTest('would mark all messages of the account read');
  await send(owner, `unread @**${meg.fullName}**`);
  await sendDirect(owner, [meg], 'direct');
  await expectConsistent(() => server.as(meg).post('/mark_all_as_read'));
});

since(levels.narrowFlags)('events match a new registration: marking a narrow read and unread', async () => {
  const {server, owner, meg, send, expectConsistent} = await contractFixture();
  for (const topic of ['one', 'two']) await send(owner, `unread @**${meg.fullName}**`, topic);
  const range = {anchor: 'oldest', num_before: 0, num_after: 100, flag: 'read'};
  const mark = (op: string) => () =>
    server.as(meg).post('/messages/flags/narrow', {...range, op, narrow: [{operator: 'topic', operand: 'one'}]});
  await expectConsistent(mark('add'));
  await expectConsistent(mark('remove'));
});

test('events match a new registration: voting in a poll', async () => {
  const {server, owner, meg, send, expectConsistent} = await contractFixture();
  const id = await send(owner, '/poll Tea?\nyes\nno');
  const content = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
  await expectConsistent(() => server.as(meg).post('/submessage', {message_id: id, msg_type: 'widget', content}));
});

test('events match a new registration: typing', async () => {
  const {server, owner, meg, general, expectConsistent} = await contractFixture();
  const level = levelUnderTest();
  const type = level >= levels.typeDirect ? 'direct' : 'private';
  const destination = level >= levels.typingChannelId ? {stream_id: general} : {to: [general]};
  for (const op of ['start', 'stop']) {
    await expectConsistent(() => server.as(owner).post('/typing', {type, op, to: [meg.id]}));
    await expectConsistent(() => server.as(owner).post('/typing', {type: 'stream', op, ...destination, topic: 'talk'}));
  }
});

since(levels.editTypingPath)('events match a new registration: typing in an edit', async () => {
  const {server, owner, send, expectConsistent} = await contractFixture();
  const id = await send(owner, 'plain');
  await expectConsistent(() => server.as(owner).post(`/messages/${id}/typing`, {op: 'start'}));
});

since(levels.reportMessage)('events match a new registration: reporting a message', async () => {
  const {server, owner, guest, secret, send, expectConsistent} = await contractFixture();
  server.people.setting('moderation_request_channel_id', secret);
  const id = await send(owner, 'rude');
  const report = {report_type: 'spam', description: 'twice'};
  await expectConsistent(() => server.as(guest).post(`/messages/${id}/report`, report));
});

import {test} from 'vitest';
import {levels} from '#wire/levels.ts';
import {contractFixture, levelUnderTest, since} from './contract-fixture.ts';

test('sending to a channel', async () => {
  const {owner, send: say, expectConsistent: watch} = await contractFixture();
  await watch(() => say(owner, 'hello @**Meg Member** and @**all**'));
});

test('sending to the empty topic', async () => {
  const {owner, send: say, expectConsistent: watch} = await contractFixture();
  await watch(() => say(owner, 'no topic', ''));
});

test('sending to a private channel', async () => {
  const {owner, send: say, secret, expectConsistent: watch} = await contractFixture();
  await watch(() => say(owner, 'psst', 'plans', secret));
});

test('sending to one person, to several, to oneself', async () => {
  const {owner, meg, guest, sendDirect: tell, expectConsistent: watch} = await contractFixture();
  await watch(() => tell(owner, [meg], 'one'));
  await watch(() => tell(owner, [meg, guest], 'several'));
  await watch(() => tell(meg, [meg], 'note'));
});

test('sending to a muted channel, and by somebody muted', async () => {
  const {
    server,
    owner,
    meg,
    general,
    guest,
    send: say,
    sendDirect: tell,
    expectConsistent: watch,
  } = await contractFixture();
  const muted = {property: 'is_muted', value: true};
  await server.as(meg).patch(`/users/me/subscriptions/${general}`, muted);
  await watch(() => say(owner, 'quiet @**Meg Member** @**all**'));
  await server.as(meg).post(`/users/me/muted_users/${guest.id}`);
  await watch(() => tell(guest, [meg], 'hello?'));
});

test('a message with an alert word', async () => {
  const {server, owner, meg, send: say, expectConsistent: watch} = await contractFixture();
  await watch(() => server.as(meg).post('/users/me/alert_words', {alert_words: ['tide']}));
  await watch(() => say(owner, 'the Tide is high'));
});

test('editing a message so that it mentions somebody, and no more', async () => {
  const {server, owner, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'plain');
  const edit = (content: string) => () => server.as(owner).patch(`/messages/${id}`, {content});
  await watch(edit('hey @**Meg Member**'));
  await watch(edit('/me is plain again'));
  await watch(edit('@**all** listen'));
});

test('editing a direct message', async () => {
  const {server, owner, meg, sendDirect: tell, expectConsistent: watch} = await contractFixture();
  const id = await tell(owner, [meg], 'plain');
  await watch(() => server.as(owner).patch(`/messages/${id}`, {content: 'hey @**Meg Member**'}));
});

test('renaming a topic, in part and in whole', async () => {
  const {server, owner, send: say, expectConsistent: watch} = await contractFixture();
  await say(owner, 'first');
  const id = await say(owner, 'second');
  await say(owner, 'third');
  const rename = (topic: string, propagate_mode: string) => () =>
    server.as(owner).patch(`/messages/${id}`, {topic, propagate_mode});
  await watch(rename('other', 'change_one'));
  await watch(rename('talk', 'change_all'));
  await watch(rename('rest', 'change_later'));
  await watch(rename('Rest', 'change_all'));
});

test('changing the content and the topic at once', async () => {
  const {server, owner, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'first');
  await watch(() => server.as(owner).patch(`/messages/${id}`, {topic: 'other', content: 'reworded'}));
});

test('resolving a topic and taking it up again', async () => {
  const {server, owner, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'done?');
  const rename = (topic: string) => () =>
    server.as(owner).patch(`/messages/${id}`, {topic, propagate_mode: 'change_all'});
  await watch(rename('✔ talk'));
  await watch(rename('talk'));
});

test('moving a topic to a channel that not everybody can read, and back', async () => {
  const {server, owner, meg, general, send: say, secret, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'careful @**all**');
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  const move = (stream_id: number) => () =>
    server.as(owner).patch(`/messages/${id}`, {stream_id, propagate_mode: 'change_all'});
  await watch(move(secret));
  await watch(move(general));
});

test('moving a topic to a public channel that not everybody is in', async () => {
  const {server, owner, meg, guest, send: say, expectConsistent: watch} = await contractFixture();
  const other = server.people.channel('other', [owner, guest]);
  const id = await say(meg, 'elsewhere');
  await watch(() =>
    server.as(owner).patch(`/messages/${id}`, {stream_id: other, propagate_mode: 'change_all'}),
  );
});

test('deleting a message', async () => {
  const {server, owner, meg, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'oops');
  await watch(() => server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'}));
  await watch(() => server.as(owner).delete(`/messages/${id}`));
});

test('deleting a direct message that is not the newest', async () => {
  const {server, owner, meg, sendDirect: tell, expectConsistent: watch} = await contractFixture();
  const id = await tell(owner, [meg], 'oops');
  await tell(owner, [meg], 'well');
  await watch(() => server.as(owner).delete(`/messages/${id}`));
});

test('deleting a topic', async () => {
  const {server, owner, general, send: say, expectConsistent: watch} = await contractFixture();
  await say(owner, 'one');
  await say(owner, 'two');
  await watch(() => server.as(owner).post(`/streams/${general}/delete_topic`, {topic_name: 'talk'}));
});

test('reactions come and go', async () => {
  const {server, owner, meg, guest, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'nice');
  await watch(() => server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
  await watch(() => server.as(guest).post(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
  await watch(() => server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'heart'}));
  await watch(() => server.as(meg).delete(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
});

test('flags: starred, collapsed, read, unread', async () => {
  const {
    server,
    owner,
    meg,
    send: say,
    sendDirect: tell,
    guest,
    expectConsistent: watch,
  } = await contractFixture();
  const ids = [
    await say(owner, 'a'),
    await tell(owner, [meg], 'b'),
    await tell(owner, [meg, guest], 'c @**Meg Member**'),
  ];
  const flag = (op: string, name: string) => () =>
    server.as(meg).post('/messages/flags', {messages: ids, op, flag: name});
  await watch(flag('add', 'starred'));
  await watch(flag('remove', 'starred'));
  await watch(flag('add', 'collapsed'));
  await watch(flag('add', 'read'));
  await watch(flag('remove', 'read'));
});

test('marking read by channel, by topic, and everything', async () => {
  const {
    server,
    owner,
    meg,
    general,
    send: say,
    sendDirect: tell,
    expectConsistent: watch,
  } = await contractFixture();
  const client = server.as(meg);
  const refill = async () => {
    for (const topic of ['one', 'two']) await say(owner, 'unread @**Meg Member**', topic);
    await tell(owner, [meg], 'direct');
  };
  await refill();
  await watch(() => client.post('/mark_topic_as_read', {stream_id: general, topic_name: 'two'}));
  await refill();
  await watch(() => client.post('/mark_stream_as_read', {stream_id: general}));
  await refill();
  await watch(() => client.post('/mark_all_as_read'));
});

since(levels.narrowFlags)('marking read and unread by narrow', async () => {
  const {server, owner, meg, send: say, expectConsistent: watch} = await contractFixture();
  for (const topic of ['one', 'two']) await say(owner, 'unread @**Meg Member**', topic);
  const range = {anchor: 'oldest', num_before: 0, num_after: 100, flag: 'read'};
  const mark = (op: string) => () =>
    server
      .as(meg)
      .post('/messages/flags/narrow', {...range, op, narrow: [{operator: 'topic', operand: 'one'}]});
  await watch(mark('add'));
  await watch(mark('remove'));
});

test('a poll is created and voted on', async () => {
  const {server, owner, meg, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, '/poll Tea?\nyes\nno');
  const content = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
  await watch(() => server.as(meg).post('/submessage', {message_id: id, msg_type: 'widget', content}));
});

test('typing', async () => {
  const {server, owner, meg, general, expectConsistent: watch} = await contractFixture();
  const level = levelUnderTest();
  const type = level >= levels.typeDirect ? 'direct' : 'private';
  const place = level >= levels.typingChannelId ? {stream_id: general} : {to: [general]};
  for (const op of ['start', 'stop']) {
    await watch(() => server.as(owner).post('/typing', {type, op, to: [meg.id]}));
    await watch(() => server.as(owner).post('/typing', {type: 'stream', op, ...place, topic: 'talk'}));
  }
});

since(levels.editTypingPath)('typing while editing', async () => {
  const {server, owner, send: say, expectConsistent: watch} = await contractFixture();
  const id = await say(owner, 'plain');
  await watch(() => server.as(owner).post(`/messages/${id}/typing`, {op: 'start'}));
});

since(levels.reportMessage)('reporting a message', async () => {
  const {server, owner, guest, secret, send: say, expectConsistent: watch} = await contractFixture();
  server.people.setting('moderation_request_channel_id', secret);
  const id = await say(owner, 'rude');
  const report = {report_type: 'spam', description: 'twice'};
  await watch(() => server.as(guest).post(`/messages/${id}/report`, report));
});

import {test} from 'vitest';
import {scene} from './scene.ts';

test('sending to a channel', async () => {
  const {owner, say, watch} = await scene();
  await watch(() => say(owner, 'hello @**Meg Member** and @**all**'));
});

test('sending to the empty topic', async () => {
  const {owner, say, watch} = await scene();
  await watch(() => say(owner, 'no topic', ''));
});

test('sending to a private channel', async () => {
  const {owner, say, secret, watch} = await scene();
  await watch(() => say(owner, 'psst', 'plans', secret));
});

test('sending to one person, to several, to oneself', async () => {
  const {owner, meg, guest, tell, watch} = await scene();
  await watch(() => tell(owner, [meg], 'one'));
  await watch(() => tell(owner, [meg, guest], 'several'));
  await watch(() => tell(meg, [meg], 'note'));
});

test('a message with an alert word', async () => {
  const {server, owner, meg, say, watch} = await scene();
  await watch(() => server.as(meg).post('/users/me/alert_words', {alert_words: ['tide']}));
  await watch(() => say(owner, 'the Tide is high'));
});

test('editing a message so that it mentions somebody, and no more', async () => {
  const {server, owner, say, watch} = await scene();
  const id = await say(owner, 'plain');
  await watch(() => server.as(owner).patch(`/messages/${id}`, {content: 'hey @**Meg Member**'}));
  await watch(() => server.as(owner).patch(`/messages/${id}`, {content: 'plain again'}));
});

test('renaming a topic', async () => {
  const {server, owner, say, watch} = await scene();
  await say(owner, 'first');
  const id = await say(owner, 'second');
  await watch(() =>
    server.as(owner).patch(`/messages/${id}`, {topic: 'other', propagate_mode: 'change_all'}),
  );
});

test('resolving a topic', async () => {
  const {server, owner, say, watch} = await scene();
  const id = await say(owner, 'done?');
  await watch(() =>
    server.as(owner).patch(`/messages/${id}`, {topic: '✔ talk', propagate_mode: 'change_all'}),
  );
});

test('moving a topic to a channel that not everybody can read', async () => {
  const {server, owner, say, secret, watch} = await scene();
  const id = await say(owner, 'careful');
  await watch(() =>
    server.as(owner).patch(`/messages/${id}`, {stream_id: secret, propagate_mode: 'change_all'}),
  );
});

test('deleting a message', async () => {
  const {server, owner, meg, say, watch} = await scene();
  const id = await say(owner, 'oops');
  await watch(() => server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'}));
  await watch(() => server.as(owner).delete(`/messages/${id}`));
});

test('deleting a topic', async () => {
  const {server, owner, general, say, watch} = await scene();
  await say(owner, 'one');
  await say(owner, 'two');
  await watch(() => server.as(owner).post(`/streams/${general}/delete_topic`, {topic_name: 'talk'}));
});

test('reactions come and go', async () => {
  const {server, owner, meg, say, watch} = await scene();
  const id = await say(owner, 'nice');
  await watch(() => server.as(meg).post(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
  await watch(() => server.as(meg).delete(`/messages/${id}/reactions`, {emoji_name: 'tada'}));
});

test('flags: starred, read, unread', async () => {
  const {server, owner, meg, say, tell, guest, watch} = await scene();
  const ids = [
    await say(owner, 'a'),
    await tell(owner, [meg], 'b'),
    await tell(owner, [meg, guest], 'c @**Meg Member**'),
  ];
  const flag = (op: string, name: string) => () =>
    server.as(meg).post('/messages/flags', {messages: ids, op, flag: name});
  await watch(flag('add', 'starred'));
  await watch(flag('remove', 'starred'));
  await watch(flag('add', 'read'));
  await watch(flag('remove', 'read'));
});

test('marking read by narrow, by channel, by topic, and everything', async () => {
  const {server, owner, meg, general, say, tell, watch} = await scene();
  const refill = async () => {
    for (const topic of ['one', 'two']) await say(owner, 'unread @**Meg Member**', topic);
    await tell(owner, [meg], 'direct');
  };
  const client = server.as(meg);
  const narrow = {anchor: 'oldest', num_before: 0, num_after: 100, op: 'add', flag: 'read'};
  await refill();
  await watch(() =>
    client.post('/messages/flags/narrow', {...narrow, narrow: [{operator: 'topic', operand: 'one'}]}),
  );
  await refill();
  await watch(() => client.post('/mark_topic_as_read', {stream_id: general, topic_name: 'two'}));
  await refill();
  await watch(() => client.post('/mark_stream_as_read', {stream_id: general}));
  await refill();
  await watch(() => client.post('/mark_all_as_read'));
});

test('a poll is created and voted on', async () => {
  const {server, owner, meg, say, watch} = await scene();
  const id = await say(owner, '/poll Tea?\nyes\nno');
  const content = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
  await watch(() => server.as(meg).post('/submessage', {message_id: id, msg_type: 'widget', content}));
});

test('typing', async () => {
  const {server, owner, meg, general, watch} = await scene();
  await watch(() => server.as(owner).post('/typing', {type: 'direct', op: 'start', to: [meg.id]}));
  await watch(() =>
    server.as(owner).post('/typing', {type: 'stream', op: 'start', stream_id: general, topic: 'talk'}),
  );
});

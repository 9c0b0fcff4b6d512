import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {sendChannelMessage} from '#test/server/actions/channels/send-channel-message.ts';
import {testServer} from '#test/support/server.ts';
import {fullClientCapabilities} from '#wire/register.ts';

test('topics: topics are listed newest first, spelled as in their latest message', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  sendChannelMessage(server, meg, channel, 'Lunch');
  const plans = sendChannelMessage(server, meg, channel, 'plans');
  const empty = sendChannelMessage(server, meg, channel, '');
  const lunch = sendChannelMessage(server, meg, channel, 'LUNCH');
  const path = `/users/me/${channel}/topics`;
  expect((await server.as(meg).get(path)).topics).toEqual([
    {name: 'LUNCH', max_id: lunch},
    {name: 'general chat', max_id: empty},
    {name: 'plans', max_id: plans},
  ]);
  const {topics} = await server.as(meg).get(path, {allow_empty_topic_name: true});
  expect(topics[1].name).toBe('');
});

test('topics: hidden and unknown channels are refused, archived and empty ones are not', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const admin = server.people.admin();
  const gus = server.people.guest();
  const open = server.people.channel('open', []);
  const secret = server.people.channel('secret', [], {invite_only: 1});
  const past = server.people.channel('past', [meg], {is_archived: 1});
  const refused = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('GET', `/users/me/${secret}/topics`, {}, refused);
  await server.as(admin).refused('GET', `/users/me/${secret}/topics`, {}, refused);
  await server.as(meg).refused('GET', '/users/me/4242/topics', {}, refused);
  await server.as(gus).refused('GET', `/users/me/${open}/topics`, {}, refused);
  expect(await server.as(meg).get(`/users/me/${open}/topics`)).toMatchObject({topics: []});
  expect(await server.as(meg).get(`/users/me/${past}/topics`)).toMatchObject({topics: []});
});

test('topics: with protected history only topics of received messages are listed', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const channel = server.people.channel('secret', [meg], {invite_only: 1, history_public_to_subscribers: 0});
  sendChannelMessage(server, meg, channel, 'before');
  server.people.subscribe(bo, channel);
  const after = sendChannelMessage(server, meg, channel, 'after');
  const {topics} = await server.as(bo).get(`/users/me/${channel}/topics`);
  expect(topics).toEqual([{name: 'after', max_id: after}]);
  expect((await server.as(meg).get(`/users/me/${channel}/topics`)).topics).toHaveLength(2);
});

test.each([1, 2, 3])('topics: policy %i is kept for a topic without messages, and forgotten by 0', async (policy) => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const channel = server.people.channel('talk', [meg, bo]);
  const mine = await server.as(meg).listen();
  const theirs = await server.as(bo).listen();
  const params = {stream_id: channel, topic: 'New Topic'};
  await server.as(meg).post('/user_topics', {...params, visibility_policy: policy});
  const [legacy, event, ...rest] = await mine.events();
  expect(legacy).toMatchObject({type: 'muted_topics'});
  expect(event).toMatchObject({
    type: 'user_topic',
    stream_id: channel,
    topic_name: 'New Topic',
    visibility_policy: policy,
  });
  expect(event?.last_updated).toBeTypeOf('number');
  expect(rest).toEqual([]);
  const fetched = await server.as(meg).post('/register', {fetch_event_types: ['user_topic', 'muted_topics']});
  expect(fetched.user_topics).toMatchObject([{topic_name: 'New Topic', visibility_policy: policy}]);
  expect(fetched.muted_topics).toHaveLength(policy === 1 ? 1 : 0);
  await server.as(meg).post('/user_topics', {...params, topic: 'new topic', visibility_policy: policy});
  expect(await mine.events()).toEqual([]);
  await server.as(meg).post('/user_topics', {...params, topic: 'NEW TOPIC', visibility_policy: 0});
  expect(await mine.events()).toMatchObject([{type: 'muted_topics'}, {type: 'user_topic', visibility_policy: 0}]);
  expect(await theirs.events()).toEqual([]);
  expect((await server.as(meg).post('/register')).user_topics).toEqual([]);
});

test('topics: the empty topic has one policy under all of its names', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  const modern = await server.as(meg).listen();
  const old = await server.as(meg).listen({client_capabilities: {...fullClientCapabilities, empty_topic_name: false}});
  const params = {stream_id: channel, topic: 'general chat', visibility_policy: 3};
  await server.as(meg).post('/user_topics', params);
  expect(await modern.events()).toMatchObject([{type: 'muted_topics'}, {topic_name: ''}]);
  expect(await old.events()).toMatchObject([{type: 'muted_topics'}, {topic_name: 'general chat'}]);
});

test('topics: unreadable channels, unknown policies and long topics are refused', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const secret = server.people.channel('secret', [], {invite_only: 1});
  const open = server.people.channel('open', []);
  const refused = {code: 'BAD_REQUEST'};
  const params = {stream_id: secret, topic: 't', visibility_policy: 1};
  await server.as(meg).refused('POST', '/user_topics', params, refused);
  await server.as(meg).refused('POST', '/user_topics', {...params, stream_id: 77}, refused);
  await server.as(meg).refused('POST', '/user_topics', {...params, stream_id: open, visibility_policy: 4}, refused);
  await server.as(meg).refused('POST', '/user_topics', {...params, stream_id: open, topic: 'x'.repeat(61)}, refused);
});

test('topics: a policy is removed in every channel, and the legacy endpoint says what is wrong by name', async () => {
  const server = await testServer();
  const client = server.as(server.people.member());
  const secret = server.people.channel('secret', [], {invite_only: 1});
  await client.post('/user_topics', {stream_id: secret, topic: 't', visibility_policy: 0});
  const path = '/users/me/subscriptions/muted_topics';
  await client.patch(path, {stream: 'secret', topic: 't', op: 'remove'});
  const refusal = async (stream: string, op: string) =>
    (await client.raw('PATCH', path, {stream, topic: 't', op})).body.msg;
  expect(await refusal('nowhere', 'remove')).toBe('Topic is not muted');
  expect(await refusal('nowhere', 'add')).toBe("Invalid channel name 'nowhere'");
  expect(await refusal('secret', 'add')).toBe("Invalid channel name 'secret'");
});

test('topics: the policies of an archived channel are not in a registration, until it is unarchived', async () => {
  const server = await testServer();
  const [meg, owner] = [server.people.member(), server.people.owner()];
  const channel = server.people.channel('talk', [meg, owner]);
  await server.as(meg).post('/user_topics', {stream_id: channel, topic: 't', visibility_policy: 1});
  const topics = async () => {
    const state = await server.as(meg).post('/register', {fetch_event_types: ['user_topic', 'muted_topics']});
    return [...state.user_topics, ...state.muted_topics];
  };
  expect(await topics()).toHaveLength(2);
  await server.as(owner).delete(`/streams/${channel}`);
  expect(await topics()).toEqual([]);
  await server.as(owner).patch(`/streams/${channel}`, {is_archived: false});
  expect(await topics()).toHaveLength(2);
});

test('topics: the legacy endpoint mutes by channel id or name, repeatedly', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg]);
  const path = '/users/me/subscriptions/muted_topics';
  const modern = await server.as(meg).listen({event_types: ['user_topic']});
  const old = await server.as(meg).listen({event_types: ['muted_topics']});
  await server.as(meg).patch(path, {stream_id: channel, topic: 'noise', op: 'add'});
  await server.as(meg).patch(path, {stream: 'TALK', topic: 'noise', op: 'add'});
  expect(await modern.events()).toMatchObject([{type: 'user_topic', visibility_policy: 1}]);
  expect(await old.events()).toMatchObject([
    {type: 'muted_topics', muted_topics: [['talk', 'noise', expect.any(Number)]]},
  ]);
  const {muted_topics} = await server.as(meg).post('/register', {fetch_event_types: ['muted_topics']});
  expect(muted_topics).toEqual([['talk', 'noise', expect.any(Number)]]);
  await server.as(meg).patch(path, {stream: 'talk', topic: 'Noise', op: 'remove'});
  await server.as(meg).patch(path, {stream: 'talk', topic: 'noise', op: 'remove'});
  expect(await modern.events()).toMatchObject([{visibility_policy: 0}]);
  const refused = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('PATCH', path, {topic: 'noise', op: 'add'}, refused);
  const both = {stream_id: channel, stream: 'talk', topic: 'noise', op: 'add'};
  await server.as(meg).refused('PATCH', path, both, refused);
  await server.as(meg).refused('PATCH', path, {stream: 'nowhere', topic: 'noise', op: 'add'}, refused);
  await server.as(meg).refused('PATCH', path, {stream: 'talk', topic: 'noise', op: 'toggle'}, refused);
  await server.as(meg).refused('PATCH', path, {stream: 'talk', op: 'add'}, {code: 'REQUEST_VARIABLE_MISSING'});
});

test('topics: deleting a topic deletes all its messages and no others', async () => {
  const server = await testServer();
  const admin = server.people.admin();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [admin, meg]);
  const doomed = [sendChannelMessage(server, meg, channel, 'Old'), sendChannelMessage(server, meg, channel, 'old')];
  const remainingId = sendChannelMessage(server, meg, channel, 'new');
  for (const person of [admin, meg]) {
    await server.as(person).post('/user_topics', {stream_id: channel, topic: 'old', visibility_policy: 3});
  }
  const listener = await server.as(meg).listen({event_types: ['delete_message', 'stream', 'user_topic']});
  const other = await server.as(admin).listen({event_types: ['user_topic']});
  const path = `/streams/${channel}/delete_topic`;
  await server.as(meg).refused('POST', path, {topic_name: 'old'}, {code: 'UNAUTHORIZED_PRINCIPAL'});
  const reply = await server.as(admin).post(path, {topic_name: 'OLD'});
  expect(reply).toEqual({result: 'success', msg: '', complete: true});
  expect(await listener.events()).toMatchObject([
    {type: 'stream', op: 'update', property: 'first_message_id', value: remainingId},
    {type: 'delete_message', message_ids: doomed, message_type: 'stream', stream_id: channel},
    {type: 'user_topic', topic_name: 'Old', visibility_policy: 0},
  ]);
  expect(await other.events()).toMatchObject([{topic_name: 'old', visibility_policy: 0}]);
  const {topics} = await server.as(meg).get(`/users/me/${channel}/topics`);
  expect(topics).toEqual([{name: 'new', max_id: remainingId}]);
  expect(await server.as(admin).post(path, {topic_name: 'never was'})).toMatchObject({complete: true});
});

test('topics: users who may delete any message in the channel may delete its topics', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const channel = server.people.channel('talk', [meg], {
    permissions: {can_delete_any_message_group: SystemGroup.members},
  });
  const secret = server.people.channel('secret', [], {invite_only: 1});
  sendChannelMessage(server, meg, channel, 'old');
  await server.as(meg).post(`/streams/${channel}/delete_topic`, {topic_name: 'old'});
  const params = {topic_name: 'old'};
  await server.as(meg).refused('POST', `/streams/${secret}/delete_topic`, params, {code: 'BAD_REQUEST'});
});

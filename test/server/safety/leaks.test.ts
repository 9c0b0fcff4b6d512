import {expect, test} from 'vitest';
import type {Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

async function sendToTopic(server: TestServer, person: Person, to: number, topic: string): Promise<number> {
  const {id} = await server.as(person).post('/messages', {type: 'stream', to, topic, content: 'lorem'});
  return id;
}

/** Limits guests to users who share a conversation with them. */
async function limitUsers(server: TestServer, owner: Person): Promise<void> {
  const [members] = server.context.db.pluck(`SELECT id FROM user_group WHERE name = 'role:members'`);
  await server.as(owner).patch('/realm', {can_access_all_users_group: {new: members}});
}

test('visibility leaks: a user who lost access does not learn the new name of a topic that they followed', async () => {
  const server = await testServer();
  const [owner, meg] = [server.people.owner(), server.people.member()];
  const channel = server.people.channel('plans', [owner]);
  const id = await sendToTopic(server, meg, channel, 'before');
  await server.as(meg).post('/user_topics', {stream_id: channel, topic: 'before', visibility_policy: 3});
  await server.as(owner).patch(`/streams/${channel}`, {is_private: true});
  const listener = await server.as(meg).listen();
  await server.as(owner).patch(`/messages/${id}`, {topic: 'secret', propagate_mode: 'change_all'});
  expect(JSON.stringify(await listener.events())).not.toContain('secret');
  const {user_topics} = await server.as(meg).post('/register', {fetch_event_types: ['user_topic']});
  expect(user_topics).toEqual([]);
});

test('visibility leaks: readers without access to the origin do not learn where a moved message came from', async () => {
  const server = await testServer();
  const [admin, meg] = [server.people.admin(), server.people.member()];
  const secret = server.people.channel('secret', [meg], {invite_only: 1});
  const open = server.people.channel('open', [admin, meg]);
  const id = await sendToTopic(server, meg, secret, 'merger');
  const listener = await server.as(admin).listen({event_types: ['update_message']});
  await server.as(meg).patch(`/messages/${id}`, {
    stream_id: open,
    topic: 'news',
    send_notification_to_new_thread: false,
  });
  const [event] = await listener.events();
  expect(event).toMatchObject({subject: 'news', new_stream_id: open});
  const {message} = await server.as(admin).get(`/messages/${id}`);
  const history = await server.as(admin).get(`/messages/${id}/history`);
  for (const response of [event, message, history]) expect(JSON.stringify(response)).not.toContain('merger');
  expect((await server.as(meg).get(`/messages/${id}`)).message.edit_history[0]).toMatchObject({
    prev_topic: 'merger',
    prev_stream: secret,
  });
});

test('visibility leaks: with protected history, a later subscriber does not learn the topic of an older message that moves', async () => {
  const server = await testServer();
  const [meg, late] = [server.people.member(), server.people.member('Lea Late')];
  const hidden = server.people.channel('hidden', [meg], {invite_only: 1, history_public_to_subscribers: 0});
  const open = server.people.channel('open', [late, meg]);
  const id = await sendToTopic(server, meg, hidden, 'merger');
  server.people.subscribe(late, hidden);
  const listener = await server.as(late).listen({event_types: ['update_message']});
  await server.as(meg).patch(`/messages/${id}`, {
    stream_id: open,
    topic: 'news',
    send_notification_to_new_thread: false,
  });
  const events = await listener.events();
  expect(events).toHaveLength(1);
  const {message} = await server.as(late).get(`/messages/${id}`);
  expect(JSON.stringify([events, message])).not.toContain('merger');
});

test('visibility leaks: messages moved to a channel with protected history are readable for current, not former subscribers', async () => {
  const server = await testServer();
  const [meg, late, former] = ['Meg', 'Lea Late', 'Fay Former'].map((name) => server.people.member(name)) as [
    Person,
    Person,
    Person,
  ];
  const open = server.people.channel('open', [meg]);
  const hidden = server.people.channel('hidden', [meg, former], {
    invite_only: 1,
    history_public_to_subscribers: 0,
  });
  await sendToTopic(server, meg, hidden, 'shared');
  const moved = await sendToTopic(server, meg, open, 'talk');
  const remaining = await sendToTopic(server, meg, hidden, 'shared');
  await server.as(former).delete('/users/me/subscriptions', {subscriptions: ['hidden']});
  server.people.subscribe(late, hidden);
  await server.as(meg).patch(`/messages/${moved}`, {
    stream_id: hidden,
    send_notification_to_new_thread: false,
  });
  server.context.db.run('UPDATE subscription SET active = 1 WHERE user_id = ?', former.id);
  server.context.derivedFacts.invalidateAll();
  const seenBy = async (person: Person): Promise<number[]> => {
    const narrow = [{operator: 'channel', operand: hidden}];
    const reply = await server.as(person).get('/messages', {anchor: 'newest', num_before: 9, narrow});
    return reply.messages.map((message: Reply) => message.id);
  };
  expect(await seenBy(meg)).toContain(moved);
  expect(await seenBy(late)).toEqual([moved]);
  expect(await seenBy(former)).not.toContain(moved);
  expect(await seenBy(former)).toContain(remaining);
});

test('visibility leaks: a limited guest learns no hidden user’s name or address by typing, mentioning or sending', async () => {
  const server = await testServer();
  const [owner, guest, hidden] = [server.people.owner(), server.people.guest(), server.people.member('Hal Hidden')];
  const gone = server.people.add('Gil Gone', {active: false});
  await limitUsers(server, owner);
  const asGuest = server.as(guest);
  const listener = await asGuest.listen();
  const typing = await asGuest.raw('POST', '/typing', {type: 'direct', op: 'start', to: [hidden.id]});
  const preview = await asGuest.raw('POST', '/messages/render', {
    content: `@**|${hidden.id}** @_**|${hidden.id}** @**Hal Hidden**`,
  });
  const letter = {type: 'direct', to: [gone.id], content: 'hi'};
  const letters = [
    await asGuest.raw('POST', '/messages', letter),
    await asGuest.raw('POST', '/scheduled_messages', {
      ...letter,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 600,
    }),
  ];
  expect(typing.status).toBe(400);
  for (const {status} of letters) expect(status).toBe(400);
  expect(preview.body.rendered).not.toContain('user-mention');
  const response = JSON.stringify([typing, letters, await listener.events()]);
  for (const secret of ['Hal', 'hal.hidden', 'Gil', 'gil.gone']) expect(response).not.toContain(secret);
});

test('visibility leaks: nobody learns the hidden address of a deactivated user by writing to them', async () => {
  const server = await testServer();
  const gone = server.people.member('Gil Gone');
  server.context.db.run(
    `UPDATE user SET is_active = 0, settings = json_set(settings, '$.email_address_visibility', 4) WHERE id = ?`,
    gone.id,
  );
  const letter = {type: 'direct', to: [gone.id], content: 'hi'};
  const later = {scheduled_delivery_timestamp: 4_000_000_000};
  for (const person of [server.people.guest(), server.people.member(), server.people.admin()]) {
    const client = server.as(person);
    const replies = [
      await client.raw('POST', '/messages', letter),
      await client.raw('POST', '/scheduled_messages', {...letter, ...later}),
      await client.raw('POST', '/drafts', {drafts: [{...letter, type: 'private', topic: ''}]}),
    ];
    expect(JSON.stringify(replies)).toContain("'Gil Gone' is no longer using Zulip.");
    expect(JSON.stringify(replies)).not.toContain('gil.gone');
  }
});

test('visibility leaks: notices about their own account do not name people whom a limited guest may not see', async () => {
  const server = await testServer();
  const [owner, guest] = [server.people.owner('Hal Hidden'), server.people.guest()];
  await limitUsers(server, owner);
  const asOwner = server.as(owner);
  const group = await asOwner.post('/user_groups/create', {name: 'crew', description: '', members: []});
  const listener = await server.as(guest).listen({event_types: ['message']});
  await asOwner.post(`/user_groups/${group.group_id}/members`, {add: [guest.id]});
  await asOwner.patch(`/users/${guest.id}`, {full_name: 'Gus New'});
  const events = await listener.events();
  expect(events).toHaveLength(2);
  for (const {message} of events) expect(message.content).toMatch(/^Unknown user /);
  expect(JSON.stringify(events)).not.toContain('Hal');
});

test('visibility leaks: a sender without a subscription stays hidden from limited guests', async () => {
  const server = await testServer();
  const [owner, guest, hidden] = [server.people.owner(), server.people.guest(), server.people.member('Hal Hidden')];
  const channel = server.people.channel('open', [guest]);
  await limitUsers(server, owner);
  const listener = await server.as(guest).listen({event_types: ['message', 'typing'], client_gravatar: false});
  const id = await sendToTopic(server, hidden, channel, 'talk');
  const typing = {type: 'stream', op: 'start', stream_id: channel, topic: 'talk'};
  await server.as(hidden).post('/typing', typing);
  const [event, ...rest] = await listener.events();
  expect(rest).toEqual([]);
  const {message} = await server.as(guest).get(`/messages/${id}`);
  for (const response of [event?.message, message]) {
    expect(response).toMatchObject({sender_id: hidden.id, sender_full_name: 'Unknown user'});
    expect(JSON.stringify(response)).not.toContain('hal.hidden');
  }
});

test('visibility leaks: a user who becomes visible is sent with their status', async () => {
  const server = await testServer();
  const [owner, guest, meg] = [server.people.owner(), server.people.guest(), server.people.member()];
  await server.as(meg).post('/users/me/status', {status_text: 'at lunch'});
  await limitUsers(server, owner);
  const listener = await server.as(guest).listen({event_types: ['realm_user', 'user_status']});
  await server.as(meg).post('/messages', {type: 'direct', to: [guest.id], content: 'hi'});
  expect(await listener.events()).toMatchObject([
    {type: 'realm_user', op: 'add', person: {user_id: meg.id}},
    {type: 'user_status', user_id: meg.id, status_text: 'at lunch'},
  ]);
});

test('visibility leaks: limited viewers get the removal of a deactivated hidden user from groups', async () => {
  const server = await testServer();
  const [owner, guest, hidden] = [server.people.owner(), server.people.guest(), server.people.member('Hal Hidden')];
  await limitUsers(server, owner);
  const group = await server
    .as(owner)
    .post('/user_groups/create', {name: 'crew', description: '', members: [hidden.id]});
  const listener = await server.as(guest).listen({event_types: ['user_group', 'realm_user']});
  await server.as(owner).delete(`/users/${hidden.id}`);
  const events = await listener.events();
  expect(events.map(({type, op}) => `${type} ${op}`)).toEqual(
    Array.from({length: 3}, () => 'user_group remove_members'),
  );
  expect(events.map((event) => event.group_id)).toContain(group.group_id);
});

test('visibility leaks: the error of subscribing spells a hidden channel as requested', async () => {
  const server = await testServer();
  const [owner, meg] = [server.people.owner(), server.people.member()];
  server.people.channel('Project ÄTNA', [owner], {invite_only: 1});
  const subscriptions = [{name: 'project ätna'}];
  const fatal = await server.as(meg).raw('POST', '/users/me/subscriptions', {subscriptions});
  const listed = await server
    .as(meg)
    .post('/users/me/subscriptions', {subscriptions, authorization_errors_fatal: false});
  expect(fatal.body.msg).toContain('(project ätna)');
  expect(listed.unauthorized).toEqual(['project ätna']);
});

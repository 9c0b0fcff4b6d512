import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import type {Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {testServer} from '#test/support/server.ts';

const path = '/users/me/subscriptions';
const namedChannels = (...names: string[]) => names.map((name) => ({name}));
const eventsOfType = (events: Reply[], type: string) => events.filter((event) => event.type === type);

test('subscribe: an existing public channel is reported under the requester’s id', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const design = server.people.channel('design', []);
  const reply = await server.as(meg).post(path, {subscriptions: namedChannels('Design')});
  expect(reply).toEqual({
    result: 'success',
    msg: '',
    subscribed: {[meg.id]: ['design']},
    already_subscribed: {},
    new_subscription_messages_sent: true,
  });
  const again = await server.as(meg).post(path, {subscriptions: namedChannels('design')});
  expect(again).toMatchObject({subscribed: {}, already_subscribed: {[meg.id]: ['design']}});
  const {subscriptions} = await server.as(meg).get(path, {include_subscribers: 'true'});
  expect(subscriptions).toMatchObject([{stream_id: design, subscriber_count: 1, subscribers: [meg.id]}]);
});

test('subscribe: an unknown name creates a channel that its creator administers', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const events = await server.as(meg).listen();
  await server.as(meg).post(path, {subscriptions: [{name: ' plans ', description: 'what *next*'}]});
  const {stream_id} = await server.as(meg).get('/get_stream_id', {stream: 'PLANS'});
  const {stream} = await server.as(meg).get(`/streams/${stream_id}`);
  expect(stream).toMatchObject({
    name: 'plans',
    description: 'what *next*',
    creator_id: meg.id,
    invite_only: false,
    history_public_to_subscribers: true,
    is_web_public: false,
    topics_policy: 'inherit',
    message_retention_days: null,
    folder_id: null,
    first_message_id: null,
    subscriber_count: 1,
    can_administer_channel_group: {direct_members: [meg.id], direct_subgroups: []},
    can_send_message_group: SystemGroup.everyone,
    can_remove_subscribers_group: SystemGroup.administrators,
    can_add_subscribers_group: SystemGroup.nobody,
  });
  const [create, add] = await events.events();
  expect(create).toMatchObject({type: 'stream', op: 'create', streams: [{stream_id, subscriber_count: 0}]});
  expect(add).toMatchObject({
    type: 'subscription',
    op: 'add',
    subscriptions: [
      // The count is from before the subscription, the list from after it.
      {stream_id, subscriber_count: 0, subscribers: [meg.id], is_muted: false, in_home_view: true, pin_to_top: false},
    ],
  });
  expect(add?.subscriptions[0].color).toMatch(/^#[0-9a-f]{6}$/);
});

test('subscribe: initial settings apply to a new channel and are ignored for an existing one', async () => {
  const server = await testServer();
  const meg = server.people.owner();
  server.people.channel('old', []);
  const settings = {
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 7,
    topics_policy: '"disable_empty_topic"',
    default_push_notifications: true,
    can_send_message_group: {direct_members: [], direct_subgroups: [SystemGroup.moderators]},
    can_add_subscribers_group: {
      direct_members: [meg.id, meg.id],
      direct_subgroups: [SystemGroup.administrators],
    },
  };
  await server.as(meg).post(path, {subscriptions: namedChannels('old', 'new'), ...settings});
  const {subscriptions} = await server.as(meg).get(path);
  const [old, fresh] = subscriptions;
  expect(old).toMatchObject({invite_only: false, message_retention_days: null, topics_policy: 'inherit'});
  expect(fresh).toMatchObject({
    invite_only: true,
    history_public_to_subscribers: true,
    message_retention_days: 7,
    topics_policy: 'disable_empty_topic',
    default_push_notifications: true,
    push_notifications: true,
    can_send_message_group: SystemGroup.moderators,
    can_add_subscribers_group: {direct_members: [meg.id], direct_subgroups: [SystemGroup.administrators]},
    stream_post_policy: 4,
  });
});

test('subscribe: a new private channel has protected history by default', async () => {
  const server = await testServer();
  const meg = server.people.member();
  await server.as(meg).post(path, {subscriptions: namedChannels('secret'), invite_only: true});
  const {subscriptions} = await server.as(meg).get(path);
  expect(subscriptions[0].history_public_to_subscribers).toBe(false);
});

test('subscribe: users are subscribed by id or email address and get a notice from the notification bot', async () => {
  const server = await testServer();
  const [meg, bo, cy] = ['Meg', 'Bo', 'Cy'].map((name) => server.people.member(name));
  if (meg === undefined || bo === undefined || cy === undefined) throw new Error('unreachable');
  const channelId = server.people.channel('design', [meg]);
  const theirs = await server.as(bo).listen();
  const mine = await server.as(meg).listen();
  const byId = await server.as(meg).post(path, {subscriptions: namedChannels('design'), principals: [bo.id, meg.id]});
  expect(byId).toMatchObject({
    subscribed: {[bo.id]: ['design']},
    already_subscribed: {[meg.id]: ['design']},
    new_subscription_messages_sent: true,
  });
  const events = await theirs.events();
  expect(eventsOfType(events, 'subscription')).toMatchObject([{op: 'add', subscriptions: [{stream_id: channelId}]}]);
  const [notice] = eventsOfType(events, 'message');
  expect(notice?.message.content).toContain('subscribed you to #**design**.');
  expect(await mine.events()).toMatchObject([
    {type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: [bo.id]},
  ]);
  const byEmail = await server.as(meg).post(path, {
    subscriptions: namedChannels('design'),
    principals: [cy.email.toUpperCase()],
    send_new_subscription_messages: false,
  });
  expect(byEmail.subscribed).toEqual({[cy.id]: ['design']});
  expect(byEmail).not.toHaveProperty('new_subscription_messages_sent');
});

test('subscribe: people who are subscribed to a new channel get it, and no notice', async () => {
  const server = await testServer();
  const [meg, bo] = [server.people.member(), server.people.member('Bo')];
  const theirs = await server.as(bo).listen({event_types: ['message', 'subscription']});
  await server.as(meg).post(path, {subscriptions: namedChannels('plans'), principals: [bo.id, meg.id]});
  expect(await theirs.events()).toMatchObject([{op: 'add', subscriptions: [{name: 'plans'}]}]);
});

test('subscribe: unknown and deactivated users are refused without any change', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const deactivated = server.people.add('Gone', {active: false});
  for (const principal of [deactivated.id, 999_999, deactivated.email, 'nobody@example.com', 1]) {
    const params = {subscriptions: namedChannels('made up'), principals: [meg.id, principal]};
    await server.as(meg).refused('POST', path, params, {code: 'BAD_REQUEST'});
  }
  await server.as(meg).refused('GET', '/get_stream_id', {stream: 'made up'}, {code: 'BAD_REQUEST'});
});

test('subscribe: joining a private channel needs its permission; failures can be non-fatal', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const admin = server.people.admin();
  server.people.channel('closed', [], {invite_only: 1});
  server.people.channel('invited', [], {
    invite_only: 1,
    permissions: {can_subscribe_group: {direct_members: [meg.id], direct_subgroups: []}},
  });
  server.people.channel('adders', [], {
    invite_only: 1,
    permissions: {can_add_subscribers_group: {direct_members: [meg.id], direct_subgroups: []}},
  });
  server.people.channel('past', [], {is_archived: 1});
  const closed = {subscriptions: namedChannels('closed')};
  const refusal = await server.as(meg).refused('POST', path, closed, {code: 'BAD_REQUEST'});
  expect(refusal.msg).toBe('Unable to access channel (closed).');
  const archived = await server.as(meg).post(path, {subscriptions: namedChannels('past')});
  expect(archived.subscribed).toEqual({[meg.id]: ['past']});
  await server.as(admin).refused('POST', path, {subscriptions: namedChannels('closed')}, {code: 'BAD_REQUEST'});
  const reply = await server.as(meg).post(path, {
    subscriptions: namedChannels('closed', 'invited', 'adders'),
    authorization_errors_fatal: false,
  });
  expect(reply).toMatchObject({subscribed: {[meg.id]: ['invited', 'adders']}, unauthorized: ['closed']});
});

test('subscribe: guests cannot join channels by themselves', async () => {
  const server = await testServer();
  const gus = server.people.guest();
  server.people.channel('public', []);
  server.people.channel('web', [], {is_web_public: 1});
  for (const name of ['public', 'web', 'brand new']) {
    await server.as(gus).refused('POST', path, {subscriptions: namedChannels(name)}, {code: 'BAD_REQUEST'});
  }
});

test('subscribe: subscribing others needs the organization’s or the channel’s permission', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  server.people.setting('can_add_subscribers_group', SystemGroup.administrators);
  server.people.channel('strict', [meg]);
  server.people.channel('lenient', [meg], {
    permissions: {can_add_subscribers_group: SystemGroup.members},
  });
  const refusal = await server
    .as(meg)
    .refused('POST', path, {subscriptions: namedChannels('strict'), principals: [bo.id]}, {code: 'BAD_REQUEST'});
  expect(refusal.msg).toBe('Insufficient permission');
  const reply = await server.as(meg).post(path, {subscriptions: namedChannels('lenient'), principals: [bo.id]});
  expect(reply.subscribed).toEqual({[bo.id]: ['lenient']});
});

test('subscribe: the organization’s settings decide who may create public, private and web-public channels', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const owner = server.people.owner();
  server.people.setting('can_create_public_channel_group', SystemGroup.administrators);
  server.people.setting('can_create_private_channel_group', SystemGroup.moderators);
  const refused = {code: 'BAD_REQUEST'};
  await server.as(meg).refused('POST', path, {subscriptions: namedChannels('a')}, refused);
  await server.as(meg).refused('POST', path, {subscriptions: namedChannels('a'), invite_only: true}, refused);
  const web = {subscriptions: namedChannels('web'), is_web_public: true};
  await server.as(owner).refused('POST', path, web, refused);
  server.people.setting('enable_spectator_access', true);
  await server.as(owner).post(path, web);
  await server.as(owner).refused('POST', path, {...web, subscriptions: namedChannels('x'), invite_only: true}, refused);
});

test('subscribe: only owners set retention, only administrators create default channels', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const admin = server.people.admin();
  const refused = {code: 'UNAUTHORIZED_PRINCIPAL'};
  await server.as(admin).refused('POST', path, {subscriptions: namedChannels('a'), message_retention_days: 3}, refused);
  await server
    .as(meg)
    .refused('POST', path, {subscriptions: namedChannels('a'), is_default_stream: true}, {code: 'BAD_REQUEST'});
  const both = {subscriptions: namedChannels('a'), is_default_stream: true, invite_only: true};
  await server.as(admin).refused('POST', path, both, {code: 'BAD_REQUEST'});
  const listener = await server.as(admin).listen();
  await server.as(admin).post(path, {subscriptions: namedChannels('a'), is_default_stream: true});
  const {stream_id} = await server.as(admin).get('/get_stream_id', {stream: 'a'});
  expect(eventsOfType(await listener.events(), 'default_streams')).toMatchObject([{default_streams: [stream_id]}]);
});

test('subscribe: invalid names and group settings are refused', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const refused = {code: 'BAD_REQUEST'};
  for (const name of ['', '   ', 'x'.repeat(61), 'a\u0000b']) {
    await server.as(meg).refused('POST', path, {subscriptions: namedChannels(name)}, refused);
  }
  const wrong = [
    {can_send_message_group: 9999},
    {can_send_message_group: {direct_members: [9999], direct_subgroups: []}},
    {can_send_message_group: SystemGroup.internet},
    {can_add_subscribers_group: SystemGroup.everyone},
    {can_delete_any_message_group: SystemGroup.members},
    {topics_policy: 'whatever'},
    {message_retention_days: 'sometimes'},
    {folder_id: 77},
  ];
  for (const settings of wrong) {
    await server.as(meg).refused('POST', path, {subscriptions: namedChannels('x'), ...settings}, refused);
  }
  const longest = `${'😀'.repeat(60)}`;
  await server.as(meg).post(path, {subscriptions: namedChannels(longest)});
});

test('subscribe: a new private channel is sent only to its subscribers and administrators', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const bo = server.people.member('Bo');
  const outsider = server.people.member('Otto Outsider');
  const admin = server.people.admin();
  const listeners = await Promise.all(
    [meg, bo, outsider, admin].map((person) => server.as(person).listen({include_subscribers: 'true'})),
  );
  await server.as(meg).post(path, {
    subscriptions: namedChannels('secret'),
    invite_only: true,
    principals: [meg.id, bo.id],
    send_new_subscription_messages: false,
  });
  const [mine, theirs, others, admins] = await Promise.all(listeners.map((each) => each.events()));
  const kinds = (events: Reply[] | undefined) => events?.map((event) => `${event.type} ${event.op}`);
  expect(kinds(mine)).toEqual(['stream create', 'subscription add']);
  expect(kinds(theirs)).toEqual(['stream create', 'subscription add']);
  expect(theirs?.[1]?.subscriptions[0].subscribers).toEqual([meg.id, bo.id]);
  expect(kinds(others)).toEqual([]);
  expect(kinds(admins)).toEqual(['stream create', 'subscription peer_add']);
});

test('subscribe: an announcement is posted in the announcement channel, and in the new channel if the organization wants it', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const board = server.people.channel('announcements', [meg]);
  server.people.setting('new_stream_announcements_stream_id', board);
  const listener = await server.as(meg).listen();
  await server.as(meg).post(path, {subscriptions: namedChannels('garden'), announce: true});
  server.people.setting('send_channel_events_messages', true);
  await server.as(meg).post(path, {subscriptions: namedChannels('shed'), announce: true});
  const messages = eventsOfType(await listener.events(), 'message').map((event) => event.message);
  expect(messages).toMatchObject([
    {display_recipient: 'announcements', subject: 'new channels'},
    {display_recipient: 'announcements', subject: 'new channels'},
    {display_recipient: 'shed', subject: 'channel events'},
  ]);
  expect(messages[0].content).toContain('created a new channel #**garden**');
});

test('subscribe: above the limit of new subscribers no direct notices are sent', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const crowd = Array.from({length: 101}, (_, index) => server.people.member(`P ${index}`).id);
  server.people.channel('crowd', [meg]);
  const reply = await server.as(meg).post(path, {subscriptions: namedChannels('crowd'), principals: crowd});
  expect(reply.new_subscription_messages_sent).toBe(false);
  expect(Object.keys(reply.subscribed)).toHaveLength(101);
});

test('subscribe: each new subscription gets an unused color or the requested one', async () => {
  const server = await testServer();
  const meg = server.people.member();
  await server.as(meg).post(path, {subscriptions: [{name: 'a'}, {name: 'b'}, {name: 'c', color: '#abc'}]});
  const {subscriptions} = await server.as(meg).get(path);
  const colors = subscriptions.map((sub: Reply) => sub.color);
  expect(new Set(colors).size).toBe(3);
  expect(colors[2]).toBe('#abc');
});

test.each([0, 1])(
  'subscribe: of several channels with other new subscribers, each has its own event (web-public: %s)',
  async (is_web_public) => {
    const server = await testServer();
    const [meg, otto, una, watcher] = ['Meg', 'Otto', 'Una', 'Walt'].map((name) => server.people.member(name)) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const one = server.people.channel('one', [otto], {is_web_public});
    const two = server.people.channel('two', [una], {is_web_public});
    const three = server.people.channel('three', [otto], {is_web_public});
    const listener = await server.as(watcher).listen({event_types: ['subscription']});
    const subscriptions = namedChannels('one', 'two', 'three');
    const reply = await server.as(meg).post(path, {subscriptions, principals: [otto.id, una.id]});
    expect(reply).toMatchObject({
      subscribed: {[otto.id]: ['two'], [una.id]: ['one', 'three']},
      already_subscribed: {[otto.id]: ['one', 'three'], [una.id]: ['two']},
    });
    expect(await listener.events()).toMatchObject([
      {op: 'peer_add', stream_ids: [one, three], user_ids: [una.id]},
      {op: 'peer_add', stream_ids: [two], user_ids: [otto.id]},
    ]);
    await server
      .as(server.people.admin())
      .delete(path, {subscriptions: ['one', 'two', 'three'], principals: [otto.id]});
    expect(await listener.events()).toMatchObject([
      {op: 'peer_remove', stream_ids: [one, two, three], user_ids: [otto.id]},
    ]);
  },
);

test('subscribe: of several channels, those that may not be used are named and the others are subscribed to', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  for (const name of ['open', 'wide']) server.people.channel(name, []);
  for (const name of ['shut', 'sealed']) server.people.channel(name, [otto], {invite_only: 1});
  const subscriptions = namedChannels('shut', 'open', 'sealed', 'wide');
  const asMeg = server.as(meg);
  await asMeg.refused('POST', path, {subscriptions}, {code: 'BAD_REQUEST'});
  const current = async () => (await asMeg.get(path)).subscriptions.map(({name}: Reply) => name).sort();
  expect(await current()).toEqual([]);
  expect(await asMeg.post(path, {subscriptions, authorization_errors_fatal: false})).toMatchObject({
    subscribed: {[meg.id]: ['open', 'wide']},
    unauthorized: ['shut', 'sealed'],
  });
  expect(await current()).toEqual(['open', 'wide']);
});

test('subscribe: the first 24 channels of a user get 24 colors', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const names = Array.from({length: 24}, (_, index) => `channel ${index}`);
  await server.as(meg).post(path, {subscriptions: namedChannels(...names)});
  const {subscriptions} = await server.as(meg).get(path);
  expect(new Set(subscriptions.map((sub: Reply) => sub.color)).size).toBe(24);
});

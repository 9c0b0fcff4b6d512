import {expect, test} from 'vitest';
import type {Params} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {testServer} from '#test/support/server.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

/** What requests name: a private channel of others, a message in it, and things of the one who asks. */
interface Names {
  readonly channel: number;
  readonly message: number;
  readonly subscriber: Person;
  readonly own: Readonly<Record<'id' | 'message' | 'bot' | 'draft' | 'scheduled', number>>;
}

type Request = (names: Names) => readonly [path: string, params?: Params];
type Name = keyof typeof endpoints | keyof typeof otherEndpoints;

/** A name that says which parameter of the endpoint names the channel, after a blank. */
type Place = Name | `${Name} ${string}`;
type Requests = Partial<Record<Place, Request>>;

const text = 'plugh in the cellar';
const topic = 'vault';
const email = 'second@example.com';
const stored = {op: 'add', flag: 'starred'} as const;
const later = 4_000_000_000;
const narrow = [{operator: 'channel', operand: 'secret'}];

/** Requests that need a channel whose messages the user can read. Nobody outside it may make them, whatever their role. */
const readerRequests = {
  addDefaultChannel: ({channel}) => ['/default_streams', {stream_id: channel}],
  addReaction: ({message}) => [`/messages/${message}/reactions`, {emoji_name: 'tada'}],
  changeDefaultChannelGroup: () => ['/default_stream_groups/1/streams', {op: 'add', stream_names: ['secret']}],
  changeSubscriptions: () => ['/users/me/subscriptions', {add: [{name: 'secret'}]}],
  'createBot default_sending_stream': ({own}) => [
    '/bots',
    {full_name: `A ${own.id}`, short_name: `a${own.id}`, default_sending_stream: 'secret'},
  ],
  'createBot default_events_register_stream': ({own}) => [
    '/bots',
    {full_name: `B ${own.id}`, short_name: `b${own.id}`, default_events_register_stream: 'secret'},
  ],
  createDefaultChannelGroup: () => [
    '/default_stream_groups/create',
    {group_name: 'more', description: '', stream_names: ['secret']},
  ],
  createDrafts: ({channel}) => ['/drafts', {drafts: [{type: 'stream', to: [channel], topic, content: 'x'}]}],
  createInviteLink: ({channel}) => ['/invites/multiuse', {stream_ids: [channel]}],
  createReminder: ({message}) => ['/reminders', {message_id: message, scheduled_delivery_timestamp: later}],
  createScheduledMessage: ({channel}) => [
    '/scheduled_messages',
    {type: 'stream', to: channel, topic, content: 'x', scheduled_delivery_timestamp: later},
  ],
  editDraft: ({channel, own}) => [
    `/drafts/${own.draft}`,
    {draft: {type: 'stream', to: [channel], topic, content: 'x'}},
  ],
  editScheduledMessage: ({channel, own}) => [
    `/scheduled_messages/${own.scheduled}`,
    {type: 'stream', to: channel, topic},
  ],
  'editMessage stream_id': ({channel, own}) => [`/messages/${own.message}`, {stream_id: channel}],
  getChannelEmail: ({channel}) => [`/streams/${channel}/email_address`],
  getChannelId: () => ['/get_stream_id', {stream: 'secret'}],
  getMessage: ({message}) => [`/messages/${message}`],
  getMessageHistory: ({message}) => [`/messages/${message}/history`],
  getMessagesSummary: () => ['/messages/summary', {narrow}],
  getReadReceipts: ({message}) => [`/messages/${message}/read_receipts`],
  getTopics: ({channel}) => [`/users/me/${channel}/topics`],
  markChannelAsRead: ({channel}) => ['/mark_stream_as_read', {stream_id: channel}],
  markTopicAsRead: ({channel}) => ['/mark_topic_as_read', {stream_id: channel, topic_name: topic}],
  muteTopic: ({channel}) => ['/users/me/subscriptions/muted_topics', {stream_id: channel, topic, op: 'add'}],
  'muteTopic stream': () => ['/users/me/subscriptions/muted_topics', {stream: 'secret', topic, op: 'add'}],
  removeReaction: ({message}) => [`/messages/${message}/reactions`, {emoji_name: 'tada'}],
  reportMessage: ({message}) => [`/messages/${message}/report`, {report_type: 'spam'}],
  sendEditTyping: ({message}) => [`/messages/${message}/typing`, {op: 'start'}],
  sendInvites: ({channel}) => ['/invites', {invitee_emails: email, stream_ids: [channel]}],
  sendMessage: ({channel}) => ['/messages', {type: 'stream', to: channel, topic, content: 'x'}],
  'sendMessage name': () => ['/messages', {type: 'stream', to: 'secret', topic, content: 'x'}],
  sendSubmessage: ({message}) => ['/submessage', {message_id: message, msg_type: 'widget', content: '{}'}],
  sendTyping: ({channel}) => ['/typing', {type: 'stream', op: 'start', stream_id: channel, topic}],
  setUserTopic: ({channel}) => ['/user_topics', {stream_id: channel, topic, visibility_policy: 3}],
  subscribe: () => ['/users/me/subscriptions', {subscriptions: [{name: 'secret'}]}],
  'subscribe principals': ({own}) => [
    '/users/me/subscriptions',
    {subscriptions: [{name: 'secret'}], principals: [own.bot]},
  ],
  'updateBot default_sending_stream': ({own}) => [`/bots/${own.bot}`, {default_sending_stream: 'secret'}],
  'updateBot default_events_register_stream': ({own}) => [
    `/bots/${own.bot}`,
    {default_events_register_stream: 'secret'},
  ],
  'updateChannel is_web_public': ({channel}) => [`/streams/${channel}`, {is_web_public: true}],
  'updateChannel can_add_subscribers_group': ({channel, own}) => [
    `/streams/${channel}`,
    {can_add_subscribers_group: {new: {direct_members: [own.id], direct_subgroups: []}}},
  ],
  'updateChannel can_subscribe_group': ({channel}) => [`/streams/${channel}`, {can_subscribe_group: {new: 3}}],
  updateFlags: ({message}) => ['/messages/flags', {messages: [message], ...stored}],
  updateSubscription: ({channel}) => [`/users/me/subscriptions/${channel}`, {property: 'pin_to_top', value: true}],
  updateSubscriptions: ({channel}) => [
    '/users/me/subscriptions/properties',
    {subscription_data: [{stream_id: channel, property: 'pin_to_top', value: true}]},
  ],
  // Last, because they change what the others are about.
  editMessage: ({message}) => [`/messages/${message}`, {topic: 'moved'}],
  deleteMessage: ({message}) => [`/messages/${message}`],
  deleteTopic: ({channel}) => [`/streams/${channel}/delete_topic`, {topic_name: topic}],
  'updateChannel is_private': ({channel}) => [`/streams/${channel}`, {is_private: false}],
} satisfies Requests;

/** Those of them that are also refused to a subscribed owner, for another reason. */
const refusedToAll: readonly Place[] = [
  'addDefaultChannel',
  'getChannelEmail',
  'getMessagesSummary',
  'reportMessage',
  'sendEditTyping',
  'sendSubmessage',
  'updateChannel is_web_public',
];

/** Requests about what administrators see of every channel: its name, settings and subscribers. Others may not make them. */
const administratorRequests = {
  getChannel: ({channel}) => [`/streams/${channel}`],
  getSubscribers: ({channel}) => [`/streams/${channel}/members`],
  getSubscriptionStatus: ({channel, subscriber}) => [`/users/${subscriber.id}/subscriptions/${channel}`],
  removeDefaultChannel: ({channel}) => ['/default_streams', {stream_id: channel}],
  updateChannel: ({channel}) => [`/streams/${channel}`, {description: 'known'}],
  'updateRealm moderation_request_channel_id': ({channel}) => ['/realm', {moderation_request_channel_id: channel}],
  'updateRealm new_stream_announcements_stream_id': ({channel}) => [
    '/realm',
    {new_stream_announcements_stream_id: channel},
  ],
  'updateRealm signup_announcements_stream_id': ({channel}) => ['/realm', {signup_announcements_stream_id: channel}],
  'updateRealm zulip_update_announcements_stream_id': ({channel}) => [
    '/realm',
    {zulip_update_announcements_stream_id: channel},
  ],
  'unsubscribe principals': ({subscriber}) => [
    '/users/me/subscriptions',
    {subscriptions: ['secret'], principals: [subscriber.id]},
  ],
  archiveChannel: ({channel}) => [`/streams/${channel}`],
} satisfies Requests;

/** Requests that succeed and find nothing. */
const emptyRequests = {
  getMessages: () => ['/messages', {anchor: 'newest', num_before: 9, num_after: 0, narrow}],
  matchNarrow: ({message}) => ['/messages/matches_narrow', {msg_ids: [message], narrow}],
  register: () => ['/register', {narrow: [['channel', 'secret']], event_types: ['message']}],
  updateFlagsForNarrow: () => [
    '/messages/flags/narrow',
    {anchor: 'newest', num_before: 9, num_after: 0, narrow, ...stored},
  ],
} satisfies Requests;

async function setup() {
  const server = await testServer({rateLimited: false});
  const {people} = server;
  const subscriber = people.member('Sue Subscriber');
  const second = people.member('Sam Second');
  const channel = people.channel('secret', [subscriber, second], {invite_only: 1});
  const message = (await server.as(subscriber).post('/messages', {type: 'stream', to: channel, topic, content: text}))
    .id;
  const outsiders = [people.member(), people.moderator(), people.admin(), people.owner()];
  const general = people.channel('general', outsiders);
  await server
    .as(outsiders[3] as Person)
    .post('/default_stream_groups/create', {group_name: 'g', description: '', stream_names: ['general']});
  const namesOf = async (person: Person): Promise<Names> => {
    const client = server.as(person);
    const own = {type: 'stream', to: general, topic: 't', content: 'own'};
    const {id} = await client.post('/messages', own);
    const {ids} = await client.post('/drafts', {drafts: [{...own, to: [general]}]});
    const scheduled = await client.post('/scheduled_messages', {...own, scheduled_delivery_timestamp: later});
    const bot = people.bot(`Bot ${id} of ${person.fullName}`, person).id;
    const ownIds = {id: person.id, message: id, bot, draft: ids[0], scheduled: scheduled.scheduled_message_id};
    return {channel, message, subscriber, own: ownIds};
  };
  /** Returns everything that requests of people outside the channel may not change. */
  const state = async () => ({
    subscribers: (await server.as(second).get(`/streams/${channel}/members`)).subscribers,
    messages: (await server.as(second).get('/messages', {anchor: 'oldest', num_before: 0, num_after: 9, narrow}))
      .messages,
    invites: server.context.db.all('SELECT * FROM invite'),
    bots: server.context.db.all(
      'SELECT * FROM bot WHERE default_sending_channel_id IS NOT NULL OR default_events_channel_id IS NOT NULL',
    ),
  });
  const run = async (person: Person, requests: Readonly<Record<string, Request>>) => {
    const names = await namesOf(person);
    const statuses: Record<string, number> = {};
    const bodies: string[] = [];
    for (const [place, request] of Object.entries(requests)) {
      const [path, params] = request(names);
      const {status, body} = await server.as(person).raw(endpointOf(place).method, path, params);
      statuses[place] = status;
      bodies.push(JSON.stringify(body));
    }
    return {statuses, bodies: bodies.join('')};
  };
  return {server, channel, outsiders, state, run};
}

function endpointOf(place: string): Endpoint {
  const all: Readonly<Record<string, Endpoint>> = {...endpoints, ...otherEndpoints};
  const [name = ''] = place.split(' ');
  const endpoint = all[name];
  if (endpoint === undefined) throw new Error(`No endpoint ${name}`);
  return endpoint;
}

const all = (requests: object, status: number) => Object.fromEntries(Object.keys(requests).map((key) => [key, status]));

test('private channels: people outside, whatever their role, cannot read, join, post to, or invite to one that they name', async () => {
  const {server, channel, outsiders, state, run} = await setup();
  const before = await state();
  for (const person of outsiders) {
    const refused = await run(person, readerRequests);
    expect(refused.statuses, person.fullName).toEqual(all(readerRequests, 400));
    const empty = await run(person, emptyRequests);
    expect(empty.statuses, person.fullName).toEqual(all(emptyRequests, 200));
    expect(refused.bodies + empty.bodies).not.toContain(text);
  }
  expect(await state()).toEqual(before);
  // The same requests succeed inside: it was the channel that they were refused for.
  const insider = server.people.owner('Ivy Insider');
  server.people.subscribe(insider, channel);
  const {statuses} = await run(insider, readerRequests);
  expect(Object.keys(statuses).filter((place) => statuses[place] !== 200)).toEqual(refusedToAll.toSorted());
});

test('private channels: of people outside, administrators and owners see settings and subscribers, and others nothing', async () => {
  const {server, outsiders, run} = await setup();
  const expected = [400, 400, 200, 200];
  for (const [at, person] of outsiders.entries()) {
    const {statuses, bodies} = await run(person, administratorRequests);
    expect(statuses, person.fullName).toEqual(all(administratorRequests, expected[at] ?? 0));
    expect(bodies).not.toContain(text);
    server.context.db.run('UPDATE channel SET is_archived = 0');
  }
});

test('private channels: each endpoint with a parameter that names a channel is tested above', () => {
  const tested = new Set(
    Object.keys({...readerRequests, ...administratorRequests, ...emptyRequests}).map((place) => endpointOf(place)),
  );
  const namesChannel =
    /^(stream|stream_id|stream_ids|stream_names|channel_id|subscriptions|default_\w+_stream|\w+_(stream|channel)_id|narrow|message_id|messages|drafts?|to)$/;
  const missing = Object.values<Endpoint>({...endpoints, ...otherEndpoints})
    .filter(({params}) => Object.keys(params).some((name) => namesChannel.test(name)))
    .filter((endpoint) => !tested.has(endpoint))
    .map(({id}) => id);
  expect(missing).toEqual([]);
});

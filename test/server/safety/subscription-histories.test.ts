import {expect, test} from 'vitest';
import type {ApiClient, Listener, Reply} from '#test/support/api-client.ts';
import {differences} from '#test/support/differences.ts';
import type {Person} from '#test/support/people.ts';
import {testServer} from '#test/support/server.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {
  allHistories,
  type ChannelKind,
  channelKinds,
  heard,
  isUnread,
  owns,
  type Reader,
  reads,
} from './subscription-oracle.ts';

/** Without direct messages of the notification bot. */
const quietly = {send_new_subscription_messages: false};
/** With four messages a user can leave and return twice. */
const topics = ['tides', 'tides', 'winds', 'tides'] as const;
const numbers = topics.map((_, number) => number);
const histories = allHistories(topics.length);
/**
 * Some histories: always subscribed, since the last message or after it, until the last message or the one before it, away
 * for one message, away twice, there for one message, and never.
 */
const someHistories = [31, 17, 1, 30, 14, 27, 21, 8, 0];

interface User extends Reader {
  readonly person: Person;
  readonly client: ApiClient;
}

/**
 * Returns a channel of the kind after four messages, with one user for each way to be subscribed during them: so somebody
 * subscribed just before each message, and somebody left just after it. Everybody of a step is added in one request, and
 * removed in one.
 */
async function historyFixture(kind: ChannelKind) {
  const server = await testServer({rateLimited: false});
  const {people} = server;
  const owner = people.owner();
  const channel = people.channel('harbour', [owner], {
    invite_only: kind.isPrivate ? 1 : 0,
    is_web_public: kind.isWebPublic ? 1 : 0,
    history_public_to_subscribers: kind.isProtected ? 0 : 1,
  });
  const asOwner = server.as(owner);
  const some = someHistories.flatMap((index) => histories[index] ?? []);
  const readers = [
    // Only protected history depends on each step.
    ...(kind.isProtected ? histories : fewOrAll(some, histories)).map((one) => ({...one, isGuest: false})),
    ...fewOrAll(some, histories).map((one) => ({...one, isGuest: true})),
  ];
  const users = readers.map((reader): User => {
    const steps = [...reader.received, reader.isSubscribed].map((was) => (was ? 'x' : 'o')).join('');
    const person = reader.isGuest ? people.guest(`Guest ${steps}`) : people.member(`Member ${steps}`);
    return {...reader, person, client: server.as(person)};
  });
  const subscribed = new Set<User>();
  const change = async (isWanted: (user: User) => boolean) => {
    const added = users.filter((user) => isWanted(user) && !subscribed.has(user));
    const removed = users.filter((user) => !isWanted(user) && subscribed.has(user));
    const ids = (list: readonly User[]) => list.map(({person}) => person.id);
    const path = '/users/me/subscriptions';
    if (added.length > 0)
      await asOwner.post(path, {subscriptions: [{name: 'harbour'}], principals: ids(added), ...quietly});
    if (removed.length > 0) await asOwner.delete(path, {subscriptions: ['harbour'], principals: ids(removed)});
    for (const user of added) subscribed.add(user);
    for (const user of removed) subscribed.delete(user);
  };
  const messages: {id: number; url: string}[] = [];
  for (const [number, topic] of topics.entries()) {
    await change(({received}) => received[number] === true);
    const {url} = (await asOwner.upload('/user_uploads', `${number}.txt`, Buffer.from('bytes'))).body;
    const content = `/poll high water? [${number}](${url})`;
    const {id} = await asOwner.post('/messages', {type: 'stream', to: channel, topic, content});
    messages.push({id, url});
  }
  await change(({isSubscribed}) => isSubscribed);
  return {server, owner, asOwner, channel, kind, users, messages, ids: messages.map(({id}) => id)};
}

type Fixture = Awaited<ReturnType<typeof historyFixture>>;

/** Returns for each endpoint the numbers of the messages that the user gets. */
async function readEverything({channel, messages, ids}: Fixture, {client}: User) {
  const numbersOf = (list: readonly number[]) => ids.flatMap((id, number) => (list.includes(id) ? [number] : []));
  const page = {anchor: 'newest', num_before: 100, num_after: 0};
  const {messages: views} = await client.get('/messages', {message_ids: ids});
  const fetched = async (params: Reply) =>
    numbersOf((await client.raw('GET', '/messages', params)).body.messages?.map(({id}: Reply) => id) ?? []);
  const inChannel = {operator: 'channel', operand: channel};
  const tides = {operator: 'topic', operand: 'tides'};
  const word = {operator: 'search', operand: 'water'};
  const single = async (path: (message: (typeof messages)[number]) => string) => {
    const replies = await Promise.all(messages.map((message) => client.raw('GET', path(message))));
    return replies.flatMap(({status}, number) => (status === 200 ? [number] : []));
  };
  const {topics: listed = []} = (await client.raw('GET', `/users/me/${channel}/topics`)).body;
  const matching = await client.get('/messages/matches_narrow', {msg_ids: ids, narrow: [word]});
  const state = await client.post('/register', {fetch_event_types: ['message', 'update_message_flags']});
  const unreads: Reply = state.unread_msgs;
  return {
    byId: numbersOf(views.map(({id}: Reply) => id)),
    unreceived: numbersOf(views.filter(({flags}: Reply) => flags.includes('historical')).map(({id}: Reply) => id)),
    inChannel: await fetched({...page, narrow: [inChannel]}),
    inTopic: await fetched({...page, narrow: [inChannel, tides]}),
    inChannelFromOldest: await fetched({anchor: 'oldest', num_before: 0, num_after: 100, narrow: [inChannel]}),
    found: await fetched({...page, narrow: [inChannel, word]}),
    feed: await fetched({...page, narrow: []}),
    feedSearch: await fetched({...page, narrow: [word]}),
    with: await fetched({...page, narrow: [{operator: 'with', operand: ids[0]}]}),
    matching: numbersOf(Object.keys(matching.messages).map(Number)),
    single: await single(({id}) => `/messages/${id}`),
    history: await single(({id}) => `/messages/${id}/history`),
    receipts: await single(({id}) => `/messages/${id}/read_receipts`),
    files: await single(({url}) => url),
    topics: numbersOf(listed.map(({max_id}: Reply) => max_id)),
    unread: numbersOf(unreads.streams.flatMap((one: Reply) => one.unread_message_ids)),
    unreadCount: unreads.count,
    newest: state.max_message_id,
  };
}

/** Returns what the user should get from each endpoint. */
function expectedReads({kind, ids}: Fixture, user: User): Awaited<ReturnType<typeof readEverything>> {
  const readable = numbers.filter((number) => reads(kind, user, number));
  const own = numbers.filter((number) => owns(kind, user, number));
  const unread = numbers.filter((number) => isUnread(user, number));
  const tides = readable.filter((number) => topics[number] === 'tides');
  const newestOf = (topic: string) => readable.findLast((number) => topics[number] === topic) ?? [];
  return {
    byId: readable,
    unreceived: readable.filter((number) => !own.includes(number)),
    inChannel: readable,
    inTopic: tides,
    inChannelFromOldest: readable,
    found: readable,
    feed: own,
    feedSearch: own,
    with: reads(kind, user, 0) ? tides : [],
    matching: readable,
    single: readable,
    history: readable,
    receipts: readable,
    files: readable,
    topics: ['winds', 'tides'].flatMap(newestOf).sort(),
    unread,
    unreadCount: unread.length,
    newest: ids[own.at(-1) ?? -1] ?? -1,
  };
}

test.each(channelKinds)(
  '$name: each user reads, by every endpoint, what was sent while they might read it',
  async (kind) => {
    const fixture = await historyFixture(kind);
    const problems: string[] = [];
    for (const user of fixture.users) {
      const found = differences(await readEverything(fixture, user), expectedReads(fixture, user));
      problems.push(...found.map((line) => `${user.person.fullName}: ${line}`));
    }
    expect(problems).toEqual([]);
  },
);

interface Watched extends User {
  readonly queue: Listener;
}

/** Returns the numbers of the messages in the events of each user that differ from those they should hear of. */
async function wrongHearers(
  {kind, ids}: Fixture,
  watched: readonly Watched[],
  what: string,
  about: readonly number[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const user of watched) {
    const got = (await user.queue.events()).flatMap(({message_id, message_ids}) => message_ids ?? [message_id]);
    const due = heard(kind, user, about);
    const line = `${user.person.fullName}, ${what}: ${got.map((id) => ids.indexOf(id))}, expected ${due}`;
    if (`${got.toSorted((a, b) => a - b)}` !== `${due.map((number) => ids[number])}`) wrong.push(line);
  }
  return wrong;
}

test.each(channelKinds)(
  '$name: who hears of reactions, votes, edits, moves and deletions of each message',
  async (kind) => {
    const fixture = await historyFixture(kind);
    const {asOwner, users, ids, channel} = fixture;
    const event_types = ['reaction', 'submessage', 'typing_edit_message', 'update_message', 'delete_message'];
    // Older clients get one event for each deleted message.
    const older = {client_capabilities: {notification_settings_null: true}};
    const listen = (user: User, index: number) => user.client.listen({event_types, ...(index % 2 === 0 ? older : {})});
    const watched = await Promise.all(users.map(async (user, index) => ({...user, queue: await listen(user, index)})));
    const problems: string[] = [];
    const check = async (what: string, about: readonly number[]) =>
      problems.push(...(await wrongHearers(fixture, watched, what, about)));
    for (const number of numbers) {
      const id = ids[number];
      await asOwner.post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
      await check('reaction', [number]);
      await asOwner.delete(`/messages/${id}/reactions`, {emoji_name: 'tada'});
      await check('reaction removed', [number]);
      const vote = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
      await asOwner.post('/submessage', {message_id: id, msg_type: 'widget', content: vote});
      await check('vote', [number]);
      await asOwner.post(`/messages/${id}/typing`, {op: 'start'});
      await check('editing', [number]);
    }
    await asOwner.patch(`/messages/${ids[0]}`, {
      topic: 'currents',
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
    await check('topic moved', [0, 1, 3]);
    await asOwner.post(`/streams/${channel}/delete_topic`, {topic_name: 'currents'});
    await check('topic deleted', [0, 1, 3]);
    await asOwner.delete(`/messages/${ids[2]}`);
    await check('deleted', [2]);
    expect(problems).toEqual([]);
  },
);

import {expect, test} from 'vitest';
import {
  channelNarrow,
  combinedFeedNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  narrowKey,
  topicNarrow,
} from '#state/model/narrow.ts';
import {restoreState} from '#state/persistence/persistence.ts';
import type {Session} from '#state/session.ts';
import type {AccountState} from '#state/state.ts';
import {clientOf} from '#test/api/client.ts';
import {buildUpdateMessageEvent, channelMessage} from '#test/state/messages/wire-events.ts';
import {
  expectInSync,
  expectTimeline,
  hasMessage,
  type SessionFixture,
  sessionFixture,
  waitForState,
} from './session-fixture.ts';

function idsIn({timelines}: AccountState, narrow: Narrow): number[] {
  return timelines.get(narrowKey(narrow))?.ids.toArray() ?? [];
}

async function startedSession(fixture: SessionFixture): Promise<Session> {
  const session = fixture.session();
  session.start();
  await session.ready();
  return session;
}

test('unsubscribed channel: messages moved there leave the views that name no channel, and lose their star', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const books = server.people.channel('books', [otto]);
  const id = await fixture.postMessage('I read this');
  const other = await fixture.postMessage('I stay');
  await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
  const session = await startedSession(fixture);
  const views = [everythingNarrow, combinedFeedNarrow, narrowIs('starred'), channelNarrow(fixture.channelId)];
  for (const narrow of views) await session.timelines.open(narrow, 'newest');
  expect(idsIn(session.cache.state, everythingNarrow)).toEqual([id, other]);
  await server.as(otto).patch(`/messages/${id}`, {
    stream_id: books,
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  });
  const state = await waitForState(
    session,
    ({messages}) => messages.byId.get(id)?.conversationKey === `c${books}:talk`,
  );
  expect(views.map((narrow) => idsIn(state, narrow))).toEqual([[other], [other], [], [other]]);
  await expectInSync(fixture, session);
});

test('unsubscribed channel: a message that one reacted to or starred is in the views that name no channel', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const books = server.people.channel('books', [otto]);
  const post = async (content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: books, topic: 'talk', content})).id;
  const [reacted, starred, untouched] = [await post('a'), await post('b'), await post('c')];
  await server.as(meg).post(`/messages/${reacted}/reactions`, {emoji_name: 'tada'});
  const session = await startedSession(fixture);
  for (const narrow of [everythingNarrow, combinedFeedNarrow, channelNarrow(books)]) {
    await session.timelines.open(narrow, 'newest');
  }
  expect(idsIn(session.cache.state, combinedFeedNarrow)).toEqual([reacted]);
  await server.as(meg).post('/messages/flags', {messages: [starred], op: 'add', flag: 'starred'});
  const hasBoth = (narrow: Narrow) => (state: AccountState) => idsIn(state, narrow).length === 2;
  await waitForState(session, hasBoth(everythingNarrow));
  const state = await waitForState(session, hasBoth(combinedFeedNarrow));
  expect(idsIn(state, combinedFeedNarrow)).toEqual([reacted, starred]);
  expect(idsIn(state, channelNarrow(books))).toEqual([reacted, starred, untouched]);
  await expectInSync(fixture, session);
});

async function booksFixture() {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const books = server.people.channel('books', [otto]);
  const post = async (content: string, topic = 'talk'): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: books, topic, content})).id;
  const subscribe = () => server.as(meg).post('/users/me/subscriptions', {subscriptions: [{name: 'books'}]});
  const unsubscribe = () => server.as(meg).delete('/users/me/subscriptions', {subscriptions: ['books']});
  return {...fixture, fixture, books, post, subscribe, unsubscribe};
}

const isSubscribed = (channelId: number) => (state: AccountState) =>
  state.subscriptions.get(channelId)?.isSubscribed === true;

test('unsubscribed channel: a message that one sends is shown at once and stays, in the order of the server', async () => {
  const {fixture, books, post} = await booksFixture();
  const first = await post('before');
  const session = await startedSession(fixture);
  const narrow = topicNarrow(books, 'talk');
  await session.timelines.open(narrow, 'newest');
  session.timelines.keepOpen(narrow);
  const missed = await post('meanwhile');
  const shown: string[][] = [];
  const texts = ({messages, outbox}: AccountState) => [
    ...idsIn(session.cache.state, narrow).map((id) => messages.byId.get(id)?.content ?? ''),
    ...outbox.map(({content, status}) => `${status}: ${content}`),
  ];
  session.cache.subscribe(['messages', 'timelines', 'outbox'], (state) => void shown.push(texts(state)));
  session.outbox.send({conversation: {kind: 'topic', channelId: books, topic: 'talk'}, content: 'mine'});
  const state = await waitForState(session, ({outbox, messages}) => outbox.length === 0 && messages.byId.size === 3);
  expect(shown.every((lines) => lines.filter((line) => line.endsWith('mine')).length === 1)).toBe(true);
  expect(idsIn(state, narrow).slice(0, 2)).toEqual([first, missed]);
  expect(texts(state)).toEqual(['before', 'meanwhile', 'mine']);
  await session.outbox.idle();
  expect(texts(session.cache.state)).toEqual(['before', 'meanwhile', 'mine']);
  await expectTimeline(fixture, session, narrow);
});

test('unsubscribed channel: a sent message stays on the screen while the views cannot be fetched', async () => {
  const {fixture, books, hook} = await booksFixture();
  const session = await startedSession(fixture);
  const narrow = topicNarrow(books, 'talk');
  await session.timelines.open(narrow, 'newest');
  session.timelines.keepOpen(narrow);
  await hook('fault', {method: 'GET', path: '/messages', kind: 'status', status: 500, times: 4});
  session.outbox.send({conversation: {kind: 'topic', channelId: books, topic: 'talk'}, content: 'mine'});
  const sent = await waitForState(session, ({outbox}) => outbox[0]?.status === 'sent');
  const state = await waitForState(session, (now) => idsIn(now, narrow).length === 1);
  expect(idsIn(state, narrow)).toEqual([sent.outbox[0]?.messageId]);
  await waitForState(session, ({outbox}) => outbox.length === 0);
  await expectTimeline(fixture, session, narrow);
});

test('unsubscribed channel: a message that was sent before another view was opened is there when its view is opened again', async () => {
  const {fixture, books, post, hook} = await booksFixture();
  await post('before');
  const session = await startedSession(fixture);
  const narrow = topicNarrow(books, 'talk');
  await session.timelines.open(narrow, 'newest');
  await session.timelines.open(everythingNarrow, 'newest');
  session.timelines.keepOpen(everythingNarrow);
  session.outbox.send({conversation: {kind: 'topic', channelId: books, topic: 'talk'}, content: 'mine'});
  await session.outbox.idle();
  await waitForState(session, ({outbox}) => outbox.length === 0);
  await hook('fault', {method: 'GET', path: '/messages', kind: 'status', status: 500, times: 8});
  await session.timelines.open(narrow, 'newest');
  expect(idsIn(session.cache.state, narrow)).toHaveLength(2);
  await hook('clear-faults');
});

test('unsubscribed channel: a sent message stays when a refresh that began before is answered without it', async () => {
  const {fixture, books, post, server, meg} = await booksFixture();
  const first = await post('before');
  const api = clientOf(server, meg);
  const held = {reached: Promise.withResolvers<void>(), answer: Promise.withResolvers<void>()};
  let holds = false;
  const getMessages: typeof api.getMessages = async (...args) => {
    const response = await api.getMessages(...args);
    if (!holds) return response;
    holds = false;
    held.reached.resolve();
    await held.answer.promise;
    return response;
  };
  const session = fixture.session({api: {...api, getMessages}});
  session.start();
  await session.ready();
  const narrow = topicNarrow(books, 'talk');
  await session.timelines.open(narrow, 'newest');
  session.timelines.keepOpen(narrow);
  holds = true;
  void session.timelines.refresh(narrow);
  await held.reached.promise;
  session.outbox.send({conversation: {kind: 'topic', channelId: books, topic: 'talk'}, content: 'mine'});
  const sent = await waitForState(session, ({outbox}) => outbox[0]?.status === 'sent');
  held.answer.resolve();
  const state = await waitForState(session, ({outbox}) => outbox.length === 0);
  expect(idsIn(state, narrow)).toEqual([first, sent.outbox[0]?.messageId]);
});

test('unsubscribed channel: its views are fetched each time they are opened', async () => {
  const {fixture, books, post, server, otto} = await booksFixture();
  const [edited, deleted] = [await post('draft'), await post('mistake')];
  const session = await startedSession(fixture);
  const narrow = channelNarrow(books);
  await session.timelines.open(narrow, 'newest');
  await session.timelines.open(everythingNarrow, 'newest');
  await server.as(otto).patch(`/messages/${edited}`, {content: 'final'});
  await server.as(otto).delete(`/messages/${deleted}`);
  const added = await post('new', 'other');
  await session.timelines.open(narrow, 'newest');
  const state = await waitForState(session, hasMessage(added));
  expect(idsIn(state, narrow)).toEqual([edited, added]);
  expect(state.messages.byId.get(edited)?.content).toBe('final');
  expect(state.messages.byId.has(deleted)).toBe(false);
  await expectTimeline(fixture, session, narrow);
  expect(session.context.store.messages.byIds([deleted])).toEqual([]);
});

test('unsubscribed channel: a refresh replaces the newest messages and keeps the older ones', async () => {
  const {fixture, books, post, server, otto} = await booksFixture();
  const ids: number[] = [];
  for (let count = 0; count < 60; count++) ids.push(await post(`message ${count}`));
  const session = await startedSession(fixture);
  const narrow = channelNarrow(books);
  await session.timelines.open(narrow, 'newest');
  const deleted = ids[40] ?? 0;
  await server.as(otto).delete(`/messages/${deleted}`);
  const added = await post('new');
  await session.timelines.refresh(narrow);
  expect(idsIn(session.cache.state, narrow)).toEqual([...ids.filter((id) => id !== deleted), added]);
  await expectTimeline(fixture, session, narrow);
  for (let count = 0; count < 55; count++) await post('much more');
  await session.timelines.refresh(narrow);
  expect(session.cache.state.timelines.get(narrowKey(narrow))?.hasNewest).toBe(false);
  await session.timelines.loadNewer(narrow);
  expect(idsIn(session.cache.state, narrow)).toHaveLength(115);
  await expectTimeline(fixture, session, narrow);
});

test('unsubscribed channel: after subscribing again, no view lacks what was sent meanwhile', async () => {
  const {fixture, books, post, subscribe, unsubscribe} = await booksFixture();
  await subscribe();
  const first = await post('first');
  const session = await startedSession(fixture);
  const views = [channelNarrow(books), topicNarrow(books, 'talk'), everythingNarrow, combinedFeedNarrow];
  for (const narrow of views) await session.timelines.open(narrow, 'newest');
  await unsubscribe();
  await waitForState(session, (state) => !isSubscribed(books)(state));
  const missed = await post('missed');
  await subscribe();
  await waitForState(session, isSubscribed(books));
  const last = await post('last');
  const isWhole = (state: AccountState) => [0, 1].every((at) => idsIn(state, views[at] ?? []).length === 3);
  const state = await waitForState(session, isWhole);
  expect(views.map((narrow) => idsIn(state, narrow))).toEqual([
    [first, missed, last],
    [first, missed, last],
    [first, last],
    [first, last],
  ]);
  await expectInSync(fixture, session);
});

test('unsubscribed channel: after subscribing, its list of topics is fetched again', async () => {
  const {fixture, books, post, subscribe, server, otto} = await booksFixture();
  const others = ['maps', 'ropes', 'sails'].map((name) => server.people.channel(name, [otto]));
  await post('first', 'old');
  const session = await startedSession(fixture);
  await session.fetchTopics(books);
  await post('second', 'new');
  // Only the lists that were fetched last are repeated by themselves.
  for (const id of others) await session.fetchTopics(id);
  await subscribe();
  await waitForState(session, isSubscribed(books));
  await session.fetchTopics(books);
  expect([...(session.cache.state.topics.get(books)?.byKey.keys() ?? [])]).toEqual(['new', 'old']);
});

test('lost access: an administrator removed from a private channel sees its messages nowhere, nor on disk', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const owner = server.people.owner();
  await server.as(owner).patch(`/users/${meg.id}`, {role: 200});
  const secret = server.people.channel('secret', [meg, otto, owner], {invite_only: 1});
  const post = async (content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: secret, topic: 'plans', content})).id;
  const ids = [await post('the plan'), await post(`the plan, @**${meg.fullName}**`)];
  const open = await fixture.postMessage('not the plan');
  await server.as(meg).post('/messages/flags', {messages: [ids[0]], op: 'add', flag: 'starred'});
  const session = await startedSession(fixture);
  const search = [{operator: 'search', operand: 'plan'}];
  const views = [everythingNarrow, combinedFeedNarrow, narrowIs('mentioned'), narrowIs('starred'), search];
  for (const narrow of [...views, channelNarrow(secret), topicNarrow(secret, 'plans')]) {
    await session.timelines.open(narrow, 'newest');
  }
  const {messages: saved} = session.context.store;
  session.context.store.messages.save([...session.cache.state.messages.byId.values()]);
  expect(saved.search('plan', 9)).toHaveLength(3);
  await server.as(owner).delete('/users/me/subscriptions', {subscriptions: ['secret'], principals: [meg.id]});
  const state = await waitForState(session, (now) => !isSubscribed(secret)(now));
  expect([...ids, open].filter((id) => state.messages.byId.has(id))).toEqual([open]);
  expect([...state.timelines.values()].flatMap(({ids: shown}) => [...shown])).not.toContain(ids[0]);
  expect(state.unreads.mentions.size).toBe(0);
  expect(state.topics.has(secret)).toBe(false);
  expect(state.channels.has(secret)).toBe(true);
  expect(saved.search('plan', 9).map(({id}) => id)).toEqual([open]);
  expect(saved.channelIds()).not.toContain(secret);
  await waitForState(session, ({timelines}) =>
    [...timelines.values()].every(({isStale, loading}) => !isStale && !loading),
  );
  await expectInSync(fixture, session);
});

test('lost access: an administrator who leaves the group that may read a private channel sees its messages nowhere, nor on disk', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const owner = server.as(server.people.owner());
  await owner.patch(`/users/${meg.id}`, {role: 200});
  const readers = {name: 'readers', description: '', members: [meg.id]};
  const {group_id: group} = await owner.post('/user_groups/create', readers);
  const permissions = {can_subscribe_group: group};
  const secret = server.people.channel('secret', [otto], {invite_only: 1, permissions});
  const plan = {type: 'stream', to: secret, topic: 'plans', content: 'the plan'};
  const {id} = await server.as(otto).post('/messages', plan);
  const session = await startedSession(fixture);
  await session.timelines.open(channelNarrow(secret), 'newest');
  expect(idsIn(session.cache.state, channelNarrow(secret))).toEqual([id]);
  const {messages: saved} = session.context.store;
  saved.save([...session.cache.state.messages.byId.values()]);
  await owner.post(`/user_groups/${group}/members`, {delete: [meg.id]});
  const state = await waitForState(session, ({groups}) => groups.get(group)?.members.has(meg.id) === false);
  expect(state.messages.byId.has(id)).toBe(false);
  expect(state.topics.has(secret)).toBe(false);
  expect(saved.search('plan', 9)).toEqual([]);
  await owner.post(`/user_groups/${group}/members`, {add: [meg.id]});
  await waitForState(session, (now) => idsIn(now, channelNarrow(secret)).includes(id));
});

test.for([
  {who: 'a member, who cannot see the channel any more', role: 400},
  {who: 'an administrator, who still sees the channel', role: 200},
])('lost access: a message or a move that arrives after the removal is kept nowhere, for $who', async ({role}) => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const owner = server.people.owner();
  await server.as(owner).patch(`/users/${meg.id}`, {role});
  const secret = server.people.channel('secret', [meg, otto, owner], {invite_only: 1});
  const moved = await fixture.postMessage('the plan, before it is moved');
  const session = await startedSession(fixture);
  const views = [everythingNarrow, combinedFeedNarrow, narrowIs('mentioned')];
  for (const narrow of views) await session.timelines.open(narrow, 'newest');
  const {messages: saved} = session.context.store;
  saved.save([...session.cache.state.messages.byId.values()]);
  await server.as(owner).delete('/users/me/subscriptions', {subscriptions: ['secret'], principals: [meg.id]});
  await waitForState(session, (now) => !isSubscribed(secret)(now));
  const queue = [...server.context.queues.all()].find(({userId}) => userId === meg.id);
  const push = (event: object) => queue?.push(JSON.stringify(event).slice(1));
  const message = channelMessage({id: 9000, stream_id: secret, subject: 'plans', content: 'the late plan'});
  push({type: 'message', message, flags: ['mentioned']});
  const move = {message_ids: [moved], stream_id: fixture.channelId, orig_subject: 'talk', subject: 'plans'};
  const {id: _id, ...update} = buildUpdateMessageEvent({...move, new_stream_id: secret, propagate_mode: 'change_all'});
  push(update);
  const next = await fixture.postMessage('not the plan');
  const state = await waitForState(session, hasMessage(next));
  expect([moved, 9000, next].filter((id) => state.messages.byId.has(id))).toEqual([next]);
  expect([...state.timelines.values()].flatMap(({ids}) => [...ids])).not.toContain(9000);
  expect([...state.timelines.values()].flatMap(({ids}) => [...ids])).not.toContain(moved);
  expect(state.unreads.byId.has(9000)).toBe(false);
  expect(state.topics.has(secret)).toBe(false);
  await session.stop();
  expect(saved.search('plan', 9).map(({id}) => id)).toEqual([next]);
});

test('lost access: what was removed while away is gone from disk after the next start', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const secret = server.people.channel('secret', [meg, otto], {invite_only: 1});
  await server.as(otto).post('/messages', {type: 'stream', to: secret, topic: 'plans', content: 'the plan'});
  const first = await startedSession(fixture);
  await first.timelines.open(channelNarrow(secret), 'newest');
  const {store} = first.context;
  store.messages.save([...first.cache.state.messages.byId.values()]);
  await first.stop();
  await server
    .as(server.people.owner())
    .delete('/users/me/subscriptions', {subscriptions: ['secret'], principals: [meg.id]});
  expect(store.messages.search('plan', 9)).toHaveLength(1);
  const second = fixture.session({store, initial: restoreState(store)});
  second.start();
  await second.ready();
  expect(store.messages.search('plan', 9)).toEqual([]);
});

test('regained access: the history of a private channel is complete in all views', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const owner = server.people.owner();
  const secret = server.people.channel('secret', [meg, otto], {invite_only: 1});
  const post = async (content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: secret, topic: 'plans', content})).id;
  const first = await post('first');
  const session = await startedSession(fixture);
  const views = [everythingNarrow, combinedFeedNarrow, channelNarrow(secret), topicNarrow(secret, 'plans')];
  for (const narrow of views) await session.timelines.open(narrow, 'newest');
  const args = {subscriptions: ['secret'], principals: [meg.id]};
  await server.as(owner).delete('/users/me/subscriptions', args);
  const lost = await waitForState(session, ({channels}) => !channels.has(secret));
  expect(views.flatMap((narrow) => idsIn(lost, narrow))).toEqual([]);
  const missed = await post('missed');
  await server.as(otto).post('/users/me/subscriptions', {subscriptions: [{name: 'secret'}], principals: [meg.id]});
  await waitForState(session, isSubscribed(secret));
  const last = await post('last');
  const lengths = [2, 2, 3, 3];
  const isWhole = (state: AccountState) =>
    views.every(
      (narrow, at) => idsIn(state, narrow).filter((id) => [first, missed, last].includes(id)).length === lengths[at],
    );
  await waitForState(session, isWhole);
  await waitForState(session, ({timelines}) =>
    [...timelines.values()].every(({isStale, loading}) => !isStale && !loading),
  );
  await expectInSync(fixture, session);
});

test('regained access: a second channel that is regained while the views load again is complete in them too', async () => {
  const fixture = await sessionFixture();
  const {server, meg, otto} = fixture;
  const owner = server.people.owner();
  const secrets = ['first', 'second'].map((name) => server.people.channel(name, [meg, otto], {invite_only: 1}));
  const ids: number[] = [];
  for (const to of secrets) {
    const {id} = await server.as(otto).post('/messages', {type: 'stream', to, topic: 'plans', content: 'plan'});
    await server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'starred'});
    ids.push(id);
  }
  const api = clientOf(server, meg);
  const answered = Promise.withResolvers<void>();
  let isHolding = false;
  let heldCount = 0;
  const getMessages: typeof api.getMessages = async (...args) => {
    // What was requested before, such as older messages, may be answered late.
    const isHeld = isHolding;
    const response = await api.getMessages(...args);
    if (!isHeld) return response;
    heldCount += 1;
    await answered.promise;
    return response;
  };
  const session = fixture.session({api: {...api, getMessages}});
  session.start();
  await session.ready();
  const views = [combinedFeedNarrow, narrowIs('starred')];
  for (const narrow of views) await session.timelines.open(narrow, 'newest');
  const principals = [meg.id];
  await server.as(owner).delete('/users/me/subscriptions', {subscriptions: ['first', 'second'], principals});
  await waitForState(session, ({channels}) => !secrets.some((id) => channels.has(id)));
  isHolding = true;
  await server.as(otto).post('/users/me/subscriptions', {subscriptions: [{name: 'first'}], principals});
  await expect.poll(() => heldCount).toBe(views.length);
  await server.as(otto).post('/users/me/subscriptions', {subscriptions: [{name: 'second'}], principals});
  await waitForState(session, isSubscribed(secrets[1] ?? 0));
  answered.resolve();
  await waitForState(session, ({timelines}) => [...timelines.values()].every(({loading}) => loading === undefined));
  const state = await waitForState(session, ({timelines}) =>
    [...timelines.values()].every(({isStale, loading}) => !isStale && !loading),
  );
  expect(views.map((view) => idsIn(state, view).filter((id) => ids.includes(id)))).toEqual([ids, ids]);
});

test('unsubscribed channel: a private one that full members may join is readable for a full member', async () => {
  const fixture = await sessionFixture();
  const {server, otto} = fixture;
  server.people.setting('waiting_period_threshold', 3);
  const fullMembers = 4;
  const permissions = {can_subscribe_group: fullMembers};
  const vault = server.people.channel('vault', [otto], {invite_only: 1, permissions});
  const {id} = await server.as(otto).post('/messages', {type: 'stream', to: vault, topic: 'talk', content: 'hello'});
  const session = await startedSession(fixture);
  await session.timelines.open(channelNarrow(vault), 'newest');
  expect(idsIn(session.cache.state, channelNarrow(vault))).toEqual([id]);
});

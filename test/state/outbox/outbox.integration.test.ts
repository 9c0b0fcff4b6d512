import {expect, test} from 'vitest';
import {Secrets} from '#server/accounts/secrets.ts';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {type ServerOptions, startServer} from '#server/server.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {decodeEventBatch} from '#state/updates/event-batch.ts';
import {type ClientOptions, callTestHook, injectFault, TestClient} from '#test/state/test-client.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {People, type Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

interface Fixture {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  readonly talk: Conversation;
}

async function createFixture(options: ServerOptions = {}): Promise<Fixture> {
  const server = await testServer({testHooks: true, ...options});
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  const channelId = server.people.channel('general', [meg, otto]);
  return {server, meg, otto, talk: {kind: 'topic', channelId, topic: 'talk'}};
}

async function online({server, meg}: Fixture, options?: ClientOptions): Promise<TestClient> {
  return new TestClient(server, meg, options).register();
}

/** Returns the messages on the server, oldest first. */
async function serverTexts({server, otto}: Fixture): Promise<string[]> {
  const {messages} = await server.as(otto).get('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: false,
    narrow: [{operator: 'stream', operand: 'general'}],
  });
  return messages.map((message: {content: string}) => message.content);
}

const statuses = (client: TestClient) => client.state.outbox.map(({status}) => status);
const texts = (client: TestClient) => client.state.outbox.map(({content}) => content);

/** Returns the sent texts on screen: messages and outbox entries, each once. */
function shownTexts(client: TestClient): string[] {
  const messages = [...client.state.messages.byId.values()].map(({content}) => content);
  return [...messages, ...texts(client)];
}

test('outbox: a message is on disk and in the state before it is sent', async () => {
  const fixture = await createFixture();
  const client = new TestClient(fixture.server, fixture.meg);
  const entry = client.outbox.send({conversation: fixture.talk, content: 'hello'});
  expect(client.store.outbox.all()).toMatchObject([{id: entry.id, status: 'queued', content: 'hello'}]);
  expect(client.state.outbox).toMatchObject([{id: entry.id, status: 'queued'}]);
});

test('outbox: a sent message is shown once, before and after its event', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  client.outbox.send({conversation: fixture.talk, content: 'hello'});
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['sent']);
  expect(client.store.outbox.all()).toEqual([]);
  expect(shownTexts(client)).toEqual(['hello']);
  await client.pollEvents();
  expect(shownTexts(client)).toEqual(['hello']);
  expect(client.state.outbox).toEqual([]);
});

test('outbox: an event that arrives before the response finishes the entry', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  client.outbox.send({conversation: fixture.talk, content: 'hello'});
  await injectFault(fixture.server, {
    path: '/messages',
    method: 'GET',
    kind: 'status',
    status: 503,
    times: 50,
  });
  while (client.state.outbox.length > 0) await client.pollEvents();
  expect(shownTexts(client)).toEqual(['hello']);
  expect(await client.outbox.idle()).toBeUndefined();
  await callTestHook(fixture.server, 'clear-faults');
  expect(await serverTexts(fixture)).toEqual(['hello']);
});

test('outbox: a message that was deleted before the response to its request is not shown again', async () => {
  const fixture = await createFixture();
  const gate = Promise.withResolvers<void>();
  const client = await online(fixture, {
    wrap: ({api, store}) => ({
      api: {...api, sendMessage: (...args) => api.sendMessage(...args).finally(() => gate.promise)},
      store,
    }),
  });
  client.outbox.send({conversation: fixture.talk, content: 'hello'});
  while (client.state.outbox.length > 0) await client.pollEvents();
  const [id] = client.state.messages.byId.keys();
  fixture.server.people.setting('can_delete_own_message_group', SystemGroup.everyone);
  await fixture.server.as(fixture.meg).delete(`/messages/${id}`);
  while (client.state.messages.byId.size > 0) await client.pollEvents();
  gate.resolve();
  await client.outbox.idle();
  expect(shownTexts(client)).toEqual([]);
});

test('outbox: messages to oneself, to users and to the empty topic arrive where they belong', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const {channelId} = fixture.talk as {channelId: number};
  client.outbox.send({conversation: {kind: 'direct', userIds: []}, content: 'note'});
  client.outbox.send({conversation: {kind: 'direct', userIds: [fixture.otto.id]}, content: 'hi Otto'});
  client.outbox.send({conversation: {kind: 'topic', channelId, topic: ''}, content: 'no topic'});
  await client.outbox.idle();
  await client.pollEvents();
  const keys = [...client.state.messages.byId.values()].map(({conversationKey}) => conversationKey);
  expect(keys).toEqual(['d', `d${fixture.otto.id}`, `c${channelId}:`]);
  expect(client.state.unreads.byId.size).toBe(0);
});

test.each(['drop_after', 'truncate'])(
  'outbox: a response lost after delivery (%s) results in one message and an empty outbox',
  async (kind) => {
    const fixture = await createFixture();
    const client = await online(fixture);
    await injectFault(fixture.server, {path: '/messages', method: 'POST', kind});
    client.outbox.send({conversation: fixture.talk, content: 'only once  \n'});
    await client.outbox.idle();
    expect(client.store.outbox.all()).toEqual([]);
    await client.pollEvents();
    expect(shownTexts(client)).toEqual(['only once']);
    expect(await serverTexts(fixture)).toEqual(['only once']);
  },
);

test.each(['drop_before', 'html'])(
  'outbox: a request that may have been delivered but was not (%s) becomes unconfirmed and is never resent automatically',
  async (kind) => {
    const fixture = await createFixture();
    const client = await online(fixture);
    await injectFault(fixture.server, {path: '/messages', method: 'POST', kind});
    const entry = client.outbox.send({conversation: fixture.talk, content: 'lost?'});
    client.outbox.send({conversation: fixture.talk, content: 'next'});
    for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
    await client.outbox.idle();
    expect(client.store.outbox.all()).toMatchObject([
      {id: entry.id, status: 'unconfirmed', problem: expect.stringContaining('not found on the server')},
    ]);
    expect(await serverTexts(fixture)).toEqual(['next']);
    expect(client.outbox.resend(entry.id)).toBe(true);
    await client.outbox.idle();
    expect(await serverTexts(fixture)).toEqual(['next', 'lost?']);
    await client.pollEvents();
    expect(client.state.outbox).toEqual([]);
  },
);

test('outbox: a rate limit is respected, then everything is sent in order', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'rate_limit', retry_after: 7});
  for (const content of ['one', 'two', 'three']) client.outbox.send({conversation: fixture.talk, content});
  await client.clock.pass(7000);
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['one', 'two', 'three']);
});

test('outbox: a refused message stays with its reason and does not block others', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const bad = client.outbox.send({
    conversation: {kind: 'topic', channelId: 999, topic: 't'},
    content: 'where?',
  });
  client.outbox.send({conversation: fixture.talk, content: 'fine'});
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['fine']);
  const [entry] = client.state.outbox;
  expect(entry).toMatchObject({id: bad.id, status: 'failed', content: 'where?'});
  expect(entry?.problem).toMatch(/.+/);
  expect(client.outbox.discard(bad.id)).toMatchObject({content: 'where?'});
  expect(client.outbox.discard(bad.id)).toBeUndefined();
  expect(client.store.outbox.all()).toEqual([]);
});

test('outbox: messages written offline are sent in order; equal texts are two messages', async () => {
  const fixture = await createFixture();
  const client = new TestClient(fixture.server, fixture.meg);
  const written = ['ok', 'ok', 'a', 'b', 'ok'];
  for (const content of written) client.outbox.send({conversation: fixture.talk, content});
  await client.register();
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(written);
  await client.pollEvents();
  expect(client.state.outbox).toEqual([]);
});

test('outbox: equal texts, the first response lost and the second request undelivered: one message, one unconfirmed', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_before'});
  client.outbox.send({conversation: fixture.talk, content: 'ok'});
  client.outbox.send({conversation: fixture.talk, content: 'ok'});
  for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  await client.pollEvents();
  expect(await serverTexts(fixture)).toEqual(['ok']);
  expect(client.store.outbox.all()).toMatchObject([{status: 'unconfirmed'}]);
});

test('outbox: a message whose response was lost is settled in time although the clock is set back', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_before'});
  client.outbox.send({conversation: fixture.talk, content: 'lost?'});
  await client.clock.pass(1000);
  client.clock.setAhead(-3600_000);
  for (const ms of [3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['unconfirmed']);
});

test('outbox: a message is shown at once, and sent only when it is on disk', async () => {
  const fixture = await createFixture();
  const disk = Promise.withResolvers<void>();
  const client = await online(fixture, {
    wrap: ({api, store}) => ({api, store: {...store, synced: () => disk.promise}}),
  });
  const {id} = client.outbox.send({conversation: fixture.talk, content: 'slow disk'});
  expect(client.state.outbox).toMatchObject([{content: 'slow disk', status: 'sending'}]);
  // It may be on its way, so nothing else may become of it.
  expect([client.outbox.toDraft(id), client.outbox.discard(id)]).toEqual([undefined, undefined]);
  expect([client.outbox.edit(id, 'other'), client.outbox.resend(id)]).toEqual([false, false]);
  expect(await serverTexts(fixture)).toEqual([]);
  disk.resolve();
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['slow disk']);
});

test('outbox: a message that the disk refuses stays queued and is tried again', async () => {
  const fixture = await createFixture();
  const client = await online(fixture, {
    wrap: ({api, store}) => {
      const synced = [() => Promise.reject(new Error('EIO'))];
      return {api, store: {...store, synced: () => (synced.pop() ?? store.synced)()}};
    },
  });
  client.outbox.send({conversation: fixture.talk, content: 'faulty disk'});
  await client.clock.pass(250, 500);
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['faulty disk']);
});

test('outbox: after a long time offline, messages are held until the user agrees', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await client.goOffline();
  client.outbox.send({conversation: fixture.talk, content: 'old'});
  client.outbox.send({conversation: fixture.talk, content: 'as old'});
  client.clock.advance(9 * 60_000);
  client.outbox.send({conversation: fixture.talk, content: 'young'});
  client.clock.advance(2 * 60_000);
  client.goOnline();
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['young']);
  const [held] = client.store.outbox.all();
  expect(held).toMatchObject({status: 'held', content: 'old'});
  expect(client.outbox.edit(held?.id ?? '', 'old!')).toBe(true);
  // Who agrees is not asked again, even if the connection is lost before the message is sent.
  await client.goOffline();
  expect(client.outbox.sendHeld()).toBe(2);
  client.goOnline();
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['young', 'old!', 'as old']);
});

test('outbox: a message that is held after a long time offline is shown as held at once', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await client.goOffline();
  client.outbox.send({conversation: fixture.talk, content: 'old'});
  client.clock.advance(11 * 60_000);
  client.goOnline();
  expect(statuses(client)).toEqual(['held']);
});

test('outbox: a message whose next attempt comes late, because the machine slept, is held', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'rate_limit', retry_after: 20});
  client.outbox.send({conversation: fixture.talk, content: 'old'});
  await client.clock.waitedFor(20_000, 30_000);
  client.clock.setAhead(11 * 60_000);
  await client.clock.pass(20_000, 30_000);
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['held']);
  expect(await serverTexts(fixture)).toEqual([]);
});

test('outbox: an unconfirmed message is found after a new registration', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  await injectFault(fixture.server, {
    path: '/messages',
    method: 'GET',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
    times: 4,
  });
  client.outbox.send({conversation: fixture.talk, content: 'there'});
  for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['unconfirmed']);
  await client.register();
  await client.outbox.idle();
  expect(client.state.outbox).toEqual([]);
  expect(await serverTexts(fixture)).toEqual(['there']);
});

test('outbox: a web page instead of a response is tried again, and the message fails only after five', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const page = {path: '/messages', method: 'POST', kind: 'html', status: 403};
  await injectFault(fixture.server, {...page, times: 4});
  client.outbox.send({conversation: fixture.talk, content: 'patience'});
  for (const ms of [500, 1000, 2000, 4000]) await client.clock.pass(ms / 2, ms);
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['patience']);
  await injectFault(fixture.server, {...page, times: 5});
  client.outbox.send({conversation: fixture.talk, content: 'filtered'});
  for (const ms of [500, 1000, 2000, 4000]) await client.clock.pass(ms / 2, ms);
  await client.outbox.idle();
  expect(client.store.outbox.all()).toMatchObject([
    {status: 'failed', problem: expect.stringMatching(/^Received a web page \(status 403\)/)},
  ]);
  expect(await serverTexts(fixture)).toEqual(['patience']);
});

/** Sends a message that the server does not get, and waits until it is unconfirmed. */
async function unconfirmedMessage(fixture: Fixture, client: TestClient, content: string): Promise<string> {
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_before'});
  const {id} = client.outbox.send({conversation: fixture.talk, content});
  for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['unconfirmed']);
  return id;
}

/** The server carries out the request whose connection was lost long ago. */
async function arriveLate({server, meg}: Fixture, content: string): Promise<void> {
  await server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'talk', content});
}

test('outbox: an unconfirmed message that arrived late is found before it is sent again', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const id = await unconfirmedMessage(fixture, client, 'late');
  await arriveLate(fixture, 'late');
  expect(client.outbox.resend(id)).toBe(true);
  await client.outbox.idle();
  expect(client.store.outbox.all()).toEqual([]);
  expect(await serverTexts(fixture)).toEqual(['late']);
});

test('outbox: an unconfirmed message that arrived late is found although it was moved and edited since', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const id = await unconfirmedMessage(fixture, client, 'late');
  const asMeg = fixture.server.as(fixture.meg);
  const message = {type: 'stream', to: 'general', topic: 'talk', content: 'late'};
  const {id: messageId} = await asMeg.post('/messages', message);
  await asMeg.patch(`/messages/${messageId}`, {topic: 'elsewhere', send_notification_to_new_thread: false});
  await asMeg.patch(`/messages/${messageId}`, {content: 'later'});
  expect(client.outbox.resend(id)).toBe(true);
  await expect.poll(() => client.store.outbox.all()).toEqual([]);
  expect(await serverTexts(fixture)).toEqual(['later']);
});

test('outbox: an unconfirmed message that arrived late is found behind other messages of the user, page by page', async () => {
  const fixture = await createFixture();
  const client = await online(fixture, {
    wrap: ({api, store}) => ({
      store,
      api: {...api, getMessages: (args, options) => api.getMessages({...args, num_after: 1}, options)},
    }),
  });
  const id = await unconfirmedMessage(fixture, client, 'late');
  const asMeg = fixture.server.as(fixture.meg);
  for (const content of ['one', 'two', 'late'])
    await asMeg.post('/messages', {type: 'stream', to: 'general', topic: 'talk', content});
  expect(client.outbox.resend(id)).toBe(true);
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['one', 'two', 'late']);
});

test('outbox: an edited message of another topic is not taken for the unconfirmed one', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const id = await unconfirmedMessage(fixture, client, 'lost');
  const asMeg = fixture.server.as(fixture.meg);
  const message = {type: 'stream', to: 'general', topic: 'other', content: 'lots'};
  const {id: messageId} = await asMeg.post('/messages', message);
  await asMeg.patch(`/messages/${messageId}`, {content: 'lost'});
  expect(client.outbox.resend(id)).toBe(true);
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['lost', 'lost']);
});

test('outbox: an unconfirmed message that did not arrive is sent again once', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const id = await unconfirmedMessage(fixture, client, 'lost');
  await injectFault(fixture.server, {path: '/messages', method: 'GET', kind: 'drop_before'});
  expect(client.outbox.resend(id)).toBe(true);
  await client.clock.pass(250, 500);
  await client.outbox.idle();
  expect(client.store.outbox.all()).toEqual([]);
  expect(await serverTexts(fixture)).toEqual(['lost']);
});

test('outbox: an unconfirmed message that arrived late disappears with the next connection', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await unconfirmedMessage(fixture, client, 'late');
  await client.goOffline();
  await arriveLate(fixture, 'late');
  client.goOnline();
  await client.outbox.idle();
  expect(client.store.outbox.all()).toEqual([]);
  expect(await serverTexts(fixture)).toEqual(['late']);
});

test('outbox: refused credentials leave everything queued until the server accepts them again', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {
    path: '/messages',
    method: 'POST',
    kind: 'status',
    status: 401,
    code: 'INVALID_API_KEY',
  });
  client.outbox.send({conversation: fixture.talk, content: 'patience'});
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['queued']);
  await client.register();
  await client.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['patience']);
});

test('outbox: a waiting message can be edited and turned back into a draft', async () => {
  const fixture = await createFixture();
  const client = new TestClient(fixture.server, fixture.meg);
  const first = client.outbox.send({conversation: fixture.talk, content: 'one'});
  const two = client.outbox.send({conversation: fixture.talk, content: 'two'});
  expect(client.outbox.edit(two.id, 'second')).toBe(true);
  expect(client.outbox.toDraft(first.id)).toMatchObject({
    content: 'one',
    target: fixture.talk,
    status: 'dirty',
  });
  expect(client.outbox.toDraft(first.id)).toBeUndefined();
  expect(texts(client)).toEqual(['second']);
  expect(client.state.localDrafts).toMatchObject([{content: 'one'}]);
  expect(client.store.drafts.all()).toMatchObject([{content: 'one'}]);
});

test('outbox: a message that is turned back into a draft is the draft that it was, also on the server', async () => {
  const fixture = await createFixture();
  const client = new TestClient(fixture.server, fixture.meg);
  const base = {target: fixture.talk, content: 'half', timestamp: 5};
  client.store.drafts.put({...base, id: 'd', serverId: 7, editedAt: 5000, base, status: 'clean'});
  const {id} = client.outbox.send({conversation: fixture.talk, content: 'whole', draftId: 'd'});
  expect(client.store.drafts.all()).toMatchObject([{id: 'd', status: 'deleted'}]);
  expect(client.outbox.toDraft(id)).toMatchObject({id: 'd', serverId: 7, base, content: 'whole', status: 'dirty'});
  expect(client.store.drafts.all()).toMatchObject([{id: 'd', serverId: 7, base, content: 'whole', status: 'dirty'}]);
});

test('outbox: a failed message that is sent again is queued without the problem of before', async () => {
  const fixture = await createFixture();
  const client = new TestClient(fixture.server, fixture.meg);
  const {id} = client.outbox.send({conversation: fixture.talk, content: 'hello'});
  client.store.outbox.update(id, ['queued'], {status: 'failed', problem: 'No such channel.'});
  expect(client.outbox.resend(id)).toBe(true);
  expect(client.state.outbox).toMatchObject([{status: 'queued', problem: undefined}]);
});

test('outbox: a sent message whose event is still to come stays before those that wait', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  client.outbox.send({conversation: fixture.talk, content: 'one'});
  await client.outbox.idle();
  await client.goOffline();
  client.outbox.send({conversation: fixture.talk, content: 'two'});
  expect(client.state.outbox.map(({content, status}) => [content, status])).toEqual([
    ['one', 'sent'],
    ['two', 'queued'],
  ]);
});

test('outbox: two processes on one account send each message once, in order, and both show it once', async () => {
  const fixture = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const first = new TestClient(fixture.server, fixture.meg, {path});
  const second = new TestClient(fixture.server, fixture.meg, {path});
  // A message that is sent before a registration would have no event.
  await Promise.all([first.register(), second.register()]);
  const written = Array.from({length: 12}, (_, index) => `message ${index}`);
  written.forEach((content, index) => {
    (index % 2 === 0 ? first : second).outbox.send({conversation: fixture.talk, content});
  });
  while (first.store.outbox.all().length > 0) {
    await Promise.all([first.outbox.idle(), second.outbox.idle()]);
    for (const client of [first, second]) client.checkExternalChanges();
  }
  expect(await serverTexts(fixture)).toEqual(written);
  for (const client of [first, second]) {
    client.checkExternalChanges();
    await client.pollEvents();
    expect(shownTexts(client)).toEqual(written);
  }
});

test('outbox: a message that arrives while another process still sends it is shown once', async () => {
  const fixture = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const sender = await online(fixture, {
    path,
    wrap: ({api, store}) => ({
      api: {...api, sendMessage: (...args) => api.sendMessage(...args).then(() => new Promise(() => {}))},
      store,
    }),
  });
  const reader = await online(fixture, {path});
  sender.outbox.send({conversation: fixture.talk, content: 'mine'});
  await expect.poll(() => serverTexts(fixture)).toEqual(['mine']);
  reader.checkExternalChanges();
  expect(texts(reader)).toEqual(['mine']);
  await reader.pollEvents();
  expect(shownTexts(reader)).toEqual(['mine']);
  expect(texts(reader)).toEqual([]);
  expect(reader.store.outbox.all()).toMatchObject([{status: 'sending'}]);
});

test('outbox: another process shows what is being sent, and takes over when the sender dies', async () => {
  const fixture = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const dying = await online(fixture, {path, isDead: true});
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  await injectFault(fixture.server, {
    path: '/messages',
    method: 'GET',
    kind: 'status',
    status: 503,
    times: 1,
  });
  dying.outbox.send({conversation: fixture.talk, content: 'mine'});
  await dying.clock.waitedFor(250, 500);
  dying.kill();
  expect(dying.store.outbox.all()).toMatchObject([{status: 'sending'}]);
  await callTestHook(fixture.server, 'clear-faults');
  const nextClient = new TestClient(fixture.server, fixture.meg, {path});
  expect(texts(nextClient)).toEqual(['mine']);
  await nextClient.register();
  await nextClient.outbox.idle();
  expect(nextClient.store.outbox.all()).toEqual([]);
  expect(await serverTexts(fixture)).toEqual(['mine']);
});

test.each([122, 277, 371])('outbox: a lost response is resolved with servers of level %i too', async (level) => {
  const fixture = await createFixture({level});
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  client.outbox.send({conversation: fixture.talk, content: 'one'});
  client.outbox.send({conversation: {kind: 'direct', userIds: [fixture.otto.id]}, content: 'two'});
  await client.outbox.idle();
  expect(client.store.outbox.all()).toEqual([]);
  await client.pollEvents();
  expect(shownTexts(client)).toEqual(['one', 'two']);
  expect(await serverTexts(fixture)).toEqual(['one']);
});

test('outbox: when the server dies during sending, the message stays unconfirmed until a server can be asked', async () => {
  const options = {
    database: `${scratchDirectory()}/server.db`,
    secrets: Secrets.generate(),
    testHooks: true,
  };
  const dying = await startServer(options);
  const people = new People(dying.context);
  const [meg, otto] = [people.member(), people.member('Otto')];
  const talk: Conversation = {kind: 'topic', channelId: people.channel('general', [meg, otto]), topic: 't'};
  const as = (person: Person) => new ApiClient(dying.url, person);
  const fixture = {server: {...dying, people, as, anonymous: () => as(meg)}, meg, otto, talk};
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/messages', method: 'POST', kind: 'drop_before'});
  client.outbox.send({conversation: talk, content: 'into the void'});
  await client.clock.waitedFor(1000);
  await dying.close();
  await client.clock.pass(1000);
  await client.clock.waitedFor(250, 500);
  expect(statuses(client)).toEqual(['sending']);
  await client.goOffline();
  const again = await testServer({...options, port: Number(new URL(dying.url).port)});
  await client.register();
  for (const ms of [3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['unconfirmed']);
  expect(await serverTexts({...fixture, server: again})).toEqual([]);
});

test('outbox: an equal message from before is not taken for the one that is being sent', async () => {
  const fixture = await createFixture();
  const asMeg = fixture.server.as(fixture.meg);
  const earlier = await asMeg.listen({apply_markdown: false});
  await asMeg.post('/messages', {type: 'channel', to: 'general', topic: 'talk', content: 'ok'});
  const gate = Promise.withResolvers<void>();
  const client = await online(fixture, {
    wrap: ({api, store}) => ({
      api: {...api, sendMessage: (...args) => gate.promise.then(() => api.sendMessage(...args))},
      store,
    }),
  });
  client.outbox.send({conversation: fixture.talk, content: 'ok'});
  const events = decodeEventBatch(await earlier.events(), -1).events.filter(({type}) => type === 'message');
  expect(events).toHaveLength(1);
  expect(client.store.outbox.all()).toMatchObject([{afterMessageId: client.state.maxMessageId}]);
  client.outbox.onEvents(events);
  expect(texts(client)).toEqual(['ok']);
  gate.resolve();
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['sent']);
  await client.pollEvents();
  expect(await serverTexts(fixture)).toEqual(['ok', 'ok']);
});

test('outbox: a message that another process is sending does not hold back others for long, even if the clock was set back', async () => {
  const fixture = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const stuck = await online(fixture, {
    path,
    wrap: ({api, store}) => ({api: {...api, sendMessage: () => new Promise(() => {})}, store}),
  });
  stuck.outbox.send({conversation: fixture.talk, content: 'stuck'});
  await expect.poll(() => stuck.store.outbox.all()).toMatchObject([{status: 'sending'}]);
  const next = await online(fixture, {path});
  next.outbox.send({conversation: fixture.talk, content: 'waits for its turn'});
  await next.clock.waitedFor(5000);
  expect(await serverTexts(fixture)).toEqual([]);
  next.clock.setAhead(-3600_000);
  await next.clock.pass(5000);
  await next.outbox.idle();
  expect(await serverTexts(fixture)).toEqual(['waits for its turn']);
});

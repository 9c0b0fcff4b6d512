import {expect, test} from 'vitest';
import {Secrets} from '#server/accounts/secrets.ts';
import {type ServerOptions, startServer} from '#server/server.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {unconfirmedProblem} from '#state/outbox/outbox-sender.ts';
import {ApiClient} from '#test/support/api-client.ts';
import {People, type Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {type ClientOptions, callTestHook, injectFault, TestClient} from './test-client.ts';

interface Scene {
  readonly server: TestServer;
  readonly meg: Person;
  readonly otto: Person;
  readonly talk: Conversation;
}

async function scene(options: ServerOptions = {}): Promise<Scene> {
  const server = await testServer({testHooks: true, ...options});
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  const channelId = server.people.channel('general', [meg, otto]);
  return {server, meg, otto, talk: {kind: 'topic', channelId, topic: 'talk'}};
}

async function online({server, meg}: Scene, options?: ClientOptions): Promise<TestClient> {
  return new TestClient(server, meg, options).register();
}

/** Returns the messages on the server, oldest first. */
async function arrived({server, otto}: Scene): Promise<string[]> {
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
function shown(client: TestClient): string[] {
  const messages = [...client.state.messages.byId.values()].map(({content}) => content);
  return [...messages, ...texts(client)];
}

test('outbox: a message is on disk and in the state before it is sent', async () => {
  const stage = await scene();
  const client = new TestClient(stage.server, stage.meg);
  const entry = client.outbox.send({conversation: stage.talk, content: 'hello'});
  expect(client.store.outbox.all()).toMatchObject([{id: entry.id, status: 'queued', content: 'hello'}]);
  expect(client.state.outbox).toMatchObject([{id: entry.id, status: 'queued'}]);
});

test('outbox: a sent message is shown once, before and after its event', async () => {
  const stage = await scene();
  const client = await online(stage);
  client.outbox.send({conversation: stage.talk, content: 'hello'});
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['sent']);
  expect(client.store.outbox.all()).toEqual([]);
  expect(shown(client)).toEqual(['hello']);
  await client.pollEvents();
  expect(shown(client)).toEqual(['hello']);
  expect(client.state.outbox).toEqual([]);
});

test('outbox: an event that arrives before the response finishes the entry', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  client.outbox.send({conversation: stage.talk, content: 'hello'});
  await injectFault(stage.server, {path: '/messages', method: 'GET', kind: 'status', status: 503, times: 50});
  while (client.state.outbox.length > 0) await client.pollEvents();
  expect(shown(client)).toEqual(['hello']);
  expect(await client.outbox.idle()).toBeUndefined();
  await callTestHook(stage.server, 'clear-faults');
  expect(await arrived(stage)).toEqual(['hello']);
});

test('outbox: messages to oneself, to users and to the empty topic arrive where they belong', async () => {
  const stage = await scene();
  const client = await online(stage);
  const {channelId} = stage.talk as {channelId: number};
  client.outbox.send({conversation: {kind: 'direct', userIds: []}, content: 'note'});
  client.outbox.send({conversation: {kind: 'direct', userIds: [stage.otto.id]}, content: 'hi Otto'});
  client.outbox.send({conversation: {kind: 'topic', channelId, topic: ''}, content: 'no topic'});
  await client.outbox.idle();
  await client.pollEvents();
  const keys = [...client.state.messages.byId.values()].map(({conversationKey}) => conversationKey);
  expect(keys).toEqual(['d', `d${stage.otto.id}`, `c${channelId}:`]);
  expect(client.state.unreads.byId.size).toBe(0);
});

test.each(['drop_after', 'truncate'])(
  'outbox: a response lost after delivery (%s) results in one message and an empty outbox',
  async (kind) => {
    const stage = await scene();
    const client = await online(stage);
    await injectFault(stage.server, {path: '/messages', method: 'POST', kind});
    client.outbox.send({conversation: stage.talk, content: 'only once  \n'});
    await client.outbox.idle();
    expect(client.store.outbox.all()).toEqual([]);
    await client.pollEvents();
    expect(shown(client)).toEqual(['only once']);
    expect(await arrived(stage)).toEqual(['only once']);
  },
);

test.each(['drop_before', 'html'])(
  'outbox: a request that may have been delivered but was not (%s) becomes unconfirmed and is never resent automatically',
  async (kind) => {
    const stage = await scene();
    const client = await online(stage);
    await injectFault(stage.server, {path: '/messages', method: 'POST', kind});
    const entry = client.outbox.send({conversation: stage.talk, content: 'lost?'});
    client.outbox.send({conversation: stage.talk, content: 'next'});
    for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
    await client.outbox.idle();
    expect(client.store.outbox.all()).toMatchObject([
      {id: entry.id, status: 'unconfirmed', problem: unconfirmedProblem},
    ]);
    expect(await arrived(stage)).toEqual(['next']);
    expect(client.outbox.resend(entry.id)).toBe(true);
    await client.outbox.idle();
    expect(await arrived(stage)).toEqual(['next', 'lost?']);
    await client.pollEvents();
    expect(client.state.outbox).toEqual([]);
  },
);

test('outbox: a rate limit is respected, then everything is sent in order', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'rate_limit', retry_after: 7});
  for (const content of ['one', 'two', 'three']) client.outbox.send({conversation: stage.talk, content});
  await client.clock.pass(7000);
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(['one', 'two', 'three']);
});

test('outbox: a refused message stays with its reason and does not block others', async () => {
  const stage = await scene();
  const client = await online(stage);
  const bad = client.outbox.send({
    conversation: {kind: 'topic', channelId: 999, topic: 't'},
    content: 'where?',
  });
  client.outbox.send({conversation: stage.talk, content: 'fine'});
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(['fine']);
  const [entry] = client.state.outbox;
  expect(entry).toMatchObject({id: bad.id, status: 'failed', content: 'where?'});
  expect(entry?.problem).toMatch(/.+/);
  expect(client.outbox.discard(bad.id)).toMatchObject({content: 'where?'});
  expect(client.outbox.discard(bad.id)).toBeUndefined();
  expect(client.store.outbox.all()).toEqual([]);
});

test('outbox: messages written offline are sent in order; equal texts are two messages', async () => {
  const stage = await scene();
  const client = new TestClient(stage.server, stage.meg);
  const written = ['ok', 'ok', 'a', 'b', 'ok'];
  for (const content of written) client.outbox.send({conversation: stage.talk, content});
  await client.register();
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(written);
  await client.pollEvents();
  expect(client.state.outbox).toEqual([]);
});

test('outbox: equal texts, the first response lost and the second request undelivered: one message, one unconfirmed', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_before'});
  client.outbox.send({conversation: stage.talk, content: 'ok'});
  client.outbox.send({conversation: stage.talk, content: 'ok'});
  for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  await client.pollEvents();
  expect(await arrived(stage)).toEqual(['ok']);
  expect(client.store.outbox.all()).toMatchObject([{status: 'unconfirmed'}]);
});

test('outbox: after a long time offline, messages are held until the user agrees', async () => {
  const stage = await scene();
  const client = await online(stage);
  await client.goOffline();
  client.outbox.send({conversation: stage.talk, content: 'old'});
  client.clock.advance(9 * 60_000);
  client.outbox.send({conversation: stage.talk, content: 'young'});
  client.clock.advance(2 * 60_000);
  client.goOnline();
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(['young']);
  expect(client.store.outbox.all()).toMatchObject([{status: 'held', content: 'old'}]);
  expect(client.outbox.sendHeld()).toBe(1);
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(['young', 'old']);
});

test('outbox: an unconfirmed message is found after a new registration', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  await injectFault(stage.server, {
    path: '/messages',
    method: 'GET',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
    times: 4,
  });
  client.outbox.send({conversation: stage.talk, content: 'there'});
  for (const ms of [1000, 3000, 8000]) await client.clock.pass(ms);
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['unconfirmed']);
  await client.register();
  await client.outbox.idle();
  expect(client.state.outbox).toEqual([]);
  expect(await arrived(stage)).toEqual(['there']);
});

test('outbox: refused credentials leave everything queued until the server accepts them again', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {
    path: '/messages',
    method: 'POST',
    kind: 'status',
    status: 401,
    code: 'INVALID_API_KEY',
  });
  client.outbox.send({conversation: stage.talk, content: 'patience'});
  await client.outbox.idle();
  expect(statuses(client)).toEqual(['queued']);
  await client.register();
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(['patience']);
});

test('outbox: a waiting message can be edited and turned back into a draft', async () => {
  const stage = await scene();
  const client = new TestClient(stage.server, stage.meg);
  const one = client.outbox.send({conversation: stage.talk, content: 'one'});
  const two = client.outbox.send({conversation: stage.talk, content: 'two'});
  expect(client.outbox.edit(two.id, 'second')).toBe(true);
  expect(client.outbox.toDraft(one.id)).toMatchObject({content: 'one', target: stage.talk, status: 'dirty'});
  expect(client.outbox.toDraft(one.id)).toBeUndefined();
  expect(texts(client)).toEqual(['second']);
  expect(client.state.localDrafts).toMatchObject([{content: 'one'}]);
  expect(client.store.drafts.all()).toMatchObject([{content: 'one'}]);
});

test('outbox: two processes on one account send each message once, in order, and both show it once', async () => {
  const stage = await scene();
  const path = `${scratchDirectory()}/account.db`;
  const first = new TestClient(stage.server, stage.meg, {path});
  const second = new TestClient(stage.server, stage.meg, {path});
  const written = Array.from({length: 12}, (_, index) => `message ${index}`);
  written.forEach((content, index) => {
    (index % 2 === 0 ? first : second).outbox.send({conversation: stage.talk, content});
  });
  await Promise.all([first.register(), second.register()]);
  while (first.store.outbox.all().length > 0) {
    await Promise.all([first.outbox.idle(), second.outbox.idle()]);
    for (const client of [first, second]) client.lookAround();
  }
  expect(await arrived(stage)).toEqual(written);
  for (const client of [first, second]) {
    client.lookAround();
    await client.pollEvents();
    expect(shown(client)).toEqual(written);
  }
});

test('outbox: another process shows what is being sent, and takes over when the sender dies', async () => {
  const stage = await scene();
  const path = `${scratchDirectory()}/account.db`;
  const dying = await online(stage, {path, isDead: true});
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
  await injectFault(stage.server, {path: '/messages', method: 'GET', kind: 'status', status: 503, times: 1});
  dying.outbox.send({conversation: stage.talk, content: 'mine'});
  await dying.clock.waitedFor(250, 500);
  dying.die();
  expect(dying.store.outbox.all()).toMatchObject([{status: 'sending'}]);
  await callTestHook(stage.server, 'clear-faults');
  const heir = new TestClient(stage.server, stage.meg, {path});
  expect(texts(heir)).toEqual(['mine']);
  await heir.register();
  await heir.outbox.idle();
  expect(heir.store.outbox.all()).toEqual([]);
  expect(await arrived(stage)).toEqual(['mine']);
});

test.each([122, 277, 371])(
  'outbox: a lost response is resolved with servers of level %i too',
  async (level) => {
    const stage = await scene({level});
    const client = await online(stage);
    await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_after'});
    client.outbox.send({conversation: stage.talk, content: 'one'});
    client.outbox.send({conversation: {kind: 'direct', userIds: [stage.otto.id]}, content: 'two'});
    await client.outbox.idle();
    expect(client.store.outbox.all()).toEqual([]);
    await client.pollEvents();
    expect(shown(client)).toEqual(['one', 'two']);
    expect(await arrived(stage)).toEqual(['one']);
  },
);

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
  const stage = {server: {...dying, people, as, anonymous: () => as(meg)}, meg, otto, talk};
  const client = await online(stage);
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'drop_before'});
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
  expect(await arrived({...stage, server: again})).toEqual([]);
});

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

/** What the server has, oldest first. */
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

/** What the screen shows of what was written: messages and entries, each once. */
function shown(client: TestClient): string[] {
  const messages = [...client.state.messages.byId.values()].map(({content}) => content);
  return [...messages, ...texts(client)];
}

test('a message is on disk and on screen before it leaves', async () => {
  const stage = await scene();
  const client = new TestClient(stage.server, stage.meg);
  const entry = client.outbox.send({conversation: stage.talk, content: 'hello'});
  expect(client.store.outbox.all()).toMatchObject([{id: entry.id, status: 'queued', content: 'hello'}]);
  expect(client.state.outbox).toMatchObject([{id: entry.id, status: 'queued'}]);
});

test('a sent message is shown once, before its event and after it', async () => {
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

test('an event that is quicker than the answer ends it', async () => {
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

test('messages to oneself, to people and to topics without a name arrive where they belong', async () => {
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
  'a reply lost after the commit (%s): one message, and nothing left to do',
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
  'a request that may have arrived and did not (%s) is in doubt, and never sent again by itself',
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

test('a rate limit is waited for as long as the server says, then all goes out in order', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {path: '/messages', method: 'POST', kind: 'rate_limit', retry_after: 7});
  for (const content of ['one', 'two', 'three']) client.outbox.send({conversation: stage.talk, content});
  await client.clock.pass(7000);
  await client.outbox.idle();
  expect(await arrived(stage)).toEqual(['one', 'two', 'three']);
});

test('what the server refuses stays, with its sentence, and holds up nobody', async () => {
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

test('what is written offline goes out in order, with the same text twice as two messages', async () => {
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

test('the same text twice, the first reply lost and the second request never arrived: one message, one in doubt', async () => {
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

test('after a long time offline the user is asked first', async () => {
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

test('what is in doubt is found when the events of a new registration could not tell', async () => {
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

test('credentials that are refused leave everything queued until the server takes us again', async () => {
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

test('back to a draft, and other words for what waits', async () => {
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

test('two programs on one account send each message once, in order, and both show it once', async () => {
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

test('another program shows what is being sent, and takes over when the sender dies', async () => {
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

test.each([122, 277, 371])('a lost reply is settled with servers of level %i too', async (level) => {
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
});

test('a server that dies over a message: it stays, honestly, until there is a server to ask', async () => {
  const options = {
    database: `${scratchDirectory()}/server.db`,
    secrets: Secrets.generate(),
    testHooks: true,
  };
  const dying = await startServer(options);
  const people = new People(dying.world);
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

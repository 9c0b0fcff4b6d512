import {expect, test} from 'vitest';
import {Drafts} from '#state/drafts/drafts.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';
import {type ClientOptions, injectFault, TestClient} from './test-client.ts';

interface Scene {
  readonly server: TestServer;
  readonly meg: Person;
  /** Another client of the same person. */
  readonly phone: ApiClient;
  readonly talk: Conversation;
}

async function scene(): Promise<Scene> {
  const server = await testServer({testHooks: true});
  const meg = server.people.member();
  const channelId = server.people.channel('general', [meg]);
  return {server, meg, phone: server.as(meg), talk: {kind: 'topic', channelId, topic: 'talk'}};
}

async function online({server, meg}: Scene, options?: ClientOptions): Promise<TestClient> {
  const client = await new TestClient(server, meg, options).register();
  await client.drafts.flush();
  return client;
}

interface WireDraft {
  readonly id: number;
  readonly content: string;
}

async function onServer({phone}: Scene): Promise<WireDraft[]> {
  const {drafts} = await phone.get('/drafts');
  return drafts.toSorted((a: WireDraft, b: WireDraft) => a.id - b.id);
}

const contents = (drafts: readonly {readonly content: string}[]) => drafts.map(({content}) => content).sort();

function wire({talk}: Scene, content: string, timestamp: number) {
  const {channelId, topic} = talk as {channelId: number; topic: string};
  return {type: 'stream', to: [channelId], topic, content, timestamp};
}

/** Hears of what happened elsewhere and takes it in. */
async function catchUp(client: TestClient): Promise<void> {
  await client.pollEvents();
  await client.drafts.flush();
}

/** A draft that both sides agree on. */
async function agreed(stage: Scene, client: TestClient, content = 'first'): Promise<LocalDraft> {
  const draft = client.drafts.edit(undefined, {target: stage.talk, content});
  await client.drafts.flush();
  await client.pollEvents();
  const synced = client.drafts.get(draft?.id ?? '');
  if (synced?.status !== 'clean') throw new Error('not agreed');
  return synced;
}

test('what is written is on disk and on screen at once, and on the server after a pause', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = client.drafts.edit(undefined, {target: stage.talk, content: 'h'});
  expect(client.store.drafts.all()).toMatchObject([{content: 'h', status: 'dirty'}]);
  expect(client.state.localDrafts).toMatchObject([{id: draft?.id, content: 'h'}]);
  client.drafts.edit(draft?.id, {target: stage.talk, content: 'hello'});
  expect(await onServer(stage)).toEqual([]);
  await client.clock.pass(500);
  await client.drafts.flush();
  expect(await onServer(stage)).toMatchObject([{content: 'hello'}]);
  expect(client.store.drafts.all()).toMatchObject([{id: draft?.id, status: 'clean'}]);
});

test('where this machine is told to keep them, drafts never reach the server', async () => {
  const stage = await scene();
  const client = await online(stage);
  const drafts = new Drafts(client.context, false);
  drafts.edit(undefined, {target: stage.talk, content: 'for nobody'});
  await drafts.flush();
  expect(client.store.drafts.all()).toMatchObject([{content: 'for nobody', status: 'dirty'}]);
  expect(await onServer(stage)).toEqual([]);
});

test('who never pauses is saved on the server all the same', async () => {
  const stage = await scene();
  const client = await online(stage);
  let draft = client.drafts.edit(undefined, {target: stage.talk, content: 'x'});
  for (let second = 0; second < 16; second++) {
    client.clock.advance(1000);
    draft = client.drafts.edit(draft?.id, {target: stage.talk, content: `${draft?.content}x`});
  }
  await client.drafts.flush();
  const events = await client.pollEvents();
  expect(events.map(({type}) => type)).toEqual(['drafts', 'drafts']);
});

test('an own echo changes nothing, even when it comes after more was written', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  client.drafts.edit(draft.id, {target: stage.talk, content: 'second '});
  await client.drafts.flush();
  client.drafts.edit(draft.id, {target: stage.talk, content: 'second thought'});
  await catchUp(client);
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'second thought', status: 'clean'}]);
  expect(await onServer(stage)).toMatchObject([{id: draft.serverId, content: 'second thought'}]);
});

test('space at the end stays here, though the server keeps none', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client, 'word ');
  await client.register();
  await client.drafts.flush();
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'word ', status: 'clean'}]);
  expect(await onServer(stage)).toHaveLength(1);
});

test('written elsewhere, edited elsewhere, deleted elsewhere', async () => {
  const stage = await scene();
  const client = await online(stage);
  const {ids} = await stage.phone.post('/drafts', {drafts: [wire(stage, 'from the phone', 1000)]});
  await catchUp(client);
  expect(client.drafts.all()).toMatchObject([{serverId: ids[0], content: 'from the phone', status: 'clean'}]);
  await stage.phone.patch(`/drafts/${ids[0]}`, {draft: wire(stage, 'changed', 2000)});
  await catchUp(client);
  expect(client.drafts.all()).toMatchObject([{serverId: ids[0], content: 'changed', status: 'clean'}]);
  await stage.phone.delete(`/drafts/${ids[0]}`);
  await catchUp(client);
  expect(client.drafts.all()).toEqual([]);
});

test('what changed elsewhere while we were away is taken in with the registration', async () => {
  const stage = await scene();
  const client = await online(stage);
  const one = await agreed(stage, client, 'one');
  const two = await agreed(stage, client, 'two');
  await stage.phone.patch(`/drafts/${one.serverId}`, {draft: wire(stage, 'one more', 9_999_999_999)});
  await stage.phone.delete(`/drafts/${two.serverId}`);
  await stage.phone.post('/drafts', {drafts: [wire(stage, 'three', 1)]});
  await client.register();
  await client.drafts.flush();
  expect(contents(client.drafts.all())).toEqual(['one more', 'three']);
});

test.each([
  {who: 'ours', theirTime: 1000, ownerOfId: 'ours'},
  {who: 'theirs', theirTime: 9_999_999_999, ownerOfId: 'theirs'},
])('edited on both sides, both are kept; $who is newer and keeps the id', async ({theirTime, ownerOfId}) => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  await client.goOffline();
  client.drafts.edit(draft.id, {target: stage.talk, content: 'ours'});
  await stage.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(stage, 'theirs', theirTime)});
  client.goOnline();
  await catchUp(client);
  await catchUp(client);
  expect(contents(client.drafts.all())).toEqual(['ours', 'theirs']);
  expect(client.drafts.all().every(({status}) => status === 'clean')).toBe(true);
  expect(client.drafts.get(draft.id)?.content).toBe('ours');
  const server = await onServer(stage);
  expect(contents(server)).toEqual(['ours', 'theirs']);
  expect(server.find(({id}) => id === draft.serverId)?.content).toBe(ownerOfId);
});

test('deleted elsewhere while edited here: kept, and on the server again', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  await client.goOffline();
  client.drafts.edit(draft.id, {target: stage.talk, content: 'still needed'});
  await stage.phone.delete(`/drafts/${draft.serverId}`);
  client.goOnline();
  await client.drafts.flush();
  await catchUp(client);
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'still needed', status: 'clean'}]);
  expect(contents(await onServer(stage))).toEqual(['still needed']);
});

test('deleted here while edited elsewhere: theirs is kept', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  await client.goOffline();
  client.drafts.remove(draft.id);
  expect(client.drafts.all()).toEqual([]);
  await stage.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(stage, 'not so fast', 5000)});
  await client.register();
  await client.drafts.flush();
  expect(contents(client.drafts.all())).toEqual(['not so fast']);
  expect(contents(await onServer(stage))).toEqual(['not so fast']);
});

test('a draft without words goes, here and there, and comes back exactly when that is undone', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  const removed = client.drafts.remove(draft.id);
  await client.drafts.flush();
  expect(await onServer(stage)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
  client.drafts.restore(removed ?? draft);
  await client.drafts.flush();
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'first', editedAt: draft.editedAt}]);
  expect(contents(await onServer(stage))).toEqual(['first']);
  expect(client.drafts.edit(draft.id, {target: stage.talk, content: ' \n'})).toBeUndefined();
  await client.drafts.flush();
  expect(await onServer(stage)).toEqual([]);
});

test('undone before the server heard of it, a removal never happened', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  const removed = client.drafts.remove(draft.id);
  client.drafts.restore(removed ?? draft);
  await client.drafts.flush();
  expect(await onServer(stage)).toMatchObject([{id: draft.serverId, content: 'first'}]);
});

test('the draft of a sent message is gone on both sides, once the message is safe on the server', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  await client.goOffline();
  client.outbox.send({conversation: stage.talk, content: 'first', draftId: draft.id});
  expect(client.drafts.all()).toEqual([]);
  expect(client.state.localDrafts).toEqual([]);
  client.goOnline();
  await client.outbox.idle();
  await client.drafts.flush();
  expect(await onServer(stage)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
});

test('while its message waits, the draft on the server is kept; taken back, it lives on', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = await agreed(stage, client);
  await injectFault(stage.server, {
    path: '/messages',
    method: 'POST',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
  });
  const entry = client.outbox.send({conversation: stage.talk, content: 'first and more', draftId: draft.id});
  await client.outbox.idle();
  await client.drafts.flush();
  expect(await onServer(stage)).toMatchObject([{id: draft.serverId, content: 'first'}]);
  expect(client.outbox.toDraft(entry.id)).toMatchObject({id: draft.id, serverId: draft.serverId});
  await catchUp(client);
  expect(await onServer(stage)).toMatchObject([{id: draft.serverId, content: 'first and more'}]);
});

test('a lost answer to a new draft does not make two of it', async () => {
  const stage = await scene();
  const client = await online(stage);
  await injectFault(stage.server, {path: '/drafts', method: 'POST', kind: 'drop_after'});
  const draft = client.drafts.edit(undefined, {target: stage.talk, content: 'once'});
  await client.drafts.flush();
  client.drafts.edit(draft?.id, {target: stage.talk, content: 'once more'});
  await client.pollEvents();
  await client.drafts.flush();
  expect(await onServer(stage)).toMatchObject([{content: 'once more'}]);
  expect(client.drafts.all()).toMatchObject([{id: draft?.id, content: 'once more', status: 'clean'}]);
});

test('a draft that is sent while its creation is in the air leaves nothing behind', async () => {
  const stage = await scene();
  const client = await online(stage);
  const draft = client.drafts.edit(undefined, {target: stage.talk, content: 'quick'});
  const flushed = client.drafts.flush();
  client.outbox.send({conversation: stage.talk, content: 'quick', draftId: draft?.id});
  await flushed;
  await client.outbox.idle();
  await client.drafts.flush();
  expect(await onServer(stage)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
});

test('with synchronization off, drafts stay on this machine', async () => {
  const stage = await scene();
  const client = await online(stage);
  await stage.phone.patch('/settings', {enable_drafts_synchronization: false});
  await client.pollEvents();
  client.drafts.edit(undefined, {target: stage.talk, content: 'private'});
  await client.drafts.flush();
  expect(client.store.drafts.all()).toMatchObject([{content: 'private', status: 'dirty'}]);
  await stage.phone.patch('/settings', {enable_drafts_synchronization: true});
  await catchUp(client);
  expect(contents(await onServer(stage))).toEqual(['private']);
});

test('what the server does not take stays here and holds up nobody', async () => {
  const stage = await scene();
  const client = await online(stage);
  client.drafts.edit(undefined, {target: {kind: 'topic', channelId: 999, topic: ''}, content: 'nowhere'});
  client.drafts.edit(undefined, {target: {kind: 'none', topic: 'half a topic'}, content: 'for whom?'});
  client.drafts.edit(undefined, {target: {kind: 'direct', userIds: []}, content: 'to myself'});
  await client.drafts.flush();
  expect(contents(await onServer(stage))).toEqual(['for whom?', 'to myself']);
  expect(contents(client.drafts.all())).toEqual(['for whom?', 'nowhere', 'to myself']);
  await client.register();
  await client.drafts.flush();
  expect(client.drafts.all()).toHaveLength(3);
  expect(await onServer(stage)).toHaveLength(2);
});

test('two programs share the drafts: one creates on the server, both show them, neither undoes the other', async () => {
  const stage = await scene();
  const path = `${scratchDirectory()}/account.db`;
  const one = await online(stage, {path});
  const two = await online(stage, {path});
  const draft = one.drafts.edit(undefined, {target: stage.talk, content: 'shared'});
  two.lookAround();
  await Promise.all([one.drafts.flush(), two.drafts.flush()]);
  await Promise.all([catchUp(one), catchUp(two)]);
  expect(contents(await onServer(stage))).toEqual(['shared']);
  two.lookAround();
  expect(two.drafts.all()).toMatchObject([{id: draft?.id, content: 'shared'}]);
  // Both write in it before either hears of the other.
  one.drafts.edit(draft?.id, {target: stage.talk, content: 'by one'});
  const other = two.drafts.edit(draft?.id, {target: stage.talk, content: 'by two'});
  expect(other?.id).not.toBe(draft?.id);
  await one.drafts.flush();
  await two.drafts.flush();
  expect(contents(await onServer(stage))).toEqual(['by one', 'by two']);
});

test('the drafts for a conversation come latest first', async () => {
  const stage = await scene();
  const client = new TestClient(stage.server, stage.meg);
  client.drafts.edit(undefined, {target: stage.talk, content: 'older'});
  client.clock.advance(5);
  client.drafts.edit(undefined, {target: stage.talk, content: 'newer'});
  client.drafts.edit(undefined, {target: {kind: 'direct', userIds: [99]}, content: 'other'});
  expect(client.drafts.forConversation(stage.talk).map(({content}) => content)).toEqual(['newer', 'older']);
});

import {expect, test} from 'vitest';
import type {Api} from '#api/api.ts';
import {Drafts} from '#state/drafts/drafts.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {LocalDraft} from '#state/model/draft.ts';
import {draftCount} from '#state/selectors/lists/conversation-properties.ts';
import {systemClock} from '#std/clock.ts';
import {type ClientOptions, injectFault, TestClient} from '#test/state/test-client.ts';
import type {ApiClient} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {type TestServer, testServer} from '#test/support/server.ts';

interface Fixture {
  readonly server: TestServer;
  readonly meg: Person;
  /** Another client of the same user. */
  readonly phone: ApiClient;
  readonly talk: Conversation;
}

async function createFixture(): Promise<Fixture> {
  const server = await testServer({testHooks: true});
  const meg = server.people.member();
  const channelId = server.people.channel('general', [meg]);
  return {server, meg, phone: server.as(meg), talk: {kind: 'topic', channelId, topic: 'talk'}};
}

async function online({server, meg}: Fixture, options?: ClientOptions): Promise<TestClient> {
  const client = await new TestClient(server, meg, options).register();
  await client.drafts.flush();
  return client;
}

interface WireDraft {
  readonly id: number;
  readonly content: string;
}

async function serverDrafts({phone}: Fixture): Promise<WireDraft[]> {
  const {drafts} = await phone.get('/drafts');
  return drafts.toSorted((a: WireDraft, b: WireDraft) => a.id - b.id);
}

const contents = (drafts: readonly {readonly content: string}[]) => drafts.map(({content}) => content).sort();

function wire({talk}: Fixture, content: string, timestamp: number) {
  const {channelId, topic} = talk as {channelId: number; topic: string};
  return {type: 'stream', to: [channelId], topic, content, timestamp};
}

/** Applies changes made by other clients. */
async function pollAndSync(client: TestClient): Promise<void> {
  await client.pollEvents();
  await client.drafts.flush();
}

/** Returns a draft that is synced. */
async function syncedDraft(fixture: Fixture, client: TestClient, content = 'first'): Promise<LocalDraft> {
  const draft = client.drafts.edit(undefined, {target: fixture.talk, content});
  await client.drafts.flush();
  await client.pollEvents();
  const synced = client.drafts.get(draft?.id ?? '');
  if (synced?.status !== 'clean') throw new Error('not agreed');
  return synced;
}

test('drafts: an edit is on disk and in the state at once, and on the server after a pause', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'h'});
  expect(client.store.drafts.all()).toMatchObject([{content: 'h', status: 'dirty'}]);
  expect(client.state.localDrafts).toMatchObject([{id: draft?.id, content: 'h'}]);
  client.drafts.edit(draft?.id, {target: fixture.talk, content: 'hello'});
  expect(await serverDrafts(fixture)).toEqual([]);
  await client.clock.pass(5000);
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toMatchObject([{content: 'hello'}]);
  expect(client.store.drafts.all()).toMatchObject([{id: draft?.id, status: 'clean'}]);
});

test('drafts: with sync disabled on this machine, drafts never reach the server', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const drafts = new Drafts(client.context, false);
  drafts.edit(undefined, {target: fixture.talk, content: 'for nobody'});
  await drafts.flush();
  expect(client.store.drafts.all()).toMatchObject([{content: 'for nobody', status: 'dirty'}]);
  expect(await serverDrafts(fixture)).toEqual([]);
});

test('drafts: typing without a pause is still saved on the server', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  let draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'x'});
  for (let second = 0; second < 30; second++) {
    expect(await serverDrafts(fixture)).toEqual([]);
    client.clock.advance(1000);
    await client.drafts.idle();
    draft = client.drafts.edit(draft?.id, {target: fixture.talk, content: `${draft?.content}x`});
  }
  expect(await serverDrafts(fixture)).toMatchObject([{content: 'x'.repeat(30)}]);
});

test('drafts: edits in short bursts are uploaded at most every 30 seconds, and at once on leaving', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  let draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'x'});
  const uploaded: number[] = [];
  for (let second = 1; second <= 66; second++) {
    client.clock.advance(1000);
    await client.drafts.idle();
    if ((await client.pollEvents()).length > 0) uploaded.push(second);
    if (second % 6 === 0) {
      draft = client.drafts.edit(draft?.id, {target: fixture.talk, content: `${draft?.content}x`});
    }
  }
  expect(uploaded).toEqual([5, 35, 65]);
  client.drafts.edit(draft?.id, {target: fixture.talk, content: 'left'});
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toMatchObject([{content: 'left'}]);
});

test('drafts: one that is written while another is uploaded is on the server when its flush ends', async () => {
  const fixture = await createFixture();
  const called = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const client = await online(fixture, {
    wrap: ({api, store}) => {
      const createDrafts: Api['createDrafts'] = async (...args) => {
        called.resolve();
        await gate.promise;
        return api.createDrafts(...args);
      };
      return {api: {...api, createDrafts}, store};
    },
  });
  client.drafts.edit(undefined, {target: fixture.talk, content: 'first'});
  const flushed = client.drafts.flush();
  await called.promise;
  client.drafts.edit(undefined, {target: fixture.talk, content: 'second'});
  const flushedAgain = client.drafts.flush();
  gate.resolve();
  await Promise.all([flushed, flushedAgain]);
  expect(contents(await serverDrafts(fixture))).toEqual(['first', 'second']);
});

test('drafts: an edit after a flush is uploaded after the same pause as the first one', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  for (const content of ['second', 'third']) {
    client.drafts.edit(draft.id, {target: fixture.talk, content});
    for (let second = 0; second < 5; second++) {
      client.clock.advance(1000);
      await client.drafts.idle();
    }
    expect(await serverDrafts(fixture)).toMatchObject([{content}]);
    client.drafts.edit(draft.id, {target: fixture.talk, content: `${content}, left`});
    await client.drafts.flush();
  }
});

test('drafts: an edit long after the first one is not uploaded before its pause', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'second'});
  client.clock.advance(5000);
  await client.drafts.idle();
  client.clock.advance(60_000);
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'third'});
  client.clock.advance(4999);
  await client.drafts.idle();
  expect(contents(await serverDrafts(fixture))).toEqual(['second']);
  client.clock.advance(1);
  await client.drafts.idle();
  expect(contents(await serverDrafts(fixture))).toEqual(['third']);
});

const twoTopics = ['talk', 'tea'];
const topicsOf = (drafts: readonly LocalDraft[]) =>
  drafts.map(({target, content}) => [target.kind === 'topic' ? target.topic : '', content]).sort();

test.each([
  ['both written here', 2],
  ['one written here, the other by another client', 1],
  ['both by another client in one event', 0],
] as const)('drafts: the same text for two conversations is two drafts, %s', async (_where, countHere) => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const {channelId} = fixture.talk as {channelId: number};
  for (const topic of twoTopics.slice(0, countHere))
    client.drafts.edit(undefined, {target: {kind: 'topic', channelId, topic}, content: 'same'});
  const elsewhere = twoTopics.slice(countHere).map((topic) => ({...wire(fixture, 'same', 100), topic}));
  if (elsewhere.length > 0) await fixture.phone.post('/drafts', {drafts: elsewhere});
  await pollAndSync(client);
  await pollAndSync(client);
  expect(topicsOf(client.drafts.all())).toEqual(twoTopics.map((topic) => [topic, 'same']));
  const {drafts} = await fixture.phone.get('/drafts');
  expect(drafts.map(({topic}: {topic: string}) => topic).sort()).toEqual(twoTopics);
});

test('drafts: several of one event are followed, also if one of them is here already', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  client.drafts.edit(undefined, {target: fixture.talk, content: 'two'});
  const texts = ['one', 'two', 'three'];
  const {ids} = await fixture.phone.post('/drafts', {drafts: texts.map((text) => wire(fixture, text, 100))});
  await pollAndSync(client);
  expect(contents(client.drafts.all())).toEqual(texts.toSorted());
  for (const id of ids.slice(1)) await fixture.phone.delete(`/drafts/${id}`);
  await pollAndSync(client);
  expect(contents(client.drafts.all())).toEqual(['one']);
});

test('drafts: the echo of an own edit changes nothing, even when it arrives after further edits', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'second '});
  await client.drafts.flush();
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'second thought'});
  await pollAndSync(client);
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'second thought', status: 'clean'}]);
  expect(await serverDrafts(fixture)).toMatchObject([{id: draft.serverId, content: 'second thought'}]);
});

test('drafts: blanks around the text stay in the local draft, although the server strips them', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  let draft = await syncedDraft(fixture, client, '\n    code ');
  for (const more of ['m', 'mo', 'more ']) {
    const content = `\n    code ${more}`;
    client.drafts.edit(draft.id, {target: fixture.talk, content});
    await pollAndSync(client);
    await client.register();
    await pollAndSync(client);
    expect(client.drafts.all()).toMatchObject([{id: draft.id, content, status: 'clean'}]);
  }
  draft = client.drafts.all()[0] ?? draft;
  expect(await serverDrafts(fixture)).toMatchObject([{id: draft.serverId, content: 'code more'}]);
});

test('drafts: each upload is one request, and nothing is fetched while only this client writes', async () => {
  const fixture = await createFixture();
  const requests: string[] = [];
  const client = await online(fixture, {wrap: (parts) => ({...parts, api: recorded(parts.api, requests)})});
  const draft = await syncedDraft(fixture, client, 'one');
  for (const content of ['  two', 'three ']) {
    client.drafts.edit(draft.id, {target: fixture.talk, content});
    await client.drafts.flush();
  }
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'four'});
  await pollAndSync(client);
  client.drafts.remove(draft.id);
  await pollAndSync(client);
  await pollAndSync(client);
  expect(requests).toEqual(['createDrafts', 'editDraft', 'editDraft', 'editDraft', 'deleteDraft']);
  expect(client.store.drafts.all()).toEqual([]);
});

/** Returns an API that records the names of the calls about drafts. */
function recorded(api: Api, calls: string[]): Api {
  return interceptedApi(api, (name) => void calls.push(name));
}

/** Returns an API that runs `after` with the name of each call about drafts, before the response is returned. */
function interceptedApi(api: Api, after: (name: string) => Promise<void> | void): Api {
  const names = ['getDrafts', 'createDrafts', 'editDraft', 'deleteDraft'] as const;
  const calls = names.map((name) => {
    const call = async (...args: readonly never[]) => {
      const response = await (api[name] as (...given: readonly never[]) => Promise<unknown>)(...args);
      await after(name);
      return response;
    };
    return [name, call];
  });
  return {...api, ...Object.fromEntries(calls)};
}

test('drafts: a change that is heard while the drafts are fetched is fetched again', async () => {
  const fixture = await createFixture();
  let isArmed = false;
  const client: TestClient = await online(fixture, {
    wrap: (parts) => ({
      ...parts,
      api: interceptedApi(parts.api, async (name) => {
        if (name !== 'getDrafts' || !isArmed) return;
        isArmed = false;
        await fixture.phone.patch(`/drafts/${ids[0]}`, {draft: wire(fixture, 'newest', 3)});
        await client.pollEvents();
      }),
    }),
  });
  const {ids} = await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'old', 1)]});
  isArmed = true;
  await pollAndSync(client);
  expect(client.drafts.all()).toMatchObject([{content: 'newest', status: 'clean'}]);
});

test('drafts: a text that is heard between fetching and writing is not overwritten', async () => {
  const fixture = await createFixture();
  let isArmed = false;
  const client: TestClient = await online(fixture, {
    wrap: (parts) => ({
      ...parts,
      api: interceptedApi(parts.api, async (name) => {
        if (name !== 'getDrafts' || !isArmed) return;
        isArmed = false;
        await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'theirs', 3)});
        await client.pollEvents();
      }),
    }),
  });
  const draft = await syncedDraft(fixture, client);
  await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'another', 1)]});
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'ours'});
  isArmed = true;
  await pollAndSync(client);
  const server = await serverDrafts(fixture);
  expect(contents(server)).toEqual(['another', 'ours', 'theirs']);
  expect(server.find(({id}) => id === draft.serverId)?.content).toBe('theirs');
  expect(contents(client.drafts.all())).toEqual(['another', 'ours', 'theirs']);
});

test.each(['edit', 'removal'])('drafts: a text that an %s overwrote unheard is kept as another draft', async (what) => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'theirs', 3)});
  if (what === 'edit') client.drafts.edit(draft.id, {target: fixture.talk, content: 'ours'});
  else client.drafts.remove(draft.id);
  await client.drafts.flush();
  expect(contents(await serverDrafts(fixture))).toEqual(what === 'edit' ? ['ours'] : []);
  await pollAndSync(client);
  const expected = what === 'edit' ? ['ours', 'theirs'] : ['theirs'];
  expect(contents(client.drafts.all())).toEqual(expected);
  await pollAndSync(client);
  expect(contents(await serverDrafts(fixture))).toEqual(expected);
});

test('drafts: text written over a draft that changed elsewhere in the meantime becomes another draft', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'theirs', 3)});
  await pollAndSync(client);
  const ours = client.drafts.edit(draft.id, {target: fixture.talk, content: 'first, continued'}, 'first');
  expect(ours?.id).not.toBe(draft.id);
  expect(client.drafts.edit(draft.id, {target: fixture.talk, content: ''}, 'first')).toBeUndefined();
  expect(contents(client.drafts.all())).toEqual(['first, continued', 'theirs']);
});

test('drafts: a draft created, edited and deleted by another client is followed', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const {ids} = await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'from the phone', 1000)]});
  await pollAndSync(client);
  expect(client.drafts.all()).toMatchObject([{serverId: ids[0], content: 'from the phone', status: 'clean'}]);
  await fixture.phone.patch(`/drafts/${ids[0]}`, {draft: wire(fixture, 'changed', 2000)});
  await pollAndSync(client);
  expect(client.drafts.all()).toMatchObject([{serverId: ids[0], content: 'changed', status: 'clean'}]);
  await fixture.phone.delete(`/drafts/${ids[0]}`);
  await pollAndSync(client);
  expect(client.drafts.all()).toEqual([]);
});

test('drafts: the first start takes the drafts from the registration, without a request', async () => {
  const fixture = await createFixture();
  const {ids} = await fixture.phone.post('/drafts', {drafts: ['one', 'two'].map((text) => wire(fixture, text, 1000))});
  let requestCount = 0;
  const client = await online(fixture, {
    wrap: ({api, store}) => {
      const getDrafts: Api['getDrafts'] = (...args) => {
        requestCount++;
        return api.getDrafts(...args);
      };
      return {api: {...api, getDrafts}, store};
    },
  });
  expect(client.drafts.all()).toMatchObject([
    {serverId: ids[0], content: 'one', status: 'clean'},
    {serverId: ids[1], content: 'two', status: 'clean'},
  ]);
  expect(requestCount).toBe(0);
});

test('drafts: changes made elsewhere while offline are merged at the next registration', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const first = await syncedDraft(fixture, client, 'one');
  const two = await syncedDraft(fixture, client, 'two');
  await fixture.phone.patch(`/drafts/${first.serverId}`, {draft: wire(fixture, 'one more', 9_999_999_999)});
  await fixture.phone.delete(`/drafts/${two.serverId}`);
  await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'three', 1)]});
  await client.register();
  await client.drafts.flush();
  expect(contents(client.drafts.all())).toEqual(['one more', 'three']);
});

test.each([
  {who: 'ours', theirTime: 1000},
  {who: 'theirs', theirTime: 9_999_999_999},
])('drafts: edited on both sides, both are kept and theirs keeps its id, if $who is newer', async ({theirTime}) => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await client.goOffline();
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'ours'});
  await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'theirs', theirTime)});
  client.goOnline();
  await pollAndSync(client);
  await pollAndSync(client);
  expect(contents(client.drafts.all())).toEqual(['ours', 'theirs']);
  expect(client.drafts.all().every(({status}) => status === 'clean')).toBe(true);
  expect(client.drafts.get(draft.id)?.content).toBe('ours');
  const server = await serverDrafts(fixture);
  expect(contents(server)).toEqual(['ours', 'theirs']);
  expect(server.find(({id}) => id === draft.serverId)?.content).toBe('theirs');
});

test('drafts: two clients that go on typing in one draft end with one draft each', async () => {
  const fixture = await createFixture();
  const one = await online(fixture);
  const two = await online(fixture);
  const [first, second] = [await syncedDraft(fixture, one, 'start'), await syncOther(two)];
  let texts = ['start', 'start'];
  for (let round = 0; round < 5; round++) {
    texts = [`${texts[0]} a`, `${texts[1]} b`];
    one.drafts.edit(first.id, {target: fixture.talk, content: texts[0] ?? ''});
    two.drafts.edit(second.id, {target: fixture.talk, content: texts[1] ?? ''});
    await one.drafts.flush();
    await pollAndSync(two);
    await pollAndSync(one);
  }
  expect(contents(await serverDrafts(fixture))).toEqual([...texts].sort());
  expect(one.drafts.get(first.id)?.content).toBe(texts[0]);
  expect(two.drafts.get(second.id)?.content).toBe(texts[1]);
});

/** Returns the draft that another client created. */
async function syncOther(client: TestClient): Promise<LocalDraft> {
  await pollAndSync(client);
  const [draft] = client.drafts.all();
  if (draft === undefined) throw new Error('not synced');
  return draft;
}

test('drafts: deleted elsewhere while edited here, the draft is kept and recreated on the server', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await client.goOffline();
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'still needed'});
  await fixture.phone.delete(`/drafts/${draft.serverId}`);
  client.goOnline();
  await client.drafts.flush();
  await pollAndSync(client);
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'still needed', status: 'clean'}]);
  expect(contents(await serverDrafts(fixture))).toEqual(['still needed']);
});

test('drafts: deleted here while edited elsewhere, the other version is kept', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await client.goOffline();
  client.drafts.remove(draft.id);
  expect(client.drafts.all()).toEqual([]);
  await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'not so fast', 5000)});
  await client.register();
  await client.drafts.flush();
  expect(contents(client.drafts.all())).toEqual(['not so fast']);
  expect(contents(await serverDrafts(fixture))).toEqual(['not so fast']);
});

test('drafts: a removed draft disappears on both sides, and undo restores it exactly', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  const removed = client.drafts.remove(draft.id);
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
  client.drafts.restore(removed ?? draft);
  await client.drafts.flush();
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'first', editedAt: draft.editedAt}]);
  expect(contents(await serverDrafts(fixture))).toEqual(['first']);
  expect(client.drafts.edit(draft.id, {target: fixture.talk, content: ' \n'})).toBeUndefined();
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toEqual([]);
});

test('drafts: the same text typed into a removed draft brings it back; into a draft that has it, it uploads nothing', async () => {
  const fixture = await createFixture();
  const requests: string[] = [];
  const client = await online(fixture, {wrap: (parts) => ({...parts, api: recorded(parts.api, requests)})});
  const draft = await syncedDraft(fixture, client);
  const text = {target: fixture.talk, content: 'first'};
  client.drafts.edit(draft.id, text);
  await client.drafts.flush();
  expect(client.drafts.get(draft.id)).toEqual(draft);
  expect(requests).toEqual(['createDrafts']);
  await client.goOffline();
  client.drafts.remove(draft.id);
  client.drafts.edit(draft.id, text);
  expect(client.drafts.all()).toMatchObject([{id: draft.id, content: 'first'}]);
  client.goOnline();
  await pollAndSync(client);
  expect(contents(await serverDrafts(fixture))).toEqual(['first']);
});

test('drafts: an edit that waits for its upload is uploaded although something else is synchronized before', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  client.drafts.edit(undefined, {target: fixture.talk, content: 'mine'});
  await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'from the phone', 1000)]});
  await client.pollEvents();
  client.clock.advance(50);
  await client.drafts.idle();
  expect(contents(client.drafts.all())).toEqual(['from the phone', 'mine']);
  expect(contents(await serverDrafts(fixture))).toEqual(['from the phone']);
  client.clock.advance(5000);
  await client.drafts.idle();
  expect(contents(await serverDrafts(fixture))).toEqual(['from the phone', 'mine']);
});

test('drafts: a refused edit overwrote nothing, so no text from elsewhere is kept twice', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await injectFault(fixture.server, {
    path: '/drafts/',
    method: 'PATCH',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
  });
  client.drafts.edit(draft.id, {target: fixture.talk, content: 'ours'});
  await client.drafts.flush();
  expect(contents(await serverDrafts(fixture))).toEqual(['first']);
  await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'theirs', 3)});
  await client.pollEvents();
  await fixture.phone.patch(`/drafts/${draft.serverId}`, {draft: wire(fixture, 'theirs, continued', 4)});
  await client.drafts.flush();
  await pollAndSync(client);
  expect(contents(client.drafts.all())).toEqual(['ours', 'theirs, continued']);
});

test('drafts: a removal undone before the server knew of it leaves no trace', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  const removed = client.drafts.remove(draft.id);
  client.drafts.restore(removed ?? draft);
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toMatchObject([{id: draft.serverId, content: 'first'}]);
});

test('drafts: the draft of a sent message is removed on both sides once the server has the message', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await client.goOffline();
  client.outbox.send({conversation: fixture.talk, content: 'first', draftId: draft.id});
  expect(client.drafts.all()).toEqual([]);
  expect(client.state.localDrafts).toEqual([]);
  client.goOnline();
  await client.outbox.idle();
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
});

test('drafts: while its message is queued, the server draft stays; turned back into a draft, it is reused', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await injectFault(fixture.server, {
    path: '/messages',
    method: 'POST',
    kind: 'status',
    status: 400,
    code: 'BAD_REQUEST',
  });
  const entry = client.outbox.send({
    conversation: fixture.talk,
    content: 'first and more',
    draftId: draft.id,
  });
  await client.outbox.idle();
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toMatchObject([{id: draft.serverId, content: 'first'}]);
  expect(client.outbox.toDraft(entry.id)).toMatchObject({id: draft.id, serverId: draft.serverId});
  await pollAndSync(client);
  expect(await serverDrafts(fixture)).toMatchObject([{id: draft.serverId, content: 'first and more'}]);
});

test('drafts: the draft of a message sent during the pause before the upload never reaches the server', async () => {
  const fixture = await createFixture();
  const requests: string[] = [];
  const client = await online(fixture, {wrap: (parts) => ({...parts, api: recorded(parts.api, requests)})});
  const draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'quick'});
  client.clock.advance(4999);
  client.outbox.send({conversation: fixture.talk, content: 'quick', draftId: draft?.id});
  await client.outbox.idle();
  client.clock.advance(60_000);
  await pollAndSync(client);
  expect(requests).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
});

test('drafts: the uploaded draft of a message sent during the pause is deleted once and not written again', async () => {
  const fixture = await createFixture();
  const requests: string[] = [];
  const client = await online(fixture, {wrap: (parts) => ({...parts, api: recorded(parts.api, requests)})});
  const draft = await syncedDraft(fixture, client, '  first');
  client.drafts.edit(draft.id, {target: fixture.talk, content: '  first and more'});
  client.outbox.send({conversation: fixture.talk, content: '  first and more', draftId: draft.id});
  await client.outbox.idle();
  await pollAndSync(client);
  client.clock.advance(60_000);
  await pollAndSync(client);
  expect(requests).toEqual(['createDrafts', 'deleteDraft']);
  expect(await serverDrafts(fixture)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
  const {messages} = await fixture.phone.get('/messages', {
    anchor: 'newest',
    num_before: 5,
    num_after: 0,
    apply_markdown: false,
  });
  expect(messages).toMatchObject([{content: '  first and more'}]);
});

test('drafts: a lost response to a new draft does not create a duplicate', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/drafts', method: 'POST', kind: 'drop_after'});
  const draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'once'});
  await client.drafts.flush();
  client.drafts.edit(draft?.id, {target: fixture.talk, content: 'once more'});
  await client.pollEvents();
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toMatchObject([{content: 'once more'}]);
  expect(client.drafts.all()).toMatchObject([{id: draft?.id, content: 'once more', status: 'clean'}]);
});

test('drafts: a draft that is sent while its creation is in flight leaves nothing behind', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'quick'});
  const flushed = client.drafts.flush();
  client.outbox.send({conversation: fixture.talk, content: 'quick', draftId: draft?.id});
  await flushed;
  await client.outbox.idle();
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toEqual([]);
  expect(client.store.drafts.all()).toEqual([]);
});

test('drafts: drafts that the server deletes with the synchronization are counted once', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await syncedDraft(fixture, client, 'one');
  await syncedDraft(fixture, client, 'two');
  for (const isOn of [false, true]) {
    await fixture.phone.patch('/settings', {enable_drafts_synchronization: isOn});
    await pollAndSync(client);
    await client.pollEvents();
    expect(draftCount(client.state)).toBe(2);
    expect(contents([...client.state.drafts.values()])).toEqual(isOn ? ['one', 'two'] : []);
  }
});

test('drafts: one that was removed offline does not come back when synchronization is turned off', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const draft = await syncedDraft(fixture, client);
  await client.goOffline();
  client.drafts.remove(draft.id);
  await fixture.phone.patch('/settings', {enable_drafts_synchronization: false});
  await client.register();
  await client.drafts.flush();
  expect(client.drafts.all()).toEqual([]);
});

test('drafts: one that is missing from a list that may be cut off is kept', async () => {
  const fixture = await createFixture();
  let isCut = false;
  const client = await online(fixture, {
    wrap: ({api, store}) => {
      const getDrafts: Api['getDrafts'] = async (...args) => {
        const response = await api.getDrafts(...args);
        if (!isCut) return response;
        const other = response.drafts.find(({content}) => content === 'other');
        const drafts = Array.from({length: 1000}, (_, at) => ({...other, id: 10_000 + at}));
        return {...response, drafts, count: 1000} as typeof response;
      };
      return {api: {...api, getDrafts}, store};
    },
  });
  const draft = await syncedDraft(fixture, client);
  isCut = true;
  await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'other', 1000)]});
  await pollAndSync(client);
  expect(client.drafts.get(draft.id)).toMatchObject({content: 'first', serverId: draft.serverId});
});

test('drafts: one that is deleted while the synchronization is turned off does not come back', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const {id} = await syncedDraft(fixture, client, 'deleted');
  await syncedDraft(fixture, client, 'kept');
  await injectFault(fixture.server, {path: '/drafts', method: 'DELETE', kind: 'drop_before', times: 1000});
  client.drafts.remove(id);
  await client.drafts.flush();
  for (const isOn of [false, true]) {
    await fixture.phone.patch('/settings', {enable_drafts_synchronization: isOn});
    await pollAndSync(client);
    expect(contents(client.drafts.all())).toEqual(['kept']);
  }
  expect(contents(await serverDrafts(fixture))).toEqual(['kept']);
});

test('drafts: after a new registration, a text that another client goes on with is one draft', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const {id, serverId} = await syncedDraft(fixture, client);
  client.drafts.edit(id, {target: fixture.talk, content: 'second'});
  await client.drafts.flush();
  // The event of this edit never comes.
  await client.register();
  await client.drafts.flush();
  const write = (content: string) => fixture.phone.patch(`/drafts/${serverId}`, {draft: wire(fixture, content, 5)});
  await write('third');
  await client.pollEvents();
  // It is fetched before its event is heard.
  await write('fourth');
  await client.drafts.flush();
  expect(contents(client.drafts.all())).toEqual(['fourth']);
});

test('drafts: the server’s request to wait is kept, however long it is', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/drafts', method: 'POST', kind: 'rate_limit', retry_after: 600});
  client.drafts.edit(undefined, {target: fixture.talk, content: 'waits'});
  await client.drafts.flush();
  for (let minute = 0; minute < 9; minute++) {
    client.clock.advance(60_000);
    await client.drafts.idle();
  }
  expect(await serverDrafts(fixture)).toEqual([]);
  client.clock.advance(61_000);
  await client.drafts.idle();
  expect(contents(await serverDrafts(fixture))).toEqual(['waits']);
});

test('drafts: with synchronization off in the account, drafts stay on this machine', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await fixture.phone.patch('/settings', {enable_drafts_synchronization: false});
  await client.pollEvents();
  client.drafts.edit(undefined, {target: fixture.talk, content: 'private'});
  await client.drafts.flush();
  expect(client.store.drafts.all()).toMatchObject([{content: 'private', status: 'dirty'}]);
  await fixture.phone.patch('/settings', {enable_drafts_synchronization: true});
  await pollAndSync(client);
  expect(contents(await serverDrafts(fixture))).toEqual(['private']);
});

test.each(['unchanged', 'edited here'])(
  'drafts: with synchronization turned off and on, two clients do not create a draft twice (%s)',
  async (what) => {
    const fixture = await createFixture();
    const one = await online(fixture);
    const two = await online(fixture);
    const draft = await syncedDraft(fixture, one, ' shared ');
    await pollAndSync(two);
    await fixture.phone.patch('/settings', {enable_drafts_synchronization: false});
    await one.pollEvents();
    await two.pollEvents();
    const text = what === 'unchanged' ? ' shared ' : 'shared and more';
    one.drafts.edit(draft.id, {target: fixture.talk, content: text});
    await fixture.phone.patch('/settings', {enable_drafts_synchronization: true});
    await one.pollEvents();
    await two.pollEvents();
    if (what === 'unchanged') await Promise.all([one.drafts.flush(), two.drafts.flush()]);
    else await two.drafts.flush().then(() => one.drafts.flush());
    for (const client of [one, two, one, two]) await pollAndSync(client);
    expect(contents(await serverDrafts(fixture))).toEqual([text.trim()]);
    expect(one.drafts.all()).toMatchObject([{id: draft.id, content: text, status: 'clean'}]);
    expect(two.drafts.all()).toMatchObject([{content: text.trim(), status: 'clean'}]);
    expect([...one.store.drafts.all(), ...two.store.drafts.all()]).toHaveLength(2);
  },
);

test('drafts: of two copies that two clients uploaded at the same moment, the one with the lower id stays', async () => {
  const fixture = await createFixture();
  const theirs: number[] = [];
  let isRacing = false;
  const client = await online(fixture, {
    wrap: ({api, store}) => {
      const createDrafts: Api['createDrafts'] = async (...args) => {
        if (isRacing)
          theirs.push(...(await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'first', 1000)]})).ids);
        isRacing = false;
        return api.createDrafts(...args);
      };
      return {api: {...api, createDrafts}, store};
    },
  });
  const draft = await syncedDraft(fixture, client);
  for (const isOn of [false, true]) {
    await fixture.phone.patch('/settings', {enable_drafts_synchronization: isOn});
    isRacing = isOn;
    await client.pollEvents();
  }
  for (let pass = 0; pass < 3; pass++) await pollAndSync(client);
  expect(await serverDrafts(fixture)).toMatchObject([{id: theirs[0], content: 'first'}]);
  expect(client.drafts.all()).toMatchObject([{id: draft.id, serverId: theirs[0], status: 'clean'}]);
});

test('drafts: a draft that the server refuses stays local and does not block others', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  client.drafts.edit(undefined, {target: {kind: 'topic', channelId: 999, topic: ''}, content: 'nowhere'});
  client.drafts.edit(undefined, {target: {kind: 'none', topic: 'half a topic'}, content: 'for whom?'});
  client.drafts.edit(undefined, {target: {kind: 'direct', userIds: []}, content: 'to myself'});
  await client.drafts.flush();
  expect(contents(await serverDrafts(fixture))).toEqual(['for whom?', 'to myself']);
  expect(contents(client.drafts.all())).toEqual(['for whom?', 'nowhere', 'to myself']);
  await client.register();
  await client.drafts.flush();
  expect(client.drafts.all()).toHaveLength(3);
  expect(await serverDrafts(fixture)).toHaveLength(2);
});

test('drafts: the web page of a proxy does not say that a draft is deleted', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const [kept, removed] = [await syncedDraft(fixture, client, 'kept'), await syncedDraft(fixture, client, 'removed')];
  for (const method of ['PATCH', 'DELETE']) {
    await injectFault(fixture.server, {path: '/drafts', method, kind: 'html', status: 404});
  }
  client.drafts.edit(kept.id, {target: fixture.talk, content: 'kept and changed'});
  client.drafts.remove(removed.id);
  await client.drafts.flush();
  await client.goOffline();
  client.goOnline();
  await pollAndSync(client);
  expect(await serverDrafts(fixture)).toMatchObject([{id: kept.serverId, content: 'kept and changed'}]);
  expect(contents(client.drafts.all())).toEqual(['kept and changed']);
});

test('drafts: a change made elsewhere is followed although a proxy answered the request for it', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  await injectFault(fixture.server, {path: '/drafts', method: 'GET', kind: 'html', status: 403});
  await fixture.phone.post('/drafts', {drafts: [wire(fixture, 'from the phone', 1)]});
  await pollAndSync(client);
  expect(client.drafts.all()).toEqual([]);
  await client.drafts.flush();
  expect(contents(client.drafts.all())).toEqual(['from the phone']);
});

test('drafts: two processes share the drafts; one creates them on the server, and neither undoes the other', async () => {
  const fixture = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const first = await online(fixture, {path});
  const two = await online(fixture, {path});
  const draft = first.drafts.edit(undefined, {target: fixture.talk, content: 'shared'});
  two.checkExternalChanges();
  await Promise.all([first.drafts.flush(), two.drafts.flush()]);
  await Promise.all([pollAndSync(first), pollAndSync(two)]);
  expect(contents(await serverDrafts(fixture))).toEqual(['shared']);
  two.checkExternalChanges();
  expect(two.drafts.all()).toMatchObject([{id: draft?.id, content: 'shared'}]);
  // Both edit the draft before either sees the other's change.
  first.drafts.edit(draft?.id, {target: fixture.talk, content: 'by one'});
  const other = two.drafts.edit(draft?.id, {target: fixture.talk, content: 'by two'});
  expect(other?.id).not.toBe(draft?.id);
  await first.drafts.flush();
  await two.drafts.flush();
  expect(contents(await serverDrafts(fixture))).toEqual(['by one', 'by two']);
});

test('drafts: after a process failed to upload one, another process uploads it', async () => {
  const fixture = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const first = await online(fixture, {path});
  const two = await online(fixture, {path});
  await injectFault(fixture.server, {path: '/drafts', method: 'POST', kind: 'status', status: 502});
  first.drafts.edit(undefined, {target: fixture.talk, content: 'shared'});
  await first.drafts.flush();
  expect(await serverDrafts(fixture)).toEqual([]);
  two.checkExternalChanges();
  await two.drafts.flush();
  expect(contents(await serverDrafts(fixture))).toEqual(['shared']);
});

test('drafts: after the server refused the login, nothing is sent until it accepts it again', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  const refusal = {path: '/drafts', method: 'POST', kind: 'status', status: 401, code: 'UNAUTHORIZED'} as const;
  await injectFault(fixture.server, refusal);
  const draft = client.drafts.edit(undefined, {target: fixture.talk, content: 'one'});
  await client.drafts.flush();
  client.drafts.edit(draft?.id, {target: fixture.talk, content: 'two'});
  await client.drafts.flush();
  expect(await serverDrafts(fixture)).toEqual([]);
  await client.register();
  await client.drafts.flush();
  expect(contents(await serverDrafts(fixture))).toEqual(['two']);
});

test('drafts: the drafts of a conversation are sorted latest first', async () => {
  const fixture = await createFixture();
  const client = new TestClient(fixture.server, fixture.meg);
  client.drafts.edit(undefined, {target: fixture.talk, content: 'older'});
  client.clock.advance(5);
  client.drafts.edit(undefined, {target: fixture.talk, content: 'newer'});
  client.drafts.edit(undefined, {target: {kind: 'direct', userIds: [99]}, content: 'other'});
  expect(client.drafts.forConversation(fixture.talk).map(({content}) => content)).toEqual(['newer', 'older']);
});

test('drafts: are dated by the server’s clock when this machine’s clock is wrong', async () => {
  const fixture = await createFixture();
  const client = await online(fixture);
  client.clock.setAhead(-86_400_000);
  await client.register();
  await syncedDraft(fixture, client);
  const [draft] = (await fixture.phone.get('/drafts')).drafts;
  expect(Math.abs(draft.timestamp - systemClock.now() / 1000)).toBeLessThan(3600);
});

import {expect, test} from 'vitest';
import {type AccountStore, identityKey} from '#state/account-store.ts';
import {initialState} from '#state/initial-state.ts';
import {Persistence, restoreState} from '#state/persistence/persistence.ts';
import {loggedReadMarks} from '#state/persistence/read-log.ts';
import {savedSliceNames} from '#state/persistence/saved-slices.ts';
import type {AccountState} from '#state/state.ts';
import {TestClient} from '#test/state/test-client.ts';
import {testServer} from '#test/support/server.ts';
import * as eg from '#test/support/state-builders.ts';

async function createFixture() {
  const server = await testServer();
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  const channelId = server.people.channel('general', [meg, otto]);
  const say = async (content: string, topic = 'talk'): Promise<number> => {
    const message = {type: 'stream', to: 'general', topic, content};
    return (await server.as(otto).post('/messages', message)).id;
  };
  const start = async () => {
    const client = new TestClient(server, meg);
    const persistence = new Persistence(client.context, () => {});
    await client.register();
    persistence.onRegistered();
    const pollAndSave = async () => persistence.onEvents(await client.pollEvents());
    return {client, persistence, hear: pollAndSave, store: client.store};
  };
  return {server, meg, otto, channelId, say, start};
}

/** Returns the part of a state that a restart restores. */
function savedSlices(state: AccountState | undefined): unknown {
  return state && Object.fromEntries(savedSliceNames.map((name) => [name, state[name]]));
}

/** Returns the value without undefined fields, which JSON does not have. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

test('persistence: the state and its messages are restored before the server responds', async () => {
  const {server, meg, otto, channelId, say, start} = await createFixture();
  await server.as(meg).post('/drafts', {
    drafts: [{type: 'private', to: [otto.id], topic: '', content: 'dear Otto', timestamp: 5}],
  });
  await server.as(meg).post(`/users/me/muted_users/${otto.id}`);
  await server.as(meg).delete(`/users/me/muted_users/${otto.id}`);
  await server.as(meg).post('/users/me/alert_words', {alert_words: ['tea']});
  await server.as(meg).post('/user_topics', {stream_id: channelId, topic: 'talk', visibility_policy: 3});
  const {client, persistence, hear: pollAndSave, store} = await start();
  await say('one @**Meg Member**');
  await say('two', 'other');
  await pollAndSave();
  persistence.beforeStop();
  const restored = restoreState(store);
  expect(plain(savedSlices(restored))).toEqual(plain(savedSlices(client.state)));
  expect(restored?.unreads).toEqual(client.state.unreads);
  expect(restored?.unreads.mentions.size).toBe(1);
  expect(restored?.groups.get(1)).toEqual(client.state.groups.get(1));
  expect(restored?.messages).toEqual(client.state.messages);
  expect(restored?.connection).toEqual({phase: 'starting', savedAt: client.clock.now()});
});

test('persistence: after a registration, the database says whose it is', async () => {
  const {server, meg, start} = await createFixture();
  const {client, store} = await start();
  const identity = {url: server.url, organization: client.state.realm.uuid, userId: meg.id};
  expect(identity.organization).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(store.keyValues.get(identityKey) ?? 'null')).toEqual(identity);
});

test('persistence: the state is saved soon after the first registration, then at most every half minute', async () => {
  const {start, say} = await createFixture();
  const saves: number[] = [];
  const {client, persistence, hear: pollAndSave} = await start();
  const {savedState: snapshot} = client.store;
  const save = snapshot.save.bind(snapshot);
  Object.assign(snapshot, {
    save: (...args: Parameters<typeof save>) => {
      saves.push(client.clock.now());
      save(...args);
    },
  });
  const begin = client.clock.now();
  client.clock.advance(2000);
  await persistence.idle();
  for (let round = 0; round < 4; round++) {
    await say(`more ${round}`);
    await pollAndSave();
    await new Promise((resolve) => setImmediate(resolve));
    persistence.onRegistered();
    client.clock.advance(10_000);
    await persistence.idle();
  }
  expect(saves.map((at) => at - begin)).toEqual([2000, 32_000]);
});

test('persistence: saving waits until the user stops typing, but not for ever', async () => {
  const {start} = await createFixture();
  const {client, persistence, store} = await start();
  for (let second = 0; second < 5; second++) {
    persistence.noteActivity();
    client.clock.advance(999);
    expect(store.savedState.load()).toBeUndefined();
  }
  client.clock.advance(1000);
  await persistence.idle();
  expect(store.savedState.load()).toBeDefined();

  const {client: busy, persistence: never, store: other} = await start();
  for (let second = 0; second < 23; second++) {
    never.noteActivity();
    busy.clock.advance(1000 - 1);
  }
  await never.idle();
  expect(other.savedState.load()).toBeDefined();
});

test('persistence: nothing overwrites the saved state before the server responds', async () => {
  const {server, meg, start} = await createFixture();
  const {persistence, store} = await start();
  persistence.beforeStop();
  const next = new TestClient(server, meg, {store});
  new Persistence(next.context, () => {}).beforeStop();
  expect(restoreState(store)?.self.userId).toBe(meg.id);
});

test('persistence: a saved state of another format, or with damaged parts, is ignored', async () => {
  const {start} = await createFixture();
  const {persistence, store} = await start();
  persistence.beforeStop();
  const saved = store.savedState.load();
  if (saved === undefined) throw new Error('nothing saved');
  const withPart = (name: string, text: string | undefined): AccountStore['savedState'] => {
    const {[name]: _, ...others} = saved.parts;
    const parts = text === undefined ? others : {...others, [name]: text};
    return {...store.savedState, save: () => {}, load: () => ({parts, savedAt: 1})};
  };
  const restored = (name: string, text: string | undefined) =>
    restoreState({...store, savedState: withPart(name, text)});
  expect(restored('none', undefined)).toBeDefined();
  expect(restored('format', '"older"')).toBeUndefined();
  const damagedTexts = [
    '{',
    'null',
    '"x"',
    '17.5',
    '[[1]]',
    '[["a",{}]]',
    '[[1,{"id":"1"}]]',
    '{"rows":[[{},[1]]]}',
    undefined,
  ];
  const scalars = new Set(['maxMessageId']);
  for (const name of savedSliceNames) {
    for (const text of damagedTexts) {
      if (scalars.has(name) && text === '17.5') continue;
      const state = restored(name, text);
      if (state === undefined) continue;
      // Any damage that is not detected must at least leave the type intact.
      const slice: unknown = state[name];
      expect(slice?.constructor, `${name}: ${text}`).toBe(Reflect.get<object, string>(initialState, name).constructor);
    }
    expect(restored(name, '{'), name).toBeUndefined();
    expect(restored(name, undefined), name).toBeUndefined();
    expect(restored(name, 'null'), name).toBeUndefined();
  }
});

test('persistence: saved messages follow edits, moves, stars and deletions, loaded or not', async () => {
  const {server, meg, otto, say, start} = await createFixture();
  const {client, hear: pollAndSave, store} = await start();
  const ids = [await say('alpha'), await say('beta'), await say('gamma'), await say('delta')];
  const [alpha = 0, beta = 0, gamma = 0, delta = 0] = ids;
  await pollAndSave();
  await client.clock.pass(1000);
  expect(store.messages.newest(10).map(({id}) => id)).toEqual(ids);
  await server.as(otto).patch(`/messages/${alpha}`, {content: 'alpha and omega'});
  await server.as(meg).post('/messages/flags', {messages: [beta], op: 'add', flag: 'starred'});
  await server.as(otto).patch(`/messages/${delta}`, {topic: 'elsewhere'});
  server.people.setting('can_delete_any_message_group', 2);
  await server.as(server.people.owner()).delete(`/messages/${gamma}`);
  await pollAndSave();
  await client.clock.pass(1000);
  expect(store.messages.byIds(ids)).toMatchObject([
    {id: alpha, content: 'alpha and omega'},
    {id: beta, flags: ['starred']},
    {id: delta, topic: 'elsewhere'},
  ]);
  expect(store.messages.search('omega', 100).map(({id}) => id)).toEqual([alpha]);
  expect(store.messages.search('gamma', 100)).toEqual([]);

  // On disk only.
  client.cache.apply({type: 'state_replaced', state: {...client.state, messages: initialState.messages}});
  await server.as(otto).patch(`/messages/${alpha}`, {content: 'nothing'});
  await server.as(meg).post('/messages/flags', {messages: [beta], op: 'remove', flag: 'starred'});
  await pollAndSave();
  expect(store.messages.search('omega', 100)).toEqual([]);
  expect(store.messages.byIds([beta])).toMatchObject([{flags: []}]);
});

test('persistence: when the user loses a channel, its saved messages are removed at once, and no others', async () => {
  const {server, meg, otto, say, start} = await createFixture();
  server.people.channel('secret', [meg, otto], {invite_only: 1});
  const {client, hear, store} = await start();
  const open = await say('open');
  await server.as(otto).post('/messages', {type: 'stream', to: 'secret', topic: 't', content: 'secret'});
  await hear();
  await client.clock.pass(1000);
  expect(store.messages.newest(10)).toHaveLength(2);
  await server.as(meg).delete('/users/me/subscriptions', {subscriptions: ['secret']});
  await hear();
  expect(store.messages.newest(10).map(({id}) => id)).toEqual([open]);
});

test('persistence: of many saved messages that are changed at once, no outdated version stays', async () => {
  const {persistence, store} = await (await createFixture()).start();
  const messages = Array.from({length: 501}, (_, at) => at + 1);
  store.messages.save(messages.map((id) => eg.message({id})));
  persistence.onEvents([{type: 'update_message_flags', id: 1, op: 'add', flag: 'starred', messages, all: false}]);
  expect(store.messages.newest(501).filter(({flags}) => !flags.includes('starred'))).toEqual([]);
});

test('persistence: a state that is saved offline is as old as the last contact with the server', async () => {
  const {client, persistence, store} = await (await createFixture()).start();
  const since = client.clock.now();
  await client.goOffline();
  client.clock.advance(3600_000);
  persistence.beforeStop();
  expect(restoreState(store)?.connection).toEqual({phase: 'starting', savedAt: since});
});

test('persistence: a large state is written in chunks and restored completely', async () => {
  const {client, persistence, store} = await (await createFixture()).start();
  const numbers = Array.from({length: 2500}, (_, index) => index + 1);
  const name = (id: number) => `“${id}”, \n`;
  const users = eg.users(...numbers.map((id) => eg.user({id, fullName: name(id)})));
  const channels = eg.byId(...numbers.map((id) => eg.channel({id, name: name(id)})));
  client.cache.apply({type: 'state_replaced', state: {...client.state, users, channels}});
  persistence.onRegistered();
  client.clock.advance(40_000);
  await persistence.idle();
  const restored = restoreState(store);
  expect(restored?.users).toEqual(users);
  expect(plain(restored?.channels)).toEqual(plain(channels));
});

test('persistence: stopping in the middle of a save loses nothing', async () => {
  const {client, persistence, store} = await (await createFixture()).start();
  client.clock.advance(2000);
  expect(store.savedState.load()).toBeUndefined();
  persistence.beforeStop();
  expect(plain(savedSlices(restoreState(store)))).toEqual(plain(savedSlices(client.state)));
  const saved = store.savedState.load();
  client.clock.advance(1000);
  await persistence.idle();
  expect(store.savedState.load()).toEqual(saved);
});

test('persistence: messages that were read since the last save are read after a crash', async () => {
  const {server, meg, say, start} = await createFixture();
  const ids = [await say('one'), await say('two'), await say('three'), await say('four')] as const;
  const {client, persistence, hear, store} = await start();
  client.clock.advance(2000);
  await persistence.idle();
  const unread = () => [...(restoreState(store)?.unreads.byId.keys() ?? [])];
  expect(unread()).toEqual(ids);
  // An own mark counts from its response on, before its event arrives.
  client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [ids[0]]});
  await client.pendingChanges.idle();
  expect(unread()).toEqual(ids.slice(1));
  await server.as(meg).post('/messages/flags', {op: 'add', flag: 'read', messages: ids.slice(1, 3)});
  await hear();
  expect(unread()).toEqual(ids.slice(3));
  await server.as(meg).post('/messages/flags', {op: 'remove', flag: 'read', messages: [ids[1]]});
  await hear();
  expect(unread()).toEqual([ids[1], ids[3]]);
  // A mark that comes while the state is saved stays in the log.
  client.clock.advance(60_000);
  await server.as(meg).post('/messages/flags', {op: 'add', flag: 'read', messages: [ids[3]]});
  await hear();
  await persistence.idle();
  expect(loggedReadMarks(store)).toMatchObject([{op: 'add', messages: [ids[3]]}]);
  expect(unread()).toEqual([ids[1]]);
  client.clock.advance(60_000);
  await persistence.idle();
  expect(loggedReadMarks(store)).toEqual([]);
  expect(unread()).toEqual([ids[1]]);
});

import {expect, test} from 'vitest';
import type {RefusedChange} from '#state/pending-changes/pending-change-sender.ts';
import {type ClientOptions, injectFault, TestClient} from '#test/state/test-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

async function createFixture() {
  const server = await testServer({testHooks: true});
  const meg = server.people.member();
  const otto = server.people.member('Otto');
  server.people.channel('general', [meg, otto]);
  const ids: number[] = [];
  for (const content of ['a', 'b', 'c', 'd', 'e']) {
    const message = {type: 'stream', to: 'general', topic: 'talk', content};
    ids.push((await server.as(otto).post('/messages', message)).id);
  }
  const start = (options?: ClientOptions) => new TestClient(server, meg, options).register();
  const unread = async (): Promise<number[]> => {
    const {messages} = await server.as(meg).get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow: [{operator: 'is', operand: 'unread'}],
    });
    return messages.map(({id}: {id: number}) => id);
  };
  return {server, meg, ids, start, unread};
}

const read = (ids: readonly number[]) => ({kind: 'flags', op: 'add', flag: 'read', ids}) as const;
const unreadIds = (client: TestClient) => [...client.state.unreads.byId.keys()];

test('pending changes: a change is shown at once and stored until the server has it', async () => {
  const {ids, start, unread} = await createFixture();
  const client = await start();
  const [a = 0, b = 0, ...rest] = ids;
  await client.goOffline();
  expect(client.pendingChanges.perform(read([a, b]))?.action).toEqual(read([a, b]));
  expect(unreadIds(client)).toEqual(rest);
  expect(client.pendingChanges.pendingActions()).toEqual([read([a, b])]);
  expect(await unread()).toEqual(ids);
  client.goOnline();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(rest);
  expect(client.pendingChanges.pendingActions()).toEqual([]);
});

test('pending changes: a change without effect is not performed, and undo restores exactly what changed', async () => {
  const {ids, start, unread} = await createFixture();
  const client = await start();
  const [a = 0, b = 0, c = 0, ...rest] = ids;
  client.pendingChanges.perform(read([a]));
  const done = client.pendingChanges.perform(read([a, b, c]));
  expect(done?.action).toEqual(read([b, c]));
  expect(client.pendingChanges.perform(read([a, b, c]))).toBeUndefined();
  await client.pendingChanges.idle();
  expect(done?.undo()?.action).toMatchObject({op: 'remove', ids: [b, c]});
  expect(done?.undo()).toBeUndefined();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual([b, c, ...rest]);
  await client.pollEvents();
  expect(unreadIds(client)).toEqual([b, c, ...rest]);
});

test('pending changes: starring and collapsing work the same way', async () => {
  const {server, meg, ids, start} = await createFixture();
  const client = await start();
  const done = client.pendingChanges.perform({
    kind: 'flags',
    op: 'add',
    flag: 'starred',
    ids: ids.slice(0, 2),
  });
  await client.pendingChanges.idle();
  const starred = async () => (await server.as(meg).get(`/messages/${ids[0]}`)).message.flags;
  expect(await starred()).toContain('starred');
  done?.undo();
  await client.pendingChanges.idle();
  expect(await starred()).not.toContain('starred');
  expect(client.state.starred.size).toBe(0);
});

test('pending changes: a new registration does not revert a pending change', async () => {
  const {ids, start} = await createFixture();
  const client = await start();
  const [a = 0, ...rest] = ids;
  await client.goOffline();
  client.pendingChanges.perform(read([a]));
  const requestSizes: number[] = [];
  const quit = client.cache.subscribe(['unreads'], (state) => requestSizes.push(state.unreads.byId.size));
  await client.register();
  quit();
  expect(unreadIds(client)).toEqual(rest);
  expect(requestSizes.every((size) => size === rest.length)).toBe(true);
});

test.each(['drop_before', 'drop_after', 'html', 'truncate', 'rate_limit'])(
  'pending changes: a change is retried until the server has it (%s)',
  async (kind) => {
    const {server, ids, start, unread} = await createFixture();
    const client = await start();
    await injectFault(server, {path: '/messages/flags', kind, retry_after: 1});
    client.pendingChanges.perform(read(ids.slice(0, 1)));
    await client.clock.pass(1, 1100);
    await client.pendingChanges.idle();
    expect(await unread()).toEqual(ids.slice(1));
    expect(client.pendingChanges.pendingActions()).toEqual([]);
  },
);

test('pending changes: a change that the server fails to carry out six times is still sent', async () => {
  const {server, ids, start, unread} = await createFixture();
  const client = await start();
  const times = 6;
  await injectFault(server, {path: '/messages/flags', kind: 'status', status: 503, times});
  client.pendingChanges.perform(read(ids.slice(0, 1)));
  const pendingAfterTime = () => {
    client.clock.advance(120_000);
    return client.pendingChanges.pendingActions();
  };
  await expect.poll(pendingAfterTime).toEqual([]);
  expect(await unread()).toEqual(ids.slice(1));
});

test('pending changes: a refused change is reverted and reported, and later changes stay', async () => {
  const {server, meg, ids, start} = await createFixture();
  const refusals: RefusedChange[] = [];
  const client = await start({pendingChanges: {onRefusal: (refusal) => refusals.push(refusal)}});
  const [a = 0, b = 0] = ids;
  await client.goOffline();
  client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: [a]});
  client.pendingChanges.perform(read([b]));
  await injectFault(server, {path: '/messages/flags', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  client.goOnline();
  await client.pendingChanges.idle();
  expect(refusals).toMatchObject([{action: {flag: 'starred', ids: [a]}}]);
  expect(refusals[0]?.problem).toMatch(/./);
  expect(client.state.starred.has(a)).toBe(false);
  expect(client.state.unreads.byId.has(b)).toBe(false);
  expect(client.pendingChanges.pendingActions()).toEqual([]);
  // Nothing waits for it: what another client does with the later one shows at once.
  await client.pollEvents();
  await server.as(meg).post('/messages/flags', {messages: [b], op: 'remove', flag: 'read'});
  await client.pollEvents();
  expect(client.state.unreads.byId.has(b)).toBe(true);
});

test('pending changes: if one request with several is refused, each is tried alone', async () => {
  const {server, ids, start, unread} = await createFixture();
  const refusals: RefusedChange[] = [];
  const client = await start({pendingChanges: {onRefusal: (refusal) => refusals.push(refusal)}});
  const [a = 0, b = 0, ...rest] = ids;
  await client.goOffline();
  for (const id of [a, b]) client.pendingChanges.perform(read([id]));
  await injectFault(server, {path: '/messages/flags', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  client.goOnline();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(rest);
  expect(refusals).toEqual([]);
});

/** Returns a client, and a counter of its flag requests. */
async function counting(start: (options?: ClientOptions) => Promise<TestClient>) {
  const calls: (readonly number[])[] = [];
  const client = await start({
    wrap: ({api, store}) => ({
      store,
      api: {
        ...api,
        updateFlags: (...args: Parameters<typeof api.updateFlags>) => {
          calls.push(args[0].messages);
          return api.updateFlags(...args);
        },
      },
    }),
  });
  return {client, calls};
}

test('pending changes: many flag changes in a row are sent in one request', async () => {
  const {ids, start} = await createFixture();
  const {client, calls} = await counting(start);
  await client.goOffline();
  for (const id of ids) client.pendingChanges.perform(read([id]));
  client.goOnline();
  await client.pendingChanges.idle();
  expect(calls).toHaveLength(1);
});

test('pending changes: the first flag change is sent at once, those soon after it together', async () => {
  const {ids, start, unread} = await createFixture();
  const {client, calls} = await counting(start);
  const [first = 0, ...rest] = ids;
  client.pendingChanges.perform(read([first]));
  await client.pendingChanges.idle();
  for (const id of rest) client.pendingChanges.perform(read([id]));
  await client.clock.waitedFor(300);
  expect(calls).toEqual([[first]]);
  client.clock.advance(300);
  await client.pendingChanges.idle();
  expect(calls).toEqual([[first], rest]);
  expect(await unread()).toEqual([]);
});

test('pending changes: flag changes do not delay other changes', async () => {
  const {ids, start, unread} = await createFixture();
  const {client, calls} = await counting(start);
  const [first = 0, second = 0, ...rest] = ids;
  client.pendingChanges.perform(read([first]));
  await client.pendingChanges.idle();
  await client.goOffline();
  client.pendingChanges.perform(read([second]));
  const [channelId = 0] = client.state.channels.keys();
  client.pendingChanges.perform({kind: 'topicPolicy', channelId, topic: 'talk', policy: 3});
  client.goOnline();
  // The clock stands still, so this proves that nothing waits for a timer.
  await expect.poll(() => client.pendingChanges.pendingActions()).toEqual([]);
  expect(calls).toEqual([[first], [second]]);
  expect(await unread()).toEqual(rest);
});

test('pending changes: changes that a dead process left are shown and sent by the next', async () => {
  const {server, meg, ids, unread} = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const dying = await new TestClient(server, meg, {path, isDead: true}).register();
  await injectFault(server, {path: '/messages/flags', kind: 'status', status: 503});
  dying.pendingChanges.perform(read(ids.slice(0, 3)));
  await dying.clock.waitedFor(250, 500);
  dying.kill();
  const nextClient = await new TestClient(server, meg, {path}).register();
  expect(unreadIds(nextClient)).toEqual(ids.slice(3));
  await nextClient.pendingChanges.idle();
  expect(await unread()).toEqual(ids.slice(3));
});

test('pending changes: undo of a change that was not sent sends nothing, so that the server keeps what it had', async () => {
  const {server, meg, ids, start, unread} = await createFixture();
  const client = await start();
  const [a = 0, b = 0, ...rest] = ids;
  await client.goOffline();
  // Read elsewhere, which this client does not know.
  await server.as(meg).post('/messages/flags', {op: 'add', flag: 'read', messages: [a, b]});
  const done = client.pendingChanges.perform(read([a, b]));
  expect(done?.undo()?.inverse).toEqual(read([a, b]));
  expect(unreadIds(client)).toEqual(ids);
  expect(client.pendingChanges.pendingActions()).toEqual([]);
  client.goOnline();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(rest);
});

test('pending changes: undo after a restart is sent when the change may have reached the server', async () => {
  const {server, ids, start, unread} = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const first = await start({path});
  const [a = 0] = ids;
  await injectFault(server, {path: '/messages/flags', kind: 'drop_after'});
  const done = first.pendingChanges.perform(read([a]));
  await first.clock.waitedFor(250, 500);
  expect(await unread()).not.toContain(a);
  first.kill();
  first.store.close();
  const second = await start({path});
  await second.goOffline();
  second.pendingChanges.perform(done?.inverse ?? read([]));
  second.goOnline();
  await second.pendingChanges.idle();
  expect(await unread()).toContain(a);
});

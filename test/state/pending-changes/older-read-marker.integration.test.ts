import {expect, test} from 'vitest';
import {Flag} from '#server/db/rows.ts';
import {markOlderReadAction} from '#state/actions/mark-read.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {channelNarrow, type Narrow, topicNarrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import type {UndoableChange} from '#state/pending-changes/pending-changes.ts';
import {type ClientOptions, injectFault, TestClient} from '#test/state/test-client.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

const twoPages = 1010;

/** Sets up more unread messages than fit on one page, none of which the registration lists. */
async function createFixture(count = 5) {
  const server = await testServer({testHooks: true});
  const [meg, otto] = [server.people.member('Meg'), server.people.member('Otto')];
  const channelId = server.people.channel('general', [meg, otto]);
  const {db} = server.context;
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO message (sender_id, channel_id, topic, topic_key, content, sent_at)
     SELECT ?, ?, 'topic ' || (i % 3), 'topic ' || (i % 3), 'hello', 1700000000 FROM n`,
    count,
    otto.id,
    channelId,
  );
  db.run('INSERT INTO user_message (user_id, message_id, flags) SELECT ?, id, ? FROM message', meg.id, Flag.unread);
  const ids = db.pluck('SELECT id FROM message ORDER BY id');
  const upTo = ids.at(-1) ?? 0;
  const narrow = channelNarrow(channelId);
  return {
    server,
    meg,
    otto,
    channelId,
    ids,
    upTo,
    narrow,
    /** Starts a client that knows that the list of unread messages is incomplete. */
    start: async (options?: ClientOptions) => {
      const client = await new TestClient(server, meg, options).register();
      const unreads = {...noUnreads, oldMissing: true};
      client.cache.apply({type: 'state_replaced', state: {...client.cache.base, unreads}});
      return client;
    },
    begin: (client: TestClient, within: Narrow = narrow): UndoableChange => {
      const action = markOlderReadAction(client.context, within, upTo);
      const done = action && client.pendingChanges.perform(action);
      if (done === undefined) throw new Error('It was not begun');
      return done;
    },
    say: async (content: string): Promise<number> => {
      const args = {type: 'stream', to: channelId, topic: 'topic 0', content};
      return (await server.as(otto).post('/messages', args)).id;
    },
    readElsewhere: (...messages: number[]) =>
      server.as(meg).post('/messages/flags', {messages, op: 'add', flag: 'read'}),
    /** Returns the unread messages as the server has them. */
    unread: async () => [...(await new TestClient(server, meg).register()).state.unreads.byId.keys()],
  };
}

/** Runs a callback just before the `nth` request to an endpoint. */
function before(endpointId: string, nth: number, happens: () => unknown): ClientOptions {
  let count = 0;
  return {
    wrap: (parts) => {
      const {connection} = parts.api;
      const call = connection.call.bind(connection);
      connection.call = (async (endpoint, args, options) => {
        if (endpoint.id === endpointId && ++count === nth) await happens();
        return call(endpoint, args, options);
      }) as typeof connection.call;
      return parts;
    },
  };
}

/** Returns the inverse as it is after a restart. */
const afterRestart = ({inverse}: UndoableChange): ReversibleAction => JSON.parse(JSON.stringify(inverse));

test('marking older messages read: marks unlisted messages page by page, and undo makes exactly those unread again', async () => {
  const {ids, start, begin, say, readElsewhere, unread} = await createFixture(twoPages);
  const [first = 0, second = 0, ...rest] = ids;
  await readElsewhere(first, second);
  const client = await start();
  const done = begin(client);
  await client.pendingChanges.idle();
  expect(await unread()).toEqual([]);
  expect(client.pendingChanges.pendingActions()).toEqual([]);
  const news = await say('later');
  await client.pollEvents();
  expect(client.pendingChanges.perform(afterRestart(done))?.action).toMatchObject({
    op: 'remove',
    flag: 'read',
  });
  expect([...client.state.unreads.byId.keys()]).toEqual([...rest, news]);
  await client.pendingChanges.idle();
  expect(await unread()).toEqual([...rest, news]);
  expect(client.pendingChanges.perform(afterRestart(done))).toBeUndefined();
});

test('marking older messages read: waits while offline, then skips newer messages and those read elsewhere', async () => {
  const {ids, start, begin, say, readElsewhere, unread} = await createFixture();
  const client = await start();
  await client.goOffline();
  const done = begin(client);
  const outcome = client.pendingChanges.olderReadOutcome(done.action.kind === 'oldRead' ? done.action.id : '');
  expect(client.pendingChanges.pendingActions()).toMatchObject([{kind: 'oldRead'}]);
  const [first = 0, ...rest] = ids;
  await readElsewhere(first);
  const news = await say('later');
  expect(await unread()).toEqual([...rest, news]);
  client.goOnline();
  await client.pendingChanges.idle();
  expect(await outcome).toEqual({count: rest.length, problem: undefined});
  expect(await unread()).toEqual([news]);
  done.undo();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual([...rest, news]);
});

test.each([
  ['before the server had a page', 'flag.update', 1],
  ['before the server had the second page', 'flag.update', 2],
  ['before the second page was known', 'message.list', 2],
] as const)(
  'marking older messages read: killed %s, the next process continues and can undo all of it',
  async (_when, endpointId, nth) => {
    const {server, meg, ids, start, begin, say, unread} = await createFixture(twoPages);
    const path = `${scratchDirectory()}/account.db`;
    const killed = Promise.withResolvers<TestClient>();
    const options = before(endpointId, nth, () => {
      killed.resolve(dying);
      dying.kill();
      throw new Error('dead');
    });
    const dying: TestClient = await start({...options, path, isDead: true});
    const done = begin(dying);
    await killed.promise;
    const news = await say('later');
    expect((await unread()).length).toBe(ids.length + 1 - 1000 * (nth - 1));
    const nextClient = await new TestClient(server, meg, {path}).register();
    expect([...nextClient.state.unreads.byId.keys()]).toEqual([news]);
    await nextClient.pendingChanges.idle();
    expect(await unread()).toEqual([news]);
    const next = await new TestClient(server, meg, {path}).register();
    next.pendingChanges.perform(afterRestart(done));
    await next.pendingChanges.idle();
    expect(await unread()).toEqual([...ids, news]);
  },
);

test('marking older messages read: killed before the first page, the next process can undo it', async () => {
  const {server, meg, ids, start, begin, unread} = await createFixture();
  const path = `${scratchDirectory()}/account.db`;
  const dying = await start({path, isDead: true});
  await dying.goOffline();
  const done = begin(dying);
  dying.kill();
  const nextClient = new TestClient(server, meg, {path});
  expect(nextClient.pendingChanges.perform(afterRestart(done))).toBeDefined();
  expect(nextClient.pendingChanges.pendingActions()).toEqual([]);
  await nextClient.register();
  await nextClient.pendingChanges.idle();
  expect([...nextClient.state.unreads.byId.keys()]).toEqual(ids);
  expect(await unread()).toEqual(ids);
  expect(nextClient.store.pendingChanges.all()).toEqual([]);
});

test.each([
  ['message.list', 2, 1000],
  ['flag.update', 2, 1010],
] as const)(
  'marking older messages read: undone midway, it stops and everything is unread again (%s)',
  async (endpointId, nth, count) => {
    const {ids, start, begin, unread} = await createFixture(twoPages);
    const client: TestClient = await start(before(endpointId, nth, () => done.undo()));
    const done = begin(client);
    await client.pendingChanges.idle();
    expect(await unread()).toEqual(ids);
    await client.pollEvents();
    expect([...client.state.unreads.byId.keys()]).toEqual(ids.slice(-count));
    expect(client.store.pendingChanges.all()).toEqual([]);
  },
);

test('marking older messages read: undone by another process, the marking process stops', async () => {
  const {server, meg, ids, start, begin, unread} = await createFixture(twoPages);
  const path = `${scratchDirectory()}/account.db`;
  const client: TestClient = await start({
    path,
    ...before('message.list', 2, () => void other.pendingChanges.perform(afterRestart(done))),
  });
  // Not registered, so it sends nothing itself: the change belongs to whichever process is first.
  const other = new TestClient(server, meg, {path});
  const done = begin(client);
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(ids);
  expect(client.store.pendingChanges.all()).toEqual([]);
});

test('marking older messages read: messages made unread afterwards stay unread, and earlier changes are sent first', async () => {
  const {ids, start, begin, unread} = await createFixture();
  const client = await start();
  await client.goOffline();
  const [old = 0, ...known] = ids;
  const read = {kind: 'flags', op: 'add', flag: 'read', ids: known} as const;
  client.pendingChanges.perform(read);
  begin(client);
  client.pendingChanges.perform({...read, op: 'remove'});
  client.goOnline();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(known);
  expect(known).not.toContain(old);
});

test('marking older messages read: other flag changes go between pages; changes of its scope wait', async () => {
  const {channelId, ids, start, begin} = await createFixture(twoPages);
  const calls: string[] = [];
  const client: TestClient = await start({
    wrap: (parts) => {
      const {connection} = parts.api;
      const call = connection.call.bind(connection);
      connection.call = ((endpoint, args, options) => {
        const {flag, messages} = args as {flag?: string; messages?: readonly number[]};
        calls.push(flag === undefined ? endpoint.id : `${flag} ${messages?.length}`);
        if (calls.at(-1) === 'read 1000' && calls.length === 2) {
          client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: ids.slice(0, 1)});
          client.pendingChanges.perform({kind: 'topicPolicy', channelId, topic: 'topic 0', policy: 3});
        }
        return call(endpoint, args, options);
      }) as typeof connection.call;
      return parts;
    },
  });
  calls.length = 0;
  begin(client);
  await client.pendingChanges.idle();
  const page = (count: number) => ['message.list', `read ${count}`];
  expect(calls).toEqual([...page(1000), 'starred 1', ...page(10), 'user-topic.set']);
});

test.each([
  ['GET', '/messages', 'drop_before'],
  ['POST', '/messages/flags', 'drop_after'],
  ['POST', '/messages/flags', 'rate_limit'],
  ['GET', '/messages', 'html'],
])('marking older messages read: retries from the same page (%s %s, %s)', async (method, path, kind) => {
  const {server, ids, start, begin, unread} = await createFixture();
  const client = await start();
  await injectFault(server, {method, path, kind, retry_after: 1});
  const done = begin(client);
  await client.clock.pass(1, 1100);
  await client.pendingChanges.idle();
  expect(await unread()).toEqual([]);
  done.undo();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(ids);
});

test('marking older messages read: refused midway, it reports why, and undo covers what was marked', async () => {
  const {server, ids, start, begin, unread} = await createFixture(twoPages);
  const refuse = {method: 'GET', path: '/messages', kind: 'status', status: 400, code: 'BAD_NARROW'};
  const client = await start(before('message.list', 2, () => injectFault(server, refuse)));
  const done = begin(client);
  const outcome = client.pendingChanges.olderReadOutcome(done.action.kind === 'oldRead' ? done.action.id : '');
  await client.pendingChanges.idle();
  expect(await outcome).toMatchObject({count: 1000, problem: expect.stringMatching(/./)});
  expect(client.pendingChanges.pendingActions()).toEqual([]);
  expect(await unread()).toEqual(ids.slice(0, -1000));
  done.undo();
  await client.pendingChanges.idle();
  expect(await unread()).toEqual(ids);
});

test('marking older messages read: messages in its scope that become known show as read, others do not', async () => {
  const {channelId, ids, start, begin, say, unread} = await createFixture();
  const client = await start();
  await client.goOffline();
  const done = begin(client, topicNarrow(channelId, 'topic 1'));
  const news = await say('later');
  await client.register();
  const stillUnread = ids.filter((_, at) => (at + 1) % 3 !== 1);
  expect([...client.state.unreads.byId.keys()]).toEqual([...stillUnread, news]);
  await client.pendingChanges.idle();
  await client.pollEvents();
  expect([...client.state.unreads.byId.keys()]).toEqual([...stillUnread, news]);
  expect(await unread()).toEqual([...stillUnread, news]);
  done.undo();
  expect([...client.state.unreads.byId.keys()]).toEqual([...ids, news]);
});

test('marking older messages read: nothing starts in explore mode', async () => {
  const {narrow, upTo, start} = await createFixture();
  const client = await start();
  const context = {...client.context, isExploring: true};
  expect(markOlderReadAction(context, narrow, upTo)).toBeUndefined();
  expect(client.pendingChanges.pendingActions()).toEqual([]);
});

import {once} from 'node:events';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {connect, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, onTestFinished, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import {connectToControl} from '#cli/control/control-connection.ts';
import {keptCommandList} from '#cli/control/control-methods.ts';
import {openControlServer} from '#cli/control/control-server.ts';
import type {Cache} from '#state/cache.ts';
import {initialState} from '#state/initial-state.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {noUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {addUnreads, removeUnreads} from '#state/unreads/unreads.ts';
import {systemClock} from '#std/clock.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import * as eg from '#test/support/state-builders.ts';
import {backend, bo, listFixture, loadedConversations, random, web} from '#test/ui/lists/list-fixture.ts';
import {newMessageEvent} from '#test/ui/lists/message-event.ts';
import {messagesView} from '#ui/core/frame.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';

const pid = 4242;

async function controlFixture(
  options: Parameters<typeof listFixture>[0] = {},
  folder = join(scratchDirectory(), 'control'),
) {
  const fixture = listFixture({...loadedConversations(), ...options});
  const {app, router, clock} = fixture;
  const log: string[] = [];
  let requests = 0;
  let current = app;
  const shown = () => {
    requests++;
    return current;
  };
  const parts = {folder, pid, clock, runner: router, shown, log: (line: string) => void log.push(line)};
  const server = await openControlServer(parts);
  let announce: (events: readonly ServerEvent[]) => void = () => {};
  server.add({app, onEvents: (listener) => (announce = listener)});
  onTestFinished(() => server.close());
  const status = () => JSON.parse(readFileSync(join(folder, `${pid}.json`), 'utf8'));
  const arrive = (id: number, flags: readonly string[] = [], content = 'hello') => {
    const {message, ...rest} = newMessageEvent({id, channelId: web, topic: 'css'}, flags) as EventOf<'message'>;
    const event = {...rest, message: {...message, content}};
    app.session.cache.apply(event);
    announce([event]);
  };
  const show = (other: App) => {
    current = other;
    other.frames.paintNow();
  };
  return {...fixture, folder, server, log, status, arrive, show, requests: () => requests};
}

/** A client that sends and reads lines itself. */
function rawClient(folder: string) {
  const socket = connect(join(folder, `${pid}.sock`));
  onTestFinished(() => void socket.destroy());
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({input: socket}).on('line', (line) => {
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next(line);
  });
  const line = () =>
    new Promise<string>((resolve) => (lines.length > 0 ? resolve(lines.shift() ?? '') : waiting.push(resolve)));
  return {
    socket,
    next: async () => JSON.parse(await line()),
    send: (...values: readonly unknown[]) => {
      for (const value of values) socket.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    },
  };
}

async function ask(folder: string, ...values: readonly unknown[]) {
  const client = rawClient(folder);
  client.send(...values);
  const answers: unknown[] = [];
  for (const _ of values) answers.push(await client.next());
  client.socket.destroy();
  return answers;
}

const request = (method: string, params?: unknown, id: unknown = 1) => ({jsonrpc: '2.0', method, id, params});
const errorCode = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: {code, message: expect.any(String)},
});
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

test('control socket: it is private, has a status file beside it, and both are removed at the end', async () => {
  const {folder, server, clock, status} = await controlFixture();
  clock.advance(0);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, `${pid}.sock`)).mode & 0o777).toBe(0o600);
  expect(status()).toMatchObject({
    pid,
    accounts: [{organization: 'acme', unread: 4, mentions: 1, direct: 1, connection: 'offline'}],
  });
  server.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('control socket: it opens although a killed process with the same number left its socket', async () => {
  const folder = join(scratchDirectory(), 'control');
  mkdirSync(folder, {mode: 0o700});
  writeFileSync(join(folder, `${pid}.sock`), '');
  await controlFixture({}, folder);
  expect(await ask(folder, request('status.get'))).toMatchObject([{result: {pid}}]);
});

test('control socket: a path of more than 108 bytes works', async () => {
  const folder = join(scratchDirectory(), 'a-long-name'.repeat(12), 'control');
  mkdirSync(join(folder, '..'), {recursive: true});
  await controlFixture({}, folder);
  const connection = await connectToControl(folder, pid, systemClock);
  expect(await connection.call('view.get', {})).toMatchObject({view: {kind: 'inbox'}});
  connection.close();
});

test('control socket: the status file is written at most once a second, with the last counts', async () => {
  const {clock, arrive, status} = await controlFixture();
  clock.advance(0);
  const unread = () => status().accounts[0].unread;
  arrive(20);
  arrive(21, ['mentioned']);
  expect(unread()).toBe(4);
  // Changes of the cache are announced in a later turn.
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(500);
  expect(unread()).toBe(4);
  clock.advance(500);
  expect(status().accounts[0]).toMatchObject({unread: 6, mentions: 2});
});

const mutedTopic = {type: 'user_topic', id: 1, stream_id: web, topic_name: 'css', last_updated: 1} as const;

/** Each change replaces one slice of the state, and so one part of the status. */
const statusChanges: Readonly<Record<string, [change: (cache: Cache) => void, now: object]>> = {
  connection: [
    (cache) => cache.apply({type: 'connection_changed', connection: {phase: 'online'}}),
    {connection: 'online'},
  ],
  'unread messages': [replaceSlices({unreads: noUnreads}), {unread: 0, mentions: 0, direct: 0}],
  'an archived channel': [replaceSlices({channels: eg.byId(eg.channel({id: web, isArchived: true}))}), {unread: 3}],
  'a muted topic': [(cache) => cache.apply({...mutedTopic, visibility_policy: 1}), {unread: 3}],
  'a muted channel': [
    replaceSlices({
      subscriptions: eg.subscribed(
        ...[backend, web, random].map((channelId) => eg.subscription({channelId, isMuted: true})),
      ),
    }),
    {unread: 2},
  ],
  'a muted user': [
    (cache) => cache.apply({type: 'muted_users', id: 1, muted_users: [{id: bo, timestamp: 1}]}),
    {unread: 3, direct: 0},
  ],
  'the outbox': [
    (cache) =>
      cache.apply({
        type: 'outbox_changed',
        outbox: [eg.outboxEntry({}), eg.outboxEntry({id: 'delivered', status: 'sent'})],
      }),
    {unsent: 1},
  ],
  'the name of the organization': [
    replaceSlices({realm: {...initialState.realm, name: 'Acme'}}),
    {organization: 'Acme'},
  ],
};

function replaceSlices(slices: Partial<AccountState>) {
  return (cache: Cache) => cache.setOverlay((base) => ({...base, ...slices}));
}

test.each(Object.entries(statusChanges))(
  'control socket: a change of %s alone is in the status file a second later',
  async (_what, [change, now]) => {
    const {clock, app, status} = await controlFixture();
    clock.advance(0);
    expect(status().accounts[0]).not.toMatchObject(now);
    change(app.session.cache);
    // Changes of the cache are announced in a later turn.
    await new Promise((resolve) => setTimeout(resolve));
    clock.advance(1000);
    expect(status().accounts[0]).toMatchObject(now);
  },
);

test('control socket: the status has each open account, the shown one first, and not one that was closed', async () => {
  const {clock, app, server, status, folder} = await controlFixture();
  const other = listFixture({info: {accountName: 'other'}}).app;
  const account = {app: other, onEvents: () => {}};
  server.add(account);
  // A second time changes nothing.
  server.add(account);
  clock.advance(0);
  const names = () => status().accounts.map(({account: name}: {account: string}) => name);
  expect(names()).toEqual([app.info.accountName, 'other']);
  expect(await ask(folder, request('view.get', {account: 'other'}))).toMatchObject([{result: {account: 'other'}}]);
  other.end();
  clock.advance(1000);
  expect(names()).toEqual([app.info.accountName]);
  expect(await ask(folder, request('view.get', {account: 'other'}))).toEqual([errorCode(-32_602, 1)]);
});

test('control socket: the account that is shown later comes first a second later, and only there commands run', async () => {
  const {clock, app, server, status, folder, show} = await controlFixture();
  const other = listFixture({info: {accountName: 'other'}}).app;
  server.add({app: other, onEvents: () => {}});
  clock.advance(0);
  show(other);
  clock.advance(1000);
  const names = () => status().accounts.map(({account}: {account: string}) => account);
  expect(names()).toEqual(['other', app.info.accountName]);
  const run = (account?: string) => request('commands.run', {id: 'view.recent', account});
  const answers = await ask(folder, run(app.info.accountName), run('other'), request('view.get'));
  expect(answers).toMatchObject([
    {result: {outcome: 'refused', reason: 'Another account is on the screen'}},
    {result: {outcome: 'ran'}},
    {result: {account: 'other', view: {kind: 'recent'}}},
  ]);
  expect(app.screen.view.kind).toBe('inbox');
});

test('control socket: the file of an account that was closed has nothing of it although its state changes', async () => {
  const {clock, app, server, status} = await controlFixture();
  const other = listFixture({info: {accountName: 'other'}}).app;
  server.add({app: other, onEvents: () => {}});
  clock.advance(0);
  other.end();
  clock.advance(1000);
  other.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(1000);
  expect(status().accounts.map(({account}: {account: string}) => account)).toEqual([app.info.accountName]);
});

test('JSON-RPC: a request, a batch and notifications are answered as the standard says', async () => {
  const {folder} = await controlFixture();
  const params = {id: expect.any(String), account: expect.any(String)};
  const methods = expect.arrayContaining([{name: 'commands.run', summary: expect.any(String), params}]);
  const discovered = {jsonrpc: '2.0', id: 'a', result: {methods, events: expect.any(Array)}};
  expect(await ask(folder, request('rpc.discover', undefined, 'a'))).toEqual([discovered]);
  const batch = [request('rpc.discover', {}, 'a'), {jsonrpc: '2.0', method: 'commands.run'}, request('nope', {}, 2), 7];
  expect(await ask(folder, batch)).toEqual([[discovered, errorCode(-32_601, 2), errorCode(-32_600)]]);
  // A batch of notifications and blank lines have no answer: the next answer is that to the last line.
  const client = rawClient(folder);
  client.send(
    [{jsonrpc: '2.0', method: 'status.get'}],
    '',
    '  ',
    {jsonrpc: '2.0', method: 'nope'},
    request('status.get', {}, 9),
  );
  expect(await client.next()).toMatchObject({id: 9, result: {pid}});
});

test('JSON-RPC: what is wrong has its code and a sentence, and the connection stays', async () => {
  const {folder} = await controlFixture();
  const wrong: readonly (readonly [unknown, number, unknown])[] = [
    ['{"jsonrpc": "2.0", "method"', -32_700, null],
    ['['.repeat(5000), -32_700, null],
    [[], -32_600, null],
    [Array.from({length: 33}, () => request('status.get')), -32_600, null],
    [{method: 'status.get', id: 1}, -32_600, 1],
    [{jsonrpc: '2.0', method: 7, id: 'x'}, -32_600, 'x'],
    [{jsonrpc: '2.0', method: 'status.get', id: {}}, -32_600, null],
    [request('constructor'), -32_601, 1],
    [request('view.get', ['work']), -32_602, 1],
    [request('view.get', {acount: 'x'}), -32_602, 1],
    [request('view.get', {account: 'x'}), -32_602, 1],
    [request('commands.run', {}), -32_602, 1],
    [request('commands.run', {id: 'no.such'}), -32_602, 1],
    [request('events.subscribe', {events: ['nothing']}), -32_602, 1],
  ];
  const answers = await ask(folder, ...wrong.map(([line]) => line), request('status.get'));
  expect(answers.slice(0, -1)).toEqual(wrong.map(([, code, id]) => errorCode(code, id)));
  expect(answers.at(-1)).toMatchObject({result: {pid}});
  expect(answers.at(-4)).toMatchObject({error: {message: 'commands.run needs the text “id”.'}});
});

test('control socket: a line without end is refused, and the connection closed', async () => {
  const {folder} = await controlFixture();
  const {socket, next} = rawClient(folder);
  socket.write('x'.repeat(70_000));
  expect(await next()).toEqual(errorCode(-32_600));
  await closed(socket);
});

test('control socket: a client that reads nothing does not make answers pile up, and others are answered meanwhile', async () => {
  const {folder} = await controlFixture();
  const flood = connect(join(folder, `${pid}.sock`));
  onTestFinished(() => void flood.destroy());
  flood.pause();
  const line = `${JSON.stringify(request('commands.list'))}\n`;
  flood.write(line.repeat(3000));
  const before = process.memoryUsage().heapUsed;
  for (let answered = 0; answered < 20; answered++)
    expect(await ask(folder, request('status.get'))).toMatchObject([{result: {pid}}]);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(80_000_000);
});

test('control socket: while five programs send batches, a turn of the event loop carries out one request, of each in turn', async () => {
  const {folder, requests} = await controlFixture();
  const floods = Array.from({length: 5}, () => rawClient(folder));
  const other = rawClient(folder);
  let most = 0;
  let before = requests();
  let watch = setImmediate(function count() {
    most = Math.max(most, requests() - before);
    before = requests();
    watch = setImmediate(count);
  });
  const answered: string[] = [];
  const floodsAnswered = floods.map(async (client) => {
    client.send(Array.from({length: 32}, (_, id) => request('commands.list', {}, id)));
    expect(await client.next()).toHaveLength(32);
    answered.push('batch');
  });
  other.send(request('view.get'));
  await other.next();
  answered.push('request');
  await Promise.all(floodsAnswered);
  clearImmediate(watch);
  expect([most, answered[0], requests()]).toEqual([1, 'request', 5 * 32 + 1]);
});

test('commands.list: the list is kept while nothing changed, and not longer than a moment', () => {
  const {app, router, clock} = listFixture(loadedConversations());
  const list = keptCommandList(router);
  const first = list(app);
  expect(list(app)).toBe(first);
  app.toast('Something changed');
  const second = list(app);
  expect(second).not.toBe(first);
  // Settings are no part of the frame.
  app.changeSettings({});
  const third = list(app);
  expect(third).not.toBe(second);
  expect(list(app)).toBe(third);
  clock.advance(1000);
  expect(list(app)).not.toBe(third);
});

test('control socket: a subscriber that reads nothing is closed, and one that reads gets every message', async () => {
  const {folder, arrive} = await controlFixture();
  const [slow, quick] = [rawClient(folder), rawClient(folder)];
  for (const client of [slow, quick]) {
    client.send(request('events.subscribe', {events: ['message']}));
    expect(await client.next()).toMatchObject({result: {events: ['message']}});
  }
  slow.socket.pause();
  const ended = closed(slow.socket);
  for (let id = 100; id < 600; id += 100) {
    for (let at = 0; at < 100; at++) arrive(id + at, [], 'x'.repeat(5000));
    for (let at = 0; at < 100; at++) expect((await quick.next()).params.message.id).toBe(id + at);
  }
  slow.socket.resume();
  await ended;
});

test('control socket: a listener hears of messages until Parley ends, and then its wait ends', async () => {
  const {folder, server, arrive} = await controlFixture();
  const connection = await connectToControl(folder, pid, systemClock);
  const heard: string[] = [];
  let hasEnded = false;
  void connection
    .listen((event) => void heard.push(event))
    .then(() => {
      hasEnded = true;
    });
  await connection.call('events.subscribe', {events: ['message']});
  arrive(20);
  await expect.poll(() => heard).toHaveLength(1);
  expect(hasEnded).toBe(false);
  server.close();
  await expect.poll(() => hasEnded).toBe(true);
  expect(heard).toHaveLength(1);
});

test('ctl: a failure that is about the connection ends each call that waits', async () => {
  const folder = scratchDirectory();
  const refusal = {jsonrpc: '2.0', id: null, error: {code: -32_600, message: 'The line is too long.'}};
  const server = createServer((socket) => void socket.once('data', () => socket.write(`${JSON.stringify(refusal)}\n`)));
  server.listen(join(folder, `${pid}.sock`));
  await once(server, 'listening');
  const connection = await connectToControl(folder, pid, systemClock);
  onTestFinished(() => {
    connection.close();
    server.close();
  });
  const answers = await Promise.allSettled([connection.call('status.get', {}), connection.call('view.get', {})]);
  for (const answer of answers) expect(answer).toMatchObject({reason: {message: 'The line is too long.'}});
});

test('commands.run: without the text that it needs, it says which', async () => {
  const {folder, app} = await controlFixture();
  const answers = await ask(folder, request('commands.run'), request('commands.run', {id: 7}));
  for (const answer of answers) expect(answer).toMatchObject({error: {message: 'commands.run needs the text “id”.'}});
  expect(app.screen.toast).toBeUndefined();
});

test('events.subscribe: one unknown name among others is refused, and what was asked for before goes on', async () => {
  const {folder, arrive} = await controlFixture();
  const client = rawClient(folder);
  client.send(
    request('events.subscribe', {events: ['message']}),
    request('events.subscribe', {events: ['unread', 'news']}),
  );
  await client.next();
  expect(await client.next()).toMatchObject(errorCode(-32_602, 1));
  arrive(20);
  expect(await client.next()).toMatchObject({method: 'event.message'});
});

test('control socket: a subscriber hears of an account that is opened later, and that only its direct messages changed', async () => {
  const {folder, server, clock} = await controlFixture();
  clock.advance(0);
  const client = rawClient(folder);
  client.send(request('events.subscribe', {events: ['connection', 'unread']}));
  await client.next();
  const other = listFixture({info: {accountName: 'other'}}).app;
  server.add({app: other, onEvents: () => {}});
  clock.advance(1000);
  expect(await client.next()).toMatchObject({method: 'event.connection', params: {account: 'other'}});
  expect(await client.next()).toMatchObject({method: 'event.unread', params: {account: 'other', unread: 4, direct: 1}});
  const {unreads} = other.state;
  const direct = [...unreads.conversations.values()].find(({conversation}) => conversation.kind === 'direct');
  const moved = {id: 20, conversation: topicConversation(web, 'css'), isMention: false};
  replaceSlices({unreads: addUnreads(removeUnreads(unreads, [...(direct?.ids ?? [])]), [moved])})(other.session.cache);
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(1000);
  expect(await client.next()).toMatchObject({params: {account: 'other', unread: 4, direct: 0}});
});

test('control socket: the seventeenth client is told why it is refused', async () => {
  const {folder} = await controlFixture();
  for (let count = 0; count < 16; count++)
    await (async () => {
      const client = rawClient(folder);
      client.send(request('status.get'));
      await client.next();
    })();
  const client = rawClient(folder);
  expect((await client.next()).error.message).toBe('Parley has 16 connections at its control socket already.');
  await closed(client.socket);
});

test('control socket: what a refused program sends is not carried out', async () => {
  const {folder, app} = await controlFixture();
  const accepted = Array.from({length: 16}, () => rawClient(folder));
  const flush = async () => {
    for (const client of accepted) client.send(request('status.get'));
    for (const client of accepted) await client.next();
  };
  await flush();
  const refused = connect({path: join(folder, `${pid}.sock`), allowHalfOpen: true});
  refused.on('error', () => {});
  onTestFinished(() => void refused.destroy());
  refused.write(`${JSON.stringify(request('commands.run', {id: 'view.recent'}))}\n`);
  await once(refused, 'data');
  await flush();
  expect(app.screen.view.kind).toBe('inbox');
});

test('ctl: a connection that Parley resets fails with a sentence', async () => {
  const folder = scratchDirectory();
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer({pauseOnConnect: true}, accepted.resolve).listen(join(folder, `${pid}.sock`));
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connection = await connectToControl(folder, pid, systemClock);
  const answer = connection.call('status.get', {});
  // Closing a connection with unread data resets it.
  (await accepted.promise).destroy();
  await expect(answer).rejects.toThrow('closed the connection');
});

test('control socket: events say what changed, without control characters', async () => {
  const {folder, arrive, clock} = await controlFixture();
  clock.advance(0);
  const client = rawClient(folder);
  client.send(request('events.subscribe'));
  await client.next();
  arrive(30);
  const event = await client.next();
  expect(event).toMatchObject({
    method: 'event.message',
    params: {message: {id: 30, senderName: 'Bo Wu', conversation: {topic: 'css'}}},
  });
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(1000);
  expect(await client.next()).toMatchObject({method: 'event.unread', params: {unread: 5, mentions: 1, direct: 1}});
});

test('control socket: an event says that only mentions or only direct messages changed', async () => {
  const {folder, app, clock} = await controlFixture();
  clock.advance(0);
  const client = rawClient(folder);
  client.send(request('events.subscribe'));
  await client.next();
  const {unreads} = app.state;
  replaceSlices({unreads: {...unreads, mentions: SortedSet.empty()}})(app.session.cache);
  // Changes of the cache are announced in a later turn.
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(1000);
  expect(await client.next()).toMatchObject({method: 'event.unread', params: {unread: 4, mentions: 0, direct: 1}});
  const direct = [...unreads.conversations.values()].find(({conversation}) => conversation.kind === 'direct');
  const moved = {id: 20, conversation: topicConversation(web, 'css'), isMention: false};
  const without = removeUnreads(unreads, [...(direct?.ids ?? [])]);
  replaceSlices({unreads: addUnreads(without, [moved])})(app.session.cache);
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(1000);
  expect(await client.next()).toMatchObject({method: 'event.unread', params: {unread: 4, direct: 0}});
});

test('view.get: titles have no invisible characters around names of other scripts', async () => {
  const {folder, app} = await controlFixture();
  openView(app, messagesView(topicNarrow(backend, 'שלום')));
  const [answer] = await ask(folder, request('view.get'));
  expect(answer).toMatchObject({result: {view: {kind: 'messages', title: '#backend › שלום'}}});
});

const askedEvents: readonly (readonly [asked: unknown, sent: readonly string[]])[] = [
  [undefined, ['message', 'connection', 'unread']],
  [['connection'], ['connection']],
  [
    ['unread', 'message', 'unread'],
    ['message', 'unread'],
  ],
  ['unread', ['unread']],
  [[], []],
];

test.each(askedEvents)('events.subscribe: after all were asked for, %j sends only %j', async (asked, sent) => {
  const {folder, app, arrive, clock} = await controlFixture();
  clock.advance(0);
  const client = rawClient(folder);
  client.send(request('events.subscribe'), request('events.subscribe', {events: asked}));
  expect(await client.next()).toMatchObject({result: {events: ['message', 'unread', 'connection']}});
  const {events} = (await client.next()).result;
  expect(events.toSorted()).toEqual(sent.toSorted());
  arrive(30);
  app.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  // Changes of the cache are announced in a later turn.
  await new Promise((resolve) => setTimeout(resolve));
  clock.advance(1000);
  // The answer comes after all that was sent before.
  client.send(request('status.get', undefined, 'last'));
  const methods: string[] = [];
  for (let line = await client.next(); line.id !== 'last'; line = await client.next()) methods.push(line.method);
  expect(methods).toEqual(sent.map((name) => `event.${name}`));
});

test('commands.run: it runs as the palette does, says what happened, and marks nothing read', async () => {
  const {folder, app, unread, clock} = await controlFixture({settings: {markRead: 'on-view'}});
  const run = async (id: string) => {
    const [answer] = await ask(folder, request('commands.run', {id}));
    return (answer as {result: unknown}).result;
  };
  expect(await run('msg.star')).toEqual({outcome: 'refused', reason: 'Only in the message pane'});
  const before = unread();
  expect(await run('open')).toMatchObject({outcome: 'ran'});
  expect(app.screen.view.kind).toBe('messages');
  app.frames.paintNow();
  expect(unread()).toEqual(before);
  clock.advance(3000);
  expect(await run('palette.open')).toEqual({outcome: 'ran', asks: 'Commands'});
  expect(await run('view.inbox')).toEqual({outcome: 'ran'});
  expect(app.screen.overlays).toEqual([]);
});

test('commands.run: a command that asks changes nothing until the question is answered on the screen', async () => {
  const {folder, app, unread, press} = await controlFixture();
  const before = unread();
  const run = () => ask(folder, request('commands.run', {id: 'mark.all.read'}));
  expect(await run()).toMatchObject([{result: {outcome: 'ran', asks: expect.any(String)}}]);
  expect(unread()).toEqual(before);
  press('Esc');
  expect([app.screen.overlays, unread()]).toEqual([[], before]);
  await run();
  press('y');
  expect(unread()).toEqual([]);
});

test('commands.run: in a window that is known to have the focus, the conversation that it opens becomes read', async () => {
  const {folder, app, unread} = await controlFixture({settings: {markRead: 'on-view'}});
  app.set({hasWindowFocus: true});
  const before = unread().length;
  expect(await ask(folder, request('commands.run', {id: 'open'}))).toMatchObject([{result: {outcome: 'ran'}}]);
  app.frames.paintNow();
  expect(unread().length).toBeLessThan(before);
});

test('commands.run: it is refused while somebody types, and works when they pause', async () => {
  const {folder, app, press, type, clock} = await controlFixture();
  press('c');
  type('half a word');
  const run = () => ask(folder, request('commands.run', {id: 'view.recent'}));
  expect(await run()).toMatchObject([{result: {outcome: 'refused', reason: expect.stringContaining('typing')}}]);
  expect(app.screen.view.kind).toBe('inbox');
  clock.advance(3000);
  expect(await run()).toMatchObject([{result: {outcome: 'ran'}}]);
  expect(app.screen.view.kind).toBe('recent');
});

test('commands.list and view.get: other programs see the reasons, the keys and the selection', async () => {
  const {folder} = await controlFixture();
  const [list, view] = (await ask(folder, request('commands.list'), request('view.get'))) as {result: never}[];
  const commands: readonly {id: string}[] = list?.result ?? [];
  expect(commands.find(({id}) => id === 'msg.star')).toMatchObject({
    keys: [expect.any(String)],
    disabled: 'Only in the message pane',
  });
  expect(view?.result).toMatchObject({
    view: {kind: 'inbox', title: 'Inbox'},
    mode: 'NAV',
    overlay: null,
    message: null,
    selection: [{kind: 'topic', to: '#backend>deploy'}],
  });
  expect(existsSync(folder)).toBe(true);
});

test('commands.run: afterwards the account of the row under the cursor has the keys, as after a key', async () => {
  const inputs: string[] = [];
  const afterInput = (from: App) => {
    inputs.push(from.info.accountName);
    return from;
  };
  const {folder, app} = await controlFixture({accounts: {list: () => [], show: () => {}, afterInput}});
  expect(await ask(folder, request('commands.run', {id: 'move.down'}))).toMatchObject([{result: {outcome: 'ran'}}]);
  expect(inputs).toEqual([app.info.accountName]);
});

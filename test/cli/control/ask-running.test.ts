import {expect, onTestFinished, test} from 'vitest';
import {openControlServer} from '#cli/control/control-server.ts';
import {controlFolder, writeStatusFile} from '#cli/control/status-text.ts';
import {exitCodes} from '#cli/io.ts';
import {accountId, pathsOf} from '#config/paths.ts';
import {stranger, unreachableServer, verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {listFixture, loadedConversations} from '#test/ui/lists/list-fixture.ts';

const ownId = accountId(unreachableServer.url, stranger.email);
const ownName = '~/zuliprc';

/** A screen that is online, and verbs whose server cannot be reached. The account of both is the same by default. */
async function runningScreen({accountName = ownName, accountId: id = ownId} = {}) {
  const verbs = verbFixture(unreachableServer, stranger);
  const {app, router, clock} = listFixture(loadedConversations());
  Object.assign(app.info, {accountName, accountId: id});
  app.session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
  const folder = controlFolder(pathsOf({}, verbs.home));
  const control = await openControlServer({
    folder,
    pid: process.pid,
    clock,
    runner: router,
    shown: () => app,
    log: () => {},
  });
  onTestFinished(() => control.close());
  control.add({app, onEvents: () => {}});
  clock.advance(0);
  return {...verbs, app, control};
}

test('unread: a running screen of the account answers instead of the server', async () => {
  const {run} = await runningScreen();
  const {code, out, err} = await run('unread', []);
  expect([code, err]).toEqual([exitCodes.ok, '']);
  expect(out).toMatch(/^4 unread messages in \d conversations: 1 in direct messages, 1 mentioning you/);
  const {total, isComplete, conversations} = JSON.parse((await run('unread', ['--json'])).out);
  expect([total, isComplete]).toEqual([4, true]);
  expect(conversations[0].conversation.to).toMatch(/^[#@]/);
});

const unreachable = {code: exitCodes.unreachable, out: ''};

test('unread: the server is asked when the screen has gone offline, and when it has ended', async () => {
  const {run, app, control} = await runningScreen();
  // The status file still says that it is online.
  app.session.cache.apply({type: 'connection_changed', connection: {phase: 'offline', since: 0}} as never);
  expect(app.state.connection.phase).toBe('offline');
  expect(await run('unread', [])).toMatchObject(unreachable);
  control.close();
  expect(await run('unread', [])).toMatchObject(unreachable);
});

test('unread: the server is asked when the screen has another account, even one of the same name', async () => {
  const named = await runningScreen({accountName: 'work'});
  expect(await named.run('unread', [])).toMatchObject(unreachable);
  const elsewhere = await runningScreen({accountId: accountId('https://chat.example.com', stranger.email)});
  expect(await elsewhere.run('unread', [])).toMatchObject(unreachable);
});

test('unread: of two running screens of the account, the one that is online answers', async () => {
  const {run, home} = await runningScreen();
  const {account, organization, ...counts} = {
    account: ownName,
    organization: '',
    unread: 1,
    mentions: 0,
    direct: 0,
    unsent: 0,
  };
  const folder = controlFolder(pathsOf({}, home));
  // The later one comes first, and is offline.
  writeStatusFile(folder, {
    pid: process.ppid,
    startedAt: Date.now() + 1000,
    accounts: [{account, organization, connection: 'offline', ...counts}],
  });
  const {code, out} = await run('unread', []);
  expect([code, out]).toEqual([exitCodes.ok, expect.stringMatching(/^4 unread messages/)]);
});

test('inbox: a running screen of the account answers instead of the server while it has the messages of all rows', async () => {
  const {run, app} = await runningScreen();
  const {code, out, err} = await run('inbox', []);
  expect([code, err]).toEqual([exitCodes.ok, '']);
  expect(out).toMatch(/^Mentions \(1 conversation, \d messages?\)/);
  const {groups} = JSON.parse((await run('inbox', ['--json'])).out);
  const rows = groups.flatMap((group: {rows: object[]}) => group.rows);
  expect(rows[0]).toMatchObject({hasMention: true, snippet: expect.any(String), oldestUnreadAt: expect.any(Number)});
  app.session.cache.apply({type: 'messages_evicted', windows: [], ids: [rows[0].oldestUnreadId]});
  expect(app.state.messages.byId.has(rows[0].oldestUnreadId)).toBe(false);
  expect(await run('inbox', [])).toMatchObject(unreachable);
});

test('status: a running screen of the account answers, and the server is asked for changes and for others', async () => {
  const {run, app} = await runningScreen();
  const set = {type: 'user_status', user_id: app.state.self.userId, status_text: 'At lunch', emoji_name: 'taco'};
  app.session.cache.apply(set as never);
  expect(await run('status', [])).toMatchObject({code: exitCodes.ok, out: ':taco: At lunch\n', err: ''});
  const {text, emojiName, isAway} = JSON.parse((await run('status', ['--json'])).out);
  expect([text, emojiName, isAway]).toEqual(['At lunch', 'taco', false]);
  for (const words of [['Back'], ['--clear'], ['--away'], ['--user', 'Otto']]) {
    expect(await run('status', words)).toMatchObject(unreachable);
  }
});

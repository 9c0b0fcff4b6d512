import {mkdirSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {onlyAccount} from '#app/core/host.ts';
import {ruleListener} from '#app/rules/rule-listener.ts';
import {RuleRunner} from '#app/rules/rule-runner.ts';
import {changeSnoozes, readSnoozes} from '#app/snoozes/snooze-store.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {conversationOf, withMessages} from '#state/messages/loaded-messages.ts';
import {noUnreads} from '#state/model/unread.ts';
import {beginRules} from '#state/rules/rule-claims.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {systemClock} from '#std/clock.ts';
import {
  backend,
  noonMs,
  type TriageFixtureOptions,
  triageAccount,
  triageFixture,
  web,
} from '#test/app/inbox/triage-fixture.ts';
import {buildMessageEvent, channelMessage} from '#test/state/messages/wire-events.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import * as eg from '#test/support/state-builders.ts';

/** An account with rules that have begun. `write` writes one rule, or a text without rules. */
function rulesFixture(rule: string, options: TriageFixtureOptions = {}) {
  const home = scratchDirectory();
  const paths = {config: join(home, 'config'), state: join(home, 'state')};
  mkdirSync(paths.config);
  const path = join(paths.config, 'rules.toml');
  let edits = 0;
  const write = (text: string) => {
    writeFileSync(path, text === '' ? '' : `[[rule]]\nname = "it"\n${text}\n`);
    edits += 1;
    utimesSync(path, edits, edits);
  };
  write(rule);
  const file = rulesFile({paths, home, clock: systemClock});
  const fixture = triageFixture({...options, rulesFile: file});
  const {app, store} = fixture;
  beginRules(store.keyValues, 0);
  const runner = new RuleRunner(app, file);
  /** Handles messages. After rules have acted, the next messages wait for the clock. */
  const handle = async (...ids: readonly number[]) => {
    let isDone = false;
    void runner.handle(ids).then(() => {
      isDone = true;
    });
    await expect
      .poll(() => {
        fixture.clock.advance(1000);
        return isDone;
      })
      .toBe(true);
  };
  const history = () => app.undoStack.list().map(({label}) => label);
  return {...fixture, runner, handle, write, history};
}

test('rules: of more than a thousand unread messages from before the start, the newest thousand are handled', async () => {
  const messages = Array.from({length: 1003}, (_, index) =>
    eg.message({id: index + 1, channelId: web, topic: 'noise'}),
  );
  const unreads = messages.map((message) => ({
    id: message.id,
    conversation: conversationOf(message),
    isMention: false,
  }));
  const account = {
    ...triageAccount(),
    messages: withMessages(eg.state().messages, messages),
    unreads: addUnreads(noUnreads, unreads),
    maxMessageId: 1003,
  };
  const {runner, unread} = rulesFixture('topic = "noise"\nmark_read = true', {account});
  runner.catchUp(1003);
  await expect.poll(unread).toEqual([1, 2, 3]);
});

test('rules: topics that are muted at once are counted, and undone as one', async () => {
  const {app, handle, history} = rulesFixture('channel = "web"\nmute_topic = true');
  await handle(4, 5);
  const muted = () => [...app.state.userTopics.values()].map(({topic}) => topic);
  expect([history(), muted()]).toEqual([['Rule “it”: 2 topics muted'], ['css', 'login']]);
  const [entry = expect.unreachable()] = app.undoStack.list();
  app.undoStack.undoOne(entry);
  expect(muted()).toEqual([]);
});

test('rules: a conversation that the user has snoozed keeps its time', async () => {
  const {app, handle, history} = rulesFixture('topic = "css"\nsnooze = "2 hours"');
  const key = `c${web}:css`;
  const until = {kind: 'time', at: noonMs + 86_400_000} as const;
  changeSnoozes(app, () => new Map([[key, {key, until, newestId: 4, since: noonMs}]]));
  await handle(4);
  expect(readSnoozes(app).get(key)?.until).toEqual(until);
  expect(history()).toEqual([]);
});

test('rules: undo ends the snooze of a topic that was renamed since, however long the rule took', async () => {
  const clock = new ManualClock(noonMs);
  const now = () => {
    clock.setAhead(1);
    return ManualClock.prototype.now.call(clock);
  };
  const {app, handle} = rulesFixture('topic = "css"\nsnooze = "2 hours"', {clock: Object.assign(clock, {now})});
  const snoozed = () => [...readSnoozes(app).values()];
  await handle(4);
  const [snooze = expect.unreachable()] = snoozed();
  const key = `c${web}:login`;
  changeSnoozes(app, () => new Map([[key, {...snooze, key, newestId: 6}]]));
  expect(snoozed()).toHaveLength(1);
  const [entry = expect.unreachable()] = app.undoStack.list();
  app.undoStack.undoOne(entry);
  expect(snoozed()).toEqual([]);
});

test('rules: messages that were marked read one after the other are unread again where each of them is', async () => {
  const {app, handle, history, unread} = rulesFixture('sender = "Carol Diaz"\nmark_read = true');
  await handle(7);
  await handle(4);
  expect([history(), unread()]).toEqual([['Rule “it”: 2 messages marked read'], [1, 2, 3, 5, 6, 8]]);
  const [entry = expect.unreachable()] = app.undoStack.list();
  expect(entry.record?.steps).toMatchObject([
    {
      inverse: {
        ids: [7, 4],
        places: [
          {conversation: {channelId: backend, topic: 'logs'}, ids: [7]},
          {conversation: {channelId: web, topic: 'css'}, ids: [4]},
        ],
      },
    },
  ]);
});

test('rules: what is newer than the registration is left to its event', async () => {
  const {runner, handle, unread} = rulesFixture('channel = "web"\nmark_read = true');
  runner.catchUp(5);
  await handle();
  expect(unread()).toEqual([1, 2, 3, 6, 7, 8]);
  await handle(6);
  expect(unread()).toEqual([1, 2, 3, 7, 8]);
});

test('rules: a file without rules ends them, so that later rules begin with later messages', async () => {
  const {runner, handle, write, unread} = rulesFixture('channel = "web"\nmark_read = true');
  await handle(4);
  write('');
  await runner.reload();
  await handle(5);
  write('channel = "web"\nmark_read = true');
  await handle(6);
  expect(unread()).toEqual([1, 2, 3, 5, 7, 8]);
  runner.catchUp(6);
  await handle();
  expect(unread()).toEqual([1, 2, 3, 5, 7, 8]);
});

test('rules: a mistake that is still there after the file was changed is said again', async () => {
  const {app, runner, write, toast} = rulesFixture('chanel = "web"\nstar = true');
  await runner.reload();
  const said = toast();
  expect(said).toContain('a rule has no “chanel”');
  app.set({toast: undefined});
  await runner.reload();
  expect(toast()).toBeUndefined();
  write('chanel = "web"\nstar = true');
  await runner.reload();
  expect(toast()).toBe(said);
});

test('rules: a server that cannot follow topics is not asked to, and the rule does the rest', async () => {
  const account = triageAccount();
  const old = {...account, server: {...account.server, level: 200}};
  const {app, handle, history} = rulesFixture('channel = "web"\nfollow_topic = true\nstar = true', {account: old});
  await handle(4);
  expect([history(), app.state.userTopics.size]).toEqual([['Rule “it”: 1 message starred'], 0]);
});

test('rules: events without messages have no rulings of earlier messages', async () => {
  const {app, arrive} = rulesFixture('channel = "web"\nnotify = true');
  arrive(20, web, 'css');
  const listener = ruleListener(() => app);
  listener.onRegistered?.(false);
  listener.onEvents?.([buildMessageEvent(channelMessage({id: 20, stream_id: web, subject: 'css'}))]);
  expect(listener.rulings()).toBeDefined();
  await listener.rulings();
  listener.onEvents?.([{type: 'heartbeat', id: 2}]);
  expect(listener.rulings()).toBeUndefined();
});

test('rules: a rule that names two accounts is used here once the other one was added', async () => {
  const names = ['acme'];
  const list = () => names.map((name) => ({name, detail: '', isShown: name === 'acme', unreads: undefined}));
  const options = {info: {accountName: 'acme'}, accounts: {...onlyAccount, list}};
  const {handle, history, toast} = rulesFixture('account = ["acme", "home"]\nchannel = "web"\nstar = true', options);
  await handle(4);
  expect([history(), toast()]).toEqual([[], expect.stringContaining('there is no account called “home”')]);
  names.push('home');
  await handle(5);
  expect(history()).toEqual(['Rule “it”: 1 message starred']);
});

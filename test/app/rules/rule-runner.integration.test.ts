import {mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {ruleListener} from '#app/rules/rule-listener.ts';
import {RuleRunner} from '#app/rules/rule-runner.ts';
import {changeSnoozes} from '#app/snoozes/snooze-store.ts';
import {notificationListener} from '#app/watchers/notifications.ts';
import {rulesFile} from '#cli/rules/rules-file.ts';
import {directKey, topicConversationKey} from '#state/model/conversation.ts';
import {createSession} from '#state/session.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {fastClock, type SessionFixture, sessionFixture} from '#test/state/session-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {AppInfo} from '#ui/core/frame.ts';
import {withSnoozes} from '#ui/inbox/snooze/snooze.ts';

async function scene() {
  const fixture = await sessionFixture();
  const home = scratchDirectory();
  const paths = {config: join(home, 'config'), state: join(home, 'state')};
  mkdirSync(paths.config);
  const path = join(paths.config, 'rules.toml');
  let edits = 0;
  return {
    ...fixture,
    paths,
    home,
    path,
    database: join(home, 'account.db'),
    /** Writes the file; each time with another modification time. */
    writeRules: (toml: string) => {
      writeFileSync(path, toml);
      edits += 1;
      utimesSync(path, edits, edits);
    },
    write: async (content: string): Promise<number> => {
      const args = {type: 'direct', to: [fixture.meg.id], content};
      return (await fixture.server.as(fixture.otto).post('/messages', args)).id;
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Starts a program on Meg's account. */
async function program(
  {server, meg, paths, home, database}: Scene,
  info: Partial<AppInfo> = {},
  clock: Clock = fastClock,
) {
  const logged: string[] = [];
  const log = (line: string, error?: unknown) => void logged.push(`${line} ${String(error)}`);
  const {store} = openAccountStore({path: database, clock: systemClock, random: Math.random, log});
  let app: App | undefined;
  const getApp = () => {
    if (app === undefined) throw new Error('called before the app exists');
    return app;
  };
  const rules = ruleListener(getApp);
  const settings = {notifyWith: 'desktop', notifyDirect: true, notifyMention: true, notifyShow: 'text'} as const;
  const session = createSession({
    api: clientOf(server, meg),
    store,
    clock: fastClock,
    random: Math.random,
    log,
    listeners: [() => rules, () => notificationListener(getApp, () => settings, rules)],
  });
  const file = rulesFile({paths, home, clock: systemClock});
  const {app: created, deviceCalls, press} = appFixture({session, clock, rulesFile: file, info});
  app = created;
  app.set({hasWindowFocus: false});
  session.start();
  await session.ready();
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await session.stop();
    created.end();
    store.close();
  };
  onTestFinished(stop);
  return {
    app: created,
    session,
    press,
    stop,
    /** Ends the program once its rules have begun, so that what arrives from then on is theirs, or once they have ended. */
    stopOnce: async (what: 'begun' | 'ended') => {
      await expect.poll(() => store.keyValues.get('rules.handled') !== undefined).toBe(what === 'begun');
      await stop();
    },
    logged,
    history: () => created.undoStack.list().map(({label}) => label),
    notified: () => deviceCalls.filter(([name]) => name === 'notify').map(([, ...texts]) => texts.join(': ')),
    isUnread: (id: number) => created.state.unreads.byId.has(id),
    untilKnown: (id: number) => expect.poll(() => created.state.messages.byId.has(id)).toBe(true),
    toast: () => created.screen.toast?.text,
  };
}

async function flagsOf({server, meg}: SessionFixture, id: number): Promise<readonly string[]> {
  const {message} = await server.as(meg).get(`/messages/${id}`);
  return message.flags;
}

/** Not too often: the server limits requests. */
function polledFlags(fixture: SessionFixture, id: number) {
  return expect.poll(() => flagsOf(fixture, id), {interval: 300});
}

const markRead = '[[rule]]\nname = "noise"\ntopic = "noise"\nmark_read = true\n';

test('rules: a new message is marked read, and undone from the history with the name of the rule', async () => {
  const one = await scene();
  one.writeRules(markRead);
  const {app, isUnread, history, untilKnown} = await program(one);
  const [noise, talk] = [await one.postMessage('blah', 'noise'), await one.postMessage('hello')];
  await polledFlags(one, noise).toContain('read');
  await untilKnown(talk);
  expect(isUnread(talk)).toBe(true);
  expect(history()).toEqual(['Rule “noise”: 1 message marked read']);
  // The undo key undoes what the user did, not what a rule did.
  expect(app.undoStack.latest()).toBeUndefined();
  const [entry] = app.undoStack.list();
  if (entry !== undefined) app.undoStack.undoOne(entry);
  await polledFlags(one, noise).not.toContain('read');
  await one.postMessage('more', 'noise');
  await expect.poll(() => history()[0]).toMatch(/1 message marked read/);
  expect(isUnread(noise)).toBe(true);
});

test('rules: the first time, a message that arrives while they are being loaded is new', async () => {
  const one = await scene();
  const {app, isUnread, untilKnown} = await program(one);
  const noise = await one.postMessage('blah', 'noise');
  await untilKnown(noise);
  one.writeRules(markRead);
  const runner = new RuleRunner(app, rulesFile({paths: one.paths, home: one.home, clock: systemClock}));
  runner.catchUp(noise - 1);
  await runner.handle([noise]);
  expect(isUnread(noise)).toBe(false);
});

test('rules: star, mute, follow and snooze act, and what the user chose for a topic stays', async () => {
  const one = await scene();
  one.writeRules(`
[[rule]]
name = "stars"
regex = '(?i)urgent'
star = true
[[rule]]
name = "mutes"
topic_regex = '^bot '
mute_topic = true
[[rule]]
name = "follows"
topic = "ours"
follow_topic = true
[[rule]]
name = "waits"
topic = "slow"
snooze = "2 hours"
`);
  const channel = {stream_id: one.channelId, visibility_policy: 2};
  await one.server.as(one.meg).post('/user_topics', {...channel, topic: 'bot mine'});
  const {app, history} = await program(one);
  const policy = (topic: string) => app.state.userTopics.get(topicConversationKey(one.channelId, topic))?.policy;
  const urgent = await one.postMessage('URGENT: look');
  await one.postMessage('x', 'bot noise');
  await one.postMessage('x', 'bot mine');
  await one.postMessage('x', 'ours');
  await one.postMessage('x', 'slow');
  const slow = topicConversationKey(one.channelId, 'slow');
  await expect.poll(() => app.screen.inbox.snoozes.get(slow)?.until.kind).toBe('time');
  await expect.poll(() => app.state.starred.has(urgent)).toBe(true);
  await expect.poll(() => policy('bot noise')).toBe(1);
  await expect.poll(() => policy('ours')).toBe(3);
  expect(policy('bot mine')).toBe(2);
  expect(history().toSorted()).toEqual([
    'Rule “follows”: 1 topic followed',
    'Rule “mutes”: 1 topic muted',
    'Rule “stars”: 1 message starred',
    'Rule “waits”: 1 conversation snoozed',
  ]);
  const entry = app.undoStack.list().find(({label}) => label.includes('waits'));
  if (entry !== undefined) app.undoStack.undoOne(entry);
  expect(app.screen.inbox.snoozes.has(slow)).toBe(false);
});

test('rules: a rule decides whether a message notifies', async () => {
  const one = await scene();
  one.writeRules(`
[[rule]]
name = "quiet"
regex = 'lunch'
notify = false
[[rule]]
name = "loud"
topic = "alarm"
notify = true
mark_read = true
[[rule]]
name = "read"
regex = 'done'
mark_read = true
`);
  const {notified, untilKnown} = await program(one);
  await untilKnown(await one.write('lunch?'));
  await untilKnown(await one.write('all done'));
  await one.postMessage('fire', 'alarm');
  await expect.poll(notified).toEqual(['Otto in #general › alarm: fire']);
  await one.write('hello');
  await expect.poll(notified).toHaveLength(2);
  expect(notified()[1]).toBe('Otto: hello');
});

test('rules: a flood of messages takes few requests and one entry of the history', async () => {
  const one = await scene();
  one.writeRules(markRead);
  const {app, history} = await program(one, {}, systemClock);
  let requests = 0;
  const {pendingChanges} = app.session.context.store;
  const {claim} = pendingChanges;
  Object.assign(pendingChanges, {claim: (id: number) => claim(id) && ++requests > 0});
  await Promise.all(Array.from({length: 60}, (_, count) => one.postMessage(`${count}`, 'noise')));
  await expect.poll(history).toEqual(['Rule “noise”: 60 messages marked read']);
  expect(app.state.unreads.byId.size).toBe(0);
  expect(requests).toBeLessThan(10);
});

test('rules: two programs on one account act once, and neither redoes what was undone', async () => {
  const one = await scene();
  one.writeRules(markRead);
  const [first, second] = [await program(one), await program(one)];
  const ids: number[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(await one.postMessage(`${count}`, 'noise'));
  /** The messages that entries of the history are about. */
  const recorded = () => {
    const {keyValues} = first.session.context.store;
    const entries = keyValues.keysWithPrefix('undo ').map((name) => JSON.parse(keyValues.get(name) ?? '[]'));
    return entries.flat().flatMap(({steps}) => steps.flatMap(({inverse}: {inverse: {ids: number[]}}) => inverse.ids));
  };
  const isAllRead = () => ids.every((id) => !first.isUnread(id) && !second.isUnread(id));
  await expect.poll(isAllRead).toBe(true);
  await expect.poll(() => recorded().toSorted((a, b) => a - b)).toEqual(ids);
  for (const {app} of [first, second]) for (const entry of app.undoStack.list()) app.undoStack.undoOne(entry);
  const areUnread = async () =>
    (await Promise.all(ids.map((id) => flagsOf(one, id)))).every((flags) => !flags.includes('read'));
  await expect.poll(areUnread).toBe(true);
  await first.stop();
  await second.stop();
  const third = await program(one);
  const later = await one.postMessage('later', 'noise');
  await polledFlags(one, later).toContain('read');
  expect(ids.every((id) => third.isUnread(id))).toBe(true);
});

test('rules: unread messages that arrived while no program ran are handled at the start, older ones are not', async () => {
  const one = await scene();
  const old = await one.postMessage('before the rules', 'noise');
  one.writeRules(markRead);
  const first = await program(one);
  await first.untilKnown(old);
  await first.stop();
  const missed = [await one.postMessage('one', 'noise'), await one.postMessage('two', 'noise')];
  const second = await program(one);
  await expect.poll(second.history).toEqual(['Rule “noise”: 2 messages marked read']);
  expect(missed.some((id) => second.isUnread(id))).toBe(false);
  expect(second.isUnread(old)).toBe(true);
});

test('rules: after the file was deleted, new rules begin with new messages', async () => {
  const one = await scene();
  one.writeRules(markRead);
  await (await program(one)).stopOnce('begun');
  rmSync(one.path);
  await (await program(one)).stopOnce('ended');
  const missed = await one.postMessage('in between', 'noise');
  one.writeRules(markRead);
  const {isUnread, history} = await program(one);
  const later = await one.postMessage('later', 'noise');
  await polledFlags(one, later).toContain('read');
  expect(history()).toEqual(['Rule “noise”: 1 message marked read']);
  expect(isUnread(missed)).toBe(true);
});

test('rules: the file is read again when it changed; an error is shown and the other rules act', async () => {
  const one = await scene();
  const {toast, isUnread, untilKnown, session} = await program(one);
  const first = await one.postMessage('x', 'noise');
  await untilKnown(first);
  one.writeRules(markRead);
  const second = await one.postMessage('x', 'noise');
  await polledFlags(one, second).toContain('read');
  expect(isUnread(first)).toBe(true);
  one.writeRules(`${markRead}[[rule]]\nname = "typo"\nchanel = "x"\nstar = true\n`);
  session.noteActivity('key');
  await expect
    .poll(toast)
    .toBe(
      `~/config/rules.toml, line 7, column 1: a rule has no “chanel”. It may have: name, account, channel, topic, sender, group, direct, bot, mention, regex, topic_regex, time, mark_read, mute_topic, follow_topic, star, snooze, notify.`,
    );
  const third = await one.postMessage('x', 'noise');
  await polledFlags(one, third).toContain('read');
});

test('rules: a read-only session changes nothing and leaves the messages to others', async () => {
  const one = await scene();
  one.writeRules(markRead);
  const quiet = await program(one, {isReadOnly: true});
  const id = await one.postMessage('x', 'noise');
  await quiet.untilKnown(id);
  await quiet.stop();
  expect(await flagsOf(one, id)).not.toContain('read');
  expect(quiet.history()).toEqual([]);
});

test.each(['isExploring', 'isReadOnly'] as const)(
  'rules: what they leave alone in a session that changes nothing (%s), the next program handles',
  async (mode) => {
    const one = await scene();
    one.writeRules(`${markRead}[[rule]]\nname = "done"\nregex = 'done'\nmark_read = true\n`);
    await (await program(one)).stopOnce('begun');
    const quiet = await program(one, {[mode]: true});
    const id = await one.postMessage('x', 'noise');
    await quiet.untilKnown(id);
    // Nobody is notified of what a rule would mark read, although it stays unread here.
    await one.write('all done');
    // Handled in the order of their arrival: when this one was, the first was too.
    await one.write('x');
    await expect.poll(quiet.notified).toEqual(['Otto: x']);
    expect(await flagsOf(one, id)).not.toContain('read');
    await quiet.stop();
    const next = await program(one);
    await polledFlags(one, id).toContain('read');
    await expect
      .poll(() => next.history().toSorted())
      .toEqual(['Rule “done”: 1 message marked read', 'Rule “noise”: 1 message marked read']);
  },
);

test('rules: what a rule did can be undone after a restart', async () => {
  const one = await scene();
  one.writeRules(markRead);
  const first = await program(one);
  const id = await one.postMessage('x', 'noise');
  await polledFlags(one, id).toContain('read');
  await first.stop();
  const second = await program(one);
  expect(second.history()).toEqual(['Rule “noise”: 1 message marked read']);
  expect(second.app.undoStack.latest()).toBeUndefined();
  const [entry] = second.app.undoStack.list();
  if (entry !== undefined) second.app.undoStack.undoOne(entry);
  await polledFlags(one, id).not.toContain('read');
});

test('rules: direct messages match by sender', async () => {
  const one = await scene();
  one.writeRules('[[rule]]\nname = "otto"\nsender = "Otto"\ndirect = true\nsnooze = "tomorrow 9:00"\n');
  const {app} = await program(one);
  await one.write('hi');
  await expect.poll(() => app.screen.inbox.snoozes.has(directKey([one.otto.id]))).toBe(true);
});

test('rules: a channel that is renamed away is reported once, and its rule waits for the name', async () => {
  const one = await scene();
  one.writeRules('[[rule]]\nname = "all"\nchannel = "general"\nmark_read = true\n');
  const {app, toast} = await program(one);
  await one.server.as(one.server.people.owner()).patch(`/streams/${one.channelId}`, {new_name: 'commons'});
  await expect.poll(() => app.state.channels.get(one.channelId)?.name).toBe('commons');
  const id = await one.postMessage('x');
  await expect.poll(toast).toMatch(/line 3, column 1: There is no channel called “general”/);
  expect(await flagsOf(one, id)).not.toContain('read');
  one.writeRules('[[rule]]\nname = "all"\nchannel = "commons"\nmark_read = true\n');
  const later = await one.postMessage('y');
  await polledFlags(one, later).toContain('read');
  expect(await flagsOf(one, id)).not.toContain('read');
});

test('rules: a rule for a person or a group that the organization does not have begins when it has them', async () => {
  const one = await scene();
  const owner = one.server.as(one.server.people.owner());
  one.writeRules(
    '[[rule]]\nname = "zoe"\nsender = "Zoe"\nmark_read = true\n[[rule]]\nname = "crew"\ngroup = "crew"\nstar = true\n',
  );
  const {app, isUnread, untilKnown} = await program(one);
  const before = await one.postMessage('x');
  await untilKnown(before);
  expect([isUnread(before), app.state.starred.has(before)]).toEqual([true, false]);
  await owner.patch(`/users/${one.otto.id}`, {full_name: 'Zoe'});
  await expect.poll(() => app.state.users.get(one.otto.id)?.fullName).toBe('Zoe');
  const byZoe = await one.postMessage('y');
  await polledFlags(one, byZoe).toContain('read');
  expect(app.state.starred.has(byZoe)).toBe(false);
  await owner.post('/user_groups/create', {name: 'crew', description: '', members: [one.otto.id]});
  await expect.poll(() => [...app.state.groups.values()].some(({name}) => name === 'crew')).toBe(true);
  const byCrew = await one.postMessage('z');
  await polledFlags(one, byCrew).toContain('starred');
});

test('rules: a snooze leaves the user’s own snoozes, and a conversation that has come back is snoozed again', async () => {
  const one = await scene();
  one.writeRules('[[rule]]\nname = "waits"\ntopic = "slow"\nsnooze = "2 hours"\n');
  const clock = new ManualClock(systemClock.now());
  const {app, untilKnown} = await program(one, {}, clock);
  const mine = await one.postMessage('x', 'mine');
  await untilKnown(mine);
  const [key, slow] = ['mine', 'slow'].map((topic) => topicConversationKey(one.channelId, topic)) as [string, string];
  const until = {kind: 'time', at: clock.now() + 86_400_000} as const;
  changeSnoozes(app, (all) => withSnoozes(all, [{key, until, newestId: mine, since: clock.now()}]));
  await one.postMessage('x', 'slow');
  const kinds = () => [key, slow].map((one) => app.screen.inbox.snoozes.get(one)?.until.kind);
  await expect.poll(kinds).toEqual(['time', 'time']);
  clock.advance(2 * 3_600_000 + 60_000);
  expect(kinds()).toEqual(['time', 'back']);
  await one.postMessage('y', 'slow');
  await expect.poll(kinds).toEqual(['time', 'time']);
});

test('rules: what a rule does after ten minutes, or after its entry was undone, is another entry of the history', async () => {
  const one = await scene();
  one.writeRules('[[rule]]\nname = "stars"\nregex = \'urgent\'\nstar = true\n');
  const clock = new ManualClock(systemClock.now());
  const {app, history} = await program(one, {}, clock);
  const post = async () => {
    const id = await one.postMessage('urgent');
    await expect.poll(() => app.state.starred.has(id)).toBe(true);
    return id;
  };
  await post();
  clock.advance(60_000);
  const second = await post();
  expect(history()).toEqual(['Rule “stars”: 2 messages starred']);
  const undo = () => {
    const [entry] = app.undoStack.list();
    if (entry !== undefined) app.undoStack.undoOne(entry);
  };
  undo();
  expect(app.state.starred.has(second)).toBe(false);
  clock.advance(60_000);
  await post();
  expect(history()).toEqual(['Rule “stars”: 1 message starred']);
  clock.advance(11 * 60_000);
  await post();
  expect(history()).toEqual(['Rule “stars”: 1 message starred', 'Rule “stars”: 1 message starred']);
});

test('rules: contradicting rules do not take turns on a topic', async () => {
  const one = await scene();
  one.writeRules(`
[[rule]]
name = "first"
regex = 'quiet'
mute_topic = true
[[rule]]
name = "second"
topic = "talk"
follow_topic = true
`);
  const {app, history, untilKnown} = await program(one);
  const policy = () => app.state.userTopics.get(topicConversationKey(one.channelId, 'talk'))?.policy;
  await one.postMessage('quiet please');
  await expect.poll(policy).toBe(1);
  for (const text of ['no', 'yes', 'quiet']) await untilKnown(await one.postMessage(text));
  const last = await one.postMessage('quiet', 'other');
  await untilKnown(last);
  await expect.poll(history).toEqual(['Rule “first”: 2 topics muted']);
  expect(policy()).toBe(1);
});

test('rules: topics that a rule muted one by one are undone as one, and muted again with their next message until the rule is gone', async () => {
  const one = await scene();
  const mutes = '[[rule]]\nname = "mutes"\ntopic_regex = \'^bot \'\nmute_topic = true\n';
  one.writeRules(mutes);
  const {app, history} = await program(one);
  const policyOf = (topic: string) => app.state.userTopics.get(topicConversationKey(one.channelId, topic))?.policy ?? 0;
  const policies = () => ['bot a', 'bot b'].map(policyOf);
  for (const topic of ['bot a', 'bot b']) {
    await one.postMessage('x', topic);
    await expect.poll(() => policyOf(topic)).toBe(1);
  }
  expect(history()).toEqual(['Rule “mutes”: 2 topics muted']);
  const undo = () => {
    const [entry] = app.undoStack.list();
    if (entry !== undefined) app.undoStack.undoOne(entry);
  };
  undo();
  expect(policies()).toEqual([0, 0]);
  await one.postMessage('y', 'bot a');
  await expect.poll(policies).toEqual([1, 0]);
  undo();
  one.writeRules('[[rule]]\nname = "stars"\ntopic_regex = \'^bot \'\nstar = true\n');
  const later = await one.postMessage('z', 'bot a');
  await expect.poll(() => app.state.starred.has(later)).toBe(true);
  expect(policies()).toEqual([0, 0]);
});

test('rules: a conversation that a rule snoozed comes back at its time', async () => {
  const one = await scene();
  one.writeRules('[[rule]]\nname = "waits"\ntopic = "slow"\nsnooze = "2 hours"\n');
  const clock = new ManualClock(systemClock.now());
  const {app} = await program(one, {}, clock);
  await one.postMessage('x', 'slow');
  const until = () => app.screen.inbox.snoozes.get(topicConversationKey(one.channelId, 'slow'))?.until.kind;
  await expect.poll(until).toBe('time');
  clock.advance(2 * 3_600_000 - 60_000);
  expect(until()).toBe('time');
  clock.advance(120_000);
  expect(until()).toBe('back');
});

test('rules: own messages are left alone except by a rule for oneself, and no message is sent, edited or deleted', async () => {
  const one = await scene();
  one.writeRules(`
[[rule]]
name = "all"
direct = false
mark_read = true
star = true
mute_topic = true
snooze = "2 hours"
[[rule]]
name = "mine"
sender = "me"
topic = "notes"
star = true
`);
  const {app} = await program(one);
  const own = async (topic: string): Promise<number> =>
    (await one.server.as(one.meg).post('/messages', {type: 'stream', to: one.channelId, topic, content: 'own'})).id;
  const ids = [await own('plans'), await one.postMessage('theirs', 'chat'), await own('notes')];
  await expect.poll(() => [...app.state.starred]).toEqual(ids.slice(1));
  const page = {anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false};
  const {messages} = await one.server.as(one.meg).get('/messages', page);
  expect(messages.map(({id, content, last_edit_timestamp}: Reply) => [id, content, last_edit_timestamp])).toEqual(
    ids.map((id, at) => [id, at === 1 ? 'theirs' : 'own', undefined]),
  );
});

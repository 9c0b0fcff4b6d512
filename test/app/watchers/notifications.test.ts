import {expect, test, vi} from 'vitest';
import type {Ruling} from '#app/rules/rule-runner.ts';
import {type NotifySettings, notificationListener, notificationText} from '#app/watchers/notifications.ts';
import {doNotDisturbForHour, holdNotifications} from '#app/watchers/quiet-time.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {backend, type TriageFixtureOptions, triageAccount, triageFixture, web} from '#test/app/inbox/triage-fixture.ts';
import {organizationsFixture} from '#test/app/organizations/organizations-fixture.ts';
import {buildMessageEvent, channelMessage, directMessage} from '#test/state/messages/wire-events.ts';
import * as eg from '#test/support/state-builders.ts';
import {messagesView, type View} from '#ui/core/frame.ts';

test('notifications: a mention shows as the name of the user', () => {
  const users = eg.users(eg.user(), eg.user({id: 11, fullName: 'Carol Diaz'}));
  const content = '@_**Carol Diaz|11** has marked this topic as resolved.';
  const {body} = notificationText(eg.state({users}), [eg.message({content})], 'text');
  expect(body).toBe('Carol Diaz has marked this topic as resolved.');
});

const defaults: NotifySettings = {notifyWith: 'desktop', notifyDirect: true, notifyMention: true, notifyShow: 'text'};

/** An account whose terminal has not the focus. `ruling` is what rules say about each message, or that they fail. */
function notificationFixture(options: TriageFixtureOptions = {}, ruling?: Ruling | Error) {
  const fixture = triageFixture(options);
  const {app, session, deviceCalls} = fixture;
  const rules = {
    rulings: async () => {
      if (ruling instanceof Error) throw ruling;
      return new Map(ruling && [[20, ruling]]);
    },
  };
  const listener = notificationListener(
    () => app,
    () => defaults,
    ruling && rules,
  );
  app.set({hasWindowFocus: false});
  return {
    ...fixture,
    /** Applies the event of message 20, and waits until it was handled. */
    arriveAndNotify: async (message: ReturnType<typeof channelMessage>, ...flags: readonly string[]) => {
      const event = buildMessageEvent(message, ...flags);
      session.cache.apply(event);
      listener.onEvents?.([event]);
      await new Promise((resolve) => setImmediate(resolve));
      return deviceCalls.filter(([name]) => name === 'notify').map(([, ...texts]) => texts);
    },
  };
}

const inWeb = (sender_id = 11) => channelMessage({id: 20, stream_id: web, subject: 'css', content: 'hello', sender_id});
const fromCarol = () => directMessage({id: 20, with: [11], sender_id: 11, content: 'lunch?'});

test('notifications: what a rule notifies of is shown although it is read already, but not from a muted user', async () => {
  expect(await notificationFixture({}, 'notify').arriveAndNotify(inWeb(), 'read')).toHaveLength(1);
  expect(await notificationFixture().arriveAndNotify(inWeb())).toEqual([]);
  const account = {...triageAccount(), mutedUsers: SortedMap.from([[11 as number, {id: 11, timestamp: 0}]])};
  expect(await notificationFixture({account}, 'notify').arriveAndNotify(inWeb())).toEqual([]);
  expect(await notificationFixture({account}).arriveAndNotify(inWeb(), 'mentioned')).toEqual([]);
});

test('notifications: where the rules fail, messages notify as without rules', async () => {
  const failing = new Error('a rule cannot be read');
  expect(await notificationFixture({}, failing).arriveAndNotify(fromCarol())).toHaveLength(1);
  expect(await notificationFixture({}, failing).arriveAndNotify(inWeb())).toEqual([]);
});

test('notifications: the conversation of an account that is not on the screen notifies, although the window has the focus', async () => {
  const carol: View = messagesView(conversationNarrow({kind: 'direct', userIds: [11]}));
  const notified = async (isOnScreen: boolean) => {
    const {app, arriveAndNotify} = notificationFixture({view: carol});
    app.set({hasWindowFocus: true});
    vi.spyOn(app, 'isOnScreen', 'get').mockReturnValue(isOnScreen);
    return arriveAndNotify(fromCarol());
  };
  expect(await notified(true)).toEqual([]);
  expect(await notified(false)).toHaveLength(1);
});

test('notifications: with several accounts the account is named, and a direct message has no text where the account hides it', async () => {
  const info = {accountName: 'work', accountCount: 2};
  expect(await notificationFixture({info}).arriveAndNotify(fromCarol())).toEqual([['work: Carol Diaz', 'lunch?']]);
  const account = triageAccount();
  const hiding = {...account, settings: {...account.settings, pmContentInDesktopNotifications: false}};
  expect(await notificationFixture({account: hiding}).arriveAndNotify(fromCarol())).toEqual([['Carol Diaz', '']]);
  const mention = await notificationFixture({account: hiding}).arriveAndNotify(inWeb(), 'mentioned');
  expect(mention).toEqual([[expect.stringContaining('#web › css'), 'hello']]);
});

test('notifications: a toast about a message takes the place of no problem', async () => {
  const {app, arriveAndNotify, toast} = notificationFixture();
  app.set({hasWindowFocus: true});
  app.toast('The disk is full', 'error');
  await arriveAndNotify(fromCarol());
  expect(toast()).toBe('The disk is full');
});

test('quiet time: of more than a thousand messages that were held back, the newest are remembered', () => {
  const {app, store} = triageFixture();
  const messages = Array.from({length: 1001}, (_, at) => eg.message({id: at + 1, channelId: backend}));
  holdNotifications(app, messages);
  const held: readonly [number, string][] = JSON.parse(store.keyValues.get('held notifications') ?? '[]');
  expect([held.length, held[0]?.[0], held.at(-1)?.[0]]).toEqual([1000, 2, 1001]);
});

test('do not disturb: all accounts show it, and its redo can be undone', () => {
  let until = 0;
  const doNotDisturb = {
    until: () => until,
    set: (to: number) => {
      until = to;
    },
  };
  const {shown, fixtures, press} = organizationsFixture({acme: undefined, beta: undefined}, 'grouped', '80x40', () => ({
    device: {doNotDisturb},
  }));
  const signs = () => fixtures.map(({app}) => app.screen.quietUntil !== undefined);
  doNotDisturbForHour(shown());
  const after = [signs()];
  for (const key of ['z', 'Z', 'z']) {
    press(key);
    after.push(signs());
  }
  expect(after).toEqual([
    [true, true],
    [false, false],
    [true, true],
    [false, false],
  ]);
});

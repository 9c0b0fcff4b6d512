import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import type {AppSettings} from '#app/core/host.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {type NotifySettings, notificationListener, watchQuietTime} from '#app/watchers/notifications.ts';
import {directConversation} from '#state/model/conversation.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {fastClock, sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {statusLines} from '#test/support/part-lines.ts';
import {screenLayout} from '#ui/screen-layout.ts';

const defaults: NotifySettings = {
  notifyWith: 'desktop',
  notifyDirect: true,
  notifyMention: true,
  notifyShow: 'text',
};

async function notificationFixture(
  settings: Partial<NotifySettings & Pick<AppSettings, 'notifyQuiet'>> = {},
  clock: Clock = systemClock,
  rules?: Parameters<typeof notificationListener>[2],
) {
  const fixture = await sessionFixture();
  let app: App | undefined;
  const getApp = () => {
    if (app === undefined) throw new Error('called before the app exists');
    return app;
  };
  const session = fixture.session({
    listeners: [() => notificationListener(getApp, () => ({...defaults, ...settings}), rules)],
  });
  const {app: createdApp, deviceCalls, router} = appFixture({session, clock, settings});
  app = createdApp;
  watchQuietTime(createdApp);
  session.start();
  await session.ready();
  const otto = fixture.server.as(fixture.otto);
  const write = (content: string) => otto.post('/messages', {type: 'direct', to: [fixture.meg.id], content});
  const notified = () => deviceCalls.filter(([name]) => name === 'notify' || name === 'bell');
  /** Waits until the event of a message was handled by all listeners. */
  const untilKnown = (id: number) => expect.poll(() => createdApp.state.messages.byId.has(id)).toBe(true);
  const run = (id: string) => router.run(createdApp, id);
  return {...fixture, client: session, app: createdApp, write, notified, untilKnown, run};
}

test('notifications: without window focus direct messages and mentions notify, nothing else', async () => {
  const {app, write, notified, postMessage: say} = await notificationFixture({}, fastClock);
  app.set({hasWindowFocus: false});
  await say('nothing for anybody');
  await write('lunch?\nor not');
  await expect.poll(notified).toEqual([['notify', 'Otto', 'lunch? or not']]);
  await say('@**Meg Member** look', 'boats');
  await expect.poll(() => notified()[1]).toEqual(['notify', 'Otto in #general › boats', '@Meg Member look']);
});

test('notifications: messages in quick succession notify together', async () => {
  const clock = new ManualClock();
  const {app, write, notified, untilKnown} = await notificationFixture({}, clock);
  app.set({hasWindowFocus: false});
  await write('one');
  await expect.poll(notified).toHaveLength(1);
  for (const {id} of await Promise.all([write('two'), write('three')])) await untilKnown(id);
  expect(notified()).toHaveLength(1);
  clock.advance(3000);
  expect(notified()[1]).toEqual(['notify', '2 new messages for you', 'from Otto']);
});

test('notifications: with window focus a toast shows the message, unless its conversation is open', async () => {
  const {app, write, notified, otto, meg, untilKnown} = await notificationFixture();
  app.set({hasWindowFocus: true});
  await write('over here');
  await expect.poll(() => app.screen.toast?.text).toBe('Otto: over here');
  app.set({toast: undefined});
  openConversation(app, directConversation([otto.id], meg.id));
  const {id} = await write('and here');
  await untilKnown(id);
  expect(app.screen.toast).toBeUndefined();
  expect(notified()).toEqual([]);
});

test('notifications: without focus reports the bell rings', async () => {
  const {app, write, notified} = await notificationFixture();
  await write('hello?');
  await expect.poll(notified).toEqual([['bell']]);
  expect(app.screen.toast?.text).toBe('Otto: hello?');
});

test('notifications: shows only the sender when set so', async () => {
  const {app, write, notified} = await notificationFixture({notifyShow: 'sender'});
  app.set({hasWindowFocus: false});
  await write('a secret');
  await expect.poll(notified).toEqual([['notify', 'Otto', '']]);
});

test('notifications: shows only that messages arrived when set so, of one and of several', async () => {
  const clock = new ManualClock();
  const {app, write, notified, untilKnown} = await notificationFixture({notifyShow: 'nothing'}, clock);
  app.set({hasWindowFocus: false});
  await write('a secret');
  await expect.poll(notified).toEqual([['notify', 'Parley', 'One new message for you']]);
  for (const {id} of [await write('another'), await write('third')]) await untilKnown(id);
  clock.advance(3000);
  expect(notified().slice(1)).toEqual([['notify', 'Parley', '2 new messages for you']]);
});

test('notifications: with the bell, nothing is written to the desktop', async () => {
  const {app, write, notified} = await notificationFixture({notifyWith: 'bell'});
  app.set({hasWindowFocus: false});
  await write('a secret');
  await expect.poll(notified).toEqual([['bell']]);
});

test('notifications: nothing notifies when switched off', async () => {
  const {app, write, notified, untilKnown} = await notificationFixture({notifyWith: 'off'});
  app.set({hasWindowFocus: false});
  const {id} = await write('anybody?');
  await untilKnown(id);
  expect(notified()).toEqual([]);
});

const [minute, hour] = [60_000, 3_600_000];
const evening = Date.UTC(2026, 2, 27, 22, 30);

/** Writes two direct messages and a mention, and waits until they were handled. */
async function writeThree({write, postMessage, untilKnown}: Awaited<ReturnType<typeof notificationFixture>>) {
  const ids = [(await write('one')).id, (await write('two')).id, await postMessage('@**Meg Member** three')];
  for (const id of ids) await untilKnown(id);
  return ids;
}

test('quiet hours: nothing notifies, and afterwards one line says what was held back', async () => {
  const clock = new ManualClock(evening);
  const fixture = await notificationFixture({notifyQuiet: '22:00-08:00'}, clock);
  const {app, notified} = fixture;
  app.set({hasWindowFocus: false});
  await writeThree(fixture);
  clock.advance(hour);
  expect(notified()).toEqual([]);
  clock.advance(8.5 * hour);
  expect(notified()).toEqual([['notify', '3 notifications were held back: 1 mention, 2 direct messages', '']]);
  clock.advance(hour);
  expect(notified()).toHaveLength(1);
});

test('quiet hours: what was read meanwhile is not counted, and a toast is shown to a user who looks at Parley', async () => {
  const clock = new ManualClock(evening);
  const fixture = await notificationFixture({notifyQuiet: '22:00-08:00'}, clock);
  const {app, client, notified, server, meg} = fixture;
  app.set({hasWindowFocus: false});
  const ids = await writeThree(fixture);
  await server.as(meg).post('/messages/flags', {messages: JSON.stringify(ids.slice(0, 2)), op: 'add', flag: 'read'});
  await expect.poll(() => ids.filter((id) => client.cache.state.unreads.byId.has(id))).toEqual(ids.slice(2));
  app.set({hasWindowFocus: true});
  await fixture.write('four');
  await expect.poll(() => app.screen.toast?.text).toBe('Otto: four');
  clock.advance(9.5 * hour);
  expect(app.screen.toast?.text).toBe('1 notification was held back: 1 mention');
  expect(notified()).toEqual([]);
});

test('quiet hours: after a restart the line still says what was held back before', async () => {
  const clock = new ManualClock(evening);
  const fixture = await notificationFixture({notifyQuiet: '22:00-08:00'}, clock);
  fixture.app.set({hasWindowFocus: false});
  await writeThree(fixture);
  fixture.app.end();
  const morning = new ManualClock(evening + 10 * hour);
  const {app, deviceCalls} = appFixture({
    session: fixture.client,
    clock: morning,
    settings: {notifyQuiet: '22:00-08:00'},
  });
  app.set({hasWindowFocus: false});
  watchQuietTime(app);
  morning.advance(minute);
  expect(deviceCalls.filter(([name]) => name === 'notify')).toEqual([
    ['notify', '3 notifications were held back: 1 mention, 2 direct messages', ''],
  ]);
});

test('do not disturb: for an hour nothing notifies; a clock that is set ahead ends it, and turning it off says what was held back', async () => {
  const clock = new ManualClock(Date.UTC(2026, 2, 27, 12));
  const fixture = await notificationFixture({}, clock);
  const {app, notified, run} = fixture;
  app.set({hasWindowFocus: false});
  run('notify.pause');
  expect(app.screen.toast?.text).toContain('Do not disturb until 1:00 PM');
  await writeThree(fixture);
  clock.advance(59 * minute);
  expect(notified()).toEqual([]);
  clock.setAhead(2 * minute);
  clock.advance(minute);
  expect(notified()).toEqual([['notify', '3 notifications were held back: 1 mention, 2 direct messages', '']]);
  run('notify.resume');
  expect(app.screen.toast?.text).toBe('Do not disturb is off already');
  run('notify.pause');
  const {id} = await fixture.write('five');
  await fixture.untilKnown(id);
  run('notify.resume');
  expect(app.screen.toast?.text).toContain('Notifications are on. 1 notification was held back: 1 direct message');
  run('undo');
  expect(app.device.doNotDisturb.until()).toBeGreaterThan(clock.now());
});

test('do not disturb: it also holds what a rule notifies of, which quiet hours do not', async () => {
  const clock = new ManualClock(evening);
  const rulings = async () => ({get: () => 'notify'}) as never;
  const {app, notified, run, postMessage, untilKnown} = await notificationFixture({notifyQuiet: '22:00-08:00'}, clock, {
    rulings,
  });
  app.set({hasWindowFocus: false});
  await postMessage('fire');
  await expect.poll(notified).toHaveLength(1);
  run('notify.pause');
  await untilKnown(await postMessage('smoke'));
  clock.advance(30 * minute);
  expect(notified()).toHaveLength(1);
});

test('quiet time: the status line says until when notifications are held, and no longer when that is over or ended', async () => {
  const clock = new ManualClock(evening);
  const {app, run} = await notificationFixture({notifyQuiet: '22:00-08:00'}, clock);
  const sign = () =>
    /quiet until ([^,]*?[AP]M)/.exec(textOf(statusLines(app.frame, screenLayout(app.frame).main))[0] ?? '')?.[1];
  app.set({toast: undefined});
  expect(sign()).toBe('tomorrow 8:00 AM');
  clock.advance(9.5 * hour);
  expect(sign()).toBeUndefined();
  clock.advance(30_000);
  run('notify.pause');
  expect(sign()).toBe('9:00 AM');
  clock.advance(hour - 1000);
  expect(sign()).toBe('9:00 AM');
  clock.advance(1000);
  expect(sign()).toBeUndefined();
  run('notify.pause');
  run('notify.resume');
  expect(sign()).toBeUndefined();
  run('undo');
  expect(sign()).toBeDefined();
  run('undo');
  expect(sign()).toBeUndefined();
});

test('notifications: channels notify as the account says: channel, topic, @all', async () => {
  const {
    app,
    client,
    notified,
    postMessage: say,
    server,
    meg,
    channelId,
    untilKnown,
  } = await notificationFixture({}, fastClock);
  app.set({hasWindowFocus: false});
  const my = server.as(meg);
  const setChannel = async (property: string, value: boolean) => {
    const changes = JSON.stringify([{stream_id: channelId, property, value}]);
    await my.post('/users/me/subscriptions/properties', {subscription_data: changes});
  };
  const subscription = () => client.cache.state.subscriptions.get(channelId);
  const bodies = () => notified().map(([, , body]) => body);
  await untilKnown(await say('as before'));
  await setChannel('desktop_notifications', true);
  await expect.poll(() => subscription()?.desktopNotifications).toBe(true);
  await say('every message');
  await expect.poll(bodies).toEqual(['every message']);
  await my.post('/user_topics', {stream_id: channelId, topic: 'noise', visibility_policy: 1});
  await expect.poll(() => client.cache.state.userTopics.size).toBe(1);
  await untilKnown(await say('muted', 'noise'));
  await setChannel('desktop_notifications', false);
  await setChannel('wildcard_mentions_notify', false);
  await expect.poll(() => subscription()?.wildcardMentionsNotify).toBe(false);
  await untilKnown(await say('no longer'));
  await untilKnown(await say('@**all** not here'));
  await my.post('/user_topics', {stream_id: channelId, topic: 'plans', visibility_policy: 3});
  await expect.poll(() => client.cache.state.userTopics.size).toBe(2);
  await say('followed', 'plans');
  await expect.poll(bodies).toEqual(['every message', 'followed']);
  await my.patch('/settings', {enable_followed_topic_desktop_notifications: false});
  await expect.poll(() => client.cache.state.settings.enableFollowedTopicDesktopNotifications).toBe(false);
  await untilKnown(await say('quiet', 'plans'));
  await say('@**all** follow me', 'plans');
  await expect.poll(bodies).toEqual(['every message', 'followed', '@all follow me']);
});

test('notifications: a muted topic notifies of the own name and of alert words only, and of more when it is unmuted', async () => {
  const {
    app,
    client,
    notified,
    postMessage: say,
    server,
    meg,
    channelId,
    untilKnown,
  } = await notificationFixture({}, fastClock);
  app.set({hasWindowFocus: false});
  const my = server.as(meg);
  await my.post('/users/me/alert_words', {alert_words: '["storm"]'});
  const setPolicy = async (policy: number) => {
    await my.post('/user_topics', {stream_id: channelId, topic: 'noise', visibility_policy: policy});
    await expect.poll(() => [...client.cache.state.userTopics.values()][0]?.policy ?? 0).toBe(policy);
  };
  await setPolicy(1);
  const bodies = () => notified().map(([, , body]) => body);
  for (const text of ['hello', '@**all** look']) await untilKnown(await say(text, 'noise'));
  await say('@**Meg Member** look', 'noise');
  await expect.poll(bodies).toEqual(['@Meg Member look']);
  await say('a storm comes', 'noise');
  await expect.poll(bodies).toEqual(['@Meg Member look', 'a storm comes']);
  await setPolicy(0);
  await say('@**all** come', 'noise');
  await expect.poll(bodies).toEqual(['@Meg Member look', 'a storm comes', '@all come']);
});

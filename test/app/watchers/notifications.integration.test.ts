import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {type NotifySettings, notificationListener} from '#app/watchers/notifications.ts';
import {directConversation} from '#state/model/conversation.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {fastClock, sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const defaults: NotifySettings = {
  notifyWith: 'desktop',
  notifyDirect: true,
  notifyMention: true,
  notifyShow: 'text',
};

async function notificationFixture(settings: Partial<NotifySettings> = {}, clock: Clock = systemClock) {
  const fixture = await sessionFixture();
  let app: App | undefined;
  const getApp = () => {
    if (app === undefined) throw new Error('called before the app exists');
    return app;
  };
  const session = fixture.session({
    listeners: [() => notificationListener(getApp, () => ({...defaults, ...settings}))],
  });
  const {app: createdApp, deviceCalls} = appFixture({session, clock});
  app = createdApp;
  session.start();
  await session.ready();
  const otto = fixture.server.as(fixture.otto);
  const write = (content: string) => otto.post('/messages', {type: 'direct', to: [fixture.meg.id], content});
  const notified = () => deviceCalls.filter(([name]) => name === 'notify' || name === 'bell');
  /** Waits until the event of a message was handled by all listeners. */
  const untilKnown = (id: number) => expect.poll(() => createdApp.state.messages.byId.has(id)).toBe(true);
  return {...fixture, app: createdApp, write, notified, untilKnown};
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

test('notifications: nothing notifies when switched off', async () => {
  const {app, write, notified, untilKnown} = await notificationFixture({notifyWith: 'off'});
  app.set({hasWindowFocus: false});
  const {id} = await write('anybody?');
  await untilKnown(id);
  expect(notified()).toEqual([]);
});

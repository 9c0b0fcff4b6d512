import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {type NotifySettings, notificationListener} from '#app/watchers/notifications.ts';
import {directConversation} from '#state/model/conversation.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {fastClock, sessionFixture} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';

const usual: NotifySettings = {
  notifyWith: 'desktop',
  notifyDirect: true,
  notifyMention: true,
  notifyShow: 'text',
};

async function stageWith(settings: Partial<NotifySettings> = {}, clock: Clock = systemClock) {
  const stage = await sessionFixture();
  let app: App | undefined;
  const appOf = () => {
    if (app === undefined) throw new Error('asked too early');
    return app;
  };
  const session = stage.session({listeners: [() => notificationListener(appOf, {...usual, ...settings})]});
  const {app: made, deviceCalls} = appFixture({session, clock});
  app = made;
  session.start();
  await session.ready();
  const otto = stage.server.as(stage.otto);
  const write = (content: string) => otto.post('/messages', {type: 'direct', to: [stage.meg.id], content});
  const told = () => deviceCalls.filter(([name]) => name === 'notify' || name === 'bell');
  /** Its event was heard, by everybody who attends to events. */
  const knows = (id: number) => expect.poll(() => made.state.messages.byId.has(id)).toBe(true);
  return {...stage, app: made, write, told, knows};
}

test('whoever is elsewhere is told of direct messages and mentions, and of nothing else', async () => {
  const {app, write, told, say} = await stageWith({}, fastClock);
  app.set({hasWindowFocus: false});
  await say('nothing for anybody');
  await write('lunch?\nor not');
  await expect.poll(told).toEqual([['notify', 'Otto', 'lunch? or not']]);
  await say('@**Meg Member** look', 'boats');
  await expect.poll(() => told()[1]).toEqual(['notify', 'Otto in #general › boats', '@Meg Member look']);
});

test('what comes in quick succession is told together', async () => {
  const clock = new ManualClock();
  const {app, write, told, knows} = await stageWith({}, clock);
  app.set({hasWindowFocus: false});
  await write('one');
  await expect.poll(told).toHaveLength(1);
  for (const {id} of await Promise.all([write('two'), write('three')])) await knows(id);
  expect(told()).toHaveLength(1);
  clock.advance(3000);
  expect(told()[1]).toEqual(['notify', '2 new messages for you', 'from Otto']);
});

test('whoever looks reads it on the screen, unless the conversation is open', async () => {
  const {app, write, told, otto, meg, knows} = await stageWith();
  app.set({hasWindowFocus: true});
  await write('over here');
  await expect.poll(() => app.screen.toast?.text).toBe('Otto: over here');
  app.set({toast: undefined});
  openConversation(app, directConversation([otto.id], meg.id));
  const {id} = await write('and here');
  await knows(id);
  expect(app.screen.toast).toBeUndefined();
  expect(told()).toEqual([]);
});

test('where nobody knows who looks, the bell rings', async () => {
  const {app, write, told} = await stageWith();
  await write('hello?');
  await expect.poll(told).toEqual([['bell']]);
  expect(app.screen.toast?.text).toBe('Otto: hello?');
});

test('it says as little as was asked for', async () => {
  const {app, write, told} = await stageWith({notifyShow: 'sender'});
  app.set({hasWindowFocus: false});
  await write('a secret');
  await expect.poll(told).toEqual([['notify', 'Otto', '']]);
});

test('nothing is told when it is switched off', async () => {
  const {app, write, told, knows} = await stageWith({notifyWith: 'off'});
  app.set({hasWindowFocus: false});
  const {id} = await write('anybody?');
  await knows(id);
  expect(told()).toEqual([]);
});

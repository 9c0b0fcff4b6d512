import {expect, test, vi} from 'vitest';
import type {App} from '#app/app.ts';
import {openConversation} from '#app/navigation.ts';
import {type NotifySettings, notifications} from '#app/notifications.ts';
import {directConversation} from '#state/model/conversation.ts';
import {type Clock, systemClock} from '#std/clock.ts';
import {hurriedClock, sessionStage} from '#test/state/session-stage.ts';
import {appStage} from '#test/support/app-stage.ts';

const usual: NotifySettings = {
  notifyWith: 'desktop',
  notifyDirect: true,
  notifyMention: true,
  notifyShow: 'text',
};

/** Three seconds pass in one: time enough to send twice. */
const slowerClock: Clock = {...systemClock, after: (ms, task) => systemClock.after(ms / 3, task)};

async function stageWith(settings: Partial<NotifySettings> = {}, clock: Clock = systemClock) {
  const stage = await sessionStage();
  let app: App | undefined;
  const appOf = () => {
    if (app === undefined) throw new Error('asked too early');
    return app;
  };
  const session = stage.session({attendants: [() => notifications(appOf, {...usual, ...settings})]});
  const {app: made, deviceCalls} = appStage({session, clock});
  app = made;
  session.start();
  await session.ready();
  const otto = stage.server.as(stage.otto);
  const write = (content: string) => otto.post('/messages', {type: 'direct', to: [stage.meg.id], content});
  const told = () => deviceCalls.filter(([name]) => name === 'notify' || name === 'bell');
  return {...stage, app: made, write, told};
}

test('whoever is elsewhere is told of direct messages and mentions, and of nothing else', async () => {
  const {app, write, told, say} = await stageWith({}, hurriedClock);
  app.set({hasWindowFocus: false});
  await say('nothing for anybody');
  await write('lunch?\nor not');
  await vi.waitFor(() => expect(told()).toEqual([['notify', 'Otto', 'lunch? or not']]));
  await say('@**Meg Member** look', 'boats');
  await vi.waitFor(() =>
    expect(told()[1]).toEqual(['notify', 'Otto in #general › boats', '@Meg Member look']),
  );
});

test('what comes in quick succession is told together', async () => {
  const {app, write, told} = await stageWith({}, slowerClock);
  app.set({hasWindowFocus: false});
  await write('one');
  await vi.waitFor(() => expect(told()).toHaveLength(1));
  await Promise.all([write('two'), write('three')]);
  await vi.waitFor(() => expect(told()[1]).toEqual(['notify', '2 new messages for you', 'from Otto']), 5000);
});

test('whoever looks reads it on the screen, unless the conversation is open', async () => {
  const {app, write, told, otto, meg} = await stageWith();
  app.set({hasWindowFocus: true});
  await write('over here');
  await vi.waitFor(() => expect(app.screen.toast?.text).toBe('Otto: over here'));
  app.set({toast: undefined});
  openConversation(app, directConversation([otto.id], meg.id));
  const {id} = await write('and here');
  await vi.waitFor(() => expect(app.state.messages.byId.has(id)).toBe(true));
  expect(app.screen.toast).toBeUndefined();
  expect(told()).toEqual([]);
});

test('where nobody knows who looks, the bell rings', async () => {
  const {app, write, told} = await stageWith();
  await write('hello?');
  await vi.waitFor(() => expect(told()).toEqual([['bell']]));
  expect(app.screen.toast?.text).toBe('Otto: hello?');
});

test('it says as little as was asked for', async () => {
  const {app, write, told} = await stageWith({notifyShow: 'sender'});
  app.set({hasWindowFocus: false});
  await write('a secret');
  await vi.waitFor(() => expect(told()).toEqual([['notify', 'Otto', '']]));
});

test('nothing is told when it is switched off', async () => {
  const {app, write, told} = await stageWith({notifyWith: 'off'});
  app.set({hasWindowFocus: false});
  const {id} = await write('anybody?');
  await vi.waitFor(() => expect(app.state.messages.byId.has(id)).toBe(true));
  expect(told()).toEqual([]);
});

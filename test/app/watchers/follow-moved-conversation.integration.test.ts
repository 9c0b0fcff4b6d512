import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {goBack, openConversation, openView, timelineState} from '#app/navigation/navigation.ts';
import {movedConversationListener, watchMovedConversations} from '#app/watchers/follow-moved-conversation.ts';
import {conversationKey, topicConversation} from '#state/model/conversation.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';

/** Meg reads three messages of Otto's, with the cursor on the second. */
async function readerFixture() {
  const fixture = await sessionFixture();
  let app: App | undefined;
  const getApp = () => {
    if (app === undefined) throw new Error('called before the app exists');
    return app;
  };
  const session = fixture.session({
    listeners: [() => movedConversationListener(getApp), () => ({onRegistered: () => void fixture.registrations++})],
  });
  const parts = appFixture({session, size: '100x40'});
  app = parts.app;
  watchMovedConversations(app);
  session.start();
  await session.ready();
  const ids = [await fixture.postMessage('one'), await fixture.postMessage('two'), await fixture.postMessage('three')];
  const [first = 0, second = 0, third = 0] = ids;
  const talk = topicConversation(fixture.channelId, 'talk');
  openView(parts.app, {kind: 'recent'});
  openConversation(parts.app, talk);
  await waitForState(session, hasMessage(third));
  await untilApp(parts.app, () => selectedMessage(parts.app) !== undefined);
  selectRow(parts.app, second);
  parts.app.frames.paintNow();
  const otto = fixture.server.as(fixture.otto);
  return {
    ...parts,
    ...fixture,
    session,
    ids: {first, second, third},
    topic: () => {
      const shown = shownConversation(parts.app.screen);
      return shown?.kind === 'topic' ? shown.topic : undefined;
    },
    toast: () => parts.app.screen.toast?.text,
    move: (id: number, topic: string, mode: string, more: object = {}) =>
      otto.patch(`/messages/${id}`, {
        topic,
        propagate_mode: mode,
        send_notification_to_new_thread: false,
        ...more,
      }),
  };
}

test('moved conversation: a reader of a topic that is renamed stays at the same message and gets a toast', async () => {
  const {app, ids, move, topic, toast} = await readerFixture();
  const before = timelineState(app);
  await move(ids.first, 'chatter', 'change_all');
  await untilApp(app, () => topic() === 'chatter');
  expect(toast()).toBe('Otto renamed this topic to chatter');
  expect(timelineState(app)).toMatchObject({selected: ids.second, anchor: before.anchor});
  await untilApp(app, () => selectedMessage(app)?.id === ids.second);
});

test('moved conversation: back leads to the previous view, and forward to the topic under its new name', async () => {
  const {app, ids, move, topic, press} = await readerFixture();
  await move(ids.first, 'chatter', 'change_all');
  await untilApp(app, () => topic() === 'chatter');
  expect(goBack(app)).toBe(true);
  expect(app.screen.view).toEqual({kind: 'recent'});
  press('Alt-Right');
  expect(topic()).toBe('chatter');
});

test('moved conversation: a renamed topic in the history opens under its new name', async () => {
  const {app, session, ids, move, topic, channelId, toast} = await readerFixture();
  openView(app, {kind: 'recent'});
  await move(ids.first, 'chatter', 'change_all');
  await waitForState(session, ({messages}) => messages.byConversation.has(`c${channelId}:chatter`));
  expect(toast()).toBeUndefined();
  goBack(app);
  expect(topic()).toBe('chatter');
});

test('moved conversation: when some messages are moved the view stays and a toast says where they went', async () => {
  const {app, session, ids, move, topic, toast, channelId} = await readerFixture();
  await move(ids.second, 'aside', 'change_later');
  await waitForState(session, ({messages}) => messages.byConversation.has(`c${channelId}:aside`));
  await untilApp(app, () => toast() === 'Otto moved 2 messages to #general › aside');
  expect(topic()).toBe('talk');
});

test('moved conversation: when messages are moved one by one the view follows the last of them', async () => {
  const {app, ids, move, topic} = await readerFixture();
  await move(ids.first, 'aside', 'change_one');
  await move(ids.third, 'aside', 'change_one');
  await untilApp(app, () => toastOf(app) === 'Otto moved 1 message to #general › aside');
  expect(topic()).toBe('talk');
  await move(ids.second, 'aside', 'change_one');
  await untilApp(app, () => topic() === 'aside');
});

const toastOf = (app: App) => app.screen.toast?.text;

test('moved conversation: a resolved topic is reported as resolved', async () => {
  const {app, ids, move, topic, toast} = await readerFixture();
  await move(ids.first, '✔ talk', 'change_all');
  await untilApp(app, () => topic() === '✔ talk');
  expect(toast()).toBe('Otto resolved this topic');
});

test('moved conversation: a draft moves with its conversation', async () => {
  const {app, ids, move, topic, press, type, session} = await readerFixture();
  press('r');
  type('I think');
  press('Esc');
  await move(ids.first, 'chatter', 'change_all');
  await untilApp(app, () => topic() === 'chatter');
  expect(app.screen.composer.field.text).toBe('I think');
  expect(session.drafts.all()).toMatchObject([{content: 'I think', target: {topic: 'chatter'}}]);
});

test('moved conversation: while the user writes, the composer asks first and the view follows the choice', async () => {
  const {app, ids, move, topic, press, type, session, channelId} = await readerFixture();
  press('r');
  type('I think');
  await move(ids.first, 'chatter', 'change_all');
  await waitForState(session, ({messages}) => messages.byConversation.has(`c${channelId}:chatter`));
  app.frames.paintNow();
  expect(topic()).toBe('talk');
  press('Enter');
  await untilApp(app, () => topic() === 'chatter');
  expect(app.screen.focus).toBe('composer');
  expect(app.screen.composer).toMatchObject({isOpen: true, field: {text: 'I think'}});
});

test('moved conversation: while the user writes, Esc stays', async () => {
  const {app, ids, move, topic, press, type, session, channelId} = await readerFixture();
  press('r');
  type('I think');
  await move(ids.first, 'chatter', 'change_all');
  await waitForState(session, ({messages}) => messages.byConversation.has(`c${channelId}:chatter`));
  app.frames.paintNow();
  press('Esc', 'Esc');
  expect(topic()).toBe('talk');
  expect(app.screen.movedConversation).toBeUndefined();
});

test('moved conversation: a topic that was renamed while offline is found by its message', async () => {
  const {app, ids, move, topic, toast, hook, server, meg, registrations} = await readerFixture();
  await hook('fault', {method: 'GET', path: '/events', kind: 'delay', delay_ms: 300, times: 1});
  await hook('expire-queues', {user_id: meg.id});
  expect(server).toBeDefined();
  await move(ids.first, 'chatter', 'change_all');
  await untilApp(app, () => topic() === 'chatter');
  expect(toast()).toBe('This conversation moved to #general › chatter');
  expect(registrations).toBeGreaterThan(0);
  const shown = shownConversation(app.screen);
  expect(shown === undefined ? '' : conversationKey(shown)).toContain('chatter');
  await expect.poll(() => selectedMessage(app)?.id).toBe(ids.second);
});

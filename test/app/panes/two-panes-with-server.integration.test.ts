import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {selectRow} from '#app/message-pane/selection.ts';
import {openConversation, timelineState} from '#app/navigation/navigation.ts';
import {focusOtherPane, openInOtherPane} from '#app/panes/other-pane.ts';
import {movedConversationListener, watchMovedConversations} from '#app/watchers/follow-moved-conversation.ts';
import type {ServerOptions} from '#server/server.ts';
import {type Conversation, topicConversation} from '#state/model/conversation.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** Meg has the topic “talk” at the left and “plans” at the right, with the focus. */
async function dividedFixture(options: ServerOptions = {}) {
  const fixture = await sessionFixture(options);
  await fixture.postMessage('first talk', 'talk');
  await fixture.postMessage('first plan', 'plans');
  let app: App | undefined;
  const getApp = () => {
    if (app === undefined) throw new Error('called before the app exists');
    return app;
  };
  const session = fixture.session({listeners: [() => movedConversationListener(getApp)]});
  session.start();
  await session.ready();
  const parts = appFixture({session, size: '140x40', settings: {markRead: 'on-view'}});
  app = parts.app;
  watchMovedConversations(app);
  const {app: shown} = parts;
  const [talk, plans] = [topicConversation(fixture.channelId, 'talk'), topicConversation(fixture.channelId, 'plans')];
  openConversation(shown, talk);
  await untilApp(shown, () => selectedMessage(shown) !== undefined && shown.screen.timelines.size === 1);
  await waitForState(session, ({unreads}) => unreads.byId.size === 1);
  openInOtherPane(shown, 'beside', () => openConversation(shown, plans));
  shown.frames.paintNow();
  await waitForState(session, ({unreads}) => unreads.byId.size === 0);
  return {
    ...parts,
    ...fixture,
    session,
    /** The messages of the pane without the focus. */
    otherText: () => {
      const frame = otherPaneFrame(shown.frames.paintedFrame);
      return frame === undefined ? '' : textOf(messagePaneLines(frame, screenLayout(frame).main)).join('\n');
    },
    mainText: () => {
      const frame = shown.frames.paintedFrame;
      return textOf(messagePaneLines(frame, screenLayout(frame).main)).join('\n');
    },
  };
}

test('two panes: messages arrive in both, and only the focused one marks them read', async () => {
  const {app, postMessage, otherText, mainText, session, server, meg} = await dividedFixture();
  const [left, right] = [await postMessage('to the left', 'talk'), await postMessage('to the right', 'plans')];
  await untilApp(app, () => otherText().includes('to the left') && mainText().includes('to the right'));
  await waitForState(session, ({unreads}) => !unreads.byId.has(right));
  await waitForState(session, () => session.pendingChanges.pendingActions().length === 0);
  expect([...app.state.unreads.byId.keys()]).toEqual([left]);
  const {messages} = await server.as(meg).get('/messages', {anchor: 'newest', num_before: 2, num_after: 0});
  expect(messages.map(({flags}: {flags: readonly string[]}) => flags.includes('read'))).toEqual([false, true]);
  expect(otherText()).toMatch(/1 unread[\s\S]*to the left/);
  // Moving the focus there reads it.
  focusOtherPane(app);
  app.frames.paintNow();
  await waitForState(session, ({unreads}) => unreads.byId.size === 0);
});

test('two panes: neither marks anything read while the window lacks the focus', async () => {
  const {app, postMessage, otherText, mainText} = await dividedFixture();
  app.set({hasWindowFocus: false});
  await postMessage('to the left', 'talk');
  await postMessage('to the right', 'plans');
  await untilApp(app, () => otherText().includes('to the left') && mainText().includes('to the right'));
  expect(app.state.unreads.byId.size).toBe(2);
});

test('two panes: the one without the focus says who is typing there', async () => {
  const {app, server, otto, otherText, channelId} = await dividedFixture();
  await server.as(otto).post('/typing', {type: 'stream', op: 'start', stream_id: channelId, topic: 'talk'});
  await untilApp(app, () => otherText().includes('Otto is typing'));
});

test('two panes: the one without the focus keeps its place when messages arrive', async () => {
  const {app, postMessage, session, otherText} = await dividedFixture();
  const ids: number[] = [];
  for (let at = 0; at < 60; at++) ids.push(await postMessage(`talk ${at}`, 'talk'));
  await waitForState(session, hasMessage(ids[59] ?? 0));
  await untilApp(app, () => /\d+ unread below/.test(otherText()));
  focusOtherPane(app);
  selectRow(app, ids[20] ?? 0);
  app.frames.paintNow();
  focusOtherPane(app);
  app.frames.paintNow();
  const messages = () => otherText().split('\n').slice(0, -1);
  const before = messages();
  const last = await postMessage('the last one', 'talk');
  await waitForState(session, hasMessage(last));
  app.frames.paintNow();
  expect(messages()).toEqual(before);
  expect(app.screen.otherPane?.timeline?.selected).toBe(ids[20]);
});

test('two panes: a link to a message that is not in the topic opens where it would be, also after the focus has moved on', async () => {
  const {app, postMessage, channelId, otherText, mainText} = await dividedFixture({rateLimited: false});
  const topics = [topicConversation(channelId, 'long'), topicConversation(channelId, 'longer')];
  const absent: number[] = [];
  for (let at = 0; at < 60; at++) {
    for (const {topic} of topics) await postMessage(`${topic} ${at}`, topic);
    if (at === 5) absent.push(await postMessage('elsewhere', 'talk'));
  }
  const [anchor] = absent;
  const [long, longer] = topics as [Conversation, Conversation];
  openConversation(app, long, {anchor});
  await untilApp(app, () => /long 5\b/.test(mainText()) && timelineState(app).openAt === undefined);
  // The answer comes while the other pane has the focus.
  openInOtherPane(app, 'beside', () => openConversation(app, longer, {anchor}));
  focusOtherPane(app);
  const isOpened = () => app.screen.otherPane?.timeline?.openAt === undefined;
  await untilApp(app, () => /longer 5\b/.test(otherText()) && isOpened());
});

test('two panes: both may show one conversation, each at a place of its own', async () => {
  const {app, postMessage, channelId, session, otherText, mainText} = await dividedFixture({rateLimited: false});
  const ids: number[] = [];
  for (let at = 0; at < 60; at++) ids.push(await postMessage(`talk ${at}`, 'talk'));
  await waitForState(session, hasMessage(ids[59] ?? 0));
  openConversation(app, topicConversation(channelId, 'talk'), {anchor: 'newest'});
  await untilApp(app, () => mainText().includes('talk 59') && otherText().includes('talk 1'));
  const seen = (text: string) => ['talk 2 ', 'talk 59 '].map((one) => text.replaceAll(/$/gm, ' ').includes(one));
  selectRow(app, ids[59] ?? 0);
  app.frames.paintNow();
  expect([seen(mainText()), seen(otherText())]).toEqual([
    [false, true],
    [true, false],
  ]);
  focusOtherPane(app);
  app.frames.paintNow();
  expect([seen(mainText()), seen(otherText())]).toEqual([
    [true, false],
    [false, true],
  ]);
});

test('two panes: the messages of both stay loaded, also while one is hidden', async () => {
  const {app, press, postMessage, session, channelId} = await dividedFixture();
  for (let at = 0; at < 3; at++) await postMessage(`plan ${at}`, 'plans');
  press('Ctrl-W', 'w');
  const isOpen = () => session.timelines.viewCenters().filter(({isShown}) => isShown).length;
  app.frames.paintNow();
  expect(isOpen()).toBe(2);
  expect(app.screen.otherPane?.view).toMatchObject({narrow: topicNarrow(channelId, 'plans')});
  press('Ctrl-W', 'z');
  expect(isOpen()).toBe(2);
  press('Ctrl-W', 'c');
  expect(isOpen()).toBe(1);
});

test('two panes: the one without the focus follows a topic that is renamed, with its place and its text', async () => {
  const {app, press, type, server, otto, session, channelId} = await dividedFixture();
  press('r');
  type('my plan');
  press('Ctrl-X', 'w');
  const {selected} = app.screen.otherPane?.timeline ?? {};
  expect(typeof selected).toBe('number');
  const body = {topic: 'schemes', propagate_mode: 'change_all', send_notification_to_new_thread: false};
  await server.as(otto).patch(`/messages/${selected}`, body);
  const schemes = topicConversation(channelId, 'schemes');
  await untilApp(app, () => {
    const {otherPane} = app.screen;
    const shown = otherPane && shownConversation(otherPane);
    return shown?.kind === 'topic' && shown.topic === 'schemes';
  });
  expect(app.screen.otherPane?.timeline?.selected).toBe(selected);
  press('Ctrl-W', 'w');
  expect([app.screen.composer.target, app.screen.composer.field.text]).toEqual([schemes, 'my plan']);
  expect(timelineState(app).selected).toBe(selected);
  expect(session.drafts.forConversation(schemes)).toEqual([expect.objectContaining({content: 'my plan'})]);
});

test('two panes: the edit of a message stays in its pane', async () => {
  const {app, press, type, server, meg, session, channelId, otherText} = await dividedFixture();
  const own = {type: 'stream', to: channelId, topic: 'plans', content: 'we leave at tree'};
  const {id} = await server.as(meg).post('/messages', own);
  await waitForState(session, hasMessage(id));
  selectRow(app, id);
  app.frames.paintNow();
  press('E');
  await untilApp(app, () => app.screen.composer.editing?.messageId === id);
  type(', or four');
  press('Ctrl-X', 'w');
  expect(app.screen.composer).toMatchObject({isOpen: false, editing: undefined, field: {text: ''}});
  expect(otherText()).toContain('we leave at tree');
  press('Ctrl-W', 'w');
  expect([app.screen.focus, app.screen.composer.editing?.messageId, app.screen.composer.field.text]).toEqual([
    'composer',
    id,
    'we leave at tree, or four',
  ]);
});

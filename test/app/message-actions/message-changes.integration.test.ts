import {expect, test} from 'vitest';
import {moveDestinationRows, parseMoveChoice} from '#app/message-actions/move-destinations.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {messageFixture, untilApp} from './message-fixture.ts';

const message = eg.message({id: 1, topic: 'talk', senderId: eg.selfId, timestamp: 1_767_268_700});
const frame = egFrame({
  account: eg.state({
    channels: SortedMap.by([eg.channel({id: 1, name: 'general'}), eg.channel({id: 2, name: 'ops'})], ({id}) => id),
    subscriptions: SortedMap.by([eg.subscription({channelId: 1})], ({channelId}) => channelId),
    messages: withMessages(initialState.messages, [
      message,
      eg.message({id: 2, topic: 'tea'}),
      eg.message({id: 3, channelId: 2, topic: 'pager'}),
    ]),
  }),
});

const rowsFor = (query: string) =>
  moveDestinationRows(frame, message, query).map(({label, detail, disabled}) => [label, disabled ?? detail]);

test('move: offers existing topics and a new one', () => {
  expect(rowsFor('te')).toEqual([
    ['tea', 'existing topic'],
    ['te', 'new topic'],
  ]);
  expect(rowsFor('tee')).toEqual([['tee', 'new topic']]);
});

test('move: the unchanged field offers all topics, and marks the current one', () => {
  expect(rowsFor('talk')).toEqual([
    ['talk', 'The message is already in this topic.'],
    ['tea', 'existing topic'],
  ]);
});

test('move: another spelling of the topic is offered', () => {
  expect(rowsFor('Talk')).toContainEqual(['Talk', 'another spelling']);
});

test('move: # offers channels and > their topics; a missing permission shows why', () => {
  const [row] = moveDestinationRows(frame, message, '#op');
  expect(row).toMatchObject({
    label: '#ops',
    disabled: 'You do not have permission to move messages to another channel.',
  });
  expect(parseMoveChoice(row?.key ?? '')).toEqual({kind: 'channel', channelId: 2});
  expect(moveDestinationRows(frame, message, '#ops>').map(({label}) => label)).toEqual(['pager']);
});

test('move: renaming a topic moves all its messages, and the view follows', async () => {
  const {fixture, session, select, press, type, says, app} = await messageFixture();
  const first = await fixture.postMessage('one');
  const second = await fixture.postMessage('two');
  await select(second);
  await waitForState(session, ({messages}) => messages.byId.has(first));
  press('m');
  expect(await says('Move from #general › talk')).toContain('talk');
  press('Ctrl-U');
  type('tea time');
  press('Enter');
  expect(await says('Move to #general › tea time')).toMatch(/All messages of the topic {2}2 messages +3/);
  press('n', '3');
  await says('Moved to #general › tea time');
  await waitForState(session, ({messages}) => {
    const topics = [first, second].map((id) => messages.byId.get(id));
    return topics.every((moved) => moved?.kind === 'channel' && moved.topic === 'tea time');
  });
  await untilApp(app, () => {
    const shown = shownConversation(app.screen);
    return shown?.kind === 'topic' && shown.topic === 'tea time';
  });
  // No notice was sent, as chosen.
  expect(session.cache.state.maxMessageId).toBe(second);
});

test('move: only one message moves when chosen', async () => {
  const {fixture, session, select, press, type, says} = await messageFixture();
  const first = await fixture.postMessage('one');
  const second = await fixture.postMessage('two');
  await select(second);
  press('m', 'Ctrl-U');
  type('aside');
  press('Enter');
  await says('Only this message');
  press('1');
  await says('Moved to #general › aside');
  const topicOf = (id: number) => {
    const found = session.cache.state.messages.byId.get(id);
    return found?.kind === 'channel' ? found.topic : undefined;
  };
  await waitForState(session, () => topicOf(second) === 'aside');
  expect(topicOf(first)).toBe('talk');
});

test('move: when some messages are too old to move, the newer ones are offered', async () => {
  const {fixture, session, select, press, type, says} = await messageFixture();
  const mail = new MessageFixtureWriter(fixture.server.context);
  const old = mail.toChannel(fixture.otto, fixture.channelId, 'history', {sentAt: 1_600_000_000});
  const young = mail.toChannel(fixture.otto, fixture.channelId, 'history');
  await select(young);
  press('m', 'Ctrl-U');
  type('news');
  press('Enter', '3');
  await says('Move the newer 1 of 2');
  press('Down', 'Enter');
  await says('Moved to #general › news');
  const topics = [old, young].map((id) => {
    const found = session.cache.state.messages.byId.get(id);
    return found?.kind === 'channel' ? found.topic : undefined;
  });
  expect(topics).toEqual(['history', 'news']);
});

test('delete: asks for confirmation, with Cancel selected', async () => {
  const {fixture, session, select, press, says, overlay} = await messageFixture();
  const {id} = await fixture.server
    .as(fixture.meg)
    .post('/messages', {type: 'stream', to: fixture.channelId, topic: 'talk', content: 'oops'});
  await select(id);
  press('Delete');
  expect(await says('Delete your message?')).toContain('oops');
  press('Enter');
  expect(overlay()).toBeUndefined();
  expect(session.cache.state.messages.byId.has(id)).toBe(true);
  press('Delete', 'n');
  expect(overlay()).toBeUndefined();
  press('Delete', 'y');
  await waitForState(session, ({messages}) => !messages.byId.has(id));
});

test('delete: another sender’s message cannot be deleted, and the key says why', async () => {
  const {fixture, select, press, app} = await messageFixture();
  await select(await fixture.postMessage('mine'));
  press('Delete');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.toast?.text).toBe('You do not have permission to delete this message.');
});

test('collapse: a message with nothing to expand becomes one line, here and for other clients, and undo and the key expand it', async () => {
  const {fixture, session, select, press, app, says} = await messageFixture();
  const id = await fixture.postMessage('one\ntwo');
  await select(id);
  const isCollapsed = () => session.cache.state.messages.byId.get(id)?.flags.includes('collapsed');
  press('-');
  await says('Collapsed the message · z undo');
  expect(isCollapsed()).toBe(true);
  press('z');
  await says('Undone: Collapsed the message');
  expect(isCollapsed()).toBe(false);
  press('-', '-');
  await says('Expanded the message · z undo');
  expect(isCollapsed()).toBe(false);
  expect(app.screen.expandedMessageIds.size).toBe(0);
  await session.pendingChanges.idle();
  const {message} = await fixture.server.as(fixture.meg).get(`/messages/${id}`);
  expect(message.flags).not.toContain('collapsed');
});

test('reminder: set by a time in words, and removed by undo', async () => {
  const {fixture, session, select, press, type, says} = await messageFixture();
  const id = await fixture.postMessage('later');
  await select(id);
  press('B');
  type('in 2 hours');
  press('Enter');
  await says('Reminder set for');
  const {reminders} = await waitForState(session, (state) => state.reminders.size === 1);
  expect([...reminders.values()]).toMatchObject([{reminderTargetMessageId: id}]);
  press('z');
  await waitForState(session, (state) => state.reminders.size === 0);
});

test('reminder: a server without reminders is refused with a reason', async () => {
  const {fixture, select, press, app} = await messageFixture({server: {level: 371}});
  await select(await fixture.postMessage('later'));
  press('B');
  expect(app.screen.toast?.text).toBe('Needs Zulip 11 (feature level 399). This server has level 371.');
});

test('message menu: shows every key and runs its action', async () => {
  const {fixture, session, select, press, overlay} = await messageFixture();
  const id = await fixture.postMessage('hello');
  await select(id);
  press('i');
  expect(overlay()).toMatch(/Message from Otto/);
  expect(overlay()).toMatch(/React with emoji +:/);
  expect(overlay()).toMatch(/Delete message {2}You do not have permission.* Delete/);
  // What other kinds of messages have is left out.
  expect(overlay()).toContain('Topic visibility');
  expect(overlay()).not.toContain('Vote in poll');
  press('S');
  expect(overlay()).toBeUndefined();
  await waitForState(session, ({starred}) => starred.has(id));
});

test('resolve: from the menu, undo unresolves, and redo resolves again', async () => {
  const {fixture, session, select, press, app, says} = await messageFixture();
  const id = await fixture.postMessage('solved?');
  await select(id);
  press('i');
  for (let step = 0; step < 40 && !isOnResolve(); step++) press('j');
  press('Enter');
  const topicOf = () => {
    const found = session.cache.state.messages.byId.get(id);
    return found?.kind === 'channel' ? found.topic : '';
  };
  await waitForState(session, () => topicOf() === '✔ talk');
  await untilApp(app, () => app.screen.toast?.text.includes('z undo') === true);
  press('z');
  await waitForState(session, () => topicOf() === 'talk');
  await says('Unresolved again: #general › talk');
  press('Z');
  await says('Resolved again: #general › ✔ talk');

  function isOnResolve(): boolean {
    const top = app.screen.overlays.at(-1);
    if (top?.kind !== 'picker') return false;
    return top.picker.rows(app.frame, '', 0)[top.cursor]?.key === 'topic.resolve';
  }
});

test('read-only session: every message action is refused with a reason', async () => {
  const {fixture, select, press, app} = await messageFixture({app: {info: {isReadOnly: true}}});
  await select(await fixture.postMessage('hello'));
  for (const key of ['B', ':', 'Delete', 'm']) {
    press(key);
    expect(app.screen.overlays).toEqual([]);
    expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
  }
});

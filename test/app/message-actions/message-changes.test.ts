import {expect, test} from 'vitest';
import {shownConversation} from '#app/core/view.ts';
import {moveDestinationRows, parseMoveChoice} from '#app/message-actions/move-destinations.ts';
import {initialState} from '#state/initial-state.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {MessageFixtureWriter} from '#test/server/fetch-messages/message-fixtures.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {messageFixture, untilApp} from './message-fixture.ts';

const message = eg.message({id: 1, topic: 'talk', senderId: eg.selfId, timestamp: 1_767_268_700});
const frame = egFrame({
  account: eg.state({
    channels: SortedMap.by(
      [eg.channel({id: 1, name: 'general'}), eg.channel({id: 2, name: 'ops'})],
      ({id}) => id,
    ),
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

test('a message can go to a topic that is there, or to a new one', () => {
  expect(rowsFor('te')).toEqual([
    ['tea', undefined],
    ['te', 'new topic'],
  ]);
  expect(rowsFor('tee')).toEqual([['tee', 'new topic']]);
});

test('what stands in the field from the start offers all topics, and the one where it is says so', () => {
  expect(rowsFor('talk')).toEqual([
    ['talk', 'It is in this topic already.'],
    ['tea', undefined],
  ]);
});

test('another spelling of the topic is a move as well', () => {
  expect(rowsFor('Talk')).toContainEqual(['Talk', 'another spelling']);
});

test('after # come channels, after > their topics; who may not move there is told why', () => {
  const [row] = moveDestinationRows(frame, message, '#op');
  expect(row).toMatchObject({
    label: '#ops',
    disabled: 'You do not have permission to move messages to another channel.',
  });
  expect(parseMoveChoice(row?.key ?? '')).toEqual({kind: 'channel', channelId: 2});
  expect(moveDestinationRows(frame, message, '#ops>').map(({label}) => label)).toEqual(['pager']);
});

test('a topic is renamed with all its messages, and whoever looks at it goes along', async () => {
  const {stage, session, select, press, type, says, app} = await messageFixture();
  const first = await stage.say('one');
  const second = await stage.say('two');
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
  // Nobody was told, as was asked for.
  expect(session.cache.state.maxMessageId).toBe(second);
});

test('only one message goes when that is chosen', async () => {
  const {stage, session, select, press, type, says} = await messageFixture();
  const first = await stage.say('one');
  const second = await stage.say('two');
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

test('of messages that are too old to move the newer ones are offered', async () => {
  const {stage, session, select, press, type, says} = await messageFixture();
  const mail = new MessageFixtureWriter(stage.server.context);
  const old = mail.toChannel(stage.otto, stage.channelId, 'history', {sentAt: 1_600_000_000});
  const young = mail.toChannel(stage.otto, stage.channelId, 'history');
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

test('deleting asks first and begins at the way out', async () => {
  const {stage, session, select, press, says, overlay} = await messageFixture();
  const {id} = await stage.server
    .as(stage.meg)
    .post('/messages', {type: 'stream', to: stage.channelId, topic: 'talk', content: 'oops'});
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

test('what somebody else wrote cannot be deleted, and the key says why', async () => {
  const {stage, select, press, app} = await messageFixture();
  await select(await stage.say('mine'));
  press('Delete');
  expect(app.screen.overlays).toEqual([]);
  expect(app.screen.toast?.text).toBe('You do not have permission to delete this message.');
});

test('a reminder is set in words and taken back with undo', async () => {
  const {stage, session, select, press, type, says} = await messageFixture();
  const id = await stage.say('later');
  await select(id);
  press('B');
  type('in 2 hours');
  press('Enter');
  await says('Reminder set for');
  const {reminders} = await waitForState(session, (state) => state.reminders.size === 1);
  expect([...reminders.values()]).toMatchObject([{reminderTargetMessageId: id}]);
  press('Z');
  await waitForState(session, (state) => state.reminders.size === 0);
});

test('a server without reminders is no place for one', async () => {
  const {stage, select, press, app} = await messageFixture({server: {level: 371}});
  await select(await stage.say('later'));
  press('B');
  expect(app.screen.toast?.text).toBe('This server is too old for reminders.');
});

test('the menu names every key and does what the key does', async () => {
  const {stage, session, select, press, overlay} = await messageFixture();
  const id = await stage.say('hello');
  await select(id);
  press('i');
  expect(overlay()).toMatch(/Message of Otto/);
  expect(overlay()).toMatch(/React with emoji +:/);
  expect(overlay()).toMatch(/Delete message {2}You do not have permission.* Delete/);
  press('S');
  expect(overlay()).toBeUndefined();
  await waitForState(session, ({starred}) => starred.has(id));
});

test('a topic is resolved from the menu, and taken up again with undo', async () => {
  const {stage, session, select, press, app} = await messageFixture();
  const id = await stage.say('solved?');
  await select(id);
  press('i');
  for (let step = 0; step < 40 && !isOnResolve(); step++) press('j');
  press('Enter');
  const topicOf = () => {
    const found = session.cache.state.messages.byId.get(id);
    return found?.kind === 'channel' ? found.topic : '';
  };
  await waitForState(session, () => topicOf() === '✔ talk');
  await untilApp(app, () => app.screen.toast?.text.includes('Z undo') === true);
  press('Z');
  await waitForState(session, () => topicOf() === 'talk');

  function isOnResolve(): boolean {
    const top = app.screen.overlays.at(-1);
    if (top?.kind !== 'picker') return false;
    return top.picker.rows(app.frame, '')[top.cursor]?.key === 'topic.resolve';
  }
});

test('in a read-only session everything that changes something says that it does not', async () => {
  const {stage, select, press, app} = await messageFixture({app: {info: {isReadOnly: true}}});
  await select(await stage.say('hello'));
  for (const key of ['B', ':', 'Delete', 'm']) {
    press(key);
    expect(app.screen.overlays).toEqual([]);
    expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
  }
});

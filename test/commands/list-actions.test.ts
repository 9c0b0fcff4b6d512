import {expect, test} from 'vitest';
import type {ListId} from '#app/core/screen-state.ts';
import type {View} from '#app/core/view.ts';
import {messagesView} from '#app/core/view.ts';
import {focusPane} from '#app/layout/pane-focus.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {backend, bo, listFixture, web} from '#test/app/lists/list-fixture.ts';
import {newMessageEvent} from '#test/app/lists/message-event.ts';
import {buildUpdateMessageEvent} from '#test/state/messages/wire-events.ts';

const verbs = [...'enMFUbrR+:SoCX-vz', 'Space'];

type Stage = ReturnType<typeof listFixture>;

interface Where {
  readonly view: View;
  readonly focus?: 'channels' | 'topics' | 'people';
  /** Keys that put the cursor on a topic of #web, on the channel itself, or on the person who wrote. */
  readonly to: readonly string[];
  readonly id: ListId;
}

const css = messagesView(topicNarrow(web, 'css'));

const lists = {
  recent: {view: {kind: 'recent'}, to: ['j', 'j', 'j'], id: 'recent'},
  'topics of a channel': {view: {kind: 'topics', channelId: web}, to: ['j'], id: 'topics'},
  'topics beside': {view: css, focus: 'topics', to: [], id: 'topics'},
  channels: {view: {kind: 'recent'}, focus: 'channels', to: ['G', 'k'], id: 'channels'},
  directs: {view: {kind: 'directs'}, to: ['j'], id: 'directs'},
  people: {view: {kind: 'people'}, to: ['j'], id: 'people'},
} satisfies Record<string, Where>;

function open({view, focus, to}: Where): Stage {
  const stage = listFixture({view, size: '200x50'});
  if (focus !== undefined) focusPane(stage.app, focus);
  stage.press(...to);
  return stage;
}

const atCursor = ({app}: Stage, id: ListId) => cursorRow(app.frame, id)?.key;
const names = Object.keys(lists) as (keyof typeof lists)[];

test.each(names)('e marks the row of %s read and goes on, and z gives it back and returns', (name) => {
  const where: Where = lists[name];
  const stage = open(where);
  const [before, unread] = [atCursor(stage, where.id), stage.unread()];
  stage.press('e');
  expect(stage.toast()).toMatch(/^Marked .* read \(1\) · z undo$/);
  expect(stage.unread()).toHaveLength(unread.length - 1);
  stage.press('z');
  expect(stage.unread()).toEqual(unread);
  expect(atCursor(stage, where.id)).toBe(before);
});

test.each(names)('every verb of the inbox does something in %s, or says why not', (name) => {
  const where: Where = lists[name];
  for (const key of verbs) {
    const stage = open(where);
    const before = stage.app.screen;
    stage.press(key);
    const {screen} = stage.app;
    const isAnswered =
      (screen.toast !== undefined && screen.toast !== before.toast) ||
      stage.deviceCalls.length > 0 ||
      screen.overlays.length > 0 ||
      screen.focus !== before.focus ||
      screen.view !== before.view ||
      screen.lists[where.id] !== before.lists[where.id];
    expect({key, isAnswered}).toEqual({key, isAnswered: true});
    expect(screen.toast?.text ?? '').not.toMatch(/^No key/);
  }
});

test('n goes from one unread row of a list to the next, and marks nothing', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  const seen = [1, 2, 3].map(() => {
    stage.press('n');
    return atCursor(stage, 'recent');
  });
  expect(seen).toEqual([`d${bo}`, `c${web}:css`, `c${backend}:logs`]);
  stage.press('n', 'n');
  expect(atCursor(stage, 'recent')).toBe(`d${bo}`);
  expect(stage.unread()).toHaveLength(5);
});

test('X on a topic is done with its channel, on a person with all direct messages, on a title with its group', () => {
  const topic = open(lists.recent);
  topic.press('X');
  expect(topic.toast()).toBe('Marked #web read (1 in 1 conversation) · z undo');
  const direct = open(lists.directs);
  direct.press('X');
  expect(direct.toast()).toBe('Marked all direct messages read (1 in 1 conversation) · z undo');
  const group = open({...lists.channels, to: ['G', 'h']});
  group.press('X');
  expect(group.toast()).toMatch(/^Marked everything in Channels read \(2 in 2 conversations\)/);
  group.press('z');
  expect(group.unread()).toHaveLength(5);
});

test('what is put off in another list waits out of sight of the inbox, until it is taken back', () => {
  const stage = open(lists.recent);
  stage.press('b', 'm');
  expect(stage.toast()).toMatch(/^Snoozed #web › css until the next message/);
  expect(atCursor(stage, 'recent')).toBe(`c${web}:css`);
  expect([...stage.app.screen.inbox.snoozes.keys()]).toEqual([`c${web}:css`]);
  stage.press('z');
  expect(stage.app.screen.inbox.snoozes.size).toBe(0);
});

test('what is read already cannot be put off', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('b');
  expect(stage.app.screen.overlays).toEqual([]);
  expect(stage.toast()).toMatch(/^Nothing is unread there/);
});

test('a view among the channels is no conversation', () => {
  const stage = open({...lists.channels, to: ['Home', 'j']});
  for (const key of ['e', '+', 'X', 'b', 'r']) {
    stage.press(key);
    expect(stage.toast()).toBe('No conversation is selected');
  }
});

test('done in a list is about the row that was seen, though another came before it meanwhile', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('e');
  expect(stage.toast()).toBe('Nothing is unread there.');
  const late = listFixture({view: {kind: 'recent'}, account: {}});
  late.session.cache.apply(newMessageEvent({id: 50, channelId: backend, topic: 'news'}));
  late.press('e');
  expect(late.unread()).toContain(50);
});

test.each(['e', 'X'])('a topic that is renamed between picture and %s is done with its channel', (key) => {
  const stage = open(lists.channels);
  expect(atCursor(stage, 'channels')).toBe(`channel ${web}`);
  const move = {message_ids: [4], message_id: 4, stream_id: web, orig_subject: 'css', subject: 'styles'};
  stage.session.cache.apply(
    buildUpdateMessageEvent(move),
    newMessageEvent({id: 50, channelId: web, topic: 'styles'}),
  );
  stage.press(key);
  expect(stage.unread()).toEqual([2, 3, 6, 7, 50]);
  stage.press('z');
  expect(stage.unread()).toEqual([2, 3, 4, 6, 7, 50]);
});

test('several done at once are one step to undo', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', 'v', 'j', 'v', 'e');
  expect(stage.toast()).toBe('Marked 2 conversations read (2) · z undo');
  stage.press('G', 'z');
  expect(stage.unread()).toHaveLength(5);
  expect(atCursor(stage, 'recent')).toBe(`d${bo}`);
});

test('in a read-only session nothing is marked read, and that is said', () => {
  const stage = listFixture({view: {kind: 'recent'}, info: {isReadOnly: true}});
  stage.press('j', 'e');
  expect(stage.toast()).toMatch(/read-only/);
  stage.press('X');
  expect(stage.toast()).toMatch(/read-only/);
  expect(stage.unread()).toHaveLength(5);
});

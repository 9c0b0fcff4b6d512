import {expect, test} from 'vitest';
import {focusPane} from '#app/panes/pane-focus.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {buildUpdateMessageEvent} from '#test/state/messages/wire-events.ts';
import {backend, bo, listFixture, web} from '#test/ui/lists/list-fixture.ts';
import {newMessageEvent} from '#test/ui/lists/message-event.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';

const inboxKeys = [...'enMFUbrR+:SoCX-vz', 'Space'];

type Fixture = ReturnType<typeof listFixture>;

interface ListCase {
  readonly view: View;
  readonly focus?: 'channels' | 'topics' | 'people';
  /** Keys that move the cursor to a topic of #web, to the channel itself, or to the user who wrote. */
  readonly keys: readonly string[];
  readonly list: ListSource;
}

const css = messagesView(topicNarrow(web, 'css'));

const lists = {
  recent: {view: {kind: 'recent'}, keys: ['j', 'j', 'j'], list: recentList},
  'topics of a channel': {view: {kind: 'topics', channelId: web}, keys: ['j'], list: topicList},
  'the topic pane': {view: css, focus: 'topics', keys: [], list: topicList},
  channels: {view: {kind: 'recent'}, focus: 'channels', keys: ['G', 'k'], list: channelList},
  directs: {view: {kind: 'directs'}, keys: ['j'], list: directList},
  people: {view: {kind: 'people'}, keys: ['j'], list: peopleList},
} satisfies Record<string, ListCase>;

function open({view, focus, keys}: ListCase): Fixture {
  const fixture = listFixture({view, size: '200x50'});
  if (focus !== undefined) focusPane(fixture.app, focus);
  fixture.press(...keys);
  return fixture;
}

const cursorKey = ({app}: Fixture, list: ListSource) => cursorRow(app.frame, list)?.key;
const names = Object.keys(lists) as (keyof typeof lists)[];

test.each(names)('list %s: e marks the row read and moves on, z restores it and moves back', (name) => {
  const list: ListCase = lists[name];
  const fixture = open(list);
  const [before, unread] = [cursorKey(fixture, list.list), fixture.unread()];
  fixture.press('e');
  expect(fixture.toast()).toMatch(/^Marked .* read \(1\) · z undo$/);
  expect(fixture.unread()).toHaveLength(unread.length - 1);
  fixture.press('z');
  expect(fixture.unread()).toEqual(unread);
  expect(cursorKey(fixture, list.list)).toBe(before);
});

test.each(names)('list %s: every inbox key has an effect or shows why not', (name) => {
  const list: ListCase = lists[name];
  for (const key of inboxKeys) {
    const fixture = open(list);
    const before = fixture.app.screen;
    fixture.press(key);
    const {screen} = fixture.app;
    const hasEffect =
      (screen.toast !== undefined && screen.toast !== before.toast) ||
      fixture.deviceCalls.length > 0 ||
      screen.overlays.length > 0 ||
      screen.focus !== before.focus ||
      screen.view !== before.view ||
      screen.lists[list.list.id] !== before.lists[list.list.id];
    expect({key, hasEffect}).toEqual({key, hasEffect: true});
    expect(screen.toast?.text ?? '').not.toMatch(/^No key/);
  }
});

test('list: n moves to the next unread row and marks nothing read', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  const cursorKeys = [1, 2, 3].map(() => {
    fixture.press('n');
    return cursorKey(fixture, recentList);
  });
  expect(cursorKeys).toEqual([`d${bo}`, `c${web}:css`, `c${backend}:logs`]);
  fixture.press('n', 'n');
  expect(cursorKey(fixture, recentList)).toBe(`d${bo}`);
  expect(fixture.unread()).toHaveLength(5);
});

test('list: X marks read the channel of a topic, all direct messages of a user row, the group of a title', () => {
  const topic = open(lists.recent);
  topic.press('X');
  expect(topic.toast()).toBe('Marked #web read (1 in 1 conversation) · z undo');
  const direct = open(lists.directs);
  direct.press('X');
  expect(direct.toast()).toBe('Marked all direct messages read (1 in 1 conversation) · z undo');
  const group = open({...lists.channels, keys: ['G', 'h']});
  group.press('X', 'y');
  expect(group.toast()).toMatch(/^Marked everything in Channels read \(2 in 2 conversations\)/);
  group.press('z');
  expect(group.unread()).toHaveLength(5);
});

test('list: a conversation snoozed outside of the inbox is snoozed in the inbox until undone', () => {
  const fixture = open(lists.recent);
  fixture.press('b', 'n');
  expect(fixture.toast()).toMatch(/^Snoozed #web › css until the next message/);
  expect(cursorKey(fixture, recentList)).toBe(`c${web}:css`);
  expect([...fixture.app.screen.inbox.snoozes.keys()]).toEqual([`c${web}:css`]);
  fixture.press('z');
  expect(fixture.app.screen.inbox.snoozes.size).toBe(0);
});

test('list: a read conversation cannot be snoozed', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('b');
  expect(fixture.app.screen.overlays).toEqual([]);
  expect(fixture.toast()).toMatch(/^Nothing is unread there/);
});

test('channel list: inbox keys on a view row say that no conversation is selected', () => {
  for (const key of ['e', '+', 'X', 'b', 'r']) {
    const fixture = open({...lists.channels, keys: ['Home', 'j']});
    fixture.press(key);
    expect(fixture.toast()).toBe('No conversation is selected');
  }
});

test('list: e applies to the painted row when another row arrives above it before the key', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('e');
  expect(fixture.toast()).toBe('Nothing is unread there.');
  const changed = listFixture({view: {kind: 'recent'}, account: {}});
  changed.session.cache.apply(newMessageEvent({id: 50, channelId: backend, topic: 'news'}));
  changed.press('e');
  expect(changed.unread()).toContain(50);
});

test.each(['e', 'X'])('list: undo after %s where nothing is unread undoes nothing older', (key) => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'j', 'j', 'e');
  const unread = fixture.unread();
  expect(unread).not.toContain(4);
  fixture.press('Home', 'j', 'j');
  expect(cursorKey(fixture, recentList)).toBe(`c${web}:✔ login`);
  fixture.press(key);
  expect(fixture.toast()).toBe('Nothing is unread there.');
  fixture.press('z');
  expect(fixture.toast()).toMatch(/^Nothing was changed in .*again undoes: Marked #web › css read/);
  expect(fixture.unread()).toEqual(unread);
  fixture.press('z');
  expect(fixture.unread()).toContain(4);
});

test.each(['e', 'X'])(
  'channel list: a topic renamed between paint and %s is still marked read with its channel',
  (key) => {
    const fixture = open(lists.channels);
    expect(cursorKey(fixture, channelList)).toBe(`channel ${web}`);
    const move = {message_ids: [4], message_id: 4, stream_id: web, orig_subject: 'css', subject: 'styles'};
    fixture.session.cache.apply(
      buildUpdateMessageEvent(move),
      newMessageEvent({id: 50, channelId: web, topic: 'styles'}),
    );
    fixture.press(key);
    expect(fixture.unread()).toEqual([2, 3, 6, 7, 50]);
    fixture.press('z');
    expect(fixture.unread()).toEqual([2, 3, 4, 6, 7, 50]);
  },
);

test('list: marking several rows done is one undo step', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'v', 'j', 'j', 'v', 'e');
  expect(fixture.toast()).toBe('Marked 2 conversations read (2) · z undo');
  fixture.press('G', 'z');
  expect(fixture.unread()).toHaveLength(5);
  expect(cursorKey(fixture, recentList)).toBe(`c${web}:css`);
});

test('list: a read-only session marks nothing read and says so', () => {
  const fixture = listFixture({view: {kind: 'recent'}, info: {isReadOnly: true}});
  fixture.press('j', 'e');
  expect(fixture.toast()).toMatch(/read-only/);
  fixture.press('X');
  expect(fixture.toast()).toMatch(/read-only/);
  expect(fixture.unread()).toHaveLength(5);
});

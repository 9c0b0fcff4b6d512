import {expect, test} from 'vitest';
import {selectRow} from '#app/message-pane/selection.ts';
import {openView, timelineState} from '#app/navigation/navigation.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  narrowKey,
  topicNarrow,
} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {backend, bo, listFixture, loadedConversations, web} from '#test/ui/lists/list-fixture.ts';
import {newMessageEvent} from '#test/ui/lists/message-event.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import {messagesView, type View} from '#ui/core/frame.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';

const topic = (channelId: number, name: string): View => messagesView(topicNarrow(channelId, name));
const dm = (userId: number): View => messagesView(directNarrow([userId]));

/** Shows a view whose messages are loaded, with one of them selected. */
function messagesFixture(narrow: Narrow, ids: readonly number[], selected: number, foundNewest = true) {
  const fixture = listFixture({view: messagesView(narrow), settings: {markRead: 'on-done'}});
  const {app, session} = fixture;
  openView(app, messagesView(narrow));
  const {byId} = session.cache.state.messages;
  session.cache.apply(
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    {
      type: 'messages_fetched',
      messages: ids.flatMap((id) => byId.get(id) ?? []),
      unreadIds: [...fixture.unread()],
      since: undefined,
      page: {
        narrow,
        joins: 'replace',
        anchor: undefined,
        foundOldest: true,
        foundNewest,
        matches: [],
      },
    },
  );
  selectRow(app, selected);
  app.frames.paintNow();
  return {...fixture, at: () => app.screen.view, selected: () => selectedMessage(app)?.id};
}

test.each([
  ['a channel', channelNarrow(backend), [1, 2, 3]],
  ['everything', everythingNarrow, [1, 2, 3, 4, 5]],
  ['a search', [{operator: 'search', operand: 'deploy'}], [1, 2, 3]],
  ['mentions', narrowIs('mentioned'), [2, 3]],
] as const)(
  'mark done: e in a feed of %s marks the conversation of the message read and stays in the feed',
  (_name, narrow, ids) => {
    const fixture = messagesFixture(narrow, ids, 2);
    const before = fixture.unread();
    fixture.press('e');
    expect(fixture.toast()).toBe('Marked #backend › deploy read (1) · z undo');
    expect(fixture.at()).toMatchObject(messagesView(narrow));
    expect(fixture.selected()).toBe(3);
    fixture.press('z');
    expect(fixture.toast()).toBe('Undone: Marked #backend › deploy read (1) · Z redo');
    expect(fixture.at()).toMatchObject(messagesView(narrow));
    expect(fixture.unread()).toEqual(before);
  },
);

test('mark done: e at the end of a feed marks only the conversation of the message read', () => {
  const fixture = messagesFixture(channelNarrow(backend), [1, 2, 3], 3);
  fixture.press('e');
  expect([fixture.selected(), fixture.unread()]).toEqual([3, [2, 4, 6, 7]]);
  fixture.press('e');
  expect(fixture.toast()).toBe('Nothing is unread.');
});

test.each([
  ['loading', undefined, 'Messages are still loading: nothing was marked read'],
  ['not loaded because of a failure', 'away', 'Messages could not be loaded: nothing was marked read'],
])('mark done: e in a conversation whose messages are %s marks nothing read and stays', (_, problem, text) => {
  const narrow = topicNarrow(backend, 'deploy');
  const timeline: Timeline = {...emptyTimeline(narrow), problem, loading: problem === undefined ? 'first' : undefined};
  const fixture = listFixture({
    view: messagesView(narrow),
    account: {timelines: SortedMap.from([[narrowKey(narrow), timeline]])},
  });
  const before = fixture.unread();
  fixture.press('e');
  expect([fixture.toast(), fixture.unread()]).toEqual([text, before]);
  expect(fixture.app.screen.view).toMatchObject(messagesView(narrow));
});

test('mark done: e in a conversation that was not opened yet marks nothing read and stays', () => {
  const fixture = listFixture({view: topic(backend, 'deploy')});
  const before = fixture.unread();
  fixture.press('e');
  expect(fixture.toast()).toBe('Messages are still loading: nothing was marked read');
  expect(fixture.unread()).toEqual(before);
  expect(fixture.app.screen.view).toMatchObject(topic(backend, 'deploy'));
});

test.each(['e', 'G'])('mark done: %s marks read only the messages of the conversation that are loaded', (key) => {
  const fixture = messagesFixture(topicNarrow(backend, 'deploy'), [1, 2], 1, false);
  const {session, app} = fixture;
  session.cache.apply(...[9, 10].map((id) => newMessageEvent({id, channelId: backend, topic: 'deploy'})));
  app.frames.paintNow();
  fixture.press(key);
  expect(fixture.unread()).toEqual([3, 4, 6, 7, 9, 10]);
  if (key === 'e')
    expect(fixture.toast()).toBe('Marked #backend › deploy read (1), 2 not loaded yet stay unread · z undo');
  expect(fixture.at()).toMatchObject(topic(backend, 'deploy'));
});

test('mark done: undo returns to the conversation that was left, and showing it marks nothing read', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  fixture.press('e');
  expect(fixture.app.screen.view).toMatchObject(dm(bo));
  fixture.press('z');
  const {view, timelines} = fixture.app.screen;
  expect(view).toMatchObject(topic(backend, 'deploy'));
  expect([...timelines.values()].some(({isPeek}) => isPeek)).toBe(true);
  expect(fixture.toast()).toBe('Undone: Marked #backend › deploy read (1) · Z redo');
});

test('mark done: three conversations are undone one after the other, each in its own view', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  fixture.press('e', 'e', 'e');
  expect(fixture.unread()).toEqual([4, 6]);
  const views = [1, 2, 3].map(() => {
    fixture.press('z');
    return fixture.app.screen.view;
  });
  expect(views).toMatchObject([topic(backend, 'logs'), dm(bo), topic(backend, 'deploy')]);
  expect(fixture.unread()).toEqual([2, 3, 4, 6, 7]);
});

test('mark done: redo marks the conversations read again and goes on as e did', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  fixture.press('e', 'e', 'z', 'z', 'Z');
  expect(fixture.app.screen.view).toMatchObject(dm(bo));
  expect(fixture.toast()).toBe('Redone: Marked #backend › deploy read (1) · z undo');
  fixture.press('Z');
  expect(fixture.app.screen.view).toMatchObject(topic(backend, 'logs'));
  const once = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  once.press('e', 'e');
  expect(fixture.unread()).toEqual(once.unread());
  expect(fixture.app.screen.inbox.log).toMatchObject(once.app.screen.inbox.log.map(({keys}) => ({keys})));
});

test('mark done: redo in a list goes to the next row as e did, and marks no message that came since', () => {
  const [fixture, once] = [listFixture({view: {kind: 'recent'}}), listFixture({view: {kind: 'recent'}})];
  fixture.press('j', 'e', 'z');
  fixture.session.cache.apply(newMessageEvent({id: 80, channelId: backend, topic: 'deploy'}));
  once.session.cache.apply(newMessageEvent({id: 80, channelId: backend, topic: 'deploy'}));
  fixture.press('Z');
  once.press('j', 'e');
  expect(fixture.unread()).toContain(80);
  expect(fixture.toast()).toMatch(/^Redone: Marked /);
});

test('mark done: undo of an action in another view does not leave the current view', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'e', 'Enter', 'z');
  expect(fixture.unread()).toContain(7);
  expect(fixture.app.screen.view).toMatchObject(topic(web, '✔ login'));
});

test('mark done: a message that arrives between paint and key stays unread', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  fixture.session.cache.apply(newMessageEvent({id: 80, channelId: backend, topic: 'deploy'}));
  fixture.press('e');
  expect(fixture.unread()).toContain(80);
  expect(fixture.unread()).not.toContain(2);
});

test('mark done: e outside the inbox counts in the triage log until it is undone', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  fixture.press('e');
  expect(fixture.app.screen.inbox.log).toMatchObject([{actionKind: 'done', keys: ['c1:deploy']}]);
  fixture.press('z');
  expect(fixture.app.screen.inbox.log).toEqual([]);
});

test('mark done: e in a conversation that was read by showing it advances, and z undoes only that step', () => {
  const fixture = messagesFixture(topicNarrow(web, '✔ login'), [5], 5);
  openView(fixture.app, {kind: 'recent'});
  fixture.app.frames.paintNow();
  fixture.press('j', 'e');
  expect(fixture.toast()).toBe('Marked Bo Wu read (1) · z undo');
  const before = fixture.unread();
  openView(fixture.app, topic(web, '✔ login'));
  fixture.app.frames.paintNow();
  fixture.press('e', 'z');
  expect(fixture.unread()).toEqual(before);
  expect(fixture.at()).toMatchObject(topic(web, '✔ login'));
  expect(fixture.toast()).toBe('Nothing was changed in #web › login · z again undoes: Marked Bo Wu read (1)');
  fixture.press('z');
  expect(fixture.toast()).toBe('Undone: Marked Bo Wu read (1) · Z redo');
  expect(fixture.unread()).toContain(7);
});

test('mark done: repeated keys that change nothing are one undo step and not in the triage log', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('e', 'G', 'e', 'e', 'e');
  expect(fixture.toast()).toBe('Nothing is unread there.');
  expect(fixture.app.screen.inbox.log).toHaveLength(1);
  fixture.press('z');
  expect(fixture.toast()).toMatch(/^Nothing was changed in .* · z again undoes: Marked /);
  fixture.press('z');
  expect(fixture.toast()).toMatch(/^Undone: Marked /);
});

test('mark done: X on a group title acts on the rows that were painted in the group', () => {
  const fixture = listFixture({view: {kind: 'recent'}, size: '120x40'});
  fixture.press('Shift-Tab', 'G', 'k', 'k', 'h');
  expect(cursorRow(fixture.app.frame, channelList)?.label).toBe('Pinned channels');
  const pin = {type: 'subscription', op: 'update', id: -1, stream_id: web} as const;
  fixture.session.cache.apply({...pin, property: 'pin_to_top', value: true});
  fixture.press('X', 'y');
  expect(fixture.unread()).toEqual([4, 6, 7]);
});

test('mark done: in a feed that has only some messages of a conversation, e marks those and goes to the next unread message', () => {
  const fixture = messagesFixture(channelNarrow(backend), [1, 2, 3], 2, false);
  fixture.session.cache.apply(newMessageEvent({id: 9, channelId: backend, topic: 'deploy'}));
  fixture.app.frames.paintNow();
  fixture.press('e');
  expect([fixture.selected(), fixture.unread()]).toEqual([3, [3, 4, 6, 7, 9]]);
});

test('mark done: in a feed, e goes to the next message that is unread, past those that are read', () => {
  const fixture = messagesFixture(everythingNarrow, [1, 2, 3, 4, 5, 6], 4);
  fixture.press('e');
  expect(fixture.selected()).toBe(6);
});

test('mark done: redo stays in the conversation while some of its messages are not loaded, as e did', () => {
  const fixture = messagesFixture(topicNarrow(backend, 'deploy'), [1, 2], 1, false);
  fixture.session.cache.apply(newMessageEvent({id: 9, channelId: backend, topic: 'deploy'}));
  fixture.app.frames.paintNow();
  fixture.press('e', 'z', 'Z');
  expect(fixture.at()).toMatchObject(topic(backend, 'deploy'));
  expect(fixture.unread()).toEqual([3, 4, 6, 7, 9]);
});

test('mark unread: what is marked unread in an open conversation stays so on the screen, and its newest message in a list', () => {
  const fixture = messagesFixture(topicNarrow(backend, 'deploy'), [1, 2], 1);
  fixture.press('U');
  expect(fixture.unread()).toEqual([1, 2, 3, 4, 6, 7]);
  expect(timelineState(fixture.app)).toMatchObject({isPeek: true});
  const list = listFixture({view: {kind: 'recent'}, ...loadedConversations()});
  list.session.cache.apply(newMessageEvent({id: 9, channelId: web, topic: 'css'}, ['read']));
  list.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [4]});
  list.app.frames.paintNow();
  list.press('Home', 'U');
  expect(list.unread()).toContain(9);
  expect(list.unread()).not.toContain(4);
});

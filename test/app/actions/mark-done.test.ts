import {expect, test} from 'vitest';
import {messagesView, type View} from '#app/core/view.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {openView} from '#app/navigation/navigation.ts';
import {selectedMessage, selectRow} from '#app/timeline/selection.ts';
import {
  channelNarrow,
  directNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  topicNarrow,
} from '#state/model/narrow.ts';
import {backend, bo, listFixture, web} from '#test/app/lists/list-fixture.ts';
import {newMessageEvent} from '#test/app/lists/message-event.ts';

const topic = (channelId: number, name: string): View => messagesView(topicNarrow(channelId, name));
const dm = (userId: number): View => messagesView(directNarrow([userId]));

/** A view whose messages are loaded, with one of them selected. */
function reading(narrow: Narrow, ids: readonly number[], selected: number) {
  const stage = listFixture({view: messagesView(narrow), settings: {markRead: 'onDone'}});
  const {app, session} = stage;
  openView(app, messagesView(narrow));
  const {byId} = session.cache.state.messages;
  session.cache.apply(
    {type: 'timeline_opened', narrow},
    {type: 'fetch_started'},
    {
      type: 'messages_fetched',
      messages: ids.flatMap((id) => byId.get(id) ?? []),
      unreadIds: [...stage.unread()],
      since: undefined,
      page: {
        narrow,
        joins: 'replace',
        anchor: undefined,
        foundOldest: true,
        foundNewest: true,
        matches: [],
      },
    },
  );
  selectRow(app, selected);
  app.frames.paintNow();
  return {...stage, at: () => app.screen.view, selected: () => selectedMessage(app)?.id};
}

test.each([
  ['a channel', channelNarrow(backend), [1, 2, 3]],
  ['everything', everythingNarrow, [1, 2, 3, 4, 5]],
  ['a search', [{operator: 'search', operand: 'deploy'}], [1, 2, 3]],
  ['mentions', narrowIs('mentioned'), [2, 3]],
] as const)(
  'E in a feed of %s is done with the conversation of the message, and stays there',
  (_name, narrow, ids) => {
    const stage = reading(narrow, ids, 2);
    const before = stage.unread();
    stage.press('E');
    expect(stage.toast()).toBe('Marked #backend › deploy read (1) · Z undo');
    expect(stage.at()).toMatchObject(messagesView(narrow));
    expect(stage.selected()).toBe(3);
    stage.press('Z');
    expect(stage.toast()).toBe('Undone: Marked #backend › deploy read (1)');
    expect(stage.at()).toMatchObject(messagesView(narrow));
    expect(stage.unread()).toEqual(before);
  },
);

test('at the end of a feed nothing but the conversation of the message is read', () => {
  const stage = reading(channelNarrow(backend), [1, 2, 3], 3);
  stage.press('E');
  expect([stage.selected(), stage.unread()]).toEqual([3, [2, 4, 6, 7]]);
  stage.press('E');
  expect(stage.toast()).toBe('Nothing is unread.');
});

test('undone, one is back in the conversation that was left, and looking at it marks nothing', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  stage.press('E');
  expect(stage.app.screen.view).toMatchObject(dm(bo));
  stage.press('Z');
  const {view, timelines} = stage.app.screen;
  expect(view).toMatchObject(topic(backend, 'deploy'));
  expect([...timelines.values()].some(({isPeek}) => isPeek)).toBe(true);
  expect(stage.toast()).toBe('Undone: Marked #backend › deploy read (1)');
});

test('three conversations are undone one after the other, each where it was', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  stage.press('E', 'E', 'E');
  expect(stage.unread()).toEqual([4, 6]);
  const seen = [1, 2, 3].map(() => {
    stage.press('Z');
    return stage.app.screen.view;
  });
  expect(seen).toMatchObject([topic(backend, 'logs'), dm(bo), topic(backend, 'deploy')]);
  expect(stage.unread()).toEqual([2, 3, 4, 6, 7]);
});

test('what was done elsewhere is undone without leading away', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', 'e', 'Enter', 'Z');
  expect(stage.unread()).toContain(7);
  expect(stage.app.screen.view).toMatchObject(topic(web, '✔ login'));
});

test('what arrives between picture and key stays unread', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  stage.session.cache.apply(newMessageEvent({id: 80, channelId: backend, topic: 'deploy'}));
  stage.press('E');
  expect(stage.unread()).toContain(80);
  expect(stage.unread()).not.toContain(2);
});

test('done counts for the account of the session wherever it is done', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  stage.press('E');
  expect(stage.app.screen.inbox.log).toMatchObject([{verb: 'done', keys: ['c1:deploy']}]);
  stage.press('Z');
  expect(stage.app.screen.inbox.log).toEqual([]);
});

test('E where looking has read everything goes on, and Z takes that step back and nothing older', () => {
  const stage = reading(topicNarrow(web, '✔ login'), [5], 5);
  openView(stage.app, {kind: 'recent'});
  stage.app.frames.paintNow();
  stage.press('j', 'e');
  expect(stage.toast()).toBe('Marked Bo Wu read (1) · z undo');
  const before = stage.unread();
  openView(stage.app, topic(web, '✔ login'));
  stage.app.frames.paintNow();
  stage.press('E', 'Z');
  expect(stage.unread()).toEqual(before);
  expect(stage.at()).toMatchObject(topic(web, '✔ login'));
  expect(stage.toast()).toBe('Nothing was changed in #web › login · Z again undoes: Marked Bo Wu read (1)');
  stage.press('Z');
  expect(stage.toast()).toBe('Undone: Marked Bo Wu read (1)');
  expect(stage.unread()).toContain(7);
});

test('keys that find nothing in one place are one step, and no part of what was done', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('e', 'G', 'e', 'e', 'e');
  expect(stage.toast()).toBe('Nothing is unread there.');
  expect(stage.app.screen.inbox.log).toHaveLength(1);
  stage.press('z');
  expect(stage.toast()).toMatch(/^Nothing was changed in .* · z again undoes: Marked /);
  stage.press('z');
  expect(stage.toast()).toMatch(/^Undone: Marked /);
});

test('X on the title of a group is about the rows that the picture showed in it', () => {
  const stage = listFixture({view: {kind: 'recent'}, size: '120x40'});
  stage.press('Shift-Tab', 'G', 'k', 'k', 'h');
  expect(cursorRow(stage.app.frame, 'channels')?.label).toBe('Pinned channels');
  const pin = {type: 'subscription', op: 'update', id: -1, stream_id: web} as const;
  stage.session.cache.apply({...pin, property: 'pin_to_top', value: true});
  stage.press('X');
  expect(stage.unread()).toEqual([4, 6, 7]);
});

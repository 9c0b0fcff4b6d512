import {expect, test} from 'vitest';
import {openSnoozeMenu} from '#app/inbox/snooze-menu.ts';
import {changeTimeline, openConversation, openView, timelineState} from '#app/navigation/navigation.ts';
import {hasOtherUnread} from '#app/triage/unread-walk.ts';
import {directConversation, topicConversation} from '#state/model/conversation.ts';
import {directNarrow, topicNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {selfId} from '#test/support/state-builders.ts';
import {backend, bo, dan, listFixture, loadedConversations, web} from '#test/ui/lists/list-fixture.ts';
import {newMessageEvent} from '#test/ui/lists/message-event.ts';
import {messagesView, type View} from '#ui/core/frame.ts';

type Fixture = ReturnType<typeof listFixture>;

const topic = (channelId: number, name: string): View => messagesView(topicNarrow(channelId, name));
const dm = (userId: number): View => messagesView(directNarrow([userId]));
const at = ({app}: Fixture) => app.screen.view;

const unreadViews = [topic(backend, 'deploy'), dm(bo), topic(backend, 'logs'), topic(web, 'css')];

/** Presses Alt-a several times and returns the view after each press. */
function walk(fixture: Fixture, times: number): readonly View[] {
  return Array.from({length: times}, () => {
    fixture.press('Alt-a');
    return at(fixture);
  });
}

test.each<View>([
  {kind: 'inbox'},
  {kind: 'triage'},
  {kind: 'recent'},
  {kind: 'directs'},
  {kind: 'people'},
  {kind: 'channels'},
  {kind: 'drafts', tab: 'scheduled'},
  {kind: 'topics', channelId: web},
])('unread walk: from $kind it visits every unread conversation once and returns', (view) => {
  const fixture = listFixture({view});
  expect(walk(fixture, 5)).toMatchObject([...unreadViews, view]);
  expect(fixture.toast()).toBe('4 still unread · back to where you started');
  expect(walk(fixture, 1)).toMatchObject([unreadViews[0]]);
});

test('unread walk: text, cursor and destination of the composer are restored after the walk', () => {
  const fixture = listFixture({view: topic(web, '✔ login')});
  fixture.press('r');
  fixture.type('half a sentence');
  fixture.press('Alt-b', 'Left');
  const {field, target} = fixture.app.screen.composer;
  expect(walk(fixture, 5).at(-1)).toMatchObject(topic(web, '✔ login'));
  expect(fixture.app.screen).toMatchObject({focus: 'composer', composer: {isOpen: true, field, target}});
  fixture.type('!');
  expect(fixture.app.screen.composer.field.text).toBe('half a! sentence');
  expect(fixture.app.session.drafts.all()).toHaveLength(1);
});

test('unread walk: a message begun below a list is restored there', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('x');
  fixture.type('Dan');
  const {recipients} = fixture.app.screen.composer;
  expect(recipients?.to.text).toBe('Dan');
  expect(walk(fixture, 5).at(-1)).toEqual({kind: 'recent'});
  expect(fixture.app.screen).toMatchObject({focus: 'composer', composer: {recipients, activePart: 'to'}});
});

test('unread walk: a draft that another client sent meanwhile is not restored', () => {
  const fixture = listFixture({view: topic(web, '✔ login')});
  fixture.press('r');
  fixture.type('done');
  fixture.press('Alt-a');
  const [draft] = fixture.app.session.drafts.all();
  fixture.app.session.drafts.remove(draft?.id ?? '');
  expect(walk(fixture, 4).at(-1)).toMatchObject(topic(web, '✔ login'));
  expect(fixture.app.screen).toMatchObject({focus: 'main', composer: {isOpen: false, field: {text: ''}}});
});

test('unread walk: Esc ends the walk, and the draft stays in its conversation', () => {
  const fixture = listFixture({view: topic(web, '✔ login')});
  fixture.press('r');
  fixture.type('later');
  fixture.press('Alt-a', 'Esc');
  expect(at(fixture)).toEqual({kind: 'inbox'});
  expect(fixture.app.session.drafts.all()).toMatchObject([{content: 'later'}]);
  expect(walk(fixture, 1)).toMatchObject([unreadViews[0]]);
});

test('unread walk: selection, scroll position and peeking are restored in a message view', () => {
  const view = topic(web, 'css');
  const fixture = listFixture({view});
  openView(fixture.app, view);
  const savedState = {selected: 4, anchor: {id: 4, skippedLines: 2}, openAt: undefined, isPeek: true};
  changeTimeline(fixture.app, view, (state) => ({...state, ...savedState}));
  fixture.press('Alt-a');
  fixture.session.cache.apply(newMessageEvent({id: 60, channelId: web, topic: 'css'}));
  // New messages do not change the position in that view; they make the walk visit it once.
  expect(walk(fixture, 4)).toMatchObject([...unreadViews.slice(1, 3), view, view]);
  expect(fixture.toast()).toMatch(/back to where you started$/);
  expect(timelineState(fixture.app, view)).toMatchObject(savedState);
});

test('unread walk: a menu and a filter input are closed for the walk', () => {
  const menu = listFixture({view: {kind: 'recent'}});
  menu.press('Ctrl-G');
  menu.type('web');
  expect(walk(menu, 1)).toMatchObject([unreadViews[0]]);
  expect(menu.app.screen.overlays).toEqual([]);
  const filter = listFixture({view: {kind: 'recent'}});
  filter.press('t');
  filter.type('css');
  expect(walk(filter, 1)).toMatchObject([unreadViews[0]]);
  filter.press('j');
  expect(filter.app.screen.lists.recent.filter.text).toBe('css');
  expect(walk(filter, 4).at(-1)).toEqual({kind: 'recent'});
  filter.type('!');
  expect(filter.app.screen.lists.recent.filter.text).toBe('css!');
});

test('unread walk: with nothing unread a menu stays open', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4, 7]});
  fixture.press('Ctrl-G', 'Alt-a');
  expect(fixture.app.screen.overlays).toHaveLength(1);
  expect(fixture.toast()).toBe('Nothing is unread.');
});

test('unread walk: a mention that arrives is visited next, and so is a new message in a visited conversation', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('Alt-a', 'Alt-a', 'Alt-a');
  expect(at(fixture)).toMatchObject(topic(backend, 'logs'));
  fixture.session.cache.apply(newMessageEvent({id: 70, channelId: web, topic: 'news'}, ['mentioned']));
  expect(walk(fixture, 1)).toMatchObject([topic(web, 'news')]);
  fixture.session.cache.apply(newMessageEvent({id: 71, channelId: backend, topic: 'deploy'}));
  expect(walk(fixture, 3)).toMatchObject([topic(backend, 'deploy'), topic(web, 'css'), {kind: 'recent'}]);
});

test('unread walk: skips snoozed conversations; those snoozed to the end come when nothing else is unread', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j');
  openSnoozeMenu(fixture.app);
  fixture.press('n');
  expect(walk(fixture, 4)).toMatchObject([unreadViews[0], ...unreadViews.slice(2), {kind: 'recent'}]);
  const end = listFixture({view: {kind: 'recent'}});
  end.press('j', 'b', 'Enter');
  end.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4]});
  expect(walk(end, 2)).toMatchObject([dm(bo), {kind: 'recent'}]);
});

test('unread walk: conversations with drafts come after the unread ones, each once', () => {
  const drafts = SortedMap.from(
    [topicConversation(web, '✔ login'), directConversation([dan], selfId)].map(
      (target, index) => [index + 1, {id: index + 1, target, content: 'begun', timestamp: 1}] as const,
    ),
  );
  const fixture = listFixture({view: {kind: 'recent'}, account: {drafts}});
  fixture.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4]});
  const views = walk(fixture, 4);
  expect(views[0]).toMatchObject(dm(bo));
  expect(views.slice(1, 3)).toEqual(
    expect.arrayContaining([expect.objectContaining(topic(web, '✔ login')), expect.objectContaining(dm(dan))]),
  );
  expect(views[3]).toEqual({kind: 'recent'});
});

test('unread walk: done and undo are steps of the walk', () => {
  const fixture = listFixture({view: {kind: 'people'}, ...loadedConversations()});
  fixture.press('Alt-a', 'e');
  expect(at(fixture)).toMatchObject(dm(bo));
  fixture.press('z');
  expect(at(fixture)).toMatchObject(topic(backend, 'deploy'));
  expect(fixture.unread()).toContain(2);
  fixture.press('e', 'e', 'e', 'e');
  expect(at(fixture)).toEqual({kind: 'people'});
  expect(fixture.unread()).toEqual([6]);
});

test('unread walk: Alt-Up starts with the least important conversation and returns to the origin', () => {
  const fixture = listFixture({view: {kind: 'people'}});
  fixture.press('Alt-Up');
  expect(at(fixture)).toMatchObject(topic(web, 'css'));
  fixture.press('Alt-Up');
  expect(at(fixture)).toEqual({kind: 'people'});
});

test('unread walk: the conversation where it began is no step, although it has a draft', () => {
  const target = topicConversation(web, '✔ login');
  const drafts = SortedMap.from([[1 as number, {id: 1, target, content: 'begun', timestamp: 1}]]);
  const fixture = listFixture({view: {kind: 'people'}, account: {drafts}});
  openConversation(fixture.app, target);
  fixture.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4]});
  expect(walk(fixture, 2)).toMatchObject([dm(bo), topic(web, '✔ login')]);
  expect(fixture.toast()).toContain('back to where you started');
});

test('unread walk: after done in the last unread conversation comes the first; with only the shown one there is no other', () => {
  const fixture = listFixture({...loadedConversations(), view: topic(web, 'css')});
  fixture.app.frames.paintNow();
  expect(hasOtherUnread(fixture.app)).toBe(true);
  fixture.press('e');
  expect(at(fixture)).toMatchObject(topic(backend, 'deploy'));
  fixture.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [3, 7]});
  expect(hasOtherUnread(fixture.app)).toBe(false);
});

test('Alt-/: it is the conversation before, or the one that was left by going back', () => {
  const fixture = listFixture({view: topic(backend, 'deploy')});
  openConversation(fixture.app, topicConversation(web, 'css'));
  fixture.press('Alt-/');
  expect(at(fixture)).toMatchObject(topic(backend, 'deploy'));
  const other = listFixture({view: topic(backend, 'deploy')});
  openConversation(other.app, topicConversation(web, 'css'));
  other.press('Alt-Left', 'Alt-/');
  expect(at(other)).toMatchObject(topic(web, 'css'));
});

test('unread walk: after done and undo, Alt-Up leads to where it began', () => {
  const fixture = listFixture({view: {kind: 'people'}, ...loadedConversations()});
  fixture.press('Alt-a', 'e', 'z');
  expect(at(fixture)).toMatchObject(topic(backend, 'deploy'));
  fixture.press('Alt-Up');
  expect(at(fixture)).toEqual({kind: 'people'});
});

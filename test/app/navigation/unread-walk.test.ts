import {expect, test} from 'vitest';
import {messagesView, type View} from '#app/core/view.ts';
import {openSnoozeMenu} from '#app/inbox/snooze/snooze-menu.ts';
import {changeTimeline, openView, timelineState} from '#app/navigation/navigation.ts';
import {directConversation, topicConversation} from '#state/model/conversation.ts';
import {directNarrow, topicNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {backend, bo, dan, listFixture, web} from '#test/app/lists/list-fixture.ts';
import {newMessageEvent} from '#test/app/lists/message-event.ts';
import {selfId} from '#test/support/state-builders.ts';

type Stage = ReturnType<typeof listFixture>;

const topic = (channelId: number, name: string): View => messagesView(topicNarrow(channelId, name));
const dm = (userId: number): View => messagesView(directNarrow([userId]));
const at = ({app}: Stage) => app.screen.view;

const waiting = [topic(backend, 'deploy'), dm(bo), topic(backend, 'logs'), topic(web, 'css')];

/** Presses so often, and tells where each press led. */
function walk(stage: Stage, times: number): readonly View[] {
  return Array.from({length: times}, () => {
    stage.press('Alt-a');
    return at(stage);
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
])('from $kind it leads past everything that waits once, and back', (view) => {
  const stage = listFixture({view});
  expect(walk(stage, 5)).toMatchObject([...waiting, view]);
  expect(stage.toast()).toBe('4 still unread · back to where you began');
  expect(walk(stage, 1)).toMatchObject([waiting[0]]);
});

test('what is being written, its cursor and its destination are as they were after the walk', () => {
  const stage = listFixture({view: topic(web, '✔ login')});
  stage.press('r');
  stage.type('half a sentence');
  stage.press('Alt-b', 'Left');
  const {field, target} = stage.app.screen.composer;
  expect(walk(stage, 5).at(-1)).toMatchObject(topic(web, '✔ login'));
  expect(stage.app.screen).toMatchObject({focus: 'composer', composer: {isOpen: true, field, target}});
  stage.type('!');
  expect(stage.app.screen.composer.field.text).toBe('half a! sentence');
  expect(stage.app.session.drafts.all()).toHaveLength(1);
});

test('a message that is begun under a list is gone on with under it', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('x');
  stage.type('Dan');
  const {recipients} = stage.app.screen.composer;
  expect(recipients?.to.text).toBe('Dan');
  expect(walk(stage, 5).at(-1)).toEqual({kind: 'recent'});
  expect(stage.app.screen).toMatchObject({focus: 'composer', composer: {recipients, place: 'to'}});
});

test('what another client has sent meanwhile is not there to be sent again', () => {
  const stage = listFixture({view: topic(web, '✔ login')});
  stage.press('r');
  stage.type('done');
  stage.press('Alt-a');
  const [draft] = stage.app.session.drafts.all();
  stage.app.session.drafts.remove(draft?.id ?? '');
  expect(walk(stage, 4).at(-1)).toMatchObject(topic(web, '✔ login'));
  expect(stage.app.screen).toMatchObject({focus: 'main', composer: {isOpen: false, field: {text: ''}}});
});

test('Esc halfway leaves the walk, and the draft stays where it was written', () => {
  const stage = listFixture({view: topic(web, '✔ login')});
  stage.press('r');
  stage.type('later');
  stage.press('Alt-a', 'Esc');
  expect(at(stage)).toEqual({kind: 'inbox'});
  expect(stage.app.session.drafts.all()).toMatchObject([{content: 'later'}]);
  expect(walk(stage, 1)).toMatchObject([waiting[0]]);
});

test('messages are where they were: selected, scrolled, and unread where that was wanted', () => {
  const view = topic(web, 'css');
  const stage = listFixture({view});
  openView(stage.app, view);
  const left = {selected: 4, anchor: {id: 4, skippedLines: 2}, opening: undefined, isPeek: true};
  changeTimeline(stage.app, view, (state) => ({...state, ...left}));
  stage.press('Alt-a');
  stage.session.cache.apply(newMessageEvent({id: 60, channelId: web, topic: 'css'}));
  // What is new there is no reason to be led elsewhere in it; it is a reason to be led there once.
  expect(walk(stage, 4)).toMatchObject([...waiting.slice(1, 3), view, view]);
  expect(stage.toast()).toMatch(/back to where you began$/);
  expect(timelineState(stage.app, view)).toMatchObject(left);
});

test('a menu and a filter that is being typed are left for what waits', () => {
  const menu = listFixture({view: {kind: 'recent'}});
  menu.press('Ctrl-G');
  menu.type('web');
  expect(walk(menu, 1)).toMatchObject([waiting[0]]);
  expect(menu.app.screen.overlays).toEqual([]);
  const filter = listFixture({view: {kind: 'recent'}});
  filter.press('t');
  filter.type('css');
  expect(walk(filter, 1)).toMatchObject([waiting[0]]);
  filter.press('j');
  expect(filter.app.screen.lists.recent.filter.text).toBe('css');
  expect(walk(filter, 4).at(-1)).toEqual({kind: 'recent'});
  filter.type('!');
  expect(filter.app.screen.lists.recent.filter.text).toBe('css!');
});

test('with nothing to go to a menu stays open', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4, 7]});
  stage.press('Ctrl-G', 'Alt-a');
  expect(stage.app.screen.overlays).toHaveLength(1);
  expect(stage.toast()).toBe('Nothing is unread.');
});

test('a mention that comes on the way is next; so is news where one has been', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('Alt-a', 'Alt-a', 'Alt-a');
  expect(at(stage)).toMatchObject(topic(backend, 'logs'));
  stage.session.cache.apply(newMessageEvent({id: 70, channelId: web, topic: 'news'}, ['mentioned']));
  expect(walk(stage, 1)).toMatchObject([topic(web, 'news')]);
  stage.session.cache.apply(newMessageEvent({id: 71, channelId: backend, topic: 'deploy'}));
  expect(walk(stage, 3)).toMatchObject([topic(backend, 'deploy'), topic(web, 'css'), {kind: 'recent'}]);
});

test('what was put off is not on the way; what was put off to the end is, when nothing else is', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j');
  openSnoozeMenu(stage.app);
  stage.press('m');
  expect(walk(stage, 4)).toMatchObject([waiting[0], ...waiting.slice(2), {kind: 'recent'}]);
  const end = listFixture({view: {kind: 'recent'}});
  end.press('j', 'b', 'Enter');
  end.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4]});
  expect(walk(end, 2)).toMatchObject([dm(bo), {kind: 'recent'}]);
});

test('drafts come after what is unread, each once', () => {
  const drafts = SortedMap.from(
    [topicConversation(web, '✔ login'), directConversation([dan], selfId)].map(
      (target, place) => [place + 1, {id: place + 1, target, content: 'begun', timestamp: 1}] as const,
    ),
  );
  const stage = listFixture({view: {kind: 'recent'}, account: {drafts}});
  stage.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [2, 3, 4]});
  const seen = walk(stage, 4);
  expect(seen[0]).toMatchObject(dm(bo));
  expect(seen.slice(1, 3)).toEqual(
    expect.arrayContaining([
      expect.objectContaining(topic(web, '✔ login')),
      expect.objectContaining(dm(dan)),
    ]),
  );
  expect(seen[3]).toEqual({kind: 'recent'});
});

test('done and undo are steps of the walk', () => {
  const stage = listFixture({view: {kind: 'people'}});
  stage.press('Alt-a', 'E');
  expect(at(stage)).toMatchObject(dm(bo));
  stage.press('Z');
  expect(at(stage)).toMatchObject(topic(backend, 'deploy'));
  expect(stage.unread()).toContain(2);
  stage.press('E', 'E', 'E', 'E');
  expect(at(stage)).toEqual({kind: 'people'});
  expect(stage.unread()).toEqual([6]);
});

test('Alt-Up begins with the least important, and leads back to where one was', () => {
  const stage = listFixture({view: {kind: 'people'}});
  stage.press('Alt-Up');
  expect(at(stage)).toMatchObject(topic(web, 'css'));
  stage.press('Alt-Up');
  expect(at(stage)).toEqual({kind: 'people'});
});

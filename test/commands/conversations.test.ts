import {expect, test} from 'vitest';
import {messagesView, type View} from '#app/core/view.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, directNarrow, topicNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {backend, bo, dan, listFixture, random, web} from '#test/app/lists/list-fixture.ts';
import {selfId} from '#test/support/state-builders.ts';

const topic = (channelId: number, name: string): View => messagesView(topicNarrow(channelId, name));
const dm = (userId: number): View => messagesView(directNarrow([userId]));
const at = ({app}: ReturnType<typeof listFixture>) => app.screen.view;

test('n, N and p go through what is unread and leave it unread', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  stage.press('n');
  expect(at(stage)).toMatchObject(topic(backend, 'logs'));
  stage.press('p');
  expect(at(stage)).toMatchObject(dm(bo));
  stage.press('p');
  expect(stage.toast()).toBe('No other unread direct message');
  stage.press('N');
  expect(stage.toast()).toBe('No other unread followed topic');
});

test('after the last topic of a channel n goes to the next channel, and around at the end', () => {
  const stage = listFixture({view: topic(web, '✔ login')});
  stage.press('n');
  expect(at(stage)).toMatchObject(topic(web, 'css'));
  stage.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [4]});
  stage.press('n');
  expect(at(stage)).toMatchObject(topic(backend, 'logs'));
});

test('Alt-a goes to the most important first and in the end back to where it began', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  const seen = [];
  for (let step = 0; step < 5; step++) {
    stage.press('Alt-a');
    seen.push(at(stage));
    stage.app.session.pendingChanges.perform({
      kind: 'flags',
      op: 'add',
      flag: 'read',
      ids: [[2], [7], [3], [4], []][step] ?? [],
    });
  }
  expect(seen).toMatchObject([
    topic(backend, 'deploy'),
    dm(bo),
    topic(backend, 'logs'),
    topic(web, 'css'),
    {kind: 'recent'},
  ]);
  expect(stage.toast()).toBe('Nothing else is unread · back to where you started');
  stage.press('Alt-a');
  expect(stage.toast()).toBe('Nothing is unread.');
});

test('Alt-Up goes back along the walk to where it began', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('Alt-a', 'Alt-a', 'Alt-Up');
  expect(at(stage)).toMatchObject(topic(backend, 'deploy'));
  stage.press('Alt-Up');
  expect(at(stage)).toEqual({kind: 'recent'});
});

test('done marks exactly what is known as unread and goes on to the next; undo gives it back', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  stage.press('E');
  expect(stage.unread()).toEqual([3, 4, 6, 7]);
  expect(at(stage)).toMatchObject(dm(bo));
  expect(stage.toast()).toBe('Marked #backend › deploy read (1) · Z undo');
  stage.press('Z');
  expect(stage.unread()).toEqual([2, 3, 4, 6, 7]);
});

test('from a conversation with nothing but a draft, done and Alt-a go to what is unread', () => {
  const drafts = SortedMap.from(
    [topicConversation(web, '✔ login'), directConversation([dan], selfId)].map(
      (target, at) => [at + 1, {id: at + 1, target, content: 'begun', timestamp: 1}] as const,
    ),
  );
  for (const key of ['E', 'Alt-a']) {
    const stage = listFixture({view: topic(web, '✔ login'), account: {drafts}});
    stage.press(key);
    expect(at(stage)).toMatchObject(topic(backend, 'deploy'));
  }
});

test('whoever explores is told that nothing is marked', () => {
  const stage = listFixture({view: topic(backend, 'deploy'), info: {isExploring: true}});
  stage.press('E');
  expect(stage.toast()).toBe('Exploring: nothing is marked read');
  expect(stage.unread()).toHaveLength(5);
});

test('a topic is followed, muted and back again', () => {
  const stage = listFixture({view: topic(backend, 'deploy')});
  const policy = () => stage.app.state.userTopics.get('c1:deploy')?.policy ?? 0;
  stage.press('F');
  expect([policy(), stage.toast()]).toEqual([3, 'Followed #backend › deploy · Z undo']);
  stage.press('F');
  expect(policy()).toBe(0);
  stage.press('M');
  expect([policy(), stage.toast()]).toEqual([1, 'Muted #backend › deploy · Z undo']);
  stage.press('M');
  expect(policy()).toBe(0);
});

test('a topic of a muted channel is unmuted for itself; people are not muted with this key', () => {
  const stage = listFixture({view: topic(random, 'cats')});
  stage.press('M');
  expect(stage.app.state.userTopics.get('c3:cats')?.policy).toBe(2);
  const direct = listFixture({view: dm(bo)});
  direct.press('M');
  expect(direct.toast()).toBe('Only topics and channels can be muted here. Mute people from their profile.');
});

test('s goes from a topic to its channel, and y to the list of its topics and back', () => {
  const stage = listFixture({view: topic(web, 'css')});
  stage.press('s');
  expect(at(stage)).toMatchObject(messagesView(channelNarrow(web)));
  stage.press('y');
  expect(at(stage)).toEqual({kind: 'topics', channelId: web});
  stage.press('y');
  expect(at(stage)).toMatchObject(messagesView(channelNarrow(web)));
});

test('A and D go around the channels in the order of their list', () => {
  const stage = listFixture({view: topic(web, 'css')});
  const seen = ['D', 'D', 'A'].map((key) => {
    stage.press(key);
    return at(stage);
  });
  expect(seen).toMatchObject([random, backend, random].map((id) => messagesView(channelNarrow(id))));
});

test('[ and ] go through the list that one came from', () => {
  const stage = listFixture({view: {kind: 'recent'}});
  stage.press('j', 'Enter');
  expect(at(stage)).toMatchObject(dm(bo));
  stage.press('[');
  expect(at(stage)).toMatchObject(dm(dan));
  stage.press('[');
  expect(stage.toast()).toBe('No previous conversation in the list');
  stage.press(']', ']');
  expect(at(stage)).toMatchObject(topic(web, '✔ login'));
});

test('Alt-/ goes back and forth between the two last conversations', () => {
  const stage = listFixture({view: {kind: 'inbox'}});
  openConversation(stage.app, topicConversation(web, 'css'));
  openConversation(stage.app, directConversation([bo], selfId));
  stage.press('Alt-/');
  expect(at(stage)).toMatchObject(topic(web, 'css'));
  stage.press('Alt-/');
  expect(at(stage)).toMatchObject(dm(bo));
});

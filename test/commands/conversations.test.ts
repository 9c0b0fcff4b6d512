import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {defaultKeymap, withBindings} from '#commands/keymap.ts';
import {presetBindings} from '#commands/user-keys.ts';
import {directConversation, topicConversation} from '#state/model/conversation.ts';
import {channelNarrow, directNarrow, topicNarrow} from '#state/model/narrow.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {selfId} from '#test/support/state-builders.ts';
import {backend, bo, dan, listFixture, loadedConversations, random, web} from '#test/ui/lists/list-fixture.ts';
import {messagesView, type View} from '#ui/core/frame.ts';

const topic = (channelId: number, name: string): View => messagesView(topicNarrow(channelId, name));
const dm = (userId: number): View => messagesView(directNarrow([userId]));
const viewOf = ({app}: ReturnType<typeof listFixture>) => app.screen.view;

test('n, N and p: open the next unread conversation and mark nothing read', () => {
  const fixture = listFixture({view: topic(backend, 'deploy')});
  fixture.press('n');
  expect(viewOf(fixture)).toMatchObject(topic(backend, 'logs'));
  fixture.press('p');
  expect(viewOf(fixture)).toMatchObject(dm(bo));
  fixture.press('p');
  expect(fixture.toast()).toBe('No other unread direct message');
  fixture.press('N');
  expect(fixture.toast()).toBe('No other unread followed topic');
});

test('n: goes to the next channel after the last topic of a channel, and wraps around at the end', () => {
  const fixture = listFixture({view: topic(web, '✔ login')});
  fixture.press('n');
  expect(viewOf(fixture)).toMatchObject(topic(web, 'css'));
  fixture.app.session.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids: [4]});
  fixture.press('n');
  expect(viewOf(fixture)).toMatchObject(topic(backend, 'logs'));
});

test('Alt-a: goes through unread conversations by importance and at the end back to the first view', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  const views = [];
  for (let step = 0; step < 5; step++) {
    fixture.press('Alt-a');
    views.push(viewOf(fixture));
    fixture.app.session.pendingChanges.perform({
      kind: 'flags',
      op: 'add',
      flag: 'read',
      ids: [[2], [7], [3], [4], []][step] ?? [],
    });
  }
  expect(views).toMatchObject([
    topic(backend, 'deploy'),
    dm(bo),
    topic(backend, 'logs'),
    topic(web, 'css'),
    {kind: 'recent'},
  ]);
  expect(fixture.toast()).toBe('Nothing else is unread · back to where you started');
  fixture.press('Alt-a');
  expect(fixture.toast()).toBe('Nothing is unread.');
});

test('Alt-Up: goes back through the conversations of the walk to the first view', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('Alt-a', 'Alt-a', 'Alt-Up');
  expect(viewOf(fixture)).toMatchObject(topic(backend, 'deploy'));
  fixture.press('Alt-Up');
  expect(viewOf(fixture)).toEqual({kind: 'recent'});
});

test('e: marks exactly the known unread messages read and opens the next conversation; z restores them', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), ...loadedConversations()});
  fixture.press('e');
  expect(fixture.unread()).toEqual([3, 4, 6, 7]);
  expect(viewOf(fixture)).toMatchObject(dm(bo));
  expect(fixture.toast()).toBe('Marked #backend › deploy read (1) · z undo');
  fixture.press('z');
  expect(fixture.unread()).toEqual([2, 3, 4, 6, 7]);
});

test('e and Alt-a: open an unread conversation when the current one has only a draft', () => {
  const drafts = SortedMap.from(
    [topicConversation(web, '✔ login'), directConversation([dan], selfId)].map(
      (target, index) => [index + 1, {id: index + 1, target, content: 'unfinished', timestamp: 1}] as const,
    ),
  );
  for (const key of ['e', 'Alt-a']) {
    const fixture = listFixture({view: topic(web, '✔ login'), account: {drafts}});
    fixture.press(key);
    expect(viewOf(fixture)).toMatchObject(topic(backend, 'deploy'));
  }
});

test('e: in an exploring session marks nothing read and says so', () => {
  const fixture = listFixture({view: topic(backend, 'deploy'), info: {isExploring: true}});
  fixture.press('e');
  expect(fixture.toast()).toBe('Exploring: nothing is marked read');
  expect(fixture.unread()).toHaveLength(5);
});

test('F and M: toggle following and muting of a topic', () => {
  const fixture = listFixture({view: topic(backend, 'deploy')});
  const policy = () => fixture.app.state.userTopics.get('c1:deploy')?.policy ?? 0;
  fixture.press('F');
  expect([policy(), fixture.toast()]).toEqual([3, 'Followed #backend › deploy · z undo']);
  fixture.press('F');
  expect(policy()).toBe(0);
  fixture.press('M');
  expect([policy(), fixture.toast()]).toEqual([1, 'Muted #backend › deploy · z undo']);
  fixture.press('M');
  expect(policy()).toBe(0);
});

test('M: unmutes a single topic of a muted channel, and refuses to mute people', () => {
  const fixture = listFixture({view: topic(random, 'cats')});
  fixture.press('M');
  expect(fixture.app.state.userTopics.get('c3:cats')?.policy).toBe(2);
  const direct = listFixture({view: dm(bo)});
  direct.press('M');
  expect(direct.toast()).toBe('Only topics and channels can be muted here. Mute people from their profile.');
});

test('s: opens the channel feed of a topic; y: opens the topic list and closes it again', () => {
  const fixture = listFixture({view: topic(web, 'css')});
  fixture.press('s');
  expect(viewOf(fixture)).toMatchObject(messagesView(channelNarrow(web)));
  fixture.press('y');
  expect(viewOf(fixture)).toEqual({kind: 'topics', channelId: web});
  fixture.press('y');
  expect(viewOf(fixture)).toMatchObject(messagesView(channelNarrow(web)));
});

test('A and D: cycle through the channels in the order of their list', () => {
  const fixture = listFixture({view: topic(web, 'css')});
  const views = ['D', 'D', 'A'].map((key) => {
    fixture.press(key);
    return viewOf(fixture);
  });
  expect(views).toMatchObject([random, backend, random].map((id) => messagesView(channelNarrow(id))));
});

test('A and D: outside of channels, begin at the last and the first one', () => {
  const views = ['A', 'D'].map((key) => {
    const fixture = listFixture({view: {kind: 'inbox'}});
    fixture.press(key);
    return viewOf(fixture);
  });
  expect(views).toMatchObject([random, backend].map((id) => messagesView(channelNarrow(id))));
});

test('Alt-1 to Alt-9 with the keys of WeeChat: open the conversations visited before, the latest first', () => {
  const keymap = withBindings(defaultKeymap, presetBindings('weechat'));
  const fixture = listFixture({view: {kind: 'inbox'}, keymap});
  openConversation(fixture.app, topicConversation(web, 'css'));
  openConversation(fixture.app, topicConversation(backend, 'deploy'));
  fixture.press('Alt-1');
  expect(viewOf(fixture)).toMatchObject(topic(web, 'css'));
  fixture.press('Alt-9');
  expect(fixture.toast()).toBe('No recent conversation with that number');
  expect(viewOf(fixture)).toMatchObject(topic(web, 'css'));
});

test('[ and ]: step through the list from which the conversation was opened', () => {
  const fixture = listFixture({view: {kind: 'recent'}});
  fixture.press('j', 'Enter');
  expect(viewOf(fixture)).toMatchObject(dm(bo));
  fixture.press('[');
  expect(viewOf(fixture)).toMatchObject(dm(dan));
  fixture.press('[');
  expect(fixture.toast()).toBe('No previous conversation in the list');
  fixture.press(']', ']');
  expect(viewOf(fixture)).toMatchObject(topic(web, '✔ login'));
});

test('Alt-/: switches between the last two conversations', () => {
  const fixture = listFixture({view: {kind: 'inbox'}});
  openConversation(fixture.app, topicConversation(web, 'css'));
  openConversation(fixture.app, directConversation([bo], selfId));
  fixture.press('Alt-/');
  expect(viewOf(fixture)).toMatchObject(topic(web, 'css'));
  fixture.press('Alt-/');
  expect(viewOf(fixture)).toMatchObject(dm(bo));
});

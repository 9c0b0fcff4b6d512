import {describe, expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {directConversation, topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {TypingNotifier} from '#state/presence/typing-notifier.ts';
import {withReceiptTime} from '#state/updates/event-batch.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {Reply} from '#test/support/api-client.ts';
import * as eg from '#test/support/state-builders.ts';
import {fakeApiFixture, flushPromises} from './fake-api-fixture.ts';
import {sessionFixture, waitForState} from './session-fixture.ts';

const server = {
  ...eg.server(),
  serverTypingStartedWaitPeriodMilliseconds: 10_000,
  serverTypingStoppedWaitPeriodMilliseconds: 5000,
  serverTypingStartedExpiryPeriodMilliseconds: 15_000,
};
const talk = topicConversation(1, 'talk');
const ann = directConversation([11], eg.selfId);
const started = ['sendTyping', {type: 'stream', op: 'start', stream_id: 1, topic: 'talk'}];
const stopped = ['sendTyping', {type: 'stream', op: 'stop', stream_id: 1, topic: 'talk'}];

describe('typing notifications sent', () => {
  test('start with the first key, repeat after a while, and stop when keys end', () => {
    const stage = fakeApiFixture({server});
    const typing = new TypingNotifier(stage.context);
    for (let second = 0; second <= 10; second++) {
      typing.noteTyping(talk);
      if (second < 10) stage.clock.advance(1000);
    }
    expect(stage.calls).toEqual([started, started]);
    stage.clock.advance(4999);
    expect(stage.calls).toHaveLength(2);
    stage.clock.advance(1);
    expect(stage.calls).toEqual([started, started, stopped]);
    stage.clock.advance(60_000);
    expect(stage.calls).toHaveLength(3);
  });

  test('stop when the message is sent or emptied, and send nothing afterwards', () => {
    const stage = fakeApiFixture({server});
    const typing = new TypingNotifier(stage.context);
    typing.stop();
    typing.noteTyping(talk);
    typing.stop();
    typing.stop();
    stage.clock.advance(60_000);
    expect(stage.calls).toEqual([started, stopped]);
  });

  test('stop in one conversation when typing starts in another', () => {
    const stage = fakeApiFixture({server});
    const typing = new TypingNotifier(stage.context);
    typing.noteTyping(talk);
    typing.noteTyping(ann);
    expect(stage.calls).toEqual([started, stopped, ['sendTyping', {op: 'start', to: [11]}]]);
  });

  test('tell that a message is being edited', () => {
    const messages = {
      byId: eg.byId(eg.message({id: 5})),
      byConversation: initialState.messages.byConversation,
    };
    const stage = fakeApiFixture({server, messages});
    const typing = new TypingNotifier(stage.context);
    typing.noteEditing(5);
    typing.dispose();
    expect(stage.calls).toEqual([
      ['sendEditTyping', {message_id: 5, op: 'start'}],
      ['sendEditTyping', {message_id: 5, op: 'stop'}],
    ]);
  });

  test.each([
    ['while exploring', {server}, true],
    ['while offline', {server, connection: {phase: 'starting', savedAt: undefined}}, false],
    [
      'when one keeps it to oneself',
      {
        server,
        settings: {
          ...initialState.settings,
          sendStreamTypingNotifications: false,
          sendPrivateTypingNotifications: false,
        },
      },
      false,
    ],
  ] as const)('nothing %s', (_when, slices, isExploring) => {
    const stage = fakeApiFixture(slices, isExploring);
    const typing = new TypingNotifier(stage.context);
    for (const conversation of [talk, ann]) typing.noteTyping(conversation);
    typing.dispose();
    expect(stage.calls).toEqual([]);
  });

  test('nothing for messages to oneself, nor for edits on servers without support', () => {
    const stage = fakeApiFixture({server: eg.server(350)});
    const typing = new TypingNotifier(stage.context);
    typing.noteTyping(directConversation([], eg.selfId));
    typing.noteEditing(5);
    expect(stage.calls).toEqual([]);
  });

  test('follow the separate settings for channels and direct messages', () => {
    const settings = {...initialState.settings, sendPrivateTypingNotifications: false};
    const stage = fakeApiFixture({server, settings});
    const typing = new TypingNotifier(stage.context);
    typing.noteTyping(ann);
    typing.noteTyping(talk);
    expect(stage.calls).toEqual([started]);
  });

  test('ignore failures', async () => {
    const stage = fakeApiFixture({server});
    const typing = new TypingNotifier(stage.context);
    stage.reply = new Error('lost');
    typing.noteTyping(talk);
    await flushPromises();
    stage.clock.advance(5000);
    expect(stage.calls).toEqual([started, stopped]);
  });
});

describe('typing notifications received', () => {
  const begins = (id: number, userId: number) =>
    ({
      id,
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      sender: {user_id: userId, email: ''},
      stream_id: 1,
      topic: 'talk',
    }) as const;

  test('expire after the server’s period', async () => {
    const stage = fakeApiFixture({server});
    new TypingNotifier(stage.context);
    const typists = () =>
      stage.cache.state.typing.conversations.get(topicConversationKey(1, 'talk')) ?? SortedMap.empty();
    stage.cache.apply(withReceiptTime(begins(1, 11), stage.clock.now()));
    await flushPromises();
    stage.clock.advance(10_000);
    stage.cache.apply(withReceiptTime(begins(2, 12), stage.clock.now()));
    await flushPromises();
    expect(typists().size).toBe(2);
    stage.clock.advance(5000);
    await flushPromises();
    expect([...typists().keys()]).toEqual([12]);
    stage.clock.advance(10_000);
    expect(stage.cache.state.typing.conversations.size).toBe(0);
  });

  test.each([122, 509])('are exchanged through a real server, at level %i', async (level) => {
    const stage = await sessionFixture({level});
    const session = stage.session();
    session.start();
    await session.ready();
    const otto = stage.server.as(stage.otto);
    const queue = await otto.listen();
    await otto.post('/typing', {type: 'private', op: 'start', to: [stage.meg.id]});
    await waitForState(session, ({typing}) => typing.conversations.has(`d${stage.otto.id}`));
    session.typing.noteTyping(topicConversation(stage.channelId, 'talk'));
    const heard: Reply[] = [];
    while (!heard.some(({stream_id}) => stream_id === stage.channelId)) heard.push(...(await queue.next()));
    expect(heard.at(-1)).toMatchObject({type: 'typing', op: 'start', topic: 'talk'});
  });
});

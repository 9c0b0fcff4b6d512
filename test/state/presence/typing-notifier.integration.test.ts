import {describe, expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {directConversation, topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {TypingNotifier} from '#state/presence/typing-notifier.ts';
import {withReceiptTime} from '#state/updates/event-batch.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {fakeApiFixture, flushPromises} from '#test/state/fake-api-fixture.ts';
import {sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import * as eg from '#test/support/state-builders.ts';
import {RetryFailure} from '#wire/failure.ts';

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
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    for (let second = 0; second <= 10; second++) {
      typing.noteTyping(talk);
      if (second < 10) fixture.clock.advance(1000);
    }
    expect(fixture.calls).toEqual([started, started]);
    fixture.clock.advance(4999);
    expect(fixture.calls).toHaveLength(2);
    fixture.clock.advance(1);
    expect(fixture.calls).toEqual([started, started, stopped]);
    fixture.clock.advance(60_000);
    expect(fixture.calls).toHaveLength(3);
  });

  test('report pauses once a minute, and repeat the start at the server’s pace also after a pause', () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    for (let key = 0; key < 10; key++) {
      typing.noteTyping(talk);
      fixture.clock.advance(6000);
    }
    // Starts after 0, 12, 24, 36 and 48 seconds, and the pause after 5 seconds.
    expect(fixture.calls).toEqual([started, stopped, started, started, started, started]);
    fixture.clock.advance(60_000);
    typing.noteTyping(talk);
    typing.pause();
    typing.pause();
    expect(fixture.calls.slice(6)).toEqual([started, stopped]);
    typing.noteTyping(talk);
    typing.stop();
    expect(fixture.calls).toHaveLength(8);
  });

  test('start at once with the next message after one was sent', () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    typing.noteTyping(talk);
    typing.stop();
    typing.noteTyping(talk);
    expect(fixture.calls).toEqual([started, stopped, started]);
  });

  test('stop when the message is sent or left, and send nothing afterwards', () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    typing.stop();
    typing.noteTyping(talk);
    typing.stop();
    typing.stop();
    fixture.clock.advance(60_000);
    expect(fixture.calls).toEqual([started, stopped]);
  });

  test('stop in one conversation when typing starts in another', () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    typing.noteTyping(talk);
    typing.noteTyping(ann);
    expect(fixture.calls).toEqual([started, stopped, ['sendTyping', {op: 'start', to: [11]}]]);
  });

  test('tell that a message is being edited', () => {
    const messages = {
      byId: eg.byId(eg.message({id: 5})),
      byConversation: initialState.messages.byConversation,
    };
    const fixture = fakeApiFixture({server, messages});
    const typing = new TypingNotifier(fixture.context);
    typing.noteEditing(5);
    typing.dispose();
    expect(fixture.calls).toEqual([
      ['sendEditTyping', {message_id: 5, op: 'start'}],
      ['sendEditTyping', {message_id: 5, op: 'stop'}],
    ]);
  });

  test.each([
    ['in explore mode', {server}, true],
    ['while offline', {server, connection: {phase: 'starting', savedAt: undefined}}, false],
    [
      'when the user disabled them',
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
    const fixture = fakeApiFixture(slices, isExploring);
    const typing = new TypingNotifier(fixture.context);
    for (const conversation of [talk, ann]) typing.noteTyping(conversation);
    typing.dispose();
    expect(fixture.calls).toEqual([]);
  });

  test('nothing with send_typing = false, although the account allows it', () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context, false);
    for (const conversation of [talk, ann]) typing.noteTyping(conversation);
    typing.noteEditing(5);
    typing.dispose();
    expect(fixture.calls).toEqual([]);
  });

  test('nothing for messages to oneself, nor for edits on servers without support', () => {
    const fixture = fakeApiFixture({server: eg.server(350)});
    const typing = new TypingNotifier(fixture.context);
    typing.noteTyping(directConversation([], eg.selfId));
    typing.noteEditing(5);
    expect(fixture.calls).toEqual([]);
  });

  test('follow the separate settings for channels and direct messages', () => {
    const settings = {...initialState.settings, sendPrivateTypingNotifications: false};
    const fixture = fakeApiFixture({server, settings});
    const typing = new TypingNotifier(fixture.context);
    typing.noteTyping(ann);
    typing.noteTyping(talk);
    expect(fixture.calls).toEqual([started]);
  });

  test('wait as long as the server asks, also for a fraction of a second', async () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    const details = {endpoint: 'typing.send', carriedOut: 'no', reason: 'rateLimit', retryAfterMs: 30_500} as const;
    fixture.reply = new RetryFailure('The server asks to wait.', details);
    typing.noteTyping(talk);
    await flushPromises();
    fixture.reply = {};
    for (const ms of [15_000, 15_000, 499]) {
      fixture.clock.advance(ms);
      typing.noteTyping(ann);
      typing.noteTyping(talk);
    }
    expect(fixture.calls).toEqual([started]);
    fixture.clock.advance(1);
    typing.noteTyping(ann);
    expect(fixture.calls.slice(1)).toEqual([stopped, ['sendTyping', {op: 'start', to: [11]}]]);
  });

  test('ignore failures', async () => {
    const fixture = fakeApiFixture({server});
    const typing = new TypingNotifier(fixture.context);
    fixture.reply = new Error('lost');
    typing.noteTyping(talk);
    await flushPromises();
    fixture.clock.advance(5000);
    expect(fixture.calls).toEqual([started, stopped]);
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
    const fixture = fakeApiFixture({server});
    new TypingNotifier(fixture.context);
    const typists = () =>
      fixture.cache.state.typing.conversations.get(topicConversationKey(1, 'talk')) ?? SortedMap.empty();
    fixture.cache.apply(withReceiptTime(begins(1, 11), fixture.clock.monotonic()));
    await flushPromises();
    fixture.clock.advance(10_000);
    fixture.cache.apply(withReceiptTime(begins(2, 12), fixture.clock.monotonic()));
    await flushPromises();
    expect(typists().size).toBe(2);
    fixture.clock.advance(5000);
    await flushPromises();
    expect([...typists().keys()]).toEqual([12]);
    fixture.clock.advance(10_000);
    expect(fixture.cache.state.typing.conversations.size).toBe(0);
    const edits = {type: 'typing_edit_message', op: 'start', id: 3, sender_id: 11, message_id: 5} as const;
    const recipient = {type: 'channel', channel_id: 1, topic: 'talk'} as const;
    fixture.cache.apply(withReceiptTime({...edits, recipient}, fixture.clock.monotonic()));
    await flushPromises();
    expect(fixture.cache.state.typing.edits.size).toBe(1);
    fixture.clock.advance(15_000);
    expect(fixture.cache.state.typing.edits.size).toBe(0);
  });

  test.each([122, 509])('are exchanged through a real server, at level %i', async (level) => {
    const fixture = await sessionFixture({level});
    const session = fixture.session();
    session.start();
    await session.ready();
    const otto = fixture.server.as(fixture.otto);
    const queue = await otto.listen();
    await otto.post('/typing', {type: level < 174 ? 'private' : 'direct', op: 'start', to: [fixture.meg.id]});
    await waitForState(session, ({typing}) => typing.conversations.has(`d${fixture.otto.id}`));
    session.typing.noteTyping(topicConversation(fixture.channelId, 'talk'));
    const received: Reply[] = [];
    while (!received.some(({stream_id}) => stream_id === fixture.channelId)) received.push(...(await queue.next()));
    expect(received.at(-1)).toMatchObject({type: 'typing', op: 'start', topic: 'talk'});
  });
});

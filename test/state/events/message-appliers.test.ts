import {expect, test} from 'vitest';
import {userTopicMap} from '#state/slices/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {withReceiptTime} from '#state/updates/event-batch.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {applyChecked, fetched, opened, threeChannelState, unreadIds} from '#test/state/messages/messages-fixture.ts';
import {
  buildAddFlagEvent,
  buildDeleteDirectEvent,
  buildDeleteMessageEvent,
  buildMessageEvent,
  buildRemoveFlagEvent,
  buildUpdateMessageEvent,
  channelMessage,
  directMessage,
  markAllReadEvent,
} from '#test/state/messages/wire-events.ts';
import * as eg from '#test/support/state-builders.ts';
import type {EventOf} from '#wire/events.ts';

const topics = (state: AccountState, channelId = 1) =>
  Object.fromEntries([...(state.topics.get(channelId)?.byKey ?? [])].map(([key, topic]) => [key, topic.maxId]));

test('message: is stored, counted as unread and newest of its conversation; `read` is not a flag', () => {
  const state = applyChecked(
    threeChannelState(),
    buildMessageEvent(channelMessage({id: 4, subject: 'Lunch'}), 'starred'),
    buildMessageEvent(channelMessage({id: 5, subject: 'LUNCH'}), 'read', 'collapsed'),
    buildMessageEvent(directMessage({id: 6, with: [12, 11]})),
  );
  expect(unreadIds(state)).toEqual({'c1:lunch': [4], 'd11,12': [6]});
  expect(state.messages.byId.get(5)?.flags).toEqual(['collapsed']);
  expect(state.starred.toArray()).toEqual([4]);
  expect(state.topics.get(1)?.byKey.get('lunch')).toEqual({name: 'LUNCH', maxId: 5});
  expect(state.directs.get('d11,12')).toEqual({userIds: [11, 12], maxId: 6});
  expect(state.maxMessageId).toBe(6);
});

test('message: delivered again after it was read, it stays read and changes nothing', () => {
  const event = buildMessageEvent(channelMessage({id: 4}), 'mentioned');
  const read = applyChecked(threeChannelState(), event, buildAddFlagEvent('read', 4));
  expect(applyChecked(read, event)).toBe(read);
});

test('message: an event that comes after a later message leaves the newest message as it is', () => {
  const state = applyChecked(threeChannelState(), ...[5, 4].map((id) => buildMessageEvent(channelMessage({id}))));
  expect(state.maxMessageId).toBe(5);
  expect(topics(state)).toEqual({talk: 5});
  expect(unreadIds(state)).toEqual({'c1:talk': [4, 5]});
});

test('message: an event that comes after a response with the message makes it unread and keeps the newer text', () => {
  const answered = applyChecked(threeChannelState(), fetched([eg.message({id: 5, content: 'edited', editedAt: 300})]));
  const state = applyChecked(answered, buildMessageEvent(channelMessage({id: 5, content: 'first'})));
  expect(state.messages.byId.get(5)).toMatchObject({content: 'edited', editedAt: 300});
  expect(state.unreads.byId.has(5)).toBe(true);
});

test('message: ends the sender’s typing indicator in that conversation only', () => {
  const typing = (fields: Partial<EventOf<'typing'>>) =>
    withReceiptTime({type: 'typing', id: 0, op: 'start', sender: {user_id: 11}, ...fields}, 1000);
  const start = applyChecked(
    threeChannelState(),
    typing({stream_id: 1, topic: 'Talk'}),
    typing({recipients: [{user_id: 11}, {user_id: eg.selfId}]}),
  );
  expect([...start.typing.conversations.keys()]).toEqual(['c1:talk', 'd11']);
  const state = applyChecked(start, buildMessageEvent(channelMessage({id: 4})));
  expect([...state.typing.conversations.keys()]).toEqual(['d11']);
});

test('mentions: of several messages that are moved to a muted topic, no wildcard mention counts any more', () => {
  const state = applyChecked(
    threeChannelState({userTopics: userTopicMap([{channelId: 1, topic: 'quiet', policy: 1, lastUpdated: 0}])}),
    ...[1, 2].map((id) => buildMessageEvent(channelMessage({id}), 'stream_wildcard_mentioned')),
    buildMessageEvent(channelMessage({id: 3}), 'mentioned'),
    {
      ...buildUpdateMessageEvent({message_id: 1, message_ids: [1, 2, 3], orig_subject: 'Talk', subject: 'quiet'}),
      flags: ['stream_wildcard_mentioned'],
    },
  );
  expect(unreadIds(state)).toEqual({'c1:quiet': [1, 2, 3]});
  expect(state.unreads.mentions.toArray()).toEqual([3]);
});

test('mentions: wildcard mentions count only in unmuted topics, even when muting changes', () => {
  const muted = eg.subscribed(eg.subscription({channelId: 1, isMuted: true}), eg.subscription({channelId: 2}));
  const userTopics = userTopicMap([{channelId: 1, topic: 'heard', policy: 2, lastUpdated: 0}]);
  const state = applyChecked(
    threeChannelState({subscriptions: muted, userTopics}),
    buildMessageEvent(channelMessage({id: 1}), 'stream_wildcard_mentioned'),
    buildMessageEvent(channelMessage({id: 2}), 'mentioned'),
    buildMessageEvent(channelMessage({id: 3, subject: 'Heard'}), 'topic_wildcard_mentioned'),
    buildMessageEvent(channelMessage({id: 4, stream_id: 2}), 'wildcard_mentioned'),
    buildMessageEvent(directMessage({id: 5}), 'wildcard_mentioned'),
  );
  expect(state.unreads.mentions.toArray()).toEqual([2, 3, 4, 5]);
  const policy = (topic_name: string, visibility_policy: number): EventOf<'user_topic'> => ({
    type: 'user_topic',
    id: 0,
    stream_id: 1,
    topic_name,
    visibility_policy,
    last_updated: 1,
  });
  expect(applyChecked(state, policy('heard', 1), policy('talk', 3)).unreads.mentions.toArray()).toEqual([1, 2, 4, 5]);
  const received = applyChecked(state, {
    type: 'subscription',
    id: 0,
    op: 'update',
    stream_id: 1,
    property: 'is_muted',
    value: false,
  });
  expect(received.unreads.mentions.toArray()).toEqual([1, 2, 3, 4, 5]);
});

test('edit: changes content, time and mentions; a rendering update leaves the time', () => {
  const start = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1}), 'mentioned', 'starred'));
  const edit = buildUpdateMessageEvent({
    content: 'never mind',
    flags: ['read', 'collapsed'],
    is_me_message: true,
  });
  const edited = applyChecked(start, edit);
  expect(edited.messages.byId.get(1)).toMatchObject({
    content: 'never mind',
    editedAt: edit.edit_timestamp,
    movedAt: undefined,
    isMe: true,
    flags: ['collapsed', 'starred'],
  });
  expect(edited.unreads.mentions.size).toBe(0);
  expect(unreadIds(edited)).toEqual({'c1:talk': [1]});
  const rendered = applyChecked(
    start,
    buildUpdateMessageEvent({content: 'hello', user_id: null, rendering_only: true, flags: ['mentioned']}),
  );
  expect(rendered).toBe(start);
});

test('edit: an event that does not say whether the text is /me keeps that, and facts stay only with their text', () => {
  const facts = {users: {otto: 11}};
  const message = eg.message({id: 1, content: 'waves', isMe: true, flags: ['historical'], facts});
  const start = applyChecked(threeChannelState(), fetched([message]));
  const edited = applyChecked(start, buildUpdateMessageEvent({content: 'bows'}));
  expect(edited.messages.byId.get(1)).toMatchObject({content: 'bows', isMe: true, flags: ['historical']});
  expect(edited.messages.byId.get(1)?.facts).toBeUndefined();
  const flagged = applyChecked(start, buildUpdateMessageEvent({content: 'waves', flags: ['mentioned']}));
  expect(flagged.messages.byId.get(1)).toMatchObject({flags: ['mentioned', 'historical'], facts});
});

test('edit: one older than the known edit changes nothing', () => {
  const start = applyChecked(threeChannelState(), fetched([eg.message({id: 1, content: 'third', editedAt: 300})]));
  expect(applyChecked(start, buildUpdateMessageEvent({content: 'second', edit_timestamp: 200}))).toBe(start);
});

test('move: moves loaded messages and all unread ones, and records the time', () => {
  const start = applyChecked(
    threeChannelState(),
    buildRemoveFlagEvent('read', [1], {1: {type: 'stream', stream_id: 1, topic: 'talk', mentioned: true}}),
    buildMessageEvent(channelMessage({id: 2, topic_links: [{text: 'a', url: 'b'}]})),
    buildMessageEvent(channelMessage({id: 3})),
  );
  const move = buildUpdateMessageEvent({
    message_ids: [1, 2],
    message_id: 2,
    new_stream_id: 2,
    subject: 'New',
  });
  const state = applyChecked(start, move);
  expect(unreadIds(state)).toEqual({'c1:talk': [3], 'c2:new': [1, 2]});
  expect(state.unreads.mentions.toArray()).toEqual([1]);
  expect(state.messages.byId.get(2)).toMatchObject({
    channelId: 2,
    topic: 'New',
    topicLinks: [],
    movedAt: move.edit_timestamp,
  });
  expect(state.messages.byConversation.get('c2:new')?.toArray()).toEqual([2]);
  expect(topics(state)).toEqual({talk: 3});
  expect(topics(state, 2)).toEqual({new: 2});
});

test('move: a message that the response knew to be moved later keeps the later time', () => {
  const start = applyChecked(threeChannelState(), fetched([eg.message({id: 1, movedAt: 300})]));
  const state = applyChecked(start, buildUpdateMessageEvent({subject: 'New', edit_timestamp: 200}));
  expect(state.messages.byId.get(1)).toMatchObject({topic: 'New', movedAt: 300});
});

test('move: resolving a topic does not count as a move', () => {
  const start = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1})));
  const state = applyChecked(start, buildUpdateMessageEvent({subject: '✔ talk', propagate_mode: 'change_all'}));
  expect(state.messages.byId.get(1)).toMatchObject({topic: '✔ talk', movedAt: undefined});
  expect(topics(state)).toEqual({'✔ talk': 1});
});

test('move: in an unsubscribed channel nothing stays unread or starred', () => {
  const start = applyChecked(
    threeChannelState(),
    buildMessageEvent(channelMessage({id: 1}), 'starred'),
    buildMessageEvent(channelMessage({id: 2}), 'starred'),
  );
  const state = applyChecked(start, buildUpdateMessageEvent({message_ids: [1], new_stream_id: 3}));
  expect(unreadIds(state)).toEqual({'c1:talk': [2]});
  expect(state.starred.toArray()).toEqual([2]);
  expect(state.messages.byId.get(1)).toMatchObject({channelId: 3, topic: 'talk', flags: ['historical']});
});

test('move: a topic without its newest message has the newest known one; a topic moved completely is removed', () => {
  const start = applyChecked(threeChannelState(), ...[1, 2, 3].map((id) => buildMessageEvent(channelMessage({id}))));
  expect(topics(applyChecked(start, buildUpdateMessageEvent({message_ids: [3], subject: 'x'})))).toEqual({
    talk: 2,
    x: 3,
  });
  const whole = buildUpdateMessageEvent({
    message_ids: [1, 2, 3],
    message_id: 2,
    subject: 'x',
    propagate_mode: 'change_all',
  });
  expect(topics(applyChecked(start, whole))).toEqual({x: 3});
  const respelt = buildUpdateMessageEvent({
    message_ids: [1, 2, 3],
    message_id: 2,
    subject: 'TALK',
    propagate_mode: 'change_all',
  });
  expect(applyChecked(start, respelt).topics.get(1)?.byKey.get('talk')).toEqual({name: 'TALK', maxId: 3});
});

test('move: a topic that lost its later messages keeps its earlier ones and stays in the list', () => {
  const start = applyChecked(threeChannelState(), ...[1, 2, 3].map((id) => buildMessageEvent(channelMessage({id}))));
  const later = buildUpdateMessageEvent({message_ids: [2, 3], subject: 'x', propagate_mode: 'change_later'});
  const state = applyChecked(start, later);
  expect(topics(state)).toEqual({talk: 1, x: 3});
  expect(unreadIds(state)).toEqual({'c1:talk': [1], 'c1:x': [2, 3]});
});

test('delete: removes messages from every slice', () => {
  const start = applyChecked(
    threeChannelState(),
    ...[1, 2].map((id) => buildMessageEvent(channelMessage({id}), 'mentioned', 'starred')),
    ...[3, 4].map((id) => buildMessageEvent(directMessage({id}))),
    withReceiptTime(
      {
        type: 'typing_edit_message',
        id: 0,
        op: 'start',
        sender_id: 11,
        message_id: 2,
        recipient: {type: 'channel'},
      },
      0,
    ),
  );
  const state = applyChecked(start, buildDeleteMessageEvent(2), buildDeleteDirectEvent(4));
  expect([...state.messages.byId.keys()]).toEqual([1, 3]);
  expect(unreadIds(state)).toEqual({'c1:talk': [1], d11: [3]});
  expect(state.unreads.mentions.toArray()).toEqual([1]);
  expect(state.starred.toArray()).toEqual([1]);
  expect(topics(state)).toEqual({talk: 1});
  expect(state.directs.get('d11')?.maxId).toBe(3);
  expect(state.typing.edits.size).toBe(0);
  expect(applyChecked(state, buildDeleteMessageEvent(2), buildDeleteMessageEvent(99))).toBe(state);
});

test.each([
  ['one', [[7], [6], [5]]],
  ['several', [[5, 6, 7]]],
] as const)(
  'delete: direct messages of two conversations, %s in each event, leave the newest known one of each',
  (_count, events) => {
    const start = applyChecked(
      threeChannelState(),
      ...[3, 5, 7].map((id) => buildMessageEvent(directMessage({id}))),
      ...[4, 6].map((id) => buildMessageEvent(directMessage({id, with: [12]}))),
    );
    const state = applyChecked(start, ...events.map((ids) => buildDeleteDirectEvent(...ids)));
    expect([...state.messages.byId.keys()]).toEqual([3, 4]);
    expect(unreadIds(state)).toEqual({d11: [3], d12: [4]});
    expect([...state.directs.values()].map(({maxId}) => maxId).sort()).toEqual([3, 4]);
  },
);

test('delete: several direct messages that are read and not loaded make the newest of each conversation a guess', () => {
  const known = [
    {userIds: [11], maxId: 50},
    {userIds: [12], maxId: 60},
    {userIds: [11, 12], maxId: 70},
  ];
  const directs = SortedMap.from(known.map((direct) => [`d${direct.userIds.join()}`, direct]));
  const state = applyChecked({...threeChannelState(), directs}, buildDeleteDirectEvent(50, 60));
  // The session fetches what is a guess.
  expect([...state.directs.values()].filter(({isGuess}) => isGuess).map(({userIds}) => userIds)).toEqual([[11], [12]]);
  expect(state.directs.get('d11,12')?.maxId).toBe(70);
});

test.each([
  ['one', [[5], [6], [7]]],
  ['several', [[5, 6, 7]]],
] as const)(
  'move: messages of a topic, %s in each event, are in the new topic and no longer in the old one',
  (_count, events) => {
    const start = applyChecked(
      threeChannelState(),
      ...[3, 5, 6, 7].map((id) =>
        buildMessageEvent(channelMessage({id}), ...(id === 6 ? ['mentioned', 'starred'] : [])),
      ),
    );
    const state = applyChecked(
      start,
      // An event has the flags of its first message.
      ...events.map((ids) =>
        buildUpdateMessageEvent({
          message_id: ids[0],
          message_ids: [...ids],
          subject: 'tea',
          flags: ids[0] === 6 ? ['mentioned', 'starred'] : [],
        }),
      ),
    );
    expect(unreadIds(state)).toEqual({'c1:talk': [3], 'c1:tea': [5, 6, 7]});
    expect(topics(state)).toEqual({talk: 3, tea: 7});
    expect([...state.unreads.mentions, ...state.starred]).toEqual([6, 6]);
  },
);

test('delete: the newest message of a topic is then the newest known one, loaded or only known to be unread', () => {
  const details = {type: 'stream' as const, stream_id: 1, topic: 'talk'};
  const start = applyChecked(
    threeChannelState(),
    ...[10, 30, 50].map((id) => buildMessageEvent(channelMessage({id}), 'read')),
    buildRemoveFlagEvent('read', [20, 40], {20: details, 40: details}),
  );
  const newestWithout = (...ids: number[]) =>
    topics(applyChecked(start, ...ids.map((id) => buildDeleteMessageEvent(id))));
  expect([50, 40, 30, 20].map((_, at, all) => newestWithout(...all.slice(0, at + 1)).talk)).toEqual([40, 30, 20, 10]);
});

test('delete: a conversation known to be empty is removed, one that may have messages is not', () => {
  const start = applyChecked(
    threeChannelState(),
    buildMessageEvent(channelMessage({id: 1})),
    buildMessageEvent(directMessage({id: 2})),
  );
  expect(Object.keys(topics(applyChecked(start, buildDeleteMessageEvent(1))))).toEqual(['talk']);
  const narrow = [
    {operator: 'channel', operand: 1},
    {operator: 'topic', operand: 'talk'},
  ];
  const whole = opened(start, narrow, [eg.message({id: 1})], {foundOldest: true});
  expect(topics(applyChecked(whole, buildDeleteMessageEvent(1)))).toEqual({});
});

test('flags: marking read, unread and all read', () => {
  const start = applyChecked(threeChannelState(), ...[1, 2, 3].map((id) => buildMessageEvent(channelMessage({id}))));
  const read = applyChecked(start, buildAddFlagEvent('read', 1, 2, 77));
  expect(unreadIds(read)).toEqual({'c1:talk': [3]});
  const unread = applyChecked(
    read,
    buildRemoveFlagEvent('read', [1, 50, 51, 52], {
      1: {type: 'stream', stream_id: 1, topic: 'talk'},
      50: {type: 'private', user_ids: [12], mentioned: true},
      51: {type: 'stream', stream_id: 3, topic: 'not subscribed'},
    }),
  );
  expect(unreadIds(unread)).toEqual({'c1:talk': [1, 3], d12: [50]});
  expect(unread.unreads.mentions.toArray()).toEqual([50]);
  expect(unreadIds(applyChecked(unread, markAllReadEvent))).toEqual({});
});

test('flags: without conversation details, only loaded messages become unread', () => {
  const start = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1}), 'read', 'mentioned'));
  const state = applyChecked(start, buildRemoveFlagEvent('read', [1, 2]));
  expect(unreadIds(state)).toEqual({'c1:talk': [1]});
  expect(state.unreads.mentions.toArray()).toEqual([1]);
});

test('flags: stars are known for all messages, other flags for loaded ones', () => {
  const start = applyChecked(threeChannelState(), buildMessageEvent(channelMessage({id: 1})));
  const state = applyChecked(start, buildAddFlagEvent('starred', 1, 9), buildAddFlagEvent('collapsed', 1, 9));
  expect(state.starred.toArray()).toEqual([1, 9]);
  expect(state.messages.byId.get(1)?.flags).toEqual(['starred', 'collapsed']);
  const undone = applyChecked(state, buildRemoveFlagEvent('starred', [1, 9]), buildRemoveFlagEvent('collapsed', [1]));
  expect(undone.messages.byId.get(1)?.flags).toEqual([]);
  expect(undone.starred.size).toBe(0);
});

test('update_message: all moved messages that mention everybody count as mentions where the topic is not muted', () => {
  const all = [4, 5].map((id) =>
    buildMessageEvent(channelMessage({id, subject: 'quiet'}), 'stream_wildcard_mentioned'),
  );
  const muted = userTopicMap([{channelId: 1, topic: 'quiet', policy: 1, lastUpdated: 0}]);
  const state = applyChecked({...threeChannelState(), userTopics: muted}, ...all);
  expect(state.unreads.mentions.toArray()).toEqual([]);
  const move = {message_id: 4, message_ids: [4, 5], orig_subject: 'quiet', subject: 'loud'};
  const flags = ['stream_wildcard_mentioned'];
  const moved = applyChecked(state, buildUpdateMessageEvent({...move, flags, propagate_mode: 'change_all'}));
  expect(moved.unreads.mentions.toArray()).toEqual([4, 5]);
});

test('delete_message: nobody edits any of several deleted messages', () => {
  const edits = (state: AccountState) => [...state.typing.edits.keys()];
  const edited = (id: number): EventOf<'typing_edit_message'> => ({
    ...{type: 'typing_edit_message', id: 1, op: 'start', message_id: id, sender_id: 11},
    recipient: {type: 'channel', channel_id: 1, topic: 'talk'},
  });
  const posts = [4, 5, 6].map((id) => buildMessageEvent(channelMessage({id})));
  const state = applyChecked(threeChannelState(), ...posts, ...[4, 5, 6].map((id) => withReceiptTime(edited(id), 1)));
  expect(edits(state)).toEqual([4, 5, 6]);
  expect(edits(applyChecked(state, buildDeleteMessageEvent(4, 6)))).toEqual([5]);
});

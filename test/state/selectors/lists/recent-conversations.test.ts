import fc from 'fast-check';
import {expect, test} from 'vitest';
import {withoutMessages} from '#state/messages/loaded-messages.ts';
import type {TopicSummary} from '#state/model/channel-topics.ts';
import {conversationKey, directKey, topicKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {draftConversations} from '#state/selectors/lists/conversation-properties.ts';
import {
  recentConversations,
  recentDirectConversations,
  topicExists,
  topicRows,
} from '#state/selectors/lists/conversation-rows.ts';
import type {ServerDraft} from '#state/slices/drafts.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {
  arbitraryAccountState,
  dm,
  loadedMessages,
  topic,
  unreadsOf,
  userTopicPolicies,
} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

function listed(channelId: number, complete: boolean, ...topics: readonly TopicSummary[]): AccountState['topics'] {
  return SortedMap.from([[channelId, {byKey: SortedMap.by(topics, ({name}) => topicKey(name)), complete}]]);
}

const state = eg.state({
  channels: eg.byId(eg.channel({id: 1, name: 'web'})),
  messages: loadedMessages(
    eg.message({id: 5, topic: 'Loaded', senderId: eg.selfId}),
    eg.message({id: 9, topic: 'loaded', senderId: 11, timestamp: 77}),
    eg.direct({id: 7, userIds: [11], senderId: 11}),
  ),
  topics: listed(1, false, {name: 'loaded', maxId: 9}, {name: 'Listed', maxId: 20}),
  directs: SortedMap.from([
    [directKey([11]), {userIds: [11], maxId: 8}],
    [directKey([]), {userIds: [], maxId: 3}],
  ]),
  unreads: unreadsOf([15, topic(1, 'unread'), true], [8, dm(11)]),
  userTopics: userTopicPolicies([1, 'listed', 1], [1, 'LOADED', 3]),
});

function titles(...args: Parameters<typeof recentConversations>): string[] {
  return recentConversations(...args).map(({title}) => title);
}

test('recent conversations: newest first, from all sources', () => {
  expect(titles(state)).toEqual(['#web › Listed', '#web › unread', '#web › loaded', 'Unknown user', 'Notes to self']);
  expect(recentConversations(state)[2]).toEqual({
    key: 'c1:loaded',
    conversation: {kind: 'topic', channelId: 1, topic: 'loaded'},
    title: '#web › loaded',
    lastMessageId: 9,
    lastAt: 77,
    participants: [11, eg.selfId],
    unreadCount: 0,
    mentions: 0,
    isMuted: false,
    isFollowed: true,
    isResolved: false,
  });
  expect(recentConversations(state)[1]).toMatchObject({unreadCount: 1, mentions: 1, lastAt: undefined});
});

test('recent conversations: the topic that the newest message was moved to comes first, with or without the old one', () => {
  const self = {userId: eg.selfId};
  const shown = (...messages: readonly Message[]) =>
    recentConversations(eg.state({self, messages: loadedMessages(...messages)})).map(({key}) => key);
  const move = (...older: readonly Message[]) =>
    ['zoo', 'ant'].map((name) => shown(...older, eg.message({id: 9, topic: name})));
  expect(move(eg.message({id: 4, topic: 'zoo'}))).toEqual([['c1:zoo'], ['c1:ant', 'c1:zoo']]);
  expect(move()).toEqual([['c1:zoo'], ['c1:ant']]);
});

test('recent conversations: filters and the limit apply', () => {
  expect(titles(state, {unread: true})).toEqual(['#web › unread', 'Unknown user']);
  expect(titles(state, {participated: true})).toEqual(['#web › loaded']);
  expect(titles(state, {unmuted: true})).not.toContain('#web › Listed');
  expect(titles(state, {kind: 'topic'})).toEqual(['#web › Listed', '#web › unread', '#web › loaded']);
  expect(titles(state, {}, 2)).toEqual(['#web › Listed', '#web › unread']);
  expect(recentDirectConversations(state).map(({key}) => key)).toEqual(['d11', 'd']);
});

test('recent conversations: a deleted message restores the earlier position', () => {
  const after = {
    ...state,
    messages: withoutMessages(state.messages, [9]),
    topics: SortedMap.empty<number, never>(),
  };
  expect(titles(after)).toEqual(['#web › unread', 'Unknown user', '#web › Loaded', 'Notes to self']);
  expect(titles(state)[2]).toBe('#web › loaded');
});

test('recent conversations: depend on the given state only, whatever state came before', () => {
  fc.assert(
    fc.property(fc.array(arbitraryAccountState, {minLength: 1, maxLength: 4}), (states) => {
      for (const one of states) {
        const newest = new Map<string, number>();
        for (const [key, {ids}] of one.unreads.conversations) newest.set(key, ids.last() ?? 0);
        const expected = [...newest].sort((a, b) => b[1] - a[1]).map(([key]) => key);
        expect(recentConversations(one).map(({key}) => key)).toEqual(expected);
        expect(recentDirectConversations(one).map(({key}) => key)).toEqual(
          expected.filter((key) => key.startsWith('d')),
        );
      }
    }),
  );
});

test('topic rows: newest first, muted last, spelled as in the newest message', () => {
  const rows = topicRows(state, 1);
  expect(rows.map(({conversation}) => conversation.topic)).toEqual(['unread', 'loaded', 'Listed']);
  expect(rows[0]).toEqual({
    key: 'c1:unread',
    conversation: {kind: 'topic', channelId: 1, topic: 'unread'},
    display: 'unread',
    lastMessageId: 15,
    unreadCount: 1,
    mentions: 1,
    isMuted: false,
    isFollowed: false,
    isResolved: false,
  });
  expect(rows.map(({isMuted}) => isMuted)).toEqual([false, false, true]);
  expect(topicRows(state, 1)).toBe(rows);
  expect(topicRows(state, 10)).toEqual([]);
});

test('topic rows: topics of channel 1 are not mixed with those of channel 12', () => {
  const two = eg.state({
    messages: loadedMessages(eg.message({id: 1, channelId: 12}), eg.message({id: 2, channelId: 1})),
  });
  expect(topicRows(two, 1).map(({key}) => key)).toEqual([conversationKey(topic(1, 'talk'))]);
});

test('topicExists: false only where all topics are known', () => {
  expect(topicExists(state, 1, 'LISTED')).toBe(true);
  expect(topicExists(state, 1, 'unread')).toBe(true);
  expect(topicExists(state, 1, 'other')).toBeUndefined();
  expect(topicExists({...state, topics: listed(1, true)}, 1, 'other')).toBe(false);
});

test('recent conversations: rows stay the same objects while another account is asked in between', () => {
  const other = {...state, self: {...state.self}, channels: eg.byId(eg.channel({id: 1, name: 'elsewhere'}))};
  const first = recentConversations(state);
  expect(recentConversations(other).map(({title}) => title)).toContain('#elsewhere › loaded');
  const again = recentConversations(state);
  expect(again.map((row, at) => row === first[at])).toEqual(first.map(() => true));
});

test('draft conversations: the one with the latest draft is first, on this machine or on the server', () => {
  const local = [1, 3].map((at) => ({
    ...{id: `d${at}`, serverId: undefined, base: undefined, status: 'dirty' as const},
    ...{target: topic(1, `at ${at}`), content: 'x', editedAt: at * 1000},
  }));
  const drafts = SortedMap.from<number, ServerDraft>([[5, {id: 5, target: dm(11), content: 'x', timestamp: 2}]]);
  const order = draftConversations(eg.state({localDrafts: local, drafts})).keys();
  expect([...order]).toEqual([topic(1, 'at 3'), dm(11), topic(1, 'at 1')].map(conversationKey));
});

import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {initialState} from '#state/initial-state.ts';
import {combinedFeedNarrow, isCombinedFeed} from '#state/model/narrow.ts';
import {firstUnreadId, unreadCountIn} from '#state/selectors/timeline.ts';
import {countedUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {messageMatchesNarrow} from '#state/timelines/narrow-membership.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {
  applyChecked,
  fetched,
  opened,
  shownIds,
  threeChannelState,
  timeline,
} from '#test/state/messages/messages-fixture.ts';
import {buildMessageEvent, buildUpdateMessageEvent, channelMessage} from '#test/state/messages/wire-events.ts';
import {arbitraryAccountState, userTopicPolicies} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';

const muted = {userTopics: userTopicPolicies([1, 'noise', visibilityPolicies.muted])};
const mutedPeople = (...ids: number[]) => SortedMap.from(ids.map((id) => [id, {id, timestamp: 0}]));

function policyEvent(topic: string, policy: number) {
  return {
    type: 'user_topic' as const,
    id: 0,
    stream_id: 1,
    topic_name: topic,
    last_updated: 0,
    visibility_policy: policy,
  };
}

describe('combined feed membership', () => {
  test.each([
    ['a message in a muted topic', eg.message({topic: 'noise'}), muted, false],
    ['a mention in a muted topic', eg.message({topic: 'noise', flags: ['mentioned']}), muted, true],
    ['a wildcard mention in a muted topic', eg.message({topic: 'noise', flags: ['wildcard_mentioned']}), muted, false],
    ['a message of a muted user', eg.message({senderId: 11}), {mutedUsers: mutedPeople(11)}, false],
    [
      'a direct message to a muted user',
      eg.direct({userIds: [11], senderId: eg.selfId}),
      {mutedUsers: mutedPeople(11)},
      false,
    ],
    [
      'another user in a group conversation with a muted user',
      eg.direct({userIds: [11, 12], senderId: 12}),
      {mutedUsers: mutedPeople(11)},
      true,
    ],
    ['a message to oneself', eg.direct({userIds: [], senderId: eg.selfId}), {mutedUsers: mutedPeople(11)}, true],
  ])('%s', (_what, message, slices: Partial<AccountState>, expected) => {
    expect(messageMatchesNarrow(threeChannelState(slices), combinedFeedNarrow, message)).toBe(expected);
  });

  test.each([
    ['followed', true],
    ['unmuted', true],
    ['none', false],
  ] as const)('a topic of a muted channel that is %s: %s', (policy, expected) => {
    const state = threeChannelState({
      subscriptions: eg.subscribed(eg.subscription({channelId: 1, isMuted: true})),
      userTopics: userTopicPolicies([1, 'talk', visibilityPolicies[policy]]),
    });
    expect(messageMatchesNarrow(state, combinedFeedNarrow, eg.message({channelId: 1, topic: 'talk'}))).toBe(expected);
  });

  test('in:home beside other terms follows the server’s definition', () => {
    const narrow = eg.narrowFromWire([...combinedFeedNarrow, {operator: 'sender', operand: 11}]);
    expect(isCombinedFeed(narrow)).toBe(false);
    const mention = eg.message({topic: 'noise', senderId: 11, flags: ['mentioned']});
    expect(messageMatchesNarrow(threeChannelState(muted), narrow, mention)).toBe(false);
  });
});

test('combined feed: newly muted messages leave at once without a refetch', () => {
  const messages = [eg.message({id: 1, topic: 'noise'}), eg.message({id: 2, topic: 'talk'})];
  const start = opened(threeChannelState(), combinedFeedNarrow, messages, {foundOldest: true});
  const state = applyChecked(start, policyEvent('noise', visibilityPolicies.muted));
  expect(shownIds(state, combinedFeedNarrow)).toEqual([2]);
  expect(timeline(state, combinedFeedNarrow).isStale).toBe(false);
});

test('combined feed: unmuting makes the open feed stale', () => {
  const start = opened(threeChannelState(muted), combinedFeedNarrow, [eg.message({id: 2})], {
    foundOldest: true,
  });
  const state = applyChecked(start, policyEvent('noise', visibilityPolicies.none));
  expect(timeline(state, combinedFeedNarrow).isStale).toBe(true);
});

test('combined feed: new messages appear unless they are muted; mentions always appear', () => {
  const start = opened(threeChannelState(muted), combinedFeedNarrow, [], {foundOldest: true});
  const received = applyChecked(
    start,
    buildMessageEvent(channelMessage({id: 5, subject: 'noise'})),
    buildMessageEvent(channelMessage({id: 6, subject: 'talk'})),
    buildMessageEvent(channelMessage({id: 7, subject: 'noise'}), 'mentioned'),
  );
  expect(shownIds(received, combinedFeedNarrow)).toEqual([6, 7]);
  expect(unreadCountIn(received, combinedFeedNarrow)).toBe(2);
  const named = applyChecked(
    received,
    buildUpdateMessageEvent({message_id: 5, message_ids: [5], content: '@you', flags: ['mentioned']}),
  );
  expect(shownIds(named, combinedFeedNarrow)).toEqual([5, 6, 7]);
});

test('combined feed: messages of a newly muted user leave the feed and responses in flight', () => {
  const messages = [eg.message({id: 1, senderId: 11}), eg.message({id: 2, senderId: 12})];
  const event = {type: 'muted_users' as const, id: 0, muted_users: [{id: 11, timestamp: 0}]};
  const start = opened(threeChannelState(), combinedFeedNarrow, messages, {foundOldest: true});
  expect(shownIds(applyChecked(start, event), combinedFeedNarrow)).toEqual([2]);
  const fetching = applyChecked(start, {type: 'fetch_started'}, event);
  expect(shownIds(applyChecked(fetching, fetched(messages, {narrow: combinedFeedNarrow})), combinedFeedNarrow)).toEqual(
    [2],
  );
});

test('combined feed: a response from before a topic or a user was unmuted leaves the feed stale', () => {
  const start = opened(threeChannelState({...muted, mutedUsers: mutedPeople(11)}), combinedFeedNarrow, []);
  const nobody = {type: 'muted_users' as const, id: 0, muted_users: []};
  for (const event of [nobody, policyEvent('noise', visibilityPolicies.none)]) {
    const fetching = applyChecked(start, {type: 'fetch_started'}, event);
    const after = applyChecked(fetching, fetched([], {narrow: combinedFeedNarrow, foundOldest: true}));
    expect(timeline(after, combinedFeedNarrow).isStale).toBe(true);
  }
});

test('combined feed: below level 134 the whole list of muted topics applies', () => {
  const start = opened(threeChannelState(), combinedFeedNarrow, [eg.message({id: 1, topic: 'noise'})]);
  const name = start.channels.get(1)?.name ?? '';
  const event = {
    type: 'muted_topics' as const,
    id: 0,
    muted_topics: [[name, 'noise', 0] as [string, string, number]],
  };
  expect(shownIds(applyChecked(start, event), combinedFeedNarrow)).toEqual([]);
});

test('combined feed: the unread count equals the number of unread messages outside archived channels', () => {
  fc.assert(
    fc.property(arbitraryAccountState, (account) => {
      const state = {...account, messages: initialState.messages};
      const ids = unreadIdsOf({...state, unreads: countedUnreads(state)}, combinedFeedNarrow);
      expect(unreadCountIn(state, combinedFeedNarrow)).toBe(ids.length);
      expect(firstUnreadId(state, combinedFeedNarrow)).toBe(ids[0]);
    }),
  );
});

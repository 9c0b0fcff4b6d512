import fc from 'fast-check';
import {expect, test} from 'vitest';
import {channelNarrow, combinedFeedNarrow, conversationNarrow, narrowIs} from '#state/model/narrow.ts';
import {inboxGroups, inboxRows} from '#state/selectors/inbox/inbox.ts';
import {topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {unreadCountIn} from '#state/selectors/timeline.ts';
import {
  channelUnreads,
  countedUnreads,
  MentionTally,
  mentionCounts,
  type ShownUnreads,
  shownUnreads,
  UnreadTally,
  unreadCounts,
  viewUnreads,
} from '#state/selectors/unreads/unread-counts.ts';
import type {AccountState} from '#state/state.ts';
import {withMention} from '#state/unreads/unreads.ts';
import {
  arbitraryAccountState,
  dm,
  loadedMessages,
  topic,
  unreadsOf,
  userTopicPolicies,
} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';

test('unread counts: a muted topic counts only its mentions', () => {
  const state = eg.state({
    unreads: unreadsOf([1, topic(1, 'loud')], [2, topic(1, 'quiet')], [3, topic(1, 'quiet'), true], [4, dm(11)]),
    userTopics: userTopicPolicies([1, 'QUIET', 1]),
  });
  expect(unreadCounts(state)).toMatchObject({all: 4, total: 3, directs: 1, mentions: 1, muted: 1});
  expect(channelUnreads(state, 1)).toEqual({unmuted: 2, muted: 1, mentions: 1});
});

test('unread counts: an edit that mentions the user in an unread message of a muted topic counts at once', () => {
  const before = eg.state({
    unreads: unreadsOf([1, topic(1, 'quiet')], [2, topic(1, 'quiet')]),
    userTopics: userTopicPolicies([1, 'quiet', 1]),
  });
  expect(unreadCounts(before)).toMatchObject({total: 0, mentions: 0, muted: 2});
  const after = {...before, unreads: withMention(before.unreads, 2, true)};
  expect(unreadCounts(after)).toMatchObject({total: 1, mentions: 1, muted: 1});
  expect(channelUnreads(after, 1)).toEqual({unmuted: 1, muted: 1, mentions: 1});
  const both = {...after, unreads: withMention(after.unreads, 1, true)};
  expect(unreadCounts(both)).toMatchObject({total: 2, mentions: 2, muted: 0});
  const one = {...both, unreads: withMention(both.unreads, 2, false)};
  expect(unreadCounts(one)).toMatchObject({total: 1, mentions: 1, muted: 1});
  const none = {...one, unreads: withMention(one.unreads, 1, false)};
  expect(unreadCounts(none)).toMatchObject({total: 0, mentions: 0, muted: 2});
  expect(channelUnreads(none, 1)).toEqual({unmuted: 0, muted: 2, mentions: 0});
});

test('unread counts: in a muted channel, unmuted and followed topics count', () => {
  const state = eg.state({
    unreads: unreadsOf([1, topic(1, 'a')], [2, topic(1, 'b')], [3, topic(1, 'c')]),
    subscriptions: eg.subscribed(eg.subscription({channelId: 1, isMuted: true})),
    userTopics: userTopicPolicies([1, 'b', 2], [1, 'c', 3]),
  });
  expect(unreadCounts(state)).toMatchObject({all: 3, total: 2, muted: 1});
});

test('unread counts: messages in archived channels do not count, until the channel is unarchived', () => {
  const state = (isArchived: boolean) =>
    eg.state({
      channels: eg.byId(eg.channel({id: 1, isArchived}), eg.channel({id: 2})),
      unreads: unreadsOf([1, topic(1, 'a'), true], [2, topic(2, 'b')], [3, dm(11)]),
    });
  expect(unreadCounts(state(true))).toMatchObject({all: 2, total: 2, mentions: 0});
  expect(channelUnreads(state(true), 1)).toEqual({unmuted: 0, muted: 0, mentions: 0});
  expect(mentionCounts(state(true)).size).toBe(0);
  expect(inboxRows(state(true)).map(({newestUnreadId}) => newestUnreadId)).not.toContain(1);
  expect(unreadCountIn(state(true), [])).toBe(2);
  expect(unreadCountIn(state(true), [{operator: 'channel', operand: 1}])).toBe(1);
  expect(unreadCounts(state(false))).toMatchObject({all: 3, total: 3, mentions: 1});
  expect(inboxRows(state(false)).map(({newestUnreadId}) => newestUnreadId)).toContain(1);
});

test('unread counts: the view of alert words counts a message once it is loaded', () => {
  const state = eg.state({unreads: unreadsOf([1, topic(1, 'a')])});
  const message = eg.message({id: 1, channelId: 1, topic: 'a', flags: ['has_alert_word']});
  expect(viewUnreads(state, narrowIs('alerted'))).toMatchObject({count: 0, missing: expect.any(String)});
  const loaded = {...state, messages: loadedMessages(message)};
  expect(viewUnreads(loaded, narrowIs('alerted'))).toEqual({count: 1, mentions: 0, isQuiet: false});
});

test('unread counts: a view without muted conversations counts again when a person is muted and unmuted', () => {
  const narrow = [
    {operator: 'in', operand: 'home'},
    {operator: 'is', operand: 'unread'},
  ];
  const state = eg.state({unreads: unreadsOf([1, dm(11)])});
  const muted = {...state, mutedUsers: eg.byId({id: 11, timestamp: 1})};
  expect([state, muted, state].map((each) => viewUnreads(each, narrow).count)).toEqual([1, 0, 1]);
});

test('unread counts: equal a recount of every unread message', () => {
  fc.assert(
    fc.property(arbitraryAccountState, (state) => {
      expect(unreadCounts(state)).toEqual(recount(state));
    }),
  );
});

test('unread counts: incremental counts equal recomputed counts after any change', () => {
  const slices = fc.subarray(['unreads', 'channels', 'userTopics', 'subscriptions', 'mutedUsers'] as const);
  const steps = fc.array(fc.tuple(arbitraryAccountState, slices), {minLength: 1, maxLength: 6});
  fc.assert(
    fc.property(arbitraryAccountState, steps, (first, changes) => {
      const [mentions, counts] = [new MentionTally(), new UnreadTally()];
      let state = first;
      const counted = () => ({...state, unreads: countedUnreads(state)});
      counts.of(counted(), mentions.of(counted().unreads));
      for (const [other, names] of changes) {
        state = {...state, ...Object.fromEntries(names.map((name) => [name, other[name]]))};
        const mentioned = mentions.of(counted().unreads);
        expect(mentioned).toEqual(new MentionTally().of(counted().unreads));
        expect(counts.of(counted(), mentioned)).toEqual(recount(state));
      }
    }),
  );
});

test('unread counts: topics add up to their channel, and channels, the inbox and the views to the same total', () => {
  fc.assert(
    fc.property(arbitraryAccountState, (state) => {
      const {total, directs, directMentions, mentions, channels} = unreadCounts(state);
      const ofChannels = [...channels.values()].reduce((sum, {unmuted}) => sum + unmuted, 0);
      expect(ofChannels + directs).toBe(total);
      for (const [id, counts] of channels) {
        const topics = topicRows(state, id).map(({unreadCount: count, isMuted: isQuiet, ...row}) => ({
          ...row,
          count,
          isQuiet,
        }));
        expect(added(topics)).toEqual({count: counts.unmuted, mentions: counts.mentions});
        expect(viewUnreads(state, channelNarrow(id))).toEqual(shownUnreads(counts));
        for (const {conversation, count, mentions: own, isQuiet} of topics)
          expect(viewUnreads(state, conversationNarrow(conversation))).toEqual({count, mentions: own, isQuiet});
      }
      const inbox = inboxGroups(state)
        .filter(({id}) => id !== 'muted')
        .flatMap(({rows}) => rows);
      expect(added(inbox.map((row) => ({...row, isQuiet: row.isMuted})))).toEqual({count: total, mentions});
      expect(viewUnreads(state, combinedFeedNarrow)).toMatchObject({count: total, mentions});
      expect(viewUnreads(state, narrowIs('dm'))).toMatchObject({count: directs, mentions: directMentions});
      expect(viewUnreads(state, narrowIs('mentioned'))).toMatchObject({count: mentions, mentions});
    }),
  );
});

/** Adds counts as totals do: of muted conversations only the mentions. */
function added(shown: readonly ShownUnreads[]): Omit<ShownUnreads, 'isQuiet'> {
  const count = shown.reduce((sum, one) => sum + (one.isQuiet ? one.mentions : one.count), 0);
  return {count, mentions: shown.reduce((sum, one) => sum + one.mentions, 0)};
}

/** Counts message by message, by the rules alone. */
function recount(state: AccountState) {
  const counts = {all: 0, total: 0, directs: 0, directMentions: 0, mentions: 0, muted: 0};
  const channels = new Map<number, {unmuted: number; muted: number; mentions: number}>();
  for (const [id, key] of state.unreads.byId) {
    const conversation = state.unreads.conversations.get(key)?.conversation;
    if (conversation === undefined) throw new Error('An unread message is nowhere');
    if (conversation.kind === 'topic' && state.channels.get(conversation.channelId)?.isArchived === true) continue;
    const isMention = state.unreads.mentions.has(id);
    counts.all += 1;
    if (isMention) counts.mentions += 1;
    const policy = state.userTopics.get(key)?.policy;
    const isMuted =
      conversation.kind === 'topic'
        ? policy === 1 || (policy === undefined && isChannelMuted(state, conversation.channelId))
        : conversation.userIds.length > 0 && conversation.userIds.every((user) => state.mutedUsers.has(user));
    const isHidden = isMuted && !isMention;
    counts[isHidden ? 'muted' : 'total'] += 1;
    if (conversation.kind === 'direct') {
      if (!isHidden) counts.directs += 1;
      if (isMention) counts.directMentions += 1;
      continue;
    }
    const channel = channels.get(conversation.channelId) ?? {unmuted: 0, muted: 0, mentions: 0};
    channel[isHidden ? 'muted' : 'unmuted'] += 1;
    if (isMention) channel.mentions += 1;
    channels.set(conversation.channelId, channel);
  }
  return {...counts, channels};
}

function isChannelMuted({subscriptions}: AccountState, id: number): boolean {
  const subscription = subscriptions.get(id);
  return subscription?.isSubscribed === true && subscription.isMuted;
}

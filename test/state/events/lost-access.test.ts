import {expect, test} from 'vitest';
import {mayHideChannels} from '#state/events/message-appliers.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {applyChecked, opened, shownIds, threeChannelState} from '#test/state/messages/messages-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {decodeEvent} from '#wire/events.ts';

test.each([
  ['a subscription ends', {type: 'subscription', op: 'remove', subscriptions: [{stream_id: 1}]}, true],
  ['a subscription begins', {type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [2]}, false],
  ['a channel is deleted', {type: 'stream', op: 'delete', stream_ids: [1]}, true],
  [
    'a channel becomes private',
    {type: 'stream', op: 'update', stream_id: 1, property: 'invite_only', value: true},
    true,
  ],
  [
    'other people may subscribe',
    {type: 'stream', op: 'update', stream_id: 1, property: 'can_subscribe_group', value: 7},
    true,
  ],
  ['a channel is renamed', {type: 'stream', op: 'update', stream_id: 1, property: 'name', value: 'x'}, false],
  ['a group changes', {type: 'user_group', op: 'remove_members', group_id: 1, user_ids: [2]}, true],
  ['a role changes', {type: 'realm_user', op: 'update', person: {user_id: 2, role: 600}}, true],
  ['a name changes', {type: 'realm_user', op: 'update', person: {user_id: 2, full_name: 'x'}}, false],
])('lost access: whether saved messages are looked through when %s', (_what, raw, isLookedThrough) => {
  const event = decodeEvent({id: 1, ...raw});
  expect(event.type).toBe(raw.type);
  expect(event.type !== 'unknown' && mayHideChannels(event)).toBe(isLookedThrough);
});

test('lost access: whoever leaves the group that may read a channel sees its messages nowhere; their stars stay', () => {
  const groups = eg.byId(eg.group({id: 7, members: SortedSet.from([eg.selfId])}));
  const channels = eg.byId(eg.channel({id: 3, isPrivate: true, firstMessageId: 1, canSubscribeGroup: 7}));
  const reader = threeChannelState({groups, channels, starred: SortedSet.from([2])});
  const messages = [1, 2].map((id) => eg.message({id, channelId: 3, flags: id === 2 ? ['starred'] : []}));
  const before = opened(reader, channelNarrow(3), messages);
  expect(shownIds(before, channelNarrow(3))).toEqual([1, 2]);
  const after = applyChecked(before, {
    id: 1,
    type: 'user_group',
    op: 'remove_members',
    group_id: 7,
    user_ids: [eg.selfId],
  });
  expect(shownIds(after, channelNarrow(3))).toEqual([]);
  expect(after.messages.byId.size).toBe(0);
  expect(after.starred.toArray()).toEqual([2]);
});

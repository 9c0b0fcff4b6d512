import {expect, test} from 'vitest';
import {mayHideChannels} from '#state/events/message-appliers.ts';
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

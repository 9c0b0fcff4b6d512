import {describe, expect, test} from 'vitest';
import {applySubscription} from '#state/events/personal-appliers.ts';
import type {TopicSummary} from '#state/model/channel-topics.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {noUnreads} from '#state/model/unread.ts';
import {userTopicMap} from '#state/slices/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';
import {applyRawEvents} from './apply-raw-events.ts';

function subscribers(ids: readonly number[], complete = true) {
  return {ids: SortedSet.from(ids), complete};
}

/** Returns a state with channels 1 and 2, both subscribed, with an unread message and a known topic each. */
function twoChannels(slices: Partial<AccountState> = {}): AccountState {
  const topics = {
    byKey: SortedMap.from<string, TopicSummary>([['talk', {name: 'talk', maxId: 1}]]),
    complete: true,
  };
  return eg.state({
    channels: eg.byId(eg.channel({id: 1, subscriberCount: 2}), eg.channel({id: 2, subscriberCount: 300})),
    subscriptions: eg.subscribed(eg.subscription(), eg.subscription({channelId: 2})),
    subscribers: SortedMap.from([
      [1, subscribers([10, 11])],
      [2, subscribers([10, 11], false)],
    ]),
    topics: SortedMap.from([
      [1, topics],
      [2, topics],
    ]),
    unreads: addUnreads(noUnreads, [
      {id: 1, conversation: topicConversation(1, 'talk'), isMention: true},
      {id: 2, conversation: topicConversation(2, 'talk'), isMention: false},
    ]),
    ...slices,
  });
}

describe('unsubscribing', () => {
  const remove = {type: 'subscription', op: 'remove', subscriptions: [{stream_id: 1, name: 'channel 1'}]};

  test('removes the unreads and topics of that channel, and no others', () => {
    const after = applyRawEvents(twoChannels(), remove);
    expect([...after.unreads.byId.keys()]).toEqual([2]);
    expect(after.unreads.mentions.size).toBe(0);
    expect([...after.topics.keys()]).toEqual([2]);
  });

  test('keeps the user’s settings and removes the user from the subscribers', () => {
    const after = applyRawEvents(twoChannels(), remove);
    expect(after.subscriptions.get(1)).toEqual(eg.subscription({isSubscribed: false}));
    expect(after.subscribers.get(1)?.ids.toArray()).toEqual([11]);
    expect(after.channels.get(1)?.subscriberCount).toBe(1);
  });

  test('from several channels in one event removes all of them, and subscribing again adds all of them', () => {
    const both = [eg.wireSubscription(), eg.wireSubscription({stream_id: 2})];
    const isSubscribed = ({subscriptions}: AccountState) =>
      [...subscriptions.values()].map((each) => each.isSubscribed);
    const without = applyRawEvents(twoChannels(), {...remove, subscriptions: [{stream_id: 1}, {stream_id: 2}]});
    expect(isSubscribed(without)).toEqual([false, false]);
    expect([without.unreads.byId.size, without.topics.size]).toEqual([0, 0]);
    const again = applyRawEvents(without, {type: 'subscription', op: 'add', subscriptions: both});
    expect(isSubscribed(again)).toEqual([true, true]);
  });

  test('from an unknown channel changes nothing', () => {
    const state = eg.state();
    expect(applyRawEvents(state, remove)).toBe(state);
  });
});

test('subscribing adds the channel, the user’s settings and the subscribers', () => {
  const sub = eg.wireSubscription({
    stream_id: 3,
    color: '#ff0000',
    subscribers: [10, 12],
    subscriber_count: 2,
  });
  const after = applyRawEvents(twoChannels(), {type: 'subscription', op: 'add', subscriptions: [sub]});
  expect(after.channels.get(3)).toEqual(eg.channel({id: 3, subscriberCount: 2}));
  expect(after.subscriptions.get(3)).toEqual(eg.subscription({channelId: 3, color: '#ff0000'}));
  expect(after.subscribers.get(3)?.ids.toArray()).toEqual([10, 12]);
});

test('resubscribing without a subscriber list adds the user to the known subscribers', () => {
  const unsubscribed = applyRawEvents(twoChannels(), {
    type: 'subscription',
    op: 'remove',
    subscriptions: [{stream_id: 1}],
  });
  const sub = eg.wireSubscription({stream_id: 1, subscriber_count: 2});
  const after = applyRawEvents(unsubscribed, {type: 'subscription', op: 'add', subscriptions: [sub]});
  expect(after.subscribers.get(1)?.ids.toArray()).toEqual([10, 11]);
  expect(after.channels.get(1)?.subscriberCount).toBe(2);
});

test('a new subscription counts the subscribers of its list: the number beside it is from before the change', () => {
  const sub = eg.wireSubscription({stream_id: 3, subscribers: [10, 12], subscriber_count: 1});
  const event = {type: 'subscription', op: 'add', subscriptions: [sub]};
  expect(applyRawEvents(twoChannels(), event).channels.get(3)?.subscriberCount).toBe(2);
});

describe('subscribers are added and removed', () => {
  const peers = (op: string, user_ids: number[]) => ({
    type: 'subscription',
    op,
    stream_ids: [1, 77],
    user_ids,
  });

  test('in a complete list', () => {
    const after = applyRawEvents(twoChannels(), peers('peer_add', [12, 11]), peers('peer_remove', [11, 99]));
    expect(after.subscribers.get(1)?.ids.toArray()).toEqual([10, 12]);
    expect(after.channels.get(1)?.subscriberCount).toBe(2);
  });

  test('in a partial list', () => {
    const after = applyRawEvents(twoChannels(), {...peers('peer_add', [12]), stream_ids: [2]});
    expect(after.subscribers.get(2)?.ids.toArray()).toEqual([10, 11, 12]);
    expect(after.channels.get(2)?.subscriberCount).toBe(301);
    // Those who leave may not be in the list.
    const fewer = applySubscription(after, {
      id: 1,
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [2],
      user_ids: [12, 99],
    });
    expect(fewer.subscribers.get(2)?.ids.toArray()).toEqual([10, 11]);
    expect(fewer.channels.get(2)?.subscriberCount).toBe(299);
  });

  test('in a channel with only a count', () => {
    const before = twoChannels({subscribers: SortedMap.empty()});
    const after = applySubscription(before, {
      id: 1,
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [1],
      user_ids: [12],
    });
    expect(after.channels.get(1)?.subscriberCount).toBe(3);
    expect(after.subscribers.has(1)).toBe(false);
  });
});

describe('muting', () => {
  const update = (property: string, value: unknown) => ({
    type: 'subscription',
    op: 'update',
    stream_id: 1,
    property,
    value,
  });

  test.each([
    ['by both names', [update('in_home_view', false), update('is_muted', true)]],
    ['in the other order', [update('is_muted', true), update('in_home_view', false)]],
    ['by the older name alone', [update('in_home_view', false)]],
  ])('arrives %s', (_name, events) => {
    expect(applyRawEvents(twoChannels(), ...events).subscriptions.get(1)?.isMuted).toBe(true);
  });

  test('subscription: an unknown property, or a value of the wrong type, changes nothing', () => {
    const state = twoChannels();
    expect(applyRawEvents(state, update('sparkles', true), update('is_muted', 'very'))).toBe(state);
  });
});

describe('a channel', () => {
  test('is deleted with all its data except the user’s settings', () => {
    const after = applyRawEvents(twoChannels(), {type: 'stream', op: 'delete', stream_ids: [1]});
    for (const slice of ['channels', 'subscribers', 'topics'] as const) {
      expect([...after[slice].keys()], slice).toEqual([2]);
    }
    expect(after.subscriptions.get(1)?.isSubscribed).toBe(false);
    expect([...after.unreads.byId.keys()]).toEqual([2]);
  });

  test('is deleted by its record on older servers', () => {
    const after = applyRawEvents(twoChannels(), {
      type: 'stream',
      op: 'delete',
      streams: [{stream_id: 1, name: 'x'}],
    });
    expect([...after.channels.keys()]).toEqual([2]);
  });

  test('changes one property at a time, with its dependent fields', () => {
    const event = {type: 'stream', op: 'update', stream_id: 1, name: 'channel 1'};
    const after = applyRawEvents(
      twoChannels(),
      {...event, property: 'name', value: 'renamed'},
      {...event, property: 'invite_only', value: true, history_public_to_subscribers: false},
      {...event, property: 'folder_id', value: null},
      {...event, property: 'can_send_message_group', value: {direct_members: [1], direct_subgroups: []}},
    );
    expect(after.channels.get(1)).toMatchObject({
      name: 'renamed',
      isPrivate: true,
      historyPublicToSubscribers: false,
      folderId: null,
      canSendMessageGroup: {direct_members: [1], direct_subgroups: []},
    });
  });

  test('that is archived has no policies of topics any more; those of other channels stay', () => {
    const policies = [1, 1, 2].map((channelId, at) => ({channelId, topic: `talk ${at}`, policy: 3, lastUpdated: 0}));
    const change = {type: 'stream', op: 'update', stream_id: 1, property: 'is_archived', value: true};
    const after = applyRawEvents(twoChannels({userTopics: userTopicMap(policies)}), change);
    expect([...after.userTopics.values()]).toEqual([policies[2]]);
  });

  test('that is removed with others in one event leaves its name, until it becomes visible again', () => {
    const removed = applyRawEvents(twoChannels(), {type: 'stream', op: 'delete', stream_ids: [1, 2]});
    expect([removed.channels.size, removed.unreads.byId.size, removed.topics.size]).toEqual([0, 0, 0]);
    expect([...removed.formerChannels]).toEqual([
      [1, 'channel 1'],
      [2, 'channel 2'],
    ]);
    const back = {type: 'stream', op: 'create', streams: [eg.wireChannel({stream_id: 2})]};
    expect([...applyRawEvents(removed, back).formerChannels.keys()]).toEqual([1]);
  });

  test('that is unknown cannot change', () => {
    const state = eg.state();
    expect(applyRawEvents(state, {type: 'stream', op: 'update', stream_id: 1, property: 'name', value: 'x'})).toBe(
      state,
    );
  });

  test('that is new has no subscribers until events report them', () => {
    const created = {
      type: 'stream',
      op: 'create',
      streams: [eg.wireChannel({stream_id: 3, subscriber_count: 0})],
    };
    const after = applyRawEvents(twoChannels(), created, {
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [3],
      user_ids: [11],
    });
    expect(after.subscribers.get(3)).toMatchObject({complete: true});
    expect(after.channels.get(3)?.subscriberCount).toBe(1);
  });

  test('that became visible counts the subscribers that the next event lists only once', () => {
    const created = {type: 'stream', op: 'create', streams: [eg.wireChannel({stream_id: 3, subscriber_count: 2})]};
    const listed = {type: 'subscription', op: 'peer_add', stream_ids: [3], user_ids: [11, 12]};
    const joined = {...listed, user_ids: [13]};
    const after = applyRawEvents(twoChannels(), created, listed, joined);
    expect(after.channels.get(3)?.subscriberCount).toBe(3);
    expect(after.subscribers.get(3)).toMatchObject({complete: true});
    expect(applyRawEvents(after, created, listed).channels.get(3)?.subscriberCount).toBe(3);
  });

  test('that became visible has the subscribers that the next event lists, whatever number it was sent with', () => {
    const created = {type: 'stream', op: 'create', streams: [eg.wireChannel({stream_id: 3, subscriber_count: 4})]};
    const listed = {type: 'subscription', op: 'peer_add', stream_ids: [3], user_ids: [11, 12]};
    const after = applyRawEvents(twoChannels(), created, listed, {...listed, user_ids: [13]});
    expect(after.channels.get(3)?.subscriberCount).toBe(3);
    expect(after.subscribers.get(3)).toMatchObject({complete: true});
  });

  test('that became visible keeps the user’s earlier settings', () => {
    const after = applyRawEvents(twoChannels(), {
      type: 'stream',
      op: 'create',
      streams: [eg.wireChannel({stream_id: 1})],
    });
    expect(after.subscriptions.get(1)?.isSubscribed).toBe(true);
  });

  test('that became visible has the policies of its topics again, unless it was archived while it was hidden', () => {
    const policies = [3, 4].map((channelId) => ({channelId, topic: 'talk', policy: 3, lastUpdated: 0}));
    const streams = [3, 4].map((id) => eg.wireChannel({stream_id: id, is_archived: id === 4}));
    const after = applyRawEvents(twoChannels({userTopics: userTopicMap(policies)}), {
      type: 'stream',
      op: 'create',
      streams,
    });
    expect([...after.userTopics.values()]).toEqual([policies[0]]);
  });
});

test('folders: added, changed and reordered', () => {
  const folder = (id: number) => ({id, name: `folder ${id}`, description: '', is_archived: false, order: id});
  const after = applyRawEvents(
    eg.state(),
    {type: 'channel_folder', op: 'add', channel_folder: folder(1)},
    {type: 'channel_folder', op: 'add', channel_folder: folder(2)},
    {type: 'channel_folder', op: 'update', channel_folder_id: 1, data: {name: 'first', is_archived: true}},
    {type: 'channel_folder', op: 'reorder', order: [2, 7, 1]},
  );
  expect([...after.folders.values()].map(({name, order, isArchived}) => [name, order, isArchived])).toEqual([
    ['first', 2, true],
    ['folder 2', 0, false],
  ]);
});

test('default channels: replaced', () => {
  const whole = [eg.wireChannel({stream_id: 4})];
  expect(applyRawEvents(eg.state(), {type: 'default_streams', default_streams: [2]}).defaultChannels.toArray()).toEqual(
    [2],
  );
  expect(
    applyRawEvents(eg.state(), {type: 'default_streams', default_streams: whole}).defaultChannels.toArray(),
  ).toEqual([4]);
});

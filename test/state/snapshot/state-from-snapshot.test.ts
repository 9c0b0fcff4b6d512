import {describe, expect, test} from 'vitest';
import {topicConversationKey} from '#state/model/conversation.ts';
import {registerArgs} from '#state/snapshot/register-args.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import * as eg from '#test/support/state-builders.ts';
import {checkUnreads} from '#test/support/state-checks.ts';
import type {Snapshot} from '#wire/register.ts';

const context = {url: 'https://chat.example', now: 1_767_225_600_000};

function stateOf(fields: Partial<Snapshot>): AccountState {
  return stateFromSnapshot(eg.snapshot(fields), context);
}

test('snapshot: a response with only a queue results in the initial state', () => {
  const state = stateFromSnapshot({queue_id: 'q', last_event_id: -1}, {...context, self: {userId: 3}});
  expect(state.self).toEqual({userId: 3});
  expect(state.server).toMatchObject({level: 0, maxTopicLength: 60, eventQueueLongpollTimeoutSeconds: 90});
  expect(state.settings).toMatchObject({presenceEnabled: true, enterSends: false});
});

describe('snapshot of users', () => {
  test('active users, deactivated users and system bots are all known', () => {
    const {users} = stateOf({
      realm_users: [eg.wireUser()],
      realm_non_active_users: [eg.wireUser({user_id: 11, is_active: false})],
      cross_realm_bots: [eg.wireUser({user_id: 5, is_bot: true, is_system_bot: true})],
    });
    expect([...users.values()].map(({id, isActive, isSystemBot}) => [id, isActive, isSystemBot])).toEqual([
      [5, true, true],
      [10, true, false],
      [11, false, false],
    ]);
  });

  test('presence is keyed by id, or by email on older servers', () => {
    const modern = stateOf({presences: {'10': {active_timestamp: 5, idle_timestamp: 7}}});
    expect(modern.presences.byUser.get(10)).toEqual({activeAt: 5, idleAt: 7});
    const report = (status: string, timestamp: number) => ({client: 'x', status, timestamp});
    const legacy = stateOf({
      presences: {
        'person10@example.com': {website: report('active', 5), phone: report('idle', 7)},
        'stranger@example.com': {website: report('active', 5)},
      },
    });
    expect([...legacy.presences.byUser]).toEqual([[10, {activeAt: 5, idleAt: 7}]]);
  });

  test('the clock offset is recorded', () => {
    expect(stateOf({server_timestamp: 1_767_225_630}).presences.serverOffset).toBe(30);
    expect(stateOf({}).presences.serverOffset).toBe(0);
  });

  test('a status contains only the fields that are set', () => {
    const {statuses} = stateOf({
      user_status: {
        '10': {status_text: 'out', emoji_name: '', emoji_code: '', reaction_type: ''},
        '11': {status_text: ''},
      },
    });
    expect([...statuses]).toEqual([[10, {statusText: 'out'}]]);
  });

  test('bot secrets are dropped', () => {
    const {bots} = stateOf({
      realm_bots: [{user_id: 12, api_key: 'secret', services: [{token: 'secret'}], default_sending_stream: 'x'}],
    });
    expect([...bots.values()]).toEqual([{userId: 12, defaultSendingStream: 'x'}]);
  });
});

describe('snapshot of channels', () => {
  test('the user’s own settings are separate from the channel', () => {
    const {channels, subscriptions} = stateOf({
      subscriptions: [eg.wireSubscription({stream_id: 1, in_home_view: true, rendered_description: '<p></p>'})],
      unsubscribed: [eg.wireSubscription({stream_id: 2})],
      never_subscribed: [eg.wireChannel({stream_id: 3})],
    });
    expect([...channels.values()]).toEqual([1, 2, 3].map((id) => eg.channel({id})));
    expect([...subscriptions.values()]).toEqual([
      eg.subscription({channelId: 1}),
      eg.subscription({channelId: 2, isSubscribed: false}),
    ]);
  });

  test('subscribers are complete or partial, and counted where the server does not count', () => {
    const {channels, subscribers} = stateOf({
      subscriptions: [
        eg.wireSubscription({stream_id: 1, subscribers: [12, 10]}),
        eg.wireSubscription({stream_id: 2, partial_subscribers: [10], subscriber_count: 300}),
      ],
      never_subscribed: [eg.wireChannel({stream_id: 3, subscriber_count: 4})],
    });
    expect(subscribers.get(1)?.ids.toArray()).toEqual([10, 12]);
    expect([1, 2, 3].map((id) => subscribers.get(id)?.complete)).toEqual([true, false, undefined]);
    expect([1, 2, 3].map((id) => channels.get(id)?.subscriberCount)).toEqual([2, 300, 4]);
  });

  test('the older name of the mute setting counts', () => {
    const {subscriptions} = stateOf({
      subscriptions: [{...eg.wireChannel(), color: '#000000', pin_to_top: false, in_home_view: false}],
    });
    expect(subscriptions.get(1)?.isMuted).toBe(true);
  });

  test('default channels are ids, or whole channels from an older server', () => {
    expect(stateOf({realm_default_streams: [2, 1]}).defaultChannels.toArray()).toEqual([1, 2]);
    expect(stateOf({realm_default_streams: [eg.wireChannel()]}).defaultChannels.toArray()).toEqual([1]);
  });

  test('below level 134 muted topics are keyed by channel name', () => {
    const {userTopics} = stateOf({
      feature_level: 122,
      subscriptions: [eg.wireSubscription({name: 'General'})],
      muted_topics: [
        ['general', 'Talk', 7],
        ['gone', 'Talk', 7],
        ['general', 'older'],
      ],
    });
    expect(userTopics.size).toBe(2);
    expect(userTopics.get(topicConversationKey(1, 'talk'))).toEqual({
      channelId: 1,
      topic: 'Talk',
      policy: 1,
      lastUpdated: 7,
    });
  });
});

describe('snapshot of messages', () => {
  const unread_msgs = {
    count: 6,
    streams: [
      {stream_id: 1, topic: 'talk', unread_message_ids: [1, 2]},
      {stream_id: 1, topic: 'Talk', unread_message_ids: [9]},
    ],
    pms: [
      {other_user_id: 11, sender_id: 11, unread_message_ids: [3]},
      {sender_id: 12, unread_message_ids: [4]},
      {other_user_id: 10, unread_message_ids: [5]},
    ],
    huddles: [{user_ids_string: '9,10,11', unread_message_ids: [6]}],
    mentions: [2, 77],
    old_unreads_missing: true,
  };

  test('unreads are grouped by conversation', () => {
    const {unreads} = stateOf({unread_msgs});
    checkUnreads(unreads);
    expect([...unreads.conversations].map(([key, {ids}]) => [key, ids.toArray()])).toEqual([
      ['c1:talk', [1, 2, 9]],
      ['d', [5]],
      ['d11', [3]],
      ['d12', [4]],
      ['d9,11', [6]],
    ]);
    expect(unreads.mentions.toArray()).toEqual([2]);
    expect(unreads.oldMissing).toBe(true);
  });

  test('unread messages of invisible and unsubscribed channels are left out', () => {
    const {unreads} = stateOf({
      unread_msgs: {
        ...unread_msgs,
        streams: [1, 2, 3].map((stream_id) => ({
          stream_id,
          topic: 't',
          unread_message_ids: [stream_id + 20],
        })),
      },
      subscriptions: [eg.wireSubscription({stream_id: 1})],
      unsubscribed: [eg.wireSubscription({stream_id: 2})],
    });
    checkUnreads(unreads);
    expect([...unreads.channels.keys()]).toEqual([1]);
    expect([...unreads.byId.keys()]).toEqual([3, 4, 5, 6, 21]);
  });

  test('maxMessageId is the newest id in any field', () => {
    expect(stateOf({}).maxMessageId).toBe(-1);
    expect(stateOf({max_message_id: 4}).maxMessageId).toBe(4);
    expect(stateOf({max_message_id: 4, unread_msgs}).maxMessageId).toBe(9);
    expect(stateOf({starred_messages: [12, 3]}).maxMessageId).toBe(12);
    const recent = [{max_message_id: 20, user_ids: [12, 11]}];
    expect(stateOf({recent_private_conversations: recent}).maxMessageId).toBe(20);
  });

  test('direct conversations are keyed by the other participants', () => {
    const {directs} = stateOf({
      recent_private_conversations: [
        {max_message_id: 20, user_ids: [12, 11]},
        {max_message_id: 19, user_ids: []},
      ],
    });
    expect([...directs]).toEqual([
      ['d', {userIds: [], maxId: 19}],
      ['d11,12', {userIds: [11, 12], maxId: 20}],
    ]);
  });
});

describe('snapshot of drafts', () => {
  const fields = {content: 'x', timestamp: 5, topic: 't'};
  test.each([
    ['a topic', {type: 'stream', to: [1]}, {kind: 'topic', channelId: 1, topic: 't'}],
    ['people', {type: 'private', to: [12, 10, 11]}, {kind: 'direct', userIds: [11, 12]}],
    ['messages to oneself', {type: 'private', to: [10]}, {kind: 'direct', userIds: []}],
    ['no recipient yet', {type: 'private', to: []}, {kind: 'none', topic: 't'}],
    ['no channel yet', {type: 'stream', to: []}, {kind: 'none', topic: 't'}],
    ['nothing yet', {type: '', to: []}, {kind: 'none', topic: 't'}],
  ] as const)('a draft for %s', (_name, target, expected) => {
    const {drafts} = stateOf({drafts: [{id: 3, ...fields, type: target.type, to: [...target.to]}]});
    expect(drafts.get(3)).toEqual({id: 3, target: expected, content: 'x', timestamp: 5});
  });
});

describe('snapshot with older field names', () => {
  test('the URL of the organization', () => {
    expect(stateOf({realm_uri: 'https://old.example'}).realm.url).toBe('https://old.example');
    expect(stateOf({realm_uri: 'https://old.example', realm_url: 'https://new.example'}).realm.url).toBe(
      'https://new.example',
    );
  });

  test('a limit of 0 meant no limit', () => {
    const limits = {realm_message_content_edit_limit_seconds: 0};
    expect(stateOf({feature_level: 137, ...limits}).realm.messageContentEditLimitSeconds).toBeNull();
    expect(stateOf({feature_level: 138, ...limits}).realm.messageContentEditLimitSeconds).toBe(0);
  });

  test('empty topics and edit history visibility', () => {
    const {realm} = stateOf({
      feature_level: 277,
      realm_mandatory_topics: true,
      realm_allow_edit_history: false,
      realm_notifications_stream_id: 4,
    });
    expect(realm).toMatchObject({
      topicsPolicy: 'disable_empty_topic',
      messageEditHistoryVisibilityPolicy: 'none',
      newStreamAnnouncementsStreamId: 4,
    });
  });

  test('the video call server', () => {
    const jitsi_server_url = 'https://meet.example';
    expect(stateOf({feature_level: 211, jitsi_server_url}).server.serverJitsiServerUrl).toBe(jitsi_server_url);
    expect(stateOf({feature_level: 212, jitsi_server_url}).server.serverJitsiServerUrl).toBeUndefined();
  });

  test('a linkifier’s url_format becomes a template', () => {
    const url_format = 'https://t.example/%(id)s?a=%%20&b={%(id)s}';
    const {linkifiers} = stateOf({realm_linkifiers: [{id: 1, pattern: '#(?P<id>\\d+)', url_format}]});
    expect(linkifiers).toEqual([
      {id: 1, pattern: '#(?P<id>\\d+)', urlTemplate: 'https://t.example/{+id}?a=%20&b=%7B{+id}%7D'},
    ]);
  });

  test('a playground’s url_prefix becomes a template', () => {
    const playground = {id: 1, name: 'p', pygments_language: 'x', url_prefix: 'https://p.example/?c='};
    expect(stateOf({realm_playgrounds: [playground]}).playgrounds[0]?.urlTemplate).toBe('https://p.example/?c={code}');
  });

  test('the home view', () => {
    expect(stateOf({user_settings: {web_home_view: 'recent_topics'}}).settings.webHomeView).toBe('recent');
  });
});

test('snapshot: the policies of topics are those of channels that are not archived', () => {
  const policy = {topic_name: 'talk', last_updated: 0, visibility_policy: 3};
  const {userTopics} = stateOf({
    streams: [1, 2].map((id) => eg.wireChannel({stream_id: id, is_archived: id === 2})),
    user_topics: [1, 2, 3].map((id) => ({...policy, stream_id: id})),
  });
  // Channel 3 is hidden now, and may become visible again.
  expect([...userTopics.values()].map(({channelId}) => channelId)).toEqual([1, 3]);
});

test('snapshot: the video tokens of any provider are kept', () => {
  const tokens: object = {has_zoom_token: false, has_new_thing_token: true};
  expect(stateOf(tokens).videoTokens).toEqual({zoom: false, new_thing: true});
});

test.each([
  [122, 'true'],
  [393, 'true'],
  [394, 'false'],
  [412, 'partial'],
])('snapshot: at level %i subscribers are requested as %s', (level, expected) => {
  expect(registerArgs(level).include_subscribers).toBe(expected);
});

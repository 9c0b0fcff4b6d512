import {describe, expect, test} from 'vitest';
import {isMutedSubscription, otherUserId} from '#wire/objects/channel.ts';
import {sameGroupSetting} from '#wire/objects/group.ts';
import {fetchedMessage, message, previousTopic, sameEmoji, sameReactionType} from '#wire/objects/message.ts';
import {tokenKeyOf, videoTokens} from '#wire/objects/organization.ts';
import {attachedMessageIds, attachmentCreatedAt, uploadedUrl} from '#wire/objects/personal.ts';
import {
  extraEmojiType,
  featureLevel,
  mergeBase,
  realmUrl,
  serverSettings,
  serverVersion,
} from '#wire/objects/server-settings.ts';
import {anyPresences, isLegacyPresences, ownUser, user} from '#wire/objects/user.ts';
import {defaultChannelIds, snapshot} from '#wire/register.ts';
import {decode} from '#wire/schema.ts';
import * as eg from './event-examples.ts';

describe('fields of older and newer servers', () => {
  test('version', () => {
    expect(featureLevel({feature_level: 509, zulip_feature_level: 1})).toBe(509);
    expect(featureLevel({zulip_feature_level: 421})).toBe(421);
    expect(featureLevel({})).toBe(0);
    expect(serverVersion({zulip_version: '11.0'})).toBe('11.0');
    expect(mergeBase({merge_base: 'a', zulip_merge_base: 'b'})).toBe('a');
    expect(extraEmojiType({zulip_feature_level: 1})).toBe('zulip_extra_emoji');
    expect(extraEmojiType({feature_level: 1, zulip_feature_level: 1})).toBe('extra_emoji');
  });

  test('URLs: the current field takes precedence over the older one', () => {
    expect(realmUrl({realm_uri: 'https://a'})).toBe('https://a');
    expect(realmUrl({realm_url: 'https://b', realm_uri: 'https://a'})).toBe('https://b');
    expect(uploadedUrl({uri: '/u'})).toBe('/u');
    expect(uploadedUrl({url: '/v', uri: '/u'})).toBe('/v');
  });

  test('fields that changed their name', () => {
    expect(otherUserId({sender_id: 4, unread_message_ids: []})).toBe(4);
    expect(otherUserId({other_user_id: 5, sender_id: 4, unread_message_ids: []})).toBe(5);
    expect(previousTopic({timestamp: 1, prev_subject: 'old'})).toBe('old');
    expect(isMutedSubscription({in_home_view: false})).toBe(true);
    expect(isMutedSubscription({is_muted: false, in_home_view: false})).toBe(false);
    expect(defaultChannelIds({realm_default_streams: [{...eg.channel, message_retention_days: null}]})).toEqual([3]);
    expect(defaultChannelIds({realm_default_streams: [1, 2]})).toEqual([1, 2]);
  });

  test('attachments', () => {
    const file = {id: 1, name: '', path_id: '', size: 1};
    expect(attachmentCreatedAt({...file, create_time: 1_700_000_000_123})).toBe(1_700_000_000);
    expect(attachmentCreatedAt({...file, create_time: 1_700_000_000})).toBe(1_700_000_000);
    expect(attachedMessageIds({...file, create_time: 1, messages: [{id: 4}]})).toEqual([4]);
  });

  test('reaction types', () => {
    expect(sameReactionType('extra_emoji', 'zulip_extra_emoji')).toBe(true);
    expect(sameReactionType('extra_emoji', 'realm_emoji')).toBe(false);
    const star = {emoji_code: '2b50', reaction_type: 'unicode_emoji'};
    expect(sameEmoji(star, {...star})).toBe(true);
    expect(sameEmoji(star, {...star, emoji_code: '1f389'})).toBe(false);
  });

  test('video tokens by pattern', () => {
    const tokens = {has_webex_token: true, has_zoom_token: false, has_x_token: 'no'};
    expect(videoTokens(tokens)).toEqual({webex: true, zoom: false});
    expect(tokenKeyOf('conference')).toBe('has_conference_token');
  });
});

describe('schemas', () => {
  test('accept unknown fields and unknown values of open sets', () => {
    expect(decode(user, {...eg.user, role: 250, novelty: 1})).toMatchObject({
      ok: true,
      value: {role: 250, novelty: 1},
    });
    expect(decode(serverSettings, {novelty: true}).ok).toBe(true);
  });

  test('require the required fields even when optional ones are spread in', () => {
    expect(decode(ownUser, {email: 'x', full_name: 'y'}).ok).toBe(false);
    expect(decode(ownUser, {user_id: 7, email: 'x', full_name: 'y'}).ok).toBe(true);
  });

  test('distinguish channel messages from direct messages', () => {
    expect(decode(message, eg.channelMessage).ok).toBe(true);
    expect(decode(message, eg.directMessage).ok).toBe(true);
    expect(decode(message, {...eg.directMessage, display_recipient: 'x'}).ok).toBe(false);
    expect(decode(fetchedMessage, eg.directMessage).ok).toBe(false);
    expect(decode(fetchedMessage, {...eg.directMessage, flags: ['read']}).ok).toBe(true);
  });

  test('tell legacy from modern presence', () => {
    const modern = decode(anyPresences, {'7': {active_timestamp: 1, idle_timestamp: 2}});
    const legacy = decode(anyPresences, {'a@b.example': {website: {status: 'idle', timestamp: 1}}});
    expect(modern.ok && isLegacyPresences(modern.value)).toBe(false);
    expect(legacy.ok && isLegacyPresences(legacy.value)).toBe(true);
    expect(modern.ok && modern.value).toEqual({'7': {active_timestamp: 1, idle_timestamp: 2}});
  });

  test('sameGroupSetting: members are compared as sets', () => {
    const one = {direct_members: [1, 2], direct_subgroups: []};
    expect(sameGroupSetting(one, {direct_members: [2, 1], direct_subgroups: []})).toBe(true);
    expect(sameGroupSetting(one, 5)).toBe(false);
    expect(sameGroupSetting(5, 5)).toBe(true);
  });

  test('a snapshot requires only a queue id and an event id', () => {
    expect(decode(snapshot, {queue_id: null, last_event_id: -1}).ok).toBe(true);
    expect(decode(snapshot, {last_event_id: -1}).ok).toBe(false);
    const whole = decode(snapshot, {
      queue_id: 'q',
      last_event_id: 4,
      zulip_feature_level: 421,
      realm_name: 'Chat',
      realm_users: [eg.user],
      subscriptions: [eg.subscription],
      never_subscribed: [eg.channel],
      unread_msgs: {count: 0, pms: [], huddles: [], streams: [], mentions: []},
      has_some_day_token: true,
    });
    expect(whole).toMatchObject({ok: true, value: {has_some_day_token: true}});
  });

  test('report the path of the first error in one line', () => {
    expect(
      decode(snapshot, {queue_id: 'q', last_event_id: 1, realm_users: [{...eg.user, role: 'boss'}]}),
    ).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^realm_users\.0\.role: /),
    });
  });
});

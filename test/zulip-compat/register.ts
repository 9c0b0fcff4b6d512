import {channelBlocks} from './channels.ts';
import {organizationBlocks, realmBlock, settingsBlock} from './organization.ts';
import {activePeople, formerPeople, groups, includeIf, type Json, ownBots, selfId, systemBots} from './people.ts';

/** The feature levels of released versions and of the next one. */
export const zulipReleaseLevels = [122, 157, 185, 237, 277, 371, 421, 500] as const;

const versions: Readonly<Record<number, string>> = {
  122: '5.0',
  157: '6.0-dev+git-2022-11-15-1-gabcdef0',
  185: '7.0',
  237: '8.0',
  277: '9.0',
  371: '10.0',
  421: '11.0',
  500: '12.1',
};

export function versionFields(level: number): Json {
  const version = versions[level] ?? '13.0-dev';
  return {zulip_feature_level: level, zulip_version: version, zulip_merge_base: version};
}

/**
 * The id of the first message. Ids have gaps of hundreds of thousands, because all organizations of a server share
 * them.
 */
export const firstId = 1_900_000_000;

function unreadBlock(level: number): Json {
  return {
    count: 8,
    pms: [{other_user_id: 11, sender_id: 11, unread_message_ids: [firstId + 5, firstId + 90_001]}],
    huddles: [{user_ids_string: `${selfId},11,77`, unread_message_ids: [firstId + 7]}],
    streams: [
      {stream_id: 1, topic: level >= 334 ? '' : '(no topic)', unread_message_ids: [firstId + 1, firstId + 2]},
      {stream_id: 1, topic: 'Trees', unread_message_ids: [firstId + 3]},
      // Another spelling, and a channel without a subscription.
      {stream_id: 1, topic: 'trees', unread_message_ids: [firstId + 400_000]},
      {stream_id: 99, topic: 'gone', unread_message_ids: [firstId + 9]},
    ],
    // Not sorted, and with an id that no conversation has.
    mentions: [firstId + 400_000, firstId + 3, firstId + 9],
    old_unreads_missing: true,
  };
}

function personalBlocks(level: number): Json {
  const message = {content: 'not yet', scheduled_delivery_timestamp: 1_900_000_000, failed: false};
  return {
    ...(level >= 134
      ? {
          user_topics: [
            {stream_id: 1, topic_name: 'noise', last_updated: 1_700_000_000, visibility_policy: 1},
            ...(level >= 219
              ? [{stream_id: 1, topic_name: 'Trees', last_updated: 1_700_000_001, visibility_policy: 3}]
              : []),
          ],
        }
      : {
          muted_topics: [
            ['general', 'noise', 1_600_000_000],
            ['a channel that is gone', 'x', 1],
          ],
        }),
    muted_users: [{id: 12, timestamp: 1_700_000_000}],
    alert_words: ['oak'],
    starred_messages: [firstId + 3, firstId - 70_000],
    recent_private_conversations: [
      {max_message_id: firstId + 90_001, user_ids: [11]},
      {max_message_id: firstId + 7, user_ids: [11, 77]},
      {max_message_id: firstId - 5, user_ids: []},
    ],
    drafts: [
      {id: 7, type: 'stream', to: [1], topic: 'Trees', content: 'unfinished', timestamp: 1_700_000_000},
      {id: 8, type: '', to: [], topic: '', content: 'for nobody yet', timestamp: 1_700_000_001},
    ],
    ...includeIf(level >= 179, {
      scheduled_messages: [
        {scheduled_message_id: 4, type: 'private', to: [11], rendered_content: '<p>not yet</p>', ...message},
        {scheduled_message_id: 5, type: 'stream', to: 1, topic: 'Trees', rendered_content: '', ...message},
      ],
    }),
    ...includeIf(level >= 297, {
      saved_snippets: [{id: 1, title: 'Hi', content: 'Hello', date_created: 1_700_000_000}],
    }),
    ...includeIf(level >= 390, {navigation_views: [{fragment: 'inbox', is_pinned: true, name: null}]}),
    ...includeIf(level >= 399, {
      reminders: [
        {
          reminder_id: 9,
          type: 'private',
          to: [selfId],
          rendered_content: '',
          reminder_target_message_id: firstId + 3,
          ...message,
        },
      ],
    }),
    has_zoom_token: false,
    ...includeIf(level >= 493, {has_webex_token: false}),
  };
}

function presenceBlock(level: number): Json {
  return {
    presences: {
      '11': {active_timestamp: 1_700_000_000, idle_timestamp: 1_700_000_005},
      // A user who was only idle, in the legacy format, and an unknown user.
      '12': level < 263 ? {idle_timestamp: 1_699_999_000} : {active_timestamp: 0, idle_timestamp: 1_699_999_000},
      '77': {active_timestamp: 1_600_000_000, idle_timestamp: 1_600_000_000},
    },
    server_timestamp: 1_700_000_010.652_307,
    ...includeIf(level >= 263, {presence_last_update_id: 1_000_017}),
    user_status: {
      '11': {
        status_text: 'out for lunch',
        emoji_name: 'pizza',
        emoji_code: '1f355',
        reaction_type: 'unicode_emoji',
      },
      '12': level < 148 ? {away: true} : {emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji'},
    },
  };
}

/** Returns the response to a full registration, as a server of this level sends it to a member. */
export function registerResponse(level: number): Json {
  return {
    result: 'success',
    msg: '',
    queue_id: level < 130 ? '1517975029:0' : 'fb67bf8a-c031-47cc-84cf-ed80accacda8',
    last_event_id: -1,
    ...versionFields(level),
    ...includeIf(level >= 481, {idle_queue_timeout_secs: 3600}),
    ...includeIf(level >= 167, {ignored_parameters_unsupported: []}),
    user_id: selfId,
    email: level >= 163 ? 'user10@chat.example.com' : 'meg@example.com',
    delivery_email: 'meg@example.com',
    full_name: 'Meg Hall',
    avatar_source: 'G',
    avatar_url: 'https://secure.gravatar.com/avatar/2?d=identicon&version=1',
    avatar_url_medium: 'https://secure.gravatar.com/avatar/2?d=identicon&s=500&version=1',
    is_owner: false,
    is_admin: false,
    is_moderator: false,
    is_guest: false,
    can_create_public_streams: true,
    can_create_private_streams: true,
    can_subscribe_other_users: true,
    max_message_id: firstId + 400_000,
    realm_users: activePeople(level),
    realm_non_active_users: formerPeople(level),
    cross_realm_bots: systemBots(level),
    realm_bots: ownBots(level),
    realm_user_groups: groups(level),
    user_settings: settingsBlock(level),
    unread_msgs: unreadBlock(level),
    ...realmBlock(level),
    ...organizationBlocks(level),
    ...channelBlocks(level),
    ...personalBlocks(level),
    ...presenceBlock(level),
  };
}

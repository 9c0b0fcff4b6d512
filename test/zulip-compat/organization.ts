import {includeIf, type Json} from './people.ts';

/** Returns the parts of a registration about the organization and its server. */
export function realmBlock(level: number): Json {
  return {
    realm_name: 'Tree People',
    realm_description: 'We *like* trees',
    realm_icon_url: 'https://secure.gravatar.com/avatar/1?d=identicon',
    realm_icon_source: 'G',
    realm_uri: 'https://chat.example.com',
    ...includeIf(level >= 257, {realm_url: 'https://chat.example.com'}),
    realm_bot_domain: 'chat.example.com',
    realm_default_language: 'en',
    realm_mandatory_topics: level < 392,
    ...includeIf(level >= 392, {realm_topics_policy: 'disable_empty_topic'}),
    ...includeIf(level >= 334, {realm_empty_topic_display_name: 'general chat'}),
    realm_allow_message_editing: true,
    realm_message_content_edit_limit_seconds: level >= 138 ? null : 0,
    realm_message_content_delete_limit_seconds: null,
    ...(level >= 358 ? {realm_message_edit_history_visibility_policy: 'moves'} : {realm_allow_edit_history: false}),
    ...includeIf(level >= 137, {realm_enable_read_receipts: false}),
    realm_presence_disabled: false,
    realm_waiting_period_threshold: 0,
    realm_message_retention_days: -1,
    realm_default_code_block_language: level >= 195 ? '' : null,
    realm_video_chat_provider: 1,
    realm_available_video_chat_providers: {
      disabled: {name: 'None', id: 0},
      jitsi_meet: {name: 'Jitsi', id: 1},
    },
    ...(level >= 212
      ? {realm_jitsi_server_url: null, server_jitsi_server_url: 'https://meet.jit.si'}
      : {jitsi_server_url: 'https://meet.jit.si'}),
    realm_inline_image_preview: true,
    realm_inline_url_embed_preview: false,
    ...(level >= 241
      ? {realm_new_stream_announcements_stream_id: 1, realm_signup_announcements_stream_id: -1}
      : {realm_notifications_stream_id: 1, realm_signup_notifications_stream_id: -1}),
    ...(level >= 270
      ? {
          realm_direct_message_permission_group: 1,
          realm_direct_message_initiator_group: {direct_members: [10], direct_subgroups: []},
        }
      : {realm_private_message_policy: 1}),
    ...(level >= 352 ? {realm_can_mention_many_users_group: 8} : {realm_wildcard_mention_policy: 7}),
    ...(level >= 291 ? {realm_can_delete_own_message_group: 1} : {realm_delete_own_message_policy: 5}),
    ...includeIf(level < 316, {realm_edit_topic_policy: 5}),
    realm_upload_quota_mib: null,
    realm_digest_weekday: 1,
    realm_authentication_methods:
      level >= 241 ? {GitHub: {enabled: true, available: true}} : {GitHub: true, Email: true},
    realm_default_external_accounts: {
      github: {name: 'GitHub', text: 'GitHub', hint: '', url_pattern: 'https://github.com/%(username)s'},
    },
    realm_password_auth_enabled: true,
    max_message_length: 10_000,
    max_topic_length: 60,
    max_stream_name_length: 60,
    max_stream_description_length: 1024,
    max_file_upload_size_mib: 25,
    max_avatar_file_size_mib: 5,
    max_icon_file_size_mib: 5,
    max_logo_file_size_mib: 5,
    password_min_length: 6,
    password_min_guesses: 10_000,
    event_queue_longpoll_timeout_seconds: 90,
    server_generation: 1_700_000_000,
    server_avatar_changes_disabled: false,
    server_needs_upgrade: false,
    server_web_public_streams_enabled: false,
    ...includeIf(level >= 140, {server_emoji_data_url: '/static/generated/emoji/emoji_api.123.json'}),
    ...includeIf(level >= 164, {
      server_presence_ping_interval_seconds: 60,
      server_presence_offline_threshold_seconds: level >= 190 ? 200 : 140,
    }),
    ...includeIf(level >= 204, {
      server_typing_started_expiry_period_milliseconds: 45_000,
      server_typing_stopped_wait_period_milliseconds: 12_000,
      server_typing_started_wait_period_milliseconds: 30_000,
    }),
    ...includeIf(level >= 221, {
      server_supported_permission_settings: {
        realm: {
          can_create_groups: {
            require_system_group: false,
            allow_internet_group: false,
            allow_nobody_group: true,
            allow_everyone_group: false,
            default_group_name: 'role:members',
            default_for_system_groups: null,
            allowed_system_groups: [],
          },
        },
        stream: {},
        group: {},
      },
    }),
    zulip_plan_is_not_limited: true,
    development_environment: false,
  };
}

export function organizationBlocks(level: number): Json {
  return {
    realm_domains: [],
    realm_emoji: {
      '1': {
        id: '1',
        name: 'green_tick',
        source_url: '/user_avatars/1/emoji/images/1.png',
        deactivated: false,
        author_id: 11,
        still_url: null,
      },
      // Uploaded before servers created still images, by a deactivated user.
      '2': {
        id: '2',
        name: 'dance',
        source_url: 'https://cdn.example/2.gif',
        deactivated: true,
        author_id: null,
      },
    },
    realm_linkifiers: [
      level >= 176
        ? {id: 1, pattern: '#(?P<nr>[0-9]+)', url_template: 'https://tickets.example/{nr}'}
        : {id: 1, pattern: '#(?P<nr>[0-9]+)', url_format: 'https://tickets.example/%(nr)s'},
    ],
    ...includeIf(level < 176, {realm_filters: [['#(?P<nr>[0-9]+)', 'https://tickets.example/%(nr)s', 1]]}),
    realm_playgrounds: [
      {
        id: 1,
        name: 'Try Rust',
        pygments_language: 'Rust',
        ...(level >= 196
          ? {url_template: 'https://play.example/?code={code}'}
          : {url_prefix: 'https://play.example/?code='}),
      },
    ],
    custom_profile_fields: [
      {
        id: 1,
        name: 'Phone',
        type: 1,
        hint: '',
        field_data: '',
        order: 1,
        ...includeIf(level >= 244, {required: false}),
      },
      {id: 6, name: 'Mentor', type: 6, hint: '', field_data: '', order: 2},
      ...(level >= 146
        ? [
            {
              id: 7,
              name: 'Tea',
              type: 3,
              hint: '',
              field_data: '{"0":{"text":"Green","order":"1"}}',
              order: 3,
              display_in_profile_summary: true,
            },
          ]
        : []),
    ],
    custom_profile_field_types: {SHORT_TEXT: {id: 1, name: 'Text (short)'}, USER: {id: 6, name: 'Users'}},
  };
}

export function settingsBlock(level: number): Json {
  return {
    twenty_four_hour_time: level >= 408 ? null : true,
    enter_sends: false,
    color_scheme: 1,
    ...(level >= 219 ? {web_home_view: level >= 454 ? 'recent' : 'recent_topics'} : {default_view: 'recent_topics'}),
    demote_inactive_streams: 1,
    emojiset: 'google-blob',
    emojiset_choices: [{key: 'google', text: 'Google'}],
    available_notification_sounds: ['zulip', 'ding'],
    translate_emoticons: false,
    starred_message_counts: true,
    enable_drafts_synchronization: true,
    timezone: 'Europe/Berlin',
    default_language: 'de',
    notification_sound: 'none',
    fluid_layout_width: false,
    high_contrast_mode: false,
    left_side_userlist: false,
    send_private_typing_notifications: true,
    send_stream_typing_notifications: true,
    send_read_receipts: false,
    user_list_style: 2,
    wildcard_mentions_notify: true,
    desktop_icon_count_display: 1,
    ...includeIf(level < 168, {realm_name_in_notifications: false}),
    ...includeIf(level >= 125, {display_emoji_reaction_users: true}),
    ...includeIf(level >= 148, {presence_enabled: true}),
    ...includeIf(level >= 214, {automatically_follow_topics_policy: 1}),
  };
}

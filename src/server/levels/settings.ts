import {SystemGroup} from '#server/permissions/system-groups.ts';
import {answer, type Change, type Json, without} from './change.ts';

/** Keys of the registration answer with the level that brought each. */
const registerKeys: Readonly<Record<number, readonly string[]>> = {
  134: ['user_topics'],
  137: ['realm_enable_read_receipts'],
  140: ['server_emoji_data_url'],
  162: [
    'realm_move_messages_within_stream_limit_seconds',
    'realm_move_messages_between_streams_limit_seconds',
  ],
  164: ['server_presence_ping_interval_seconds', 'server_presence_offline_threshold_seconds'],
  179: ['scheduled_messages'],
  203: ['realm_date_created'],
  204: [
    'server_typing_started_wait_period_milliseconds',
    'server_typing_stopped_wait_period_milliseconds',
    'server_typing_started_expiry_period_milliseconds',
  ],
  212: ['realm_jitsi_server_url', 'server_jitsi_server_url'],
  216: ['realm_enable_guest_user_indicator'],
  221: ['server_supported_permission_settings'],
  225: ['realm_can_access_all_users_group'],
  257: ['realm_url'],
  263: ['presence_last_update_id'],
  273: ['server_thumbnail_formats'],
  281: ['realm_can_delete_any_message_group'],
  297: ['saved_snippets'],
  299: ['realm_can_manage_all_groups'],
  334: ['realm_empty_topic_display_name'],
  348: ['realm_enable_guest_user_dm_warning'],
  367: ['realm_can_resolve_topics_group'],
  389: ['channel_folders'],
  390: ['navigation_views'],
  397: ['max_bulk_new_subscription_messages'],
  399: ['reminders'],
  407: ['realm_can_set_delete_message_policy_group'],
  410: ['max_channel_folder_name_length', 'max_channel_folder_description_length'],
  415: ['max_reminder_note_length'],
  435: ['server_report_message_types'],
  466: ['realm_uuid'],
  481: ['idle_queue_timeout_secs'],
  493: ['has_webex_token', 'has_conference_token'],
};

/** Group settings that were numbered policies before. */
const policies: readonly (readonly [level: number, name: string, policy: string])[] = [
  [264, 'can_create_public_channel_group', 'create_public_stream_policy'],
  [266, 'can_create_private_channel_group', 'create_private_stream_policy'],
  [270, 'direct_message_permission_group', 'private_message_policy'],
  [280, 'can_create_web_public_channel_group', 'create_web_public_stream_policy'],
  [291, 'can_delete_own_message_group', 'delete_own_message_policy'],
  [299, 'can_create_groups', 'user_group_edit_policy'],
  [307, 'can_add_custom_emoji_group', 'add_custom_emoji_policy'],
  [310, 'can_move_messages_between_channels_group', 'move_messages_between_streams_policy'],
  [316, 'can_move_messages_between_topics_group', 'edit_topic_policy'],
  [321, 'can_invite_users_group', 'invite_to_realm_policy'],
  [341, 'can_add_subscribers_group', 'invite_to_stream_policy'],
  [344, 'can_create_bots_group', 'bot_creation_policy'],
  [352, 'can_mention_many_users_group', 'wildcard_mention_policy'],
];

const policyCodes: Readonly<Record<number, number>> = {
  [SystemGroup.members]: 1,
  [SystemGroup.administrators]: 2,
  [SystemGroup.fullMembers]: 3,
  [SystemGroup.moderators]: 4,
  [SystemGroup.everyone]: 5,
  [SystemGroup.nobody]: 6,
  [SystemGroup.owners]: 7,
};

const register = (level: number, before: (state: Json) => Json): Change => ({
  kind: 'reshape',
  level,
  endpoint: 'queue.register',
  before,
});

/** Replaces a key where it is present. */
function replace(level: number, key: string, make: (value: unknown) => Json): Change {
  return register(level, (state) => (key in state ? {...without(state, [key]), ...make(state[key])} : state));
}

export const settingChanges: readonly Change[] = [
  ...Object.entries(registerKeys).map(([level, keys]) => answer(Number(level), 'queue.register', ...keys)),
  ...policies.map(([level, name, policy]) =>
    // An anonymous group has no old number; "admins" is the strictest that somebody can still meet.
    replace(level, `realm_${name}`, (group) => ({[`realm_${policy}`]: policyCodes[Number(group)] ?? 2})),
  ),
  ...policies.map(
    ([level, name, policy]): Change => ({
      kind: 'event',
      level,
      type: 'realm',
      before: (body) => [{type: 'realm', body: olderUpdate(body, name, policy)}],
    }),
  ),
  replace(358, 'realm_message_edit_history_visibility_policy', (policy) => ({
    realm_allow_edit_history: policy !== 'none',
  })),
  replace(392, 'realm_topics_policy', (policy) => ({
    realm_mandatory_topics: policy === 'disable_empty_topic',
  })),
  replace(138, 'realm_message_content_edit_limit_seconds', (limit) => ({
    realm_message_content_edit_limit_seconds: limit ?? 0,
  })),
];

function olderUpdate(body: Json, name: string, policy: string): Json {
  const data = body.data as Json | undefined;
  if (data === undefined || !(name in data)) return body;
  return {...body, data: {...without(data, [name]), [policy]: policyCodes[Number(data[name])] ?? 2}};
}

import type {PermissionSetting} from '#wire/objects/realm.ts';

/** What a permission may be set to. Clients are told these rules in `server_supported_permission_settings`. */
export interface PermissionRule extends PermissionSetting {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  /** False also means that guests never have the permission, however it is set. */
  readonly allow_everyone_group: boolean;
  readonly default_group_name: string;
  readonly default_for_system_groups: string | null;
  /** Empty = all. */
  readonly allowed_system_groups: string[];
}

const base: PermissionRule = {
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group: false,
  default_group_name: 'role:members',
  default_for_system_groups: null,
  allowed_system_groups: [],
};

function rule(defaultGroup: string, changes: Partial<PermissionRule> = {}): PermissionRule {
  return {...base, default_group_name: defaultGroup, ...changes};
}

const somebody = {allow_nobody_group: false};
const guestsToo = {allow_everyone_group: true};

export const realmPermissionRules: Readonly<Record<string, PermissionRule>> = {
  create_multiuse_invite_group: rule('role:administrators'),
  can_access_all_users_group: rule('role:everyone', {
    require_system_group: true,
    ...somebody,
    ...guestsToo,
    allowed_system_groups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: rule('role:members', somebody),
  can_add_subscribers_group: rule('role:members'),
  can_create_bots_group: rule('role:members'),
  can_create_groups: rule('role:members', somebody),
  can_create_private_channel_group: rule('role:members', somebody),
  can_create_public_channel_group: rule('role:members', somebody),
  can_create_web_public_channel_group: rule('role:owners', {
    require_system_group: true,
    allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: rule('role:members'),
  can_delete_any_message_group: rule('role:administrators'),
  can_delete_own_message_group: rule('role:everyone', guestsToo),
  can_invite_users_group: rule('role:members'),
  can_manage_all_groups: rule('role:owners', somebody),
  can_manage_billing_group: rule('role:administrators', somebody),
  can_mention_many_users_group: rule('role:administrators', guestsToo),
  can_move_messages_between_channels_group: rule('role:members'),
  can_move_messages_between_topics_group: rule('role:everyone', guestsToo),
  can_resolve_topics_group: rule('role:everyone', guestsToo),
  can_set_delete_message_policy_group: rule('role:moderators', somebody),
  can_set_topics_policy_group: rule('role:members'),
  can_summarize_topics_group: rule('role:everyone', guestsToo),
  direct_message_initiator_group: rule('role:everyone', guestsToo),
  direct_message_permission_group: rule('role:everyone', guestsToo),
};

export const channelPermissionRules: Readonly<Record<string, PermissionRule>> = {
  can_add_subscribers_group: rule('role:nobody'),
  can_administer_channel_group: rule('stream_creator_or_nobody'),
  can_create_topic_group: rule('role:everyone', guestsToo),
  can_delete_any_message_group: rule('role:nobody'),
  can_delete_own_message_group: rule('role:nobody', guestsToo),
  can_move_messages_out_of_channel_group: rule('role:nobody'),
  can_move_messages_within_channel_group: rule('role:nobody', guestsToo),
  can_remove_subscribers_group: rule('role:administrators'),
  can_resolve_topics_group: rule('role:nobody', guestsToo),
  can_send_message_group: rule('role:everyone', guestsToo),
  can_subscribe_group: rule('role:nobody'),
};

const ofSystemGroups = {default_for_system_groups: 'role:nobody'};

export const groupPermissionRules: Readonly<Record<string, PermissionRule>> = {
  can_add_members_group: rule('group_creator', ofSystemGroups),
  can_join_group: rule('role:nobody', ofSystemGroups),
  can_leave_group: rule('role:everyone', {...guestsToo, ...ofSystemGroups}),
  can_manage_group: rule('group_creator', ofSystemGroups),
  can_mention_group: rule('role:everyone', {...guestsToo, ...ofSystemGroups}),
  can_remove_members_group: rule('role:nobody', ofSystemGroups),
};

export const supportedPermissionSettings = {
  realm: realmPermissionRules,
  stream: channelPermissionRules,
  group: groupPermissionRules,
};

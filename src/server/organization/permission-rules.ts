import type {GroupSetting} from '#wire/objects/group.ts';
import type {PermissionSetting} from '#wire/objects/realm.ts';

/** The values that a permission may have. Clients get these rules in `server_supported_permission_settings`. */
export interface PermissionRule extends PermissionSetting {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  /** False also means that guests never have the permission, even as members of the group. */
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

const notNobody = {allow_nobody_group: false};
const includesGuests = {allow_everyone_group: true};

const realmRules = {
  create_multiuse_invite_group: rule('role:administrators'),
  can_access_all_users_group: rule('role:everyone', {
    require_system_group: true,
    ...notNobody,
    ...includesGuests,
    allowed_system_groups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: rule('role:members'),
  can_add_subscribers_group: rule('role:members'),
  can_create_bots_group: rule('role:members'),
  can_create_groups: rule('role:members'),
  can_create_private_channel_group: rule('role:members'),
  can_create_public_channel_group: rule('role:members'),
  can_create_web_public_channel_group: rule('role:owners', {
    require_system_group: true,
    allowed_system_groups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: rule('role:members'),
  can_delete_any_message_group: rule('role:administrators'),
  can_delete_own_message_group: rule('role:everyone', includesGuests),
  can_invite_users_group: rule('role:members'),
  can_manage_all_groups: rule('role:owners', notNobody),
  can_manage_billing_group: rule('role:administrators', notNobody),
  can_mention_many_users_group: rule('role:administrators', includesGuests),
  can_move_messages_between_channels_group: rule('role:members'),
  can_move_messages_between_topics_group: rule('role:everyone', includesGuests),
  can_resolve_topics_group: rule('role:everyone', includesGuests),
  can_set_delete_message_policy_group: rule('role:moderators'),
  can_set_topics_policy_group: rule('role:members', includesGuests),
  can_summarize_topics_group: rule('role:everyone', includesGuests),
  direct_message_initiator_group: rule('role:everyone', includesGuests),
  direct_message_permission_group: rule('role:everyone', includesGuests),
};

const channelRules = {
  can_add_subscribers_group: rule('role:nobody'),
  can_administer_channel_group: rule('stream_creator_or_nobody'),
  can_create_topic_group: rule('role:everyone', includesGuests),
  can_delete_any_message_group: rule('role:nobody', includesGuests),
  can_delete_own_message_group: rule('role:nobody', includesGuests),
  can_move_messages_out_of_channel_group: rule('role:nobody', includesGuests),
  can_move_messages_within_channel_group: rule('role:nobody', includesGuests),
  can_remove_subscribers_group: rule('role:administrators', includesGuests),
  can_resolve_topics_group: rule('role:nobody', includesGuests),
  can_send_message_group: rule('role:everyone', includesGuests),
  can_subscribe_group: rule('role:nobody'),
};

const nobodyForSystemGroups = {default_for_system_groups: 'role:nobody'};

const groupRules = {
  can_add_members_group: rule('group_creator', nobodyForSystemGroups),
  can_join_group: rule('role:nobody', nobodyForSystemGroups),
  can_leave_group: rule('role:everyone', {...includesGuests, ...nobodyForSystemGroups}),
  can_manage_group: rule('group_creator', nobodyForSystemGroups),
  can_mention_group: rule('role:everyone', {...includesGuests, ...nobodyForSystemGroups}),
  can_remove_members_group: rule('role:nobody', nobodyForSystemGroups),
};

export const realmPermissionRules: Readonly<Record<string, PermissionRule>> = realmRules;
export const channelPermissionRules: Readonly<Record<string, PermissionRule>> = channelRules;
export const groupPermissionRules: Readonly<Record<string, PermissionRule>> = groupRules;

export const supportedPermissionSettings = {
  realm: realmPermissionRules,
  stream: channelPermissionRules,
  group: groupPermissionRules,
};

/**
 * The ids of the groups that every organization has. They are created first, in this order, so the ids are constant.
 */
export const SystemGroup = {
  internet: 1,
  everyone: 2,
  members: 3,
  fullMembers: 4,
  moderators: 5,
  administrators: 6,
  owners: 7,
  nobody: 8,
} as const;

export const Role = {owner: 100, admin: 200, moderator: 300, member: 400, guest: 600} as const;

interface SystemGroupInfo {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The next smaller group, which this one contains. */
  readonly contains: number | undefined;
}

/** In the order of their ids. Each but the last two contains the next one. */
const systemGroupTexts = [
  ['role:internet', 'Everyone on the Internet'],
  ['role:everyone', 'Everyone in this organization, including guests'],
  ['role:members', 'Members of this organization, not including guests'],
  ['role:fullmembers', 'Members of this organization, not including new accounts and guests'],
  ['role:moderators', 'Moderators of this organization, including administrators'],
  ['role:administrators', 'Administrators of this organization, including owners'],
  ['role:owners', 'Owners of this organization'],
  ['role:nobody', 'Nobody'],
] as const;

export const systemGroups: readonly SystemGroupInfo[] = systemGroupTexts.map(([name, description], index) => ({
  id: index + 1,
  name,
  description,
  contains: index + 1 < SystemGroup.owners ? index + 2 : undefined,
}));

type LegacyPolicyCodes = Readonly<Record<number, number>>;

export const commonCodes: LegacyPolicyCodes = {
  [SystemGroup.members]: 1,
  [SystemGroup.administrators]: 2,
  [SystemGroup.fullMembers]: 3,
  [SystemGroup.moderators]: 4,
  [SystemGroup.everyone]: 5,
  [SystemGroup.nobody]: 6,
  [SystemGroup.owners]: 7,
};

export const wildcardCodes: LegacyPolicyCodes = {
  [SystemGroup.everyone]: 1,
  [SystemGroup.members]: 2,
  [SystemGroup.fullMembers]: 3,
  [SystemGroup.administrators]: 5,
  [SystemGroup.nobody]: 6,
  [SystemGroup.moderators]: 7,
};

/**
 * Older servers allowed direct messages for everyone or no one; groups smaller than everyone map to no one, which is
 * safe.
 */
const directMessageCodes: LegacyPolicyCodes = {[SystemGroup.everyone]: 1};
/** The numbers of the older `stream_post_policy` of channels. */
export const postPolicyCodes: LegacyPolicyCodes = {
  [SystemGroup.everyone]: 1,
  [SystemGroup.administrators]: 2,
  [SystemGroup.fullMembers]: 3,
  [SystemGroup.moderators]: 4,
};
/** Group settings that were numbered policies on older servers. */
export const legacyPolicies: readonly (readonly [
  level: number,
  name: string,
  policy: string,
  codes?: LegacyPolicyCodes,
])[] = [
  [264, 'can_create_public_channel_group', 'create_public_stream_policy'],
  [266, 'can_create_private_channel_group', 'create_private_stream_policy'],
  [270, 'direct_message_permission_group', 'private_message_policy', directMessageCodes],
  [280, 'can_create_web_public_channel_group', 'create_web_public_stream_policy'],
  [291, 'can_delete_own_message_group', 'delete_own_message_policy'],
  [299, 'can_create_groups', 'user_group_edit_policy'],
  [307, 'can_add_custom_emoji_group', 'add_custom_emoji_policy'],
  [310, 'can_move_messages_between_channels_group', 'move_messages_between_streams_policy'],
  [316, 'can_move_messages_between_topics_group', 'edit_topic_policy'],
  [321, 'can_invite_users_group', 'invite_to_realm_policy'],
  [341, 'can_add_subscribers_group', 'invite_to_stream_policy'],
  [344, 'can_create_bots_group', 'bot_creation_policy'],
  [352, 'can_mention_many_users_group', 'wildcard_mention_policy', wildcardCodes],
];

export function groupsByCode(codes: LegacyPolicyCodes): Readonly<Record<number, number>> {
  return Object.fromEntries(Object.entries(codes).map(([group, code]) => [code, Number(group)]));
}

/**
 * Returns the number of the policy that a group setting replaced. An anonymous group has none; that of the
 * administrators is the strictest that some user meets.
 */
export function legacyPolicy(group: unknown, codes: LegacyPolicyCodes): number {
  return codes[Number(group)] ?? codes[SystemGroup.administrators] ?? 2;
}

/** Returns the default of each permission. Those of the creator are set when a channel or group is created. */
function defaultsOf<K extends string>(rules: Readonly<Record<K, PermissionRule>>): Record<K, GroupSetting> {
  const defaults = Object.entries<PermissionRule>(rules).map(([name, {default_group_name}]) => [
    name,
    systemGroups.find((group) => group.name === default_group_name)?.id ?? SystemGroup.nobody,
  ]);
  return Object.fromEntries(defaults);
}

export const realmPermissionDefaults = defaultsOf(realmRules);
export const channelPermissionDefaults = defaultsOf(channelRules);
export const groupPermissionDefaults = defaultsOf(groupRules);

import {levels} from '#wire/levels.ts';
import {
  fieldsOf,
  type Infer,
  int,
  ints,
  nullableInt,
  object,
  openEnum,
  openIntEnum,
  s,
  timestamp,
} from '#wire/schema.ts';
import {groupSetting} from './group-setting.ts';

/** The channel permissions that are group settings, with the level that introduced each. */
export const channelSettingLevels = {
  can_add_subscribers_group: 342,
  can_remove_subscribers_group: 142,
  can_administer_channel_group: levels.administerChannelGroup,
  can_send_message_group: levels.sendMessageGroup,
  can_subscribe_group: 357,
  can_move_messages_out_of_channel_group: 396,
  can_move_messages_within_channel_group: 396,
  can_resolve_topics_group: 402,
  can_delete_any_message_group: levels.channelDeleteGroups,
  can_delete_own_message_group: levels.channelDeleteGroups,
  can_create_topic_group: levels.createTopicGroup,
} as const;
export type ChannelSettingName = keyof typeof channelSettingLevels;
export const channelSettingNames = Object.keys(channelSettingLevels) as readonly ChannelSettingName[];

export const topicsPolicies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;
export const topicsPolicy = openEnum(...topicsPolicies);

/** The posting policy; deprecated by `can_send_message_group` (level 333). */
export const postPolicies = {everyone: 1, administrators: 2, fullMembers: 3, moderators: 4} as const;

export const channelRequired = {
  stream_id: int,
  name: s.string(),
  description: s.string(),
  invite_only: s.boolean(),
};

export const channelOptional = {
  rendered_description: s.string(),
  date_created: timestamp,
  creator_id: nullableInt,
  is_web_public: s.boolean(),
  history_public_to_subscribers: s.boolean(),
  is_archived: s.boolean(),
  first_message_id: nullableInt,
  folder_id: nullableInt,
  message_retention_days: nullableInt,
  topics_policy: topicsPolicy,
  is_recently_active: s.boolean(),
  stream_weekly_traffic: nullableInt,
  subscriber_count: s.number(),
  default_push_notifications: s.boolean(),
  stream_post_policy: openIntEnum(1, 2, 3, 4),
  is_announcement_only: s.boolean(),
  ...fieldsOf(channelSettingLevels, groupSetting),
  subscribers: ints,
  partial_subscribers: ints,
  is_default: s.boolean(),
};

export const channel = object(channelRequired, channelOptional);
export type WireChannel = Infer<typeof channel>;

export const defaultChannelGroup = object(
  {id: int, name: s.string(), description: s.string()},
  // Servers below level 330 send channels instead of ids.
  {streams: s.array(s.union([int, channel]))},
);

export const folder = object(
  {id: int, name: s.string(), description: s.string(), is_archived: s.boolean()},
  {
    rendered_description: s.string(),
    order: int,
    date_created: s.nullable(timestamp),
    creator_id: nullableInt,
  },
);
export type WireFolder = Infer<typeof folder>;

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
import {groupSetting} from './group.ts';

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

export const subscriptionProperties = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
export type SubscriptionProperty = (typeof subscriptionProperties)[number];

// Null means the user's global setting. Only sent to clients with `notification_settings_null`.
const inheritable = s.nullable(s.boolean());

/** A channel with the user's own settings for it. */
export const subscription = object(
  {
    ...channelRequired,
    color: s.string(),
    pin_to_top: s.boolean(),
  },
  {
    ...channelOptional,
    is_muted: s.boolean(),
    in_home_view: s.boolean(),
    desktop_notifications: inheritable,
    audible_notifications: inheritable,
    push_notifications: inheritable,
    email_notifications: inheritable,
    wildcard_mentions_notify: inheritable,
  },
);
export type WireSubscription = Infer<typeof subscription>;

/** Returns whether a channel is muted; `in_home_view` is the older, inverse field. */
export function isMutedSubscription(sub: Pick<WireSubscription, 'is_muted' | 'in_home_view'>): boolean {
  return sub.is_muted ?? sub.in_home_view === false;
}

export const visibilityPolicies = {none: 0, muted: 1, unmuted: 2, followed: 3} as const;
export const visibilityPolicy = openIntEnum(0, 1, 2, 3);

export const userTopic = object({
  stream_id: int,
  topic_name: s.string(),
  last_updated: timestamp,
  visibility_policy: visibilityPolicy,
});
export type WireUserTopic = Infer<typeof userTopic>;

/** Legacy format below level 134: channel name, topic, and time of the change. */
export const mutedTopic = s.union([s.tuple([s.string(), s.string(), timestamp]), s.tuple([s.string(), s.string()])]);
export type MutedTopic = Infer<typeof mutedTopic>;

const unreadDirect = object({unread_message_ids: ints}, {other_user_id: int, sender_id: int});
type UnreadDirect = Infer<typeof unreadDirect>;

/** Returns the other user of a one-to-one conversation; the field is `sender_id` below level 119. */
export function otherUserId(unread: UnreadDirect): number | undefined {
  return unread.other_user_id ?? unread.sender_id;
}

/** The unread messages of a group conversation. `user_ids_string` is sorted and includes the user. */
const unreadGroup = object({user_ids_string: s.string(), unread_message_ids: ints});

const unreadTopic = object({stream_id: int, topic: s.string(), unread_message_ids: ints});

export const unreads = object(
  {pms: s.array(unreadDirect), huddles: s.array(unreadGroup), streams: s.array(unreadTopic)},
  {count: int, mentions: ints, old_unreads_missing: s.boolean()},
);
export type WireUnreads = Infer<typeof unreads>;

export const topic = object({name: s.string(), max_id: int});

/** The prefix of resolved topics. */
export const resolvedPrefix = '✔ ';

export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(resolvedPrefix);
}

/** Returns the topic without any prefix for resolved topics. */
export function unresolvedTopic(topic: string): string {
  return topic.replace(/^✔ [ ✔]*/, '');
}

/** Returns whether a topic was only resolved or unresolved, which users do not see as a move. */
export function isResolution(before: string, after: string): boolean {
  if (isResolvedTopic(before)) return !isResolvedTopic(after) && unresolvedTopic(before) === after;
  return after === resolvedPrefix + before;
}

import {
  alias,
  endpoint,
  fallback,
  flag,
  ids,
  json,
  limitedText,
  number,
  optional,
  pathId,
  raw,
  since,
  text,
  until,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {channel, topicsPolicies, topicsPolicy} from '#wire/objects/channel.ts';
import {groupSetting, groupSettingChange} from '#wire/objects/group-setting.ts';
import {int, ints, nat, nullableInt, object, s} from '#wire/schema.ts';

/** The retention period: days, `realm_default` or `unlimited` (`forever` below level 91). */
const notRetention = '{at}["json[str]"] is not a string';
export const retention = optional(
  json(s.union([s.pipe(s.number(), s.safeInteger(notRetention)), s.string()], notRetention)),
);

const settingLevels = {
  can_add_subscribers_group: levels.addSubscribersGroup,
  can_remove_subscribers_group: levels.removeSubscribersGroup,
  can_administer_channel_group: levels.administerChannelGroup,
  can_send_message_group: levels.sendMessageGroup,
  can_subscribe_group: levels.subscribeGroup,
  can_move_messages_out_of_channel_group: levels.channelMoveGroups,
  can_move_messages_within_channel_group: levels.channelMoveGroups,
  can_resolve_topics_group: levels.channelResolveGroup,
  can_delete_any_message_group: levels.channelDeleteGroups,
  can_delete_own_message_group: levels.channelDeleteGroups,
  can_create_topic_group: levels.createTopicGroup,
} as const;

/** Returns one parameter for each permission group of a channel, with its feature level. */
function settingParams<P>(makeParam: (level: number) => P): {[K in keyof typeof settingLevels]: P} {
  return Object.fromEntries(Object.entries(settingLevels).map(([name, level]) => [name, makeParam(level)])) as {
    [K in keyof typeof settingLevels]: P;
  };
}

/** The settings of a new channel. */
export const newChannelParams = {
  announce: fallback(flag, false),
  invite_only: fallback(flag, false),
  is_web_public: since(levels.webPublicChannels, fallback(flag, false)),
  is_default_stream: since(levels.defaultChannelOnCreate, fallback(flag, false)),
  history_public_to_subscribers: optional(flag),
  message_retention_days: retention,
  // Quoted here, although the update of a channel has the same parameter as raw text.
  topics_policy: since(levels.topicsPolicy, optional(json(topicsPolicy))),
  folder_id: since(levels.channelFolders, optional(number)),
  default_push_notifications: since(levels.defaultPush, optional(flag)),
  ...settingParams((level) => since(level, optional(json(groupSetting)))),
};

export const getChannels = endpoint('channel.list', 'GET /streams', {
  params: {
    include_public: fallback(flag, true),
    include_web_public: fallback(flag, false),
    include_subscribed: fallback(flag, true),
    exclude_archived: since(levels.archivedChannels, fallback(flag, true)),
    include_all: alias(since(levels.includeAllChannels, fallback(flag, false)), 'include_all_active'),
    include_default: fallback(flag, false),
    include_owner_subscribed: fallback(flag, false),
    include_can_access_content: since(levels.includeAllChannels, fallback(flag, false)),
  },
  result: object({streams: s.array(channel)}),
});

export const getChannel = endpoint('channel.get', 'GET /streams/{stream_id}', {
  since: levels.getChannel,
  params: {stream_id: pathId},
  result: object({stream: channel}),
});

export const getChannelId = endpoint('channel.id', 'GET /get_stream_id', {
  params: {stream: text},
  result: object({stream_id: int}),
});

export const getSubscribers = endpoint('channel.subscribers', 'GET /streams/{stream_id}/members', {
  params: {stream_id: pathId},
  result: object({subscribers: ints}),
});

export const getChannelEmail = endpoint('channel.email', 'GET /streams/{stream_id}/email_address', {
  since: levels.channelEmail,
  params: {stream_id: pathId, sender_id: optional(json(nat))},
  result: object({email: s.string()}),
});

export const createChannel = endpoint('channel.create', 'POST /channels/create', {
  since: levels.createChannel,
  params: {
    name: text,
    description: fallback(limitedText(1024), ''),
    subscribers: ids,
    ...newChannelParams,
  },
  result: object({id: int}),
});

export const updateChannel = endpoint('channel.update', 'PATCH /streams/{stream_id}', {
  params: {
    stream_id: pathId,
    description: optional(limitedText(1024)),
    new_name: optional(text),
    is_private: optional(flag),
    is_web_public: since(levels.webPublicChannels, optional(flag)),
    history_public_to_subscribers: optional(flag),
    is_default_stream: since(levels.defaultChannelOnCreate, optional(flag)),
    is_archived: since(levels.unarchive, optional(flag)),
    message_retention_days: retention,
    topics_policy: since(levels.topicsPolicy, optional(raw<string>(s.picklist(topicsPolicies)))),
    folder_id: since(levels.channelFolders, optional(json(nullableInt))),
    default_push_notifications: since(levels.defaultPush, optional(flag)),
    stream_post_policy: until(levels.sendMessageGroup, optional(number)),
    ...settingParams((level) => since(level, optional(json(groupSettingChange)))),
  },
});

export const archiveChannel = endpoint('channel.archive', 'DELETE /streams/{stream_id}', {
  params: {stream_id: pathId},
});

export const addDefaultChannel = endpoint('default-channel.add', 'POST /default_streams', {
  params: {stream_id: number},
});

export const removeDefaultChannel = endpoint('default-channel.remove', 'DELETE /default_streams', {
  params: {stream_id: number},
});

import {
  alias,
  endpoint,
  fallback,
  flag,
  ids,
  json,
  limitedText,
  loose,
  number,
  optional,
  optionalParams,
  quoted,
  raw,
  since,
  text,
  until,
} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {
  channel,
  channelSettingLevels,
  folder,
  subscription,
  subscriptionProperties,
  topicsPolicies,
  topicsPolicy,
} from '#wire/objects/channel.ts';
import {groupSetting, groupSettingChange} from '#wire/objects/group.ts';
import {int, ints, namedObject, nat, nullableInt, object, openEnum, s, strings, textUpTo} from '#wire/schema.ts';

/** The retention period: days, `realm_default` or `unlimited` (`forever` below level 91). */
const notRetention = '{at}["json[str]"] is not a string';
const retention = optional(json(s.union([s.pipe(s.number(), s.safeInteger(notRetention)), s.string()], notRetention)));

/** The settings of a new channel. */
const newChannelParams = {
  announce: fallback(flag, false),
  invite_only: fallback(flag, false),
  is_web_public: fallback(flag, false),
  is_default_stream: since(levels.defaultChannelOnCreate, fallback(flag, false)),
  history_public_to_subscribers: optional(flag),
  message_retention_days: retention,
  // JSON here, although the update of a channel sends the same parameter as it is.
  topics_policy: since(levels.topicsPolicy, optional(quoted(topicsPolicy))),
  folder_id: since(levels.channelFolders, optional(number)),
  default_push_notifications: since(levels.defaultPush, optional(flag)),
  ...optionalParams(channelSettingLevels, groupSetting),
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
  result: object({stream: channel}),
});

export const getChannelId = endpoint('channel.id', 'GET /get_stream_id', {
  params: {stream: text},
  result: object({stream_id: int}),
});

export const getSubscribers = endpoint('channel.subscribers', 'GET /streams/{stream_id}/members', {
  result: object({subscribers: ints}),
});

export const getChannelEmail = endpoint('channel.email', 'GET /streams/{stream_id}/email_address', {
  since: levels.channelEmail,
  params: {sender_id: optional(json(nat))},
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
    description: optional(limitedText(1024)),
    new_name: optional(text),
    is_private: optional(flag),
    is_web_public: optional(flag),
    history_public_to_subscribers: optional(flag),
    is_default_stream: since(levels.defaultChannelOnCreate, optional(flag)),
    is_archived: since(levels.unarchive, optional(flag)),
    message_retention_days: retention,
    topics_policy: since(levels.topicsPolicy, optional(loose<string>(s.picklist(topicsPolicies)))),
    folder_id: since(levels.channelFolders, optional(json(nullableInt))),
    default_push_notifications: since(levels.defaultPush, optional(flag)),
    stream_post_policy: until(levels.sendMessageGroup, optional(number)),
    ...optionalParams(channelSettingLevels, groupSettingChange),
  },
});

export const archiveChannel = endpoint('channel.archive', 'DELETE /streams/{stream_id}');

export const addDefaultChannel = endpoint('default-channel.add', 'POST /default_streams', {
  params: {stream_id: number},
});

export const removeDefaultChannel = endpoint('default-channel.remove', 'DELETE /default_streams', {
  params: {stream_id: number},
});

// The server's sentences name the first of the possible types.
const notText = '{name}["list[str]"]{path} is not a string';
const principals = json(s.array(s.union([int, s.string()], notText), '{at}["list[str]"] is not a list'));
// Keyed by user id since level 289, by e-mail before.
const namesByUser = s.record(s.string(), strings);
const newSubscriptions = s.array(
  object({name: s.string()}, {description: s.nullable(textUpTo(1024)), color: s.nullable(s.string())}),
);
const propertyValue = s.union([s.boolean(), s.string()]);

export const getSubscriptions = endpoint('subscription.list', 'GET /users/me/subscriptions', {
  params: {include_subscribers: fallback(raw(s.picklist(['true', 'false', 'partial'])), 'false')},
  result: object({subscriptions: s.array(subscription)}),
});

/** Subscribes users; creates the channels that do not exist. */
export const subscribe = endpoint('subscription.add', 'POST /users/me/subscriptions', {
  params: {
    subscriptions: json(newSubscriptions),
    principals: optional(principals),
    authorization_errors_fatal: fallback(flag, true),
    send_new_subscription_messages: since(levels.subscriptionNotices, fallback(flag, true)),
    ...newChannelParams,
  },
  result: object(
    {subscribed: namesByUser, already_subscribed: namesByUser},
    {unauthorized: strings, new_subscription_messages_sent: s.boolean()},
  ),
});

const removed = {removed: strings, not_removed: strings};

export const unsubscribe = endpoint('subscription.remove', 'DELETE /users/me/subscriptions', {
  params: {subscriptions: json(strings), principals: optional(principals)},
  result: object(removed),
});

export const changeSubscriptions = endpoint('subscription.change', 'PATCH /users/me/subscriptions', {
  params: {
    add: fallback(json(newSubscriptions), []),
    delete: fallback(json(strings), []),
  },
  result: object(
    {},
    {
      subscribed: namesByUser,
      already_subscribed: namesByUser,
      new_subscription_messages_sent: s.boolean(),
      ...removed,
    },
  ),
});

/** A subscription's property: `color` is text, every other property a boolean. */
export const updateSubscription = endpoint('subscription.update', 'PATCH /users/me/subscriptions/{stream_id}', {
  params: {
    property: raw(openEnum(...subscriptionProperties)),
    value: loose(propertyValue),
  },
});

export const updateSubscriptions = endpoint('subscription.update-many', 'POST /users/me/subscriptions/properties', {
  params: {
    subscription_data: json(
      s.array(
        namedObject('SubscriptionPropertyChangeRequest', {
          stream_id: int,
          property: openEnum(...subscriptionProperties),
          value: propertyValue,
        }),
      ),
    ),
  },
  result: object({}, {subscription_data: s.array(s.unknown())}),
});

export const getSubscriptionStatus = endpoint('subscription.status', 'GET /users/{user_id}/subscriptions/{stream_id}', {
  result: object({is_subscribed: s.boolean()}),
});

export const getUserChannels = endpoint('subscription.of-user', 'GET /users/{user_id}/channels', {
  since: levels.userChannels,
  result: object({subscribed_channel_ids: ints}),
});

export const getFolders = endpoint('folder.list', 'GET /channel_folders', {
  since: levels.channelFolders,
  params: {include_archived: fallback(flag, false)},
  result: object({channel_folders: s.array(folder)}),
});

/** Creates a folder. The description is required, but may be empty. */
export const createFolder = endpoint('folder.create', 'POST /channel_folders/create', {
  since: levels.channelFolders,
  params: {name: limitedText(60), description: limitedText(1024)},
  result: object({channel_folder_id: int}),
});

/** Reorders the folders; `order` contains the ids of all folders. */
export const reorderFolders = endpoint('folder.reorder', 'PATCH /channel_folders', {
  since: levels.folderOrder,
  params: {order: ids},
});

export const updateFolder = endpoint('folder.update', 'PATCH /channel_folders/{channel_folder_id}', {
  since: levels.channelFolders,
  params: {
    name: optional(limitedText(60)),
    description: optional(limitedText(1024)),
    is_archived: optional(flag),
  },
});

import {endpoint, json, optional, type Param, raw, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {type SettingName, settingFields} from '#wire/objects/user-settings.ts';
import type {s} from '#wire/schema.ts';

/** The feature levels of settings that the oldest supported server does not have. */
export const settingLevels: Partial<Record<SettingName, number>> = {
  send_private_typing_notifications: levels.privacySettings,
  send_stream_typing_notifications: levels.privacySettings,
  send_read_receipts: levels.privacySettings,
  display_emoji_reaction_users: levels.reactionUsersSetting,
  presence_enabled: levels.invisibleMode,
  web_mark_read_on_scroll_policy: levels.markReadOnScroll,
  enable_followed_topic_desktop_notifications: levels.followedTopicSettings,
  enable_followed_topic_audible_notifications: levels.followedTopicSettings,
  enable_followed_topic_push_notifications: levels.followedTopicSettings,
  enable_followed_topic_email_notifications: levels.followedTopicSettings,
  enable_followed_topic_wildcard_mentions_notify: levels.followedTopicSettings,
  automatically_follow_topics_policy: levels.autoFollow,
  automatically_unmute_topics_in_muted_streams_policy: levels.autoFollow,
  automatically_follow_topics_where_mentioned: levels.followWhereMentioned,
  receives_typing_notifications: levels.receivesTyping,
};

type SettingParams = {
  [K in SettingName]: Param<s.InferOutput<(typeof settingFields)[K]>, 'optional'>;
};

const settingParams = Object.fromEntries(
  Object.entries(settingFields).map(([name, schema]) => [
    name,
    since(
      settingLevels[name as SettingName] ?? 0,
      // Strings are sent as they are, everything else as JSON.
      schema.type === 'string' ? optional(raw<unknown>(schema)) : optional(json<unknown>(schema)),
    ),
  ]),
) as SettingParams;

export const updateSettings = endpoint('settings.update', 'PATCH /settings', {
  since: levels.settingsEndpoint,
  params: {
    ...settingParams,
    full_name: optional(text),
    email: optional(text),
    old_password: optional(text),
    new_password: optional(text),
  },
});

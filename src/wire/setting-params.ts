import {json, optional, type Param, raw, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {type SettingName, settingFields} from '#wire/objects/user-settings.ts';
import type {s} from '#wire/schema.ts';

/** The feature levels of settings that the oldest supported server does not have. */
export const settingLevels: Partial<Record<SettingName, number>> = {
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
  user_list_style: levels.userListStyle,
  email_address_visibility: levels.emailVisibilitySetting,
  realm_name_in_email_notifications_policy: levels.realmNameInEmail,
  web_stream_unreads_count_display_policy: levels.unreadCountDisplay,
  web_home_view: levels.webHomeView,
  web_escape_navigates_to_home_view: levels.webHomeView,
  web_font_size_px: levels.webFontSize,
  web_line_height_percent: levels.webFontSize,
  web_navigate_to_sent_message: levels.navigateToSent,
  web_channel_default_view: levels.channelDefaultView,
  web_animate_image_previews: levels.animatedPreviews,
  allow_private_data_export: levels.privateDataExport,
  web_suggest_update_timezone: levels.suggestTimezone,
  hide_ai_features: levels.hideAiFeatures,
  resolved_topic_notice_auto_read_policy: levels.resolvedNoticeRead,
  web_left_sidebar_unreads_count_summary: levels.sidebarUnreadSummary,
  web_left_sidebar_show_channel_folders: levels.sidebarFolders,
  web_inbox_show_channel_folders: levels.inboxFolders,
};

/** Values that older servers do not know, or give another meaning. */
const valueLevels: Partial<Record<SettingName, Readonly<Record<string, number>>>> = {
  twenty_four_hour_time: {null: levels.localeTime},
  web_channel_default_view: {3: levels.topicListView, 4: levels.topUnreadTopicView},
  desktop_icon_count_display: {
    2: levels.iconCountRenumbered,
    3: levels.iconCountRenumbered,
    4: levels.iconCountRenumbered,
  },
};

/**
 * Returns the level that introduced a setting, or a value of it. Older servers have the presence setting under another name
 * (`api/levels/people.ts`).
 */
export function settingSince(name: SettingName, value?: unknown): number {
  if (name === 'presence_enabled') return 0;
  return Math.max(settingLevels[name] ?? 0, value === undefined ? 0 : (valueLevels[name]?.[String(value)] ?? 0));
}

type SettingParams = {
  [K in SettingName]: Param<s.InferOutput<(typeof settingFields)[K]>, 'optional'>;
};

export const settingParams = Object.fromEntries(
  Object.entries(settingFields).map(([name, schema]) => [
    name,
    since(
      settingLevels[name as SettingName] ?? 0,
      // Strings are sent as they are, everything else as JSON.
      schema.type === 'string' ? optional(raw<unknown>(schema)) : optional(json<unknown>(schema)),
    ),
  ]),
) as SettingParams;

export const accountParams = {
  ...settingParams,
  full_name: optional(text),
  email: optional(text),
  old_password: optional(text),
  new_password: optional(text),
};

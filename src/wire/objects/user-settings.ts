import {levels} from '#wire/levels.ts';
import {type Infer, int, object, openEnum, openIntEnum, s, strings} from '#wire/schema.ts';

/** The languages that Zulip is translated into; no response of a server lists them. */
export const languages: readonly string[] = (
  'ar be bg bqi ca cs cy da de el en en-gb es fa fi fr gl gu hi hu id it ja ko lt lv mn nl no pl pt pt-pt ' +
  'ro ru si sr sv ta tr uk vi zh-hans zh-hant zh-tw'
).split(' ');

function setting<S extends s.GenericSchema, const V extends Infer<S>>(schema: S, initial: V, since = 0) {
  return {schema, initial, since};
}

/**
 * The settings that a client may read and write, with their values in a new account, and the feature levels of those that
 * the oldest supported server does not have.
 */
const settings = {
  twenty_four_hour_time: setting(s.nullable(s.boolean()), false),
  enter_sends: setting(s.boolean(), false),
  color_scheme: setting(openIntEnum(1, 2, 3), 1),
  web_home_view: setting(openEnum('inbox', 'recent', 'recent_topics', 'all_messages'), 'inbox', levels.webHomeView),
  web_mark_read_on_scroll_policy: setting(openIntEnum(1, 2, 3), 1, 175),
  web_channel_default_view: setting(openIntEnum(1, 2, 3, 4), 1, 269),
  demote_inactive_streams: setting(openIntEnum(1, 2, 3), 1),
  user_list_style: setting(openIntEnum(1, 2, 3), 3, 141),
  web_stream_unreads_count_display_policy: setting(openIntEnum(1, 2, 3), 2, 210),
  display_emoji_reaction_users: setting(s.boolean(), true, 125),
  emojiset: setting(openEnum('google', 'twitter', 'text'), 'google'),
  translate_emoticons: setting(s.boolean(), false),
  starred_message_counts: setting(s.boolean(), true),
  enable_drafts_synchronization: setting(s.boolean(), true),
  presence_enabled: setting(s.boolean(), true, levels.invisibleMode),
  send_private_typing_notifications: setting(s.boolean(), true),
  send_stream_typing_notifications: setting(s.boolean(), true),
  send_read_receipts: setting(s.boolean(), true),
  receives_typing_notifications: setting(s.boolean(), true, 253),
  enable_desktop_notifications: setting(s.boolean(), true),
  enable_sounds: setting(s.boolean(), true),
  pm_content_in_desktop_notifications: setting(s.boolean(), true),
  wildcard_mentions_notify: setting(s.boolean(), true),
  enable_stream_desktop_notifications: setting(s.boolean(), false),
  enable_stream_audible_notifications: setting(s.boolean(), false),
  enable_stream_push_notifications: setting(s.boolean(), false),
  enable_stream_email_notifications: setting(s.boolean(), false),
  enable_followed_topic_desktop_notifications: setting(s.boolean(), true, 189),
  enable_followed_topic_audible_notifications: setting(s.boolean(), true, 189),
  enable_followed_topic_push_notifications: setting(s.boolean(), true, 189),
  enable_followed_topic_email_notifications: setting(s.boolean(), true, 189),
  enable_followed_topic_wildcard_mentions_notify: setting(s.boolean(), true, 189),
  desktop_icon_count_display: setting(openIntEnum(1, 2, 3, 4), 1),
  automatically_follow_topics_policy: setting(openIntEnum(1, 2, 3, 4), 3, 214),
  automatically_unmute_topics_in_muted_streams_policy: setting(openIntEnum(1, 2, 3, 4), 2, 214),
  automatically_follow_topics_where_mentioned: setting(s.boolean(), true, 235),
  resolved_topic_notice_auto_read_policy: setting(
    openEnum('always', 'except_followed', 'never'),
    'except_followed',
    385,
  ),
  web_left_sidebar_show_channel_folders: setting(s.boolean(), true, 411),
  web_inbox_show_channel_folders: setting(s.boolean(), true, 431),
  web_left_sidebar_unreads_count_summary: setting(s.boolean(), true, 398),
  email_address_visibility: setting(openIntEnum(1, 2, 3, 4, 5), 1, levels.emailVisibilitySetting),
  timezone: setting(s.string(), ''),
  default_language: setting(s.string(), 'en'),
  notification_sound: setting(s.string(), 'zulip'),
  hide_ai_features: setting(s.boolean(), false, levels.hideAiFeatures),
  fluid_layout_width: setting(s.boolean(), false),
  high_contrast_mode: setting(s.boolean(), false),
  left_side_userlist: setting(s.boolean(), false),
  web_font_size_px: setting(int, 16, 245),
  web_line_height_percent: setting(int, 140, 245),
  web_escape_navigates_to_home_view: setting(s.boolean(), true, levels.webHomeView),
  web_animate_image_previews: setting(openEnum('always', 'on_hover', 'never'), 'on_hover', 275),
  web_suggest_update_timezone: setting(s.boolean(), true, 329),
  web_navigate_to_sent_message: setting(s.boolean(), true, 268),
  allow_private_data_export: setting(s.boolean(), false, 293),
  enable_offline_email_notifications: setting(s.boolean(), true),
  enable_offline_push_notifications: setting(s.boolean(), true),
  enable_online_push_notifications: setting(s.boolean(), true),
  enable_digest_emails: setting(s.boolean(), true),
  enable_marketing_emails: setting(s.boolean(), true),
  enable_login_emails: setting(s.boolean(), true),
  message_content_in_email_notifications: setting(s.boolean(), true),
  email_notifications_batching_period_seconds: setting(int, 120),
  realm_name_in_email_notifications_policy: setting(openIntEnum(1, 2, 3), 1, 168),
};
type Settings = typeof settings;

/** Strings are sent raw, the rest as JSON. */
export const settingFields = Object.fromEntries(Object.entries(settings).map(([name, {schema}]) => [name, schema])) as {
  [N in keyof Settings]: Settings[N]['schema'];
};

/** The defaults of a new account, which a client also assumes when an older server does not send a setting. */
export const settingDefaults = Object.fromEntries(
  Object.entries(settings).map(([name, {initial}]) => [name, initial]),
) as {readonly [N in keyof Settings]: Settings[N]['initial']};

export const settingLevels = Object.fromEntries(
  Object.entries(settings).map(([name, {since}]) => [name, since]),
) as Readonly<Record<keyof Settings, number>>;

export const userSettings = object(
  {},
  {
    ...settingFields,
    available_notification_sounds: strings,
    emojiset_choices: s.array(object({key: s.string(), text: s.string()})),
  },
);
export type WireUserSettings = Infer<typeof userSettings>;
export type SettingName = keyof typeof settingFields;

/** Returns the settings, or a patch of them, with current values: one home view has another name below level 454. */
export function modernSettings(settings: WireUserSettings): WireUserSettings {
  return settings.web_home_view === 'recent_topics' ? {...settings, web_home_view: 'recent'} : settings;
}

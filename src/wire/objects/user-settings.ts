import {type Infer, int, object, openEnum, openIntEnum, s, strings} from '#wire/schema.ts';

interface Setting<S extends s.GenericSchema, V> {
  readonly schema: S;
  readonly initial: V;
}

function setting<S extends s.GenericSchema, const V extends Infer<S>>(schema: S, initial: V): Setting<S, V> {
  return {schema, initial};
}

/** The settings that a client may read and write, with their values in a new account. */
const settings = {
  twenty_four_hour_time: setting(s.nullable(s.boolean()), false),
  enter_sends: setting(s.boolean(), false),
  color_scheme: setting(openIntEnum(1, 2, 3), 1),
  web_home_view: setting(openEnum('inbox', 'recent', 'recent_topics', 'all_messages'), 'inbox'),
  web_mark_read_on_scroll_policy: setting(openIntEnum(1, 2, 3), 1),
  web_channel_default_view: setting(openIntEnum(1, 2, 3, 4), 1),
  demote_inactive_streams: setting(openIntEnum(1, 2, 3), 1),
  user_list_style: setting(openIntEnum(1, 2, 3), 3),
  web_stream_unreads_count_display_policy: setting(openIntEnum(1, 2, 3), 2),
  display_emoji_reaction_users: setting(s.boolean(), true),
  emojiset: setting(openEnum('google', 'twitter', 'text'), 'google'),
  translate_emoticons: setting(s.boolean(), false),
  starred_message_counts: setting(s.boolean(), true),
  enable_drafts_synchronization: setting(s.boolean(), true),
  presence_enabled: setting(s.boolean(), true),
  send_private_typing_notifications: setting(s.boolean(), true),
  send_stream_typing_notifications: setting(s.boolean(), true),
  send_read_receipts: setting(s.boolean(), true),
  receives_typing_notifications: setting(s.boolean(), true),
  enable_desktop_notifications: setting(s.boolean(), true),
  enable_sounds: setting(s.boolean(), true),
  pm_content_in_desktop_notifications: setting(s.boolean(), true),
  wildcard_mentions_notify: setting(s.boolean(), true),
  enable_stream_desktop_notifications: setting(s.boolean(), false),
  enable_stream_audible_notifications: setting(s.boolean(), false),
  enable_stream_push_notifications: setting(s.boolean(), false),
  enable_stream_email_notifications: setting(s.boolean(), false),
  enable_followed_topic_desktop_notifications: setting(s.boolean(), true),
  enable_followed_topic_audible_notifications: setting(s.boolean(), true),
  enable_followed_topic_push_notifications: setting(s.boolean(), true),
  enable_followed_topic_email_notifications: setting(s.boolean(), true),
  enable_followed_topic_wildcard_mentions_notify: setting(s.boolean(), true),
  desktop_icon_count_display: setting(openIntEnum(1, 2, 3, 4), 1),
  automatically_follow_topics_policy: setting(openIntEnum(1, 2, 3, 4), 3),
  automatically_unmute_topics_in_muted_streams_policy: setting(openIntEnum(1, 2, 3, 4), 2),
  automatically_follow_topics_where_mentioned: setting(s.boolean(), true),
  resolved_topic_notice_auto_read_policy: setting(openEnum('always', 'except_followed', 'never'), 'except_followed'),
  web_left_sidebar_show_channel_folders: setting(s.boolean(), true),
  web_inbox_show_channel_folders: setting(s.boolean(), true),
  web_left_sidebar_unreads_count_summary: setting(s.boolean(), true),
  email_address_visibility: setting(openIntEnum(1, 2, 3, 4, 5), 1),
  timezone: setting(s.string(), ''),
  default_language: setting(s.string(), 'en'),
  notification_sound: setting(s.string(), 'zulip'),
  hide_ai_features: setting(s.boolean(), false),
  fluid_layout_width: setting(s.boolean(), false),
  high_contrast_mode: setting(s.boolean(), false),
  left_side_userlist: setting(s.boolean(), false),
  web_font_size_px: setting(int, 16),
  web_line_height_percent: setting(int, 140),
  web_escape_navigates_to_home_view: setting(s.boolean(), true),
  web_animate_image_previews: setting(openEnum('always', 'on_hover', 'never'), 'on_hover'),
  web_suggest_update_timezone: setting(s.boolean(), true),
  web_navigate_to_sent_message: setting(s.boolean(), true),
  allow_private_data_export: setting(s.boolean(), false),
  enable_offline_email_notifications: setting(s.boolean(), true),
  enable_offline_push_notifications: setting(s.boolean(), true),
  enable_online_push_notifications: setting(s.boolean(), true),
  enable_digest_emails: setting(s.boolean(), true),
  enable_marketing_emails: setting(s.boolean(), true),
  enable_login_emails: setting(s.boolean(), true),
  message_content_in_email_notifications: setting(s.boolean(), true),
  email_notifications_batching_period_seconds: setting(int, 120),
  realm_name_in_email_notifications_policy: setting(openIntEnum(1, 2, 3), 1),
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

import type {SettingValue} from '#state/actions/own-settings.ts';
import type {AccountState} from '#state/state.ts';
import {languages, type SettingName} from '#wire/objects/user-settings.ts';

/** How a setting is chosen. The lists of `sounds`, `languages` and `zones` are long, or come from the server. */
export type SettingInput =
  | {readonly kind: 'switch'}
  | {readonly kind: 'choice'; readonly choices: readonly (readonly [value: SettingValue, label: string])[]}
  | {readonly kind: 'text'; readonly problem: (text: string) => string | undefined}
  | {readonly kind: 'sounds' | 'languages' | 'zones'}
  | {readonly kind: 'number'; readonly min: number; readonly max: number; readonly unit: string};

/** A setting of the account, which all its clients share. */
export interface AccountSetting {
  readonly name: SettingName;
  readonly title: string;
  /** One line that explains it. */
  readonly help: string;
  readonly input: SettingInput;
}

const section = (title: string, settings: readonly AccountSetting[]) => ({title, settings});
const setting = (name: SettingName, title: string, help: string, input: SettingInput): AccountSetting => {
  return {name, title, help, input};
};
const onOff = (name: SettingName, title: string, help: string) => setting(name, title, help, {kind: 'switch'});
const oneOf = (name: SettingName, title: string, help: string, labels: Readonly<Record<number, string>>) =>
  setting(name, title, help, {
    kind: 'choice',
    choices: Object.entries(labels).map(([value, label]) => [Number(value), label]),
  });
const oneWord = (name: SettingName, title: string, help: string, labels: Readonly<Record<string, string>>) =>
  setting(name, title, help, {kind: 'choice', choices: Object.entries(labels)});

const topicPolicy = {1: 'topics I take part in', 2: 'topics I write in', 3: 'topics I start', 4: 'never'};

export const accountSettingSections = () => [
  section('Notifications of direct messages and mentions', [
    onOff('enable_desktop_notifications', 'Desktop notifications', 'Show them, also in Parley while you are elsewhere'),
    onOff('enable_sounds', 'Sound', 'Play a sound with desktop notifications'),
    setting('notification_sound', 'Notification sound', 'The sound that the web app plays', {kind: 'sounds'}),
    onOff('pm_content_in_desktop_notifications', 'Text of direct messages', 'Show their text in notifications'),
    onOff('wildcard_mentions_notify', 'Notify of @all', 'Treat @all, @channel and @topic like your own name'),
    onOff('enable_offline_push_notifications', 'Mobile notifications', 'Notify your phone while you are away'),
    onOff('enable_online_push_notifications', 'Mobile while online', 'Notify your phone while you are here, too'),
    onOff('enable_offline_email_notifications', 'Email notifications', 'Send an email while you are away'),
    oneOf('desktop_icon_count_display', 'Count on the app icon', 'What the number on the icon of the app counts', {
      1: 'all unread messages',
      2: 'direct, mentions and followed topics',
      3: 'direct and mentions',
      4: 'nothing',
    }),
  ]),
  section('Notifications of channel messages', [
    onOff('enable_stream_desktop_notifications', 'Channels: desktop', 'For channels without a setting of their own'),
    onOff('enable_stream_audible_notifications', 'Channels: sound', 'For channels without a setting of their own'),
    onOff('enable_stream_push_notifications', 'Channels: mobile', 'For channels without a setting of their own'),
    onOff('enable_stream_email_notifications', 'Channels: email', 'For channels without a setting of their own'),
    onOff('enable_followed_topic_desktop_notifications', 'Followed topics: desktop', 'For topics that you follow'),
    onOff('enable_followed_topic_audible_notifications', 'Followed topics: sound', 'For topics that you follow'),
    onOff('enable_followed_topic_push_notifications', 'Followed topics: mobile', 'For topics that you follow'),
    onOff('enable_followed_topic_email_notifications', 'Followed topics: email', 'For topics that you follow'),
    onOff('enable_followed_topic_wildcard_mentions_notify', 'Followed topics: @all', 'For topics that you follow'),
  ]),
  section('Email', [
    setting(
      'email_notifications_batching_period_seconds',
      'Delay of emails',
      'Wait this long, and send one email for all messages until then',
      {kind: 'number', min: 1, max: 604_800, unit: 'seconds'},
    ),
    onOff('message_content_in_email_notifications', 'Text in emails', 'Include the text of messages in emails'),
    oneOf('realm_name_in_email_notifications_policy', 'Organization in subject', 'Name the organization in emails', {
      1: 'automatic',
      2: 'always',
      3: 'never',
    }),
    onOff('enable_digest_emails', 'Digest emails', 'Send a summary after some days away'),
    onOff('enable_login_emails', 'Login emails', 'Send an email after a login from a new device'),
    onOff('enable_marketing_emails', 'News of Zulip', 'Send news of Zulip by email'),
  ]),
  section('Topics', [
    oneOf('automatically_follow_topics_policy', 'Follow topics', 'Which topics you follow automatically', topicPolicy),
    onOff('automatically_follow_topics_where_mentioned', 'Follow when mentioned', 'Follow topics that mention you'),
    oneOf(
      'automatically_unmute_topics_in_muted_streams_policy',
      'Unmute topics',
      'Which topics in muted channels you unmute automatically',
      topicPolicy,
    ),
    oneWord('resolved_topic_notice_auto_read_policy', 'Notices of resolved topics', 'When such notices are read', {
      always: 'always read',
      except_followed: 'read, except in followed topics',
      never: 'unread',
    }),
  ]),
  section('Privacy', [
    onOff('presence_enabled', 'Show my presence', 'Others see whether you are here; off is invisible mode'),
    onOff('send_read_receipts', 'Send read receipts', 'Others see that you have read a message'),
    onOff('send_private_typing_notifications', 'Typing in direct messages', 'Others see that you are typing'),
    onOff('send_stream_typing_notifications', 'Typing in channels', 'Others see that you are typing'),
    onOff('receives_typing_notifications', 'Show typing indicators', 'See that others are typing'),
    setting('email_address_visibility', 'Who sees my email address', 'Others see only your name', {
      kind: 'choice',
      choices: [
        [1, 'everyone'],
        [2, 'members'],
        [5, 'moderators'],
        [3, 'administrators'],
        [4, 'nobody'],
      ],
    }),
    onOff('allow_private_data_export', 'Export of private data', 'Administrators may export your private messages'),
  ]),
  section('Reading and writing', [
    onOff('enter_sends', 'Enter sends', 'Enter sends a message instead of starting a line'),
    oneOf('web_mark_read_on_scroll_policy', 'Mark as read on scroll', 'When messages on the screen become read', {
      1: 'always',
      2: 'only in conversations',
      3: 'never',
    }),
    oneWord('web_home_view', 'Home view', 'The view at the start, and where Esc leads', {
      inbox: 'inbox',
      recent: 'recent conversations',
      all_messages: 'combined feed',
    }),
    onOff('web_escape_navigates_to_home_view', 'Esc opens the home view', 'Esc leads to the home view in the end'),
    onOff('translate_emoticons', 'Convert emoticons to emoji', 'Turn :) into an emoji in what you write'),
    onOff(
      'enable_drafts_synchronization',
      'Sync drafts',
      'Save drafts on the server; turning it off deletes them there',
    ),
  ]),
  section('Language and time', [
    setting('default_language', 'Language', 'The language of the web app, and of emails', {kind: 'languages'}),
    setting('timezone', 'Time zone', 'Others see your local time', {kind: 'zones'}),
    onOff('web_suggest_update_timezone', 'Suggest the time zone', 'Suggest a change after you traveled'),
    setting('twenty_four_hour_time', 'Time format', 'How Parley and other apps show the time of day', {
      kind: 'choice',
      choices: [
        [true, '17:30'],
        [false, '5:30 PM'],
        [null, 'by the locale'],
      ],
    }),
  ]),
  section('Display of the web and desktop apps', [
    oneOf('color_scheme', 'Color scheme', 'Parley has its own theme', {1: 'automatic', 2: 'dark', 3: 'light'}),
    oneWord('emojiset', 'Emoji set', 'How emoji look', {google: 'Google', twitter: 'Twitter', text: 'plain text'}),
    onOff('display_emoji_reaction_users', 'Names at reactions', 'Show who reacted when there are few reactions'),
    onOff('starred_message_counts', 'Count of starred messages', 'Show it in the sidebar'),
    oneOf('user_list_style', 'Style of the user list', 'What the user list shows', {
      1: 'compact',
      2: 'with status',
      3: 'with avatar and status',
    }),
    oneOf('demote_inactive_streams', 'Hide inactive channels', 'Channels without recent messages; also in Parley', {
      1: 'automatic',
      2: 'always',
      3: 'never',
    }),
    oneOf('web_channel_default_view', 'Opening a channel', 'What a click on a channel shows', {
      1: 'its top topic',
      2: 'all its messages',
      3: 'its topics',
      4: 'its top unread topic',
    }),
    oneOf('web_stream_unreads_count_display_policy', 'Unread counts', 'Which channels show a number', {
      1: 'all channels',
      2: 'unmuted channels and topics',
      3: 'no channels',
    }),
    onOff('web_left_sidebar_unreads_count_summary', 'Summary of unread', 'Show the sum in the sidebar'),
    onOff('web_left_sidebar_show_channel_folders', 'Folders in the sidebar', 'Group channels by their folders'),
    onOff('web_inbox_show_channel_folders', 'Folders in the inbox', 'Group the inbox by folders'),
    onOff('web_navigate_to_sent_message', 'Go to the sent message', 'Open the conversation after sending'),
    oneWord('web_animate_image_previews', 'Animated images', 'When they move', {
      always: 'always',
      on_hover: 'under the pointer',
      never: 'never',
    }),
    setting('web_font_size_px', 'Font size', 'Of the web app', {kind: 'number', min: 8, max: 64, unit: 'pixels'}),
    setting('web_line_height_percent', 'Line height', 'Of the web app', {
      kind: 'number',
      min: 80,
      max: 300,
      unit: 'percent',
    }),
    onOff('fluid_layout_width', 'Full width', 'Use the whole width of wide screens'),
    onOff('high_contrast_mode', 'High contrast', 'Reserved for easier reading'),
    onOff('left_side_userlist', 'User list at the left', 'On narrow windows'),
    onOff('hide_ai_features', 'Hide AI features', 'Do not offer summaries and the like'),
  ]),
];

type SettingChoice = readonly [value: SettingValue, label: string];

/** Returns the values to choose from; none for switches and numbers. */
export function settingChoices(input: SettingInput, {settings}: AccountState): readonly SettingChoice[] {
  switch (input.kind) {
    case 'choice':
      return input.choices;
    case 'sounds':
      return [...(settings.availableNotificationSounds ?? []), 'none'].map((name) => [name, name]);
    case 'languages':
      return languages.map((code) => [code, languageName(code)]);
    case 'zones':
      return [['', 'not set'], ...Intl.supportedValuesOf('timeZone').map((zone): SettingChoice => [zone, zone])];
    default:
      return [];
  }
}

/** Returns a value as the list shows it. A value that is not among the choices is shown as it is. */
export function settingValueText(input: SettingInput, value: SettingValue): string {
  switch (input.kind) {
    case 'switch':
      return value === true ? 'on' : 'off';
    case 'number':
      return `${value} ${input.unit}`;
    case 'choice':
      return input.choices.find(([one]) => one === value)?.[1] ?? String(value);
    case 'languages':
      return languageName(String(value));
    default:
      return value === '' ? 'not set' : String(value);
  }
}

function languageName(code: string): string {
  try {
    const [own, english] = [code, 'en'].map((tag) => new Intl.DisplayNames([tag], {type: 'language'}).of(code) ?? code);
    return own === english ? `${own} (${code})` : `${own}, ${english} (${code})`;
  } catch {
    // Not a code of a language.
    return code;
  }
}

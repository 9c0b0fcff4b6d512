import type {UserRow} from '#server/db/rows.ts';
import {badRequest, check, notListed} from '#server/errors.ts';
import {getOrCreate} from '#std/get-or-create.ts';
import {languages, type SettingName, settingDefaults} from '#wire/objects/user-settings.ts';

type Widened<T> = T extends boolean ? boolean : T extends number ? number : T extends string ? string : T;

/** Personal settings by their wire names. */
export type UserSettings = Omit<{[K in SettingName]: Widened<(typeof settingDefaults)[K]>}, 'twenty_four_hour_time'> & {
  /** Null means the format of the reader's locale. */
  twenty_four_hour_time: boolean | null;
};

export const userSettingDefaults: UserSettings = settingDefaults;

const settingsOfRow = new WeakMap<object, UserSettings>();

/** Returns the settings of a row. They are kept with it, because a send asks for each of its readers. */
export function userSettings(user: Pick<UserRow, 'settings' | 'timezone'>): Readonly<UserSettings> {
  if (user.settings === '{}' && user.timezone === '') return userSettingDefaults;
  const known = settingsOfRow.get(user);
  if (known !== undefined) return known;
  const settings: UserSettings = {...userSettingDefaults, ...JSON.parse(user.settings), timezone: user.timezone};
  settingsOfRow.set(user, settings);
  return settings;
}

/**
 * Returns the SQL expression of a setting of the user row: for questions about tens of thousands of users, which are
 * answered several times faster without their settings as objects.
 */
export function settingSql(name: SettingName): string {
  const value = userSettingDefaults[name];
  return `coalesce(user.settings ->> '$.${name}', ${typeof value === 'string' ? `'${value}'` : Number(value)})`;
}

/** The sounds that Zulip's clients have. */
const notificationSounds = [
  'ascend',
  'beep_boop',
  'bink',
  'bright',
  'brlip',
  'chime',
  'deep tom',
  'ding',
  'double tap',
  'down',
  'dry bongos',
  'dutdut',
  'fast ascend',
  'flute',
  'friendly',
  'kick roll',
  'loud tintong',
  'metallic snare',
  'pan',
  'shaker',
  'simple',
  'stairs',
  'subtle',
  'swish',
  'tintong',
  'up',
  'wood block',
  'zaping',
  'zing',
  'zulip',
] as const;

const emojisets = [
  {key: 'google', text: 'Google'},
  {key: 'twitter', text: 'Twitter'},
  {key: 'text', text: 'Plain text'},
] as const;

/** The choices that clients get with the settings. */
export const settingChoices = {available_notification_sounds: notificationSounds, emojiset_choices: emojisets};

type Value = UserSettings[keyof UserSettings];
type Choices = {readonly [K in keyof UserSettings]?: readonly UserSettings[K][]};

/** The allowed values of settings that have a fixed list of them. */
const choices: Choices = {
  color_scheme: [1, 2, 3],
  web_home_view: ['inbox', 'recent', 'all_messages'],
  web_mark_read_on_scroll_policy: [1, 2, 3],
  web_channel_default_view: [1, 2, 3, 4],
  web_animate_image_previews: ['always', 'on_hover', 'never'],
  demote_inactive_streams: [1, 2, 3],
  user_list_style: [1, 2, 3],
  web_stream_unreads_count_display_policy: [1, 2, 3],
  emojiset: emojisets.map(({key}) => key),
  desktop_icon_count_display: [1, 2, 3, 4],
  automatically_follow_topics_policy: [1, 2, 3, 4],
  automatically_unmute_topics_in_muted_streams_policy: [1, 2, 3, 4],
  realm_name_in_email_notifications_policy: [1, 2, 3],
  resolved_topic_notice_auto_read_policy: ['always', 'except_followed', 'never'],
  email_address_visibility: [1, 2, 3, 4, 5],
  notification_sound: [...notificationSounds, 'none'],
};

const maxBatchingSeconds = 604_800;

export function isSettingName(name: string): name is keyof UserSettings {
  return Object.hasOwn(userSettingDefaults, name);
}

/** Returns the value to store; throws if it is not allowed. The request decoder has already checked the wire types. */
export function checkedSetting(name: keyof UserSettings, value: unknown): Value {
  check(isOfSameType(userSettingDefaults[name], value, name), `Invalid ${name}`);
  const allowed: readonly Value[] | undefined = choices[name];
  if (name === 'notification_sound' && !allowed?.includes(value))
    throw badRequest(`Invalid notification sound '${value}'`);
  if (allowed !== undefined && !allowed.includes(value)) {
    throw name === 'resolved_topic_notice_auto_read_policy' ? badRequest(`Invalid ${name}`) : notListed(name);
  }
  if (
    name === 'email_notifications_batching_period_seconds' &&
    (Number(value) < 1 || Number(value) > maxBatchingSeconds)
  ) {
    throw badRequest(`Invalid email batching period: ${value} seconds`);
  }
  if (name === 'timezone') return checkedTimeZone(String(value));
  check(name !== 'default_language' || languageName(String(value)) !== undefined, 'Invalid default_language');
  return value;
}

/** Returns the settings of a request whose values differ from those before. */
export function changedSettings(before: Readonly<UserSettings>, input: Readonly<Record<string, unknown>>) {
  const changes: [keyof UserSettings, Value][] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || !isSettingName(name)) continue;
    const checked = checkedSetting(name, value);
    if (checked !== before[name]) changes.push([name, checked]);
  }
  return changes;
}

function isOfSameType(example: Value, value: unknown, name: string): value is Value {
  return typeof value === typeof example || (value === null && name === 'twenty_four_hour_time');
}

function checkedTimeZone(value: string): string {
  check(isTimeZone(value), 'Invalid timezone: Value error, Not a recognized time zone');
  return value;
}

const cityZone = /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\//;

/** Returns the name of the zone that other users see: a city, also for aliases such as `US/Pacific`. */
export function canonicalTimeZone(name: string): string {
  // Names of cities are kept as they are, because Intl has old spellings of some.
  if (name === '' || cityZone.test(name)) return name;
  return getOrCreate(aliasedZones, name, () => (isTimeZone(name) ? zoneOfAlias(name) : name));
}

/** Looking up an alias takes long, and many users may have the same. */
const aliasedZones = new Map<string, string>();

function zoneOfAlias(name: string): string {
  const {timeZone} = new Intl.DateTimeFormat('en', {timeZone: name}).resolvedOptions();
  return timeZone === 'UTC' ? 'Etc/UTC' : timeZone;
}

function isTimeZone(name: string): boolean {
  // The formatter accepts offsets such as `+02:00`, but they are not zone names.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,39}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', {timeZone: name});
    return true;
  } catch {
    return false;
  }
}

/** Returns a language's name in that language; undefined for one that Zulip is not translated into. */
export function languageName(code: string): string | undefined {
  if (!languages.includes(code)) return undefined;
  const own = new Intl.DisplayNames([code], {type: 'language', fallback: 'none'}).of(code);
  return own ?? new Intl.DisplayNames(['en'], {type: 'language'}).of(code);
}

import {type SettingName, settingFields, settingLevels} from '#wire/objects/user-settings.ts';
import {json, optional, type Param, raw, since, text} from './endpoint.ts';
import {levels} from './levels.ts';
import type {s} from './schema.ts';

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
  return Math.max(settingLevels[name], value === undefined ? 0 : (valueLevels[name]?.[String(value)] ?? 0));
}

type SettingParams = {
  [K in SettingName]: Param<s.InferOutput<(typeof settingFields)[K]>, 'optional'>;
};

export const settingParams = Object.fromEntries(
  Object.entries(settingFields).map(([name, schema]) => [
    name,
    since(
      settingLevels[name as SettingName],
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

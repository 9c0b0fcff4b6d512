import {type ConfigSettings, settingTable} from '#config/settings.ts';

const defaults = Object.entries(settingTable).map(([key, setting]) => [key, setting.default]);

/** The settings of an empty `config.toml`. */
export const defaultSettings: ConfigSettings = Object.fromEntries(defaults);

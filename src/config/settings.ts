import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {parse, TomlError} from 'smol-toml';
import {ConfigError} from './config-error.ts';
import type {Env} from './paths.ts';
import {readSmallFile} from './private-files.ts';

export const settingsFile = 'config.toml';

interface SettingBase {
  /** As in `config.toml`; a dot means a table. */
  readonly name: string;
  readonly description: string;
}
interface SwitchSetting extends SettingBase {
  readonly type: 'switch';
  readonly default: boolean;
}
interface NumberSetting extends SettingBase {
  readonly type: 'number';
  readonly default: number;
  readonly least: number;
  readonly most: number;
}
interface ChoiceSetting<T extends string = string> extends SettingBase {
  readonly type: 'choice';
  readonly default: T;
  readonly choices: readonly T[];
}
type Setting = SwitchSetting | NumberSetting | ChoiceSetting;
type SettingValue<S> = S extends NumberSetting ? number : S extends ChoiceSetting<infer T> ? T : boolean;

const whole = (setting: Omit<NumberSetting, 'type'>): NumberSetting => ({type: 'number', ...setting});
const toggle = (setting: Omit<SwitchSetting, 'type'>): SwitchSetting => ({type: 'switch', ...setting});
const oneOf = <const T extends string>(setting: Omit<ChoiceSetting<T>, 'type'>): ChoiceSetting<T> => ({
  type: 'choice',
  ...setting,
});

/** Every setting there is. README's table, the checks and the types all come from here. */
export const settingTable = {
  draftSync: toggle({
    name: 'drafts.sync',
    default: true,
    description:
      'Keep drafts on the server too, if the account allows it; they are always kept on this machine',
  }),
  askAfterOfflineMinutes: whole({
    name: 'ask_after_offline_minutes',
    default: 10,
    least: 0,
    most: 10_080,
    description: 'Messages that waited longer than this for a connection are not sent without asking',
  }),
  keepMessages: whole({
    name: 'keep_messages',
    default: 20_000,
    least: 0,
    most: 1_000_000,
    description:
      'How many messages to keep on this machine, for a quick start and for search without a connection',
  }),
  theme: oneOf({
    name: 'theme',
    default: 'default',
    choices: ['default', 'dark', 'light', 'auto'],
    description:
      'Colours: those of the terminal, a dark or a light set of our own, or the one that suits the background',
  }),
  glyphs: oneOf({
    name: 'glyphs',
    default: 'auto',
    choices: ['auto', 'unicode', 'ascii'],
    description: 'Lines and marks beyond plain letters; `auto` is what the terminal can show',
  }),
  mouse: toggle({
    name: 'mouse',
    default: false,
    description: 'Take the mouse; without it the terminal selects text, and the wheel still scrolls',
  }),
  markRead: oneOf({
    name: 'mark_read',
    default: 'server',
    choices: ['server', 'on-view', 'on-done'],
    description:
      'When messages become read: as the account says, when they were on the screen, or only when you say so',
  }),
  readOn: oneOf({
    name: 'read_on',
    default: 'advance',
    choices: ['advance', 'page'],
    description: 'Space at the end of a conversation marks it read and goes to the next, or only pages',
  }),
  afterReply: oneOf({
    name: 'after_reply',
    default: 'advance',
    choices: ['advance', 'stay'],
    description: 'After a reply from the inbox: on to the next conversation, or stay',
  }),
  enterSends: oneOf({
    name: 'enter_sends',
    default: 'auto',
    choices: ['auto', 'yes', 'no'],
    description:
      'Whether Enter sends or begins a line; `auto` sends, unless the account says otherwise and you agreed',
  }),
  undoSendSeconds: whole({
    name: 'undo_send_seconds',
    default: 0,
    least: 0,
    most: 60,
    description: 'Hold what you send for so long, so that undo can take it back',
  }),
  sendTyping: toggle({
    name: 'send_typing',
    default: true,
    description: 'Tell others that you are typing, if the account allows it',
  }),
  notifyWith: oneOf({
    name: 'notify.with',
    default: 'desktop',
    choices: ['desktop', 'bell', 'off'],
    description: 'How to tell you while you are elsewhere; where there are no notifications, the bell rings',
  }),
  notifyDirect: toggle({
    name: 'notify.direct',
    default: true,
    description: 'Tell you of direct messages',
  }),
  notifyMention: toggle({
    name: 'notify.mention',
    default: true,
    description: 'Tell you of messages that mention you',
  }),
  notifyShow: oneOf({
    name: 'notify.show',
    default: 'text',
    choices: ['text', 'sender', 'nothing'],
    description: 'What a notification says: the message, only who wrote, or only that there is something',
  }),
} as const;

export type ConfigSettings = {
  readonly [K in keyof typeof settingTable]: SettingValue<(typeof settingTable)[K]>;
};

export interface LoadedSettings {
  readonly settings: ConfigSettings;
  /** One line each for what is not a setting, or has a value that it cannot have. */
  readonly warnings: readonly string[];
}

type GivenValue = {readonly value: unknown; readonly from: string};

/** `config.toml`, then `PARLEY_…` variables over it. Whatever is wrong in them costs a line and leaves the default. */
export function readSettings(directory: string, env: Env): LoadedSettings {
  const warnings: string[] = [];
  const given = fileValues(join(directory, settingsFile), warnings);
  for (const {name, type} of Object.values(settingTable)) {
    const text = env[variableOf(name)];
    if (text) given.set(name, {value: fromText(text, type), from: `$${variableOf(name)}`});
  }
  const valueFor = (setting: Setting) => {
    const found = given.get(setting.name);
    if (found === undefined) return setting.default;
    if (isValue(setting, found.value)) return found.value;
    warnings.push(`${found.from}: ${setting.name} must be ${allowed(setting)}.`);
    return setting.default;
  };
  return {settings: settingsBy(valueFor), warnings};
}

export const defaultSettings: ConfigSettings = settingsBy((setting) => setting.default);

function settingsBy(valueFor: (setting: Setting) => unknown): ConfigSettings {
  const pairs = Object.entries<Setting>(settingTable).map(([key, setting]) => [key, valueFor(setting)]);
  // A value is the default or was checked against the record that its type is derived from.
  return Object.fromEntries(pairs) as ConfigSettings;
}

function fileValues(file: string, warnings: string[]): Map<string, GivenValue> {
  const given = new Map<string, GivenValue>();
  if (!existsSync(file)) return given;
  const names = new Set<string>(Object.values(settingTable).map(({name}) => name));
  try {
    for (const [name, value] of leaves(parse(readSmallFile(file)), names)) {
      if (names.has(name)) given.set(name, {value, from: file});
      else warnings.push(`${file}: there is no setting “${name}”.`);
    }
  } catch (error) {
    if (error instanceof TomlError) {
      const [reason] = error.message.split('\n', 1);
      warnings.push(`${file}, line ${error.line}: ${reason}. All settings keep their defaults.`);
    } else if (error instanceof ConfigError) warnings.push(error.message);
    else throw error;
  }
  return given;
}

/** Dotted names and their values; a table that is no setting's is named once, not once per entry. */
function leaves(table: object, names: ReadonlySet<string>, prefix = ''): [string, unknown][] {
  return Object.entries(table).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix + key;
    const isPrefix = [...names].some((known) => known.startsWith(`${name}.`));
    return isPrefix && isTable(value) ? leaves(value, names, `${name}.`) : [[name, value]];
  });
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The variable that is over the file for this setting, if it is set. */
export function overridingVariable(key: keyof ConfigSettings, env: Env): string | undefined {
  const variable = variableOf(settingTable[key].name);
  return env[variable] ? variable : undefined;
}

function variableOf(name: string): string {
  return `PARLEY_${name.replaceAll('.', '_').toUpperCase()}`;
}

const words: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  1: true,
  false: false,
  off: false,
  no: false,
  0: false,
};

function fromText(text: string, type: Setting['type']): unknown {
  const word = text.trim().toLowerCase();
  if (type === 'number') return /^\d{1,15}$/.test(word) ? Number(word) : text;
  if (type === 'choice') return word;
  return Object.hasOwn(words, word) ? words[word] : text;
}

function isValue(setting: Setting, value: unknown): value is boolean | number | string {
  switch (setting.type) {
    case 'switch':
      return typeof value === 'boolean';
    case 'number':
      return Number.isInteger(value) && Number(value) >= setting.least && Number(value) <= setting.most;
    case 'choice':
      return setting.choices.some((choice) => choice === value);
  }
}

function allowed(setting: Setting): string {
  switch (setting.type) {
    case 'switch':
      return 'true or false';
    case 'number':
      return `a whole number from ${setting.least} to ${setting.most}`;
    case 'choice':
      return `one of ${setting.choices.map((choice) => `"${choice}"`).join(', ')}`;
  }
}

/** The table between README's `settings` marks. */
export function settingsMarkdown(): string {
  const rows = Object.values<Setting>(settingTable).map(
    (setting) =>
      `| \`${setting.name}\` | \`${JSON.stringify(setting.default)}\` | ${allowed(setting)} | ${setting.description} |`,
  );
  return ['| setting | default | may be | does |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

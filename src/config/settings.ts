import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {parse, TomlError, type TomlTable} from 'smol-toml';
import type {Env} from './paths.ts';
import {ConfigError, readSmallFile} from './private-files.ts';
import {parseQuietHours} from './quiet-hours.ts';
import {isThemeName, themeChoices} from './theme-names.ts';
import {booleanOf} from './zuliprc.ts';

export const settingsFile = 'config.toml';

interface SettingBase {
  /** The name in `config.toml`; the part before a dot is the table. */
  readonly name: string;
  /** The name on the screen. */
  readonly title: string;
  readonly description: string;
  /** Whether a change applies only after the next start. */
  readonly appliesAtStart?: true;
}
interface SwitchSetting extends SettingBase {
  readonly type: 'switch';
  readonly default: boolean;
}
interface NumberSetting extends SettingBase {
  readonly type: 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit: 'seconds' | 'minutes' | 'messages' | 'rows' | 'MiB';
}
interface ChoiceSetting<T extends string = string> extends SettingBase {
  readonly type: 'choice';
  readonly default: T;
  /** The values with their names on the screen. */
  readonly choices: Readonly<Record<T, string>>;
}
interface TextSetting extends SettingBase {
  readonly type: 'text';
  readonly default: string;
  /** What the value must be, after “must be”. */
  readonly allowed: string;
  readonly isAllowed: (value: string) => boolean;
  /** Values to choose from with their names on the screen. */
  readonly choices?: Readonly<Record<string, string>>;
}
export type ConfigSetting = SwitchSetting | NumberSetting | ChoiceSetting | TextSetting;
type SettingValue<S> = S extends NumberSetting
  ? number
  : S extends TextSetting
    ? string
    : S extends ChoiceSetting<infer T>
      ? T
      : boolean;

/** What a setting has besides its name, its default and its values. */
type Texts = Omit<SettingBase, 'name'>;

function switchSetting(name: string, value: boolean, texts: Texts): SwitchSetting {
  return {type: 'switch', name, default: value, ...texts};
}

function numberSetting(
  name: string,
  value: number,
  [min, max, unit]: readonly [min: number, max: number, NumberSetting['unit']],
  texts: Texts,
): NumberSetting {
  return {type: 'number', name, default: value, min, max, unit, ...texts};
}

function choiceSetting<const T extends string>(
  name: string,
  value: NoInfer<T>,
  texts: Texts & Pick<ChoiceSetting<T>, 'choices'>,
): ChoiceSetting<T> {
  return {type: 'choice', name, default: value, ...texts};
}

function textSetting<const T extends Omit<TextSetting, 'type' | 'name' | 'default'>>(
  name: string,
  value: string,
  texts: T,
) {
  return {type: 'text' as const, name, default: value, ...texts};
}

/** Lists every setting. The table in the manual, the checks and the types are derived from it. */
export const settingTable = {
  draftSync: switchSetting('drafts.sync', true, {
    title: 'Save drafts on the server',
    appliesAtStart: true,
    description: 'Save drafts on the server too, if the account allows it; they are always saved on this machine',
  }),
  askAfterOfflineMinutes: numberSetting('ask_after_offline_minutes', 10, [0, 10_080, 'minutes'], {
    title: 'Ask before sending late',
    appliesAtStart: true,
    description: 'Ask before sending messages that have waited for a connection longer than this',
  }),
  keepMessages: numberSetting('keep_messages', 20_000, [0, 1_000_000, 'messages'], {
    title: 'Messages kept on this machine',
    appliesAtStart: true,
    description: 'How many messages to save on this machine, for a fast start and for search while offline',
  }),
  theme: textSetting('theme', 'default', {
    title: 'Theme',
    choices: themeChoices,
    allowed: 'the name of a theme',
    isAllowed: isThemeName,
    description:
      'Colours: `default` are those of the terminal, `auto` is Parley’s `dark` or `light` by the background, others bring their own background',
  }),
  glyphs: choiceSetting('glyphs', 'auto', {
    title: 'Symbols',
    choices: {auto: 'automatic', unicode: 'Unicode', ascii: 'ASCII'},
    description: 'Characters for lines and symbols; `auto` uses what the terminal can show',
  }),
  bidi: choiceSetting('bidi', 'auto', {
    title: 'Right-to-left text',
    choices: {
      auto: 'automatic',
      reorder: 'ordered by Parley',
      words: 'words ordered by Parley, letters by the terminal',
      terminal: 'ordered by the terminal',
      off: 'not ordered',
    },
    description: 'Who orders Hebrew, Arabic and other right-to-left text; `auto` goes by what the terminal does',
  }),
  screenReader: choiceSetting('screen_reader', 'off', {
    title: 'Screen reader',
    choices: {off: 'off', on: 'changes with the next key', announce: 'changes 10 s after a key'},
    description:
      'For speech and braille: words instead of symbols, one pane, and what arrives is written with the next key or 10 s after one',
  }),
  mouse: switchSetting('mouse', false, {
    title: 'Mouse',
    description: 'Handle mouse clicks; when off, the terminal selects text and the wheel still scrolls',
  }),
  typing: choiceSetting('typing', 'auto', {
    title: 'Letters in a conversation',
    appliesAtStart: true,
    choices: {auto: 'as keys.toml says', on: 'start writing', off: 'are commands'},
    description:
      'Whether a letter in a conversation opens the composer; commands are then on Alt and Ctrl-X. `auto` is what `keys.toml` and its preset say',
  }),
  linkPreviews: switchSetting('link_previews', true, {
    title: 'Link previews',
    description: 'Show the title and description of linked pages below a message, if the organization fetches them',
  }),
  images: choiceSetting('images', 'auto', {
    title: 'Images',
    choices: {
      auto: 'automatic',
      off: 'off',
      kitty: 'kitty graphics',
      iterm2: 'iTerm2 images',
      sixel: 'sixel',
      'half-blocks': 'half blocks',
    },
    description: 'How images are shown in messages; `auto` goes by what the terminal answers (`parley doctor` says it)',
  }),
  imageRows: numberSetting('image_rows', 12, [3, 40, 'rows'], {
    title: 'Height of images',
    description: 'The most rows that an image in a message takes',
  }),
  imageCacheMib: numberSetting('image_cache_mib', 100, [0, 10_000, 'MiB'], {
    title: 'Images kept on this machine',
    description:
      'How many MiB of images to keep on disk for each account; those not shown for longest are removed first',
  }),
  markRead: choiceSetting('mark_read', 'server', {
    title: 'Mark messages as read',
    choices: {server: 'account setting', 'on-view': 'when shown', 'on-done': 'only when marked done'},
    description:
      'When messages become read: by the account’s setting, when they were on screen, or only when you mark them',
  }),
  inboxOrder: choiceSetting('inbox_order', 'priority', {
    title: 'Order of the inbox',
    choices: {priority: 'by priority', newest: 'newest first', oldest: 'oldest first', channel: 'by channel'},
    description: 'How the inbox is sorted; priority: mentions, direct messages, followed topics, channels',
  }),
  organizations: choiceSetting('organizations', 'grouped', {
    title: 'Several organizations',
    choices: {grouped: 'together, one after the other', mixed: 'together, by priority', separate: 'each on its own'},
    description: 'With several accounts: one list for all, grouped or mixed, or a separate one for each',
  }),
  readOn: choiceSetting('read_on', 'advance', {
    title: 'Space at the end',
    choices: {advance: 'marks read and opens the next', page: 'only pages'},
    description: 'Space at the end of a conversation: mark it read and open the next, or only scroll',
  }),
  afterReply: choiceSetting('after_reply', 'advance', {
    title: 'After a reply from the inbox',
    choices: {advance: 'open the next', stay: 'stay'},
    description: 'After a reply from the inbox: open the next conversation, or stay',
  }),
  enterSends: choiceSetting('enter_sends', 'auto', {
    title: 'Enter',
    choices: {auto: 'account setting', yes: 'sends', no: 'adds a line'},
    description: 'Whether Enter sends or starts a new line; `auto` sends, unless you accepted the account’s setting',
  }),
  undoSendSeconds: numberSetting('undo_send_seconds', 0, [0, 60, 'seconds'], {
    title: 'Undo-send delay',
    description: 'Wait this long before sending a message, so that undo can cancel it',
  }),
  sendTyping: switchSetting('send_typing', true, {
    title: 'Tell others that I am typing',
    appliesAtStart: true,
    description: 'Show others that you are typing, if the account allows it',
  }),
  filesFromOtherHosts: switchSetting('files_from_other_hosts', false, {
    title: 'Files from other hosts',
    description:
      'Download files that your server keeps on another host, such as S3, and its list of emoji if it is there; without your API key',
  }),
  control: switchSetting('control', true, {
    title: 'Control socket',
    appliesAtStart: true,
    description:
      'Let `parley ctl` and status bars of this user reach a running Parley, through a private socket and file',
  }),
  notifyWith: choiceSetting('notify.with', 'desktop', {
    title: 'Notifications',
    choices: {desktop: 'on the desktop', bell: 'bell', off: 'off'},
    description: 'How to notify you while you are in another window; without notification support, the bell',
  }),
  notifyDirect: switchSetting('notify.direct', true, {
    title: 'Notify of direct messages',
    description: 'Notify you of direct messages',
  }),
  notifyMention: switchSetting('notify.mention', true, {
    title: 'Notify of mentions',
    description: 'Notify you of messages that mention you',
  }),
  notifyQuiet: textSetting('notify.quiet', '', {
    title: 'Quiet hours',
    allowed: 'empty, or times such as "22:00-08:00" or "mon-fri 22:00-07:00, sat sun"',
    isAllowed: (text) => parseQuietHours(text) !== undefined,
    description: 'When nothing notifies you, by the clock of this machine; afterwards one line says what was held back',
  }),
  notifyShow: choiceSetting('notify.show', 'text', {
    title: 'Notifications show',
    choices: {text: 'the message', sender: 'only the sender', nothing: 'only that one arrived'},
    description: 'What a notification shows: the message, only the sender, or only that a message arrived',
  }),
} as const;

export type ConfigSettings = {
  readonly [K in keyof typeof settingTable]: SettingValue<(typeof settingTable)[K]>;
};

type SourcedValue = {readonly value: unknown; readonly from: string};

/**
 * Reads `config.toml` and the `PARLEY_…` variables, which win. An unknown setting adds a warning, and so does an invalid value,
 * which leaves the default.
 */
export function readSettings(directory: string, env: Env) {
  const warnings: string[] = [];
  const values = fileValues(join(directory, settingsFile), warnings);
  for (const setting of Object.values<ConfigSetting>(settingTable)) {
    const {name} = setting;
    const text = env[variableOf(name)];
    if (text) values.set(name, {value: fromText(text, setting), from: `$${variableOf(name)}`});
  }
  const valueFor = (setting: ConfigSetting) => {
    const entry = values.get(setting.name);
    if (entry === undefined) return setting.default;
    if (isSettingValue(setting, entry.value)) return entry.value;
    warnings.push(`${entry.from}: ${setting.name} must be ${allowedText(setting)}.`);
    return setting.default;
  };
  const pairs = Object.entries<ConfigSetting>(settingTable).map(([key, setting]) => [key, valueFor(setting)]);
  // Each value is the default or was checked against the record that its type is derived from.
  return {settings: Object.fromEntries(pairs) as ConfigSettings, warnings};
}

function fileValues(file: string, warnings: string[]): Map<string, SourcedValue> {
  const values = new Map<string, SourcedValue>();
  if (!existsSync(file)) return values;
  const names = new Set<string>(Object.values(settingTable).map(({name}) => name));
  try {
    for (const [name, value] of leaves(parse(readSmallFile(file)), names)) {
      if (names.has(name)) values.set(name, {value, from: file});
      else warnings.push(`${file}: there is no setting “${name}”.`);
    }
  } catch (error) {
    if (error instanceof TomlError) {
      warnings.push(`${tomlErrorText(file, error)} All settings keep their defaults.`);
    } else if (error instanceof ConfigError) warnings.push(error.message);
    else throw error;
  }
  return values;
}

export function tomlErrorText(file: string, {message, line}: TomlError): string {
  const [reason] = message.split('\n', 1);
  return `${file}, line ${line}: ${reason}.`;
}

/** Returns dotted names and their values. An unknown table is listed once, not once per entry. */
function leaves(table: object, names: ReadonlySet<string>, prefix = ''): [string, unknown][] {
  return Object.entries(table).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix + key;
    const isPrefix = [...names].some((known) => known.startsWith(`${name}.`));
    return isPrefix && isTable(value) ? leaves(value, names, `${name}.`) : [[name, value]];
  });
}

export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Returns the environment variable that overrides the setting, or undefined when it is not set. */
export function overridingVariable(key: keyof ConfigSettings, env: Env): string | undefined {
  const variable = variableOf(settingTable[key].name);
  return env[variable] ? variable : undefined;
}

/** Returns the environment variable that overrides the setting with this name. */
export function variableOf(name: string): string {
  return `PARLEY_${name.replaceAll('.', '_').toUpperCase()}`;
}

function fromText(text: string, {type, ...setting}: ConfigSetting): unknown {
  const word = text.trim().toLowerCase();
  if (type === 'text') return 'choices' in setting && Object.hasOwn(setting.choices, word) ? word : text.trim();
  if (type === 'number') return /^\d{1,15}$/.test(word) ? Number(word) : text;
  if (type === 'choice') return word;
  return booleanOf(word) ?? text;
}

/** Whether a value may be assigned to the setting. */
export function isSettingValue(setting: ConfigSetting, value: unknown): value is boolean | number | string {
  switch (setting.type) {
    case 'switch':
      return typeof value === 'boolean';
    case 'number':
      return Number.isInteger(value) && Number(value) >= setting.min && Number(value) <= setting.max;
    case 'choice':
      return Object.keys(setting.choices).some((choice) => choice === value);
    case 'text':
      return typeof value === 'string' && setting.isAllowed(value);
  }
}

/** Returns which values the setting may have. */
export function allowedText(setting: ConfigSetting): string {
  switch (setting.type) {
    case 'switch':
      return 'true or false';
    case 'number':
      return `a whole number from ${setting.min} to ${setting.max}`;
    case 'choice':
      return `one of ${quotedChoices(setting.choices)}`;
    case 'text':
      return setting.choices === undefined
        ? setting.allowed
        : `${setting.allowed}: ${quotedChoices(setting.choices)}, or your own`;
  }
}

function quotedChoices(choices: Readonly<Record<string, string>>): string {
  return Object.keys(choices)
    .map((choice) => `"${choice}"`)
    .join(', ');
}

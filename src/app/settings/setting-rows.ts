import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {AppSettings, LocalSetting, LocalSettings} from '#app/core/settings.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import type {SettingAction} from '#state/actions/settings.ts';
import type {AccountSettings} from '#state/state.ts';
import {themes} from '#theme/themes.ts';
import {applySetting} from './local-settings.ts';

/** One thing that can be set: what it is now, and what it can be. */
export interface SettingRow {
  readonly key: string;
  readonly title: string;
  readonly choices: readonly SettingChoice[];
  /** Which of the choices it is; -1 for another value. */
  readonly currentChoice: (frame: Frame, settings: AppSettings) => number;
  readonly set: (app: App, choice: number) => void;
}

export interface SettingChoice {
  readonly label: string;
}

const onOff = ['off', 'on'] as const;

type SettingValue = SettingAction['value'];

/** A setting of the account, which all its clients share. */
function accountSetting<K extends keyof AccountSettings>(
  name: SettingAction['name'],
  own: K,
  title: string,
  choices: readonly (readonly [value: SettingValue & AccountSettings[K], label: string])[],
): SettingRow {
  return {
    key: name,
    title,
    choices: choices.map(([, label]) => ({label})),
    currentChoice: ({account}) => choices.findIndex(([value]) => value === account.settings[own]),
    set: (app, choice) => {
      const [value, label] = choices[choice] ?? [];
      if (value === undefined) return;
      performUndoable(app, {kind: 'setting', name, value}, `${title}: ${label}`);
    },
  };
}

function accountSwitch(name: SettingAction['name'], own: keyof AccountSettings, title: string): SettingRow {
  return {
    key: name,
    title,
    choices: onOff.map((label) => ({label})),
    currentChoice: ({account}) => (account.settings[own] === true ? 1 : 0),
    set: (app, choice) => {
      performUndoable(app, {kind: 'setting', name, value: choice === 1}, `${title}: ${onOff[choice] ?? ''}`);
    },
  };
}

/** A setting of this program. */
function localSetting<K extends keyof LocalSettings>(
  name: K,
  title: string,
  now: (frame: Frame, settings: AppSettings) => unknown,
  choices: readonly (readonly [value: LocalSettings[K], label: string])[],
): SettingRow {
  return {
    key: name,
    title,
    choices: choices.map(([, label]) => ({label})),
    currentChoice: (frame, settings) => choices.findIndex(([value]) => value === now(frame, settings)),
    set: (app, choice) => {
      const found = choices[choice];
      if (found === undefined) return;
      const [value, label] = found;
      const setting = {name, value} as LocalSetting; // A name with a value of its own.
      applySetting(app, setting);
      const {isSaved: isKept, statusText: said} = app.saveSetting(setting);
      app.toast(`${title}: ${label} · ${said}`, isKept ? 'plain' : 'warning');
    },
  };
}

/** One that decides how the program behaves. */
function behaviourSetting<K extends keyof AppSettings>(
  name: K,
  title: string,
  choices: readonly (readonly [value: LocalSettings[K], label: string])[],
): SettingRow {
  return localSetting(name, title, (_frame, settings) => settings[name], choices);
}

const themeNames = ['default', 'dark', 'light'] as const satisfies readonly (keyof typeof themes)[];

const themeRow = localSetting(
  'theme',
  'Colours',
  ({display: looks}) => themeNames.find((name) => themes[name] === looks.theme),
  [
    ['default', 'of the terminal'],
    ['dark', 'dark'],
    ['light', 'light'],
  ],
);

const glyphRow = localSetting('glyphs', 'Lines and marks', ({display: looks}) => looks.glyphs, [
  ['unicode', 'Unicode'],
  ['ascii', 'plain letters'],
]);

const mouseRow = localSetting('mouse', 'Take the mouse', ({screen}) => screen.isMouseOn, [
  [false, 'off'],
  [true, 'on'],
]);

export const localRows: readonly SettingRow[] = [
  themeRow,
  glyphRow,
  mouseRow,
  behaviourSetting('enterSends', 'Enter', [
    [true, 'sends'],
    [false, 'begins a line'],
    [undefined, 'as the account says'],
  ]),
  behaviourSetting('markRead', 'Messages become read', [
    ['server', 'as the account says'],
    ['onView', 'when they were seen'],
    ['onDone', 'only when you say so'],
  ]),
  behaviourSetting('readOn', 'Space at the end', [
    ['advance', 'marks read and goes on'],
    ['page', 'only pages'],
  ]),
  behaviourSetting('afterReply', 'After a reply from the inbox', [
    ['advance', 'go on'],
    ['stay', 'stay'],
  ]),
  behaviourSetting('undoSendSeconds', 'Hold what you send', [
    [0, 'not at all'],
    [5, 'for 5 seconds'],
    [10, 'for 10 seconds'],
    [30, 'for 30 seconds'],
  ]),
];

export const accountRows: readonly SettingRow[] = [
  accountSwitch('enter_sends', 'enterSends', 'Enter sends'),
  accountSetting('web_mark_read_on_scroll_policy', 'webMarkReadOnScrollPolicy', 'Reading marks read', [
    [1, 'always'],
    [2, 'only in conversations'],
    [3, 'never'],
  ]),
  accountSetting('web_home_view', 'webHomeView', 'Home view', [
    ['inbox', 'inbox'],
    ['recent', 'recent conversations'],
    ['all_messages', 'combined feed'],
  ]),
  accountSwitch(
    'web_escape_navigates_to_home_view',
    'webEscapeNavigatesToHomeView',
    'Esc leads to the home view',
  ),
  accountSetting('twenty_four_hour_time', 'twentyFourHourTime', 'Times', [
    [true, '17:30'],
    [false, '5:30 PM'],
    [null, 'as the language has them'],
  ]),
  accountSwitch('translate_emoticons', 'translateEmoticons', 'Emoticons become emoji'),
  accountSwitch(
    'enable_drafts_synchronization',
    'enableDraftsSynchronization',
    'Drafts are kept on the server too',
  ),
  accountSwitch('presence_enabled', 'presenceEnabled', 'Others see whether you are there'),
  accountSwitch('send_read_receipts', 'sendReadReceipts', 'Others see what you have read'),
  accountSwitch(
    'send_private_typing_notifications',
    'sendPrivateTypingNotifications',
    'Others see you write direct messages',
  ),
  accountSwitch(
    'send_stream_typing_notifications',
    'sendStreamTypingNotifications',
    'Others see you write in channels',
  ),
  accountSwitch('receives_typing_notifications', 'receivesTypingNotifications', 'You see others write'),
];

import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {AppSettings, LocalSetting, LocalSettings} from '#app/core/settings.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import type {SettingAction} from '#state/actions/settings.ts';
import type {AccountSettings} from '#state/state.ts';
import {themes} from '#theme/themes.ts';
import {applySetting} from './local-settings.ts';

/** A setting with its current value and its choices. */
export interface SettingRow {
  readonly key: string;
  readonly title: string;
  readonly choices: readonly SettingChoice[];
  /** Returns the index of the current choice; -1 for another value. */
  readonly currentChoice: (frame: Frame, settings: AppSettings) => number;
  readonly set: (app: App, choice: number) => void;
}

export interface SettingChoice {
  readonly label: string;
}

const onOff = ['off', 'on'] as const;

type SettingValue = SettingAction['value'];

/** Returns the row of an account setting, which all clients share. */
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

/** Returns the row of a setting of this program. */
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
      const chosen = choices[choice];
      if (chosen === undefined) return;
      const [value, label] = chosen;
      const setting = {name, value} as LocalSetting; // The value has the type that belongs to the name.
      applySetting(app, setting);
      const {isSaved, statusText} = app.saveSetting(setting);
      app.toast(`${title}: ${label} · ${statusText}`, isSaved ? 'plain' : 'warning');
    },
  };
}

/** Returns the row of a setting of this program's behaviour. */
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
  'Theme',
  ({display}) => themeNames.find((name) => themes[name] === display.theme),
  [
    ['default', 'terminal colours'],
    ['dark', 'dark'],
    ['light', 'light'],
  ],
);

const glyphRow = localSetting('glyphs', 'Symbols', ({display}) => display.glyphs, [
  ['unicode', 'Unicode'],
  ['ascii', 'ASCII'],
]);

const mouseRow = localSetting('mouse', 'Mouse', ({screen}) => screen.isMouseOn, [
  [false, 'off'],
  [true, 'on'],
]);

export const localRows: readonly SettingRow[] = [
  themeRow,
  glyphRow,
  mouseRow,
  behaviourSetting('enterSends', 'Enter', [
    [true, 'sends'],
    [false, 'adds a line'],
    [undefined, 'account setting'],
  ]),
  behaviourSetting('markRead', 'Mark messages as read', [
    ['server', 'account setting'],
    ['onView', 'when shown'],
    ['onDone', 'only when marked done'],
  ]),
  behaviourSetting('readOn', 'Space at the end', [
    ['advance', 'marks read and opens the next'],
    ['page', 'only pages'],
  ]),
  behaviourSetting('afterReply', 'After a reply from the inbox', [
    ['advance', 'open the next'],
    ['stay', 'stay'],
  ]),
  behaviourSetting('undoSendSeconds', 'Undo-send delay', [
    [0, 'off'],
    [5, '5 seconds'],
    [10, '10 seconds'],
    [30, '30 seconds'],
  ]),
];

export const accountRows: readonly SettingRow[] = [
  accountSwitch('enter_sends', 'enterSends', 'Enter sends'),
  accountSetting('web_mark_read_on_scroll_policy', 'webMarkReadOnScrollPolicy', 'Mark as read on scroll', [
    [1, 'always'],
    [2, 'only in conversations'],
    [3, 'never'],
  ]),
  accountSetting('web_home_view', 'webHomeView', 'Home view', [
    ['inbox', 'inbox'],
    ['recent', 'recent conversations'],
    ['all_messages', 'combined feed'],
  ]),
  accountSwitch('web_escape_navigates_to_home_view', 'webEscapeNavigatesToHomeView', 'Esc opens the home view'),
  accountSetting('twenty_four_hour_time', 'twentyFourHourTime', 'Time format', [
    [true, '17:30'],
    [false, '5:30 PM'],
    [null, 'language default'],
  ]),
  accountSwitch('translate_emoticons', 'translateEmoticons', 'Convert emoticons to emoji'),
  accountSwitch('enable_drafts_synchronization', 'enableDraftsSynchronization', 'Sync drafts'),
  accountSwitch('presence_enabled', 'presenceEnabled', 'Show my presence'),
  accountSwitch('send_read_receipts', 'sendReadReceipts', 'Send read receipts'),
  accountSwitch(
    'send_private_typing_notifications',
    'sendPrivateTypingNotifications',
    'Send typing notifications in direct messages',
  ),
  accountSwitch(
    'send_stream_typing_notifications',
    'sendStreamTypingNotifications',
    'Send typing notifications in channels',
  ),
  accountSwitch('receives_typing_notifications', 'receivesTypingNotifications', 'Show typing indicators'),
];

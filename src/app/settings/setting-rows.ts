import type {App, AppSettings} from '#app/app.ts';
import {doUndoably} from '#app/deeds.ts';
import type {Frame} from '#app/frame.ts';
import type {SettingAction} from '#state/actions/settings.ts';
import type {Settings} from '#state/state.ts';
import {themes} from '#theme/themes.ts';

/** One thing that can be set: what it is now, and what it can be. */
export interface SettingRow {
  readonly key: string;
  readonly title: string;
  readonly choices: readonly SettingChoice[];
  /** Which of the choices it is; -1 for another value. */
  readonly at: (frame: Frame, settings: AppSettings) => number;
  readonly set: (app: App, choice: number) => void;
}

export interface SettingChoice {
  readonly label: string;
}

const onOff = ['off', 'on'] as const;

type Value = SettingAction['value'];

/** A setting of the account, which all its clients share. */
function shared<K extends keyof Settings>(
  name: SettingAction['name'],
  own: K,
  title: string,
  choices: readonly (readonly [value: Value & Settings[K], label: string])[],
): SettingRow {
  return {
    key: name,
    title,
    choices: choices.map(([, label]) => ({label})),
    at: ({account}) => choices.findIndex(([value]) => value === account.settings[own]),
    set: (app, choice) => {
      const [value, label] = choices[choice] ?? [];
      if (value === undefined) return;
      doUndoably(app, {kind: 'setting', name, value}, `${title}: ${label}`);
    },
  };
}

function sharedSwitch(name: SettingAction['name'], own: keyof Settings, title: string): SettingRow {
  return {
    key: name,
    title,
    choices: onOff.map((label) => ({label})),
    at: ({account}) => (account.settings[own] === true ? 1 : 0),
    set: (app, choice) => {
      doUndoably(app, {kind: 'setting', name, value: choice === 1}, `${title}: ${onOff[choice] ?? ''}`);
    },
  };
}

/** A setting of this program, for as long as it runs. */
function local<K extends keyof AppSettings>(
  own: K,
  title: string,
  choices: readonly (readonly [value: AppSettings[K], label: string])[],
): SettingRow {
  return {
    key: own,
    title,
    choices: choices.map(([, label]) => ({label})),
    at: (_frame, settings) => choices.findIndex(([value]) => value === settings[own]),
    set: (app, choice) => {
      const found = choices[choice];
      if (found === undefined) return;
      app.changeSettings({[own]: found[0]});
      app.toast(`${title}: ${found[1]} · until Parley ends`);
    },
  };
}

const themeNames = ['default', 'dark', 'light'] as const satisfies readonly (keyof typeof themes)[];

const themeRow: SettingRow = {
  key: 'theme',
  title: 'Colours',
  choices: [{label: 'of the terminal'}, {label: 'dark'}, {label: 'light'}],
  at: ({looks}) => themeNames.findIndex((name) => themes[name] === looks.theme),
  set: (app, choice) => app.setLooks({theme: themes[themeNames[choice] ?? 'default']}),
};

const glyphRow: SettingRow = {
  key: 'glyphs',
  title: 'Lines and marks',
  choices: [{label: 'Unicode'}, {label: 'plain letters'}],
  at: ({looks}) => (looks.glyphs === 'ascii' ? 1 : 0),
  set: (app, choice) => app.setLooks({glyphs: choice === 1 ? 'ascii' : 'unicode'}),
};

const mouseRow: SettingRow = {
  key: 'mouse',
  title: 'Take the mouse',
  choices: onOff.map((label) => ({label})),
  at: ({screen}) => (screen.isMouseOn ? 1 : 0),
  set: (app, choice) => {
    app.set({isMouseOn: choice === 1});
    app.device.setMouse(choice === 1);
  },
};

export const localRows: readonly SettingRow[] = [
  themeRow,
  glyphRow,
  mouseRow,
  local('enterSends', 'Enter', [
    [true, 'sends'],
    [false, 'begins a line'],
    [undefined, 'as the account says'],
  ]),
  local('markRead', 'Messages become read', [
    ['server', 'as the account says'],
    ['onView', 'when they were seen'],
    ['onDone', 'only when you say so'],
  ]),
  local('readOn', 'Space at the end', [
    ['advance', 'marks read and goes on'],
    ['page', 'only pages'],
  ]),
  local('afterReply', 'After a reply from the inbox', [
    ['advance', 'go on'],
    ['stay', 'stay'],
  ]),
  local('undoSendSeconds', 'Hold what you send', [
    [0, 'not at all'],
    [5, 'for 5 seconds'],
    [10, 'for 10 seconds'],
    [30, 'for 30 seconds'],
  ]),
];

export const accountRows: readonly SettingRow[] = [
  sharedSwitch('enter_sends', 'enterSends', 'Enter sends'),
  shared('web_mark_read_on_scroll_policy', 'webMarkReadOnScrollPolicy', 'Reading marks read', [
    [1, 'always'],
    [2, 'only in conversations'],
    [3, 'never'],
  ]),
  shared('web_home_view', 'webHomeView', 'Home view', [
    ['inbox', 'inbox'],
    ['recent', 'recent conversations'],
    ['all_messages', 'combined feed'],
  ]),
  sharedSwitch(
    'web_escape_navigates_to_home_view',
    'webEscapeNavigatesToHomeView',
    'Esc leads to the home view',
  ),
  shared('twenty_four_hour_time', 'twentyFourHourTime', 'Times', [
    [true, '17:30'],
    [false, '5:30 PM'],
    [null, 'as the language has them'],
  ]),
  sharedSwitch('translate_emoticons', 'translateEmoticons', 'Emoticons become emoji'),
  sharedSwitch(
    'enable_drafts_synchronization',
    'enableDraftsSynchronization',
    'Drafts are kept on the server too',
  ),
  sharedSwitch('presence_enabled', 'presenceEnabled', 'Others see whether you are there'),
  sharedSwitch('send_read_receipts', 'sendReadReceipts', 'Others see what you have read'),
  sharedSwitch(
    'send_private_typing_notifications',
    'sendPrivateTypingNotifications',
    'Others see you write direct messages',
  ),
  sharedSwitch(
    'send_stream_typing_notifications',
    'sendStreamTypingNotifications',
    'Others see you write in channels',
  ),
  sharedSwitch('receives_typing_notifications', 'receivesTypingNotifications', 'You see others write'),
];

import type {App} from '#app/core/app.ts';
import type {LocalSetting, LocalSettingValue} from '#app/core/host.ts';
import {matching} from '#app/forms/field-pickers.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {confirm, openPicker} from '#app/overlays/picker.ts';
import {
  openAlertWordsList,
  openFileList,
  openMutedPeopleList,
  openSnippetList,
  snippetProblem,
} from '#app/personal/personal-lists.ts';
import {ownSshKeys, sshKeyProblem} from '#app/personal/ssh-keys.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import {updateLogin} from '#state/actions/accounts.ts';
import {currentSetting, type SettingValue} from '#state/actions/own-settings.ts';
import {isAdministrator, selfUser} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {formField, type TextFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {settingDefaults} from '#wire/objects/user-settings.ts';
import {sinceProblem} from '#wire/server-features.ts';
import {settingSince} from '#wire/setting-params.ts';
import {
  type AccountSetting,
  accountSettingSections,
  type SettingInput,
  settingChoices,
  settingValueText,
} from './account-setting-table.ts';

/** Opens the list of all settings: those of this program and those of the account. Every change can be undone. */
export function openSettingsList(app: App): void {
  const itemOf = ({key}: RecordRow, frame: Frame) =>
    settingSections(app, frame)
      .flatMap(({items}) => items)
      .find((item) => item.key === key);
  openRecordList(app, {
    id: 'settings',
    title: 'Settings',
    placeholder: 'find a setting',
    columns: 84,
    rowsShown: 20,
    helpLines: 2,
    rows: (frame) => settingRows(app, frame),
    actions: [
      recordAction('Enter', 'changes', {
        // Settings of this program may be changed in a read-only session; those of the account are refused later.
        isReadOnly: true,
        run: (from, row, list) => {
          const item = itemOf(row, from.frame);
          if (item !== undefined) changeItem(from, item, list.reload);
        },
      }),
      recordAction('Delete', 'sets the default', {
        isReadOnly: true,
        appliesTo: (row, frame) => itemOf(row, frame)?.default !== undefined,
        run: (from, row, list) => {
          const item = itemOf(row, from.frame);
          if (item?.default === undefined) return;
          item.set(from, item.default.value);
          list.reload();
        },
      }),
    ],
  });
}

/** Opens the choices of one setting of this program. */
export function openLocalSettingChoices(app: App, key: string): void {
  const setting = app.localSettings.list().find((one) => one.key === key);
  if (setting !== undefined) openChoices(app, localItem(app, setting), () => {});
  else app.toast('The settings of this program cannot be changed here', 'warning');
}

function settingRows(app: App, frame: Frame): readonly RecordRow[] {
  return settingSections(app, frame).flatMap(({title, detail, items}): readonly RecordRow[] => {
    if (items.length === 0) return [];
    return [{key: `title ${title}`, label: title, detail, isTitle: true}, ...items.map(rowOf)];
  });
}

function rowOf({key, title, help, valueText, default: usual, disabled}: SettingItem): RecordRow {
  return {
    key,
    label: title,
    right: valueText,
    // What the user has changed stands out.
    rightRole: usual === undefined ? 'text' : 'selected',
    help: disabled === undefined ? help : `${disabled}. ${help}`,
    disabled,
  };
}

/** Toggles a switch; for other settings, opens the choices or a form. */
function changeItem(app: App, item: SettingItem, changed: () => void): void {
  const {input} = item;
  if (input.kind === 'form') input.open(app);
  else if (input.kind === 'number') openNumberForm(app, item, input, changed);
  else if (input.kind === 'text') openTextForm(app, item, input.problem, changed);
  else if (input.kind !== 'switch') openChoices(app, item, changed);
  else {
    item.set(app, item.value !== true);
    changed();
  }
}

function openChoices(app: App, item: SettingItem, changed: () => void): void {
  const {title, isGeneral, input, value, set, help, valueProblem, moreChoices, preview} = item;
  if (input.kind === 'form') return;
  const choices = [...settingChoices(input, app.state), ...(moreChoices?.() ?? []).map((one) => [one, one] as const)];
  const chosenValue = ({key}: PickerRow) => choices.find(([one]) => String(one) === key)?.[0];
  openPicker(app, {
    id: 'setting choices',
    title,
    isGeneral,
    placeholder: 'filter',
    hint: {Enter: 'chooses', Esc: 'closes'},
    helpLines: 2,
    rows: (_frame, query) =>
      choices.flatMap(([one, label]) =>
        matching(query, label).map((matched): PickerRow => {
          const detail = one === value ? 'current' : undefined;
          return {key: String(one), label, detail, matched, help, disabled: valueProblem?.(one)};
        }),
      ),
    startAt: (_frame, query) => (query === '' ? choices.findIndex(([one]) => one === value) : 0),
    onRow: (_app, row) => preview?.(chosenValue(row)),
    onClose: () => preview?.(undefined),
    accept: (from, row) => {
      from.closeOverlay();
      const chosen = chosenValue(row);
      if (chosen === undefined) return;
      set(from, chosen);
      changed();
    },
  });
}

function openNumberForm(
  app: App,
  {key, title, isGeneral, help, value, set}: SettingItem,
  {min, max, unit}: {readonly min: number; readonly max: number; readonly unit: string},
  changed: () => void,
): void {
  openForm<{value: number | null}>(app, {
    id: `setting ${key}`,
    title,
    isGeneral,
    initial: () => ({value: typeof value === 'number' ? value : null}),
    fields: () => [formField('number', 'value', title, {min, max, unit, help})],
    save: async (from, {value: next}) => {
      if (typeof next === 'number') set(from, next);
      changed();
      return undefined;
    },
  });
}

function openTextForm(
  app: App,
  {key, title, isGeneral, help, value, set}: SettingItem,
  validate: (text: string) => string | undefined,
  changed: () => void,
): void {
  openForm<{value: string}>(app, {
    id: `setting ${key}`,
    title,
    isGeneral,
    initial: () => ({value: String(value ?? '')}),
    fields: () => [formField('text', 'value', title, {help, validate})],
    save: async (from, {value: next = ''}) => {
      set(from, next);
      changed();
      return undefined;
    },
  });
}

/** A setting with its current value, as the settings list shows it. */
interface SettingItem {
  readonly key: string;
  readonly title: string;
  /** Whether it is a setting of this program, for all organizations. */
  readonly isGeneral?: true;
  readonly help: string;
  readonly valueText: string;
  /** The default and its text, if the value differs from it. */
  readonly default?: {readonly value: SettingValue; readonly text: string} | undefined;
  readonly value?: SettingValue | undefined;
  readonly input: SettingInput | {readonly kind: 'form'; readonly open: (app: App) => void};
  /** The reason why it cannot be changed. */
  readonly disabled?: string | undefined;
  /** Returns why a value cannot be chosen. */
  readonly valueProblem?: ((value: SettingValue) => string | undefined) | undefined;
  /** Returns values beside those of the input. */
  readonly moreChoices?: (() => readonly string[]) | undefined;
  /** Shows the effect of a value; of the saved one, with undefined. */
  readonly preview?: ((value: SettingValue | undefined) => void) | undefined;
  set(app: App, value: SettingValue): void;
}

interface SettingSection {
  readonly title: string;
  readonly detail?: string | undefined;
  readonly items: readonly SettingItem[];
}

/** Returns all settings: those of this program, then those of the account. */
export function settingSections(app: App, frame: Frame): readonly SettingSection[] {
  const account = accountSettingSections().map(({title, settings}) => ({
    title,
    items: settings.map((setting) => accountItem(frame, setting)),
  }));
  return [
    {
      title: 'Parley',
      detail: 'saved in config.toml',
      items: app.localSettings.list().map((one) => localItem(app, one)),
    },
    {title: 'My account', detail: 'the following are shared by all clients', items: ownAccountItems(frame)},
    {title: 'My lists', items: personalListItems(frame)},
    ...account,
  ];
}

function localInput(setting: LocalSetting): SettingInput {
  const {value, choices, min = 0, max = Number.MAX_SAFE_INTEGER, unit = '', allowed, isAllowed} = setting;
  if (choices !== undefined) return {kind: 'choice', choices: Object.entries(choices)};
  if (typeof value === 'number') return {kind: 'number', min, max, unit};
  if (typeof value !== 'string') return {kind: 'switch'};
  return {kind: 'text', problem: (text) => (isAllowed?.(text) === false ? `Must be ${allowed}` : undefined)};
}

function localItem({localSettings}: App, setting: LocalSetting): SettingItem {
  const {key, title, name, description, value} = setting;
  const input = localInput(setting);
  const textOf = (one: SettingValue) => settingValueText(input, one);
  return {
    key: `local ${key}`,
    title,
    isGeneral: true,
    help: `${description.replaceAll('`', '')} (${name}). Default: ${textOf(setting.default)}.`,
    value,
    valueText: textOf(value),
    default: setting.default === value ? undefined : {value: setting.default, text: textOf(setting.default)},
    input,
    moreChoices: () => localSettings.choicesOf?.(key) ?? [],
    preview: (one) => localSettings.preview?.(key, one ?? undefined),
    set: (app, next) => {
      if (next === null || next === value) return;
      changeLocalSetting(app, setting, next, textOf);
    },
  };
}

function changeLocalSetting(
  app: App,
  setting: LocalSetting,
  value: LocalSettingValue,
  textOf: (value: SettingValue) => string,
): undefined {
  const {key, title, value: before} = setting;
  const {isSaved, statusText} = app.localSettings.change(key, value);
  const label = `${title}: ${textOf(value)}`;
  const undo = () => {
    app.localSettings.change(key, before);
    return `${title}: ${textOf(before)}`;
  };
  app.undoStack.push({label, undo, redo: () => changeLocalSetting(app, setting, value, textOf)});
  app.toast({...withUndoKey(label), hint: statusText}, isSaved ? 'plain' : 'warning');
}

function accountItem(frame: Frame, {name, title, help, input}: AccountSetting): SettingItem {
  const {account} = frame;
  const value = toValue(currentSetting(account, name));
  const initial: SettingValue = settingDefaults[name];
  const textOf = (one: SettingValue) => settingValueText(input, one);
  const problem = (one?: SettingValue) => sinceProblem(account.server.level, {since: settingSince(name, one)});
  return {
    key: name,
    title,
    help: `${help}. Default: ${textOf(initial)}.`,
    value,
    valueText: textOf(value),
    default: initial === value ? undefined : {value: initial, text: textOf(initial)},
    input,
    disabled: problem(),
    valueProblem: problem,
    set: (app, next) => {
      performUndoable(app, {kind: 'setting', name, value: next}, `${title}: ${textOf(next)}`);
    },
  };
}

function toValue(value: unknown): SettingValue {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : null;
}

function item(key: string, title: string, help: string, text: string, open: (app: App) => void): SettingItem {
  return {key, title, help, valueText: text, input: {kind: 'form', open}, set: () => {}};
}

function personalListItems({account}: Frame): readonly SettingItem[] {
  const {alertWords, mutedUsers, snippets} = account;
  return [
    item('alert words', 'Alert words', 'Words that are highlighted.', String(alertWords.length), openAlertWordsList),
    item('muted', 'Muted people', 'Their messages are hidden.', String(mutedUsers.size), openMutedPeopleList),
    {
      ...item('snippets', 'Saved snippets', 'Texts to insert while writing.', String(snippets.size), openSnippetList),
      disabled: snippetProblem(account),
    },
    item('files', 'My files', 'The files that you uploaded, and their size.', '', openFileList),
  ];
}

/** Returns what changes only through forms: the name, the address, the password and the API key. */
function ownAccountItems(frame: Frame): readonly SettingItem[] {
  const {account} = frame;
  return [
    {
      ...item('full_name', 'Name', 'Your name as others see it.', ownName(frame), openNameForm),
      disabled: nameProblem(account),
    },
    {
      ...item('email', 'Email address', 'The address that you log in with.', ownEmail(frame), openEmailForm),
      disabled: emailProblem(account),
    },
    item('password', 'Password', 'The password that you log in with.', '••••••', openPasswordForm),
    {
      ...item('api key', 'API key', 'A new one logs out your other clients and scripts.', '••••••', confirmNewKey),
      disabled: frame.info.keyProblem,
    },
    {
      ...item('ssh keys', 'SSH keys', 'The keys that you log in with over SSH.', '', ownSshKeys.open),
      disabled: sshKeyProblem(frame),
    },
  ];
}

const maxNameLength = 100;

function ownName({account}: Frame): string {
  return selfUser(account)?.fullName ?? '';
}

function ownEmail({account}: Frame): string {
  const self = selfUser(account);
  return self?.deliveryEmail ?? self?.email ?? '';
}

/** Returns why the user's name cannot be changed. */
export function nameProblem(account: AccountState): string | undefined {
  const isFixed = account.realm.nameChangesDisabled === true && !isAdministrator(account);
  return isFixed ? 'Only administrators change names in this organization' : undefined;
}

/** Returns why the user's email address cannot be changed. */
function emailProblem(account: AccountState): string | undefined {
  const isFixed = account.realm.emailChangesDisabled === true && !isAdministrator(account);
  return isFixed ? 'Only administrators change email addresses in this organization' : undefined;
}

function openNameForm(app: App): void {
  openForm<{name: string}>(app, {
    id: 'own name',
    title: 'My name',
    initial: (frame) => ({name: ownName(frame)}),
    fields: ({account}) => [
      {
        kind: 'text',
        key: 'name',
        label: 'Name',
        isRequired: true,
        maxLength: maxNameLength,
        disabled: nameProblem(account),
        validate: (name) => (/[*`\\>"@]/.test(name) ? 'Names cannot contain * ` \\ > " @' : undefined),
      },
    ],
    save: async (from, {name = ''}) => {
      performUndoable(from, {kind: 'fullName', fullName: name}, `Changed your name to ${name}`);
      return undefined;
    },
  });
}

function openEmailForm(app: App): void {
  openForm<{email: string}>(app, {
    id: 'own email',
    title: 'My email address',
    initial: (frame) => ({email: ownEmail(frame)}),
    fields: ({account}) => [
      {
        kind: 'text',
        key: 'email',
        label: 'Email',
        isRequired: true,
        help: 'Parley logs in with your address: it asks for your password again after the change.',
        disabled: emailProblem(account),
        validate: (email) => (/^\S+@\S+$/.test(email) ? undefined : 'Not an email address'),
      },
    ],
    save: async (from, {email = ''}) => {
      await updateLogin(from.session.context, {email});
      return {text: `New address: ${email}`, hint: 'if a message arrives there, confirm it'};
    },
  });
}

/** Asks, then replaces the user's API key. This client goes on with the new one. */
function confirmNewKey(app: App): void {
  confirm(app, {
    title: 'Make a new API key?',
    yes: 'Make a new key',
    detail: 'your other clients and scripts are logged out',
    onYes: (from) =>
      requestFromServer(from, {
        progressText: 'Making a new API key…',
        send: () => from.replaceKey(),
        doneText: (problem) =>
          problem === undefined
            ? 'Made a new API key, and saved it'
            : {text: `Made a new API key, but could not save it: ${problem}`, hint: 'log in again before you quit'},
        failureText: 'Your API key is as before',
      }),
  });
}

type Passwords = {current: string; next: string; again: string};

function openPasswordForm(app: App): void {
  const secret = (key: keyof Passwords, label: string, more: Partial<TextFormField> = {}): TextFormField => {
    return {kind: 'text', key, label, isSecret: true, isRequired: true, ...more};
  };
  openForm<Passwords>(app, {
    id: 'own password',
    title: 'My password',
    isNew: true,
    saveLabel: 'Change the password',
    initial: () => ({current: '', next: '', again: ''}),
    fields: ({account}, {next}) => {
      const min = account.server.passwordMinLength ?? 0;
      return [
        secret('current', 'Current password'),
        secret('next', 'New password', {
          validate: (text) => (text.length < min ? `At least ${min} characters` : undefined),
        }),
        secret('again', 'New password again', {
          validate: (text) => (text === next ? undefined : 'The new passwords differ'),
        }),
      ];
    },
    errorField: (error) => (/wrong/i.test(String(Reflect.get(Object(error), 'message'))) ? 'current' : 'next'),
    save: async (from, {current = '', next = ''}) => {
      await updateLogin(from.session.context, {old_password: current, new_password: next});
      return 'Password changed';
    },
  });
}

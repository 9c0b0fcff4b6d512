import type {App} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {matching} from '#ui/forms/field-pickers.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {settingChoices} from './account-setting-table.ts';
import {localItem, type SettingItem, settingSections} from './setting-items.ts';

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
      recordAction('Enter', 'change', {
        // Settings of this program may be changed in a read-only session; those of the account are refused later.
        isReadOnly: true,
        run: (from, row, list) => {
          const item = itemOf(row, from.frame);
          if (item !== undefined) changeItem(from, item, list.reload);
        },
      }),
      recordAction('Delete', 'default', {
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
  if (setting !== undefined) openChoices(app, localItem(setting), () => {});
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
  else if (input.kind !== 'switch') openChoices(app, item, changed);
  else {
    item.set(app, item.value !== true);
    changed();
  }
}

function openChoices(app: App, {title, input, value, set, help, valueProblem}: SettingItem, changed: () => void): void {
  if (input.kind === 'form') return;
  const choices = settingChoices(input, app.state);
  openPicker(app, {
    id: 'setting choices',
    title,
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
    accept: (from, {key}) => {
      from.closeOverlay();
      const chosen = choices.find(([one]) => String(one) === key);
      if (chosen === undefined) return;
      set(from, chosen[0]);
      changed();
    },
  });
}

function openNumberForm(
  app: App,
  {key, title, help, value, set}: SettingItem,
  {min, max, unit}: {readonly min: number; readonly max: number; readonly unit: string},
  changed: () => void,
): void {
  openForm<{value: number | null}>(app, {
    id: `setting ${key}`,
    title,
    initial: () => ({value: typeof value === 'number' ? value : null}),
    fields: () => [formField('number', 'value', title, {min, max, unit, help})],
    save: async (from, {value: next}) => {
      if (typeof next === 'number') set(from, next);
      changed();
      return undefined;
    },
  });
}

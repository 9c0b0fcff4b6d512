import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {Picker, PickerRow} from '#app/core/overlay.ts';
import type {AppSettings} from '#app/core/settings.ts';
import {openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {accountRows, localRows, type SettingRow} from './setting-rows.ts';

const allRows = [...localRows, ...accountRows];

/** Opens a picker of frequently changed settings. */
export function openSettingsPicker(app: App): void {
  openPicker(app, {
    id: 'settings',
    title: 'Settings',
    placeholder: 'find a setting',
    hint: 'Enter changes · Esc closes',
    rowsShown: 18,
    rows: rowsOf(app.settings),
    accept: (from, {key}) => {
      const row = allRows.find((one) => one.key === key);
      if (row === undefined) return;
      row.set(from, (row.currentChoice(from.frame, from.settings) + 1) % row.choices.length);
      refreshPicker(from, 'settings', {rows: rowsOf(from.settings)});
    },
  });
}

function rowsOf(settings: AppSettings): Picker['rows'] {
  return (frame, query) => settingsRows(frame, settings, query);
}

function settingsRows(frame: Frame, settings: AppSettings, query: string): readonly PickerRow[] {
  const written = query.trim();
  const found = (rows: readonly SettingRow[]) => rows.flatMap((row) => foundRow(row, frame, settings, written));
  const section = (key: string, label: string, detail: string, rows: readonly PickerRow[]): readonly PickerRow[] =>
    rows.length === 0 ? [] : [{key, label, detail, isTitle: true}, ...rows];
  return [
    ...section('title local', 'Parley', 'saved in config.toml', found(localRows)),
    ...section('title account', 'Account', 'shared by all clients', found(accountRows)),
  ];
}

function foundRow(row: SettingRow, frame: Frame, settings: AppSettings, query: string): readonly PickerRow[] {
  const match = query === '' ? undefined : fuzzyMatch(query, row.title);
  if (query !== '' && (match === undefined || match.score < matchScores.inside)) return [];
  const value = row.choices[row.currentChoice(frame, settings)]?.label ?? 'other';
  return [{key: row.key, label: row.title, right: value, rightRole: 'text', matched: match?.ranges}];
}

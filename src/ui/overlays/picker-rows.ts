import type {AppReader} from '#ui/core/app-reader.ts';
import {type Frame, memoByFrame} from '#ui/core/frame.ts';
import type {Picker, PickerRow, PickerState} from '#ui/core/overlay.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {overlayLayout, scrollTopFor} from './overlay-box.ts';

export function openedPicker({screen}: Pick<AppReader, 'screen'>): PickerState | undefined {
  const top = screen.overlays.at(-1);
  return top?.kind === 'picker' ? top : undefined;
}

/** Returns the text in place of the rows of a picker that has none. */
export function emptyPickerText(frame: Frame, {empty = 'No matches'}: Picker): string {
  return typeof empty === 'string' ? empty : empty(frame);
}

/** Returns the picker's rows; moving the cursor computes nothing. */
export function pickerRows(frame: Frame, {picker, field}: PickerState): readonly PickerRow[] {
  return rowsFor(frame, picker, field.text, field.cursor);
}

const rowsFor = memoByFrame(
  ({account, fetches, display, minute, organizations, screen}, picker: Picker, query: string, cursor: number) => [
    picker,
    query,
    cursor,
    account,
    fetches,
    display,
    minute,
    organizations,
    ...rowScreen(screen),
  ],
  (frame, picker, query, cursor) => picker.rows(frame, query, cursor),
);

/** Returns the parts of the screen that rows may depend on: all but those that change while a picker is used. */
function rowScreen({overlays, toast, prefix, isPrefixShown, ...screen}: ScreenState): readonly unknown[] {
  return Object.values(screen);
}

/** Returns the row with the cursor; titles are skipped. */
export function chosenRow(rows: readonly PickerRow[], cursor: number): PickerRow | undefined {
  return rows[choosableIndex(rows, cursor)];
}

/** Whether there is a row with the cursor that can be chosen. */
export function canChoose(rows: readonly PickerRow[], cursor: number): boolean {
  const row = chosenRow(rows, cursor);
  return row !== undefined && row.disabled === undefined;
}

/** Returns the index of the row with the cursor; -1 when no row can be chosen. */
export function choosableIndex(rows: readonly PickerRow[], cursor: number): number {
  const at = Math.max(0, Math.min(cursor, rows.length - 1));
  if (rows[at] !== undefined && rows[at].isTitle !== true) return at;
  const after = rows.findIndex((row, index) => index > at && row.isTitle !== true);
  return after >= 0 ? after : rows.findIndex((row) => row.isTitle !== true);
}

export function startOf(frame: Frame, {picker, field}: PickerState, rows: readonly PickerRow[]): number {
  return picker.startAt?.(frame, field.text, rows) ?? 0;
}

export function withCursor(frame: Frame, open: PickerState, rows: readonly PickerRow[], cursor: number): PickerState {
  const at = Math.max(0, choosableIndex(rows, cursor));
  const {shownRows} = overlayLayout(frame, open, rows.length);
  // The titles above the first row stay visible with it.
  const isFirst = rows.slice(0, at).every((row) => row.isTitle === true);
  return {...open, cursor: at, top: isFirst ? 0 : scrollTopFor(open.top, at, rows.length, shownRows)};
}

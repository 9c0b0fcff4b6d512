import type {App} from '#app/core/app.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import {type Key, keyName} from '#terminal/input/key.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import type {Acceptance, KeyEffects, OverlayState, Picker, PickerRow, PickerState} from '#ui/core/overlay.ts';
import {retryEffect, retryKey} from '#ui/lists/list-source.ts';
import {overlayLayout} from '#ui/overlays/overlay-box.ts';
import {choosableIndex, chosenRow, openedPicker, pickerRows, startOf, withCursor} from '#ui/overlays/picker-rows.ts';
import {emptyLine, type TextField} from '#ui/text/text-field.ts';

export function openPicker<R extends PickerRow>(app: App, picker: Picker<R>, field: TextField = emptyLine): void {
  const opened: PickerState = {kind: 'picker', picker, field, cursor: 0, top: 0, openedRows: 0};
  const rows = pickerRows(app.frame, opened);
  const started = withCursor(app.frame, opened, rows, startOf(app.frame, opened, rows));
  app.openOverlay({...started, openedRows: rows.length});
  if (field.text !== '') picker.onQuery?.(app, field.text);
}

/** Recomputes the rows after a change, with `now` merged into the picker. The cursor stays on its row. */
export function refreshPicker(app: App, id: string, now: Partial<Picker> = {}): void {
  const open = openedPicker(app);
  if (open?.picker.id === id) replacePicker(app, id, {...open.picker, ...now});
}

/** Replaces an open picker, wherever it is in the stack; does nothing when it was closed meanwhile. The cursor stays on its row. */
function replacePicker(app: App, id: string, picker: Picker): void {
  app.update((screen) => {
    const at = screen.overlays.findLastIndex((open) => open.kind === 'picker' && open.picker.id === id);
    const open = screen.overlays[at];
    if (open?.kind !== 'picker') return screen;
    const key = chosenRow(pickerRows(app.frame, open), open.cursor)?.key;
    return {...screen, overlays: screen.overlays.with(at, withCursorOn(app.frame, {...open, picker}, key))};
  });
}

/** Returns a picker whose rows changed with the cursor on the row of a key, and no smaller than its rows. */
function withCursorOn(frame: Frame, open: PickerState, key: string | undefined): PickerState {
  const rows = pickerRows(frame, open);
  const row = rows.findIndex((one) => one.key === key);
  const next = withCursor(frame, open, rows, row < 0 ? open.cursor : row);
  return {...next, openedRows: open.field.text === '' ? Math.max(open.openedRows, rows.length) : open.openedRows};
}

/** Keeps the cursor of open pickers on their rows when what they read was fetched. `before` is the frame before that. */
export function keepPickerRows(app: App, before: Frame): void {
  const reads = (open: OverlayState) => open.kind === 'picker' && open.picker.reads !== undefined;
  if (!app.screen.overlays.some(reads)) return;
  app.update((screen) => ({
    ...screen,
    overlays: screen.overlays.map((open) => {
      if (open.kind !== 'picker' || open.picker.reads === undefined) return open;
      return withCursorOn(app.frame, open, chosenRow(pickerRows(before, open), open.cursor)?.key);
    }),
  }));
}

/** Moves the cursor, wrapping around at the ends. */
export function movePicker(app: App, step: 1 | -1): void {
  const open = openedPicker(app);
  if (open === undefined) return;
  const rows = pickerRows(app.frame, open);
  let cursor = choosableIndex(rows, open.cursor);
  if (cursor < 0) return;
  do cursor = (cursor + step + rows.length) % rows.length;
  while (rows[cursor]?.isTitle === true);
  changeCursor(app, open, rows, cursor);
}

/** Puts the cursor of an open picker on a row. */
function changeCursor(app: App, open: PickerState, rows: readonly PickerRow[], cursor: number): void {
  const changed = withCursor(app.frame, open, rows, cursor);
  app.changeOverlay(changed);
  const row = chosenRow(rows, changed.cursor);
  if (row !== undefined) open.picker.onRow?.(app, row);
}

/** Moves the cursor by several rows, stopping at the ends: for pages and the wheel. */
export function movePickerBy(app: App, by: number): void {
  const open = openedPicker(app);
  if (open === undefined) return;
  const rows = pickerRows(app.frame, open);
  const choices = rows.flatMap((row, at) => (row.isTitle === true ? [] : [at]));
  const nth = choices.indexOf(choosableIndex(rows, open.cursor));
  const cursor = choices[Math.max(0, Math.min(choices.length - 1, nth + by))];
  if (cursor !== undefined) changeCursor(app, open, rows, cursor);
}

export function pageInPicker(app: App, step: 1 | -1): void {
  const open = openedPicker(app);
  if (open === undefined) return;
  const {shownRows} = overlayLayout(app.frame, open, pickerRows(app.frame, open).length);
  movePickerBy(app, step * Math.max(1, shownRows - 1));
}

export function changePickerField(app: App, change: (field: TextField) => TextField): void {
  const open = openedPicker(app);
  if (open === undefined || open.picker.isMenu === true) return;
  const field = change(open.field);
  if (field === open.field) return;
  const changed = {...open, field};
  if (field.text === open.field.text) {
    app.changeOverlay(changed);
    return;
  }
  const rows = pickerRows(app.frame, changed);
  changeCursor(app, {...changed, top: 0}, rows, startOf(app.frame, changed, rows));
  open.picker.onQuery?.(app, field.text);
}

export function acceptPickerRow(app: App, how: Acceptance): void {
  const open = openedPicker(app);
  if (open === undefined) return;
  const row = chosenRow(pickerRows(app.frame, open), open.cursor);
  if (row === undefined) return;
  if (app.warn(row.disabled)) return;
  open.picker.accept(app, row, how);
}

/** Handles a click on a row: moves the cursor there and accepts it. */
export function clickPickerRow(app: App, at: number): void {
  const open = openedPicker(app);
  if (open === undefined) return;
  const rows = pickerRows(app.frame, open);
  if (rows[at] === undefined || rows[at].isTitle === true) return;
  app.changeOverlay(withCursor(app.frame, open, rows, at));
  acceptPickerRow(app, 'enter');
}

/**
 * In a menu, a key chooses the row that shows it at the right; j and k move when no row has them. Enter chooses the row
 * with the cursor, also where a row shows Enter as the key of its command.
 */
export function pressMenuKey(app: App, key: Key): boolean {
  const open = openedPicker(app);
  const name = keyName(key);
  if (open?.picker.isMenu !== true || name === 'Enter') return false;
  const at = pickerRows(app.frame, open).findIndex((row) => row.right === name && row.isTitle !== true);
  if (at >= 0) clickPickerRow(app, at);
  else if (name === 'j' || name === 'k') movePicker(app, name === 'j' ? 1 : -1);
  else return false;
  return true;
}

interface ConfirmOptions {
  readonly title: string;
  readonly isGeneral?: true;
  /** The label of the confirming row. */
  readonly yes: string;
  readonly detail?: string;
  readonly onYes: (app: App) => void;
}

/** Asks before an action that cannot be undone. The cursor starts on Cancel. */
export function confirm(app: App, {yes, detail, onYes, ...texts}: ConfirmOptions): void {
  openPicker(
    app,
    confirmPicker({id: 'confirm', ...texts}, () => ({label: yes, detail}), onYes),
  );
}

function confirmPicker(
  texts: Pick<Picker, 'id' | 'title' | 'isGeneral' | 'reads' | 'hintForRow'>,
  yesRow: (frame: Frame) => Pick<PickerRow, 'label' | 'detail' | 'disabled'>,
  onYes: (app: App) => void,
): Picker {
  return {
    ...texts,
    isMenu: true,
    rows: (frame) => [
      {key: 'no', label: 'Cancel', right: 'n'},
      {key: 'yes', right: 'y', ...yesRow(frame)},
    ],
    accept: (from, {key}) => {
      from.closeOverlay();
      if (key === 'yes') onYes(from);
    },
  };
}

/** A question whose answer depends on something that the server must be asked first, such as a number of messages. */
interface FetchedConfirmOptions<T> {
  readonly title: string;
  /** Shown until the server has answered: `Counting messages…`. */
  readonly progressText: string;
  readonly request: FetchRequest<T>;
  /** Returns the confirming row and what it does, or why there is nothing to confirm. */
  readonly question: (data: T) => Omit<ConfirmOptions, 'title'> | string;
}

/**
 * Asks before an action. It opens at once, so that a key that is pressed meanwhile cannot confirm by accident. What was fetched
 * for the same question before is shown, and can be confirmed when it was fetched again.
 */
export function confirmFetched<T>(app: App, {title, progressText, request, question}: FetchedConfirmOptions<T>): void {
  if (app.warn(changeProblem(app))) return;
  const questionIn = (frame: Frame) => {
    const {data, error, isFetching} = fetched(frame, request);
    if (error !== undefined) return {yes: error, disabled: error, onYes: () => {}};
    const asked = data === undefined ? progressText : question(data);
    if (typeof asked === 'string') return {yes: asked, disabled: asked, onYes: () => {}};
    return {...asked, disabled: isFetching ? progressText : undefined};
  };
  const hintForRow = (frame: Frame): KeyEffects => {
    const retry = fetched(frame, request).error === undefined ? undefined : retryKey(frame);
    return retry === undefined ? {} : {[retry]: retryEffect};
  };
  const yesRow = (frame: Frame) => {
    const {yes, detail, disabled} = questionIn(frame);
    return {label: yes, detail, disabled};
  };
  const onYes = (from: App) => questionIn(from.frame).onYes(from);
  openPicker(app, confirmPicker({id: 'confirm fetched', title, reads: [request], hintForRow}, yesRow, onYes));
}

import {memoizeLast} from '#std/memo.ts';
import type {FormState} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {KeyEffects} from '#ui/core/overlay.ts';
import type {CursorPosition, SelectedRows} from '#ui/layout/layout.ts';
import type {TextBox} from '#ui/overlays/overlay-box.ts';
import {overlayLayout} from '#ui/overlays/overlay-layout.ts';
import {type FormLine, formLines, statusLines, valueWidth} from './form-lines.ts';
import {focusedRow, formView, openedForm} from './form-view.ts';

export const laidOutForm = memoizeLast(computeLayout);

/** One column stays free at each side of the text. */
const indent = 1;

/**
 * `top`: the index of the first visible line. `bodyRows`: the number of lines visible at once. `valueColumns`: the width of
 * the values. `status`: the lines below the fields, always visible: what will be saved, or why it was not.
 */
function computeLayout(frame: Frame, open: FormState) {
  const view = formView(frame, open.form);
  const width = Math.max(1, overlayLayout(frame, open, 1).columns - 2 * indent);
  const lines = formLines(view, open, width, frame.display);
  const status = statusLines(view, open, width, frame.display);
  const layout = overlayLayout(frame, open, lines.length + status.length);
  const bodyRows = Math.max(1, layout.bodyRows - status.length);
  const key = focusedRow(view, open)?.key;
  const first = lines.findIndex((line) => line.rowKey === key);
  const last = lines.findLastIndex((line) => line.rowKey === key);
  const top = topFor(open.top, {first, last}, lines, bodyRows);
  return {layout, lines, status, bodyRows, valueColumns: valueWidth(view, width), top};
}

/**
 * Returns the first visible line: the whole row with the focus is visible, or as much of it as fits around its text cursor.
 * Titles above the first row stay visible with it.
 */
function topFor(
  top: number,
  {first, last}: {readonly first: number; readonly last: number},
  lines: readonly FormLine[],
  bodyRows: number,
): number {
  const cursor = lines.findIndex((line) => line.cursorColumn !== undefined);
  const isFirst = lines.slice(0, Math.max(0, first)).every(({rowKey}) => rowKey === undefined);
  const needed = cursor < 0 ? first : cursor;
  let next = Math.min(top, isFirst ? 0 : first);
  if (last >= next + bodyRows) next = Math.min(last - bodyRows + 1, Math.max(first, needed - bodyRows + 1));
  if (needed >= next + bodyRows) next = needed - bodyRows + 1;
  return Math.max(0, Math.min(next, lines.length - bodyRows));
}

/** Selects the open form: the lines that are scrolled into view. */
export function formContent(frame: Frame): TextBox | undefined {
  const open = openedForm(frame);
  if (open === undefined) return undefined;
  const {layout, lines, top, bodyRows, status} = laidOutForm(frame, open);
  const end = Math.min(lines.length, top + bodyRows);
  return {
    layout,
    title: open.form.title,
    position: lines.length > bodyRows ? `${end}/${lines.length}` : '',
    hint: layout.hasSides ? undefined : statusHint(frame),
    lines: lines.slice(top, end).map(({line}) => line),
    status,
  };
}

/** Returns the hints of the status line, for where the form covers it. */
function statusHint(frame: Frame): KeyEffects | undefined {
  const hints = frame.info.keys?.hints(frame);
  return hints && Object.fromEntries(hints.map(({key, label}) => [key, label]));
}

export function formCursor(frame: Frame): CursorPosition | undefined {
  const open = openedForm(frame);
  if (open === undefined) return undefined;
  const {layout, lines, top, bodyRows} = laidOutForm(frame, open);
  const at = lines.findIndex(({cursorColumn}) => cursorColumn !== undefined);
  const column = lines[at]?.cursorColumn;
  if (column === undefined || at < top || at >= top + bodyRows) return undefined;
  const {rect, hasSides, bodyRow} = layout;
  return {x: rect.x + (hasSides ? 1 : 0) + indent + column, y: rect.y + bodyRow + at - top};
}

/** Returns the visible lines of the focused row: its name and value, and below them its help. */
export function selectedFormRows(frame: Frame): SelectedRows | undefined {
  const open = openedForm(frame);
  if (open === undefined) return undefined;
  const {layout, lines, top, bodyRows} = laidOutForm(frame, open);
  const key = focusedRow(formView(frame, open.form), open)?.key;
  const first = Math.max(
    top,
    lines.findIndex(({rowKey}) => rowKey === key && key !== undefined),
  );
  const last = Math.min(
    top + bodyRows - 1,
    lines.findLastIndex(({rowKey}) => rowKey === key),
  );
  const {rect, hasSides, bodyRow} = layout;
  const x = rect.x + (hasSides ? 1 : 0) + indent;
  return {x, y: rect.y + bodyRow + first - top, rows: Math.max(1, last - first + 1), key: `form ${key}`};
}

/** Returns the key of the row painted at this line of the screen. */
export function formRowAt(frame: Frame, open: FormState, y: number): string | undefined {
  const {layout, lines, top, bodyRows} = laidOutForm(frame, open);
  const row = y - layout.rect.y - layout.bodyRow;
  return row >= 0 && row < bodyRows ? lines[top + row]?.rowKey : undefined;
}

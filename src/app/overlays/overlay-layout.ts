import type {Frame} from '#app/core/frame.ts';
import type {OverlayState} from '#app/core/overlay.ts';
import {type Rect, sizeClass} from '#app/layout/layout.ts';

/** The parts of an overlay, within its rectangle. */
export interface OverlayLayout {
  readonly rect: Rect;
  /** Small screens have no columns to spare for borders at the sides. */
  readonly hasSides: boolean;
  /** Of what is between the sides. */
  readonly columns: number;
  /** Where the text is typed, with a rule below it; undefined without. */
  readonly fieldRow: number | undefined;
  readonly bodyRow: number;
  readonly bodyRows: number;
}

const usualColumns = 72;
const usualRows = 12;
const mostCardRows = 30;
/** A box in the middle leaves so much of the screen around it. */
const margin = 4;

/** As large as what is in it asks for and the screen allows; the whole of a small screen. */
export function overlayLayout({screen}: Frame, top: OverlayState, contentRows: number): OverlayLayout {
  const {size} = screen;
  const kind = sizeClass(size);
  const hasField = top.kind === 'picker' && top.picker.isMenu !== true;
  const around = hasField ? 4 : 2;
  if (kind === 's' || kind === 'tooSmall') {
    return placed({x: 0, y: 0, ...size}, hasField, false);
  }
  const isBoxed = kind !== 'm';
  const wanted = (top.kind === 'picker' ? top.picker.columns : top.card.columns) ?? usualColumns;
  const columns = isBoxed ? Math.min(wanted, size.columns - 2 * margin) : size.columns;
  const y = size.rows < 20 ? Math.min(1, size.rows - 4) : 3;
  const room = Math.max(1, size.rows - y - around - (size.rows < 20 ? 0 : 1));
  const rows = Math.min(room, Math.max(1, wantedRows(top, contentRows))) + around;
  return placed({x: Math.floor((size.columns - columns) / 2), y, columns, rows}, hasField, true);
}

function wantedRows(top: OverlayState, contentRows: number): number {
  if (top.kind === 'card') return Math.min(mostCardRows, contentRows);
  const {picker, openedRows} = top;
  if (picker.isMenu === true) return contentRows;
  return picker.rowsShown ?? Math.min(usualRows, Math.max(openedRows, contentRows));
}

function placed(rect: Rect, hasField: boolean, hasSides: boolean): OverlayLayout {
  const bodyRow = hasField ? 3 : 1;
  return {
    rect,
    hasSides,
    columns: Math.max(1, rect.columns - (hasSides ? 2 : 0)),
    fieldRow: hasField ? 1 : undefined,
    bodyRow,
    bodyRows: Math.max(1, rect.rows - bodyRow - 1),
  };
}

/** The first row shown so that the cursor is in sight, moved no further than needed. */
export function scrollTopFor(top: number, cursor: number, count: number, shown: number): number {
  const last = Math.max(0, count - shown);
  const inSight = cursor < top ? cursor : cursor >= top + shown ? cursor - shown + 1 : top;
  return Math.max(0, Math.min(last, inSight));
}

import type {Frame} from '#ui/core/frame.ts';
import type {OverlayState} from '#ui/core/overlay.ts';
import {type Rect, sizeClass} from '#ui/layout/layout.ts';

/** The parts of an overlay, relative to its rectangle. */
export interface OverlayLayout {
  readonly rect: Rect;
  /** Whether there are borders at the sides; small screens have none. */
  readonly hasSides: boolean;
  /** The width between the sides. */
  readonly columns: number;
  /** The row of the text field, with a rule below; undefined without a field. */
  readonly fieldRow: number | undefined;
  readonly bodyRow: number;
  readonly bodyRows: number;
  /** The number of columns in which rows stand side by side, and of the rows in all of them. */
  readonly across: number;
  readonly shownRows: number;
  /** The number of lines below the body that explain the row with the cursor; with one more, the first is a rule. */
  readonly helpRows: number;
  /** Whether nothing else is visible. */
  readonly isFullScreen: boolean;
}

const defaultColumns = 72;
/** A picker that opened with few rows grows to this many while the user types. */
const maxGrownRows = 12;
/** The share of the room that a picker takes whose rows come and go while the user types. */
const changingShare = 0.6;
/** The columns that a box leaves free at each side. */
const margin = 4;
/** The least and the greatest width of a picker with two columns of rows. */
const [minTwoColumns, maxTwoColumns] = [128, 168];

/** Lays out an overlay as large as its content needs and the screen allows; on a small screen it fills the screen. */
export function overlayLayout({screen}: Frame, top: OverlayState, contentRows: number): OverlayLayout {
  const {size} = screen;
  const kind = sizeClass(size);
  const hasField = top.kind === 'picker' && top.picker.isMenu !== true;
  const helpRows = helpRowsOf(top, size.rows);
  const around = (hasField ? 4 : 2) + helpRows;
  if (kind === 's' || kind === 'tooSmall' || (top.kind === 'card' && top.card.isFullScreen)) {
    return layoutIn({x: 0, y: 0, ...size}, hasField, false, helpRows, 1);
  }
  const isBoxed = kind !== 'm';
  const isWide = top.kind === 'picker' && top.picker.isTwoColumns && size.columns - 2 * margin >= minTwoColumns;
  const wantedColumns = isWide ? maxTwoColumns : (columnsOf(top) ?? defaultColumns);
  const columns = isBoxed ? Math.min(wantedColumns, size.columns - 2 * margin) : size.columns;
  const y = size.rows < 20 ? Math.min(1, size.rows - 4) : 3;
  const room = Math.max(1, size.rows - y - around - (size.rows < 20 ? 0 : 1));
  const rows = Math.min(room, Math.max(1, wantedRows(top, contentRows, room))) + around;
  return layoutIn(
    {x: Math.floor((size.columns - columns) / 2), y, columns, rows},
    hasField,
    true,
    helpRows,
    isWide ? 2 : 1,
  );
}

/** A low screen has no rule above the help, a lower one only one line, and a very low one none. */
function helpRowsOf(top: OverlayState, screenRows: number): number {
  const lines = top.kind === 'picker' ? (top.picker.helpLines ?? 0) : 0;
  if (lines === 0 || screenRows < 10) return 0;
  if (screenRows < 14) return 1;
  return screenRows < 20 ? lines : lines + 1;
}

function columnsOf(top: OverlayState): number | undefined {
  if (top.kind === 'picker') return top.picker.columns;
  return top.kind === 'card' ? top.card.columns : top.form.columns;
}

/** Returns the height: of all content where it does not change; otherwise one that stays the same while the user types. */
function wantedRows(top: OverlayState, contentRows: number, room: number): number {
  if (top.kind !== 'picker' || top.picker.isMenu === true) return contentRows;
  const {picker, openedRows} = top;
  if (picker.rowsShown === undefined) return Math.max(openedRows, Math.min(maxGrownRows, contentRows));
  return Math.max(openedRows, picker.rowsShown, Math.floor(room * changingShare));
}

function layoutIn(rect: Rect, hasField: boolean, hasSides: boolean, helpRows: number, across: number): OverlayLayout {
  const bodyRow = hasField ? 3 : 1;
  const bodyRows = Math.max(1, rect.rows - bodyRow - 1 - helpRows);
  return {
    rect,
    hasSides,
    columns: Math.max(1, rect.columns - (hasSides ? 2 : 0)),
    fieldRow: hasField ? 1 : undefined,
    bodyRow,
    bodyRows,
    across,
    shownRows: bodyRows * across,
    helpRows,
    isFullScreen: !hasSides,
  };
}

/** Returns the first visible row so that the cursor is visible, scrolled no further than needed. */
export function scrollTopFor(top: number, cursor: number, count: number, visibleCount: number): number {
  const last = Math.max(0, count - visibleCount);
  const scrolled = cursor < top ? cursor : cursor >= top + visibleCount ? cursor - visibleCount + 1 : top;
  return Math.max(0, Math.min(last, scrolled));
}

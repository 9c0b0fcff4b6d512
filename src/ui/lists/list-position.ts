import {textColumns} from '#content/styled-text/text-width.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame, PaneLine} from '#ui/core/frame.ts';
import type {Layout, Rect, SelectedRows} from '#ui/layout/layout.ts';
import {blankLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';
import {filterLine, hasFilterLine} from './filter-line.ts';
import {isFocusedList, type ListNote, type ListRow, type ListSource, listBodyRect} from './list-source.ts';
import {barIndex, cursorIndex, visibleRowsOf} from './visible-rows.ts';

/** Columns of the cursor bar and the selection mark. */
const leadColumns = 2;

/** Returns the lines above a list's rows: its filter and its head. */
export function headLines(frame: Frame, list: ListSource, columns: number): readonly PaneLine[] {
  const filter = hasFilterLine(frame.screen.lists[list.id]) ? [filterLine(frame, list, columns)] : [];
  return [...filter, ...(list.headLines?.(frame, columns) ?? [])];
}

/** Returns the number of rows that fit on the screen; undefined when the list is not shown. */
export function bodyRows(frame: Frame, list: ListSource, layout: Layout): number | undefined {
  const rect = listBodyRect(frame, list, layout);
  return rect && Math.max(1, listRoom(frame, list, rect));
}

/** Returns the number of rows that have room between head and note. */
export function listRoom(frame: Frame, list: ListSource, rect: Rect): number {
  const note = noteLines(listNote(frame, list), rect);
  return Math.max(0, rect.rows - headLines(frame, list, rect.columns).length - note.length);
}

export function listNote(frame: Frame, list: ListSource): ListNote | undefined {
  const note = list.note?.(frame);
  return note && {...note, text: plainGlyphText(note.text, frame.display)};
}

export function noteLines(note: ListNote | undefined, {columns, rows}: Rect): readonly PaneLine[] {
  return note === undefined ? [] : wrappedLines(note, columns).slice(0, Math.floor(rows / 2));
}

/** Returns a text below a blank line. */
export function wrappedLines(text: ListNote, columns: number): readonly PaneLine[] {
  const margin: UiSpan = {text: '  ', role: 'text'};
  return [blankLine, ...wrapSpans<UiRole>([text], {width: columns - 1, first: [margin], rest: [margin]})];
}

/** Rows between the cursor and the edges, where there is room. */
const cursorMargin = 2;

/** Returns the first row to show: scrolled no further than the cursor needs, without blank rows below the last one. */
export function windowTop(top: number, cursor: number, room: number, count: number, margin = cursorMargin): number {
  const maxTop = Math.max(0, count - room);
  if (cursor < 0) return Math.min(top, maxTop);
  const edgeDistance = Math.min(margin, Math.max(0, Math.floor((room - 1) / 2)));
  const highest = Math.min(cursor - edgeDistance, maxTop);
  const lowest = cursor + edgeDistance - room + 1;
  return Math.max(0, Math.min(maxTop, Math.max(lowest, Math.min(top, highest))));
}

/** Returns the first shown row of a list. A focused list never hides its cursor. */
export function listTop(frame: Frame, list: ListSource, room: number): number {
  const {top, pinnedKey} = frame.screen.lists[list.id];
  const {rows} = visibleRowsOf(frame, list);
  const bar = barIndex(frame, list);
  const isInSight = bar >= top && bar < top + room;
  const isPinned = pinnedKey !== undefined && rows[bar]?.key === pinnedKey;
  const isUnconstrained = isPinned && (isInSight || !isFocusedList(list, frame.screen));
  // A row that scrolls into view is spoken, so that it must be the row with the cursor.
  const margin = frame.display.glyphs === 'words' ? 0 : cursorMargin;
  return windowTop(top, isUnconstrained ? -1 : bar, room, rows.length, margin);
}

/** Returns the first and last row that can have the cursor when `top` is the first shown row. */
export function cursorRange(top: number, room: number, count: number): readonly [first: number, last: number] {
  const edgeDistance = Math.min(cursorMargin, Math.max(0, Math.floor((room - 1) / 2)));
  const last = top + room - 1;
  return [top === 0 ? 0 : top + edgeDistance, last >= count - 1 ? count - 1 : last - edgeDistance];
}

/** Returns the row painted at a screen position; undefined in the head, below the last row and outside the list. */
export function listRowAt(
  frame: Frame,
  list: ListSource,
  {x, y}: {readonly x: number; readonly y: number},
  layout: Layout,
): ListRow | undefined {
  const rect = listBodyRect(frame, list, layout);
  if (rect === undefined || x < rect.x || x >= rect.x + rect.columns || y >= rect.y + rect.rows) {
    return undefined;
  }
  const head = headLines(frame, list, rect.columns).length;
  const line = y - rect.y - head;
  const room = listRoom(frame, list, rect);
  return line < 0 || line >= room ? undefined : visibleRowsOf(frame, list).rows[line + listTop(frame, list, room)];
}

/** Returns the row with the cursor, or the text in place of rows; undefined when the list is not shown. */
export function selectedListRow(frame: Frame, list: ListSource, layout: Layout): SelectedRows | undefined {
  const rect = listBodyRect(frame, list, layout);
  if (rect === undefined) return undefined;
  const head = headLines(frame, list, rect.columns).length;
  const at = cursorIndex(frame, list) - listTop(frame, list, listRoom(frame, list, rect));
  // The text in place of rows is below a blank line.
  const line = visibleRowsOf(frame, list).rows.length === 0 ? 1 : Math.max(0, at);
  const key = `${list.id} ${visibleRowsOf(frame, list).rows[cursorIndex(frame, list)]?.key}`;
  return {x: rect.x + leadColumns, y: rect.y + Math.min(head + line, rect.rows - 1), rows: 1, key};
}

/** Returns the number of the tab at a cell of the head of a list, from 1. */
export function tabInHead(
  frame: Frame,
  list: ListSource,
  pane: Rect,
  {x, y}: {readonly x: number; readonly y: number},
): number | undefined {
  if (list.hasTabs !== true) return undefined;
  const line = headLines(frame, list, pane.columns)[y - pane.y];
  return line === undefined ? undefined : tabAt(line, x - pane.x);
}

/** Returns the number of the tab at a column, from 1; the digit before a tab's name belongs to it. */
export function tabAt({spans}: UiLine, column: number): number | undefined {
  let [end, nth] = [0, 0];
  for (const [at, {text, role}] of spans.entries()) {
    end += textColumns(text);
    const isTab = role === 'tab' || role === 'tab_active';
    if (isTab) nth += 1;
    if (column >= end) continue;
    const next = spans[at + 1]?.role;
    const isNumber = text.trim() !== '' && (next === 'tab' || next === 'tab_active');
    return isTab ? nth : isNumber ? nth + 1 : undefined;
  }
  return undefined;
}

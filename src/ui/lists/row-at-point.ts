import {textColumns} from '#content/styled-text/text-width.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import type {UiLine} from '#ui/layout/ui-line.ts';
import {listBodyRect} from './list-body-rect.ts';
import {headLines, listRoom, listTop} from './list-lines.ts';
import type {ListRow} from './list-row.ts';
import {visibleRowsOf} from './visible-rows.ts';

/** Returns the row painted at a screen position; undefined in the head, below the last row and outside the list. */
export function listRowAt(
  frame: Frame,
  id: ListId,
  {x, y}: {readonly x: number; readonly y: number},
): ListRow | undefined {
  const rect = listBodyRect(frame, id);
  if (rect === undefined || x < rect.x || x >= rect.x + rect.columns || y >= rect.y + rect.rows) {
    return undefined;
  }
  const head = headLines(frame, id, rect.columns).length;
  const line = y - rect.y - head;
  const room = listRoom(frame, id, rect);
  return line < 0 || line >= room ? undefined : visibleRowsOf(frame, id).rows[line + listTop(frame, id, room)];
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

import {rowThatKeyRefersTo} from '#ui/actions/painted-frame.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {changeList} from './list-filter.ts';
import type {ListRow} from './list-row.ts';
import {setListCursor} from './move-in-list.ts';
import type {NavigationRow} from './navigation-row.ts';
import {canHaveCursor, cursorIndex, visibleRowsOf} from './visible-rows.ts';

/**
 * Performs a command on the target rows and moves the cursor to the row that was next before, because the
 * command may reorder rows. A command on selected rows clears the selection and leaves the cursor; a command
 * on the cursor's row alone (`cursor`) leaves the selection.
 */
export function actAndAdvance(app: App, id: ListId, perform: () => void, scope: 'rows' | 'cursor' = 'rows'): void {
  const actsOnSelection = scope === 'rows' && app.screen.lists[id].selected.size > 0;
  const next = actsOnSelection ? undefined : rowAfter(app, id);
  perform();
  if (actsOnSelection) clearSelection(app, id);
  if (next !== undefined) setListCursor(app, id, next.key);
}

export function clearSelection(app: App, id: ListId): void {
  changeList(app, id, (list) => (list.selected.size === 0 ? list : {...list, selected: new Set()}));
}

function rowAfter(app: App, id: ListId): ListRow | undefined {
  const {rows, indexByKey} = visibleRowsOf(app.frame, id);
  const from = indexByKey.get(rowThatKeyRefersTo(app, id)?.key ?? '') ?? cursorIndex(app.frame, id);
  return rows.slice(from + 1).find((row) => canHaveCursor(row, app.screen.lists[id]));
}

/**
 * Returns the next row with unmuted unread messages, wrapping around at the end; undefined when no other row has any.
 */
export function nextUnreadRow(frame: Frame, id: ListId): ListRow | undefined {
  const {rows} = visibleRowsOf(frame, id);
  const from = cursorIndex(frame, id);
  const others = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))];
  return others.find((row) => row.kind === 'item' && row.target?.kind !== 'view' && isUnread(row));
}

function isUnread(row: ListRow & Partial<Pick<NavigationRow, 'count' | 'isMuted' | 'isQuiet'>>): boolean {
  return (row.count ?? 0) > 0 && row.isMuted !== true && row.isQuiet !== true;
}

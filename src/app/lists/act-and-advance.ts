import {rowThatKeyRefersTo} from '#app/actions/painted-frame.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {ListId} from '#app/core/screen-state.ts';
import {changeList} from './list-filter.ts';
import type {ListRow} from './list-row.ts';
import {setListCursor} from './move-in-list.ts';
import type {NavigationRow} from './navigation-row.ts';
import {canHaveCursor, cursorIndex, visibleRowsOf} from './visible-rows.ts';

/**
 * Does something to the rows at hand and goes to the row that was seen to come next: what is done may put rows elsewhere.
 * Rows that were selected are so no more; the cursor stays then. What is about the cursor alone leaves them as they are.
 */
export function actAndAdvance(
  app: App,
  id: ListId,
  act: () => void,
  about: 'rows' | 'cursor' = 'rows',
): void {
  const isMany = about === 'rows' && app.screen.lists[id].selected.size > 0;
  const next = isMany ? undefined : rowAfter(app, id);
  act();
  if (isMany) clearSelection(app, id);
  if (next !== undefined) setListCursor(app, id, next.key);
}

export function clearSelection(app: App, id: ListId): void {
  changeList(app, id, (list) => (list.selected.size === 0 ? list : {...list, selected: new Set()}));
}

function rowAfter(app: App, id: ListId): ListRow | undefined {
  const {rows, indexByKey: places} = visibleRowsOf(app.frame, id);
  const from = places.get(rowThatKeyRefersTo(app, id)?.key ?? '') ?? cursorIndex(app.frame, id);
  return rows.slice(from + 1).find((row) => canHaveCursor(row, app.screen.lists[id]));
}

/** The next row with something unread that asks for attention, and around at the end; undefined when no other has any. */
export function nextUnreadRow(frame: Frame, id: ListId): ListRow | undefined {
  const {rows} = visibleRowsOf(frame, id);
  const from = cursorIndex(frame, id);
  const others = [...rows.slice(from + 1), ...rows.slice(0, Math.max(0, from))];
  return others.find((row) => row.kind === 'item' && row.target?.kind !== 'view' && isUnread(row));
}

function isUnread(row: ListRow & Partial<Pick<NavigationRow, 'count' | 'isMuted' | 'isQuiet'>>): boolean {
  return (row.count ?? 0) > 0 && row.isMuted !== true && row.isQuiet !== true;
}

import type {App} from '#ui/core/app.ts';
import {sameView} from '#ui/core/frame.ts';
import {keyWithin} from '#ui/core/organizations.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {focusedList, type ListRow} from '#ui/lists/list-source.ts';
import type {ListState} from '#ui/lists/list-state.ts';
import {canHaveCursor, changeList, cursorIndex, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {openView} from '#ui/navigation/navigation.ts';

/** The lists that have the rows of all organizations. */
const mergedLists: ReadonlySet<ListId | undefined> = new Set(['inbox', 'recent']);

/**
 * Shows the account of the row under the cursor, with the same list around it: so every key acts in the account of its row.
 * Runs after a key, never after an event of a server: the account changes only by what the user does.
 */
export function followCursor(app: App, show: (index: number) => void): void {
  const id = focusedList(app.screen);
  if (id === undefined || !mergedLists.has(id) || app.screen.overlays.length > 0) return;
  const organizations = app.frame.organizations?.all;
  const at = organizations === undefined ? undefined : indexOfForeignRow(app, id);
  if (organizations === undefined || at === undefined) return;
  const row = visibleRowsOf(app.frame, id).rows[at];
  const organization = organizations.find(({index}) => index === row?.organization);
  const other = organization === undefined ? undefined : app.accounts.appAt?.(organization.index);
  const key = organization === undefined || row === undefined ? undefined : keyWithin(organization.name, row.key);
  if (other === undefined || organization === undefined || key === undefined) return;
  const {toast} = app.screen;
  takeOver(other, app, id, {cursor: key, index: at});
  show(organization.index);
  if (toast !== undefined) other.toast(toast.message ?? toast.text, toast.tone);
}

/** Shows another organization; if a list of all is shown, the same list there. */
export function showOrganization(app: App, index: number): void {
  const other = app.accounts.appAt?.(index);
  const id = focusedList(app.screen);
  if (other === undefined || other === app) return;
  if (id !== undefined && mergedLists.has(id)) takeOver(other, app, id, {index: app.screen.lists[id].index});
  app.accounts.show(index);
}

/** Returns the row of another account under the cursor; the nearest one where this account has no row left. */
function indexOfForeignRow(app: App, id: ListId): number | undefined {
  const {frame} = app;
  const {rows} = visibleRowsOf(frame, id);
  const at = cursorIndex(frame, id);
  const list = app.screen.lists[id];
  const nearestAt = at >= 0 ? at : nearestForeign(rows, list);
  return nearestAt !== undefined && rows[nearestAt]?.organization !== undefined ? nearestAt : undefined;
}

function nearestForeign(rows: readonly ListRow[], list: ListState): number | undefined {
  const candidates = rows.flatMap((row, at) => (canHaveCursor(row, list) ? [at] : []));
  return candidates.find((at) => at >= list.index) ?? candidates.at(-1);
}

/** Makes the screen of an account look as the other one does, with the cursor on its own row. */
function takeOver(to: App, from: App, id: ListId, cursor: Pick<ListState, 'index'> & Partial<ListState>): void {
  const {view, panes, focus, lists} = from.screen;
  const {top, filter, isFiltering, folded, split, topicFilter} = lists[id];
  const shared = {top, filter, isFiltering, folded, split, topicFilter};
  if (!sameView(to.screen.view, view)) openView(to, view);
  to.update((screen) => ({
    ...screen,
    focus,
    panes,
    lists: {...screen.lists, [id]: {...screen.lists[id], ...shared, ...cursor, pinnedKey: undefined}},
    ...(id === 'inbox' && {inbox: {...screen.inbox, isVisited: true, isOrderFrozen: true}}),
  }));
  // The other one has the cursor on its own rows when it is shown again.
  changeList(from, id, (list) => ({...list, cursor: undefined, isFiltering: false}));
}

import type {App} from '#app/core/app.ts';
import {type Click, isIn, type PartInput, type TextInput} from '#app/core/part-input.ts';
import {keyOf} from '#terminal/input/key.ts';
import {listRowAt} from '#ui/lists/list-position.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import {cursorRow, listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {insert} from '#ui/text/text-field.ts';
import {changeFilter, clearFilter, closeFilterInput} from './change-list.ts';
import {pointCursorAtRow, scrollList, setFolded, setListCursor} from './move-in-list.ts';

/** The filter of whichever list is being filtered. */
export const filterText: TextInput = {
  kind: 'filter',
  isTyped: ({screen}) => listBeingFiltered(screen) !== undefined,
  insert: (app, text) => changeFilter(app, (field) => insert(field, text)),
  edit: changeFilter,
};

/** A list beside the main pane: a click opens its row at once, or folds its group. */
export function sideListInput(focus: NonNullable<ListSource['pane']>, list: ListSource): PartInput {
  return {
    focus,
    isAt: (frame, cell) => isIn(screenLayout(frame)[focus], cell),
    click: (app, {cell, painted, run}) => {
      const row = listRowAt(painted, list, cell, screenLayout(painted));
      if (listBeingFiltered(app.screen) !== list.id) closeFilterInput(app);
      else if (row?.kind === 'item') clearFilter(app, list.id);
      app.set({focus});
      if (row?.kind === 'title') toggleGroup(app, list, row);
      if (row?.kind !== 'item') return;
      setListCursor(app, list, row.key);
      if (cursorRow(app.frame, list)?.key === row.key) run('open');
    },
    wheel: (app, step) => scrollList(app, list, step),
    texts: [filterText],
  };
}

/** Moves the cursor of the main pane's list to the clicked row; opens the row if the cursor was there already. */
export function clickMainList(
  app: App,
  list: ListSource,
  {cell, painted, hadFocus, run}: Click,
  tab: number | undefined,
): void {
  const row = listRowAt(painted, list, cell, screenLayout(painted));
  const isCurrent = row !== undefined && cursorRow(app.frame, list)?.key === row.key;
  if (row?.kind === 'item') pointCursorAtRow(app, list, row.key);
  closeFilterInput(app);
  app.set({focus: 'main'});
  if (tab !== undefined) run('split', keyOf(String(tab)));
  else if (row?.kind === 'title') toggleGroup(app, list, row);
  else if (isCurrent && hadFocus) run('open');
}

function toggleGroup(app: App, list: ListSource, title: ListRow): void {
  if (title.group !== undefined) setFolded(app, list, title, !app.screen.lists[list.id].folded.has(title.group));
}

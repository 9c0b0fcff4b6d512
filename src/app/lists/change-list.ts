import type {App} from '#app/core/app.ts';
import type {ListId, ListState} from '#ui/lists/list-state.ts';
import {listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {emptyLine, type TextField} from '#ui/text/text-field.ts';

/** Changes the state of a list. */
export function changeList(app: App, id: ListId, change: (list: ListState) => ListState): void {
  app.update((screen) => {
    const list = change(screen.lists[id]);
    return list === screen.lists[id] ? screen : {...screen, lists: {...screen.lists, [id]: list}};
  });
}

export function startFilter(app: App, id: ListId): void {
  changeList(app, id, (list) => ({...list, isFiltering: true}));
}

/** Edits the filter; the cursor moves to the best match. */
export function changeFilter(app: App, change: (field: TextField) => TextField): void {
  const id = listBeingFiltered(app.screen);
  if (id === undefined) return;
  changeList(app, id, (list) => {
    const filter = change(list.filter);
    if (filter.text === list.filter.text) return {...list, filter};
    return {...list, filter, cursor: undefined, index: 0, top: 0};
  });
}

/** Ends typing: the rows stay filtered, and the list has the keys again. */
export function closeFilterInput(app: App): void {
  const id = listBeingFiltered(app.screen);
  if (id !== undefined) changeList(app, id, (list) => ({...list, isFiltering: false}));
}

/** Clears the filter; the cursor stays on its row. */
export function clearFilter(app: App, id: ListId | undefined = listBeingFiltered(app.screen)): void {
  if (id !== undefined) changeList(app, id, (list) => ({...list, isFiltering: false, filter: emptyLine}));
}

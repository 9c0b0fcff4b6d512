import type {Frame, PaneLine} from '#ui/core/frame.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import type {CursorPosition, Layout, Rect} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {lineWindow} from '#ui/text/line-window.ts';
import {listPaneRect} from './list-source.ts';
import {listSources} from './list-sources.ts';
import type {ListState} from './list-state.ts';
import {listBeingFiltered} from './visible-rows.ts';

const prompt = ' / ';

/** Whether the list's first row shows its filter: while it is typed, and as long as it hides rows. */
export function hasFilterLine({isFiltering, filter}: ListState): boolean {
  return isFiltering || filter.text.trim() !== '';
}

export function filterLine({screen, display}: Frame, id: ListId, columns: number): PaneLine {
  const {filter, isFiltering} = screen.lists[id];
  const {shown, span} = lineWindow(filter.text, filter.cursor, columns - prompt.length, 0, display.bidi);
  const text: UiSpan =
    shown === '' ? {text: 'type to filter', role: 'placeholder'} : {...span, role: isFiltering ? 'text' : 'dim'};
  return fittedLine([{text: prompt, role: 'prompt'}, text], columns);
}

/** Returns where the terminal cursor is in the filter line; undefined when no list is being filtered. */
export function filterCursor(frame: Frame, layout: Layout): CursorPosition | undefined {
  const {screen} = frame;
  const id = listBeingFiltered(screen);
  const rect = id === undefined ? undefined : listBodyRect(frame, id, layout);
  if (id === undefined || rect === undefined) return undefined;
  const {text, cursor} = screen.lists[id].filter;
  const {column} = lineWindow(text, cursor, rect.columns - prompt.length, 0, frame.display.bidi);
  return {x: rect.x + Math.min(prompt.length + column, rect.columns - 1), y: rect.y};
}

/** Returns the part of the pane that has the list's rows and head; undefined when it is not shown. */
export function listBodyRect(frame: Frame, id: ListId, layout: Layout = screenLayout(frame)): Rect | undefined {
  const pane = listPaneRect(id, frame.screen.view, layout);
  return pane === undefined ? undefined : (listSources[id].bodyRect?.(frame, pane) ?? pane);
}

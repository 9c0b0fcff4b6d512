import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {ListId} from '#app/core/screen-state.ts';
import type {CursorPlace, Layout} from '#app/layout/layout.ts';
import {row} from '#app/layout/ui-line.ts';
import {lineWindow} from '#app/text/line-window.ts';
import {listPlace} from './list-body-rect.ts';
import {filteringList} from './list-filter.ts';
import type {ListState} from './list-state.ts';

const prompt = ' / ';

/** The filter of a list is written in its first row, and stays there for as long as it leaves rows out. */
export function hasFilterLine({isFiltering, filter}: ListState): boolean {
  return isFiltering || filter.text.trim() !== '';
}

export function filterLine({screen}: Frame, id: ListId, columns: number): PaneLine {
  const {filter, isFiltering} = screen.lists[id];
  const {shown} = lineWindow(filter.text, filter.cursor, columns - prompt.length);
  if (shown === '') {
    return row(
      [
        {text: prompt, role: 'prompt'},
        {text: 'type to filter', role: 'placeholder'},
      ],
      columns,
    );
  }
  return row(
    [
      {text: prompt, role: 'prompt'},
      {text: shown, role: isFiltering ? 'text' : 'dim'},
    ],
    columns,
  );
}

export function filterCursor(frame: Frame, layout: Layout): CursorPlace | undefined {
  const {screen} = frame;
  const id = filteringList(screen);
  const rect = id === undefined ? undefined : listPlace(frame, id, layout);
  if (id === undefined || rect === undefined) return undefined;
  const {text, cursor} = screen.lists[id].filter;
  const {column} = lineWindow(text, cursor, rect.columns - prompt.length);
  return {x: rect.x + Math.min(prompt.length + column, rect.columns - 1), y: rect.y};
}

import type {Frame, PaneLine} from '#ui/core/frame.ts';
import type {CursorPosition, Layout} from '#ui/layout/layout.ts';
import {fittedLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {lineWindow} from '#ui/text/text-layout.ts';
import {type ListSource, listBodyRect} from './list-source.ts';
import type {ListState} from './list-state.ts';

const prompt = ' / ';

/** Whether the list's first row shows its filter: while it is typed, and as long as it hides rows. */
export function hasFilterLine({isFiltering, filter}: ListState): boolean {
  return isFiltering || filter.text.trim() !== '';
}

export function filterLine({screen, display}: Frame, list: ListSource, columns: number): PaneLine {
  const {filter, isFiltering} = screen.lists[list.id];
  const {shown, span} = lineWindow(filter.text, filter.cursor, columns - prompt.length, 0, display.bidi);
  const text: UiSpan =
    shown === '' ? {text: 'type to filter', role: 'placeholder'} : {...span, role: isFiltering ? 'text' : 'dim'};
  return fittedLine([{text: prompt, role: 'prompt'}, text], columns);
}

/** Returns where the terminal cursor is in the filter line; undefined when the list is not being filtered. */
export function filterCursor(frame: Frame, list: ListSource, layout: Layout): CursorPosition | undefined {
  const {filter, isFiltering} = frame.screen.lists[list.id];
  const rect = isFiltering ? listBodyRect(frame, list, layout) : undefined;
  if (rect === undefined) return undefined;
  const {column} = lineWindow(filter.text, filter.cursor, rect.columns - prompt.length, 0, frame.display.bidi);
  return {x: rect.x + Math.min(prompt.length + column, rect.columns - 1), y: rect.y};
}

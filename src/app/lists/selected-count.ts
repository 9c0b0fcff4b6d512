import type {Frame} from '#app/core/frame.ts';
import {focusedList} from './focused-list.ts';
import {visibleRowsOf} from './visible-rows.ts';

/**
 * How many rows of the list with the keys are selected, in sight or not: the next verb is about all of these. One
 * conversation at a time nothing is, whatever the list has.
 */
export function selectedCount(frame: Frame): number {
  const {screen} = frame;
  const id = focusedList(screen);
  if (id === undefined || screen.view.kind === 'triage') return 0;
  const {selected} = screen.lists[id];
  if (selected.size === 0) return 0;
  const {indexByKey: places} = visibleRowsOf(frame, id);
  return [...selected].filter((key) => places.has(key)).length;
}

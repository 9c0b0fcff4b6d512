import type {Frame} from '#app/core/frame.ts';
import {focusedList} from './focused-list.ts';
import {visibleRowsOf} from './visible-rows.ts';

/**
 * Returns how many rows of the focused list are selected, on screen or not: the next command acts on all of
 * them. Triage shows one conversation at a time and has no selection.
 */
export function selectedCount(frame: Frame): number {
  const {screen} = frame;
  const id = focusedList(screen);
  if (id === undefined || screen.view.kind === 'triage') return 0;
  const {selected} = screen.lists[id];
  if (selected.size === 0) return 0;
  const {indexByKey} = visibleRowsOf(frame, id);
  return [...selected].filter((key) => indexByKey.has(key)).length;
}

import type {PaneLine} from '#ui/core/pane-line.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {fittedLine} from './ui-line.ts';

/** Shown instead of everything else; the state underneath stays. */
export function tooSmallLines({columns, rows}: Size): readonly PaneLine[] {
  return [
    fittedLine([{text: 'Too small', role: 'title'}], columns),
    fittedLine([{text: '(need 30×8)', role: 'dim'}], columns),
  ].slice(0, rows);
}

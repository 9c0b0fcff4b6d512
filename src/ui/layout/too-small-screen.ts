import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {Rect} from './layout.ts';
import {fittedLine} from './ui-line.ts';

/** Shown instead of everything else; the state underneath stays. */
export function tooSmallLines(_frame: Frame, {columns, rows}: Rect): readonly PaneLine[] {
  return [
    fittedLine([{text: 'Too small', role: 'title'}], columns),
    fittedLine([{text: '(need 30×8)', role: 'dim'}], columns),
  ].slice(0, rows);
}

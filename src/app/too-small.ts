import type {Frame} from './core/frame.ts';
import type {PaneLine} from './core/pane-line.ts';
import type {Rect} from './layout.ts';
import {row} from './lines.ts';

/** Everything is kept, and goes on beneath. */
export function tooSmallLines(_frame: Frame, {columns, rows}: Rect): readonly PaneLine[] {
  return [
    row([{text: 'Too small', role: 'title'}], columns),
    row([{text: '(need 30×8)', role: 'dim'}], columns),
  ].slice(0, rows);
}

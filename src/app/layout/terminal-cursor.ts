import {composerCursor} from '#app/compose/pane/composer-pane.ts';
import type {Frame} from '#app/core/frame.ts';
import {filterCursor} from '#app/lists/filter-line.ts';
import {overlayCursor} from '#app/overlays/overlay-pane.ts';
import type {CursorPosition} from './layout.ts';
import {screenLayout} from './screen-layout.ts';

/** The terminal cursor's position: in the text being edited, so that input methods follow it. */
export function terminalCursorPosition(frame: Frame): CursorPosition | undefined {
  const layout = screenLayout(frame);
  if (layout.size === 'tooSmall') return undefined;
  if (frame.screen.overlays.length > 0) return overlayCursor(frame);
  return filterCursor(frame, layout) ?? composerCursor(frame, layout);
}

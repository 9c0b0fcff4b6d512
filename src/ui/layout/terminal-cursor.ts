import {composerCursor} from '#ui/composer/composer-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import {filterCursor} from '#ui/lists/filter-line.ts';
import {overlayCursor} from '#ui/overlays/overlay-position.ts';
import type {CursorPosition} from './layout.ts';
import {screenLayout} from './screen-layout.ts';

/** The terminal cursor's position: in the text being edited, so that input methods follow it. */
export function terminalCursorPosition(frame: Frame): CursorPosition | undefined {
  const layout = screenLayout(frame);
  if (layout.size === 'tooSmall') return undefined;
  if (frame.screen.overlays.length > 0) return overlayCursor(frame);
  return filterCursor(frame, layout) ?? composerCursor(frame, layout);
}

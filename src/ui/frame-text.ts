import type {Frame} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {paintLine} from './paint-lines.ts';
import {placedPanes} from './panes.ts';

/** Returns the sequences that paint a frame without overlays on a cleared screen. */
export function frameText(frame: Frame): string {
  const layout = screenLayout(frame);
  if (layout.size === 'tooSmall') return '';
  return placedPanes(layout, frame.screen.view.kind)
    .flatMap(({rect, content}) =>
      content
        .lines(frame, rect)
        .map((line, row) => `\u001b[${rect.y + row + 1};${rect.x + 1}H${paintLine(line, frame.display)}\u001b[m`),
    )
    .join('');
}

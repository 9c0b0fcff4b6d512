import {ansiLine, type StyleSheet} from '#content/styled-text/ansi.ts';
import type {ImageRow} from '#content/styled-text/line.ts';
import type {UiRole} from '#theme/roles.ts';
import type {ImageDisplay} from '#ui/core/images.ts';
import {imageCells} from '#ui/ink/image-cells.ts';
import {fittedLine} from '#ui/layout/ui-line.ts';

/** Returns the text of a row of an image: blank while it loads, and the reason in the first row when it could not be loaded. */
export function imageRowText(row: ImageRow, images: ImageDisplay, styles: StyleSheet<UiRole>): string {
  const state = images.get(row);
  if (state.kind === 'ready') return imageCells(state.image, row.row);
  const text = state.kind === 'failed' && row.row === 0 && row.isEmoji !== true ? state.reason : '';
  const line = fittedLine([{text, role: 'note'}], row.room);
  return ansiLine(line, styles) + ' '.repeat(Math.max(0, row.columns - line.width));
}

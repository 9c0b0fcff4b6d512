import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {fittedLine} from '#ui/layout/ui-line.ts';
import {isToastCut, statusHead, toastRoles} from './status-line.ts';

/** Longer toasts are cut: they must not cover what they are about. */
const maxRows = 4;
const margin = 1;

type LongToast = NonNullable<ReturnType<typeof longToast>>;

/**
 * Selects a warning or an error, which is wrapped where it does not fit into one row. Other toasts are cut in the status line:
 * they report what the user did.
 */
export function longToast(frame: Frame) {
  const {toast, size} = frame.screen;
  if (toast === undefined || toast.tone === 'plain') return undefined;
  return {toast, head: statusHead(frame), size, hasStatusLine: screenLayout(frame).status !== undefined};
}

/** Returns the lines of a long toast, at the end of the screen, or at its start where there is no status line. */
export function toastPanel({toast, head, size, hasStatusLine}: LongToast, display: DisplayOptions) {
  const {columns} = size;
  if (!isToastCut(toast, head, columns, display)) return undefined;
  const span = {text: plainGlyphText(toast.text, display), role: toastRoles[toast.tone]};
  const lines = wrapSpans<UiRole>([span], {width: columns - 2 * margin})
    .slice(0, maxRows)
    .map(({spans}): PaneLine => fittedLine([{text: ' '.repeat(margin), role: 'text'}, ...spans], columns));
  const rect: Rect = {x: 0, y: hasStatusLine ? size.rows - lines.length : 0, columns, rows: lines.length};
  return {rect, lines};
}

import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import {memoByFrame} from '#ui/core/memo-by-frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {fittedLine, type UiLine} from '#ui/layout/ui-line.ts';
import {isToastCut, toastRoles} from './status-line.ts';

/** Longer toasts are cut: they must not cover what they are about. */
const maxRows = 4;
const margin = 1;

/**
 * Returns the lines of a warning or an error that does not fit into one row; none otherwise. Other toasts are cut in the status
 * line: they report what the user did.
 */
const wrappedToast = memoByFrame(
  (frame) => [isToastCut(frame), frame.screen.toast, frame.screen.size.columns, frame.display],
  (frame): readonly UiLine[] => {
    const {
      screen: {toast, size},
      display,
    } = frame;
    if (toast === undefined || toast.tone === 'plain' || !isToastCut(frame)) return [];
    const span = {text: plainGlyphText(toast.text, display), role: toastRoles[toast.tone]};
    return wrapSpans<UiRole>([span], {width: size.columns - 2 * margin}).slice(0, maxRows);
  },
);

/** The rectangle of a long toast: at the end of the screen, or at its start where there is no status line. */
export function toastPanelRect(frame: Frame): Rect | undefined {
  const {length: rows} = wrappedToast(frame);
  if (rows === 0) return undefined;
  const {size} = frame.screen;
  const y = screenLayout(frame).status === undefined ? 0 : size.rows - rows;
  return {x: 0, y, columns: size.columns, rows};
}

export function toastPanelLines(frame: Frame, {columns}: Rect): readonly PaneLine[] {
  return wrappedToast(frame).map(({spans}) =>
    fittedLine([{text: ' '.repeat(margin), role: 'text'}, ...spans], columns),
  );
}

import type {App} from '#ui/core/app.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {moveTo} from '#ui/text/text-field.ts';
import {offsetAt, scrolledTopRow} from '#ui/text/text-layout.ts';
import {changeMessageText} from './change-composer.ts';
import {composerParts, fitComposerParts, promptColumns, textCursor} from './composer-parts.ts';

/** Moves the text cursor to the clicked cell. A click elsewhere in the composer does nothing. */
export function placeTextCursorAt(app: App, {x, y}: {readonly x: number; readonly y: number}): void {
  const {frame} = app;
  const {composer: rect} = screenLayout(frame);
  const parts = composerParts(frame);
  const {layout, preview} = parts;
  if (rect === undefined || preview !== undefined) return;
  const {above, height} = fitComposerParts(parts, rect.rows);
  const line = y - rect.y - above.length;
  if (line < 0 || line >= height) return;
  const top = scrolledTopRow(layout, textCursor(frame).row, height, frame.screen.composer.top);
  const offset = offsetAt(layout, top + line, Math.max(0, x - rect.x - promptColumns));
  changeMessageText(app, (field) => moveTo(field, offset));
}

import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import {cursorRow, targetRows} from '#ui/lists/visible-rows.ts';

/** Returns the rows that a command acts on: the selected ones, or the one under the cursor. */
export function rowsThatKeyRefersTo(app: AppReader, list: ListSource): readonly ListRow[] {
  const frame = frameThatKeyRefersTo(app, list);
  // Triage shows one conversation at a time: the selection of the list is off-screen, and no key refers to it.
  if (frame.screen.view.kind !== 'triage') return targetRows(frame, list);
  const row = cursorRow(frame, list);
  return row === undefined ? [] : [row];
}

/** Returns the row under the cursor. */
export function rowThatKeyRefersTo(app: AppReader, list: ListSource): ListRow | undefined {
  return cursorRow(frameThatKeyRefersTo(app, list), list);
}

/**
 * Returns the frame whose rows a key refers to: the painted one, unless an earlier key has changed the list
 * since the paint.
 */
export function frameThatKeyRefersTo(app: AppReader, list: ListSource): Frame {
  const {frame} = app;
  const {paintedFrame, hasInputSincePaint} = app.frames;
  if (!hasInputSincePaint) return paintedFrame;
  const {lists, view, inbox} = paintedFrame.screen;
  const isUnchanged =
    lists[list.id] === frame.screen.lists[list.id] && view === frame.screen.view && inbox === frame.screen.inbox;
  return isUnchanged ? paintedFrame : frame;
}

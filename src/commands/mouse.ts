import type {App} from '#app/app.ts';
import type {Frame} from '#app/frame.ts';
import type {Rect} from '#app/layout.ts';
import {focusedList, listRect} from '#app/lists/focused-list.ts';
import {headLines, windowTop} from '#app/lists/list-pane.ts';
import {barIndex, cursorRow, listingOf} from '#app/lists/listing.ts';
import {putCursor} from '#app/lists/motion.ts';
import {move} from '#app/motion.ts';
import {scrollCard} from '#app/overlays/cards.ts';
import {overlayRect, pickerRowAt} from '#app/overlays/overlay-pane.ts';
import {leapInPicker, openedPicker, pickRow} from '#app/overlays/picking.ts';
import type {Focus, ListId} from '#app/screen.ts';
import {screenLayout} from '#app/screen-layout.ts';
import {moveInMessages} from '#app/timeline/motion.ts';
import {selectRow, timelineNow} from '#app/timeline/selection.ts';
import type {MouseEvent} from '#terminal/input/events.ts';
import type {CommandDesk} from './command.ts';

/** Lines for one notch of a wheel that the terminal reports; as arrows it sends as many by itself. */
const notch = 3;

type Place = Pick<MouseEvent, 'x' | 'y'>;

/** One line of whatever has the keys; while somebody writes, of the messages. */
export function turnWheel(app: App, step: 1 | -1): void {
  if (openedPicker(app) !== undefined) leapInPicker(app, step);
  else if (app.screen.overlays.length > 0) scrollCard(app, step);
  else if (app.screen.focus === 'composer') moveInMessages(app, {by: 'line', step});
  else move(app, {by: 'line', step});
}

export function takeMouse(app: App, event: MouseEvent, desk: CommandDesk): void {
  if (event.wheel === 'up' || event.wheel === 'down') {
    const step = event.wheel === 'up' ? -1 : 1;
    for (let line = 0; line < notch; line++) turnWheel(app, step);
  } else if (event.action === 'press' && event.button === 'left') click(app, event, desk);
}

/** On a row of a picker it chooses, beside an overlay it closes that, on a pane it gives it the keys and the cursor. */
function click(app: App, place: Place, desk: CommandDesk): void {
  const {frame} = app;
  const over = overlayRect(frame);
  if (over === undefined) {
    clickPane(app, place, desk);
    return;
  }
  const row = isIn(over, place) ? pickerRowAt(frame, place.y) : undefined;
  if (row !== undefined) pickRow(app, row);
  else if (!isIn(over, place)) app.closeOverlay();
}

const panes = ['channels', 'topics', 'people', 'composer', 'main'] as const satisfies readonly Focus[];

function clickPane(app: App, place: Place, desk: CommandDesk): void {
  const layout = screenLayout(app.frame);
  const pane = panes.find((name) => layout[name] !== undefined && isIn(layout[name], place));
  if (pane === undefined || (pane === 'composer' && !app.screen.composer.isOpen)) return;
  const hadKeys = app.screen.focus === pane;
  app.set({focus: pane});
  const list = pane === 'composer' ? undefined : focusedList(app.screen);
  if (list !== undefined) clickList(app, list, place, hadKeys ? desk : undefined);
  else if (pane === 'main') clickMessages(app, place.y - layout.main.y);
}

/** The row has the cursor then; where it had it already, it is opened. */
function clickList(app: App, id: ListId, place: Place, desk: CommandDesk | undefined): void {
  const {frame} = app;
  const key = rowKeyAt(frame, id, place);
  if (key === undefined) return;
  const isCurrent = cursorRow(frame, id)?.key === key;
  putCursor(app, id, key);
  if (isCurrent) desk?.run(app, 'open');
}

function rowKeyAt(frame: Frame, id: ListId, {y}: Place): string | undefined {
  const rect = listRect(id, frame.screen.view, screenLayout(frame));
  if (rect === undefined) return undefined;
  const {rows} = listingOf(frame, id);
  const head = headLines(frame, id, rect.columns).length;
  const top = windowTop(frame.screen.lists[id].top, barIndex(frame, id), rect.rows - head, rows.length);
  const row = y - rect.y - head;
  const at = rows[row + top];
  return row >= 0 && at?.kind === 'item' ? at.key : undefined;
}

function clickMessages(app: App, line: number): void {
  const rows = timelineNow(app.frame)?.window?.rows ?? [];
  const row = rows.find(({first, last}) => first <= line && line <= last);
  if (row !== undefined) selectRow(app, row.key);
}

function isIn(rect: Rect, {x, y}: Place): boolean {
  return x >= rect.x && x < rect.x + rect.columns && y >= rect.y && y < rect.y + rect.rows;
}

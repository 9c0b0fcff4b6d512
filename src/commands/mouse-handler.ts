import {prefixRect} from '#app/chrome/prefix-panel.ts';
import {acceptCompletionAt, moveCompletionMenu} from '#app/compose/accept-completion.ts';
import {placeTextCursorAt} from '#app/compose/click-composer.ts';
import {completionMenuRect, completionOptionAt} from '#app/compose/pane/completion-menu-pane.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {Focus, ListId} from '#app/core/screen-state.ts';
import {freezeInboxOrder} from '#app/inbox/freeze-order.ts';
import {previewRect, scrollInboxPreview} from '#app/inbox/inbox-preview.ts';
import {inboxLayout} from '#app/inbox/pane/inbox-layout.ts';
import {inboxTabsLine} from '#app/inbox/pane/inbox-pane.ts';
import type {Rect} from '#app/layout/layout.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {mainList} from '#app/lists/focused-list.ts';
import {clearFilter, closeFilterInput, listBeingFiltered} from '#app/lists/list-filter.ts';
import {headLines} from '#app/lists/list-pane.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {pointCursorAtRow, scrollList, setListCursor} from '#app/lists/move-in-list.ts';
import {setFolded} from '#app/lists/open-row.ts';
import {listRowAt, tabAt} from '#app/lists/row-at-point.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {moveCursor} from '#app/navigation/move-cursor.ts';
import {scrollCard} from '#app/overlays/cards.ts';
import {overlayRect, pickerRowAt} from '#app/overlays/overlay-pane.ts';
import {clickPickerRow, movePickerBy, openedPicker} from '#app/overlays/picker.ts';
import {clickMessages} from '#app/timeline/click-messages.ts';
import {moveInMessages} from '#app/timeline/move-in-messages.ts';
import type {MouseEvent} from '#terminal/input/input-events.ts';
import {keyOf} from '#terminal/input/key.ts';
import type {CommandRunner} from './command.ts';

/** Lines for one notch of a wheel that the terminal reports; as arrows it sends as many by itself. */
const notch = 3;
/** Whoever draws the mouse along so many columns wants to select text. */
const drawn = 3;

type CellPosition = Pick<MouseEvent, 'x' | 'y'>;

/** One line of whatever has the keys; while somebody writes, of the messages. */
export function scrollByWheel(app: App, step: 1 | -1): void {
  if (openedPicker(app) !== undefined) movePickerBy(app, step);
  else if (app.screen.overlays.length > 0) scrollCard(app, step);
  else if (app.screen.focus === 'composer') moveInMessages(app, {by: 'line', step});
  else moveCursor(app, {by: 'line', step});
}

/** What the mouse does. A click is what the press of the left button does. */
export class MouseHandler {
  /** Where a click led elsewhere. The second of a double click comes to the same place and means nothing there. */
  #spent: CellPosition | undefined;
  /** Where text may be about to be selected. */
  #from: CellPosition | undefined;

  /** Something else than the mouse was used. */
  reset(): void {
    this.#spent = undefined;
    this.#from = undefined;
  }

  handleEvent(app: App, event: MouseEvent, desk: CommandRunner): void {
    if (screenLayout(app.frame).size === 'tooSmall') return;
    const isLeft = event.button === 'left';
    // Who points at a row has one in mind, also where that is the one with the cursor and nothing else moves.
    if (app.screen.view.kind === 'inbox') freezeInboxOrder(app);
    if (event.wheel === 'up' || event.wheel === 'down') {
      const step = event.wheel === 'up' ? -1 : 1;
      for (let line = 0; line < notch; line++) wheelAt(app, event, step);
    } else if (isLeft && event.action === 'press') this.#press(app, event, desk);
    else if (isLeft && event.action === 'drag') this.#drag(app, event);
  }

  #press(app: App, place: CellPosition, desk: CommandRunner): void {
    const isRepeated = this.#spent?.x === place.x && this.#spent.y === place.y;
    this.#spent = undefined;
    this.#from = undefined;
    if (isRepeated) return;
    const {view, overlays} = app.screen;
    const {isDrawer, main} = screenLayout(app.frame);
    if (overlays.length === 0 && view.kind === 'messages' && isIn(main, place)) this.#from = place;
    click(app, place, desk);
    const {screen} = app;
    const isElsewhere =
      screen.view !== view || screen.overlays !== overlays || screenLayout(app.frame).isDrawer !== isDrawer;
    if (isElsewhere) this.#spent = {x: place.x, y: place.y};
  }

  /** What the terminal selects by itself it selects only where the mouse is its own. */
  #drag(app: App, {x}: CellPosition): void {
    if (this.#from === undefined || Math.abs(x - this.#from.x) < drawn) return;
    this.#from = undefined;
    app.toast('Shift and the mouse select text. Alt-m gives the mouse back to the terminal.');
  }
}

const panes = [
  'channels',
  'topics',
  'people',
  'composer',
  'banner',
  'main',
] as const satisfies readonly Focus[];

function paneAt(frame: Frame, place: CellPosition): (typeof panes)[number] | undefined {
  const layout = screenLayout(frame);
  return panes.find((name) => layout[name] !== undefined && isIn(layout[name], place));
}

/** One line of what the mouse is over. The keys stay where they are. */
function wheelAt(app: App, place: CellPosition, step: 1 | -1): void {
  const {frame} = app;
  const pane = paneAt(frame, place);
  const list = mainList(frame.screen.view);
  if (frame.screen.overlays.length > 0) scrollByWheel(app, step);
  else if (isIn(completionMenuRect(frame), place)) moveCompletionMenu(app, step);
  else if (pane === 'channels' || pane === 'topics' || pane === 'people') scrollList(app, pane, step);
  else if (isPreviewAt(frame, place)) scrollInboxPreview(app, () => step);
  else if (list === undefined) moveInMessages(app, {by: 'line', step});
  else scrollList(app, list, step);
}

function isPreviewAt(frame: Frame, place: CellPosition): boolean {
  const {kind} = frame.screen.view;
  return (kind === 'inbox' || kind === 'triage') && isIn(previewRect(frame), place);
}

/** On a row of a picker it chooses, beside an overlay it closes that, on a pane it gives it the keys and the cursor. */
function click(app: App, place: CellPosition, desk: CommandRunner): void {
  const {frame} = app;
  const over = overlayRect(frame);
  if (over !== undefined) {
    const row = isIn(over, place) ? pickerRowAt(frame, place.y) : undefined;
    if (row !== undefined) clickPickerRow(app, row);
    else if (!isIn(over, place)) app.closeOverlay();
  } else if (isIn(completionMenuRect(frame), place)) {
    const option = completionOptionAt(frame, place.y);
    if (option !== undefined) acceptCompletionAt(app, option);
  } else if (!isIn(prefixRect(frame), place)) clickPane(app, place, desk);
}

/**
 * What somebody pointed at is what was painted: rows that arrived since, or that move because a pane gets the keys, change
 * nothing about it. So it is looked up first.
 */
function paintedFrame({frame, frames: {paintedFrame: current}}: App): Frame {
  const isSame = current.screen.view === frame.screen.view && current.screen.size === frame.screen.size;
  return isSame && !current.screen.isFirstFrame ? current : frame;
}

function clickPane(app: App, place: CellPosition, desk: CommandRunner): void {
  const painted = paintedFrame(app);
  const pane = paneAt(painted, place);
  const hadKeys = app.screen.focus === pane && listBeingFiltered(app.screen) === undefined;
  if (pane === undefined) return;
  if (pane === 'composer') clickComposer(app, place, desk);
  else if (pane === 'banner') {
    app.set({focus: pane});
    if (hadKeys) desk.run(app, 'banner.accept');
  } else if (pane !== 'main') clickSidePane(app, pane, listRowAt(painted, pane, place), desk);
  else {
    const list = mainList(app.screen.view);
    if (list !== undefined) clickMain(app, {list, painted, place, hadKeys}, desk);
    else {
      const {main} = screenLayout(painted);
      clickMessages(app, painted, {line: place.y - main.y, column: place.x - main.x, hadFocus: hadKeys});
      closeFilterInput(app);
      app.set({focus: 'main'});
    }
  }
}

/** Begins to write where nobody does; else the cursor goes there. */
function clickComposer(app: App, place: CellPosition, desk: CommandRunner): void {
  closeFilterInput(app);
  if (!app.screen.composer.isOpen) {
    app.set({focus: 'main'});
    desk.run(app, 'reply');
    return;
  }
  placeTextCursorAt(app, place);
  app.set({focus: 'composer'});
}

/** What stands beside the messages is opened by one click. */
function clickSidePane(
  app: App,
  pane: Extract<Focus, ListId>,
  row: ListRow | undefined,
  desk: CommandRunner,
): void {
  if (listBeingFiltered(app.screen) !== pane) closeFilterInput(app);
  else if (row?.kind === 'item') clearFilter(app, pane);
  app.set({focus: pane});
  if (row?.kind === 'title') toggleGroup(app, pane, row);
  if (row?.kind !== 'item') return;
  setListCursor(app, pane, row.key);
  if (cursorRow(app.frame, pane)?.key === row.key) desk.run(app, 'open');
}

interface MainClick {
  readonly list: ListId;
  readonly painted: Frame;
  readonly place: CellPosition;
  readonly hadKeys: boolean;
}

/** In a list with the whole pane a row gets the cursor; where it had it already, it is opened. */
function clickMain(app: App, {list, painted, place, hadKeys}: MainClick, desk: CommandRunner): void {
  const tab = tabUnder(painted, list, place);
  const row = app.screen.view.kind === 'triage' ? undefined : listRowAt(painted, list, place);
  const isCurrent = row !== undefined && cursorRow(app.frame, list)?.key === row.key;
  if (row?.kind === 'item') pointCursorAtRow(app, list, row.key);
  closeFilterInput(app);
  app.set({focus: 'main'});
  if (tab !== undefined) desk.run(app, 'split', {kind: 'key', key: keyOf(String(tab))});
  else if (row?.kind === 'title') toggleGroup(app, list, row);
  else if (isCurrent && hadKeys) desk.run(app, 'open');
}

function toggleGroup(app: App, id: ListId, title: ListRow): void {
  if (title.group !== undefined) setFolded(app, id, title, !app.screen.lists[id].folded.has(title.group));
}

const tabbed: ReadonlySet<ListId> = new Set(['inbox', 'recent', 'drafts']);

/** The tabs are the first line of such a list, or stand above it. */
function tabUnder(frame: Frame, id: ListId, {x, y}: CellPosition): number | undefined {
  const {main} = screenLayout(frame);
  if (!tabbed.has(id) || frame.screen.view.kind === 'triage') return undefined;
  if (id === 'inbox') {
    const {tabs} = inboxLayout(frame, main);
    return y === tabs.y ? tabAt(inboxTabsLine(frame, tabs.columns), x - tabs.x) : undefined;
  }
  const lines = headLines(frame, id, main.columns);
  const line = lines[y - main.y];
  return line === undefined ? undefined : tabAt(line, x - main.x);
}

function isIn(rect: Rect | undefined, {x, y}: CellPosition): boolean {
  return (
    rect !== undefined && x >= rect.x && x < rect.x + rect.columns && y >= rect.y && y < rect.y + rect.rows
  );
}

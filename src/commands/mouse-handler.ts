import {acceptCompletionAt, moveCompletionMenu, placeTextCursorAt} from '#app/composer/change-composer.ts';
import type {App} from '#app/core/app.ts';
import {clickForm} from '#app/forms/edit-form.ts';
import {moveFormFocus} from '#app/forms/open-form.ts';
import {freezeInboxOrder, scrollInboxPreview} from '#app/inbox/scroll-preview.ts';
import {clearFilter, closeFilterInput} from '#app/lists/change-list.ts';
import {pointCursorAtRow, scrollList, setFolded, setListCursor} from '#app/lists/move-in-list.ts';
import {clickMessages} from '#app/message-actions/click-messages.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import {scrollCard} from '#app/overlays/cards.ts';
import {clickPickerRow, movePickerBy} from '#app/overlays/picker.ts';
import {focusOtherPane, inOtherPane} from '#app/panes/other-pane.ts';
import {moveCursor} from '#app/panes/pane-focus.ts';
import type {MouseEvent} from '#terminal/input/input-events.ts';
import {keyOf} from '#terminal/input/key.ts';
import {completionMenuRect, completionOptionAt} from '#ui/completion-menu/completion-menu.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Focus} from '#ui/core/screen-state.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {previewRect} from '#ui/inbox/inbox-preview.ts';
import {inboxTabsLine} from '#ui/inbox/inbox-summary.ts';
import {inboxLayout, type Rect} from '#ui/layout/layout.ts';
import {mainList, sideLists} from '#ui/list-table.ts';
import {headLines, listRowAt, tabAt} from '#ui/lists/list-position.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import {cursorRow, listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {overlayRect} from '#ui/overlay-position.ts';
import {pickerRowAt} from '#ui/overlays/picker-lines.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {keyContinuations} from '#ui/status-line/status-line.ts';
import type {CommandRunner} from './command.ts';
import {tabbedLists} from './lists.ts';

/** Lines per wheel notch. Terminals that send arrow keys for the wheel send as many per notch. */
const linesPerNotch = 3;
/** A drag over this many columns is an attempt to select text. */
const selectionColumns = 3;

type CellPosition = Pick<MouseEvent, 'x' | 'y'>;

/** Scrolls the focused pane or overlay by one line; while the composer has the focus, the messages. */
export function scrollByWheel(app: App, step: 1 | -1): void {
  if (openedPicker(app) !== undefined) movePickerBy(app, step);
  else if (openedForm(app) !== undefined) moveFormFocus(app, step);
  else if (app.screen.overlays.length > 0) scrollCard(app, step);
  else if (app.screen.focus === 'composer') moveInMessages(app, {by: 'line', step});
  else moveCursor(app, {by: 'line', step});
}

/** Handles mouse events. A click is the press of the left button; its release does nothing. */
export class MouseHandler {
  /** The cell of a click that changed the view: the second click of a double click there is ignored. */
  #handledClick: CellPosition | undefined;
  /** The cell of a press in the messages, from which the user may drag to select text. */
  #dragStart: CellPosition | undefined;

  /** Forgets earlier clicks. Called when a key is pressed. */
  reset(): void {
    this.#handledClick = undefined;
    this.#dragStart = undefined;
  }

  handleEvent(app: App, event: MouseEvent, runner: CommandRunner): void {
    if (screenLayout(app.frame).size === 'tooSmall') return;
    const isLeft = event.button === 'left';
    // The user points at a row, so the order of the inbox is final from now on, like after a key.
    if (app.screen.view.kind === 'inbox') freezeInboxOrder(app);
    if (event.wheel === 'up' || event.wheel === 'down') {
      const step = event.wheel === 'up' ? -1 : 1;
      for (let line = 0; line < linesPerNotch; line++) wheelAt(app, event, step);
    } else if (isLeft && event.action === 'press') this.#press(app, event, runner);
    else if (isLeft && event.action === 'drag') this.#drag(app, event);
  }

  #press(app: App, cell: CellPosition, runner: CommandRunner): void {
    const isRepeated = this.#handledClick?.x === cell.x && this.#handledClick.y === cell.y;
    this.#handledClick = undefined;
    this.#dragStart = undefined;
    if (isRepeated) return;
    const {view, overlays} = app.screen;
    const form = openedForm(app)?.form;
    const {isDrawer, main} = screenLayout(app.frame);
    if (overlays.length === 0 && view.kind === 'messages' && isIn(main, cell)) this.#dragStart = cell;
    click(app, cell, runner);
    const {screen} = app;
    const hasChangedOverlay = screen.overlays !== overlays && (form === undefined || openedForm(app)?.form !== form);
    const hasChangedView = screen.view !== view || hasChangedOverlay || screenLayout(app.frame).isDrawer !== isDrawer;
    if (hasChangedView) this.#handledClick = {x: cell.x, y: cell.y};
  }

  /** Tells the user how to select text: while Parley gets mouse events, the terminal selects only with Shift. */
  #drag(app: App, {x}: CellPosition): void {
    if (this.#dragStart === undefined || Math.abs(x - this.#dragStart.x) < selectionColumns) return;
    this.#dragStart = undefined;
    app.toast({text: 'Hold Shift and drag to select text', hint: 'Alt-m turns the mouse off'});
  }
}

const panes = [
  'channels',
  'topics',
  'people',
  'composer',
  'banner',
  'main',
  'other',
] as const satisfies readonly Focus[];

function paneAt(frame: Frame, cell: CellPosition): (typeof panes)[number] | undefined {
  const layout = screenLayout(frame);
  return panes.find((name) => layout[name] !== undefined && isIn(layout[name], cell));
}

/** Scrolls the pane under the mouse by one line. The focus does not change. */
function wheelAt(app: App, cell: CellPosition, step: 1 | -1): void {
  const {frame} = app;
  const pane = paneAt(frame, cell);
  const list = mainList(frame.screen.view);
  if (frame.screen.overlays.length > 0) scrollByWheel(app, step);
  else if (pane === 'other') inOtherPane(app, () => wheelAt(app, cell, step));
  else if (isIn(completionMenuRect(frame), cell)) moveCompletionMenu(app, step);
  else if (pane === 'channels' || pane === 'topics' || pane === 'people') scrollList(app, sideLists[pane], step);
  else if (isPreviewAt(frame, cell)) scrollInboxPreview(app, () => step);
  else if (list === undefined) moveInMessages(app, {by: 'line', step});
  else scrollList(app, list, step);
}

function isPreviewAt(frame: Frame, cell: CellPosition): boolean {
  const {kind} = frame.screen.view;
  return (kind === 'inbox' || kind === 'triage') && isIn(previewRect(frame), cell);
}

/** Handles a click: chooses a picker row, closes an overlay when outside of it, or focuses a pane and moves its cursor. */
function click(app: App, cell: CellPosition, runner: CommandRunner): void {
  const {frame} = app;
  const overlay = overlayRect(frame);
  if (overlay !== undefined) {
    const row = isIn(overlay, cell) ? pickerRowAt(frame, cell) : undefined;
    if (row !== undefined) clickPickerRow(app, row);
    else if (openedForm(app) !== undefined && isIn(overlay, cell)) clickForm(app, cell.y);
    else if (!isIn(overlay, cell)) app.closeOverlay();
  } else if (isIn(completionMenuRect(frame), cell)) {
    const option = completionOptionAt(frame, cell.y);
    if (option !== undefined) acceptCompletionAt(app, option);
  } else if (!isIn(keyContinuations(frame)?.rect, cell)) clickPane(app, cell, runner);
}

/**
 * Returns the frame that a click refers to: the painted one, unless the view or size has changed since. Rows that arrived
 * later, or that move because a pane gets the focus, must not change which row was clicked.
 */
function clickedFrame({frame, frames: {paintedFrame}}: App): Frame {
  const isSame = paintedFrame.screen.view === frame.screen.view && paintedFrame.screen.size === frame.screen.size;
  return isSame && !paintedFrame.screen.isFirstFrame ? paintedFrame : frame;
}

function clickPane(app: App, cell: CellPosition, runner: CommandRunner): void {
  const frame = clickedFrame(app);
  const other = paneAt(frame, cell) === 'other' ? otherPaneFrame(frame) : undefined;
  if (other !== undefined) focusOtherPane(app);
  const painted = other ?? frame;
  const pane = paneAt(painted, cell);
  const hadFocus = other === undefined && app.screen.focus === pane && listBeingFiltered(app.screen) === undefined;
  if (pane === undefined || pane === 'other') return;
  if (pane === 'composer') clickComposer(app, cell, runner);
  else if (pane === 'banner') {
    app.set({focus: pane});
    if (hadFocus) runner.run(app, 'banner.accept');
  } else if (pane !== 'main')
    clickSidePane(app, pane, listRowAt(painted, sideLists[pane], cell, screenLayout(painted)), runner);
  else {
    const list = mainList(app.screen.view);
    if (list !== undefined) clickMain(app, {list, painted, cell, hadFocus}, runner);
    else {
      const {main} = screenLayout(painted);
      clickMessages(app, painted, {line: cell.y - main.y, column: cell.x - main.x, hadFocus});
      closeFilterInput(app);
      app.set({focus: 'main'});
    }
  }
}

/** Starts a reply in a closed composer; moves the text cursor in an open one. */
function clickComposer(app: App, cell: CellPosition, runner: CommandRunner): void {
  closeFilterInput(app);
  if (!app.screen.composer.isOpen) {
    app.set({focus: 'main'});
    runner.run(app, 'reply');
    return;
  }
  placeTextCursorAt(app, cell);
  app.set({focus: 'composer'});
}

/** Opens the clicked row of a side pane at once, or folds the clicked group. */
function clickSidePane(app: App, pane: keyof typeof sideLists, row: ListRow | undefined, runner: CommandRunner): void {
  const list = sideLists[pane];
  if (listBeingFiltered(app.screen) !== pane) closeFilterInput(app);
  else if (row?.kind === 'item') clearFilter(app, pane);
  app.set({focus: pane});
  if (row?.kind === 'title') toggleGroup(app, list, row);
  if (row?.kind !== 'item') return;
  setListCursor(app, list, row.key);
  if (cursorRow(app.frame, list)?.key === row.key) runner.run(app, 'open');
}

interface MainClick {
  readonly list: ListSource;
  readonly painted: Frame;
  readonly cell: CellPosition;
  readonly hadFocus: boolean;
}

/** Moves the cursor of the main pane's list to the clicked row; opens the row if the cursor was there already. */
function clickMain(app: App, {list, painted, cell, hadFocus}: MainClick, runner: CommandRunner): void {
  const tab = tabUnder(painted, list, cell);
  const row = app.screen.view.kind === 'triage' ? undefined : listRowAt(painted, list, cell, screenLayout(painted));
  const isCurrent = row !== undefined && cursorRow(app.frame, list)?.key === row.key;
  if (row?.kind === 'item') pointCursorAtRow(app, list, row.key);
  closeFilterInput(app);
  app.set({focus: 'main'});
  if (tab !== undefined) runner.run(app, 'split', {kind: 'key', key: keyOf(String(tab))});
  else if (row?.kind === 'title') toggleGroup(app, list, row);
  else if (isCurrent && hadFocus) runner.run(app, 'open');
}

function toggleGroup(app: App, list: ListSource, title: ListRow): void {
  if (title.group !== undefined) setFolded(app, list, title, !app.screen.lists[list.id].folded.has(title.group));
}

/** Returns the number of the clicked tab. Tabs are the first line of the list; in the inbox, a line above it. */
function tabUnder(frame: Frame, list: ListSource, {x, y}: CellPosition): number | undefined {
  const {main} = screenLayout(frame);
  if (!tabbedLists.has(list.id) || frame.screen.view.kind === 'triage') return undefined;
  if (list.id === 'inbox') {
    const {tabs} = inboxLayout(frame, main);
    return y === tabs.y ? tabAt(inboxTabsLine(frame, tabs), x - tabs.x) : undefined;
  }
  const lines = headLines(frame, list, main.columns);
  const line = lines[y - main.y];
  return line === undefined ? undefined : tabAt(line, x - main.x);
}

function isIn(rect: Rect | undefined, {x, y}: CellPosition): boolean {
  return rect !== undefined && x >= rect.x && x < rect.x + rect.columns && y >= rect.y && y < rect.y + rect.rows;
}

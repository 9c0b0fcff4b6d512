import type {App} from '#app/core/app.ts';
import {type CellPosition, type Click, isIn} from '#app/core/part-input.ts';
import {freezeInboxOrder} from '#app/inbox/scroll-preview.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import {overlayInput} from '#app/overlay-input.ts';
import {focusOtherPane, inOtherPane} from '#app/panes/other-pane.ts';
import {moveCursor} from '#app/panes/pane-focus.ts';
import {floatingInputs, mainInput, paneInputs} from '#app/part-inputs.ts';
import type {MouseEvent} from '#terminal/input/input-events.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openedForm} from '#ui/forms/form-view.ts';
import {listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import type {CommandRunner} from './command.ts';

/** Lines per wheel notch. Terminals that send arrow keys for the wheel send as many per notch. */
const linesPerNotch = 3;
/** A drag over this many columns is an attempt to select text. */
const selectionColumns = 3;

/** Scrolls the focused pane or overlay by one line; while the composer has the focus, the messages. */
export function scrollByWheel(app: App, step: 1 | -1): void {
  if (app.screen.overlays.length > 0) overlayInput.wheel?.(app, step, {x: 0, y: 0});
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

/** Whether a cell is in the pane without the focus, and no list lies over it there. */
function isInOtherPane(frame: Frame, cell: CellPosition): boolean {
  return isIn(screenLayout(frame).other, cell) && !paneInputs.some((part) => part.isAt(frame, cell));
}

/** Scrolls the part under the mouse by one line. The focus does not change. */
function wheelAt(app: App, cell: CellPosition, step: 1 | -1): void {
  const {frame} = app;
  if (!floatingInputs.some((part) => part.isAt(frame, cell)) && isInOtherPane(frame, cell)) {
    inOtherPane(app, (owner) => wheelAt(owner, cell, step));
    return;
  }
  const part = [...floatingInputs, ...paneInputs].find((one) => one.wheel !== undefined && one.isAt(frame, cell));
  (part ?? mainInput).wheel?.(app, step, cell);
}

/** Gives a click to what lies over the panes at the cell, or to the pane there. */
function click(app: App, cell: CellPosition, runner: CommandRunner): void {
  const runIn =
    (owner: App): Click['run'] =>
    (id, key) =>
      runner.run(owner, id, key && {kind: 'key', key});
  const floating = floatingInputs.find((part) => part.isAt(app.frame, cell));
  if (floating === undefined) clickPane(app, cell, runIn);
  else floating.click?.(app, {cell, painted: app.frame, hadFocus: true, run: runIn(app)});
}

/**
 * Returns the frame that a click refers to: the painted one, unless the view or size has changed since. Rows that arrived
 * later, or that move because a pane gets the focus, must not change which row was clicked.
 */
function clickedFrame({frame, frames: {paintedFrame}}: App): Frame {
  const isSame = paintedFrame.screen.view === frame.screen.view && paintedFrame.screen.size === frame.screen.size;
  return isSame && !paintedFrame.screen.isFirstFrame ? paintedFrame : frame;
}

function clickPane(clicked: App, cell: CellPosition, runIn: (owner: App) => Click['run']): void {
  const frame = clickedFrame(clicked);
  const other = isInOtherPane(frame, cell) ? otherPaneFrame(frame) : undefined;
  const app = other === undefined ? clicked : focusOtherPane(clicked);
  const painted = other ?? frame;
  const part = paneInputs.find((one) => one.isAt(painted, cell));
  const isTyping = listBeingFiltered(app.screen) !== undefined;
  const hadFocus = other === undefined && app.screen.focus === part?.focus && !isTyping;
  part?.click?.(app, {cell, painted, hadFocus, run: runIn(app)});
}

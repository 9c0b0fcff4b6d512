import {cancelUpload} from '#ui/composer/attach-files.ts';
import {saveTextAsDraft} from '#ui/composer/open-composer.ts';
import type {App} from '#ui/core/app.ts';
import {resortInbox} from '#ui/inbox/enter-inbox.ts';
import {focusLeft, focusNext, togglePeople, toggleSidebar} from '#ui/layout/pane-focus.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {clearFilter, listBeingFiltered} from '#ui/lists/visible-rows.ts';
import {escapeOneLevel} from '#ui/navigation/escape.ts';
import {confirm} from '#ui/overlays/picker.ts';
import {setMouse} from '#ui/settings/set-mouse.ts';
import {fetchShownLists} from '#ui/watchers/channel-lists.ts';
import {unkeptText} from '#ui/watchers/report-problems.ts';
import type {Command} from './command.ts';
import {inConversationLists, inEmptyMessages} from './context-names.ts';

/** The time within which a second Ctrl-C quits. */
const quitConfirmMs = 1500;

/** Cancels the innermost of overlay, filter, upload and composer text; asks to quit when there is none. */
function cancel(app: App): void {
  const {screen} = app;
  if (screen.overlays.length > 0) app.closeOverlay();
  else if (listBeingFiltered(screen) !== undefined) clearFilter(app);
  else if (cancelUpload(app) || (screen.focus === 'composer' && saveTextAsDraft(app))) return;
  else askToQuit(app);
}

function askToQuit(app: App): void {
  const now = app.clock.monotonic();
  const {quitAskedAt} = app.screen;
  if (quitAskedAt !== undefined && now - quitAskedAt <= quitConfirmMs) {
    quit(app);
    return;
  }
  app.set({quitAskedAt: now});
  const unkept = unkeptText(app);
  const consequence = unkept === undefined ? 'Drafts and unsent messages are kept.' : `Not kept: ${unkept}.`;
  // Shown exactly as long as a second Ctrl-C quits.
  app.toast(`Press Ctrl-C again to quit. ${consequence}`, unkept === undefined ? 'plain' : 'warning', quitConfirmMs);
}

/** Quits; asks first when something would be lost. */
function quit(app: App): void {
  const unkept = unkeptText(app);
  if (unkept === undefined) {
    app.device.quit();
    return;
  }
  app.set({quitAskedAt: undefined});
  confirm(app, {
    title: `Quit and lose ${unkept}?`,
    yes: 'Quit and lose them',
    detail: 'nothing can be written to disk',
    onYes: () => app.device.quit(),
  });
}

function toggleMouse(app: App): void {
  const isMouseOn = !app.screen.isMouseOn;
  setMouse(app, isMouseOn);
  app.toast(isMouseOn ? 'Mouse on: click and scroll in Parley' : 'Mouse off: the terminal has it');
}

/** Shows text only, so that the terminal can select it; the next key shows the panes again. */
function showBare(app: App): void {
  app.set({panes: {...app.screen.panes, isBare: true}, focus: 'main'});
  if (app.screen.isMouseOn) app.device.setMouse(false);
}

/** Redraws the screen, fetches again what could not be loaded, and sorts the inbox, whose order never changes by itself. */
function redraw(app: App): void {
  const top = app.screen.overlays.at(-1);
  if (top === undefined) fetchShownLists(app);
  else if (top.kind === 'card') top.card.reload?.();
  else if (top.kind === 'picker') top.picker.reload?.();
  if (focusedList(app.screen) === 'inbox') resortInbox(app);
  app.device.redraw();
}

export const paneCommands: readonly Command[] = [
  {
    id: 'focus.next',
    title: 'Next pane',
    aliases: ['switch pane', 'focus'],
    contexts: ['nav'],
    isKeyOnly: true,
    hint: 'panes',
    hints: {banner: 2},
    worksBeforeFirstPaint: true,
    run: (app) => focusNext(app, 1),
  },
  {
    id: 'focus.prev',
    title: 'Previous pane',
    aliases: ['switch pane', 'focus'],
    contexts: ['nav'],
    isKeyOnly: true,
    worksBeforeFirstPaint: true,
    run: (app) => focusNext(app, -1),
  },
  {
    id: 'focus.left',
    title: 'Go to the left pane',
    contexts: ['msgs'],
    isKeyOnly: true,
    worksBeforeFirstPaint: true,
    run: focusLeft,
  },
  {
    id: 'pane.sidebar',
    title: 'Show / hide channel sidebar',
    aliases: ['sidebar', 'toggle sidebar', 'channel list', 'left pane'],
    contexts: ['nav'],
    hint: 'channels',
    hints: {msgs: 9, ...inEmptyMessages(4), 'msgs wider': false},
    worksBeforeFirstPaint: true,
    run: toggleSidebar,
  },
  {
    id: 'pane.users',
    title: 'Show / hide people sidebar',
    aliases: ['members pane', 'user list', 'right sidebar'],
    contexts: ['nav'],
    hint: 'people',
    worksBeforeFirstPaint: true,
    run: togglePeople,
  },
  {
    id: 'back',
    title: 'Step out: selection, filter, pane, conversation, home',
    aliases: ['escape', 'home'],
    contexts: ['nav'],
    isKeyOnly: true,
    hint: 'back',
    hints: {
      msgs: 11,
      list: 8,
      drafts: 7,
      browser: 9,
      'browser archived': 6,
      banner: 3,
      'inbox done': 4,
      'inbox people': 5,
      'drafts reminders': 5,
      ...inConversationLists(11),
      ...inEmptyMessages(7),
    },
    worksBeforeFirstPaint: true,
    run: escapeOneLevel,
  },
  {
    id: 'view.bare',
    title: 'Show text only, to select it with the terminal',
    aliases: ['select text', 'copy mode', 'plain text'],
    contexts: ['global'],
    run: showBare,
  },
  {
    id: 'mouse.toggle',
    title: 'Mouse on / off',
    aliases: ['toggle mouse', 'enable mouse', 'disable mouse'],
    contexts: ['global'],
    run: toggleMouse,
  },
  {
    id: 'app.redraw',
    title: 'Redraw the screen, and load what could not be loaded',
    aliases: ['refresh', 'reload', 'repaint'],
    contexts: ['global'],
    run: redraw,
  },
  {
    id: 'app.suspend',
    title: 'Suspend to the shell',
    aliases: ['background', 'shell'],
    contexts: ['global'],
    run: ({device}) => device.suspend(),
  },
  {
    id: 'app.cancel',
    title: 'Cancel; press twice to quit',
    aliases: ['abort'],
    contexts: ['global'],
    isKeyOnly: true,
    run: cancel,
  },
  {
    id: 'app.quit',
    title: 'Quit Parley',
    aliases: ['quit', 'exit', 'close', 'q', 'log off'],
    contexts: ['global'],
    run: quit,
  },
];

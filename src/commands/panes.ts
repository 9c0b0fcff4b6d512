import {cancelUpload} from '#app/composer/attach-files.ts';
import {saveTextAsDraft} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {otherApps} from '#app/core/other-apps.ts';
import {resortInbox} from '#app/inbox/enter-inbox.ts';
import {clearFilter} from '#app/lists/change-list.ts';
import {openRowTarget} from '#app/navigation/open-row.ts';
import {confirm} from '#app/overlays/picker.ts';
import {openPalette} from '#app/palette/palette.ts';
import {
  changeOtherPane,
  closeFocusedPane,
  closeOtherPane,
  focusOtherPane,
  openInOtherPane,
} from '#app/panes/other-pane.ts';
import {escapeOneLevel, focusLeft, focusNext, togglePeople, toggleSidebar} from '#app/panes/pane-focus.ts';
import {setMouse} from '#app/settings/set-mouse.ts';
import {unkeptText} from '#app/watchers/report-problems.ts';
import {fetchShownLists} from '#app/watchers/watch-lists.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {readsOf} from '#ui/core/overlay.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {canShowTwoPanes, minForTwoPanes} from '#ui/layout/layout.ts';
import {focusedList} from '#ui/list-table.ts';
import {cursorRow, listBeingFiltered} from '#ui/lists/visible-rows.ts';
import type {PaneDirection} from '#ui/other-pane/other-pane-state.ts';
import {type Command, command, inConversationLists, inEmptyMessages} from './command.ts';

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
  else for (const each of [app, ...otherApps(app)]) each.session.queries.fetchAgain(readsOf(top));
  if (focusedList(app.screen) === inboxList) resortInbox(app);
  app.imageLoader?.retry();
  app.device.redraw();
}

export const paneCommands: readonly Command[] = [
  command('focus.next', 'Next pane', (app) => focusNext(app, 1), {
    aliases: ['switch pane', 'focus'],
    isKeyOnly: true,
    hint: 'panes',
    hints: {banner: 2},
    worksBeforeFirstPaint: true,
  }),
  command('focus.prev', 'Previous pane', (app) => focusNext(app, -1), {
    aliases: ['switch pane', 'focus'],
    isKeyOnly: true,
    worksBeforeFirstPaint: true,
  }),
  command('focus.left', 'Go to the left pane', focusLeft, {
    contexts: ['msgs'],
    isKeyOnly: true,
    worksBeforeFirstPaint: true,
  }),
  command('pane.sidebar', 'Show / hide channel sidebar', toggleSidebar, {
    aliases: ['sidebar', 'toggle sidebar', 'channel list', 'left pane'],
    hint: 'channels',
    hints: {msgs: 9, ...inEmptyMessages(4), 'msgs wider': false},
    worksBeforeFirstPaint: true,
  }),
  command('pane.users', 'Show / hide people sidebar', togglePeople, {
    aliases: ['members pane', 'user list', 'right sidebar'],
    hint: 'people',
    worksBeforeFirstPaint: true,
  }),
  command('back', 'Step out: selection, filter, pane, conversation, home', escapeOneLevel, {
    aliases: ['escape', 'home'],
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
  }),
  command('view.bare', 'Show text only, to select it with the terminal', showBare, {
    aliases: ['select text', 'copy mode', 'plain text'],
    contexts: ['global'],
  }),
  command('mouse.toggle', 'Mouse on / off', toggleMouse, {
    aliases: ['toggle mouse', 'enable mouse', 'disable mouse'],
    contexts: ['global'],
  }),
  command('app.redraw', 'Redraw the screen, and load what could not be loaded', redraw, {
    aliases: ['refresh', 'reload', 'repaint'],
    contexts: ['global'],
  }),
  command('app.suspend', 'Suspend to the shell', ({device}) => device.suspend(), {
    aliases: ['background', 'shell'],
    contexts: ['global'],
  }),
  command('app.cancel', 'Cancel; press twice to quit', cancel, {
    aliases: ['abort'],
    contexts: ['global'],
    isKeyOnly: true,
  }),
  command('app.quit', 'Quit Parley', quit, {aliases: ['quit', 'exit', 'close', 'q', 'log off'], contexts: ['global']}),
];

/**
 * Shows the conversation under the cursor of a list in the other pane. Among messages it turns the panes, or asks what to
 * show.
 */
function showInOtherPane(app: App, direction: PaneDirection): void {
  const list = focusedList(app.screen);
  const target = list === undefined ? undefined : cursorRow(app.frame, list)?.target;
  const before = app.screen.otherPane;
  if (target !== undefined) openInOtherPane(app, direction, () => openRowTarget(app, target));
  else if (before !== undefined && before.direction !== direction) changeOtherPane(app, {direction, isZoomed: false});
  else {
    openPalette(app, {
      commands: () => [],
      accounts: [],
      runCommand: () => {},
      switchAccount: () => {},
      pane: {
        title: direction === 'beside' ? 'Show beside' : 'Show below',
        open: (opened, open) => openInOtherPane(opened, direction, open),
      },
    });
  }
}

const roomProblem =
  (direction: PaneDirection) =>
  ({screen: {size}}: AppReader): string | undefined => {
    if (canShowTwoPanes(size, direction)) return undefined;
    return direction === 'beside'
      ? `Two panes side by side need ${minForTwoPanes.beside.columns} columns; this terminal has ${size.columns}`
      : `Two panes one below the other need ${minForTwoPanes.below.rows} rows; this terminal has ${size.rows}`;
  };

function onePane({screen, info}: AppReader): string | undefined {
  if (screen.otherPane !== undefined) return undefined;
  return `There is one pane; ${info.keys?.keyOf('pane.split.beside') ?? 'Ctrl-W v'} shows a second one`;
}

const isDivided = (app: AppReader) => onePane(app) === undefined;

/** Focuses the left or upper pane, or the other one. */
function focusByPlace(app: App, isFirst: boolean): void {
  if (app.screen.otherPane?.isFirst === isFirst) focusOtherPane(app);
}

export const twoPaneCommands: readonly Command[] = [
  command('pane.split.beside', 'Show a second conversation beside', (app) => showInOtherPane(app, 'beside'), {
    aliases: ['split', 'vsplit', 'vertical split', 'second pane', 'two conversations'],
    hint: 'beside',
    disabledReason: roomProblem('beside'),
  }),
  command('pane.split.below', 'Show a second conversation below', (app) => showInOtherPane(app, 'below'), {
    aliases: ['horizontal split', 'second pane', 'two conversations'],
    hint: 'below',
    disabledReason: roomProblem('below'),
  }),
  command('pane.other', 'Go to the other pane', focusOtherPane, {
    aliases: ['switch pane', 'second pane', 'focus'],
    contexts: ['nav', 'composer'],
    hint: 'other pane',
    hints: {msgs: 4.5},
    hasEffect: isDivided,
    disabledReason: onePane,
  }),
  command('pane.first', 'Go to the left or upper pane', (app) => focusByPlace(app, true), {disabledReason: onePane}),
  command('pane.second', 'Go to the right or lower pane', (app) => focusByPlace(app, false), {disabledReason: onePane}),
  command(
    'pane.zoom',
    'Show this pane alone, or both again',
    (app) => changeOtherPane(app, {isZoomed: app.screen.otherPane?.isZoomed === false}),
    {aliases: ['zoom', 'maximize', 'full screen'], hint: 'zoom', disabledReason: onePane},
  ),
  command('pane.close', 'Close this pane', closeFocusedPane, {
    aliases: ['unsplit', 'close split'],
    disabledReason: onePane,
  }),
  command('pane.only', 'Close the other pane', closeOtherPane, {
    aliases: ['unsplit', 'only this pane'],
    disabledReason: onePane,
  }),
];

import type {App, AppReader} from '#ui/core/app.ts';
import type {PaneDirection} from '#ui/core/screen-state.ts';
import {canShowTwoPanes, minForTwoPanes} from '#ui/layout/layout.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {openRowTarget} from '#ui/lists/move-in-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {
  changeOtherPane,
  closeFocusedPane,
  closeOtherPane,
  focusOtherPane,
  openInOtherPane,
} from '#ui/other-pane/saved-panes.ts';
import {openPalette} from '#ui/palette/palette.ts';
import {type Command, command} from './command.ts';

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
      commands: [],
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
    aliases: ['split', 'horizontal split', 'second pane', 'two conversations'],
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

import type {App} from '#app/core/app.ts';
import {otherApps} from '#app/core/other-apps.ts';
import {inUndoGroup} from '#app/core/undo-group.ts';
import {changeList} from '#app/lists/change-list.ts';
import {composed, joined} from '#std/composed-text.ts';
import {type Frame, keyInOrganization} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {focusedList} from '#ui/list-table.ts';
import {shownAs} from '#ui/lists/list-state.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';

/**
 * Returns the apps in which a command on the focused list acts: this one, or those with selected rows if another organization has
 * any. Each app has the selection of its own rows; a list of all organizations shows all of them.
 */
export function appsOfSelection(app: App): readonly App[] {
  const list = focusedList(app.screen);
  if (list?.isMerged !== true || app.screen.view.kind === 'triage') return [app];
  const isVisible = (key: string) => visibleRowsOf(app.frame, list).indexByKey.has(key);
  // Another organization may be at another tab: what is selected there is not on the screen.
  const isSelected = (each: App) =>
    focusedList(each.screen) === list &&
    list.keyPrefix?.(each.frame) === list.keyPrefix?.(app.frame) &&
    [...each.screen.lists[list.id].selected].some((key) =>
      isVisible(each === app ? key : keyInOrganization(each.info.accountName, key)),
    );
  const others = otherApps(app).filter(isSelected);
  if (others.length === 0) return [app];
  return isSelected(app) ? [app, ...others] : others;
}

/**
 * Runs a function in each app. What it does refers to what this screen shows of the account: the account itself may have painted newer
 * messages, which nobody has seen.
 */
export function inEach(app: App, apps: readonly App[], run: (each: App) => void): void {
  const shown = app.frames.paintedFrame.organizations?.all ?? [];
  for (const each of apps) {
    if (each === app) {
      run(each);
      continue;
    }
    const seen = shown.find(({name}) => name === each.info.accountName)?.frame;
    if (seen !== undefined) each.frames.referTo(seenAs(app, each, seen));
    run(each);
    each.frames.paintNow();
  }
}

/** Gives another account the filter, folds and tab of the list that is shown. Returns its frame with them: hidden rows are no target. */
function seenAs(app: App, other: App, seen: Frame): Frame {
  const list = focusedList(app.screen);
  if (list?.isMerged !== true) return seen;
  changeList(other, list.id, (own) => shownAs(own, app.screen.lists[list.id]));
  const {screen} = seen;
  return {...seen, screen: {...screen, lists: {...screen.lists, [list.id]: other.screen.lists[list.id]}}};
}

/** Runs a command on all selected rows, of whichever organizations they are. One undo takes back all of it. */
export function runOnSelection(app: App, run: (each: App) => void): void {
  const apps = appsOfSelection(app);
  const before = apps.map(latestAction);
  inUndoGroup(() => inEach(app, apps, run));
  const isOwn = apps.length === 1 && apps[0] === app;
  if (isOwn) return;
  const isChanged = apps.some((each, at) => latestAction(each) !== before[at]);
  if (isChanged) app.toast(withUndoKey(resultsOf(apps)));
  else app.toast(resultsOf(apps), apps.every(({screen}) => screen.toast?.tone === 'plain') ? 'plain' : 'warning');
}

function latestAction({undoStack}: App): object | undefined {
  return undoStack.canUndo ? undoStack.latest() : undefined;
}

/** Returns why a command on the rows of one organization cannot run: rows of another one are selected. */
export function otherSelectionProblem(app: App): string | undefined {
  const apps = appsOfSelection(app);
  if (apps.every((each) => each === app)) return undefined;
  const names = joined(apps.map(({info}) => info.accountName));
  return apps.length === 1
    ? composed`The selected rows are of ${names}. Put the cursor on one of them first.`
    : composed`The selected rows are of ${names}. Select rows of one organization only.`;
}

/** Returns what each organization said about the command. */
export function resultsOf(apps: readonly App[]): string {
  return apps
    .map(({info, screen: {toast}}) => composed`${info.accountName}: ${toast?.message?.text ?? toast?.text ?? ''}`)
    .join('; ');
}

/** Clears the selected rows of the focused list in the other organizations. */
export function clearSelectionOfOthers(app: App): void {
  const list = focusedList(app.screen);
  if (list?.isMerged !== true) return;
  for (const other of otherApps(app)) {
    if (other.screen.lists[list.id].selected.size === 0) continue;
    changeList(other, list.id, (state) => ({...state, selected: new Set()}));
    other.frames.paintNow();
  }
}

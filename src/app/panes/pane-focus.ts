import type {App} from '#app/core/app.ts';
import {changeList, clearFilter, startFilter} from '#app/lists/change-list.ts';
import {moveInList} from '#app/lists/move-in-list.ts';
import {goBack, openView, openVisit} from '#app/navigation/navigation.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {clearSelectionOfOthers} from '#app/targets/selection.ts';
import {moveInMessagesAndRead} from '#app/triage/read-to-end.ts';
import {bannerOfferAt} from '#ui/banner/banner-lines.ts';
import {composerRows} from '#ui/composer/composer-lines.ts';
import {type Frame, homeView, sameView, viewChannelId} from '#ui/core/frame.ts';
import type {Motion} from '#ui/core/motion.ts';
import type {Focus} from '#ui/core/screen-state.ts';
import {hasDrawer, hasTopicsBeside, shownOtherPane, sizeClass} from '#ui/layout/layout.ts';
import {focusedList, selectedCount} from '#ui/list-table.ts';
import type {ListId} from '#ui/lists/list-state.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {focusOtherPane} from './other-pane.ts';

/** The panes that Tab cycles through, left to right, including lists that would open over the messages. */
function focusOrder(frame: Frame): readonly Focus[] {
  const {screen} = frame;
  const layout = screenLayout(frame);
  const isDrawn = hasDrawer(screen);
  const topicsBeside = isDrawn ? hasTopicsBeside(screen.view) : layout.topics !== undefined;
  const panes: Focus[] = [];
  if (isDrawn || layout.channels !== undefined) panes.push('channels');
  if (topicsBeside) panes.push('topics');
  // A lost connection comes back by itself, so the other panes come first; other problems need the user.
  const isPassing = frame.account.connection.phase === 'offline';
  const hasTrouble = bannerOfferAt(frame, layout, 'connection') !== undefined;
  const other = shownOtherPane(screen);
  if (other?.isFirst === true) panes.push('other');
  panes.push('main');
  if (other?.isFirst === false) panes.push('other');
  if (bannerOfferAt(frame, layout, 'banner') !== undefined) panes.push('banner');
  if (hasTrouble && !isPassing) panes.push('connection');
  if (layout.people !== undefined) panes.push('people');
  if (hasTrouble && isPassing) panes.push('connection');
  // Last, because Tab has another meaning there.
  if (screen.composer.isOpen && composerRows(frame) > 0) panes.push('composer');
  return panes;
}

/** Focuses a pane. A list starts at the conversation that the main pane shows. */
export function focusPane(app: App, focus: Focus): void {
  if (focus === 'other') {
    focusOtherPane(app);
    return;
  }
  if (focus === 'channels' || focus === 'topics' || focus === 'people') {
    changeList(app, focus, (list) => (list.cursor === undefined ? list : {...list, cursor: undefined}));
  }
  app.set({focus});
}

export function focusNext(app: App, step: 1 | -1): void {
  const panes = focusOrder(app.frame);
  const at = panes.indexOf(app.screen.focus);
  const next = panes[(Math.max(0, at) + step + panes.length) % panes.length];
  if (next !== undefined) focusPane(app, next);
}

/** Focuses the pane to the left of the current one; shows hidden lists. */
export function focusLeft(app: App): void {
  const isBelow = shownOtherPane(app.screen)?.direction === 'below';
  const panes: readonly Focus[] = focusOrder(app.frame).filter(
    (pane) => pane !== 'banner' && pane !== 'connection' && !(isBelow && pane === 'other'),
  );
  const left = panes[panes.indexOf(app.screen.focus) - 1];
  if (left !== undefined) focusPane(app, left);
  else if (app.screen.panes.sidebar === 'hidden') showSidebar(app);
}

function showSidebar(app: App): void {
  app.setIn('panes', {sidebar: 'shown'});
  focusPane(app, 'channels');
}

const sideFocus: ReadonlySet<Focus> = new Set(['channels', 'topics']);

/** Toggles the side lists. Where they lie over the messages, they are open while focused. */
export function toggleSidebar(app: App): void {
  const {panes, focus} = app.screen;
  if (hasDrawer(app.screen)) {
    focusPane(app, sideFocus.has(focus) ? 'main' : 'channels');
    return;
  }
  const isHidden = panes.sidebar === 'hidden';
  app.set({
    panes: {...panes, sidebar: isHidden ? 'shown' : 'hidden'},
    focus: !isHidden && sideFocus.has(focus) ? 'main' : focus,
  });
}

/** Toggles the people pane where there is room, else the people view. */
export function togglePeople(app: App): void {
  const {screen} = app;
  const isDivided = shownOtherPane(screen) !== undefined;
  if (sizeClass(screen.size) !== 'xl' || isDivided || hasDrawer(screen)) {
    if (screen.view.kind !== 'people' || !goBack(app)) openView(app, {kind: 'people'});
    return;
  }
  const isShown = screenLayout(app.frame).people !== undefined;
  app.set({
    panes: {...screen.panes, people: isShown ? 'hidden' : 'shown'},
    focus: isShown && screen.focus === 'people' ? 'main' : screen.focus,
  });
  if (!isShown) fetchShownSubscribers(app);
}

/** Fetches the subscribers of the shown channel if the people pane is visible. */
export function fetchShownSubscribers(app: App): void {
  const channelId = viewChannelId(app.screen.view);
  if (channelId === undefined || screenLayout(app.frame).people === undefined) return;
  ignoreFailure(app.session.fetchSubscribers(channelId));
}

export function filterSidebar(app: App): void {
  if (app.screen.panes.sidebar === 'hidden') showSidebar(app);
  beginFilter(app, 'channels');
}

export function filterPeople(app: App): void {
  if (screenLayout(app.frame).people === undefined) togglePeople(app);
  if (app.screen.view.kind === 'people') startFilter(app, 'people');
  else beginFilter(app, 'people');
}

function beginFilter(app: App, id: Extract<ListId, Focus>): void {
  focusPane(app, id);
  startFilter(app, id);
}

/** Moves the cursor of the focused list, or the selection among messages. */
export function moveCursor(app: App, motion: Motion): void {
  const list = focusedList(app.screen);
  if (list === undefined) moveInMessagesAndRead(app, motion);
  else moveInList(app, list, motion);
}

/**
 * Leaves one level: a selection, a filter, a side pane, a conversation, and last the view for the home view.
 * Changes no data and never quits.
 */
export function escapeOneLevel(app: App): void {
  const {screen} = app;
  const list = focusedList(screen);
  if (list !== undefined && selectedCount(app.frame) > 0) {
    changeList(app, list.id, (state) => ({...state, selected: new Set()}));
    clearSelectionOfOthers(app);
  } else if (list !== undefined && screen.lists[list.id].filter.text !== '') {
    clearFilter(app, list.id);
  } else if (screen.focus !== 'main') {
    app.set({focus: 'main'});
  } else {
    leaveView(app);
  }
}

/** Returns to the list from which a conversation was opened, or else to the home view. */
function leaveView(app: App): void {
  const {view, back} = app.screen;
  const home = homeView(app.state);
  if (sameView(view, home)) return;
  const previousList = view.kind === 'messages' ? back.findLast((visit) => visit.view.kind !== 'messages') : undefined;
  const goesHome = app.state.settings.webEscapeNavigatesToHomeView !== false;
  if (previousList !== undefined) openVisit(app, previousList);
  else if (goesHome) openView(app, home);
}

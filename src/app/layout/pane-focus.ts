import {bannerOfferAt} from '#app/chrome/banner.ts';
import {composerRows} from '#app/compose/pane/composer-pane.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {Focus, ListId} from '#app/core/screen-state.ts';
import {viewChannelId} from '#app/core/view.ts';
import {changeList, startFilter} from '#app/lists/list-filter.ts';
import {goBack, ignoreFailure, openView} from '#app/navigation/navigation.ts';
import {hasDrawer, sizeClass} from './layout.ts';
import {screenLayout} from './screen-layout.ts';

/** The panes that Tab goes through, from left to right; lists that can be drawn over the messages are among them. */
export function focusOrder(frame: Frame): readonly Focus[] {
  const {screen} = frame;
  const layout = screenLayout(frame);
  const isDrawn = hasDrawer(screen);
  const topicsBeside = isDrawn ? screen.view.kind === 'messages' : layout.topics !== undefined;
  const panes: Focus[] = [];
  if (isDrawn || layout.channels !== undefined) panes.push('channels');
  if (topicsBeside) panes.push('topics');
  // A connection that is lost comes back by itself: the panes come first then. Everything else waits for somebody.
  const isPassing = frame.account.connection.phase === 'offline';
  const hasTrouble = bannerOfferAt(frame, layout, 'connection') !== undefined;
  panes.push('main');
  if (bannerOfferAt(frame, layout, 'banner') !== undefined) panes.push('banner');
  if (hasTrouble && !isPassing) panes.push('connection');
  if (layout.people !== undefined) panes.push('people');
  if (hasTrouble && isPassing) panes.push('connection');
  // Last, because Tab means something else there.
  if (screen.composer.isOpen && composerRows(frame) > 0) panes.push('composer');
  return panes;
}

/** A list that gets the keys begins at what the main pane shows. */
export function focusPane(app: App, focus: Focus): void {
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

/** The pane to the left of the one with the keys; hidden lists come back for it. */
export function focusLeft(app: App): void {
  const panes: readonly Focus[] = focusOrder(app.frame).filter(
    (pane) => pane !== 'banner' && pane !== 'connection',
  );
  const left = panes[panes.indexOf(app.screen.focus) - 1];
  if (left !== undefined) focusPane(app, left);
  else if (app.screen.panes.sidebar === 'hidden') showSidebar(app);
}

function showSidebar(app: App): void {
  app.set({panes: {...app.screen.panes, sidebar: 'shown'}});
  focusPane(app, 'channels');
}

const sideFocus: ReadonlySet<Focus> = new Set(['channels', 'topics']);

/** Where lists lie over the messages, they are there for as long as they have the keys. */
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

/** Beside the messages where there is room, else in their place. */
export function togglePeople(app: App): void {
  const {screen} = app;
  if (sizeClass(screen.size) !== 'xl' || hasDrawer(screen)) {
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

/** Who subscribes to the channel that is shown, where people are. */
export function fetchShownSubscribers(app: App): void {
  const channelId = viewChannelId(app.screen.view);
  if (channelId === undefined || screenLayout(app.frame).people === undefined) return;
  ignoreFailure(app, app.session.fetchSubscribers(channelId));
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

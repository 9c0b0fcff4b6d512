import {firstUnreadId} from '#state/selectors/timeline.ts';
import {resumeComposer, saveComposerForLater} from '#ui/composer/resume-composer.ts';
import type {App} from '#ui/core/app.ts';
import type {ReturnPoint} from '#ui/core/screen-state.ts';
import {viewKey} from '#ui/core/view.ts';
import {closeFilterInput, listBeingFiltered, startFilter} from '#ui/lists/list-filter.ts';
import {changeTimeline, openView} from './navigation.ts';

/** Returns where the user is. The composer's text is on disk when this returns. */
export function captureReturnPoint(app: App): ReturnPoint {
  const composer = saveComposerForLater(app);
  const {view, focus, timelines} = app.screen;
  const filtered = listBeingFiltered(app.screen);
  return {view, focus, timeline: timelines.get(viewKey(view)), composer, filtered};
}

/** Closes overlays and the filter input before another view opens. */
export function closeOverlaysAndFilter(app: App): void {
  for (let left = app.screen.overlays.length; left > 0; left--) app.closeOverlay();
  closeFilterInput(app);
}

/** Opens a return point with the scroll position, focus and composer it had. */
export function goToReturnPoint(app: App, {view, focus, timeline, composer, filtered}: ReturnPoint): void {
  if (view.kind === 'messages' && timeline !== undefined) {
    // Messages that arrived since then count as seen: the view would otherwise scroll to the first of them.
    const unread = firstUnreadId(app.state, view.narrow);
    changeTimeline(app, view, () => ({...timeline, firstUnread: unread, isPeek: false}));
  }
  openView(app, view);
  if (timeline !== undefined) {
    changeTimeline(app, view, ({hasLoaded, slowOutboxIds}) => ({
      ...timeline,
      hasLoaded,
      slowOutboxIds,
    }));
  }
  const isWriting = composer !== undefined && resumeComposer(app, composer);
  if (focus !== 'composer') app.set({focus});
  else if (!isWriting) app.set({focus: 'main'});
  if (filtered !== undefined) startFilter(app, filtered);
}

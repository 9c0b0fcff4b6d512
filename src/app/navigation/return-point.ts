import {resumeComposer, saveComposerForLater} from '#app/compose/resume-composer.ts';
import type {App} from '#app/core/app.ts';
import type {ReturnPoint} from '#app/core/screen-state.ts';
import {viewKey} from '#app/core/view.ts';
import {closeFilterInput, listBeingFiltered, startFilter} from '#app/lists/list-filter.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';
import {changeTimeline, openView} from './navigation.ts';

/** Everything in it is on disk when this returns. */
export function captureReturnPoint(app: App): ReturnPoint {
  const composer = saveComposerForLater(app);
  const {view, focus, timelines} = app.screen;
  const filtered = listBeingFiltered(app.screen);
  return {view, focus, timeline: timelines.get(viewKey(view)), composer, filtered};
}

/** Puts away what lies over the view and whatever else has the keys: one goes elsewhere from here. */
export function closeOverlaysAndFilter(app: App): void {
  for (let left = app.screen.overlays.length; left > 0; left--) app.closeOverlay();
  closeFilterInput(app);
}

/** Back to it, line by line as it was left. */
export function goToReturnPoint(app: App, {view, focus, timeline, composer, filtered}: ReturnPoint): void {
  if (view.kind === 'messages' && timeline !== undefined) {
    // As if nothing had come since: else one would be led to what is new there.
    const unread = firstUnreadId(app.state, view.narrow);
    changeTimeline(app, view, () => ({...timeline, firstUnread: unread, isPeek: false}));
  }
  openView(app, view);
  if (timeline !== undefined) {
    changeTimeline(app, view, ({hasLoaded: hasCome, slowOutboxIds: slow}) => ({
      ...timeline,
      hasLoaded: hasCome,
      slowOutboxIds: slow,
    }));
  }
  const isWriting = composer !== undefined && resumeComposer(app, composer);
  if (focus !== 'composer') app.set({focus});
  else if (!isWriting) app.set({focus: 'main'});
  if (filtered !== undefined) startFilter(app, filtered);
}

import {laidAside, takeUp} from '#app/compose/resume-composer.ts';
import type {App} from '#app/core/app.ts';
import type {Place} from '#app/core/screen-state.ts';
import {viewKey} from '#app/core/view.ts';
import {filteringList, keepFilter, startFilter} from '#app/lists/list-filter.ts';
import {firstUnread} from '#state/selectors/timeline.ts';
import {changeTimeline, openView} from './navigation.ts';

/** Everything in it is on disk when this returns. */
export function placeNow(app: App): Place {
  const composer = laidAside(app);
  const {view, focus, timelines} = app.screen;
  const filtered = filteringList(app.screen);
  return {view, focus, timeline: timelines.get(viewKey(view)), composer, filtered};
}

/** Puts away what lies over the view and whatever else has the keys: one goes elsewhere from here. */
export function leaveMenus(app: App): void {
  for (let left = app.screen.overlays.length; left > 0; left--) app.closeOverlay();
  keepFilter(app);
}

/** Back to it, line by line as it was left. */
export function openPlace(app: App, {view, focus, timeline, composer, filtered}: Place): void {
  if (view.kind === 'messages' && timeline !== undefined) {
    // As if nothing had come since: else one would be led to what is new there.
    const unread = firstUnread(app.state, view.narrow);
    changeTimeline(app, view, () => ({...timeline, firstUnread: unread, isPeek: false}));
  }
  openView(app, view);
  if (timeline !== undefined) {
    changeTimeline(app, view, ({hasCome, slow}) => ({...timeline, hasCome, slow}));
  }
  const isWriting = composer !== undefined && takeUp(app, composer);
  if (focus !== 'composer') app.set({focus});
  else if (!isWriting) app.set({focus: 'main'});
  if (filtered !== undefined) startFilter(app, filtered);
}

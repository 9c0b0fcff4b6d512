import type {App} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';

/** Moves to the oldest unread message of the view. */
export function goToFirstUnread(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const id = firstUnreadId(app.state, view.narrow);
  if (id === undefined) app.toast('No unread messages here');
  else openView(app, view, {anchor: id});
}

import type {App} from '#app/core/app.ts';
import {openView} from '#app/navigation/navigation.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';

/** Goes to the oldest message here that is unread. */
export function goToFirstUnread(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const id = firstUnreadId(app.state, view.narrow);
  if (id === undefined) app.toast('Nothing is unread here.');
  else openView(app, view, {anchor: id});
}

import {timelineOf} from '#state/selectors/timeline.ts';
import type {App} from '#ui/core/app.ts';
import {ignoreFailure, openView} from '#ui/navigation/navigation.ts';
import {catchUpNarrow} from './catch-up-list.ts';

const dayMs = 86_400_000;
const pageSize = 1000;
/** More unread messages than this are not loaded. */
const maxLoaded = 3000;

/** Opens the cards of what happened in the last days. Older messages and those that arrive later are left to the inbox. */
export function openCatchUp(app: App, days: number): void {
  // In whole minutes, so that opening it again within one loads nothing twice.
  const since = Math.floor((app.clock.now() - days * dayMs) / 60_000) * 60;
  openView(app, {kind: 'catchUp', since, upTo: app.state.maxMessageId});
  ignoreFailure(app, loadUnread(app, since));
}

async function loadUnread({session}: App, since: number): Promise<void> {
  const narrow = await session.timelines.open(catchUpNarrow(since), 'newest', pageSize);
  for (;;) {
    const timeline = timelineOf(session.cache.state, narrow);
    if (timeline === undefined || timeline.hasOldest || timeline.ids.size >= maxLoaded) return;
    const before = timeline.ids.size;
    await session.timelines.loadOlder(narrow, pageSize);
    if (timelineOf(session.cache.state, narrow)?.ids.size === before) return;
  }
}

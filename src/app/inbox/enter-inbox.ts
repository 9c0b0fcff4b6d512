import type {App} from '#app/core/app.ts';
import {changeList} from '#app/lists/change-list.ts';
import {
  changeSnoozes,
  readSnoozes,
  refreshSnoozesNow,
  showSnoozes,
  wakeSnoozedAtEnd,
} from '#app/snoozes/snooze-store.ts';
import type {InboxSort} from '#state/selectors/inbox/inbox.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {InboxOrder} from '#ui/inbox/inbox-order.ts';
import {wakeSessionSnoozes} from '#ui/inbox/snooze/snooze.ts';
import {cursorIndex, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {startInboxPrefetch} from './inbox-prefetch.ts';

/** After this time without an action, a visit starts a new triage session. */
const sessionMs = 30 * 60_000;

function isInbox({kind}: View): boolean {
  return kind === 'inbox' || kind === 'triage';
}

/** Sorts the inbox when it is opened from another view, so that new messages get their positions. */
export function enterInbox(app: App, view: View, from: View): void {
  if (!isInbox(view)) return;
  const isFirst = !app.screen.inbox.isVisited;
  if (isFirst) app.setIn('inbox', {isVisited: true});
  const isOtherLayout = isInbox(from) && from.kind !== view.kind;
  if (isOtherLayout) return;
  resortInbox(app);
  for (const {index, isShown} of app.frame.organizations?.all ?? []) {
    const other = isShown ? undefined : app.accounts.appAt?.(index);
    // Where the user has just acted, the list stays as it is.
    if (other !== undefined && !isInbox(from)) resortInbox(other);
  }
  if (isFirst) app.setIn('inbox', {isOrderFrozen: false});
}

/** Sorts again; the cursor stays on its conversation, or moves to the next one that still exists. */
export function resortInbox(app: App, sort: InboxSort = app.screen.inbox.order.sort): void {
  const now = app.clock.now();
  const successors = keysFromCursor(app.frame);
  const {log: previousLog, startedAt, order} = app.screen.inbox;
  const isNewSession = now - (previousLog.at(-1)?.at ?? Number.NEGATIVE_INFINITY) > sessionMs;
  const log = isNewSession ? [] : previousLog;
  app.setIn('inbox', {
    order: InboxOrder.begin(
      sort,
      log.flatMap(({keys}) => keys),
      isNewSession ? [] : order.sessionKeys,
    ),
    isOrderFrozen: app.state.connection.phase === 'online',
    skipped: new Set(),
    preview: undefined,
    log,
    startedAt: isNewSession ? now : startedAt,
  });
  showSnoozes(app, readSnoozes(app));
  if (isNewSession) changeSnoozes(app, (snoozes) => wakeSessionSnoozes(snoozes, now - sessionMs));
  wakeSnoozedAtEnd(app);
  const {indexByKey, rows} = visibleRowsOf(app.frame, inboxList);
  const cursor = successors.find((key) => indexByKey.has(key)) ?? rows.find(({kind}) => kind === 'item')?.key;
  changeList(app, 'inbox', (list) => ({
    ...list,
    cursor,
    index: indexByKey.get(cursor ?? '') ?? 0,
    selected: new Set(),
  }));
}

/** Sorts again and starts from the top, when the inbox was not shown before the server answered. */
export function restartInbox(app: App): void {
  changeList(app, 'inbox', (list) => ({...list, cursor: undefined}));
  resortInbox(app);
}

/** Returns the rows from the cursor on, its own row first. */
function keysFromCursor(frame: Frame): readonly string[] {
  if (frame.screen.lists.inbox.cursor === undefined) return [];
  const {rows} = visibleRowsOf(frame, inboxList);
  return rows
    .slice(Math.max(0, cursorIndex(frame, inboxList)))
    .flatMap(({kind, key}) => (kind === 'item' ? [key] : []));
}

/** Starts the inbox's watchers: prefetching and snoozes. */
export function startInboxWatchers(app: App): void {
  startInboxPrefetch(app);
  watchSnoozes(app);
}

/** Updates snoozes after every paint: read, renamed, due by time, or the last conversations left. */
function watchSnoozes(app: App): void {
  app.afterPaint(() => {
    const {snoozes} = app.screen.inbox;
    if (snoozes.size === 0) return;
    if (refreshSnoozesNow(app, snoozes) !== snoozes) changeSnoozes(app, (all) => all);
    if (isInbox(app.screen.view)) wakeSnoozedAtEnd(app);
  });
}

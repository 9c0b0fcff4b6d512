import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {View} from '#app/core/view.ts';
import {wakeSessionSnoozes} from '#app/inbox/snooze/snooze.ts';
import {changeSnoozes, readSnoozes, refreshSnoozesNow, showSnoozes} from '#app/inbox/snooze/snooze-store.ts';
import {changeList} from '#app/lists/list-filter.ts';
import {cursorIndex, visibleRowsOf} from '#app/lists/visible-rows.ts';
import {InboxOrder} from './inbox-order.ts';
import {startInboxPrefetch} from './inbox-prefetch.ts';
import {inboxContents} from './triage-rows.ts';

/** After so long without doing anything a visit begins a session of its own. */
const sessionMs = 30 * 60_000;

function isInbox({kind}: View): boolean {
  return kind === 'inbox' || kind === 'triage';
}

/** The inbox is shown, and was not just now: what came meanwhile finds its place. */
export function enterInbox(app: App, view: View, from: View): void {
  if (!isInbox(view)) return;
  const isFirst = !app.screen.inbox.isVisited;
  if (isFirst) app.update((screen) => ({...screen, inbox: {...screen.inbox, isVisited: true}}));
  const isOtherLook = isInbox(from) && from.kind !== view.kind;
  if (isOtherLook) return;
  resortInbox(app);
  if (isFirst) app.update((screen) => ({...screen, inbox: {...screen.inbox, isOrderSettled: false}}));
}

/** Sorts anew; the cursor stays with its conversation, or goes to the one that came after it. */
export function resortInbox(app: App): void {
  const now = app.clock.now();
  const successors = fromCursor(app.frame);
  const {log: before, startedAt, order} = app.screen.inbox;
  const isNewSession = now - (before.at(-1)?.at ?? Number.NEGATIVE_INFINITY) > sessionMs;
  const acts = isNewSession ? [] : before;
  app.update((screen) => ({
    ...screen,
    inbox: {
      ...screen.inbox,
      order: InboxOrder.begin(
        acts.flatMap(({keys}) => keys),
        isNewSession ? [] : order.met,
      ),
      isOrderSettled: app.state.connection.phase === 'online',
      skipped: new Set(),
      preview: undefined,
      log: acts,
      startedAt: isNewSession ? now : startedAt,
    },
  }));
  showSnoozes(app, readSnoozes(app));
  if (isNewSession) changeSnoozes(app, (laters) => wakeSessionSnoozes(laters, now - sessionMs));
  wakeSnoozedAtEnd(app);
  const {indexByKey: places, rows} = visibleRowsOf(app.frame, 'inbox');
  const cursor = successors.find((key) => places.has(key)) ?? rows.find(({kind}) => kind === 'item')?.key;
  changeList(app, 'inbox', (list) => ({
    ...list,
    cursor,
    index: places.get(cursor ?? '') ?? 0,
    selected: new Set(),
  }));
}

/** From the top, for whoever was shown nothing of it before the server had answered. */
export function restartInbox(app: App): void {
  changeList(app, 'inbox', (list) => ({...list, cursor: undefined}));
  resortInbox(app);
}

/** The rows from the cursor on, that one first. */
function fromCursor(frame: Frame): readonly string[] {
  if (frame.screen.lists.inbox.cursor === undefined) return [];
  const {rows} = visibleRowsOf(frame, 'inbox');
  return rows
    .slice(Math.max(0, cursorIndex(frame, 'inbox')))
    .flatMap(({kind, key}) => (kind === 'item' ? [key] : []));
}

/** What was put off until the end comes back when nothing else is left. Before the server has answered nobody knows that. */
export function wakeSnoozedAtEnd(app: App): void {
  const isAny = [...app.screen.inbox.snoozes.values()].some(({until}) => until.kind === 'session');
  if (!isAny || app.state.connection.phase === 'starting' || inboxContents(app.frame).counts.all > 0) return;
  changeSnoozes(app, (laters) => wakeSessionSnoozes(laters, Number.POSITIVE_INFINITY));
}

/** Follows the inbox: fetches what it shows, and tends what is put off. */
export function tendInbox(app: App): void {
  startInboxPrefetch(app);
  watchSnoozes(app);
}

/** What is put off goes along with what is heard of it: read, renamed, brought back by the hour or by being the last. */
function watchSnoozes(app: App): void {
  const look = () => {
    const {snoozes: laters} = app.screen.inbox;
    if (laters.size === 0) return;
    if (refreshSnoozesNow(app, laters) !== laters) changeSnoozes(app, (all) => all);
    if (isInbox(app.screen.view)) wakeSnoozedAtEnd(app);
  };
  app.onEnd(app.frames.subscribe(look));
}

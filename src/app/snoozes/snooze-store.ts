import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {
  parseSnooze,
  refreshSnoozes,
  type Snooze,
  type Snoozes,
  wakeSessionSnoozes,
  withoutSnoozes,
  withSnoozes,
} from '#ui/inbox/snooze/snooze.ts';
import {inboxContents} from '#ui/inbox/triage-rows.ts';

const storageKey = 'later';

/** Whether snoozes are saved and last over a restart. */
export function areSnoozesPersisted({info}: Pick<App, 'info'>): boolean {
  return !info.isExploring && !info.isReadOnly;
}

/** Whether saving the last snooze failed. */
export function isSnoozeUnsaved(app: App): boolean {
  return areSnoozesPersisted(app) && app.screen.inbox.unsavedSnoozes !== undefined;
}

/** Returns the snoozes on disk, written by this program run, an earlier one, or another program on this account. */
export function readSnoozes(app: App): Snoozes {
  const {unsavedSnoozes} = app.screen.inbox;
  if (unsavedSnoozes !== undefined) return unsavedSnoozes;
  const entries = readPersistedValue(app, storageKey, (value) =>
    Array.isArray(value) ? value.flatMap((entry) => parseSnooze(entry)) : [],
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/**
 * Changes the snoozes on screen and on disk. Starts from those on disk, so that another program's snoozes are not lost.
 */
export function changeSnoozes(app: App, change: (snoozes: Snoozes) => Snoozes): boolean {
  const before = readSnoozes(app);
  const changed = change(before);
  const snoozes = refreshSnoozesNow(app, changed);
  if (snoozes !== before) persistSnoozes(app, snoozes);
  showSnoozes(app, snoozes);
  return changed !== before;
}

function persistSnoozes(app: App, snoozes: Snoozes): void {
  const isSaved = areSnoozesPersisted(app) && persistValue(app, storageKey, [...snoozes.values()]);
  const unsavedSnoozes = isSaved ? undefined : snoozes;
  app.setIn('inbox', {unsavedSnoozes});
}

/**
 * Updates the snoozes to the current unread messages. Offline it is unknown what was read or moved, so
 * nothing is dropped.
 */
export function refreshSnoozesNow(app: App, snoozes: Snoozes): Snoozes {
  const isOnline = app.state.connection.phase === 'online';
  return isOnline ? refreshSnoozes(snoozes, app.state, app.clock.now()) : snoozes;
}

/** The snoozes of conversations before an action, for its undo. */
interface SnoozesToRestore {
  readonly keys: readonly ConversationKey[];
  readonly before: readonly Snooze[];
  readonly since?: number | undefined;
}

/**
 * Restores the snoozes of these conversations as they were before, or removes them; also those that were set
 * at the same time and renamed since.
 */
export function restoreSnoozes(app: App, {keys, before, since}: SnoozesToRestore): boolean {
  return changeSnoozes(app, (snoozes) => {
    const renamed = [...snoozes.values()].filter((entry) => entry.since === since).map((entry) => entry.key);
    return withSnoozes(withoutSnoozes(snoozes, [...keys, ...renamed]), before);
  });
}

/** Shows snoozes without saving them. */
export function showSnoozes(app: App, snoozes: Snoozes): void {
  app.update((screen) =>
    deepEqual([...screen.inbox.snoozes.values()], [...snoozes.values()])
      ? screen
      : {...screen, inbox: {...screen.inbox, snoozes}},
  );
}

/**
 * Ends the snoozes that last until the end of the session, once nothing else is unread. Before the server
 * answered that is not known.
 */
export function wakeSnoozedAtEnd(app: App): void {
  const isAny = [...app.screen.inbox.snoozes.values()].some(({until}) => until.kind === 'session');
  if (!isAny || app.state.connection.phase === 'starting' || inboxContents(app.frame).totals.all.conversations > 0)
    return;
  changeSnoozes(app, (snoozes) => wakeSessionSnoozes(snoozes, Number.POSITIVE_INFINITY));
}

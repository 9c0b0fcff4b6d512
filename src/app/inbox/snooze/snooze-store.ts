import type {App} from '#app/core/app.ts';
import {persistValue, readPersistedValue} from '#app/core/persisted-value.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {
  parseSnooze,
  refreshSnoozes,
  type Snooze,
  type Snoozes,
  withoutSnoozes,
  withSnoozes,
} from './snooze.ts';

const note = 'later';

/** Whether what is put off now is so after a restart too. */
export function areSnoozesPersisted({info: facts}: Pick<App, 'info'>): boolean {
  return !facts.isExploring && !facts.isReadOnly;
}

/** Whether the disk did not take what was put off last. */
export function isSnoozeUnsaved(app: App): boolean {
  return areSnoozesPersisted(app) && app.screen.inbox.unsavedLaters !== undefined;
}

/** What was put off, as the disk has it: by this program, one before it, or another one on this account. */
export function readSnoozes(app: App): Snoozes {
  const {unsavedLaters} = app.screen.inbox;
  if (unsavedLaters !== undefined) return unsavedLaters;
  const entries = readPersistedValue(app, note, (value) =>
    Array.isArray(value) ? value.flatMap((entry) => parseSnooze(entry)) : [],
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/** On the screen and on disk. Begins with what the disk has, so that no other program's part is lost. */
export function changeSnoozes(app: App, change: (laters: Snoozes) => Snoozes): boolean {
  const before = readSnoozes(app);
  const changed = change(before);
  const laters = refreshSnoozesNow(app, changed);
  if (laters !== before) persistSnoozes(app, laters);
  showSnoozes(app, laters);
  return changed !== before;
}

function persistSnoozes(app: App, laters: Snoozes): void {
  const isSaved = areSnoozesPersisted(app) && persistValue(app, note, [...laters.values()]);
  const unsavedLaters = isSaved ? undefined : laters;
  app.update((screen) => ({...screen, inbox: {...screen.inbox, unsavedLaters}}));
}

/** Without a connection nobody knows what was read or moved, and so nothing is forgotten. */
export function refreshSnoozesNow(app: App, laters: Snoozes): Snoozes {
  const isOnline = app.state.connection.phase === 'online';
  return isOnline ? refreshSnoozes(laters, app.state.unreads, app.clock.now()) : laters;
}

export interface SnoozesToRestore {
  readonly keys: readonly ConversationKey[];
  readonly before: readonly Snooze[];
  readonly since?: number | undefined;
}

/** These are put off as they were before, or not at all; what was put off then too, whatever it is called now. */
export function restoreSnoozes(app: App, {keys, before, since}: SnoozesToRestore): boolean {
  return changeSnoozes(app, (laters) => {
    const renamed = [...laters.values()].flatMap((entry) => (entry.since === since ? [entry.key] : []));
    return withSnoozes(withoutSnoozes(laters, [...keys, ...renamed]), before);
  });
}

export function showSnoozes(app: App, laters: Snoozes): void {
  app.update((screen) =>
    deepEqual([...screen.inbox.snoozes.values()], [...laters.values()])
      ? screen
      : {...screen, inbox: {...screen.inbox, snoozes: laters}},
  );
}

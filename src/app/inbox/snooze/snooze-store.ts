import type {App} from '#app/core/app.ts';
import {readNote, writeNote} from '#app/core/persisted-value.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {equal} from '#std/deep-equal.ts';
import {brought, type LaterEntry, type Laters, laterEntryFrom, withLaters, withoutLaters} from './snooze.ts';

const note = 'later';

/** Whether what is put off now is so after a restart too. */
export function isLaterKept({facts}: Pick<App, 'facts'>): boolean {
  return !facts.isExploring && !facts.isReadOnly;
}

/** Whether the disk did not take what was put off last. */
export function isLaterLost(app: App): boolean {
  return isLaterKept(app) && app.screen.inbox.unsavedLaters !== undefined;
}

/** What was put off, as the disk has it: by this program, one before it, or another one on this account. */
export function readLaters(app: App): Laters {
  const {unsavedLaters} = app.screen.inbox;
  if (unsavedLaters !== undefined) return unsavedLaters;
  const entries = readNote(app, note, (value) =>
    Array.isArray(value) ? value.flatMap((entry) => laterEntryFrom(entry)) : [],
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/** On the screen and on disk. Begins with what the disk has, so that no other program's part is lost. */
export function changeLaters(app: App, change: (laters: Laters) => Laters): boolean {
  const before = readLaters(app);
  const changed = change(before);
  const laters = broughtNow(app, changed);
  if (laters !== before) keepLaters(app, laters);
  showLaters(app, laters);
  return changed !== before;
}

function keepLaters(app: App, laters: Laters): void {
  const isSaved = isLaterKept(app) && writeNote(app, note, [...laters.values()]);
  const unsavedLaters = isSaved ? undefined : laters;
  app.update((screen) => ({...screen, inbox: {...screen.inbox, unsavedLaters}}));
}

/** Without a connection nobody knows what was read or moved, and so nothing is forgotten. */
export function broughtNow(app: App, laters: Laters): Laters {
  const isOnline = app.state.connection.phase === 'online';
  return isOnline ? brought(laters, app.state.unreads, app.clock.now()) : laters;
}

export interface LatersBefore {
  readonly keys: readonly ConversationKey[];
  readonly before: readonly LaterEntry[];
  readonly since?: number | undefined;
}

/** These are put off as they were before, or not at all; what was put off then too, whatever it is called now. */
export function restoreLaters(app: App, {keys, before, since}: LatersBefore): boolean {
  return changeLaters(app, (laters) => {
    const renamed = [...laters.values()].flatMap((entry) => (entry.since === since ? [entry.key] : []));
    return withLaters(withoutLaters(laters, [...keys, ...renamed]), before);
  });
}

export function showLaters(app: App, laters: Laters): void {
  app.update((screen) =>
    equal([...screen.inbox.laters.values()], [...laters.values()])
      ? screen
      : {...screen, inbox: {...screen.inbox, laters}},
  );
}

import type {App} from '#app/app.ts';
import {readNote, writeNote} from '#app/notes.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {equal} from '#std/equal.ts';
import {type LaterEntry, type Laters, laterEntryFrom, pruned, withLaters, withoutLaters} from './later.ts';

const note = 'later';

/** What was put off, as the disk has it: by this program, one before it, or another one on this account. */
export function readLaters(app: App): Laters {
  const entries = readNote(app, note, (value) =>
    Array.isArray(value) ? value.flatMap((entry) => laterEntryFrom(entry)) : [],
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/** On the screen and on disk. Begins with what the disk has, so that no other program's part is lost. */
export function changeLaters(app: App, change: (laters: Laters) => Laters): boolean {
  const before = readLaters(app);
  const changed = change(before);
  const isOnline = app.state.connection.phase === 'online';
  const laters = isOnline ? pruned(changed, app.state.unreads) : changed;
  if (laters !== before) writeNote(app, note, [...laters.values()]);
  showLaters(app, laters);
  return changed !== before;
}

/** These are put off as they were before, or not at all. */
export function restoreLaters(
  app: App,
  keys: readonly ConversationKey[],
  before: readonly LaterEntry[],
): boolean {
  return changeLaters(app, (laters) => withLaters(withoutLaters(laters, keys), before));
}

export function showLaters(app: App, laters: Laters): void {
  app.update((screen) =>
    equal([...screen.inbox.laters.values()], [...laters.values()])
      ? screen
      : {...screen, inbox: {...screen.inbox, laters}},
  );
}

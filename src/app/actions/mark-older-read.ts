import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/confirm.ts';
import {doKept, undoKey} from '#app/undo/perform-undoable.ts';
import {takeBack} from '#app/undo/undo-record.ts';
import {olderProblem} from '#app/watchers/report-refusals.ts';
import {oldReading} from '#state/actions/mark-read.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';

/**
 * The server left out the oldest unread messages, which nobody here can name: it is asked to mark those read as well. Not
 * where something known is still unread, because it is filtered out or put off: that would go along.
 */
export function askAboutOld(app: App, name: string, narrow: Narrow): void {
  const upTo = app.frames.current.account.maxMessageId;
  const {unreads} = app.state;
  if (!unreads.oldMissing || unreadIdsOf(app.state, narrow).some((id) => id <= upTo)) return;
  confirm(app, {
    title: `The server may have older unread messages: ${name}`,
    yes: 'Mark those read too',
    onYes: (asked) => markOld(asked, name, narrow, upTo),
  });
}

/** Without a connection it waits on disk, as everything else that was done. It can be taken back from now on. */
function markOld(app: App, name: string, narrow: Narrow, upTo: number): void {
  const label = `Marked what is older read: ${name}`;
  const action = oldReading(app.session.context, narrow, upTo);
  const kept = action && doKept(app, [action], {label, at: app.clock.now(), keys: [], steps: []});
  if (action === undefined || kept === undefined) return;
  app.undoStack.push({label, kept, undo: () => takeBack(app, kept)});
  const isOnline = app.state.connection.phase === 'online';
  const doing = isOnline
    ? `Marking what is older read: ${name}…`
    : `What is older is marked read once connected: ${name}`;
  app.toast(`${doing} · ${undoKey(app)} undo`);
  tellOutcome(app, action.id, name);
}

async function tellOutcome(app: App, id: string, name: string): Promise<void> {
  const {count, problem} = await app.session.deeds.outcome(id);
  if (problem !== undefined) app.toast(olderProblem(problem), 'error');
  else if (count === 0) app.toast(`Nothing older is unread: ${name}`);
  else app.toast(`Marked what is older read: ${name} (${count})`);
}

import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/confirm.ts';
import {performWithUndoRecord, undoKey} from '#app/undo/perform-undoable.ts';
import {applyUndoRecord} from '#app/undo/undo-record.ts';
import {olderReadProblem} from '#app/watchers/report-refusals.ts';
import {markOlderReadAction} from '#state/actions/mark-read.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';

/**
 * The server left out the oldest unread messages, which nobody here can name: it is asked to mark those read as well. Not
 * where something known is still unread, because it is filtered out or put off: that would go along.
 */
export function offerToMarkOlderRead(app: App, name: string, narrow: Narrow): void {
  const upTo = app.frames.paintedFrame.account.maxMessageId;
  const {unreads} = app.state;
  if (!unreads.oldMissing || unreadIdsOf(app.state, narrow).some((id) => id <= upTo)) return;
  confirm(app, {
    title: `The server may have older unread messages: ${name}`,
    yes: 'Mark those read too',
    onYes: (asked) => markOlderRead(asked, name, narrow, upTo),
  });
}

/** Without a connection it waits on disk, as everything else that was done. It can be taken back from now on. */
function markOlderRead(app: App, name: string, narrow: Narrow, upTo: number): void {
  const label = `Marked what is older read: ${name}`;
  const action = markOlderReadAction(app.session.context, narrow, upTo);
  const kept =
    action && performWithUndoRecord(app, [action], {label, at: app.clock.now(), keys: [], steps: []});
  if (action === undefined || kept === undefined) return;
  app.undoStack.push({label, record: kept, undo: () => applyUndoRecord(app, kept)});
  const isOnline = app.state.connection.phase === 'online';
  const doing = isOnline
    ? `Marking what is older read: ${name}…`
    : `What is older is marked read once connected: ${name}`;
  app.toast(`${doing} · ${undoKey(app)} undo`);
  reportOutcome(app, action.id, name);
}

async function reportOutcome(app: App, id: string, name: string): Promise<void> {
  const {count, problem} = await app.session.pendingChanges.olderReadOutcome(id);
  if (problem !== undefined) app.toast(olderReadProblem(problem), 'error');
  else if (count === 0) app.toast(`Nothing older is unread: ${name}`);
  else app.toast(`Marked what is older read: ${name} (${count})`);
}

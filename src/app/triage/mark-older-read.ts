import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/picker.ts';
import {performWithUndoRecord} from '#app/undo/perform-undoable.ts';
import {markOlderReadAction} from '#state/actions/mark-read.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import {composed} from '#std/composed-text.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';

/**
 * Offers to mark older unread messages read that the server left out of its list, so that their ids are
 * unknown here. Not offered while a known message is still unread in the narrow, because it is filtered out
 * or snoozed: the request would mark it read as well. `upTo` is the newest message when the key was pressed.
 */
export function offerToMarkOlderRead(app: App, name: string, narrow: Narrow, upTo: number): void {
  const {unreads} = app.state;
  if (!unreads.oldMissing || unreadIdsOf(app.state, narrow).some((id) => id <= upTo)) return;
  confirm(app, {
    title: composed`The server may have older unread messages: ${name}`,
    yes: 'Mark those read too',
    onYes: (confirmedIn) => markOlderRead(confirmedIn, name, narrow, upTo),
  });
}

/**
 * Marks the older messages read. Without a connection the change waits in the outbox of pending changes, like
 * every other one, and can be undone from now on.
 */
function markOlderRead(app: App, name: string, narrow: Narrow, upTo: number): void {
  const label = composed`Marked older messages read: ${name}`;
  const action = markOlderReadAction(app.session.context, narrow, upTo);
  const record = action && performWithUndoRecord(app, [action], {label, at: app.clock.now(), keys: [], steps: []});
  if (action === undefined || record === undefined) return;
  app.undoStack.pushRecord(record);
  const isOnline = app.state.connection.phase === 'online';
  const progressText = isOnline
    ? composed`Marking older messages read: ${name}…`
    : composed`Older messages will be marked read when back online: ${name}`;
  app.toast(withUndoKey(progressText));
  void reportOlderReadOutcome(app, action.id, name);
}

/** Shows how far a marking of older messages is, and its result. */
export async function reportOlderReadOutcome(app: App, id: string, name: string): Promise<void> {
  const {count, problem} = await app.session.pendingChanges.olderReadOutcome(id, (marked) =>
    app.toast(composed`Marking older messages read: ${name} (${marked} so far)…`),
  );
  if (problem !== undefined) app.toast(olderReadProblem(problem), 'error');
  else if (count === 0) app.toast(composed`No older unread messages: ${name}`);
  else app.toast(composed`Marked older messages read: ${name} (${count})`);
}

/** Returns the text for a failure to mark older messages read, which takes many requests. */
export function olderReadProblem(problem: string): string {
  return `Could not mark all older messages read: ${problem}`;
}

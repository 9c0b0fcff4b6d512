import type {App} from '#ui/core/app.ts';
import {inboxOrder} from '#ui/inbox/triage-rows.ts';

/** Keeps messages in memory that the screen refers to without showing them in a view. */
export function pinReferencedMessages(app: App): void {
  app.onEnd(app.session.pinMessages(() => referencedIds(app)));
}

/** Returns the messages that are replied to or edited, that say where an undone conversation is, or why a row is gone. */
function* referencedIds({screen, frame, undoStack}: App): Iterable<number> {
  const {anchor, editing} = screen.composer;
  if (anchor !== undefined) yield anchor.messageId;
  if (editing !== undefined) yield editing.messageId;
  const {removedRow} = inboxOrder(frame);
  if (removedRow !== undefined) yield removedRow.row.oldestUnreadId;
  yield* undoStack.nearMessageIds();
}

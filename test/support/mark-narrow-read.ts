import {everythingNarrow, type Narrow} from '#state/model/narrow.ts';
import type {PendingChanges, UndoableChange} from '#state/pending-changes/pending-changes.ts';
import type {SessionContext} from '#state/session-context.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';

/** Marks the messages of a narrow read that the client knows as unread. Undefined when there are none. */
export function markNarrowRead(
  client: {readonly context: SessionContext; readonly pendingChanges: PendingChanges},
  narrow: Narrow = everythingNarrow,
): UndoableChange | undefined {
  const ids = unreadIdsOf(client.context.cache.state, narrow);
  return client.pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids});
}

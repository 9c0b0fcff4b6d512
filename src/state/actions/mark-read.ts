import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import {everythingNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';
import {newId} from '#state/new-id.ts';
import type {PendingChanges, UndoableChange} from '#state/pending-changes/pending-changes.ts';
import type {SessionContext} from '#state/session-context.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import {type MarkOlderReadAction, newMarkOlderReadAction} from './mark-older-read.ts';

const perPage = 1000;

/**
 * Marks read exactly the messages that are known as unread in a view at this moment; one that arrives while the key is
 * pressed stays unread. Undefined when there is nothing to mark.
 */
export function markRead(
  {cache, isExploring}: SessionContext,
  deeds: PendingChanges,
  narrow: Narrow,
): UndoableChange | undefined {
  if (isExploring) return undefined;
  return deeds.perform({kind: 'flags', op: 'add', flag: 'read', ids: unreadIdsOf(cache.state, narrow)});
}

/** All there is, to be undone as exactly. */
export function markAllRead(context: SessionContext, deeds: PendingChanges): UndoableChange | undefined {
  return markRead(context, deeds, everythingNarrow);
}

/**
 * To mark read whatever is unread in a view up to a message that was seen, for views whose oldest unread messages the server
 * left out. Waits for a connection once it is done. Undefined while exploring.
 */
export function markOlderReadAction(
  {clock, random, isExploring}: SessionContext,
  narrow: Narrow,
  upTo: number,
): MarkOlderReadAction | undefined {
  return isExploring ? undefined : newMarkOlderReadAction(newId(clock, random), narrow, upTo);
}

/** Marks unread a message and everything after it in a view. What is not loaded is fetched first, so that undo is exact. */
export async function markUnreadFrom(
  context: SessionContext,
  deeds: PendingChanges,
  narrow: Narrow,
  messageId: number,
): Promise<UndoableChange | undefined> {
  const timeline = context.cache.state.timelines.get(narrowKey(narrow));
  const isLoaded = timeline?.hasNewest === true && !timeline.isStale && timeline.ids.has(messageId);
  const ids = isLoaded
    ? [...timeline.ids].filter((id) => id >= messageId)
    : await fetchedFrom(context, narrow, messageId);
  return deeds.perform({kind: 'flags', op: 'remove', flag: 'read', ids});
}

async function fetchedFrom(context: SessionContext, narrow: Narrow, messageId: number): Promise<number[]> {
  const ids: number[] = [];
  for (let anchor = messageId; ; ) {
    const range = {anchor, include_anchor: ids.length === 0, num_before: 0, num_after: perPage};
    const page = await fetchPage(
      context,
      {send: messagesRequest(context, {...range, narrow: [...narrow]})},
      context.signal,
    );
    ids.push(...page.map(({id}) => id).filter((id) => id >= messageId));
    const last = page.at(-1)?.id;
    if (last === undefined || last <= anchor || page.length < perPage) return ids;
    anchor = last;
  }
}

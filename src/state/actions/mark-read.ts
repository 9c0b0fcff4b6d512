import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import {newId} from '#state/new-id.ts';
import type {PendingChanges, UndoableChange} from '#state/pending-changes/pending-changes.ts';
import type {SessionContext} from '#state/session-context.ts';
import {type MarkOlderReadAction, newMarkOlderReadAction} from './mark-older-read.ts';

const pageSize = 1000;

/**
 * Returns the action that marks unread messages up to a seen one as read, for views whose oldest unread
 * messages the server left out. It waits for a connection. Undefined in explore mode.
 */
export function markOlderReadAction(
  {clock, random, isExploring}: SessionContext,
  narrow: Narrow,
  upTo: number,
): MarkOlderReadAction | undefined {
  return isExploring ? undefined : newMarkOlderReadAction(newId(clock, random), narrow, upTo);
}

/**
 * Marks a message and everything after it in a view as unread. Messages that are not loaded are fetched
 * first, so that undo is exact.
 */
export async function markUnreadFrom(
  context: SessionContext,
  pendingChanges: PendingChanges,
  narrow: Narrow,
  messageId: number,
): Promise<UndoableChange | undefined> {
  const timeline = context.cache.state.timelines.get(narrowKey(narrow));
  const isLoaded = timeline?.hasNewest === true && !timeline.isStale && timeline.ids.has(messageId);
  const ids = isLoaded
    ? [...timeline.ids].filter((id) => id >= messageId)
    : await fetchIdsFrom(context, narrow, messageId);
  return pendingChanges.perform({kind: 'flags', op: 'remove', flag: 'read', ids});
}

async function fetchIdsFrom(context: SessionContext, narrow: Narrow, messageId: number): Promise<number[]> {
  const ids: number[] = [];
  for (let anchor = messageId; ; ) {
    const range = {anchor, include_anchor: ids.length === 0, num_before: 0, num_after: pageSize};
    const page = await fetchPage(
      context,
      {send: messagesRequest(context, {...range, narrow: [...narrow]})},
      context.signal,
    );
    ids.push(...page.map(({id}) => id).filter((id) => id >= messageId));
    const last = page.at(-1)?.id;
    if (last === undefined || last <= anchor || page.length < pageSize) return ids;
    anchor = last;
  }
}

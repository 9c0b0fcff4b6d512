import type {NarrowFlagResult} from '#api/levels/flags.ts';
import {fetchPage, maxPageSize, messagesRequest, wireNarrow} from '#state/fetches/fetch-page.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {PendingChanges, UndoableChange} from '#state/pending-changes/pending-changes.ts';
import {newId, type SessionContext} from '#state/session-context.ts';
import type {KeyedUnreadMessage} from '#state/unreads/keyed-unread-message.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {
  type FlagsAction,
  groupByConversation,
  type MarkOlderReadAction,
  newMarkOlderReadAction,
} from './message-flags.ts';

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
    const range = {anchor, include_anchor: ids.length === 0, num_before: 0, num_after: maxPageSize};
    const page = await fetchPage(
      context,
      {send: messagesRequest(context, {...range, narrow: [...narrow]})},
      context.signal,
    );
    ids.push(...page.map(({id}) => id).filter((id) => id >= messageId));
    const last = page.at(-1)?.id;
    if (last === undefined || last <= anchor || page.length < maxPageSize) return ids;
    anchor = last;
  }
}

/** Changes a flag of all messages of a narrow. */
export type NarrowFlagChange = Pick<FlagsAction, 'op' | 'flag'>;

/** Returns the terms that match the messages of a narrow that a change would change. */
export function changedNarrow(narrow: Narrow, {op, flag}: NarrowFlagChange): Narrow {
  const term: NarrowTerm = {operator: 'is', operand: flag === 'read' ? 'unread' : flag};
  const isWithout = flag === 'read' ? op === 'remove' : op === 'add';
  return [...narrow, isWithout ? {...term, negated: true} : term];
}

/** Changes the flag of the messages of a narrow up to a given one, with as many requests as that takes. */
export function flagNarrow(
  {api, cache, signal}: SessionContext,
  narrow: Narrow,
  {op, flag}: NarrowFlagChange,
  {upTo, onBatch}: {readonly upTo: number; readonly onBatch: (done: number) => void},
): Promise<NarrowFlagResult> {
  const terms = wireNarrow(changedNarrow(narrow, {op, flag}), cache.state.self.userId);
  return api.flagNarrow({narrow: terms, op, flag, upTo}, {signal, onBatch: (done) => onBatch(done ?? 0)});
}

/** Returns the action that undoes such a change of exactly these messages. */
export function narrowFlagInverse({op, flag}: NarrowFlagChange, messages: readonly KeyedUnreadMessage[]): FlagsAction {
  const ids = messages.map(({id}) => id);
  const isUnreading = flag === 'read' && op === 'add';
  const places = isUnreading ? {places: groupByConversation(messages)} : {};
  return {kind: 'flags', op: op === 'add' ? 'remove' : 'add', flag, ids, ...places};
}

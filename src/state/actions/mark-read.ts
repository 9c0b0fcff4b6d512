import type {NarrowFlagResult} from '#api/levels/flags.ts';
import {fetchPage, messagesRequest, wireNarrow} from '#state/fetches/fetch-page.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {PendingChanges, UndoableChange} from '#state/pending-changes/pending-changes.ts';
import {newId, type SessionContext} from '#state/session-context.ts';
import type {NarrowTerm} from '#wire/narrow.ts';
import {
  type FlagsAction,
  groupByConversation,
  type KeyedUnreadMessage,
  keyedUnreadMessage,
  type MarkOlderReadAction,
  newMarkOlderReadAction,
} from './message-flags.ts';

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

/** Changes a flag of all messages of a narrow. */
export type NarrowFlagChange = Pick<FlagsAction, 'op' | 'flag'>;

/** Messages of a narrow, oldest first. */
export interface NarrowMessages {
  readonly messages: readonly KeyedUnreadMessage[];
  /** Whether these are all; otherwise there are more, and older ones. */
  readonly isComplete: boolean;
}

/** Fetches the newest messages of a narrow without adding them to the state: for counting them, and for an exact undo. */
export async function fetchNarrowMessages(
  context: SessionContext,
  narrow: Narrow,
  maxCount: number,
): Promise<NarrowMessages> {
  const pages: KeyedUnreadMessage[][] = [];
  let count = 0;
  let range: {anchor: number | 'newest'; include_anchor: boolean} = {anchor: 'newest', include_anchor: true};
  for (;;) {
    const args = {...range, num_before: pageSize, num_after: 0, narrow: [...narrow]};
    const {messages, found_oldest} = await messagesRequest(context, args)(context.signal);
    const anchor = range.anchor;
    const older = messages.filter(({id}) => anchor === 'newest' || id < anchor);
    pages.unshift(older.map((wire) => keyedUnreadMessage(context.cache.state, wire)));
    count += older.length;
    const [first] = older;
    if (found_oldest === true || first === undefined) return {messages: pages.flat(), isComplete: true};
    if (count >= maxCount) return {messages: pages.flat(), isComplete: false};
    range = {anchor: first.id, include_anchor: false};
  }
}

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

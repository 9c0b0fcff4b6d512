import type {Context} from '#state/context.ts';
import type {Deeds, Done} from '#state/deeds/deeds.ts';
import {askMessages, fetchPage, wireNarrow} from '#state/fetches/pages.ts';
import {eventsSince, type LoggedEvent} from '#state/messages/event-log.ts';
import {everything, type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import type {FlagsAction} from './flags.ts';

const perPage = 1000;

/**
 * Marks read exactly the messages that are known as unread in a view at this moment; one that arrives while the key is
 * pressed stays unread. Undefined when there is nothing to mark.
 */
export function markRead({cache, isExploring}: Context, deeds: Deeds, narrow: Narrow): Done | undefined {
  if (isExploring) return undefined;
  return deeds.do({kind: 'flags', op: 'add', flag: 'read', ids: unreadIdsOf(cache.state, narrow)});
}

/** All there is, to be undone as exactly. */
export function markAllRead(context: Context, deeds: Deeds): Done | undefined {
  return markRead(context, deeds, everything);
}

export interface OldRead {
  /** How many messages were marked read. */
  readonly count: number;
  /** Restores exactly those; undefined when the server did not tell which they were. */
  readonly inverse: FlagsAction | undefined;
}

/** So many messages are marked read in one request. */
const perRound = 1000;
/** The events that say which they were come with the answer, or not at all. */
const unheardMs = 10_000;

/**
 * Marks read what the server has beyond the messages that we know of, for views whose oldest unread messages it left out; up
 * to a message that was seen, so that nothing newer goes along. Which ones these were is told by the events that follow.
 */
export async function markOldRead(
  context: Context,
  deeds: Deeds,
  narrow: Narrow,
  upTo: number,
): Promise<OldRead> {
  const {api, cache, isExploring, signal} = context;
  if (isExploring || !cache.state.unreads.oldMissing) return {count: 0, inverse: undefined};
  // What is known is marked read by its own deed, and undone with it.
  await deeds.idle();
  cache.apply({type: 'fetch_started'});
  const since = cache.state.log.last;
  try {
    const terms = [...wireNarrow(narrow, cache.state.self.userId), {operator: 'is', operand: 'unread'}];
    let count = 0;
    let first: number | null = null;
    for (let range: Range = {anchor: upTo, include_anchor: true}; ; ) {
      const question = {
        ...range,
        num_before: perRound,
        num_after: 0,
        narrow: terms,
        op: 'add',
        flag: 'read',
      } as const;
      const answer = await api.updateFlagsForNarrow(question, {signal});
      count += answer.updated_count;
      first = answer.first_processed_id ?? first;
      if (answer.found_oldest || answer.first_processed_id === null) break;
      range = {anchor: answer.first_processed_id, include_anchor: false};
    }
    const heard = () => readSince(cache.state, since, first ?? upTo, upTo);
    await heardOf(context, () => heard().length >= count);
    const ids = heard();
    const isComplete = count > 0 && ids.length >= count;
    return {count, inverse: isComplete ? {kind: 'flags', op: 'remove', flag: 'read', ids} : undefined};
  } finally {
    cache.apply({type: 'fetch_failed', narrow: undefined, problem: ''});
  }
}

interface Range {
  readonly anchor: number;
  readonly include_anchor: boolean;
}

/** What the server said was marked read since then, of a stretch of messages. */
function readSince(
  {log}: AccountState,
  since: LoggedEvent | undefined,
  first: number,
  last: number,
): readonly number[] {
  const ids = eventsSince(log, since).flatMap((event) =>
    event.type === 'update_message_flags' && event.op === 'add' && event.flag === 'read'
      ? event.messages
      : [],
  );
  return [...new Set(ids)].filter((id) => id >= first && id <= last).sort((a, b) => a - b);
}

/** Resolves when it holds, or when nothing more is to be expected. */
function heardOf({cache, clock, signal}: Context, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      leave();
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const leave = cache.subscribe(['log'], () => {
      if (holds()) end();
    });
    const cancel = clock.after(unheardMs, end);
    signal.addEventListener('abort', end);
    if (holds()) end();
  });
}

/** Marks unread a message and everything after it in a view. What is not loaded is fetched first, so that undo is exact. */
export async function markUnreadFrom(
  context: Context,
  deeds: Deeds,
  narrow: Narrow,
  messageId: number,
): Promise<Done | undefined> {
  const timeline = context.cache.state.timelines.get(narrowKey(narrow));
  const isLoaded = timeline?.hasNewest === true && !timeline.isStale && timeline.ids.has(messageId);
  const ids = isLoaded
    ? [...timeline.ids].filter((id) => id >= messageId)
    : await fetchedFrom(context, narrow, messageId);
  return deeds.do({kind: 'flags', op: 'remove', flag: 'read', ids});
}

async function fetchedFrom(context: Context, narrow: Narrow, messageId: number): Promise<number[]> {
  const ids: number[] = [];
  for (let anchor = messageId; ; ) {
    const range = {anchor, include_anchor: ids.length === 0, num_before: 0, num_after: perPage};
    const page = await fetchPage(
      context,
      {ask: askMessages(context, {...range, narrow: [...narrow]})},
      context.signal,
    );
    ids.push(...page.map(({id}) => id).filter((id) => id >= messageId));
    const last = page.at(-1)?.id;
    if (last === undefined || last <= anchor || page.length < perPage) return ids;
    anchor = last;
  }
}

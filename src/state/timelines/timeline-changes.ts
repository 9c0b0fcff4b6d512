import type {Message} from '#state/model/message.ts';
import {isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {invariant} from '#std/invariant.ts';
import {type MessageAspect, narrowDependsOn, withoutUnreadTerms} from './narrow-aspects.ts';
import {
  matchesNarrow,
  type NarrowCandidate,
  type NarrowVerdict,
  narrowCandidate,
  stillMatches,
} from './narrow-membership.ts';
import {coversEvicted, isEvicted, withEvictedNewer, withoutEvicted, withoutEvictedIds} from './timeline-extent.ts';

/** Applies a change to the open timelines, of which there are few. */
export function mapTimelines(state: AccountState, change: (timeline: Timeline) => Timeline): AccountState['timelines'] {
  let timelines = state.timelines;
  for (const [key, timeline] of state.timelines) {
    const after = change(timeline);
    if (after !== timeline) timelines = timelines.with(key, after);
  }
  return timelines;
}

/** Returns whether a message with this id would be loaded if it matched. */
export function coversId({ids, hasOldest, hasNewest}: Timeline, id: number): boolean {
  const [first, last] = [ids.first(), ids.last()];
  if (first === undefined || last === undefined) return hasOldest && hasNewest;
  return (hasOldest || id >= first) && (hasNewest || id <= last);
}

/** Appends a new message that just arrived, if the end of the timeline is loaded or evicted. */
export function withLiveMessage(state: AccountState, timeline: Timeline, message: Message): Timeline {
  const {ids, hasOldest, hasNewest, narrow, undecidedIds} = timeline;
  if (ids.has(message.id) || isEvicted(timeline, message.id)) return timeline;
  if (coversEvicted(timeline, message.id)) return withEvictedLive(state, timeline, message);
  if (!hasNewest && timeline.evicted?.hasNewest !== true) return timeline;
  const first = ids.first();
  if (!hasOldest && first !== undefined && message.id < first) return timeline;
  const verdict = matchesNarrow(state, narrow, narrowCandidate(message));
  if (verdict === true) return {...timeline, ids: ids.with(message.id)};
  if (verdict === false || undecidedIds.has(message.id)) return timeline;
  return {...timeline, undecidedIds: undecidedIds.with(message.id)};
}

function withEvictedLive(state: AccountState, timeline: Timeline, message: Message): Timeline {
  const isMatch = matchesNarrow(state, timeline.narrow, narrowCandidate(message));
  if (isMatch === false) return timeline;
  const isNewer = message.id > (timeline.ids.last() ?? 0);
  return isMatch === true && isNewer ? withEvictedNewer(timeline, message.id) : withoutEvicted(timeline);
}

/**
 * Rechecks changed messages. Those that no longer match are removed; those that match now are added if they are loaded
 * and within the covered range. Messages that are not loaded must be fetched, so they make the timeline stale.
 */
export function withChangedMessages(
  state: AccountState,
  timeline: Timeline,
  aspect: MessageAspect,
  candidates: () => readonly NarrowCandidate[],
): Timeline {
  if (!narrowDependsOn(timeline.narrow, aspect)) return timeline;
  const leaving: number[] = [];
  const joining: number[] = [];
  const undecidedIds: number[] = [];
  let {isStale} = timeline;
  let isExtentKnown = true;
  for (const candidate of candidates()) {
    const {id, message} = candidate;
    const verdict = verdictFor(state, timeline, candidate);
    if (coversEvicted(timeline, id) && !isDecided(timeline, candidate, verdict)) isExtentKnown = false;
    if (verdict === false) leaving.push(id);
    else if (!coversId(timeline, id)) continue;
    else if (verdict === true && message !== undefined) joining.push(id);
    // A move may bring thousands of messages that are not loaded: refetching costs less than asking about each.
    else if (verdict === true || (message === undefined && aspect === 'conversation')) isStale = true;
    else undecidedIds.push(id);
  }
  const known = isExtentKnown ? timeline : withoutEvicted(timeline);
  return withIds(withoutMessageIds(known, leaving), joining, undecidedIds, isStale);
}

/**
 * Returns whether it is certain that an evicted message stays or leaves, or that another one does not join. The combined feed
 * depends on flags too, which are unknown of messages that are not loaded.
 */
function isDecided(timeline: Timeline, {id, conversation}: NarrowCandidate, verdict: NarrowVerdict): boolean {
  if (conversation === undefined || isCombinedFeed(timeline.narrow)) return false;
  return verdict === false || (verdict === true && isEvicted(timeline, id));
}

function verdictFor(state: AccountState, timeline: Timeline, candidate: NarrowCandidate): NarrowVerdict {
  const {narrow, ids} = timeline;
  return ids.has(candidate.id) || isEvicted(timeline, candidate.id)
    ? stillMatches(state, withoutUnreadTerms(narrow), candidate)
    : matchesNarrow(state, narrow, candidate);
}

function withIds(
  timeline: Timeline,
  joining: readonly number[],
  undecided: readonly number[],
  isStale: boolean,
): Timeline {
  const joined = joining.filter((id) => !timeline.ids.has(id));
  const undecidedIds = undecided.filter((id) => !timeline.undecidedIds.has(id));
  if (joined.length === 0 && undecidedIds.length === 0 && isStale === timeline.isStale) return timeline;
  return {
    ...timeline,
    ids: joined.length === 0 ? timeline.ids : timeline.ids.withAll(joined),
    undecidedIds: undecidedIds.length === 0 ? timeline.undecidedIds : timeline.undecidedIds.withAll(undecidedIds),
    isStale,
  };
}

export function withoutMessageIds(before: Timeline, removed: readonly number[]): Timeline {
  const timeline = withoutEvictedIds(before, removed);
  const {ids, undecidedIds, matches, evicted} = timeline;
  const known = removed.filter((id) => ids.has(id) || undecidedIds.has(id) || matches.has(id));
  if (known.length === 0) return timeline;
  const matchedIds = known.filter((id) => matches.has(id));
  const remaining = ids.withoutAll(known);
  // Nothing would say where the evicted messages are.
  const isLost = remaining.size === 0 && evicted !== undefined;
  return {
    ...timeline,
    ...(isLost && {evicted: undefined, isStale: true}),
    ids: remaining,
    undecidedIds: undecidedIds.withoutAll(known),
    matches: matchedIds.reduce((remaining, id) => remaining.without(id), matches),
  };
}

/**
 * Rechecks all loaded messages after the meaning of the narrow changed, and marks the timeline stale, because
 * others may match now.
 */
export function recheckMembership(state: AccountState, timeline: Timeline): Timeline {
  const remaining = withoutNonMembers(state, timeline);
  return remaining.isStale ? remaining : {...remaining, isStale: true};
}

/** Rechecks all loaded messages after a change that can only remove messages. */
export function withoutNonMembers(state: AccountState, timeline: Timeline): Timeline {
  return withoutMessageIds(
    withoutEvicted(timeline),
    nonMemberIds(state, timeline, withoutUnreadTerms(timeline.narrow)),
  );
}

function nonMemberIds(state: AccountState, {ids}: Timeline, narrow: Narrow): number[] {
  return [...ids].filter((id) => {
    const message = state.messages.byId.get(id);
    return message === undefined || stillMatches(state, narrow, narrowCandidate(message)) === false;
  });
}

/** Removes messages that were read since a view of unread messages was opened. */
export function reopenTimeline(state: AccountState, timeline: Timeline): Timeline {
  if (!narrowDependsOn(timeline.narrow, 'unread')) return timeline;
  return withoutMessageIds(timeline, nonMemberIds(state, timeline, timeline.narrow));
}

/** Throws when timelines contain messages that are not loaded. Used in tests: it visits every message. */
export function checkTimelines({timelines, messages}: AccountState): void {
  for (const [key, timeline] of timelines) {
    const {ids, matches, evicted} = timeline;
    for (const id of evicted?.older ?? [])
      invariant(id < (ids.first() ?? 0), `${key} evicted ${id}, which is not older`);
    for (const id of evicted?.newer ?? [])
      invariant(id > (ids.last() ?? 0), `${key} evicted ${id}, which is not newer`);
    invariant(!timeline.hasOldest || !evicted?.older.size, `${key} has the oldest message and older ones`);
    invariant(!timeline.hasNewest || !evicted?.newer.size, `${key} has the newest message and newer ones`);
    for (const id of ids) invariant(messages.byId.has(id), `${key} shows ${id}, which is not loaded`);
    for (const id of matches.keys()) invariant(ids.has(id), `${key} marks ${id}, which it does not show`);
  }
}

import type {Message} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {invariant} from '#std/invariant.ts';
import {type MessageAspect, narrowDependsOn, withoutUnreadTerms} from './narrow-aspects.ts';
import {
  matchesNarrow,
  type NarrowCandidate,
  type NarrowVerdict,
  narrowCandidate,
} from './narrow-membership.ts';

/** Goes through the open timelines, of which there are few. */
export function mapTimelines(
  state: AccountState,
  change: (timeline: Timeline) => Timeline,
): AccountState['timelines'] {
  let timelines = state.timelines;
  for (const [key, timeline] of state.timelines) {
    const after = change(timeline);
    if (after !== timeline) timelines = timelines.with(key, after);
  }
  return timelines;
}

/** Whether a message with this id, if it belongs there, would be among those loaded. */
export function coversId({ids, hasOldest, hasNewest}: Timeline, id: number): boolean {
  const [first, last] = [ids.first(), ids.last()];
  if (first === undefined || last === undefined) return hasOldest && hasNewest;
  return (hasOldest || id >= first) && (hasNewest || id <= last);
}

/** A message that is new to us and to the server. It belongs at the end, where the end is loaded. */
export function withLiveMessage(state: AccountState, timeline: Timeline, message: Message): Timeline {
  const {ids, hasOldest, hasNewest, narrow, undecidedIds: unjudged} = timeline;
  if (!hasNewest || ids.has(message.id)) return timeline;
  const first = ids.first();
  if (!hasOldest && first !== undefined && message.id < first) return timeline;
  const verdict = matchesNarrow(state, narrow, narrowCandidate(message));
  if (verdict === true) return {...timeline, ids: ids.with(message.id)};
  if (verdict === false || unjudged.has(message.id)) return timeline;
  return {...timeline, undecidedIds: unjudged.with(message.id)};
}

/**
 * Messages of which something changed. Those that no longer belong leave; those that now do join, if they are loaded and
 * the timeline covers where they belong. What is not loaded has to be fetched, so the timeline is stale.
 */
export function withChangedMessages(
  state: AccountState,
  timeline: Timeline,
  aspect: MessageAspect,
  subjects: () => readonly NarrowCandidate[],
): Timeline {
  if (!narrowDependsOn(timeline.narrow, aspect)) return timeline;
  const leaving: number[] = [];
  const joining: number[] = [];
  const unjudged: number[] = [];
  let {isStale} = timeline;
  for (const subject of subjects()) {
    const {id, message} = subject;
    const verdict = verdictOf(state, timeline, subject);
    if (verdict === false) leaving.push(id);
    else if (!coversId(timeline, id)) continue;
    else if (verdict === true && message !== undefined) joining.push(id);
    // A move may bring thousands that are not loaded: fetching again costs less than asking about each.
    else if (verdict === true || (message === undefined && aspect === 'place')) isStale = true;
    else unjudged.push(id);
  }
  return withIds(withoutMessageIds(timeline, leaving), joining, unjudged, isStale);
}

function verdictOf(state: AccountState, {narrow, ids}: Timeline, subject: NarrowCandidate): NarrowVerdict {
  return matchesNarrow(state, ids.has(subject.id) ? withoutUnreadTerms(narrow) : narrow, subject);
}

function withIds(
  timeline: Timeline,
  joining: readonly number[],
  asked: readonly number[],
  isStale: boolean,
): Timeline {
  const joined = joining.filter((id) => !timeline.ids.has(id));
  const unjudged = asked.filter((id) => !timeline.undecidedIds.has(id));
  if (joined.length === 0 && unjudged.length === 0 && isStale === timeline.isStale) return timeline;
  return {
    ...timeline,
    ids: joined.length === 0 ? timeline.ids : timeline.ids.withAll(joined),
    undecidedIds: unjudged.length === 0 ? timeline.undecidedIds : timeline.undecidedIds.withAll(unjudged),
    isStale,
  };
}

export function withoutMessageIds(timeline: Timeline, gone: readonly number[]): Timeline {
  const {ids, undecidedIds: unjudged, matches} = timeline;
  const known = gone.filter((id) => ids.has(id) || unjudged.has(id) || matches.has(id));
  if (known.length === 0) return timeline;
  const marked = known.filter((id) => matches.has(id));
  return {
    ...timeline,
    ids: ids.withoutAll(known),
    undecidedIds: unjudged.withoutAll(known),
    matches: marked.reduce((left, id) => left.without(id), matches),
  };
}

/** Judges all that is loaded anew, for when the view itself means something else now. Others may have to be fetched. */
export function recheckMembership(state: AccountState, timeline: Timeline): Timeline {
  const left = withoutNonMembers(state, timeline);
  return left.isStale ? left : {...left, isStale: true};
}

/** The same for when the view can only have become smaller. */
export function withoutNonMembers(state: AccountState, timeline: Timeline): Timeline {
  return withoutMessageIds(timeline, nonMemberIds(state, timeline, withoutUnreadTerms(timeline.narrow)));
}

function nonMemberIds(state: AccountState, {ids}: Timeline, narrow: Narrow): number[] {
  return [...ids].filter((id) => {
    const message = state.messages.byId.get(id);
    return message === undefined || matchesNarrow(state, narrow, narrowCandidate(message)) === false;
  });
}

/** What was read in a view of unread messages leaves when the view is opened again. */
export function reopenTimeline(state: AccountState, timeline: Timeline): Timeline {
  if (!narrowDependsOn(timeline.narrow, 'unread')) return timeline;
  return withoutMessageIds(timeline, nonMemberIds(state, timeline, timeline.narrow));
}

/** Throws when timelines show what is not loaded. Costs as much as there is: for tests. */
export function checkTimelines({timelines, messages}: AccountState): void {
  for (const [key, {ids, matches}] of timelines) {
    for (const id of ids) invariant(messages.byId.has(id), `${key} shows ${id}, which is not loaded`);
    for (const id of matches.keys()) invariant(ids.has(id), `${key} marks ${id}, which it does not show`);
  }
}

import {withSlices} from '#state/immutable-updates.ts';
import type {LocalEventOf} from '#state/local-events.ts';
import {withFetchEnded, withFetchStarted} from '#state/messages/event-log.ts';
import {withSavedOnly} from '#state/messages/loaded-messages.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow, narrowCandidate} from '#state/timelines/narrow-membership.ts';
import {coversId, reopenTimeline, withoutMessageIds} from '#state/timelines/timeline-changes.ts';
import {hasOnlySavedMessages, isServerUnreachable, timelineFromLoaded} from '#state/timelines/timeline-from-loaded.ts';

export function applyFetchStarted(state: AccountState): AccountState {
  return {...state, log: withFetchStarted(state.log)};
}

export function applyFetchFailed(state: AccountState, {narrow, problem}: LocalEventOf<'fetch_failed'>): AccountState {
  const after = withSlices(state, {log: withFetchEnded(state.log)});
  if (narrow === undefined) return after;
  return withTimelineChanged(after, narrow, (timeline) => ({...timeline, loading: undefined, problem}));
}

export function applyTimelineOpened(state: AccountState, {narrow}: LocalEventOf<'timeline_opened'>): AccountState {
  const key = narrowKey(narrow);
  if (state.timelines.has(key))
    return withTimelineChanged(state, narrow, (timeline) => reopenTimeline(state, timeline));
  return {...state, timelines: state.timelines.with(key, timelineFromLoaded(state, narrow))};
}

/**
 * Adds saved messages to a timeline, unless it contains messages from the server or the server is reachable:
 * saved messages may have gaps that the timeline could not show.
 */
export function applySavedMessagesLoaded(
  state: AccountState,
  {narrow, messages}: LocalEventOf<'saved_messages_loaded'>,
): AccountState {
  const timeline = state.timelines.get(narrowKey(narrow));
  if (timeline === undefined || !hasOnlySavedMessages(timeline) || !isServerUnreachable(state)) return state;
  const known = withSlices(state, {messages: withSavedOnly(state.messages, messages)});
  return withTimelineChanged(known, narrow, (before) => withSavedMessages(known, before, messages));
}

function withSavedMessages(
  state: AccountState,
  timeline: Timeline,
  messages: LocalEventOf<'saved_messages_loaded'>['messages'],
): Timeline {
  const addedIds = messages.flatMap(({id}) => {
    const message = state.messages.byId.get(id);
    const matches = message !== undefined && matchesNarrow(state, timeline.narrow, narrowCandidate(message)) !== false;
    return matches && !timeline.ids.has(id) ? [id] : [];
  });
  const {isStale, loading, problem} = timeline;
  if (addedIds.length === 0 && isStale && loading === undefined && problem === undefined) return timeline;
  const ids = addedIds.length === 0 ? timeline.ids : timeline.ids.withAll(addedIds);
  return {...timeline, ids, isStale: true, loading: undefined, problem: undefined};
}

export function applyTimelineLoading(
  state: AccountState,
  {narrow, loading}: LocalEventOf<'timeline_loading'>,
): AccountState {
  return withTimelineChanged(state, narrow, (timeline) =>
    timeline.loading === loading && timeline.problem === undefined
      ? timeline
      : {...timeline, loading, problem: undefined},
  );
}

export function applyTimelineClosed(state: AccountState, {narrow}: LocalEventOf<'timeline_closed'>): AccountState {
  return withSlices(state, {timelines: state.timelines.without(narrowKey(narrow))});
}

/** Applies the server's decision, unless the message is deleted or is known not to match any more. */
export function applyMatchesFetched(state: AccountState, event: LocalEventOf<'matches_fetched'>): AccountState {
  return withTimelineChanged(state, event.narrow, (timeline) => {
    const matched = new Map(event.matches.map((match) => [match.id, match]));
    const decidedIds = event.decidedIds.filter((id) => timeline.undecidedIds.has(id));
    const rejectedIds = decidedIds.filter((id) => !matched.has(id));
    const decided = {...timeline, undecidedIds: timeline.undecidedIds.withoutAll(decidedIds)};
    return [...matched.values()].reduce(
      (after, match) => withMatch(state, after, match),
      withoutMessageIds(decidedIds.length === 0 ? timeline : decided, rejectedIds),
    );
  });
}

function withMatch(
  state: AccountState,
  timeline: Timeline,
  {id, content, topic}: LocalEventOf<'matches_fetched'>['matches'][number],
): Timeline {
  const message = state.messages.byId.get(id);
  if (!coversId(timeline, id) && !(timeline.hasNewest && id > (timeline.ids.last() ?? 0))) return timeline;
  if (message === undefined) return {...timeline, isStale: true};
  if (matchesNarrow(state, timeline.narrow, narrowCandidate(message)) === false) return timeline;
  return {...timeline, ids: timeline.ids.with(id), matches: timeline.matches.with(id, {content, topic})};
}

function withTimelineChanged(
  state: AccountState,
  narrow: Narrow,
  change: (timeline: Timeline) => Timeline,
): AccountState {
  const key = narrowKey(narrow);
  const before = state.timelines.get(key);
  const after = before && change(before);
  return after === undefined || after === before ? state : {...state, timelines: state.timelines.with(key, after)};
}

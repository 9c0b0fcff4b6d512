import type {LocalEventOf, NarrowMatch} from '#state/local-events.ts';
import {isLiveView} from '#state/messages/event-conversations.ts';
import {withMessages, withoutMessages, withSavedOnly} from '#state/messages/loaded-messages.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {withFetchEnded} from '#state/slices/event-log.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow, narrowCandidate} from '#state/timelines/narrow-membership.ts';
import {
  coversId,
  mapTimelines,
  reopenTimeline,
  withoutEvicted,
  withoutMessageIds,
  withWindow,
} from '#state/timelines/timeline-changes.ts';
import {hasOnlySavedMessages, isServerUnreachable, timelineFromLoaded} from '#state/timelines/timeline-pages.ts';
import {withSlices} from '#state/with-slices.ts';

export function applyMessagesEvicted(
  state: AccountState,
  {windows, ids}: LocalEventOf<'messages_evicted'>,
): AccountState {
  const timelines = state.timelines.edit((draft) => {
    for (const {narrow, window} of windows) {
      const timeline = draft.get(narrowKey(narrow));
      if (timeline === undefined) continue;
      const after = withWindow(timeline, window);
      // Without events, nothing keeps evicted messages current.
      draft.set(narrowKey(narrow), isLiveView(state, narrow) ? after : withoutEvicted(after));
    }
  });
  return withSlices(state, {messages: withoutMessages(state.messages, ids), timelines});
}

/** Messages that are loaded stay as they are. */
export function applyTimelineWindowMoved(
  state: AccountState,
  event: LocalEventOf<'timeline_window_moved'>,
): AccountState {
  const key = narrowKey(event.narrow);
  const timeline = state.timelines.get(key);
  if (timeline === undefined) return state;
  const added = event.messages.filter(({id}) => !state.messages.byId.has(id));
  return withSlices(state, {
    messages: withMessages(state.messages, added),
    timelines: state.timelines.with(key, withWindow(timeline, event.window)),
  });
}

export function applyEvictedMessagesLost(
  state: AccountState,
  {narrow}: LocalEventOf<'evicted_messages_lost'>,
): AccountState {
  const key = narrow === undefined ? undefined : narrowKey(narrow);
  return withSlices(state, {
    timelines: mapTimelines(state, (timeline) =>
      key === undefined || narrowKey(timeline.narrow) === key ? withoutEvicted(timeline) : timeline,
    ),
  });
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
  return {...timeline, ids: timeline.ids.withAll(addedIds), isStale: true, loading: undefined, problem: undefined};
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

function withMatch(state: AccountState, timeline: Timeline, {id, content, topic}: NarrowMatch): Timeline {
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

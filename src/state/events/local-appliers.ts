import type {Appliers, LocalEventOf} from '#state/local-events.ts';
import {incompleteTopics} from '#state/model/channel-topics.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {withoutChanges} from '#state/slices/event-log.ts';
import {slices} from '#state/slices.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {applyMessageFactsFound, applyMessagesFetched} from './fetched-message-appliers.ts';
import {
  applyEvictedMessagesLost,
  applyFetchFailed,
  applyMatchesFetched,
  applyMessagesEvicted,
  applySavedMessagesLoaded,
  applyTimelineLoading,
  applyTimelineOpened,
  applyTimelineWindowMoved,
} from './timeline-appliers.ts';

/** The slices that a registration does not change. Responses to earlier requests may arrive, so the event log is one. */
const keptNames = (Object.keys(slices) as SliceName[]).filter((name) => slices[name].registered === 'kept');

function applyStateReplaced(before: AccountState, {state, knownUntil}: LocalEventOf<'state_replaced'>): AccountState {
  const kept = Object.fromEntries(keptNames.map((name) => [name, before[name]])) as Partial<AccountState>;
  return {
    ...state,
    ...kept,
    topics: formerTopics(before, state, knownUntil),
    formerChannels: formerChannels(before, state),
    log: withoutChanges(before.log),
  };
}

/** Keeps the topics of subscribed channels, to find them by name until the lists are fetched again. */
function formerTopics({topics}: AccountState, state: AccountState, until: number | undefined): AccountState['topics'] {
  const kept = [...topics].filter(([id]) => isSubscribed(state, id));
  return SortedMap.from(kept.map(([id, known]) => [id, incompleteTopics(known, until)] as const));
}

function formerChannels(before: AccountState, {channels}: AccountState): AccountState['formerChannels'] {
  return before.formerChannels.edit((draft) => {
    for (const {id, name} of before.channels.values()) if (!channels.has(id)) draft.set(id, name);
    for (const id of before.formerChannels.keys()) if (channels.has(id)) draft.delete(id);
  });
}

/** The appliers of local events that change several slices: registrations, fetched messages and timelines. */
export const localAppliers = {
  state_replaced: applyStateReplaced,
  fetch_failed: applyFetchFailed,
  messages_fetched: applyMessagesFetched,
  message_facts_found: applyMessageFactsFound,
  timeline_opened: applyTimelineOpened,
  saved_messages_loaded: applySavedMessagesLoaded,
  timeline_loading: applyTimelineLoading,
  messages_evicted: applyMessagesEvicted,
  timeline_window_moved: applyTimelineWindowMoved,
  evicted_messages_lost: applyEvictedMessagesLost,
  matches_fetched: applyMatchesFetched,
} satisfies Partial<Appliers>;

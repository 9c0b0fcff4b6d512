import type {Appliers, LocalEvent, LocalEventOf} from '#state/local-events.ts';
import {incompleteTopics, type TopicSummary} from '#state/model/channel-topics.ts';
import {topicKey} from '#state/model/conversation.ts';
import {keepIfEqual} from '#state/model/immutable-updates.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {withFetchStarted, withoutChanges} from '#state/slices/event-log.ts';
import {withNewestPresences} from '#state/slices/presences.ts';
import {withoutExpired} from '#state/slices/typing.ts';
import type {AccountState} from '#state/state.ts';
import {withSlices} from '#state/with-slices.ts';
import {reuseIfEqual} from '#std/memo.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {applyMessageFactsFound, applyMessagesFetched} from './fetched-message-appliers.ts';
import {applyTypingReceived} from './personal-appliers.ts';
import {
  applyEvictedMessagesLost,
  applyFetchFailed,
  applyMatchesFetched,
  applyMessagesEvicted,
  applySavedMessagesLoaded,
  applyTimelineClosed,
  applyTimelineLoading,
  applyTimelineOpened,
  applyTimelineWindowMoved,
} from './timeline-appliers.ts';

/** Replaces the channel's topics. Those that may have appeared after the response was built stay. */
function applyTopicsFetched(
  state: AccountState,
  {channelId, topics, isCurrent}: LocalEventOf<'topics_fetched'>,
): AccountState {
  const known = state.topics.get(channelId);
  const newest = topics.reduce((id, {maxId}) => Math.max(id, maxId), 0);
  const newer = isCurrent ? [] : [...(known?.byKey.values() ?? [])].filter(({maxId}) => maxId > newest);
  const byKey = SortedMap.empty<string, TopicSummary>().edit((draft) => {
    // A list may contain several spellings of a topic; the newest counts.
    for (const topic of [...topics, ...newer]) {
      const other = draft.get(topicKey(topic.name));
      if (other === undefined || other.maxId <= topic.maxId) draft.set(topicKey(topic.name), topic);
    }
  });
  const after = {byKey, complete: true};
  return withSlices(state, {
    topics:
      known !== undefined && keepIfEqual(known, after) === known ? state.topics : state.topics.with(channelId, after),
  });
}

/** Sets the newest message of a direct conversation as the server has it, unless events have told it meanwhile. */
function applyNewestDirectFetched(state: AccountState, event: LocalEventOf<'newest_direct_fetched'>): AccountState {
  const {key, maxId} = event;
  const {isGuess, userIds = []} = state.directs.get(key) ?? {};
  if (isGuess !== true) return state;
  return {
    ...state,
    directs: maxId === undefined ? state.directs.without(key) : state.directs.with(key, {userIds, maxId}),
  };
}

function applySubscribersFetched(
  state: AccountState,
  {channelId, userIds}: LocalEventOf<'subscribers_fetched'>,
): AccountState {
  const known = state.subscribers.get(channelId);
  const after = {ids: SortedSet.from(userIds), complete: true};
  return known !== undefined && keepIfEqual(known, after) === known
    ? state
    : {...state, subscribers: state.subscribers.with(channelId, after)};
}

function applyAttachmentsFetched(
  state: AccountState,
  {attachments}: LocalEventOf<'attachments_fetched'>,
): AccountState {
  const fetched = SortedMap.by(attachments, ({id}) => id);
  return withSlices(state, {attachments: keepIfEqual(state.attachments, fetched)});
}

function applyPresencesFetched(state: AccountState, event: LocalEventOf<'presences_fetched'>): AccountState {
  const {presences} = state;
  const {lastUpdateId = presences.lastUpdateId, serverOffset = presences.serverOffset} = event;
  const byUser = withNewestPresences(presences.byUser, event.presences);
  return withSlices(state, {presences: reuseIfEqual(presences, {...presences, byUser, lastUpdateId, serverOffset})});
}

/**
 * Keeps the local slices and the event log: responses to earlier requests can still arrive, and their
 * fetchers decide whether to use them.
 */
function applyStateReplaced(before: AccountState, {state, knownUntil}: LocalEventOf<'state_replaced'>): AccountState {
  const {unicodeEmoji, outbox, localDrafts, connection, log} = before;
  const former = formerChannels(before, state);
  const topics = formerTopics(before, state, knownUntil);
  const local = {unicodeEmoji, outbox, localDrafts, connection, log: withoutChanges(log)};
  return {...state, topics, formerChannels: former, ...local};
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

/** The appliers of local events: fetched data, timelines, the outbox, drafts and the connection. */
export const localAppliers: Pick<Appliers, LocalEvent['type']> = {
  state_replaced: applyStateReplaced,
  fetch_started: applyFetchStarted,
  fetch_failed: applyFetchFailed,
  messages_fetched: applyMessagesFetched,
  message_facts_found: applyMessageFactsFound,
  timeline_opened: applyTimelineOpened,
  saved_messages_loaded: applySavedMessagesLoaded,
  timeline_loading: applyTimelineLoading,
  timeline_closed: applyTimelineClosed,
  messages_evicted: applyMessagesEvicted,
  timeline_window_moved: applyTimelineWindowMoved,
  evicted_messages_lost: applyEvictedMessagesLost,
  matches_fetched: applyMatchesFetched,
  topics_fetched: applyTopicsFetched,
  newest_direct_fetched: applyNewestDirectFetched,
  subscribers_fetched: applySubscribersFetched,
  attachments_fetched: applyAttachmentsFetched,
  presences_fetched: applyPresencesFetched,
  typing_received: applyTypingReceived,
  typing_expired: (state, {now}) => withSlices(state, {typing: withoutExpired(state.typing, now)}),
  outbox_changed: (state, {outbox}) => withSlices(state, {outbox}),
  local_drafts_changed: (state, {localDrafts}) => withSlices(state, {localDrafts}),
  unicode_emoji_loaded: (state, {emoji}) => withSlices(state, {unicodeEmoji: emoji}),
  connection_changed: (state, {connection}) => withSlices(state, {connection}),
};

function applyFetchStarted(state: AccountState): AccountState {
  return {...state, log: withFetchStarted(state.log)};
}

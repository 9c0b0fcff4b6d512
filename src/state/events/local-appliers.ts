import {
  applyAttachmentsFetched,
  applyNewestDirectFetched,
  applyPresencesFetched,
  applySubscribersFetched,
  applyTopicsFetched,
} from '#state/events/local/lists-fetched.ts';
import {
  applyEvictedMessagesLost,
  applyMessagesEvicted,
  applyTimelineWindowMoved,
} from '#state/events/local/messages-evicted.ts';
import {applyMessageFactsFound, applyMessagesFetched} from '#state/events/local/messages-fetched.ts';
import {
  applyFetchFailed,
  applyFetchStarted,
  applyMatchesFetched,
  applySavedMessagesLoaded,
  applyTimelineClosed,
  applyTimelineLoading,
  applyTimelineOpened,
} from '#state/events/local/timeline-events.ts';
import {withSlices} from '#state/immutable-updates.ts';
import type {
  ConnectionChanged,
  LocalDraftsChanged,
  LocalEvent,
  OutboxChanged,
  StateReplaced,
  TypingExpired,
  UnicodeEmojiLoaded,
} from '#state/local-events.ts';
import {withoutChanges} from '#state/messages/event-log.ts';
import {withoutExpired} from '#state/messages/typing-users.ts';
import {incompleteTopics} from '#state/model/channel-topics.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {Appliers} from '#state/state-event.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {applyTypingReceived} from './typing.ts';

/**
 * Keeps the local slices and the event log: responses to earlier requests can still arrive, and their
 * fetchers decide whether to use them.
 */
function applyStateReplaced(before: AccountState, {state, knownUntil}: StateReplaced): AccountState {
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

function applyOutboxChanged(state: AccountState, {outbox}: OutboxChanged): AccountState {
  return withSlices(state, {outbox});
}

function applyLocalDraftsChanged(state: AccountState, {localDrafts}: LocalDraftsChanged): AccountState {
  return withSlices(state, {localDrafts});
}

function applyUnicodeEmojiLoaded(state: AccountState, {emoji}: UnicodeEmojiLoaded): AccountState {
  return withSlices(state, {unicodeEmoji: emoji});
}

function applyConnectionChanged(state: AccountState, {connection}: ConnectionChanged): AccountState {
  return withSlices(state, {connection});
}

function applyTypingExpired(state: AccountState, {now}: TypingExpired): AccountState {
  return withSlices(state, {typing: withoutExpired(state.typing, now)});
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
  typing_expired: applyTypingExpired,
  outbox_changed: applyOutboxChanged,
  local_drafts_changed: applyLocalDraftsChanged,
  unicode_emoji_loaded: applyUnicodeEmojiLoaded,
  connection_changed: applyConnectionChanged,
};

import {
  applyPresencesFetched,
  applySubscribersFetched,
  applyTopicsFetched,
} from '#state/events/local/lists-fetched.ts';
import {
  applyFetchFailed,
  applyFetchStarted,
  applyMatchesFetched,
  applySavedMessagesLoaded,
  applyTimelineClosed,
  applyTimelineLoading,
  applyTimelineOpened,
} from '#state/events/local/timeline-events.ts';
import type {LocalEvent} from '#state/local-events.ts';
import type {Appliers} from '#state/state-event.ts';
import {applyMessagesFetched} from './local/messages-fetched.ts';
import {
  applyConnectionChanged,
  applyLocalDraftsChanged,
  applyOutboxChanged,
  applyStateReplaced,
  applyTypingExpired,
} from './local/own.ts';
import {applyTypingReceived} from './typing.ts';

export const localAppliers: Pick<Appliers, LocalEvent['type']> = {
  state_replaced: applyStateReplaced,
  fetch_started: applyFetchStarted,
  fetch_failed: applyFetchFailed,
  messages_fetched: applyMessagesFetched,
  timeline_opened: applyTimelineOpened,
  messages_recalled: applySavedMessagesLoaded,
  timeline_loading: applyTimelineLoading,
  timeline_closed: applyTimelineClosed,
  matches_fetched: applyMatchesFetched,
  topics_fetched: applyTopicsFetched,
  subscribers_fetched: applySubscribersFetched,
  presences_fetched: applyPresencesFetched,
  typing_heard: applyTypingReceived,
  typing_expired: applyTypingExpired,
  outbox_changed: applyOutboxChanged,
  local_drafts_changed: applyLocalDraftsChanged,
  connection_changed: applyConnectionChanged,
};

import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {Appliers, LocalEvent, LocalEventOf, NarrowMatch} from '#state/local-events.ts';
import {canBeUnread, isLiveView, mentionsUser} from '#state/messages/event-conversations.ts';
import {
  changesOf,
  eventsSince,
  type ReplayedMessages,
  replayEvents,
  withFetchEnded,
  withFetchStarted,
  withoutChanges,
} from '#state/messages/event-log.ts';
import {
  confirmedMessage,
  conversationOf,
  withAwaitedMessages,
  withLatestMessages,
  withMessages,
  withoutMessages,
  withSavedOnly,
  withServerConfirmed,
} from '#state/messages/loaded-messages.ts';
import {incompleteTopics} from '#state/model/channel-topics.ts';
import {topicKey} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState, TopicSummary} from '#state/state.ts';
import {matchesNarrow, narrowCandidate} from '#state/timelines/narrow-membership.ts';
import {
  coversId,
  mapTimelines,
  reopenTimeline,
  withoutEvicted,
  withoutMessageIds,
  withWindow,
} from '#state/timelines/timeline-changes.ts';
import {
  hasOnlySavedMessages,
  isServerUnreachable,
  missingFrom,
  timelineFromLoaded,
  withPage,
} from '#state/timelines/timeline-pages.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {reuseIfEqual} from '#std/memo.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {ServerEvent} from '#wire/events.ts';
import {isHidden, withMessagesRemoved, withNewMessage} from './message-appliers.ts';
import {applyTypingReceived, withNewestPresences, withoutExpired} from './personal-appliers.ts';

function applyMessagesEvicted(state: AccountState, {windows, ids}: LocalEventOf<'messages_evicted'>): AccountState {
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
function applyTimelineWindowMoved(state: AccountState, event: LocalEventOf<'timeline_window_moved'>): AccountState {
  const key = narrowKey(event.narrow);
  const timeline = state.timelines.get(key);
  if (timeline === undefined) return state;
  const added = event.messages.filter(({id}) => !state.messages.byId.has(id));
  return withSlices(state, {
    messages: withMessages(state.messages, added),
    timelines: state.timelines.with(key, withWindow(timeline, event.window)),
  });
}

function applyEvictedMessagesLost(state: AccountState, {narrow}: LocalEventOf<'evicted_messages_lost'>): AccountState {
  const key = narrow === undefined ? undefined : narrowKey(narrow);
  return withSlices(state, {
    timelines: mapTimelines(state, (timeline) =>
      key === undefined || narrowKey(timeline.narrow) === key ? withoutEvicted(timeline) : timeline,
    ),
  });
}

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

function applyFetchFailed(state: AccountState, {narrow, problem}: LocalEventOf<'fetch_failed'>): AccountState {
  const after = withSlices(state, {log: withFetchEnded(state.log)});
  if (narrow === undefined) return after;
  return withTimelineChanged(after, narrow, (timeline) => ({...timeline, loading: undefined, problem}));
}

function applyTimelineOpened(state: AccountState, {narrow}: LocalEventOf<'timeline_opened'>): AccountState {
  const key = narrowKey(narrow);
  if (state.timelines.has(key))
    return withTimelineChanged(state, narrow, (timeline) => reopenTimeline(state, timeline));
  return {...state, timelines: state.timelines.with(key, timelineFromLoaded(state, narrow))};
}

/**
 * Adds saved messages to a timeline, unless it contains messages from the server or the server is reachable:
 * saved messages may have gaps that the timeline could not show.
 */
function applySavedMessagesLoaded(
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

function applyTimelineLoading(state: AccountState, {narrow, loading}: LocalEventOf<'timeline_loading'>): AccountState {
  return withTimelineChanged(state, narrow, (timeline) =>
    timeline.loading === loading && timeline.problem === undefined
      ? timeline
      : {...timeline, loading, problem: undefined},
  );
}

function applyTimelineClosed(state: AccountState, {narrow}: LocalEventOf<'timeline_closed'>): AccountState {
  return withSlices(state, {timelines: state.timelines.without(narrowKey(narrow))});
}

/** Applies the server's decision, unless the message is deleted or is known not to match any more. */
function applyMatchesFetched(state: AccountState, event: LocalEventOf<'matches_fetched'>): AccountState {
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

/** Adds the messages of a response, updated with the events that it may lack. */
function applyMessagesFetched(state: AccountState, event: LocalEventOf<'messages_fetched'>): AccountState {
  const since = eventsSince(state.log, event.since);
  const readable = event.messages.filter((message) => message.kind === 'direct' || !isHidden(state, message.channelId));
  // Other channels send no events: there the response counts.
  const followed = readable.filter((message) => canBeUnread(state, conversationOf(message)));
  const changes = changesOf(state, new Set(followed.map(({id}) => id)));
  const fetched = replayEvents(readable, event.unreadIds, [...changes, ...since]);
  const withNew = withArrivals(withoutMissing(state, event, fetched), fetched);
  const after = withMessagesMerged(withNew, fetched);
  return withSlices(after, {
    timelines: withFetchedPage(
      after,
      event,
      fetched,
      since.map((each) => each.event),
    ),
    log: withFetchEnded(after.log),
  });
}

/**
 * Removes messages that a page of a channel without a subscription should contain and does not: no event says that they
 * were deleted or moved.
 */
function withoutMissing(
  state: AccountState,
  {page}: LocalEventOf<'messages_fetched'>,
  {messages}: ReplayedMessages,
): AccountState {
  if (page === undefined || isLiveView(state, page.narrow) || !isWholeView(page.narrow)) return state;
  const timeline = state.timelines.get(narrowKey(page.narrow));
  if (timeline === undefined || page.joins === 'older' || page.joins === 'newer') return state;
  return withMessagesRemoved(state, missingFrom(page, sortedIds(messages), timeline));
}

/** Returns whether the narrow has no terms except the channel and perhaps the topic. */
function isWholeView(narrow: Narrow): boolean {
  return narrow.every(({operator, negated}) => negated !== true && (operator === 'channel' || operator === 'topic'));
}

function sortedIds(messages: ReplayedMessages['messages']): readonly number[] {
  return [...messages.keys()].sort((a, b) => a - b);
}

/**
 * Records messages that came without their event, which may follow or be long past. Those newer than any known message
 * belong at the end of every view already. Channels without a subscription send no events: there only the response says
 * which messages follow each other.
 */
function withArrivals(state: AccountState, {messages}: ReplayedMessages): AccountState {
  const unknown = [...messages.values()].filter(({id}) => confirmedMessage(state.messages, id) === undefined);
  // The event of a subscription may follow, too.
  const arrivals = withAwaitedMessages(
    state.arrivals,
    unknown.map(({id}) => id),
  );
  return unknown
    .filter((message) => message.id > state.maxMessageId && canBeUnread(state, conversationOf(message)))
    .sort((a, b) => a.id - b.id)
    .reduce(withNewMessage, withSlices(state, {arrivals}));
}

function withMessagesMerged(state: AccountState, fetched: ReplayedMessages): AccountState {
  const messages = [...fetched.messages.values()].map((message) => mergedMessage(state, message));
  const confirmed = withServerConfirmed(
    state.messages,
    messages.map(({id}) => id),
  );
  const latest = withLatestMessages(state, messages);
  return withSlices(state, {
    messages: withMessages(confirmed, messages),
    unreads: state.unreads.oldMissing ? withOldUnreads(state, messages, fetched) : state.unreads,
    starred: starredWith(state.starred, messages),
    topics: latest.topics,
    directs: latest.directs,
    maxMessageId: messages.reduce((newest, {id}) => Math.max(newest, id), state.maxMessageId),
  });
}

/**
 * Returns the version to store. A loaded message is current by events, and shows pending changes. Channels without a
 * subscription send no events: there the response counts; everywhere else only if it has a later edit.
 */
function mergedMessage(state: AccountState, message: Message): Message {
  const loaded = confirmedMessage(state.messages, message.id);
  if (loaded === undefined) return message;
  if (!canBeUnread(state, conversationOf(message))) return keepIfEqual(loaded, message);
  if ((message.editedAt ?? 0) <= (loaded.editedAt ?? 0)) return loaded;
  const {content, isMe, editedAt, facts} = message;
  return {...loaded, content, isMe, editedAt, facts};
}

/** Adds fetched unread messages that the server left out of the snapshot because they were too old. */
function withOldUnreads(
  state: AccountState,
  messages: readonly Message[],
  {unreadIds}: ReplayedMessages,
): AccountState['unreads'] {
  const missing = messages.flatMap((message) => {
    const {id, flags} = message;
    const conversation = conversationOf(message);
    if (!unreadIds.has(id) || state.unreads.byId.has(id) || confirmedMessage(state.messages, id)) return [];
    if (!canBeUnread(state, conversation)) return [];
    return [{id, conversation, isMention: mentionsUser(state, flags, conversation)}];
  });
  return addUnreads(state.unreads, missing);
}

function starredWith(starred: AccountState['starred'], messages: readonly Message[]): AccountState['starred'] {
  const idsOf = (isStarred: boolean) =>
    messages.filter(({flags}) => flags.includes('starred') === isStarred).map(({id}) => id);
  return starred.withAll(idsOf(true)).withoutAll(idsOf(false));
}

/** A response for a timeline that was closed meanwhile adds only its messages. */
function withFetchedPage(
  state: AccountState,
  {page}: LocalEventOf<'messages_fetched'>,
  {messages}: ReplayedMessages,
  since: readonly ServerEvent[],
): AccountState['timelines'] {
  const timeline = page === undefined ? undefined : state.timelines.get(narrowKey(page.narrow));
  if (page === undefined || timeline === undefined) return state.timelines;
  const ids = sortedIds(messages);
  return state.timelines.with(narrowKey(page.narrow), withPage(state, timeline, page, ids, since));
}

/** Adds facts to messages that still have the content to which they belong. */
function applyMessageFactsFound(state: AccountState, {found}: LocalEventOf<'message_facts_found'>): AccountState {
  const changed = found.flatMap(({id, content, facts}) => {
    const message = state.messages.byId.get(id);
    return message?.content === content ? [{...message, facts}] : [];
  });
  return withSlices(state, {messages: withMessages(state.messages, changed)});
}

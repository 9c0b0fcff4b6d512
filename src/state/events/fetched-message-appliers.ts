import type {LocalEventOf} from '#state/local-events.ts';
import {canBeUnread, isLiveView, mentionsUser} from '#state/messages/event-conversations.ts';
import {changesOf, eventsSince, type ReplayedMessages, replayEvents} from '#state/messages/event-log.ts';
import {
  confirmedMessage,
  conversationOf,
  withAwaitedMessages,
  withLatestMessages,
  withMessages,
  withServerConfirmed,
} from '#state/messages/loaded-messages.ts';
import {keepIfEqual} from '#state/model/immutable-updates.ts';
import type {Message} from '#state/model/message.ts';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import {withFetchEnded} from '#state/slices/event-log.ts';
import type {AccountState} from '#state/state.ts';
import {missingFrom, withPage} from '#state/timelines/timeline-pages.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import {withSlices} from '#state/with-slices.ts';
import type {ServerEvent} from '#wire/events.ts';
import {isHidden, withMessagesRemoved, withNewMessage} from './message-appliers.ts';

/** Adds the messages of a response, updated with the events that it may lack. */
export function applyMessagesFetched(state: AccountState, event: LocalEventOf<'messages_fetched'>): AccountState {
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
export function applyMessageFactsFound(
  state: AccountState,
  {found}: LocalEventOf<'message_facts_found'>,
): AccountState {
  const changed = found.flatMap(({id, content, facts}) => {
    const message = state.messages.byId.get(id);
    return message?.content === content ? [{...message, facts}] : [];
  });
  return withSlices(state, {messages: withMessages(state.messages, changed)});
}

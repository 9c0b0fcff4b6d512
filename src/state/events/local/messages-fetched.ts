import {withNewMessage} from '#state/events/message.ts';
import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {MessagesFetched} from '#state/local-events.ts';
import {canBeUnread} from '#state/messages/event-conversations.ts';
import {eventsSince, withFetchEnded} from '#state/messages/event-log.ts';
import {withLatestMessages} from '#state/messages/latest-messages.ts';
import {
  confirmedMessage,
  conversationOf,
  withMessages,
  withServerConfirmed,
} from '#state/messages/loaded-messages.ts';
import {mentionsUser} from '#state/messages/mentions.ts';
import {withAwaitedMessages} from '#state/messages/message-arrivals.ts';
import {type ReplayedMessages, replayEvents} from '#state/messages/replay-events.ts';
import type {Message} from '#state/model/message.ts';
import {narrowKey} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {withPage} from '#state/timelines/merge-page.ts';
import {addUnreads} from '#state/unreads/unreads.ts';
import type {ServerEvent} from '#wire/events.ts';

/** What an answer brings, brought up to date with what happened while it was in the air. */
export function applyMessagesFetched(state: AccountState, event: MessagesFetched): AccountState {
  const since = eventsSince(state.log, event.since);
  const fetched = replayEvents(event.messages, event.unreadIds, since);
  const arrived = withArrivals(state, fetched);
  const known = withKnown(arrived, fetched);
  return withSlices(known, {
    timelines: withFetchedPage(known, event, fetched, since),
    log: withFetchEnded(known.log),
  });
}

/** Their events are on the way, or long past. Those newer than anything known belong at the end of every view already. */
function withArrivals(state: AccountState, {messages}: ReplayedMessages): AccountState {
  const unknown = [...messages.values()].filter(({id}) => confirmedMessage(state.messages, id) === undefined);
  const arrivals = withAwaitedMessages(
    state.arrivals,
    unknown.map(({id}) => id),
  );
  return unknown
    .filter(({id}) => id > state.maxMessageId)
    .sort((a, b) => a.id - b.id)
    .reduce(withNewMessage, withSlices(state, {arrivals}));
}

function withKnown(state: AccountState, fetched: ReplayedMessages): AccountState {
  const messages = [...fetched.messages.values()].map((message) => merged(state, message));
  const told = withServerConfirmed(
    state.messages,
    messages.map(({id}) => id),
  );
  const latest = withLatestMessages(state, messages);
  return withSlices(state, {
    messages: withMessages(told, messages),
    unreads: state.unreads.oldMissing ? withOldUnreads(state, messages, fetched) : state.unreads,
    starred: starredWith(state.starred, messages),
    topics: latest.topics,
    directs: latest.directs,
    maxMessageId: messages.reduce((newest, {id}) => Math.max(newest, id), state.maxMessageId),
  });
}

/**
 * A loaded message is kept up by events, and shows what was done here and is not yet there. Of channels without a
 * subscription no events come: there the answer counts, and everywhere a later edit than the one known.
 */
function merged(state: AccountState, message: Message): Message {
  const loaded = confirmedMessage(state.messages, message.id);
  if (loaded === undefined) return message;
  if (!canBeUnread(state, conversationOf(message))) return keepIfEqual(loaded, message);
  if ((message.editedAt ?? 0) <= (loaded.editedAt ?? 0)) return loaded;
  return {...loaded, content: message.content, isMe: message.isMe, editedAt: message.editedAt};
}

/** The server left out the oldest unread messages; those that are met are counted in. */
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

function starredWith(
  starred: AccountState['starred'],
  messages: readonly Message[],
): AccountState['starred'] {
  const isStarred = ({flags}: Message) => flags.includes('starred');
  const wrong = messages.filter((message) => starred.has(message.id) !== isStarred(message));
  if (wrong.length === 0) return starred;
  const [more, fewer] = [wrong.filter(isStarred), wrong.filter((message) => !isStarred(message))];
  return starred.withAll(more.map(({id}) => id)).withoutAll(fewer.map(({id}) => id));
}

/** Answers for a timeline that was closed meanwhile leave their messages and nothing else. */
function withFetchedPage(
  state: AccountState,
  {page}: MessagesFetched,
  {messages}: ReplayedMessages,
  since: readonly ServerEvent[],
): AccountState['timelines'] {
  const timeline = page === undefined ? undefined : state.timelines.get(narrowKey(page.narrow));
  if (page === undefined || timeline === undefined) return state.timelines;
  const ids = [...messages.keys()].sort((a, b) => a - b);
  return state.timelines.with(narrowKey(page.narrow), withPage(state, timeline, page, ids, since));
}

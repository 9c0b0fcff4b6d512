import type {ConversationUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {PackedMap} from '#std/packed-map.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

export type Plain = Record<string, unknown>;

/** The parts of the state that a registration does not contain: local and fetched data. */
const unregistered = [
  'messages',
  'timelines',
  'topics',
  'formerChannels',
  'typing',
  'log',
  'attachments',
  'unicodeEmoji',
  'arrivals',
  'outbox',
  'localDrafts',
  'connection',
] as const;

/** Returns the part of the state that a registration contains as plain data, without values that may differ. */
export function plainState(state: AccountState): Plain {
  const {maxMessageId: _hint, presences, ...rest} = state;
  const slices: Record<string, unknown> = {...rest, presences: presences.byUser};
  for (const name of unregistered) delete slices[name];
  // A registration has the user's settings of visible channels only.
  slices.subscriptions = [...state.subscriptions].filter(([id]) => state.channels.has(id));
  slices.channels = [...state.channels.values()].map(withoutHints);
  slices.unreads = {...state.unreads, conversations: [...state.unreads.conversations.values()].map(withFoldedTopic)};
  // A reminder quotes what its owner may read when it is asked for.
  slices.reminders = [...state.reminders].map(([id, {content: _quote, ...reminder}]) => [id, reminder]);
  slices.directs = [...state.directs].map(([key, {isGuess: _hint, ...direct}]) => [key, direct]);
  return plain(slices) as Plain;
}

/** A registration spells an unread topic as in its oldest unread message, whose spelling a client may not know. */
function withFoldedTopic({conversation, ...unread}: ConversationUnreads): Plain {
  return {
    ...unread,
    conversation:
      conversation.kind === 'topic' ? {...conversation, topic: conversation.topic.toLowerCase()} : conversation,
  };
}

/** Returns the loaded messages as plain data. */
export function plainMessages({messages}: AccountState): unknown {
  // The order of flags does not matter; facts are what this client found out.
  const sorted = [...messages.byId.values()].map(({facts: _facts, ...one}) => ({...one, flags: one.flags.toSorted()}));
  return plain({byId: sorted, byConversation: messages.byConversation});
}

/** Removes values that no events report, or not all: they follow from messages. */
function withoutHints(channel: object): Plain {
  const copy: Plain = {...channel};
  delete copy.streamWeeklyTraffic;
  delete copy.isRecentlyActive;
  delete copy.firstMessageId;
  return copy;
}

function plain(value: unknown): unknown {
  if (value instanceof SortedMap || value instanceof SortedSet || value instanceof PackedMap) {
    return [...value].map(plain);
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, plain(inner)]),
  );
}

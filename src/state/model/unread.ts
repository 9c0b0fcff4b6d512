import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {type Conversation, type ConversationKey, channelIdOf} from './conversation.ts';

/** The unread messages of one conversation. Never empty. */
export interface ConversationUnreads {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly ids: SortedSet<number>;
}

/**
 * All unread messages, loaded or not. It is the only source of what is unread: a message's flags never contain `read`.
 *
 * Invariant: `byId` contains exactly the ids of all `conversations`, and `channels` exactly their topics.
 */
export interface Unreads {
  readonly byId: SortedMap<number, ConversationKey>;
  readonly conversations: SortedMap<ConversationKey, ConversationUnreads>;
  /** The topics with unread messages, by channel. */
  readonly channels: SortedMap<number, SortedSet<ConversationKey>>;
  /** The unread messages that mention the user. */
  readonly mentions: SortedSet<number>;
  /** The server left out the oldest unread messages, because there were too many. */
  readonly oldMissing: boolean;
}

export const noUnreads: Unreads = {
  byId: SortedMap.empty(),
  conversations: SortedMap.empty(),
  channels: SortedMap.empty(),
  mentions: SortedSet.empty(),
  oldMissing: false,
};

/** Builds the index in bulk: each part is written once, because there may be tens of thousands of messages. */
export function buildUnreads(
  conversations: readonly ConversationUnreads[],
  mentions: Iterable<number>,
  oldMissing: boolean,
): Unreads {
  if (conversations.length === 0) return {...noUnreads, oldMissing};
  const keys = new Map<number, ConversationKey>();
  for (const {key, ids} of conversations) for (const id of ids.toArray()) keys.set(id, key);
  const topics = Map.groupBy(conversations, ({conversation}) => channelIdOf(conversation) ?? 0);
  // Direct conversations have no channel.
  topics.delete(0);
  return {
    byId: inOrder(keys),
    conversations: SortedMap.by(conversations, ({key}) => key),
    channels: SortedMap.from([...topics].map(([id, rows]) => [id, SortedSet.from(rows.map(({key}) => key))] as const)),
    mentions: SortedSet.from([...mentions].filter((id) => keys.has(id))),
    oldMissing,
  };
}

/** Sorting plain numbers is several times as fast as sorting pairs. */
function inOrder(keys: ReadonlyMap<number, ConversationKey>): SortedMap<number, ConversationKey> {
  const ids = Array.from(Float64Array.from([...keys.keys()]).sort());
  return SortedMap.fromKeysAndValues(
    ids,
    ids.map((id) => keys.get(id) ?? ''),
  );
}

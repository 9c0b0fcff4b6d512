import type {ConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** Builds the index in bulk: each part is written once, because there may be tens of thousands of messages. */
export function buildUnreads(
  conversations: readonly ConversationUnreads[],
  mentions: Iterable<number>,
  oldMissing: boolean,
): Unreads {
  if (conversations.length === 0) return {...noUnreads, oldMissing};
  const keys = new Map<number, ConversationKey>();
  for (const {key, ids} of conversations) for (const id of ids.toArray()) keys.set(id, key);
  return {
    byId: inOrder(keys),
    conversations: SortedMap.by(conversations, ({key}) => key),
    channels: SortedMap.from(
      [...topicsByChannel(conversations)].map(([id, topics]) => [id, SortedSet.from(topics)] as const),
    ),
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

function topicsByChannel(conversations: readonly ConversationUnreads[]): Map<number, ConversationKey[]> {
  const topics = new Map<number, ConversationKey[]>();
  for (const {key, conversation} of conversations) {
    if (conversation.kind === 'direct') continue;
    const known = topics.get(conversation.channelId);
    if (known === undefined) topics.set(conversation.channelId, [key]);
    else known.push(key);
  }
  return topics;
}

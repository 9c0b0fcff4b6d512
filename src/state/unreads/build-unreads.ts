import type {ConversationKey} from '#state/model/conversation.ts';
import {type ConversationUnreads, noUnreads, type Unreads} from '#state/model/unread.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/** The index built at once: each part is written in one go, because there may be tens of thousands. */
export function buildUnreads(
  conversations: readonly ConversationUnreads[],
  mentions: Iterable<number>,
  oldMissing: boolean,
): Unreads {
  if (conversations.length === 0) return {...noUnreads, oldMissing};
  const keys = new Map<number, ConversationKey>();
  for (const {key, ids} of conversations) for (const id of ids) keys.set(id, key);
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

/** Numbers by themselves are sorted several times faster than pairs. */
function inOrder(keys: ReadonlyMap<number, ConversationKey>): SortedMap<number, ConversationKey> {
  const ids = [...Float64Array.from(keys.keys()).sort()];
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

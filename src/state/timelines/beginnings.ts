import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {
  channelNarrow,
  everything,
  isNarrow,
  type Narrow,
  narrowConversation,
  narrowKey,
} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {SortedSet} from '#std/sorted-map.ts';

/**
 * Begins with what another open timeline proves to be a stretch of this one: a topic within its channel, a direct
 * conversation within all direct messages or within everything. Without a connection, with whatever is loaded of it. Costs
 * the messages taken over.
 */
export function begunFromLoaded(state: AccountState, narrow: Narrow): Timeline {
  const empty = emptyTimeline(narrow);
  const conversation = narrowConversation(narrow);
  if (conversation === undefined || narrow.some(isAnchor)) return empty;
  const source = wider(conversation)
    .map((each) => state.timelines.get(narrowKey(each)))
    .find((each) => each?.hasNewest === true && !each.isStale && each.ids.size > 0);
  const loaded = state.messages.byConversation.get(conversationKey(conversation));
  if (loaded === undefined) return empty;
  if (source === undefined) return isOnItsOwn(state) ? {...empty, ids: loaded, isStale: true} : empty;
  const ids: number[] = [];
  const first = source.ids.first() ?? 0;
  for (const id of loaded.back()) {
    if (id < first) break;
    if (source.ids.has(id)) ids.push(id);
  }
  if (ids.length === 0) return empty;
  return {...empty, ids: SortedSet.from(ids), hasOldest: source.hasOldest, hasNewest: true};
}

/** The server cannot be asked: what this machine has is all there is, and what is between and around it is unknown. */
function isOnItsOwn({connection}: AccountState): boolean {
  if (connection.phase === 'starting') return connection.savedAt !== undefined;
  return connection.phase === 'offline';
}

function isAnchor({operator}: Narrow[number]): boolean {
  return operator === 'near' || operator === 'with';
}

/** Everything shows only what reached the user, so it proves nothing about topics. */
function wider(conversation: Conversation): Narrow[] {
  return conversation.kind === 'topic'
    ? [channelNarrow(conversation.channelId)]
    : [isNarrow('dm'), everything];
}

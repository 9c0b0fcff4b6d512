import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {
  channelNarrow,
  combinedFeedNarrow,
  conversationOfNarrow,
  everythingNarrow,
  type Narrow,
  narrowIs,
  narrowKey,
} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {SortedSet} from '#std/sorted-map.ts';
import {messageMatchesNarrow} from './narrow-membership.ts';

/** Nobody reads further back without a connection. */
export const maxSavedMessages = 500;

/**
 * Begins with what another open timeline proves to be a stretch of this one: a topic within its channel, a direct
 * conversation within all direct messages or within everything. Without a connection, with whatever is loaded of it. Costs
 * the messages taken over; without a connection, the messages looked at.
 */
export function timelineFromLoaded(state: AccountState, narrow: Narrow): Timeline {
  const proven = provenStretch(state, narrow);
  if (proven !== undefined) return proven;
  const empty = emptyTimeline(narrow);
  return isServerUnreachable(state) ? {...empty, ids: loadedIdsIn(state, narrow), isStale: true} : empty;
}

function provenStretch(state: AccountState, narrow: Narrow): Timeline | undefined {
  const conversation = conversationOfNarrow(narrow);
  if (conversation === undefined || narrow.some(isAnchor)) return undefined;
  const source = wider(state, conversation)
    .map((each) => state.timelines.get(narrowKey(each)))
    .find((each) => each?.hasNewest === true && !each.isStale && each.ids.size > 0);
  const loaded = state.messages.byConversation.get(conversationKey(conversation));
  if (loaded === undefined || source === undefined) return undefined;
  const ids: number[] = [];
  const first = source.ids.first() ?? 0;
  for (const id of loaded.reversed()) {
    if (id < first) break;
    if (source.ids.has(id)) ids.push(id);
  }
  if (ids.length === 0) return undefined;
  return {...emptyTimeline(narrow), ids: SortedSet.from(ids), hasOldest: source.hasOldest, hasNewest: true};
}

/** Those loaded that are known to belong there, the newest of them. */
function loadedIdsIn(state: AccountState, narrow: Narrow): SortedSet<number> {
  const {byId, byConversation} = state.messages;
  const none = SortedSet.empty<number>();
  if (narrow.some(isAnchor)) return none;
  const conversation = conversationOfNarrow(narrow);
  if (conversation !== undefined) return byConversation.get(conversationKey(conversation)) ?? none;
  const ids: number[] = [];
  for (const [id, message] of byId.entriesReversed()) {
    if (messageMatchesNarrow(state, narrow, message) === true && ids.push(id) >= maxSavedMessages) break;
  }
  return SortedSet.from(ids);
}

/** Nothing of it is the server's answer. */
export function hasOnlySavedMessages({ids, hasOldest, hasNewest, isStale}: Timeline): boolean {
  return !hasOldest && !hasNewest && (isStale || ids.size === 0);
}

/** The server cannot be asked: what this machine has is all there is, and what is between and around it is unknown. */
export function isServerUnreachable({connection}: AccountState): boolean {
  if (connection.phase === 'starting') return connection.savedAt !== undefined;
  return connection.phase === 'offline';
}

function isAnchor({operator}: Narrow[number]): boolean {
  return operator === 'near' || operator === 'with';
}

/** What shows only what reached the user proves nothing about topics, and the feed nothing about muted people. */
function wider({mutedUsers}: AccountState, conversation: Conversation): Narrow[] {
  if (conversation.kind === 'topic') return [channelNarrow(conversation.channelId)];
  const isHeard = !conversation.userIds.some((id) => mutedUsers.has(id));
  return [narrowIs('dm'), everythingNarrow, ...(isHeard ? [combinedFeedNarrow] : [])];
}

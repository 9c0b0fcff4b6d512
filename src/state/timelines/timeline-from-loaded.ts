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

/** The maximum number of saved messages that a view shows offline. */
export const maxSavedMessages = 500;

/**
 * Starts a timeline with the stretch that another open timeline proves to be contiguous: a topic within its
 * channel, a direct conversation within all direct messages or the whole feed. Offline, with all loaded
 * messages that match. Costs O(messages copied), offline O(messages visited).
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
  const source = containingNarrows(state, conversation)
    .map((timeline) => state.timelines.get(narrowKey(timeline)))
    .find((timeline) => timeline?.hasNewest === true && !timeline.isStale && timeline.ids.size > 0);
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

/** Returns the newest loaded messages that certainly match. */
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

/** Returns whether no message of the timeline came from the server. */
export function hasOnlySavedMessages({ids, hasOldest, hasNewest, isStale}: Timeline): boolean {
  return !hasOldest && !hasNewest && (isStale || ids.size === 0);
}

/** Returns whether the server cannot be asked: saved messages are then all there is, with unknown gaps. */
export function isServerUnreachable({connection}: AccountState): boolean {
  if (connection.phase === 'starting') return connection.savedAt !== undefined;
  return connection.phase === 'offline';
}

function isAnchor({operator}: Narrow[number]): boolean {
  return operator === 'near' || operator === 'with';
}

/**
 * Returns the narrows that contain the conversation completely. Views of what reached the user prove nothing
 * about topics, and the combined feed proves nothing about muted users.
 */
function containingNarrows({mutedUsers}: AccountState, conversation: Conversation): Narrow[] {
  if (conversation.kind === 'topic') return [channelNarrow(conversation.channelId)];
  const isUnmuted = !conversation.userIds.some((id) => mutedUsers.has(id));
  return [narrowIs('dm'), everythingNarrow, ...(isUnmuted ? [combinedFeedNarrow] : [])];
}

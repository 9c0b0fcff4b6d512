import type {TimelinePage} from '#state/local-events.ts';
import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {
  channelNarrow,
  combinedFeedNarrow,
  conversationOfNarrow,
  everythingNarrow,
  isCombinedFeed,
  type Narrow,
  narrowIs,
  narrowKey,
} from '#state/model/narrow.ts';
import {type EvictedEnds, emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {deletedIds} from '#wire/events/messages.ts';
import type {ServerEvent} from '#wire/events.ts';
import {messageMatchesNarrow, narrowCandidate, stillMatches} from './narrow-membership.ts';
import {timelineAfterEvent} from './timeline-changes.ts';

/**
 * Adds a page of a response to a timeline. `ids` are those of its messages that still exist; `since` are the events
 * that arrived while it was in flight, which it may or may not reflect. `state` must contain the messages already.
 */
export function withPage(
  state: AccountState,
  timeline: Timeline,
  page: TimelinePage,
  ids: readonly number[],
  since: readonly ServerEvent[],
): Timeline {
  const matchingIds = isCombinedFeed(page.narrow) ? ids.filter((id) => isMatch(state, page.narrow, id)) : ids;
  const joined = joinPage(timeline, page, {ids, shown: matchingIds}, since);
  return since.reduce((after, event) => timelineAfterEvent(state, after, event), joined);
}

interface PageIds {
  readonly ids: readonly number[];
  /** Those that the timeline shows. */
  readonly shown: readonly number[];
}

function joinPage(timeline: Timeline, page: TimelinePage, ids: PageIds, since: readonly ServerEvent[]): Timeline {
  switch (page.joins) {
    case 'replace':
      return startTimeline(timeline, page, ids.shown);
    case 'refresh':
      return refreshTimeline(timeline, page, ids.shown);
    default:
      return extendTimeline(timeline, page, ids, since);
  }
}

/**
 * Replaces the part of the timeline that the page covers. When messages between the two are unknown, they are loaded
 * like other newer messages.
 */
function refreshTimeline(timeline: Timeline, page: TimelinePage, ids: readonly number[]): Timeline {
  const range = refreshedRange(page, ids);
  const last = timeline.ids.last();
  if (last === undefined) return startTimeline(timeline, page, ids);
  if (range[0] > last) return {...timeline, hasNewest: false, evicted: undefined};
  const replaced = [...timeline.ids.from(range[0])].filter((id) => id <= range[1]);
  return {
    ...timeline,
    ids: timeline.ids.withoutAll(replaced).withAll(ids),
    hasOldest: timeline.hasOldest || page.foundOldest,
    hasNewest: range[1] >= last ? page.foundNewest : timeline.hasNewest,
    matches: withMatches(timeline.matches, page, ids),
    evicted: undefined,
  };
}

function refreshedRange({foundOldest, foundNewest}: TimelinePage, ids: readonly number[]): IdRange {
  const [low = Number.POSITIVE_INFINITY, high = Number.NEGATIVE_INFINITY] = [ids[0], ids.at(-1)];
  return [foundOldest ? Number.NEGATIVE_INFINITY : low, foundNewest ? Number.POSITIVE_INFINITY : high];
}

/** Returns the messages of the timeline that the page should contain and does not: they were deleted or moved. */
export function missingFrom(page: TimelinePage, ids: readonly number[], timeline: Timeline): readonly number[] {
  const [low, high] = refreshedRange(page, ids);
  const received = new Set(ids);
  return [...timeline.ids.from(low)].filter((id) => id <= high && !received.has(id));
}

/** Filters messages of muted users, which the server does not leave out of the combined feed. */
function isMatch(state: AccountState, narrow: Narrow, id: number): boolean {
  const message = state.messages.byId.get(id);
  return message !== undefined && stillMatches(state, narrow, narrowCandidate(message)) !== false;
}

function startTimeline(
  {narrow, becameStaleWhileLoading = false}: Timeline,
  page: TimelinePage,
  ids: readonly number[],
): Timeline {
  return {
    ...emptyTimeline(narrow),
    ids: SortedSet.from(ids),
    hasOldest: page.foundOldest,
    hasNewest: page.foundNewest,
    anchor: page.anchor,
    isStale: becameStaleWhileLoading,
    matches: withMatches(SortedMap.empty(), page, ids),
  };
}

function extendTimeline(
  timeline: Timeline,
  page: TimelinePage,
  {ids, shown: matchingIds}: PageIds,
  since: readonly ServerEvent[],
): Timeline {
  const isAwaited = timeline.loading === page.joins;
  const loaded = isAwaited ? {...timeline, loading: undefined, problem: undefined} : timeline;
  // The anchor message may have been deleted or moved away meanwhile; the page still adjoins the timeline.
  const adjoins =
    overlaps(coveredRange(timeline), pageRange(page, ids)) || (isAwaited && wasMovedOrDeleted(page.anchor, since));
  if (!adjoins) return loaded;
  return {
    ...loaded,
    ids: timeline.ids.withAll(matchingIds),
    hasOldest: timeline.hasOldest || (page.joins === 'older' && page.foundOldest),
    hasNewest: timeline.hasNewest || (page.joins === 'newer' && page.foundNewest),
    matches: withMatches(timeline.matches, page, matchingIds),
    evicted: evictedAfterPage(timeline.evicted, page),
  };
}

/** Returns the evicted messages at the other end; those at this end are between the timeline and the page, or part of it. */
function evictedAfterPage(evicted: EvictedEnds | undefined, page: TimelinePage): EvictedEnds | undefined {
  if (evicted === undefined || (page.joins === 'older' ? evicted.older : evicted.newer).size > 0) return undefined;
  return page.joins === 'older'
    ? {...evicted, hasOldest: evicted.hasOldest || page.foundOldest}
    : {...evicted, hasNewest: evicted.hasNewest || page.foundNewest};
}

/** A range of ids without gaps, both ends included. Empty when the first exceeds the second. */
type IdRange = readonly [low: number, high: number];

const emptyRange: IdRange = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

function coveredRange({ids, hasOldest, hasNewest}: Timeline): IdRange {
  const [first, last] = [ids.first(), ids.last()];
  if (first === undefined || last === undefined) {
    return hasOldest && hasNewest ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : emptyRange;
  }
  return [hasOldest ? Number.NEGATIVE_INFINITY : first, hasNewest ? Number.POSITIVE_INFINITY : last];
}

/** Returns the range that a page covers, from the end of the timeline at the time of the request. */
function pageRange({joins, anchor, foundOldest, foundNewest}: TimelinePage, ids: readonly number[]): IdRange {
  const [low, high] = [ids[0] ?? anchor, ids.at(-1) ?? anchor];
  if (low === undefined || high === undefined) return emptyRange;
  return joins === 'older'
    ? [foundOldest ? Number.NEGATIVE_INFINITY : low, anchor ?? high]
    : [anchor ?? low, foundNewest ? Number.POSITIVE_INFINITY : high];
}

function overlaps([low, high]: IdRange, [otherLow, otherHigh]: IdRange): boolean {
  return low <= otherHigh && otherLow <= high;
}

function wasMovedOrDeleted(id: number | undefined, since: readonly ServerEvent[]): boolean {
  return since.some((event) => {
    if (event.type === 'delete_message') return deletedIds(event).some((deleted) => deleted === id);
    return event.type === 'update_message' && event.message_ids.some((changed) => changed === id);
  });
}

function withMatches(before: Timeline['matches'], page: TimelinePage, ids: readonly number[]): Timeline['matches'] {
  if (page.matches.length === 0) return before;
  const matchingIds = new Set(ids);
  return before.edit((draft) => {
    for (const {id, content, topic} of page.matches) if (matchingIds.has(id)) draft.set(id, {content, topic});
  });
}

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

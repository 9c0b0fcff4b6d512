import {
  isChannelMuted,
  isTopicMuted,
  leavesOwnMessages,
  listsOwnMessages,
  movedTo,
} from '#state/messages/event-conversations.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import type {IdWindow, Timeline} from '#state/model/timeline.ts';
import type {AccountState} from '#state/state.ts';
import {withSlices} from '#state/with-slices.ts';
import {reuseIfEqual} from '#std/memo.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {deletedIds, isMove} from '#wire/events/messages.ts';
import type {EventOf, ServerEvent} from '#wire/events.ts';
import {
  type MessageAspect,
  matchesNarrow,
  type NarrowCandidate,
  type NarrowVerdict,
  narrowCandidate,
  narrowDependsOn,
  narrowDependsOnMuting,
  stillMatches,
  withoutUnreadTerms,
} from './narrow-membership.ts';

/** Applies a change to the open timelines, of which there are few. */
export function mapTimelines(state: AccountState, change: (timeline: Timeline) => Timeline): AccountState['timelines'] {
  let timelines = state.timelines;
  for (const [key, timeline] of state.timelines) {
    const after = change(timeline);
    if (after !== timeline) timelines = timelines.with(key, after);
  }
  return timelines;
}

/** Returns whether a message with this id would be loaded if it matched. */
export function coversId({ids, hasOldest, hasNewest}: Timeline, id: number): boolean {
  const [first, last] = [ids.first(), ids.last()];
  if (first === undefined || last === undefined) return hasOldest && hasNewest;
  return (hasOldest || id >= first) && (hasNewest || id <= last);
}

/** Appends a new message that just arrived, if the end of the timeline is loaded or evicted. */
export function withLiveMessage(state: AccountState, timeline: Timeline, message: Message): Timeline {
  const {ids, hasOldest, hasNewest, narrow, undecidedIds} = timeline;
  if (ids.has(message.id) || isEvicted(timeline, message.id)) return timeline;
  if (coversEvicted(timeline, message.id)) return withEvictedLive(state, timeline, message);
  if (!hasNewest && timeline.evicted?.hasNewest !== true) return timeline;
  const first = ids.first();
  if (!hasOldest && first !== undefined && message.id < first) return timeline;
  const verdict = matchesNarrow(state, narrow, narrowCandidate(message));
  if (verdict === true) return {...timeline, ids: ids.with(message.id)};
  if (verdict === false || undecidedIds.has(message.id)) return timeline;
  return {...timeline, undecidedIds: undecidedIds.with(message.id)};
}

function withEvictedLive(state: AccountState, timeline: Timeline, message: Message): Timeline {
  const isMatch = matchesNarrow(state, timeline.narrow, narrowCandidate(message));
  if (isMatch === false) return timeline;
  const isNewer = message.id > (timeline.ids.last() ?? 0);
  return isMatch === true && isNewer ? withEvictedNewer(timeline, message.id) : withoutEvicted(timeline);
}

/**
 * Rechecks changed messages. Those that no longer match are removed; those that match now are added if they are loaded
 * and within the covered range. Messages that are not loaded must be fetched, so they make the timeline stale.
 */
function withChangedMessages(
  state: AccountState,
  timeline: Timeline,
  aspect: MessageAspect,
  candidates: () => readonly NarrowCandidate[],
): Timeline {
  if (!narrowDependsOn(timeline.narrow, aspect)) return timeline;
  const leaving: number[] = [];
  const joining: number[] = [];
  const undecidedIds: number[] = [];
  let {isStale} = timeline;
  let isExtentKnown = true;
  for (const candidate of candidates()) {
    const {id, message} = candidate;
    const verdict = verdictFor(state, timeline, candidate);
    if (coversEvicted(timeline, id) && !isDecided(timeline, candidate, verdict)) isExtentKnown = false;
    if (verdict === false) leaving.push(id);
    else if (!coversId(timeline, id)) continue;
    else if (verdict === true && message !== undefined) joining.push(id);
    // A move may bring thousands of messages that are not loaded: refetching costs less than asking about each.
    else if (verdict === true || (message === undefined && aspect === 'conversation')) isStale = true;
    else undecidedIds.push(id);
  }
  const known = isExtentKnown ? timeline : withoutEvicted(timeline);
  return withIds(withoutMessageIds(known, leaving), joining, undecidedIds, isStale);
}

/**
 * Returns whether it is certain that an evicted message stays or leaves, or that another one does not join. The combined feed
 * depends on flags too, which are unknown of messages that are not loaded.
 */
function isDecided(timeline: Timeline, {id, conversation}: NarrowCandidate, verdict: NarrowVerdict): boolean {
  if (conversation === undefined || isCombinedFeed(timeline.narrow)) return false;
  return verdict === false || (verdict === true && isEvicted(timeline, id));
}

function verdictFor(state: AccountState, timeline: Timeline, candidate: NarrowCandidate): NarrowVerdict {
  const {narrow, ids} = timeline;
  return ids.has(candidate.id) || isEvicted(timeline, candidate.id)
    ? stillMatches(state, withoutUnreadTerms(narrow), candidate)
    : matchesNarrow(state, narrow, candidate);
}

function withIds(
  timeline: Timeline,
  joining: readonly number[],
  undecided: readonly number[],
  isStale: boolean,
): Timeline {
  const after = {ids: timeline.ids.withAll(joining), undecidedIds: timeline.undecidedIds.withAll(undecided), isStale};
  return reuseIfEqual(timeline, {...timeline, ...after});
}

export function withoutMessageIds(before: Timeline, removed: readonly number[]): Timeline {
  const timeline = withoutEvictedIds(before, removed);
  const {ids, undecidedIds, matches, evicted} = timeline;
  const known = removed.filter((id) => ids.has(id) || undecidedIds.has(id) || matches.has(id));
  if (known.length === 0) return timeline;
  const matchedIds = known.filter((id) => matches.has(id));
  const remaining = ids.withoutAll(known);
  // Nothing would say where the evicted messages are.
  const isLost = remaining.size === 0 && evicted !== undefined;
  return {
    ...timeline,
    ...(isLost && {evicted: undefined, isStale: true}),
    ids: remaining,
    undecidedIds: undecidedIds.withoutAll(known),
    matches: matchedIds.reduce((remaining, id) => remaining.without(id), matches),
  };
}

/**
 * Rechecks all loaded messages after the meaning of the narrow changed, and marks the timeline stale, because
 * others may match now.
 */
function recheckMembership(state: AccountState, timeline: Timeline): Timeline {
  const remaining = withoutNonMembers(state, timeline);
  return remaining.isStale ? remaining : {...remaining, isStale: true};
}

/** Rechecks all loaded messages after a change that can only remove messages. */
function withoutNonMembers(state: AccountState, timeline: Timeline): Timeline {
  return withoutMessageIds(
    withoutEvicted(timeline),
    nonMemberIds(state, timeline, withoutUnreadTerms(timeline.narrow)),
  );
}

function nonMemberIds(state: AccountState, {ids}: Timeline, narrow: Narrow): number[] {
  return [...ids].filter((id) => {
    const message = state.messages.byId.get(id);
    return message === undefined || stillMatches(state, narrow, narrowCandidate(message)) === false;
  });
}

/** Removes messages that were read since a view of unread messages was opened. */
export function reopenTimeline(state: AccountState, timeline: Timeline): Timeline {
  if (!narrowDependsOn(timeline.narrow, 'unread')) return timeline;
  return withoutMessageIds(timeline, nonMemberIds(state, timeline, timeline.narrow));
}

/*
 * The extent of a timeline is everything known to be contiguous: the loaded messages and the evicted ones at both ends.
 * The loaded messages are a window of it, which can be moved.
 */

/** Further ids are forgotten: the server knows them. */
const maxEvicted = 20_000;

const conversationOperators: ReadonlySet<string> = new Set(['channel', 'topic', 'dm']);

/**
 * Returns whether events tell which messages match, loaded or not: those that are evicted need not be fetched again. Others,
 * such as searches, forget what they evict.
 */
function remembersEvicted(narrow: Narrow): boolean {
  if (isCombinedFeed(narrow)) return true;
  return narrow.every(
    ({operator, operand, negated}) =>
      negated !== true && (conversationOperators.has(operator) || (operator === 'is' && operand === 'dm')),
  );
}

export function extentIds({ids, evicted}: Timeline): readonly number[] {
  return evicted === undefined ? ids.toArray() : evicted.older.toArray().concat(ids.toArray(), evicted.newer.toArray());
}

/** Returns the window with this many messages before and after `center`, which need not be among the ids. */
export function windowAround(ids: readonly number[], center: number, before: number, after = before): IdWindow {
  const found = ids.findIndex((id) => id >= center);
  const at = found < 0 ? ids.length - 1 : found;
  const [first = center, last = center] = [ids[Math.max(0, at - before)], ids[Math.min(ids.length - 1, at + after)]];
  return [first, last];
}

/** Returns the timeline with another window of its extent. The messages of the window must be loaded. */
export function withWindow(timeline: Timeline, [first, last]: IdWindow): Timeline {
  const {ids, matches} = timeline;
  if (ids.first() === first && ids.last() === last) return timeline;
  const extent = extentIds(timeline);
  const older = extent.filter((id) => id < first);
  const newer = extent.filter((id) => id > last);
  const ends = timeline.evicted ?? timeline;
  const isInside = (id: number) => id >= first && id <= last;
  return {
    ...timeline,
    ids: SortedSet.from(extent.filter(isInside)),
    matches: matches.size === 0 ? matches : SortedMap.from([...matches].filter(([id]) => isInside(id))),
    hasOldest: ends.hasOldest && older.length === 0,
    hasNewest: ends.hasNewest && newer.length === 0,
    evicted:
      older.length + newer.length === 0 || !remembersEvicted(timeline.narrow)
        ? undefined
        : {
            older: SortedSet.from(older.slice(-maxEvicted)),
            newer: SortedSet.from(newer.slice(0, maxEvicted)),
            hasOldest: ends.hasOldest && older.length <= maxEvicted,
            hasNewest: ends.hasNewest && newer.length <= maxEvicted,
          },
  };
}

/** Forgets what is beyond the loaded ends: it is fetched again when needed. */
export function withoutEvicted(timeline: Timeline): Timeline {
  return timeline.evicted === undefined ? timeline : {...timeline, evicted: undefined};
}

/** Removes ids from the evicted ends. */
function withoutEvictedIds(timeline: Timeline, removed: readonly number[]): Timeline {
  const {evicted} = timeline;
  if (evicted === undefined || !removed.some((id) => isEvicted(timeline, id))) return timeline;
  const older = evicted.older.withoutAll(removed);
  const newer = evicted.newer.withoutAll(removed);
  if (older.size + newer.size > 0) {
    const {hasOldest, hasNewest} = evicted;
    return {
      ...timeline,
      hasOldest: hasOldest && older.size === 0,
      hasNewest: hasNewest && newer.size === 0,
      evicted: {older, newer, hasOldest, hasNewest},
    };
  }
  return {...timeline, hasOldest: evicted.hasOldest, hasNewest: evicted.hasNewest, evicted: undefined};
}

export function isEvicted({evicted}: Timeline, id: number): boolean {
  return evicted !== undefined && (evicted.older.has(id) || evicted.newer.has(id));
}

/** Returns whether a message with this id would be in the extent if it matched. */
export function covers(timeline: Timeline, id: number): boolean {
  return coversId(timeline, id) || coversEvicted(timeline, id);
}

/** Returns whether a message with this id would be evicted, not unknown, if it matched. */
export function coversEvicted({ids, evicted}: Timeline, id: number): boolean {
  const [first, last] = [ids.first(), ids.last()];
  if (evicted === undefined || first === undefined || last === undefined) return false;
  const {older, newer, hasOldest, hasNewest} = evicted;
  if (id < first) return older.size > 0 && (hasOldest || id >= (older.first() ?? first));
  return id > last && newer.size > 0 && (hasNewest || id <= (newer.last() ?? last));
}

/** Adds a live message that belongs after the loaded end. */
function withEvictedNewer(timeline: Timeline, id: number): Timeline {
  const {evicted} = timeline;
  if (evicted === undefined || evicted.newer.has(id)) return timeline;
  return {...timeline, evicted: {...evicted, newer: evicted.newer.with(id)}};
}

/** Returns the state with each timeline as it is after an event. */
export function withTimelinesAfter(state: AccountState, event: ServerEvent): AccountState {
  return withSlices(state, {
    timelines: mapTimelines(state, (timeline) => timelineAfterEvent(state, timeline, event)),
  });
}

/**
 * Returns a timeline after an event about messages or muting. `state` must include the event's other effects,
 * and may include later events: membership is evaluated against the current state, so events that arrived
 * while a page was in flight can be replayed.
 */
export function timelineAfterEvent(state: AccountState, timeline: Timeline, event: ServerEvent): Timeline {
  switch (event.type) {
    case 'message': {
      const message = state.messages.byId.get(event.message.id);
      return message === undefined ? timeline : withLiveMessage(state, timeline, message);
    }
    case 'delete_message':
      return withoutMessageIds(timeline, deletedIds(event));
    case 'update_message':
      return afterUpdate(state, timeline, event);
    case 'update_message_flags': {
      const changed = () => flaggedCandidates(state, event);
      const after = withChangedMessages(state, timeline, flagAspect(event.flag), changed);
      const makesOwn = event.flag === 'read' ? event.op === 'remove' : event.op === 'add';
      return makesOwn ? withHistoricalOwn(state, after, event.messages) : after;
    }
    case 'reaction': {
      const changed = () => [candidate(state, event.message_id)];
      const after = withChangedMessages(state, timeline, 'reactions', changed);
      const isOwn = event.op === 'add' && event.user_id === state.self.userId;
      return isOwn ? withHistoricalOwn(state, after, [event.message_id]) : after;
    }
    case 'user_topic':
    case 'subscription':
    case 'muted_topics':
    case 'muted_users':
      return narrowDependsOnMuting(timeline.narrow) ? afterMuting(state, timeline, event) : timeline;
    default:
      return timeline;
  }
}

/** Marks a view of the user's own messages stale when a flag or a reaction of theirs makes a historical message one. */
function withHistoricalOwn(state: AccountState, timeline: Timeline, ids: readonly number[]): Timeline {
  if (timeline.isStale || !listsOwnMessages(timeline.narrow)) return timeline;
  const isMissing = (id: number) => {
    const known = candidate(state, id);
    if (timeline.ids.has(id) || isEvicted(timeline, id) || known.message?.flags.includes('historical') === false)
      return false;
    // One that is not loaded, though the view covers it, was not the user's own.
    if (!coversId(timeline, id) && !coversEvicted(timeline, id)) return false;
    return known.conversation === undefined || stillMatches(state, timeline.narrow, known) !== false;
  };
  return ids.some(isMissing) ? {...timeline, isStale: true} : timeline;
}

type MutingEvent = Extract<ServerEvent, {type: 'user_topic' | 'subscription' | 'muted_topics' | 'muted_users'}>;

/**
 * Removes newly muted messages from the combined feed; any other change may add messages, so the timeline is rechecked.
 */
function afterMuting(state: AccountState, timeline: Timeline, event: MutingEvent): Timeline {
  return isCombinedFeed(timeline.narrow) && onlyMutes(state, event)
    ? withoutNonMembers(state, timeline)
    : recheckMembership(state, timeline);
}

function onlyMutes(state: AccountState, event: MutingEvent): boolean {
  if (event.type === 'user_topic') return isTopicMuted(state, event.stream_id, event.topic_name);
  return event.type === 'subscription' && event.op === 'update' && isChannelMuted(state, event.stream_id);
}

function afterUpdate(state: AccountState, timeline: Timeline, event: EventOf<'update_message'>): Timeline {
  if (listsOwnMessages(timeline.narrow) && leavesOwnMessages(state, event)) {
    return withoutMessageIds(timeline, event.message_ids);
  }
  const changed = () => [candidate(state, event.message_id)];
  const afterEdit = event.content === undefined ? timeline : withChangedMessages(state, timeline, 'content', changed);
  const afterFlags = withChangedMessages(state, afterEdit, 'flags', changed);
  if (!isMove(event)) return afterFlags;
  // The view follows its message into the new conversation.
  if (followsOneOf(timeline, event.message_ids)) return recheckMembership(state, afterFlags);
  const conversation = movedTo(event);
  return withChangedMessages(state, afterFlags, 'conversation', () =>
    event.message_ids.map((id) => candidate(state, id, conversation)),
  );
}

function followsOneOf({narrow}: Timeline, ids: readonly number[]): boolean {
  return narrow.some(({operator, operand}) => operator === 'with' && ids.includes(Number(operand)));
}

/** Returns what is known of a message; `conversation` is used when it is not loaded. */
function candidate({messages}: AccountState, id: number, conversation?: Conversation): NarrowCandidate {
  const message = messages.byId.get(id);
  return message === undefined ? {id, conversation, message} : narrowCandidate(message);
}

function flagAspect(flag: string): MessageAspect {
  if (flag === 'starred') return 'starred';
  if (flag === 'read') return 'unread';
  return 'flags';
}

function flaggedCandidates(state: AccountState, event: EventOf<'update_message_flags'>): NarrowCandidate[] {
  return event.messages.map((id) => candidate(state, id, unreadConversation(state, id)));
}

/** Returns the conversation of an unread message, loaded or not. */
function unreadConversation({unreads}: AccountState, id: number): Conversation | undefined {
  const key = unreads.byId.get(id);
  return key === undefined ? undefined : unreads.conversations.get(key)?.conversation;
}

import {isCombinedFeed, type Narrow} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

/*
 * The extent of a timeline is everything known to be contiguous: the loaded messages and the evicted ones at both ends.
 * The loaded messages are a window of it, which can be moved.
 */

/** The first and last message of a window. */
export type IdWindow = readonly [first: number, last: number];

/** Further ids are forgotten: the server knows them. */
const maxEvicted = 20_000;

const conversationOperators: ReadonlySet<string> = new Set(['channel', 'topic', 'dm']);

/**
 * Returns whether events tell which messages match, loaded or not: those that are evicted need not be fetched again. Others,
 * such as searches, forget what they evict.
 */
export function remembersEvicted(narrow: Narrow): boolean {
  if (isCombinedFeed(narrow)) return true;
  return narrow.every(
    ({operator, operand, negated}) =>
      negated !== true && (conversationOperators.has(operator) || (operator === 'is' && operand === 'dm')),
  );
}

export function extentIds({ids, evicted}: Timeline): readonly number[] {
  return evicted === undefined ? ids.toArray() : [...evicted.older, ...ids, ...evicted.newer];
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
export function withoutEvictedIds(timeline: Timeline, removed: readonly number[]): Timeline {
  const {evicted} = timeline;
  if (evicted === undefined || !removed.some((id) => isEvicted(timeline, id))) return timeline;
  const [older, newer] = [evicted.older.withoutAll(removed), evicted.newer.withoutAll(removed)];
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
  const {ids, hasOldest, hasNewest} = timeline;
  const [first, last] = [ids.first(), ids.last()];
  if (first === undefined || last === undefined) return hasOldest && hasNewest;
  return ((hasOldest || id >= first) && (hasNewest || id <= last)) || coversEvicted(timeline, id);
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
export function withEvictedNewer(timeline: Timeline, id: number): Timeline {
  const {evicted} = timeline;
  if (evicted === undefined || evicted.newer.has(id)) return timeline;
  return {...timeline, evicted: {...evicted, newer: evicted.newer.with(id)}};
}

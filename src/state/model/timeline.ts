import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Narrow} from './narrow.ts';

/** Messages that adjoin the loaded ones and were evicted from memory: they are on disk, and events keep them current there. */
export interface EvictedEnds {
  readonly older: SortedSet<number>;
  readonly newer: SortedSet<number>;
  /** No message before `older` exists. */
  readonly hasOldest: boolean;
  /** No message after `newer` exists; the ids of live messages are appended. */
  readonly hasNewest: boolean;
}

/** The contiguous stretch of a view's messages that is loaded. */
export interface Timeline {
  readonly narrow: Narrow;
  readonly ids: SortedSet<number>;
  /** No older message exists. */
  readonly hasOldest: boolean;
  /** No newer message exists; live messages are appended. */
  readonly hasNewest: boolean;
  /** The message at which it was opened. */
  readonly anchor: number | undefined;
  readonly loading: 'first' | 'older' | 'newer' | undefined;
  /** A sentence that says why the last fetch failed. */
  readonly problem: string | undefined;
  /**
   * Messages were added that were never fetched here (moved in, for example): the gap is unknown until the next fetch.
   */
  readonly isStale: boolean;
  /** It became stale while it was loading: the response may be older than the reason. */
  readonly becameStaleWhileLoading?: boolean | undefined;
  /** Live messages that only the server can match against the narrow. */
  readonly undecidedIds: SortedSet<number>;
  /** The search matches by message: HTML with highlight spans. */
  readonly matches: SortedMap<number, {readonly content: string; readonly topic: string}>;
  /** Absent while nothing is known beyond the loaded ends. */
  readonly evicted?: EvictedEnds | undefined;
}

export function emptyTimeline(narrow: Narrow): Timeline {
  return {
    narrow,
    ids: SortedSet.empty(),
    hasOldest: false,
    hasNewest: false,
    anchor: undefined,
    loading: undefined,
    problem: undefined,
    isStale: false,
    undecidedIds: SortedSet.empty(),
    matches: SortedMap.empty(),
  };
}

/** The first and last message of a window. */
export type IdWindow = readonly [first: number, last: number];

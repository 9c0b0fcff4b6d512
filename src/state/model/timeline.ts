import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Narrow} from './narrow.ts';

/** A contiguous stretch of the messages of one view, as far as it was fetched. */
export interface Timeline {
  readonly narrow: Narrow;
  readonly ids: SortedSet<number>;
  /** Nothing older exists. */
  readonly hasOldest: boolean;
  /** Nothing newer exists; live messages belong at the end. */
  readonly hasNewest: boolean;
  /** The message it was opened at. */
  readonly anchor: number | undefined;
  readonly loading: 'first' | 'older' | 'newer' | undefined;
  /** A sentence: why the last fetch failed. */
  readonly problem: string | undefined;
  /** Messages came in that were never fetched (moved here, say): what is between is unknown until fetched again. */
  readonly isStale: boolean;
  /** Live messages of which only the server can tell whether they belong here. */
  readonly undecidedIds: SortedSet<number>;
  /** Where a search matched, by message: HTML with highlight spans. */
  readonly matches: SortedMap<number, {readonly content: string; readonly topic: string}>;
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

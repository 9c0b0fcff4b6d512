import {expect, test} from 'vitest';
import {firstPageArgs, isAnchorLoaded, type TimelineAnchor} from '#state/fetches/open-timelines.ts';
import {channelNarrow, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';

const narrow = channelNarrow(1);

test.each<[TimelineAnchor, object]>([
  ['newest', {anchor: 'newest', num_before: 20, num_after: 0}],
  ['oldest', {anchor: 'oldest', num_before: 0, num_after: 20}],
  ['firstUnread', {anchor: 'first_unread', num_before: 10, num_after: 10}],
  [7, {anchor: 7, num_before: 10, num_after: 10}],
  [{date: '2026-05-12'}, {anchor: 'date', anchor_date: '2026-05-12', num_before: 10, num_after: 10}],
])('first page: of a view that opens at %j, the messages on both sides that exist there', (anchor, args) => {
  expect(firstPageArgs(anchor, 20)).toEqual(args);
});

test('loaded anchor: what is there need not be fetched, unless the view is stale or its last fetch failed', () => {
  const isLoaded = (fields: Partial<Timeline>, anchor: TimelineAnchor) => {
    const timeline = {...emptyTimeline(narrow), ids: SortedSet.from<number>([5, 6]), ...fields};
    return isAnchorLoaded(eg.state({timelines: SortedMap.from([[narrowKey(narrow), timeline]])}), narrow, anchor);
  };
  expect(isLoaded({}, 5)).toBe(true);
  expect(isLoaded({}, 7)).toBe(false);
  expect(isLoaded({hasNewest: true}, 'newest')).toBe(true);
  expect(isLoaded({}, 'newest')).toBe(false);
  expect(isLoaded({isStale: true}, 5)).toBe(false);
  expect(isLoaded({problem: 'The server is busy.'}, 5)).toBe(false);
});

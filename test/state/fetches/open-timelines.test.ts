import {expect, test} from 'vitest';
import {OpenTimelines, refetchArgs, refreshArgs, type TimelineOpening} from '#state/fetches/open-timelines.ts';
import {rememberFetch} from '#state/fetches/topic-fetcher.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {SortedSet} from '#std/sorted-map.ts';

test('open timelines: those in use are visible, newest first; else the one opened last', () => {
  const timelines = new OpenTimelines();
  const [first, second, third] = [1, 2, 3].map((id) => timelines.open(channelNarrow(id), 'newest'));
  expect(timelines.visible()).toEqual([third]);
  if (first !== undefined) first.uses = 1;
  expect(timelines.visible()).toEqual([first]);
  if (second !== undefined) second.uses = 1;
  expect(timelines.visible()).toEqual([second, first]);
});

test('remembered fetches: the lists that were used last stay, and their number is bounded', () => {
  const recent = new Set<number>();
  for (let id = 1; id <= 100; id++) {
    rememberFetch(recent, 1);
    rememberFetch(recent, id);
  }
  expect(recent.has(1)).toBe(true);
  expect([...recent].at(-1)).toBe(100);
  expect(recent.has(2)).toBe(false);
  expect(recent.size).toBeLessThan(50);
});

const timelineOf = (ids: readonly number[], fields: Partial<Timeline> = {}): Timeline => ({
  ...emptyTimeline([]),
  ids: SortedSet.from(ids),
  ...fields,
});
const opening = (fields: Partial<TimelineOpening> = {}): TimelineOpening => ({
  anchor: 'firstUnread',
  loading: undefined,
  viewedMessageId: undefined,
  ...fields,
});

test('reload: the whole of a short timeline; of a long one what the user looks at, or else its newest part', () => {
  const short = timelineOf([5, 6]);
  expect(refetchArgs(opening(), short)).toEqual({anchor: 5, num_before: 1, num_after: 102});
  expect(refetchArgs(opening(), {...short, hasOldest: true})).toEqual({
    anchor: 'oldest',
    num_before: 0,
    num_after: 102,
  });
  const ids = Array.from({length: 901}, (_, at) => at + 1);
  const half = {num_before: 500, num_after: 500};
  expect(refetchArgs(opening({viewedMessageId: 7}), timelineOf(ids))).toEqual({anchor: 7, ...half});
  expect(refetchArgs(opening(), timelineOf(ids))).toEqual({anchor: 901, ...half});
  expect(refetchArgs(opening(), timelineOf(ids, {hasNewest: true}))).toEqual({
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
  });
});

test('reload: of saved messages, which may have gaps, what is around the one that the user looks at', () => {
  const saved = timelineOf([5, 900], {isStale: true});
  expect(refetchArgs(opening({viewedMessageId: 900}), saved)).toEqual({anchor: 900, num_before: 50, num_after: 50});
  expect(refetchArgs(opening(), saved)).toEqual({anchor: 'first_unread', num_before: 50, num_after: 50});
  const loading = {anchor: 3, num_before: 1, num_after: 1};
  expect(refetchArgs(opening({loading}), saved)).toBe(loading);
});

test('refresh: the end of a timeline, or what the user looks at where that is not loaded', () => {
  const newest = {anchor: 'newest', num_before: 50, num_after: 0};
  expect(refreshArgs(opening({viewedMessageId: 5}), timelineOf([5, 9], {hasNewest: true}))).toEqual(newest);
  expect(refreshArgs(opening({viewedMessageId: 5}), timelineOf([5, 9]))).toEqual({
    anchor: 5,
    num_before: 25,
    num_after: 25,
  });
  expect(refreshArgs(opening(), timelineOf([5, 9]))).toEqual({anchor: 9, num_before: 25, num_after: 25});
  expect(refreshArgs(opening(), timelineOf([]))).toEqual(newest);
});

import {expect, test} from 'vitest';
import {OpenTimelines} from '#state/fetches/open-timelines.ts';
import {rememberFetch} from '#state/fetches/topic-fetcher.ts';
import {channelNarrow} from '#state/model/narrow.ts';

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

import {expect, test} from 'vitest';
import {channelNarrow, directNarrow, type Narrow, narrowIs, narrowKey} from '#state/model/narrow.ts';
import {emptyTimeline, type Timeline} from '#state/model/timeline.ts';
import {covers, coversEvicted, withWindow} from '#state/timelines/timeline-changes.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {loadedMessages} from '#test/state/selectors/selector-builders.ts';
import * as eg from '#test/support/state-builders.ts';
import {checkTimelines} from '#test/support/state-checks.ts';

/** Messages 10, 20 to 90, of which 40, 50 and 60 stay loaded. */
const windowOf = (narrow: Narrow, hasEnds: boolean) =>
  withWindow(
    {
      ...emptyTimeline(narrow),
      ids: SortedSet.from<number>([10, 20, 30, 40, 50, 60, 70, 80, 90]),
      hasOldest: hasEnds,
      hasNewest: hasEnds,
    },
    [40, 60],
  );

test('timeline extent: conversations remember which messages were evicted; views that only the server knows forget them', () => {
  const remembers = (narrow: Narrow) => windowOf(narrow, true).evicted !== undefined;
  expect([channelNarrow(1), directNarrow([11]), narrowIs('dm')].map(remembers)).toEqual([true, true, true]);
  const search: Narrow = [{operator: 'search', operand: 'tea'}];
  const others: Narrow = [{operator: 'channel', operand: 1, negated: true}];
  expect([search, narrowIs('starred'), [...channelNarrow(1), ...search], others].map(remembers)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('timeline extent: a message is known to be evicted between the ends of what was fetched, and beyond an end that was reached', () => {
  const ids = [5, 10, 35, 40, 55, 60, 65, 90, 95];
  const part = windowOf(channelNarrow(1), false);
  expect(ids.filter((id) => coversEvicted(part, id))).toEqual([10, 35, 65, 90]);
  expect(ids.filter((id) => covers(part, id))).toEqual([10, 35, 40, 55, 60, 65, 90]);
  const whole = windowOf(channelNarrow(1), true);
  expect(ids.filter((id) => coversEvicted(whole, id))).toEqual([5, 10, 35, 65, 90, 95]);
});

test('timeline extent: the check detects messages beyond an end that is said to be reached', () => {
  const check = (fields: Partial<Timeline>) => () => {
    const timeline = {...windowOf(channelNarrow(1), true), ...fields};
    const messages = loadedMessages(...[40, 50, 60].map((id) => eg.message({id})));
    checkTimelines(eg.state({messages, timelines: SortedMap.from([[narrowKey(timeline.narrow), timeline]])}));
  };
  expect(check({})).not.toThrow();
  expect(check({hasOldest: true})).toThrow('has the oldest message and older ones');
  expect(check({hasNewest: true})).toThrow('has the newest message and newer ones');
});

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

const changes = fc.array(fc.tuple(fc.integer({min: 0, max: 300}), fc.option(fc.string())), {maxLength: 400});

test('SortedMap: any sequence of changes gives the same entries as a plain map, sorted', () => {
  fc.assert(
    fc.property(changes, (script) => {
      const plain = new Map<number, string>();
      let sorted = SortedMap.empty<number, string>();
      for (const [key, value] of script) {
        if (value === null) {
          plain.delete(key);
          sorted = sorted.without(key);
        } else {
          plain.set(key, value);
          sorted = sorted.with(key, value);
        }
      }
      expect([...sorted]).toEqual([...plain].sort(([a], [b]) => a - b));
      expect(sorted.size).toBe(plain.size);
    }),
    {numRuns: 50},
  );
});

test('SortedMap: changes do not modify the original map', () => {
  fc.assert(
    fc.property(changes, changes, (first, second) => {
      const before = SortedMap.from(first.map(([key]) => [key, key] as const));
      const copy = [...before];
      before.edit((draft) => {
        for (const [key, value] of second) {
          if (value === null) draft.delete(key);
          else draft.set(key, -1);
        }
      });
      for (const [key] of second) before.with(key, -2).without(key);
      expect([...before]).toEqual(copy);
    }),
    {numRuns: 50},
  );
});

test('SortedMap: iterates in both directions from any key', () => {
  const map = SortedMap.from([10, 20, 30].map((key) => [key, `v${key}`] as const));
  expect([...map.keys(15)]).toEqual([20, 30]);
  expect([...map.entriesReversed(20)]).toEqual([
    [20, 'v20'],
    [10, 'v10'],
  ]);
  expect([map.keyAfter(20), map.keyBefore(20), map.keyAfter(30)]).toEqual([30, 10, undefined]);
  expect([map.firstKey(), map.lastKey()]).toEqual([10, 30]);
});

test('SortedMap: string keys are sorted by code units', () => {
  expect([...SortedMap.from(['b', 'a', 'B'].map((key) => [key, 0] as const)).keys()]).toEqual(['B', 'a', 'b']);
});

test('SortedSet: a change without effect returns the same set', () => {
  const set = SortedSet.from<number>([3, 1, 2]);
  expect(set.with(2)).toBe(set);
  expect(set.without(9)).toBe(set);
  expect(set.without(2).toArray()).toEqual([1, 3]);
  expect(set.withAll([9, 8]).withoutAll([1, 9]).toArray()).toEqual([2, 3, 8]);
});

test('SortedSet: iterates in both directions from any key', () => {
  const set = SortedSet.from<number>([1, 5, 9]);
  expect([...set.from(2)]).toEqual([5, 9]);
  expect([...set.reversed(8)]).toEqual([5, 1]);
  expect([...set.reversed()]).toEqual([9, 5, 1]);
  expect([set.after(5), set.before(5), set.first(), set.last()]).toEqual([9, 1, 1, 9]);
});

import {expect, test} from 'vitest';
import {deepEqual} from '#std/deep-equal.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';

const set = (...keys: number[]) => SortedSet.from(keys);
const map = (...keys: number[]) => SortedMap.from(keys.map((key) => [key, {key}] as const));

test.each([
  [1, 1],
  [Number.NaN, Number.NaN],
  [null, null],
  [
    [1, {a: [2]}],
    [1, {a: [2]}],
  ],
  [
    {a: 1, b: undefined},
    {a: 1, c: undefined},
  ],
  [set(2, 1), set(1, 2)],
  [{in: map(2, 1)}, {in: map(1, 2)}],
])('deepEqual: %o equals %o', (a, b) => {
  expect(deepEqual(a, b)).toBe(true);
});

test.each([
  [1, '1'],
  [null, undefined],
  [null, {}],
  [[], {}],
  [[1], [1, 2]],
  [{a: 1}, {a: 1, b: 2}],
  [{a: 1, b: 2}, {a: 1}],
  [set(1), set(2)],
  [set(1), set(1, 2)],
  [set(), map()],
  [set(1), [1]],
  [[1], set(1)],
  [map(1), SortedMap.from([[1, {key: 2}]])],
  [map(), {}],
  [{}, map()],
])('deepEqual: %o does not equal %o', (a, b) => {
  expect(deepEqual(a, b)).toBe(false);
});

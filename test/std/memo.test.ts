import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  IncrementalMapper,
  memoByChanges,
  memoBySlices,
  memoBySlicesAndArgument,
  reuseIfEqual,
} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';

interface State {
  readonly a: object;
  readonly b: object;
}

test('memo: a result is remembered while the slices it reads are the same', () => {
  let computed = 0;
  const answer = memoBySlices(['a'], ({a}: State) => {
    computed += 1;
    return [a];
  });
  const state: State = {a: {}, b: {}};
  const first = answer(state);
  expect(answer({...state, b: {}})).toBe(first);
  expect(computed).toBe(1);
  const other = {...state, a: {}};
  expect(answer(other)).toEqual([other.a]);
  expect(answer(other)).not.toBe(first);
  expect(computed).toBe(2);
});

test('memo: results for several arguments are separate', () => {
  const answer = memoBySlicesAndArgument(['a'], (_state: State, name: string) => ({name}), 2);
  const state: State = {a: {}, b: {}};
  const one = answer(state, 'one');
  expect(answer(state, 'two')).toEqual({name: 'two'});
  expect(answer(state, 'one')).toBe(one);
  expect(answer({...state, a: {}}, 'one')).not.toBe(one);
});

test('memo: a sum updated from changes equals the sum computed from scratch', () => {
  const edits = fc.array(
    fc.oneof(
      fc.record({op: fc.constant('set'), key: fc.nat(60), value: fc.nat(9)}),
      fc.record({op: fc.constant('delete'), key: fc.nat(60), value: fc.constant(0)}),
      fc.record({op: fc.constant('anew'), key: fc.nat(60), value: fc.nat(9)}),
    ),
    {maxLength: 120},
  );
  fc.assert(
    fc.property(edits, (script) => {
      const sum = memoByChanges<number, number, {total: number}>(
        () => ({sum: {total: 0}, of: SortedMap.empty()}),
        (sum, _key, now, then) => {
          sum.total += (now ?? 0) - (then ?? 0);
        },
      );
      let map = SortedMap.empty<number, number>();
      for (const {op, key, value} of script) {
        if (op === 'set') map = map.with(key, value);
        else if (op === 'delete') map = map.without(key);
        else map = SortedMap.from([[key, value]]);
        expect(sum(map).total).toBe([...map.values()].reduce((total, one) => total + one, 0));
      }
    }),
  );
});

test('memo: changes between two related maps are found without comparing the rest', () => {
  const before = SortedMap.from(Array.from({length: 5000}, (_, key) => [key, {key}] as const));
  const after = before.with(7, {key: -7}).without(4000).with(9999, {key: 9999});
  const seen: (readonly [number, number | undefined, number | undefined])[] = [];
  after.changesSince(before, (key, now, then) => seen.push([key, now?.key, then?.key]));
  expect(seen.sort(([a], [b]) => a - b)).toEqual([
    [7, -7, 7],
    [4000, undefined, 4000],
    [9999, 9999, undefined],
  ]);
});

test('memo: an object with equal fields is replaced by the previous one', () => {
  const before = {a: 1, list: [1, 2]};
  expect(reuseIfEqual(before, {a: 1, list: [1, 2]})).toBe(before);
  expect(reuseIfEqual(before, {a: 1, list: [1, 3]})).toEqual({a: 1, list: [1, 3]});
  expect(reuseIfEqual(undefined, before)).toBe(before);
});

test('memo: mapping a list again maps only its new items', () => {
  const mapped = new IncrementalMapper<string, {readonly text: string}>();
  const made: string[] = [];
  const make = (text: string) => {
    made.push(text);
    return {text};
  };
  const first = mapped.map(['a', 'b', 'c', 'd'], make, 1);
  const second = mapped.map(['a', 'x', 'c', 'd'], make, 1);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'x']);
  expect(second[3]).toBe(first[3]);
  expect(mapped.map(['a', 'x', 'c', 'd'], make, 1)).toBe(second);
  mapped.map(['a'], make, 2);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'x', 'a']);
});

test('memo: an incrementally mapped list equals the mapped list', () => {
  const lists = fc.array(fc.array(fc.nat({max: 3}), {maxLength: 6}), {maxLength: 6});
  fc.assert(
    fc.property(lists, (all) => {
      const mapped = new IncrementalMapper<number, string>();
      for (const items of all) expect(mapped.map(items, String)).toEqual(items.map(String));
    }),
  );
});

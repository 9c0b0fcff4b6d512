import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  IncrementalMapper,
  memoByChanges,
  memoByInputs,
  memoBySlices,
  memoBySlicesAndArgument,
  reuseIfEqual,
  versionOfSlices,
} from '#std/memo.ts';
import {SortedMap} from '#std/sorted-map.ts';

interface State {
  readonly self: object;
  readonly a: object;
  readonly b: object;
}

const self = {};

test('memoBySlices: a result is cached while its slices are the same', () => {
  let computed = 0;
  const selector = memoBySlices(['a'], ({a}: State) => {
    computed += 1;
    return [a];
  });
  const state: State = {self, a: {}, b: {}};
  const first = selector(state);
  expect(selector({...state, b: {}})).toBe(first);
  expect(computed).toBe(1);
  const other = {...state, a: {}};
  expect(selector(other)).toEqual([other.a]);
  expect(selector(other)).not.toBe(first);
  expect(computed).toBe(2);
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('memoBySlices: a cached result does not keep the other slices in memory', async () => {
  const bySlices = memoBySlices(['a'], ({a}: State) => [a]);
  const byArgument = memoBySlicesAndArgument(['a'], ({a}: State, _name: string) => [a]);
  const other = (() => {
    const state: State = {self, a: {}, b: {}};
    bySlices(state);
    byArgument(state, 'one');
    return new WeakRef(state.b);
  })();
  // An object stays until the end of the task in which its WeakRef was made.
  await new Promise(setImmediate);
  collectGarbage();
  expect(other.deref()).toBeUndefined();
});

const versionOfA = versionOfSlices<State>(['a']);

test.for([
  ['memoBySlicesAndArgument', memoBySlicesAndArgument(['a'], (_state: State, name: string) => name)],
  [
    'memoByInputs with a version of slices',
    memoByInputs(
      ({self}: State) => self,
      (state, name: string) => [name, versionOfA(state)],
      (_state, name) => name,
      16,
    ),
  ],
] as const)('%s: a cached result does not keep earlier slices in memory', async ([, select]) => {
  const first = (() => {
    const state: State = {self, a: {}, b: {}};
    select(state, 'first');
    return new WeakRef(state.a);
  })();
  await new Promise(setImmediate);
  for (const name of ['second', 'third', 'fourth']) select({self, a: {}, b: {}}, name);
  collectGarbage();
  expect(first.deref()).toBeUndefined();
});

test('versionOfSlices: another object only when a slice is another', () => {
  const version = versionOfSlices<State>(['a']);
  const state: State = {self, a: {}, b: {}};
  const other = {...state, a: {}};
  const first = version(state);
  expect(version({...state, b: {}})).toBe(first);
  expect(version(other)).not.toBe(first);
  expect(version(state)).toBe(first);
});

test('memoBySlicesAndArgument: results are cached separately for each argument', () => {
  const selector = memoBySlicesAndArgument(['a'], (_state: State, name: string) => ({name}), 2);
  const state: State = {self, a: {}, b: {}};
  const one = selector(state, 'one');
  expect(selector(state, 'two')).toEqual({name: 'two'});
  expect(selector(state, 'one')).toBe(one);
  expect(selector({...state, a: {}}, 'one')).not.toBe(one);
});

test('memoByChanges: an aggregate updated by changes equals one computed from scratch', () => {
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
      const sum = memoByChanges<object, number, number, {total: number}>(
        () => ({sum: {total: 0}, of: SortedMap.empty()}),
        (aggregate, _key, current, previous) => {
          aggregate.total += (current ?? 0) - (previous ?? 0);
        },
      );
      const owner = {};
      let map = SortedMap.empty<number, number>();
      for (const {op, key, value} of script) {
        if (op === 'set') map = map.with(key, value);
        else if (op === 'delete') map = map.without(key);
        else map = SortedMap.from([[key, value]]);
        expect(sum(owner, map).total).toBe([...map.values()].reduce((total, one) => total + one, 0));
      }
    }),
  );
});

test('SortedMap: changes between two related maps are exactly the changed keys', () => {
  const before = SortedMap.from(Array.from({length: 5000}, (_, key) => [key, {key}] as const));
  const after = before.with(7, {key: -7}).without(4000).with(9999, {key: 9999});
  const seen: (readonly [number, number | undefined, number | undefined])[] = [];
  after.changesSince(before, (key, current, previous) => seen.push([key, current?.key, previous?.key]));
  expect(seen.sort(([a], [b]) => a - b)).toEqual([
    [7, -7, 7],
    [4000, undefined, 4000],
    [9999, 9999, undefined],
  ]);
});

test('reuseIfEqual: an equal object is replaced by the previous one', () => {
  const before = {a: 1, list: [1, 2]};
  expect(reuseIfEqual(before, {a: 1, list: [1, 2]})).toBe(before);
  expect(reuseIfEqual(before, {a: 1, list: [1, 3]})).toEqual({a: 1, list: [1, 3]});
  expect(reuseIfEqual(undefined, before)).toBe(before);
});

test('IncrementalMapper: mapping a changed list computes only its new items', () => {
  const mapped = new IncrementalMapper<string, {readonly text: string}>();
  const computedTexts: string[] = [];
  const compute = (text: string) => {
    computedTexts.push(text);
    return {text};
  };
  const first = mapped.map(['a', 'b', 'c', 'd'], compute, 1);
  const second = mapped.map(['a', 'x', 'c', 'd'], compute, 1);
  expect(computedTexts).toEqual(['a', 'b', 'c', 'd', 'x']);
  expect(second[3]).toBe(first[3]);
  expect(mapped.map(['a', 'x', 'c', 'd'], compute, 1)).toBe(second);
  mapped.map(['a'], compute, 2);
  expect(computedTexts).toEqual(['a', 'b', 'c', 'd', 'x', 'a']);
});

test('IncrementalMapper: the result equals a plain map for any sequence of lists', () => {
  const lists = fc.array(fc.array(fc.nat({max: 3}), {maxLength: 6}), {maxLength: 6});
  fc.assert(
    fc.property(lists, (all) => {
      const mapped = new IncrementalMapper<number, string>();
      for (const items of all) expect(mapped.map(items, String)).toEqual(items.map(String));
    }),
  );
});

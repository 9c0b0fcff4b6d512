import type {Patch} from '#state/model/patch.ts';
import {deepEqual} from '#std/deep-equal.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import type {AccountState} from './state.ts';

/** The same state when every slice given is the one it has. */
export function withSlices(state: AccountState, slices: Partial<AccountState>): AccountState {
  for (const [name, slice] of Object.entries(slices)) {
    if (slice !== state[name as keyof AccountState]) return {...state, ...slices};
  }
  return state;
}

/** The map with the value there, or the same map when it holds one that says the same. */
export function withValue<K extends number | string, V>(
  map: SortedMap<K, V>,
  key: K,
  value: V,
): SortedMap<K, V> {
  const before = map.get(key);
  return before !== undefined && deepEqual(before, value) ? map : map.with(key, value);
}

/** Changes what is there; what is not there stays unknown. */
export function withFields<K extends number | string, V extends object>(
  map: SortedMap<K, V>,
  key: K,
  fields: Patch<V>,
): SortedMap<K, V> {
  const before = map.get(key);
  return before === undefined ? map : withValue(map, key, {...before, ...(fields as Partial<V>)});
}

/** The one that was there when both say the same. */
export function keepIfEqual<T>(before: T, after: T): T {
  return deepEqual(before, after) ? before : after;
}

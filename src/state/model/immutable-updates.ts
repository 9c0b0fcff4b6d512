import {deepEqual} from '#std/deep-equal.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {Patch} from './patch.ts';

/** A sorted or packed map. */
interface ImmutableMap<K, V, M> {
  get(key: K): V | undefined;
  with(key: K, value: V): M;
}

/** Returns the map with the value, or the same map when it already contains an equal one. */
export function withValue<K, V, M extends ImmutableMap<K, V, M>>(map: M & ImmutableMap<K, V, M>, key: K, value: V): M {
  const before = map.get(key);
  return before !== undefined && deepEqual(before, value) ? map : map.with(key, value);
}

/** Changes fields of an existing value; a missing key stays missing. */
export function withFields<K, V extends object, M extends ImmutableMap<K, V, M>>(
  map: M & ImmutableMap<K, V, M>,
  key: K,
  fields: Patch<V>,
): M {
  const before = map.get(key);
  return before === undefined ? map : withValue(map, key, {...before, ...(fields as Partial<V>)});
}

/** Returns `before` when both are deeply equal, so that unchanged values keep their identity. */
export function keepIfEqual<T>(before: T, after: T): T {
  return deepEqual(before, after) ? before : after;
}

/** Returns the map with these items under their ids. */
export function withItems<V extends {readonly id: number}>(
  map: SortedMap<number, V>,
  items: readonly V[],
): SortedMap<number, V> {
  return items.reduce((after, item) => withValue(after, item.id, item), map);
}

export function mapById<V extends {readonly id: number}>(items: Iterable<V>): SortedMap<number, V> {
  return SortedMap.by(items, ({id}) => id);
}

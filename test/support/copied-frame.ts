import type {AccountState} from '#state/state.ts';
import {PackedMap} from '#std/packed-map.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import type {Frame} from '#ui/core/frame.ts';

/** Returns the same frame with copied objects, so that no cache finds results of an earlier frame. */
export function copiedFrame(frame: Frame): Frame {
  const {account, display, info, screen, organizations} = frame;
  const all = organizations?.all.map((one) => ({...one, frame: one.frame && copiedFrame(one.frame)}));
  return {
    ...frame,
    account: copiedState(account),
    display: {...display},
    screen: {...screen},
    info: {...info},
    ...(organizations && all && {organizations: {...organizations, all}}),
  };
}

/** Returns the same state with copied objects. */
export function copiedState(state: AccountState): AccountState {
  const slices = Object.entries(state).map(([name, slice]) => [name, copiedSlice(slice)]);
  return Object.fromEntries(slices) as AccountState; // The same slices.
}

function copiedSlice(value: unknown, depth = 0): unknown {
  if (value instanceof SortedMap || value instanceof PackedMap) return value.edit(() => {});
  if (value instanceof SortedSet) return value.withAll([]);
  if (Array.isArray(value)) return [...value];
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || depth > 1) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copiedSlice(one, depth + 1)]));
}

import {keepIfEqual} from '#state/model/immutable-updates.ts';
import type {AccountState, SliceName} from './state.ts';

/** Returns the state with these slices, or the same state when every slice is unchanged. */
export function withSlices(state: AccountState, slices: Partial<AccountState>): AccountState {
  for (const [name, slice] of Object.entries(slices)) {
    if (slice !== state[name as keyof AccountState]) return {...state, ...slices};
  }
  return state;
}

/** Returns the state with this slice, or the same state when the slice is deeply equal. */
export function withSlice<K extends SliceName>(state: AccountState, name: K, slice: AccountState[K]): AccountState {
  return withSlices(state, {[name]: keepIfEqual(state[name], slice)});
}

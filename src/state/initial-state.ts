import {slices} from './slices.ts';
import type {AccountState} from './state.ts';

/** Returns a state with a value for each slice. A copy of the list has the form of a literal, which is quicker to copy. */
export function stateOfSlices(valueFor: (slice: (typeof slices)[keyof typeof slices]) => unknown): AccountState {
  const state: Record<string, unknown> = {...slices};
  for (const [name, slice] of Object.entries(slices)) state[name] = valueFor(slice);
  return state as unknown as AccountState; // Each slice has a value of its own type.
}

/** The state before anything is known. */
export const initialState = stateOfSlices(({initial}) => initial);

/** Returns whether the state came from the server, in this run or in an earlier one whose state was saved. */
export function hasServerState({self}: AccountState): boolean {
  return self.userId > 0;
}

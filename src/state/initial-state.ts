import {slices} from './slices.ts';
import type {AccountState} from './state.ts';

/** The state before anything is known. */
export const initialState = Object.fromEntries(
  Object.entries(slices).map(([name, {initial}]) => [name, initial]),
) as unknown as AccountState;

/** Returns whether the state came from the server, in this run or in an earlier one whose state was saved. */
export function hasServerState({self}: AccountState): boolean {
  return self.userId > 0;
}

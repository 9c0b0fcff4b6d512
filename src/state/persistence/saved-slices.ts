import {initialState} from '#state/initial-state.ts';
import type {SavedFormat} from '#state/slices/saved-json.ts';
import {slices} from '#state/slices.ts';
import type {AccountState, SliceName} from '#state/state.ts';

export const savedSliceNames = (Object.keys(slices) as SliceName[]).filter((name) => slices[name].saved !== 'no');

/** Incremented whenever the shape of a value inside a saved slice changes. */
const version = 4;

/**
 * The stamp of the saved format; state saved under another stamp is ignored. New slices and settings change
 * it automatically.
 */
export const formatStamp = JSON.stringify([
  version,
  [...savedSliceNames].sort(),
  Object.keys(initialState.server).sort(),
  Object.keys(initialState.settings).sort(),
]);

/** Returns the slice as UTF-8 text. */
export function sliceToBytes<K extends SliceName>(name: K, slice: AccountState[K]): Uint8Array {
  return savedFormat(name).toBytes(slice);
}

/** Returns the slice of a saved text; undefined when it is missing or invalid. */
export function sliceFromText<K extends SliceName>(name: K, text: string | undefined): AccountState[K] | undefined {
  return text === undefined ? undefined : savedFormat(name).fromText(text);
}

function savedFormat<K extends SliceName>(name: K): SavedFormat<AccountState[K]> {
  const {saved} = slices[name];
  if (saved === 'no') throw new Error(`The slice ${name} is not saved`);
  return saved as unknown as SavedFormat<AccountState[K]>; // The table pairs each name with its format.
}

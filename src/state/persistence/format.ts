import {initialState} from '#state/initial-state.ts';
import {savedSliceNames} from './saved-slices.ts';

/** Counted up whenever something in a slice changes its shape. */
const version = 1;

/** What was saved under another stamp is not looked at. New slices and new settings make a new stamp by themselves. */
export const formatStamp = JSON.stringify([
  version,
  [...savedSliceNames].sort(),
  Object.keys(initialState.server).sort(),
  Object.keys(initialState.settings).sort(),
]);

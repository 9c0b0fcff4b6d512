import type {Frame} from '#app/frame.ts';
import {listingOf} from '#app/lists/listing.ts';
import {waiting} from './triage-rows.ts';

/** Nothing is left, of anything: not only of what the list shows just now. What is muted waits for whoever asks for it. */
export function isOver(frame: Frame): boolean {
  const {split, reach} = frame.screen.lists.inbox;
  const isWhole = split === 'all' && reach !== 'followed';
  return isWhole && waiting(frame).counts.all === 0 && !hasItem(frame);
}

function hasItem(frame: Frame): boolean {
  return listingOf(frame, 'inbox').rows.some(({kind}) => kind === 'item');
}

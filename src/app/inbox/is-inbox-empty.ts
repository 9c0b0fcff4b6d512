import type {Frame} from '#app/core/frame.ts';
import {visibleRowsOf} from '#app/lists/visible-rows.ts';
import {inboxContents} from './triage-rows.ts';

/** Nothing is left, of anything: not only of what the list shows just now. What is muted waits for whoever asks for it. */
export function isInboxEmpty(frame: Frame): boolean {
  const {counts} = inboxContents(frame);
  const isAsked = frame.screen.lists.inbox.split === 'muted' && counts.muted > 0;
  return counts.all === 0 && !isAsked && !hasItem(frame);
}

function hasItem(frame: Frame): boolean {
  return visibleRowsOf(frame, 'inbox').rows.some(({kind}) => kind === 'item');
}

import type {Frame} from '#ui/core/frame.ts';
import {visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {inboxContents} from './triage-rows.ts';

/** Whether nothing is unread in any tab, not only in the shown one. Muted conversations count only in the muted tab. */
export function isInboxEmpty(frame: Frame): boolean {
  const {counts} = inboxContents(frame);
  const isMutedTabFilled = frame.screen.lists.inbox.split === 'muted' && counts.muted > 0;
  return counts.all === 0 && !isMutedTabFilled && !hasItem(frame);
}

function hasItem(frame: Frame): boolean {
  return visibleRowsOf(frame, 'inbox').rows.some(({kind}) => kind === 'item');
}

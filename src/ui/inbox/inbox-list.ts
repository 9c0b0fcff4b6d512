import {inboxLayout} from '#ui/layout/layout.ts';
import {type ListSource, organizationsNote} from '#ui/lists/list-source.ts';
import {isTriageItem, removalLabels, type TriageRow, triageLine} from './triage-row.ts';
import {inboxOrder, triageRows, withPositionedRows} from './triage-rows.ts';

/** The list of conversations with unread messages, to be handled one by one. */
export const inboxList: ListSource<TriageRow> = {
  id: 'inbox',
  views: ['inbox', 'triage'],
  isMerged: true,
  initial: {folded: new Set(['muted'])},
  rows: triageRows,
  line: triageLine,
  shownRowKey: (frame) => inboxOrder(frame).firstKey,
  note: organizationsNote,
  hasTabs: true,
  spokenCount: (row) => (isTriageItem(row) && row.removalReason ? removalLabels[row.removalReason] : undefined),
  isPinned: true,
  // Fixes the position of the row with the cursor now, not only with the next paint.
  cursorMoved: withPositionedRows,
  bodyRect: (frame, pane) => inboxLayout(frame, pane).list,
  emptyText: ({screen}) =>
    screen.lists.inbox.split === 'all' ? 'Nothing unread.' : 'Nothing unread here · 1 shows all',
};

declare module '#ui/lists/list-state.ts' {
  interface ListIds {
    inbox: true;
  }
}

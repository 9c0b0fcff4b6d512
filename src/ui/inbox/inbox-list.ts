import type {ListSource} from '#ui/lists/list-source.ts';
import {inboxLayout} from './inbox-layout.ts';
import {triageLine} from './triage-line.ts';
import type {TriageRow} from './triage-row.ts';
import {inboxOrder, triageRows} from './triage-rows.ts';

/** The list of conversations with unread messages, to be handled one by one. */
export const inboxList: ListSource<TriageRow> = {
  rows: triageRows,
  line: triageLine,
  shownRowKey: (frame) => inboxOrder(frame).firstKey,
  bodyRect: (frame, pane) => inboxLayout(frame, pane).list,
  emptyText: ({screen}) =>
    screen.lists.inbox.split === 'all' ? 'Nothing unread.' : 'Nothing unread here · 1 shows all',
};

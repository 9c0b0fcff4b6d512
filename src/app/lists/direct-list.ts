import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {directRows} from '#state/selectors/lists/recent-conversations.ts';
import {type WideRow, wideLine, wideRow} from './conversation-row.ts';
import {RowKeeper} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {recentInputs} from './recent-list.ts';

const keeper = new RowKeeper<WideRow>();

/** Every direct conversation, newest first. */
export const directList: ListSource<WideRow> = {
  rows: memoByFrame(recentInputs, (frame) =>
    keeper.kept(directRows(frame.account).map((row) => wideRow(frame, row))),
  ),
  line: wideLine,
  empty: () => 'No direct messages yet. x writes to somebody.',
};

import {memoByFrame} from '#app/core/frame-memo.ts';
import {directRows} from '#state/selectors/recent.ts';
import {RowKeeper} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {recentInputs} from './recent-list.ts';
import {type WideRow, wideLine, wideRow} from './wide-row.ts';

const keeper = new RowKeeper<WideRow>();

/** Every direct conversation, newest first. */
export const directList: ListSource<WideRow> = {
  rows: memoByFrame(recentInputs, (frame) =>
    keeper.kept(directRows(frame.account).map((row) => wideRow(frame, row))),
  ),
  line: wideLine,
  empty: () => 'No direct messages yet. x writes to somebody.',
};

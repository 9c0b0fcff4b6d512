import {memoByFrame} from '#app/core/memo-by-frame.ts';
import {recentDirectConversations} from '#state/selectors/lists/recent-conversations.ts';
import {type ConversationRow, conversationLine, conversationRow} from './conversation-row.ts';
import {RowCache} from './list-row.ts';
import type {ListSource} from './list-source.ts';
import {recentInputs} from './recent-list.ts';

const keeper = new RowCache<ConversationRow>();

/** Every direct conversation, newest first. */
export const directList: ListSource<ConversationRow> = {
  rows: memoByFrame(recentInputs, (frame) =>
    keeper.reuse(recentDirectConversations(frame.account).map((row) => conversationRow(frame, row))),
  ),
  line: conversationLine,
  emptyText: () => 'No direct messages yet. x writes to somebody.',
};

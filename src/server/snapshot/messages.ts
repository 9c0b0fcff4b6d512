import {Flag} from '#server/db/rows.ts';
import {compileNarrow} from '#server/narrow/compile.ts';
import {noAnchor} from '#wire/objects/message.ts';
import type {SnapshotBlocks, SnapshotRequest} from './snapshot-block.ts';
import {unreadSnapshot} from './unreads.ts';

/** Clients find older conversations by fetching messages. */
const maxConversations = 1000;

/** Unread and starred messages and recent direct conversations. */
export const messagesBlocks: SnapshotBlocks = {
  message: (request) => ({
    max_message_id: newestReceived(request),
    // Without flag events the client's list of unread messages would be out of date at once.
    ...(wants(request, 'update_message_flags') && {unread_msgs: unreadSnapshot(request)}),
  }),
  starred_messages: ({act, viewer}) => ({
    starred_messages: act.db.pluck(
      `SELECT message_id FROM user_message INDEXED BY user_message_starred
       WHERE user_id = ? AND flags & ${Flag.starred} ORDER BY message_id`,
      viewer.id,
    ),
  }),
  recent_private_conversations: (request) => ({
    recent_private_conversations: recentConversations(request),
  }),
};

function wants({fetchTypes}: SnapshotRequest, fetchType: string): boolean {
  return fetchTypes === undefined || fetchTypes.has(fetchType);
}

function newestReceived({act, viewer}: SnapshotRequest): number {
  return compileNarrow(act, viewer, []).messageIds.idsBeyond(noAnchor, 'older', 1)[0] ?? -1;
}

/** Returns the other users of each direct conversation, newest first. */
function recentConversations({act, viewer}: SnapshotRequest): {max_message_id: number; user_ids: number[]}[] {
  const rows = act.db.all<{max_message_id: number; key: string}>(
    `SELECT (SELECT MAX(id) FROM message WHERE dm_id = mine.dm_id) AS max_message_id, dm.key
     FROM dm_member AS mine JOIN dm ON dm.id = mine.dm_id
     WHERE mine.user_id = ? AND max_message_id IS NOT NULL ORDER BY max_message_id DESC LIMIT ${maxConversations}`,
    viewer.id,
  );
  return rows.map(({max_message_id, key}) => ({
    max_message_id,
    user_ids: key
      .split(',')
      .map(Number)
      .filter((id) => id !== viewer.id),
  }));
}

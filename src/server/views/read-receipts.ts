import {settingSql} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import {Flag, type MessageRow, type UserRow} from '#server/db/rows.ts';
import {flagsByUserSql} from '#server/db/unread-messages.ts';

/**
 * Returns the ids of the users who have read a message and send read receipts, without its sender and without users
 * whom the viewer muted or who muted the viewer.
 */
export function readReceipts(act: Pick<ActionContext, 'server'>, viewer: UserRow, message: MessageRow): number[] {
  const received =
    message.channel_id === null
      ? 'SELECT user_id FROM dm_member WHERE dm_id = ?2'
      : `SELECT user_id FROM subscription_period
         WHERE channel_id = ?2 AND since_id <= ?1 AND (until_id IS NULL OR until_id > ?1)`;
  const list = act.server.db.value<string>(
    `SELECT json_group_array(id) FROM user
     WHERE ${settingSql('send_read_receipts')} AND (id IN (${received}) OR id IN (SELECT user_id FROM user_message WHERE message_id = ?1 AND flags & ${Flag.historical}))
       AND is_active = 1 AND id <> ?3
       AND id NOT IN (SELECT user_id FROM ${flagsByUserSql} WHERE flags & ${Flag.unread})
       AND id NOT IN (SELECT muted_id FROM muted_user WHERE user_id = ?4)
       AND id NOT IN (SELECT user_id FROM muted_user WHERE muted_id = ?4)`,
    message.id,
    message.channel_id ?? message.dm_id,
    message.sender_id,
    viewer.id,
  );
  const readers: number[] = JSON.parse(list ?? '[]');
  return readers.sort((a, b) => a - b);
}

import type {ReadContext, ServerAccess} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {findMessage} from '#server/db/messages.ts';
import {type AttachmentRow, linkingMessageIds} from '#server/db/organization-items.ts';
import type {MessageRow, UserRow} from '#server/db/rows.ts';
import {check} from '#server/errors.ts';
import {canReadChannel, isSubscribed} from './channel.ts';

/** Returns whether the message arrived while the user was subscribed, or in a direct conversation of theirs. */
function hasReceived(act: ServerAccess, userId: number, message: MessageRow): boolean {
  const {db} = act.server;
  if (message.dm_id !== null) {
    return db.has('dm_member', {user_id: userId, dm_id: message.dm_id});
  }
  const period = `SELECT 1 FROM subscription_period
    WHERE user_id = ? AND channel_id = ? AND since_id <= ? AND (until_id IS NULL OR until_id > ?)`;
  return db.get(period, userId, message.channel_id, message.id, message.id) !== undefined;
}

/** Returns the ids of the messages that the user has received, by the rule of `hasReceived`, with one query. */
export function receivedAmong(
  act: ServerAccess,
  userId: number,
  messages: readonly Pick<MessageRow, 'id'>[],
): Set<number> {
  return new Set(
    act.server.db.pluck(
      `SELECT m.id FROM json_each(?2) AS wanted CROSS JOIN message AS m ON m.id = wanted.value
       WHERE EXISTS (SELECT 1 FROM dm_member WHERE user_id = ?1 AND dm_id = m.dm_id)
         OR EXISTS (
           SELECT 1 FROM subscription_period WHERE user_id = ?1 AND channel_id = m.channel_id
             AND since_id <= m.id AND (until_id IS NULL OR until_id > m.id)
         )`,
      userId,
      JSON.stringify(messages.map(({id}) => id)),
    ),
  );
}

export function canReadMessage(act: ReadContext, user: UserRow, message: MessageRow): boolean {
  if (message.channel_id === null) return hasReceived(act, user.id, message);
  const channel = findChannel(act.server.db, message.channel_id);
  if (channel === undefined || !canReadChannel(act, user, channel)) return false;
  if (channel.history_public_to_subscribers === 1) return true;
  return isSubscribed(act, user.id, channel.id) && hasReceived(act, user.id, message);
}

/** Returns the message if the user may read it. The error is the same for an unknown and a forbidden message. */
export function requireReadableMessage(act: ReadContext, user: UserRow, id: number): MessageRow {
  const message = act.server.db.find<MessageRow>('message', {id});
  check(message !== undefined && canReadMessage(act, user, message), 'Invalid message(s)');
  return message;
}

/** Returns whether the user owns the file or may read a message that links to it. */
export function canReadAttachment(act: ReadContext, user: UserRow, file: AttachmentRow): boolean {
  if (file.owner_id === user.id) return true;
  return linkingMessageIds(act.server.db, file.id).some((id) => {
    const message = findMessage(act.server.db, id);
    return message !== undefined && canReadMessage(act, user, message);
  });
}

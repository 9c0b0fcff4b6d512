import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {Flag} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {emitMessagesDeleted} from './delete-message.ts';
import {emitFlagChange} from './flag-events.ts';
import {channelMessageReaders} from './message-audience.ts';
import type {MessageMove} from './message-move.ts';
import {movePeriods} from './move-subscription-periods.ts';

type ReadersById = Map<number, readonly number[]>;

/**
 * Updates readers after messages moved to another channel: users who may not read them there get them deleted, users
 * who are not subscribed there get them marked read. Returns who may read which of the messages now.
 */
export function updateMovedReaders(
  act: ActionContext,
  move: MessageMove,
  before: ReadonlyMap<number, readonly number[]>,
): ReadersById {
  // With public history all readers see old messages, so who received them does not matter.
  if (move.to.history_public_to_subscribers === 0) movePeriods(act, move.to.id, move.ids);
  const after = channelMessageReaders(act, move.to, move.ids);
  const lost: ReadersById = new Map();
  for (const [userId, seen] of before) {
    if (move.to.history_public_to_subscribers === 1 && !after.has(userId)) {
      const user = findUser(act.db, userId);
      if (user !== undefined && canReadChannel(act, user, move.to)) after.set(userId, seen);
    }
    const readable = new Set(after.get(userId));
    const hidden = readable.size === 0 ? seen : seen.filter((id) => !readable.has(id));
    if (hidden.length > 0) lost.set(userId, hidden);
  }
  emitMessagesDeleted(act, lost, {channel_id: move.from.id, topic: move.oldTopic});
  deleteLostFlags(act, move, after);
  markUnsubscribedRead(act, move);
  return after;
}

/** Deletes the flags of users who cannot read the messages at the new location. */
function deleteLostFlags(act: ActionContext, move: MessageMove, readers: ReadonlyMap<number, readonly number[]>): void {
  const ids = JSON.stringify(move.ids);
  const userIds = act.db.pluck(
    'SELECT DISTINCT user_id FROM user_message WHERE message_id IN (SELECT value FROM json_each(?))',
    ids,
  );
  for (const userId of userIds) {
    act.db.run(
      `DELETE FROM user_message WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))
         AND message_id NOT IN (SELECT value FROM json_each(?))`,
      userId,
      ids,
      JSON.stringify(readableBy(act, move, readers, userId)),
    );
  }
}

function readableBy(
  act: ActionContext,
  move: MessageMove,
  readers: ReadonlyMap<number, readonly number[]>,
  userId: number,
): readonly number[] {
  const ids = readers.get(userId);
  if (ids !== undefined || move.to.history_public_to_subscribers === 0) return ids ?? [];
  const user = findUser(act.db, userId);
  return user !== undefined && canReadChannel(act, user, move.to) ? move.ids : [];
}

/** Marks the moved messages read for users without a subscription: only subscribed channels have unread messages. */
function markUnsubscribedRead(act: ActionContext, move: MessageMove): void {
  const subscribed = act.server.derivedFacts.get(channelSubscribers(move.to.id));
  const unread = act.db.all<{user_id: number; message_id: number}>(
    `SELECT user_id, message_id FROM user_message
     WHERE message_id IN (SELECT value FROM json_each(?)) AND flags & ? ORDER BY message_id`,
    JSON.stringify(move.ids),
    Flag.unread,
  );
  const marked = new Map<number, number[]>();
  for (const {user_id, message_id} of unread) {
    if (!subscribed.has(user_id)) marked.set(user_id, [...(marked.get(user_id) ?? []), message_id]);
  }
  for (const [userId, messages] of marked) {
    const list = JSON.stringify(messages);
    const where = 'user_id = ? AND message_id IN (SELECT value FROM json_each(?))';
    act.db.run(`DELETE FROM user_message WHERE ${where} AND flags = ?`, userId, list, Flag.unread);
    act.db.run(`UPDATE user_message SET flags = flags & ~${Flag.unread} WHERE ${where}`, userId, list);
    const user = findUser(act.db, userId);
    if (user !== undefined) emitFlagChange(act, user, {op: 'add', flag: 'read'}, messages);
  }
}

import type {ActionContext} from '#server/context.ts';
import {channelSubscribers} from '#server/db/channels.ts';
import {findUser} from '#server/db/users.ts';
import {canReadChannel} from '#server/permissions/channel.ts';
import {isGuest} from '#server/permissions/has-permission.ts';
import {emitMessagesDeleted} from './delete-message.ts';
import {channelMessageReaders} from './message-audience.ts';
import type {MessageMove} from './message-move.ts';
import {movePeriods} from './move-subscription-periods.ts';

type ReadersById = Map<number, readonly number[]>;

/**
 * Updates readers after messages moved to another channel: users who may not read them there get them deleted. Users
 * who left the old channel or are not subscribed to the new one lose their flags: the messages are no longer theirs.
 * Returns who gets the event about the move, and with which of the messages: connected users, because a channel may have
 * tens of thousands of others.
 */
export function updateMovedReaders(
  act: ActionContext,
  move: MessageMove,
  before: ReadonlyMap<number, readonly number[]>,
): ReadersById {
  // With public history all readers see old messages, so who received them does not matter.
  if (move.to.history_public_to_subscribers === 0) movePeriods(act, move.to.id, move.ids);
  deleteFlagsOfFormerReceivers(act, move);
  const connected = new Set(act.server.queues.connectedUsers());
  const after = channelMessageReaders(act, move.to, move.ids);
  const lost: ReadersById = new Map();
  for (const [userId, seen] of before) {
    if (!connected.has(userId)) continue;
    if (!after.has(userId) && readsAll(act, move, userId)) after.set(userId, seen);
    if (after.get(userId) === seen) continue;
    const readable = new Set(after.get(userId));
    const hidden = readable.size === 0 ? seen : seen.filter((id) => !readable.has(id));
    if (hidden.length > 0) lost.set(userId, hidden);
  }
  emitMessagesDeleted(act, lost, {channel_id: move.from.id, topic: move.oldTopic});
  return new Map([...after].filter(([userId]) => connected.has(userId) && isToldOfMove(act, move, userId, before)));
}

/** Returns whether a user reads the whole history of the new channel, with or without a subscription. */
function readsAll(act: ActionContext, {to}: MessageMove, userId: number): boolean {
  const user = to.history_public_to_subscribers === 1 ? findUser(act.db, userId) : undefined;
  return user !== undefined && canReadChannel(act, user, to);
}

/**
 * Returns whether a reader of the new channel gets the event. Messages of a channel with protected history exist only
 * for those who received them, and guests do not learn of channels that they cannot see.
 */
function isToldOfMove(
  {server, db}: ActionContext,
  {from, to, ids}: MessageMove,
  userId: number,
  before: ReadonlyMap<number, readonly number[]>,
): boolean {
  if (server.derivedFacts.get(channelSubscribers(from.id)).has(userId)) return true;
  if (server.derivedFacts.get(channelSubscribers(to.id)).has(userId)) {
    if (from.history_public_to_subscribers === 0) return before.has(userId);
    const user = findUser(db, userId);
    return user !== undefined && !isGuest(user);
  }
  const rows = 'SELECT 1 FROM user_message WHERE user_id = ? AND message_id IN (SELECT value FROM json_each(?))';
  return db.get(rows, userId, JSON.stringify(ids)) !== undefined;
}

/** Deletes the flags of users who have or had a subscription to the old channel and have none to the new one. */
function deleteFlagsOfFormerReceivers({db}: ActionContext, {from, to, ids}: MessageMove): void {
  db.run(
    `DELETE FROM user_message INDEXED BY user_message_by_message WHERE message_id IN (SELECT value FROM json_each(?1))
       AND EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = user_message.user_id AND s.channel_id = ?2)
       AND NOT EXISTS (
         SELECT 1 FROM subscription AS s WHERE s.user_id = user_message.user_id AND s.channel_id = ?3 AND s.active = 1
       )`,
    JSON.stringify(ids),
    from.id,
    to.id,
  );
}
